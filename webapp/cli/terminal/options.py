"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

STANDARD = "standard"
"""The profile of whoever names none."""

profile_option = click.option(
    "--profile",
    default=STANDARD,
    show_default=True,
    help="Name or folder of the board's profile.",
)
overlay_option = click.option(
    "--overlay",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also draw what was read on each photograph, into this folder.",
)


def game_option(help: str) -> Callable[[Any], Any]:
    """The option that names a game, which says in its `help` what for."""
    return click.option("--game", default="nebula", show_default=True, metavar="NAME", help=help)
