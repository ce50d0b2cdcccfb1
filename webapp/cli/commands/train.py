"""`stargazer train`: new weights for the models."""

from importlib.util import find_spec
from pathlib import Path

import click

from webapp.cli.terminal.from_corrections import train_from_corrections, undo_training
from webapp.cli.terminal.options import game_option
from webapp.cli.terminal.outcome import InputError, input_errors
from webapp.cli.terminal.progress import progress_bar

MOST_MINUTES = 15


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Labelled photographs, such as `stargazer synthesize` writes; with --from-corrections or "
    "--undo the companion's folder, if `serve` was given one.",
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
@click.option(
    "--from-corrections",
    is_flag=True,
    help="Learn your own stars from the boards that you confirmed and chose to keep as examples.",
)
@click.option("--undo", is_flag=True, help="Go back to the weights before the last such training.")
@click.option(
    "--minutes",
    type=click.FloatRange(1, MOST_MINUTES),
    default=MOST_MINUTES,
    show_default=True,
    help="Most time that --from-corrections may take.",
)
@game_option("Whose stars --from-corrections and --undo are about.")
def train(
    data: Path | None,
    out: Path,
    epochs: int | None,
    start: Path | None,
    from_corrections: bool,
    undo: bool,
    minutes: float,
    game: str,
) -> None:
    """Train a game's models and export them to ONNX, with a model card of measured figures.

    The game is the one whose boards the photographs show.
    Without a graphics card that takes hours. A run that was interrupted goes on where it was.

    With --from-corrections the part that tells colours apart learns from your own boards, within
    minutes on any computer. Some of them are held out, and boards that are drawn check what was
    known before: new weights are used only if they are better on the first and no worse on the
    second. They lie with your other data; what comes with Stargazer is not touched.

    Example: stargazer train --from-corrections
    """
    if undo or from_corrections:
        from calibration.profile import kept_in

        with kept_in(data):
            if undo:
                undo_training(game)
            else:
                train_from_corrections(game, data, 60 * minutes)
        return
    with input_errors():
        if data is None:
            raise click.UsageError("give --data DIR, or --from-corrections")
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
