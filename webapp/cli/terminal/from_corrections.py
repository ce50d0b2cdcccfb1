"""Train from corrected boards, report the outcome, and undo it."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.terminal.outcome import InputError
from webapp.cli.terminal.progress import progress_bar

if TYPE_CHECKING:
    from models.fine_tuning import Figures, Outcome

TURN_ON = 'Turn on "Keep confirmed boards as examples" in the preferences, and play on.'


def train_from_corrections(game: str, data: Path | None, seconds: float) -> None:
    """Train on the examples in a companion's folder, and report the outcome."""
    from webapp.app.reading.examples import kept
    from webapp.app.settings import Settings

    _check_game(game)
    if find_spec("torch") is None or find_spec("onnx") is None:
        raise InputError('training needs PyTorch: pip install "stargazer[train]"')
    settings = Settings() if data is None else Settings(data_dir=data)
    examples = list(kept(settings.examples, game))
    if not examples:
        raise InputError(f"no board is kept as an example yet. {TURN_ON}")
    from models.fine_tuning import (
        LEAST_BOARDS,
        LEAST_CORRECTED,
        SHIPPED,
        NoTimeError,
        TooFewExamplesError,
        fine_tune,
    )
    from vision.models import newest_classifier, own_weights

    begin = newest_classifier(game) or SHIPPED / game / "set-classifier.onnx"
    try:
        with progress_bar("Training") as bar:
            outcome = fine_tune(
                game, examples, SHIPPED / game, begin, own_weights(game), seconds, bar
            )
    except TooFewExamplesError as few:
        raise InputError(
            f"{few.boards} boards are kept as examples, {few.corrected} of them with something read"
            f" wrongly; {LEAST_BOARDS} are needed, {LEAST_CORRECTED} of them with a mistake. "
            f"{TURN_ON}"
        ) from few
    except NoTimeError as late:
        raise InputError(
            "the time was over before anything was learnt: give more --minutes, or"
            " let the computer do nothing else meanwhile"
        ) from late
    except KeyboardInterrupt:
        raise InputError("stopped: the weights are as they were") from None
    except OSError as error:
        raise InputError(f"the new weights cannot be written ({error.strerror})") from error
    _tell(outcome)


def _tell(outcome: "Outcome") -> None:
    click.echo(
        f"{outcome.boards} boards kept, {outcome.corrected} of them with something read wrongly."
    )
    click.echo(f"On boards held out: {_in_words(*outcome.held_out)}.")
    click.echo(f"On drawn boards that check what was known: {_in_words(*outcome.check)}.")
    if outcome.weights is None:
        why = "no better on the first, or worse on the second"
        click.echo(f"The new weights are {why}, so the old ones stay.")
        return
    click.echo(
        f"The new weights are used from now on, by a running companion when it is started"
        f" again: {outcome.weights}"
    )
    click.echo("Back to those before: stargazer train --undo")


def _in_words(before: "Figures", after: "Figures") -> str:
    return (
        f"of {before.places:,} places {before.wrong} read wrongly before, {after.wrong} now;"
        f" {before.silent} of them without a doubt before, {after.silent} now"
    )


def _check_game(game: str) -> None:
    """Raise InputError for an unknown game."""
    from scorer.registry import UnknownGameError, find_game

    try:
        find_game(game)
    except UnknownGameError as error:
        raise InputError(str(error)) from error


def undo_training(game: str) -> None:
    """Remove the owner's newest weights, so that those before, or the shipped ones, apply again.

    Raise InputError.
    """
    from vision.models import own_classifiers

    _check_game(game)
    own = own_classifiers(game)
    if not own:
        raise InputError("there are no weights of your own to go back from")
    try:
        own[-1].unlink()
    except OSError as error:
        raise InputError(f"{own[-1]} cannot be removed ({error.strerror})") from error
    now = own[-2] if own[:-1] else "those that come with Stargazer"
    click.echo(f"Removed: {own[-1]}. Used again: {now}.")
