"""`stargazer synthesize`: labelled training images."""

from pathlib import Path

import click

from webapp.cli.terminal.options import game_option
from webapp.cli.terminal.outcome import InputError, input_errors
from webapp.cli.terminal.progress import progress_bar


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    required=True,
    help="The folder to write the images and labels to.",
)
@click.option("--count", type=click.IntRange(min=1), required=True, help="How many images.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same images.",
)
@game_option("Whose boards and pieces they show.")
def synthesize(out: Path, count: int, seed: int, game: str) -> None:
    """Render labelled photographs to train a game's models on.

    Example: stargazer synthesize --out data/ --count 2000 --seed 7
    """
    from models.synthesize import synthesize as render
    from scorer.registry import UnknownGameError

    with input_errors(), progress_bar("Rendering images") as bar:
        try:
            render(game, out, count, seed, bar)
        except UnknownGameError as error:
            raise InputError(str(error)) from error
        except OSError as error:
            raise InputError(
                f"{out} cannot be written ({error.strerror}): name another DIR"
            ) from error
    click.echo(f"{count} images with labels in {out}; next: stargazer train --data {out}")
