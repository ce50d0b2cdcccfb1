"""A scoring phase: points for the telescope, the card's tier and the greatest count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.polaris.constellations import PlayerStars
from scorer.polaris.edition import Edition
from scorer.polaris.result import SkyResult
from scorer.polaris.sky import Sky


@dataclass(frozen=True)
class PhaseScore:
    """A player's points in a phase: the card's result, and each move of the marker (P53, P54)."""

    result: SkyResult
    telescope: int
    tier: int
    bonus: int

    @property
    def points(self) -> int:
        """The sum of the points, before the marker is stopped at 0."""
        return self.telescope + self.tier + self.bonus

    def moved_from(self, marker: int) -> int:
        """How far the marker moves in total; no single move takes it below 0 (P55).

        >>> from scorer.polaris.result import Tally, tiered
        >>> from scorer.polaris.words import say
        >>> alone = tiered(Tally(1, say("stars", count=1)), (0, 2, 4, 6, 8))
        >>> PhaseScore(alone, telescope=0, tier=-2, bonus=3).moved_from(1)
        2
        """
        end = marker
        for points in (self.telescope, self.tier, self.bonus):
            end = max(0, end + points)
        return end - marker


def score_phase(
    sky: Sky, card: str, telescope: str | None, players: Mapping[str, str], edition: Edition
) -> dict[str, PhaseScore]:
    """Each player's points in a phase; `players` maps names to colours.

    >>> from scorer.polaris.edition import load_edition
    >>> sky = Sky({"1a1": "red", "1b1": "red", "1a2": "blue"})
    >>> colours = {"Ana": "red", "Eva": "blue"}
    >>> phase = score_phase(sky, "C1", "Eva", colours, load_edition("standard"))
    >>> [(name, own.telescope, own.tier, own.bonus) for name, own in phase.items()]
    [('Ana', 0, 1, 3), ('Eva', 2, -2, 0)]
    """
    return score_card(stars_of(sky, players), card, telescope, edition)


def stars_of(sky: Sky, players: Mapping[str, str]) -> dict[str, PlayerStars]:
    """Each player's stars; `players` maps names to colours."""
    closed = sky.closed_to(len(players))
    return {name: PlayerStars(sky, colour, closed) for name, colour in players.items()}


def score_card(
    stars: Mapping[str, PlayerStars], card: str, telescope: str | None, edition: Edition
) -> dict[str, PhaseScore]:
    """`score_phase` for `PlayerStars`, which cache what they form."""
    results = {name: edition.common[card].check(own) for name, own in stars.items()}
    best = max((result.count or 0, result.tie_break) for result in results.values())
    return {
        name: PhaseScore(
            result,
            edition.telescope if name == telescope else 0,
            edition.tiers[result.tier],
            edition.bonus if best[0] and (result.count, result.tie_break) == best else 0,
        )
        for name, result in results.items()
    }


def next_gain(scores: Sequence[PhaseScore], seat: int, edition: Edition) -> tuple[int, int] | None:
    """How many more give a player alone more points, by the next tier or as the greatest count.

    With how many; None on the last tier.
    """
    own = scores[seat].result
    for more in range(own.least_more, (own.to_next or 0) + 1):
        points = with_more(scores, seat, edition, more)
        if points > scores[seat].points:
            return more, points - scores[seat].points
    return None


def with_more(scores: Sequence[PhaseScore], seat: int, edition: Edition, more: int) -> int:
    """The points of a player who alone counts some more, to the next tier at most."""
    own = scores[seat].result
    count = (own.count or 0) + more
    others = [one.result for number, one in enumerate(scores) if number != seat]
    is_most = all((count, own.tie_break) >= (one.count or 0, one.tie_break) for one in others)
    bonus = edition.bonus if is_most else 0
    return scores[seat].telescope + edition.tiers[own.tier + (more == own.to_next)] + bonus
