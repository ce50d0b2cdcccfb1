"""How a player's stars do on an objective."""

from collections.abc import Callable
from dataclasses import dataclass

from scorer.objective import CardResult
from scorer.polaris.constellations import PlayerStars
from scorer.sentence import Sentence


@dataclass(frozen=True)
class Tally:
    """The count of an objective, and what earns it.

    `spaces` and `links` earn it. `missing` are empty spaces where a star, and `missing_links` where
    a link, would increase the count, if they can be named. Of equal counts, the one with the
    greater `tie_break` gets the bonus. `least_more` is the least by which the count can grow.
    """

    count: int
    calculation: Sentence
    spaces: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    missing_links: tuple[str, ...] = ()
    tie_break: int = 0
    least_more: int = 1


Check = Callable[[PlayerStars], Tally]


@dataclass(frozen=True)
class SkyResult(CardResult):
    """How a player's stars do on a card of Polaris; `count` is how often they fulfil it.

    `tier` is the index of the highest threshold that the count reaches; `next_threshold` is the
    next one, None at the top, where `progress` is 1. `least_more` as in `Tally`.
    """

    tie_break: int = 0
    least_more: int = 1
    tier: int = 0
    next_threshold: int | None = None

    @property
    def to_next(self) -> int | None:
        """What the count lacks to the next tier; None at the top."""
        return None if self.next_threshold is None else self.next_threshold - (self.count or 0)


def tiered(tally: Tally, thresholds: tuple[int, ...]) -> SkyResult:
    """The result of a tally on a card with thresholds, the first of which is 0.

    >>> from scorer.polaris.words import say
    >>> result = tiered(Tally(5, say("stars", count=5)), (0, 2, 4, 6, 8))
    >>> result.tier, result.next_threshold, result.progress
    (2, 6, 0.625)
    """
    tier = sum(tally.count >= threshold for threshold in thresholds) - 1
    above = thresholds[tier + 1 :]
    return SkyResult(
        progress=min(tally.count / thresholds[-1], 1.0),
        spaces=tally.spaces,
        missing=tally.missing,
        calculation=tally.calculation,
        count=tally.count,
        links=tally.links,
        missing_links=tally.missing_links,
        tie_break=tally.tie_break,
        least_more=tally.least_more,
        tier=tier,
        next_threshold=above[0] if above else None,
    )
