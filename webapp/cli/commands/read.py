"""`stargazer read`: the pieces on the boards in photographs."""

import os
from pathlib import Path
from typing import Any

import click

from scorer.datafile import printable
from webapp.cli.terminal.options import overlay_option, profiles_option
from webapp.cli.terminal.outcome import input_errors, print_json, process_each
from webapp.cli.terminal.quiet import libraries_silenced

_MOST_AT_ONCE = 4
"""The most photographs read at a time, as a large one takes about 240 MB."""


@click.command()
@click.argument(
    "photos", metavar="PHOTO...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@profiles_option("Name or folder")
@click.option(
    "--boards",
    type=click.IntRange(1, 12),
    metavar="N",
    help="How many boards each photograph should show: it is searched for those, and said where"
    " one is missing.",
)
@click.option(
    "--cards",
    "with_cards",
    is_flag=True,
    help="Find the printed cards beside the boards, too, or where no board lies: those of the"
    " board's game, else of the first --profile.",
)
@overlay_option
@click.option("--json", "as_json", is_flag=True, help="Print one reading a line, as JSON.")
@libraries_silenced()
def read(
    photos: tuple[Path, ...],
    profiles: tuple[str, ...],
    boards: int | None,
    with_cards: bool,
    overlay: Path | None,
    as_json: bool,
) -> None:
    """Read every board in each photograph.

    Example: stargazer read ana.jpg luis.jpg --overlay read/; stargazer read table.jpg --boards 4
    """
    from vision import load_photo, profile_of
    from webapp.app.reading.read_photograph import UnusablePhotographError
    from webapp.app.reading.readings import reading_data
    from webapp.cli.terminal.photographs import OverlayReader, chosen_profiles, full_name

    if with_cards:
        from webapp.app.reading.card_jobs import find_cards  # loads the pages' words

    with input_errors():
        reader = OverlayReader(chosen_profiles(profiles), overlay)

    def read_one(photo: Path) -> dict[str, Any]:
        try:
            found = reader.read(photo, expected=boards or 1)
        except UnusablePhotographError as error:
            if not with_cards or error.problem not in ("no_board", "unreadable"):
                raise
            cards = find_cards(photo, full_name(reader.profiles[0]))
            if not cards:
                raise
            click.echo(printable(str(error)), err=True)
            image = load_photo(photo)
            size = {"photo": image.name, "size": [*image.size]}
            return {"format": 1, **size, "boards": [], "cards": cards}
        data = reading_data(found, reader.profiles, in_words=not as_json)
        if with_cards:
            used = full_name(profile_of(found.boards[0], reader.profiles))
            data["cards"] = find_cards(photo, used, [one["corners"] for one in data["boards"]])
        return data

    def show(reading: dict[str, Any]) -> None:
        if as_json:
            print_json(reading)
        else:
            from webapp.cli.terminal.board import print_reading  # loads rich, which is slow

            print_reading(reading)
        found = len(reading["boards"])
        if boards is not None and found < boards:
            note = (
                f"{found} of {boards} boards were found: photograph the missing ones on their own"
            )
            click.echo(f"{printable(reading['photo'])}: {note}", err=True)

    process_each(
        photos,
        read_one,
        show,
        as_json=as_json,
        doing="Reading photographs",
        # One at a time with overlays, whose names depend on those already in the folder.
        at_once=min(os.cpu_count() or 1, len(photos), _MOST_AT_ONCE) if overlay is None else 1,
    )
