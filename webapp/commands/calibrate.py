"""`stargazer calibrate`: a board profile from one photograph of the empty board."""

from pathlib import Path

import click

from webapp.terminal.outcome import answer_each, input_errors, print_json
from webapp.terminal.quiet import libraries_silenced


def four_points(value: str) -> tuple[tuple[float, float], ...]:
    """Read `x,y x,y x,y x,y` in px; how they lie is looked at beside the photograph.

    Raises click.BadParameter.
    """
    try:
        points = [tuple(map(float, point.split(","))) for point in value.split()]
    except ValueError:
        points = []
    if [len(point) for point in points] != [2, 2, 2, 2]:
        raise click.BadParameter(f'{value!r} is not four points like "10,12 810,15 805,970 8,965"')
    return tuple((point[0], point[1]) for point in points)


@click.command()
@click.argument("photo", type=click.Path(path_type=Path))
@click.option(
    "--layout",
    required=True,
    metavar="LAYOUT",
    type=click.Path(path_type=Path),
    help="Where the board's spaces are: a layout.yaml, or the folder of a profile.",
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
@click.option("--json", "as_json", is_flag=True, help="Print the profile's path as JSON.")
@libraries_silenced()
def calibrate(
    photo: Path,
    layout: Path,
    name: str,
    corners: tuple[tuple[float, float], ...] | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make a profile of your own board from one photograph of it, empty.

    Photograph it from above, whole, in even light. A profile of the same name is kept as
    NAME.bak.

    Example: stargazer calibrate empty.jpg --layout layout.yaml --name my-board
    """
    from calibration import calibrate as make_profile
    from calibration import check_corners, check_name, find_outline, load_layout, owner_profiles
    from vision import load_models, load_photo, rough_outlines
    from webapp.read_photograph import UnusablePhotographError

    with input_errors():
        check_name(name)
        layout_file = layout / "layout.yaml" if layout.is_dir() else layout
        notices = load_layout(layout_file).board.notices()

    def make(file: Path) -> Path:
        taken = load_photo(file)
        if corners is not None:
            outline = check_corners(corners, taken.size) * taken.scale
        else:
            known = load_layout(layout_file)
            rough = rough_outlines(load_models(known.game).finder, taken.image)
            board = find_outline(taken.image, rough, known)
            if board is None:
                raise UnusablePhotographError(
                    "no_board",
                    f"{file.name}: the layout's board was not surely found; give its --corners",
                )
            outline = board
        return make_profile(taken.image, outline, layout_file, name, out or owner_profiles())

    def show(profile: Path) -> None:
        if as_json:
            print_json({"format": 1, "profile": str(profile)})
            return
        known_as = profile if out else name
        click.echo(f"Profile written: {profile}")
        for notice in notices:
            click.echo(f"Note: {notice}")
        click.echo(f"Use it: stargazer read PHOTO --profile {known_as}")

    answer_each((photo,), make, show, as_json=as_json, doing="Calibrating")
