"""Whether boards that were seen one after the other can lie so in that order, and in which other.

Photographs of a shared table's moments are easily chosen in the wrong order. What speaks against an
order, the game alone knows (`Game.misfits`); here it is weighed, whatever the game.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

from scorer.game import Game, Misfit

TELLING = 1.0
"""The weight from which somebody is asked: less is as likely a mistake of the reading."""
MOST = 6
"""The moments that are looked at in every order; of more there are too many orders."""


def fitting_order(
    game: Game[Any, Any, Any], positions: Sequence[Any], onto_free: bool = True
) -> tuple[int, ...]:
    """At each moment the number of the position that fits there best; None lies where none is.

    The present order, 0, 1, 2 …, where no other one fits tellingly better. Positions stay at the
    moments that have one, unless they may go `onto_free` ones.
    """
    present = tuple(range(len(positions)))
    if len(positions) > MOST:
        return present

    @cache
    def weight(earlier: int, later: int, apart: int) -> float:
        found = game.misfits(positions[earlier], positions[later], apart)
        return sum(one.weight for one in found)

    def misfit(order: Sequence[int]) -> float:
        known = [(at, one) for at, one in enumerate(order) if positions[one] is not None]
        return sum(weight(a, b, later - at) for (at, a), (later, b) in combinations(known, 2))

    def moved(order: Sequence[int]) -> tuple[int, int]:
        """How many go onto free moments, and how many to others at all."""
        known = [(at, one) for at, one in enumerate(order) if positions[one] is not None]
        return sum(positions[at] is None for at, _ in known), sum(at != one for at, one in known)

    orders = [
        order
        for order in permutations(present)
        if onto_free
        or all((positions[at] is None) == (positions[one] is None) for at, one in enumerate(order))
    ]
    best = min(orders, key=lambda order: (misfit(order), moved(order), order))
    return best if misfit(present) - misfit(best) >= TELLING else present


def first_misfit(game: Game[Any, Any, Any], positions: Sequence[Any]) -> tuple[int, Misfit] | None:
    """The first moment that cannot well follow the one before, and what says so; None for none."""
    known = [(at, one) for at, one in enumerate(positions) if one is not None]
    for (at, before), (later, after) in pairwise(known):
        for found in game.misfits(before, after, later - at):
            if found.weight >= TELLING:
                return later, found
    return None
