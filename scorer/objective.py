"""Objectives, and how a position does on them."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scorer.sentence import Sentence


class Objective(Protocol):
    """A card, or anything else that a game gives points for."""

    @property
    def id(self) -> str:
        """Its printed number."""

    @property
    def name(self) -> Sentence:
        """What players call it."""

    @property
    def rule(self) -> Sentence:
        """What it asks for."""


class Lack(NamedTuple):
    """The fewest pieces still to be placed for a card, and the fewest that replace others.

    Both are lower bounds.
    """

    pieces: int
    replacing: int


@dataclass(frozen=True)
class CardResult:
    """How a position does on an objective.

    `fulfilled` is None for cards that count how often their pattern occurs; `count` is None for the
    others. `progress` is 0 to 1. `spaces` and `links` earn the card or count towards it; `missing`
    and `missing_links` are those that still prevent it, if they can be named. `calculation` is the
    explanation for people. `lack` is what is still to be done, if it is known.
    """

    progress: float
    spaces: tuple[str, ...]
    missing: tuple[str, ...]
    calculation: Sentence
    fulfilled: bool | None = None
    count: int | None = None
    links: tuple[str, ...] = ()
    missing_links: tuple[str, ...] = ()
    lack: Lack | None = None

    @property
    def met(self) -> bool:
        """Whether it is fulfilled, or counts as often as it can."""
        return self.progress >= 1 if self.fulfilled is None else self.fulfilled


def objective(
    progress: float, spaces: tuple[str, ...], missing: tuple[str, ...], calculation: Sentence
) -> CardResult:
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
    """The result of a card that counts how often its pattern occurs, at most `most` times."""
    return CardResult(min(count / most, 1.0), spaces, missing, calculation, count=count)
