"""What speaks against one sky of a game having come some phases after another."""

from collections.abc import Iterator

from scorer.game import Misfit
from scorer.places import Place
from scorer.polaris.sky import Sky, taken_away
from scorer.polaris.words import say

OVERLOOKED = 4
"""Stars and links that are missing weigh as much as one telling sign: a reading misses some."""


def misfits(earlier: Sky, later: Sky, apart: int) -> Iterator[Misfit]:
    """What cannot be: pieces that are gone (P37), and the New Moon elsewhere.

    The frame turns clockwise by one sector after each phase but the last, and never else (P22,
    P57); in which sector it begins does not matter (P10).

    >>> first, second = Sky({"1a1": "red"}, new_moon=5), Sky({"1a1": "red"}, new_moon=1)
    >>> list(misfits(first, second, 1)), [str(one.reason) for one in misfits(second, first, 1)]
    ([], ['the New Moon faces sector 5, and it should face sector 2 by now'])
    """
    for gone in taken_away(earlier, later):
        count = len(gone.places)
        yield Misfit(say("lay_before", count=count), count / OVERLOOKED)
    if earlier.new_moon is not None and later.new_moon is not None:
        ring = tuple(later.board.sectors)
        due = ring[(ring.index(earlier.new_moon) + apart) % len(ring)]
        if later.new_moon != due:
            reason = say("moon_elsewhere", sector=later.new_moon, due=due)
            yield Misfit(reason, instead=(Place(str(due), "region"), "new_moon"))
