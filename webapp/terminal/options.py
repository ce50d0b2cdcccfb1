"""Options that several commands share."""

from pathlib import Path

import click

profile_option = click.option(
    "--profile",
    default="standard",
    show_default=True,
    help="Name or folder of the board's profile.",
)
overlay_option = click.option(
    "--overlay",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Also draw what was read on each photograph, into this folder.",
)
