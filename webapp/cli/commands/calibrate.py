"""`stargazer calibrate`: a board profile from one photograph of the empty board."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webapp.cli.terminal.options import game_option
from webapp.cli.terminal.outcome import ExitCode, InputError, input_errors, print_json, process_each
from webapp.cli.terminal.quiet import libraries_silenced
from webapp.cli.terminal.stars import calibrate_stars, show_stars

if TYPE_CHECKING:
    from calibration.proposal import LayoutProposal, Missing
    from vision import Photo


def four_points(value: str) -> tuple[tuple[float, float], ...]:
    """Parse `x,y x,y x,y x,y` in px; the shape is checked later. Raise click.BadParameter."""
    try:
        points = [tuple(map(float, point.split(","))) for point in value.split()]
    except ValueError:
        points = []
    if [len(point) for point in points] != [2, 2, 2, 2]:
        raise click.BadParameter(f'{value!r} is not four points like "10,12 810,15 805,970 8,965"')
    return tuple((point[0], point[1]) for point in points)


LEAST_MM = 30.0
_LEARNING = "Learning the stars"


def width_height(value: str) -> tuple[float, float]:
    """Parse `WxH` in mm. Raise click.BadParameter."""
    from scorer.places import MAX_SIDE_MM  # not needed for help texts, and slow to load

    try:
        width, height = map(float, value.lower().split("x"))
    except ValueError:
        width = height = math.nan
    if not (LEAST_MM <= width <= MAX_SIDE_MM and LEAST_MM <= height <= MAX_SIDE_MM):
        raise click.BadParameter(f'{value!r} is not a width and a height in mm like "200x240"')
    return width, height


def whole_numbers(value: str) -> tuple[int, ...]:
    """Parse `0 1 3 ...`, with or without commas. Raise click.BadParameter."""
    written = value.replace(",", " ").split()
    if not all(number.isascii() and number.isdecimal() for number in written):
        raise click.BadParameter(f'{value!r} is not a list of whole numbers like "0 1 3 5"')
    return tuple(map(int, written))


@click.command()
@click.argument("photo", required=False, type=click.Path(path_type=Path))
@click.option(
    "--layout",
    metavar="LAYOUT",
    help="Where the board's spaces are: a layout.yaml, or the folder or name of a profile. Without "
    "it, the spaces and links are found in the photograph; what is not surely found is named, and "
    "drawn. The numbers on a track are not read: give them with --numbers.",
)
@game_option("Whose board it is, where no layout says so.")
@click.option(
    "--size",
    type=width_height,
    metavar="WxH",
    help="The board's width and height in mm, where no layout says so.",
)
@click.option(
    "--numbers",
    type=whole_numbers,
    metavar='"N N ..."',
    help="The numbers printed on the board's track, in order, and last what a full track gives; "
    "where no layout says them.",
)
@click.option("--name", required=True, help="What to call the profile.")
@click.option(
    "--corners",
    type=four_points,
    metavar='"x,y x,y x,y x,y"',
    help="The board's corners in the photograph, clockwise from the printed top-left; "
    "right to a few pixels will do. Found where not given.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder to put the profile into, instead of your own profiles.",
)
@click.option(
    "--empty",
    is_flag=True,
    help="The board in the photograph is empty, though pieces seem to lie on it.",
)
@click.option(
    "--stars",
    type=click.Path(path_type=Path),
    metavar="PHOTO",
    help="A photograph of your own pieces, one of each kind, in any order on the board or right "
    "beside it: the profile's boards are read by their colours from then on.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the profile's path as JSON.")
@libraries_silenced()
def calibrate(
    photo: Path | None,
    layout: str | None,
    game: str,
    size: tuple[float, float] | None,
    numbers: tuple[int, ...] | None,
    name: str,
    corners: tuple[tuple[float, float], ...] | None,
    out: Path | None,
    empty: bool,
    stars: Path | None,
    as_json: bool,
) -> None:
    """Make a profile of your own board from one photograph of it, empty.

    Photograph it from above, whole, in even light. A profile of the same name is kept as
    NAME.bak. With --stars it learns your pieces, too; without an empty board's photograph, the
    pieces for a profile that there is, a built-in one as well.

    Example: stargazer calibrate empty.jpg --name my-board --numbers "0 1 2 4 6 9 12 15 18 22 26"
    """
    from calibration import check_name, load_layout, owner_profiles
    from calibration.profile import layout_path
    from calibration.proposal import can_propose

    if photo is None and stars is None:
        raise click.UsageError("give a photograph of the empty board, or --stars PHOTO")
    folder = out or owner_profiles()
    calibrated = partial(calibrate_stars, folder / name)
    if photo is None:
        calibrated = partial(calibrate_stars, out / name if out else name)  # may be a built-in one
    else:
        with input_errors():
            check_name(name)
            given = layout if layout is None or not Path(layout).exists() else Path(layout)
            layout_file = None if given is None else layout_path(given)
            notices = load_layout(layout_file).board.notices() if layout_file else []
            if layout_file is None and not can_propose(game):
                raise InputError(
                    f"a layout of {game} is not found in a photograph: give one with --layout,"
                    f" a layout.yaml or the name of a profile, such as {game}/standard"
                )
        making = _Making(name, game, folder, layout_file, corners, size, numbers, empty)
        making.notices.extend(notices)

        def show(profile: Path) -> None:
            if as_json:
                print_json({"format": 1, "profile": str(profile)})
                return
            known_as = profile if out else name
            click.echo(f"Profile written: {profile}")
            for notice in making.notices:
                click.echo(f"Note: {notice}")
            click.echo(f"Use it: stargazer read PHOTO --profile {known_as}")

        process_each((photo,), making.make, show, as_json=as_json, doing="Calibrating")
    if stars is not None:
        process_each(
            (stars,), calibrated, partial(show_stars, as_json), as_json=as_json, doing=_LEARNING
        )


@dataclass
class _Making:
    """Makes a profile from the options given for its board, and collects notices."""

    name: str
    game: str
    folder: Path
    layout_file: Path | None
    corners: tuple[tuple[float, float], ...] | None
    size: tuple[float, float] | None
    numbers: tuple[int, ...] | None
    empty: bool
    notices: list[str] = field(default_factory=list)

    def make(self, file: Path) -> Path:
        """Write the profile of the board in a photograph; return the profile's folder."""
        from calibration import calibrate as from_layout
        from calibration import check_corners, find_outline, load_layout
        from vision import load_models, load_photo, rough_outlines
        from webapp.app.reading.read_photograph import UnusablePhotographError

        taken = load_photo(file)
        given = None
        if self.corners is not None:
            given = check_corners(self.corners, taken.size) * taken.scale
        if self.layout_file is None:
            return self._propose(file, taken, given)
        if given is None:
            known = load_layout(self.layout_file)
            rough = rough_outlines(load_models(known.game).finder, taken.image)
            given = find_outline(taken.image, rough, known)
            if given is None:
                raise UnusablePhotographError(
                    "no_board",
                    f"{file.name}: the layout's board was not surely found; give its --corners",
                )
        return from_layout(taken.image, given, self.layout_file, self.name, self.folder)

    def _propose(self, file: Path, taken: "Photo", given: Any) -> Path:
        from calibration.calibrate import make_profile
        from calibration.layout import layout_from_data
        from calibration.lens import undistort
        from calibration.proposal import propose_layout
        from calibration.proposal.propose import NUMBERS
        from vision import load_models, rough_outlines

        rough: Iterable[Any] = ()
        if given is None:
            rough = rough_outlines(load_models(self.game).finder, taken.image)
        proposal = propose_layout(
            taken.image, self.game, corners=given, size_mm=self.size, beginnings=rough
        )
        flat = undistort(taken.image, proposal.distortion)
        if proposal.is_board and not self.empty:
            self._check_empty(file, flat, proposal)
        numbers = self.numbers
        unread = [
            one for one in proposal.unread if numbers is None or not one.id.endswith(f"/{NUMBERS}")
        ]
        if not proposal.whole or unread:
            raise _not_whole(file, taken, proposal, unread, self.name)
        found = layout_from_data({**proposal.numbered(numbers or ()), "name": self.name}, file)
        self.notices.extend(proposal.notes)
        self.notices.extend(found.board.notices())
        return make_profile(flat, proposal.corners, found, self.name, self.folder)

    def _check_empty(self, file: Path, flat: Any, proposal: "LayoutProposal") -> None:
        from vision import load_models, occupied_spaces
        from webapp.app.reading.read_photograph import UnusablePhotographError

        detector = load_models(self.game).detector
        occupied = occupied_spaces(flat, proposal.corners, proposal.draft, detector)
        if occupied:
            finding = f"pieces seem to lie on {len(occupied)} spaces ({', '.join(occupied[:NAMED])}"
            more = ", ..." if len(occupied) > NAMED else ""
            raise UnusablePhotographError(
                "not_empty",
                f"{file.name}: {finding}{more}): clear the board and photograph it again,"
                " or say --empty if it is",
            )


NAMED = 6


def _not_whole(
    file: Path, taken: "Photo", proposal: "LayoutProposal", unread: Sequence["Missing"], name: str
) -> Exception:
    """An error for what was not found; draws and writes what was, beside the photograph."""
    import cv2
    import yaml

    from calibration.lens import undistort
    from calibration.proposal.overlay import draw_proposal
    from webapp.app.reading.read_photograph import UnusablePhotographError

    if not proposal.is_board:
        advice = "no board of this game was found; photograph it whole and empty, or give its "
        return UnusablePhotographError("no_board", f"{file.name}: {advice}--corners")
    picture = file.with_name(f"{file.stem}-proposal.png")
    draft = file.with_name(f"{file.stem}-proposal.yaml")
    flat = undistort(taken.image, proposal.distortion)
    cv2.imencode(".png", draw_proposal(flat, proposal))[1].tofile(picture)
    text = yaml.safe_dump(dict(proposal.layout, name=name), sort_keys=False, allow_unicode=True)
    draft.write_text(text, encoding="utf-8")
    missing = [*proposal.missing, *unread]
    reasons = [one.reason for one in missing]
    more = f"; and {len(reasons) - NAMED} more" if len(reasons) > NAMED else ""
    advice = "; ".join(reasons[:NAMED]) + more
    return InputError(
        f"{advice}. What was found is drawn in {picture}; mend {draft} and give it with --layout",
        ExitCode.UNREADABLE_BOARD,
        {
            "missing": [{"id": one.id, "reason": one.reason} for one in missing],
            "picture": str(picture),
            "layout": str(draft),
        },
    )
