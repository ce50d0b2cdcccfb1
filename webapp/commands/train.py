"""`stargazer train`: new weights for the models."""

from importlib.util import find_spec
from pathlib import Path

import click

from webapp.terminal.outcome import InputError, input_errors
from webapp.terminal.progress import progress_bar


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    required=True,
    help="Labelled photographs, such as `stargazer synthesize` writes.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("models"),
    show_default=True,
    help="The exported models and their model card go to weights/GAME in this folder.",
)
@click.option("--epochs", type=click.IntRange(min=1), help="Rounds over the data, for a trial run.")
@click.option(
    "--start",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Go on from the checkpoints in this folder (board-finder.pt, token-detector.pt).",
)
def train(data: Path, out: Path, epochs: int | None, start: Path | None) -> None:
    """Train a game's models and export them to ONNX, with a model card of measured figures.

    The game is the one whose boards the photographs show.
    Without a graphics card that takes hours. A run that was interrupted goes on where it was.

    Example: stargazer train --data data/ --out models/
    """
    with input_errors():
        if not data.is_dir():
            raise InputError(
                f"{data} is not a folder: make one with stargazer synthesize --out {data}"
            )
    if find_spec("ultralytics") is None:
        raise InputError('training needs Ultralytics: pip install "stargazer[train]"')
    from models.train import train as train_models

    with input_errors(), progress_bar("Training") as bar:
        weights = train_models(data, out, bar, epochs, start)
    click.echo(f"models and model card in {weights}")
