"""What looking at a galaxy with a card in hand gives: the value every card family returns."""

from collections.abc import Callable
from dataclasses import dataclass

from scorer.nebula.galaxy import Galaxy
from scorer.sentence import Sentence

MARKERS_OF_A_PLAYER = 4


@dataclass(frozen=True)
class Table:
    """What a card may need to know beyond one galaxy.

    `rivals`: each opponent's number of black stars; empty where there is nobody to compare with.
    `markers`: the career markers that the player has placed.
    """

    rivals: tuple[int, ...] = ()
    markers: int = 0


@dataclass(frozen=True)
class CardResult:
    """How a galaxy does on a card.

    An objective is `fulfilled` or not; an advanced card counts how often its pattern is there.
    The other one of the two is None. `progress` runs from 0 to 1. `spaces` are those that earn
    the card or count towards it; `missing` those that still stand in its way, where they can be
    named. `calculation` is how a person would explain it.
    """

    progress: float
    spaces: tuple[str, ...]
    missing: tuple[str, ...]
    calculation: Sentence
    fulfilled: bool | None = None
    count: int | None = None


ALONE = Table()  # a galaxy looked at by itself

Check = Callable[[Galaxy, Table], CardResult]


def objective(
    progress: float, spaces: tuple[str, ...], missing: tuple[str, ...], calculation: Sentence
) -> CardResult:
    """The result of an objective: fulfilled when the way is gone to its end."""
    fulfilled = progress >= 1
    return CardResult(
        progress, spaces, () if fulfilled else missing, calculation, fulfilled=fulfilled
    )


def tally(
    count: int,
    most: int,
    spaces: tuple[str, ...],
    calculation: Sentence,
    missing: tuple[str, ...] = (),
) -> CardResult:
    """The result of an advanced card: how often its pattern is there, of at most so often."""
    return CardResult(min(count / most, 1.0), spaces, missing, calculation, count=count)
