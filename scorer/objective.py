"""Objectives: what a card asks for, and what looking at a position with it in hand gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from scorer.sentence import Sentence


class Objective(Protocol):
    """A card, or whatever else a game gives points for: what it is called and what it asks."""

    @property
    def id(self) -> str:
        """Its printed number."""

    @property
    def name(self) -> Sentence:
        """What players call it."""

    @property
    def rule(self) -> Sentence:
        """What it asks for."""


@dataclass(frozen=True)
class CardResult:
    """How a position does on an objective.

    An objective is `fulfilled` or not; others count how often their pattern is there. The other one
    of the two is None. `progress` runs from 0 to 1. `spaces` are those that earn the card or count
    towards it; `missing` those that still stand in its way, where they can be named. `calculation`
    is how a person would explain it.
    """

    progress: float
    spaces: tuple[str, ...]
    missing: tuple[str, ...]
    calculation: Sentence
    fulfilled: bool | None = None
    count: int | None = None

    @property
    def met(self) -> bool:
        """Whether nothing stands in its way any more."""
        return self.progress >= 1 if self.fulfilled is None else self.fulfilled


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
    """The result of a card that counts: how often its pattern is there, of at most so often."""
    return CardResult(min(count / most, 1.0), spaces, missing, calculation, count=count)


Answers = Mapping[str, Any]
"""What players answered, as the keys of a game file hold it."""
