"""Evidence that one sky of a game cannot have followed another."""

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.game import Inconsistency
from scorer.places import Place
from scorer.polaris.sky import Sky, taken_away
from scorer.polaris.words import say

OVERLOOKED = 4
"""Missing stars and links that weigh as much as one clear sign, as readings miss some."""


def moons_due(skies: Sequence[tuple[int, Sky]]) -> list[int | None]:
    """The sector that each sky's New Moon should face (P57), given the numbers of their phases.

    None if it does, or is unknown. The majority of skies decides, the earliest in case of a tie.

    >>> moons_due([(phase, Sky({}, new_moon=one)) for phase, one in enumerate((4, 5, 5, 2), 1)])
    [None, None, 1, None]
    """
    ring = tuple(skies[-1][1].board.sectors)
    began = [  # index in the ring before the first phase, by sky
        None if sky.new_moon is None else (ring.index(sky.new_moon) - phase) % len(ring)
        for phase, sky in skies
    ]
    votes = Counter(place for place in began if place is not None).most_common(1)
    right = votes[0][0] if votes else None
    return [
        None if right is None or place in (None, right) else ring[(right + phase) % len(ring)]
        for place, (phase, _) in zip(began, skies, strict=True)
    ]


def inconsistencies(earlier: Sky, later: Sky, apart: int) -> Iterator[Inconsistency]:
    """Impossible changes: missing pieces (P37), and a New Moon in the wrong sector.

    The frame turns clockwise by one sector after each phase but the last, and at no other time
    (P22, P57); in which sector it starts does not matter (P10).

    >>> first, second = Sky({"1a1": "red"}, new_moon=5), Sky({"1a1": "red"}, new_moon=1)
    >>> list(inconsistencies(first, second, 1))
    []
    >>> [str(one.reason) for one in inconsistencies(second, first, 1)]
    ['the New Moon faces sector 5, and it should face sector 2 by now']
    """
    for gone in taken_away(earlier, later):
        count = len(gone.places)
        yield Inconsistency(say("lay_before", count=count), count / OVERLOOKED, broken=gone)
    if earlier.new_moon is not None and later.new_moon is not None:
        due = later.board.sector_after(earlier.new_moon, apart)
        if later.new_moon != due:
            reason = say("moon_elsewhere", sector=later.new_moon, due=due)
            yield Inconsistency(reason, instead=(Place(str(due), "dial"), "new_moon"))
