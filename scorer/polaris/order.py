"""What speaks against one sky of a game having come some phases after another."""

from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.game import Inconsistency
from scorer.places import Place
from scorer.polaris.sky import Sky, taken_away
from scorer.polaris.words import say

OVERLOOKED = 4
"""Stars and links that are missing weigh as much as one telling sign: a reading misses some."""


def moons_due(skies: Sequence[tuple[int, Sky]]) -> list[int | None]:
    """Of each sky, with the number of its phase, the sector that its New Moon should face (P57).

    None where it faces that one, or where nobody has said. Which is right, most of them say; of
    equally many the earliest.

    >>> moons_due([(phase, Sky({}, new_moon=one)) for phase, one in enumerate((4, 5, 5, 2), 1)])
    [None, None, 1, None]
    """
    ring = tuple(skies[-1][1].board.sectors)
    began = [  # where in the ring, by each sky
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
    """What cannot be: pieces that are gone (P37), and the New Moon elsewhere.

    The frame turns clockwise by one sector after each phase but the last, and never else (P22,
    P57); in which sector it begins does not matter (P10).

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
