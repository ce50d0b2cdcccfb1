"""Positions of pieces as hands place them in a valley: not on each other if there is room."""

import math
from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from calibration import Profile
from scorer.places import Place, Point, inside

_TRIES = 400
_TOUCHING = 1.02
"""The distance between pieces relative to the sum of their radii, if there is room."""
_REACH = 9.0
"""Pieces with a larger radius, in mm, may overlap the rim of their region."""
_CLEAR = 1 / 3
"""Least distance of a centre from the rim in radii, so that its region is unambiguous."""


def lay(
    rng: Random,
    profile: Profile,
    pieces: Mapping[Place, str],
    laid: Mapping[Place, Point] = MappingProxyType({}),
) -> dict[Place, Point]:
    """The centre of each piece in its region, in mm; wholly inside if it fits.

    Pieces already `laid` stay; the others follow, largest first. Without room left, a piece goes
    where it covers the others least.
    """
    sizes = {piece.id: piece.diameter_mm or 0.0 for piece in profile.game.pieces}
    found = {place: at for place, at in laid.items() if place in pieces}
    coming = [place for place in pieces if place not in found]
    for place in sorted(coming, key=lambda one: -sizes[pieces[one]]):
        radius, shape = sizes[pieces[place]] / 2, profile.places[place.whole]
        beside = [
            (found[other], sizes[pieces[other]] / 2)
            for other in found
            if other.whole == place.whole
        ]
        xs, ys = zip(*shape.outline, strict=True)
        best, room = shape.at, -math.inf
        for _ in range(_TRIES):
            at = rng.uniform(min(xs), max(xs)), rng.uniform(min(ys), max(ys))
            if not inside(shape, at, _CLEAR * min(radius, _REACH)):
                continue
            away = (math.dist(at, it) - _TOUCHING * (radius + own) for it, own in beside)
            rim = 0.0 if inside(shape, at, min(radius, _REACH)) else -radius / 2
            if (free := min([0.0, *away]) + rim) > room:
                best, room = at, free
            if room == 0:
                break
        found[place] = best
    return found
