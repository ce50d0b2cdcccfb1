"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

STANDARD = "standard"
"""The default profile."""

profile_option = click.option(
    "--profile", default=STANDARD, show_default=True, help="Name or folder of the board's profile."
)
overlay_option = click.option(
    "--overlay",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also draw what was read on each photograph, into this folder.",
)
EVERYTHING = "Folder for everything: games, photographs, boards, stars, weights."
processes_option = click.option(
    "--processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="How many photographs to read at a time on this computer.  [default: one for each core]",
)


def data_option(help: str = EVERYTHING) -> Callable[[Any], Any]:
    """The companion's folder, made absolute, as Flask resolves relative paths elsewhere."""
    folder = click.Path(path_type=Path, file_okay=False, resolve_path=True)
    return click.option("--data", type=folder, metavar="DIR", help=help)


def profiles_option(known_by: str) -> Callable[[Any], Any]:
    """The option for one or more profiles of boards; `known_by` says how they are named."""
    help = f"{known_by} of a board's profile; give several for several boards.  [default: the one"
    fits = " that fits of all that are known]"
    return click.option("--profile", "profiles", multiple=True, metavar="PROFILE", help=help + fits)


def game_option(help: str) -> Callable[[Any], Any]:
    """The option for a game, with a `help` text that says what for."""
    return click.option("--game", default="nebula", show_default=True, metavar="NAME", help=help)
