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
    help="The folder for the exported models and their model card.",
)
def train(data: Path, out: Path) -> None:
    """Train the models and export them to ONNX, with a model card of measured figures.

    Example: stargazer train --data data/ --out models/
    """
    if not data.is_dir():
        raise InputError(f"{data} is not a folder: make one with stargazer synthesize --out {data}")
    if find_spec("ultralytics") is None:
        raise InputError('training needs Ultralytics: pip install "stargazer[train]"')
    from models.train import train as train_models

    with input_errors(), progress_bar("Training") as bar:
        train_models(data, out, progress=bar)
    click.echo(f"models and model card in {out}")
