"""Random positions for any game."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TypeVar

import numpy as np

from calibration import Profile
from models.synthesis.texture import Rng
from scorer.places import Place, Point, in_region, inside

MISPLACED = 0.015
"""The share of pieces on places that do not admit them."""
OUT_OF_ORDER = 0.08
"""The share of tracks that are not filled from their beginning."""
_SPOTS = 600
"""The number of random spots tried in a region."""
_CLOSER = 1.06, 0.8, 0.6, 0.4
"""Distances between the pieces of a region, in diameters of the widest, tried in order."""

T = TypeVar("T")


def pick(rng: Rng, among: Sequence[T]) -> T:
    """A random element, all equally likely."""
    return among[int(rng.integers(len(among)))]


def single_places(profile: Profile) -> tuple[Place, ...]:
    """The places for a single piece: all but the slots of tracks and regions."""
    return tuple(place for place in profile.places if place.kind not in ("track", "region"))


def regions(profile: Profile) -> tuple[Place, ...]:
    return tuple(place for place in profile.places if place.kind == "region")


def region_spots(rng: Rng, profile: Profile, region: Place, wanted: int = 0) -> list[Point]:
    """Random positions that fill a region, in mm: inside it and not overlapping.

    The nth position is that of slot n. They are closer together if more are `wanted` than fit.
    """
    shape = profile.places[region.whole]
    game = profile.game
    wide = max(piece.diameter_mm for piece in game.pieces if piece.id in game.admits(region))
    low, high = (np.array(shape.outline).min(axis=0), np.array(shape.outline).max(axis=0))
    spots: list[Point] = []
    for closer in _CLOSER:
        for x, y in rng.uniform(low, high, (_SPOTS, 2)).tolist():
            apart = all(np.hypot(x - a, y - b) > closer * wide for a, b in spots)
            if apart and inside(shape, (x, y), 0.55 * wide):
                spots.append((x, y))
        if len(spots) >= wanted:
            break
    return spots or [shape.at]


def random_position(rng: Rng, profile: Profile) -> Iterator[tuple[Place, str]]:
    """Random pieces on places that admit them, and rarely on one that does not.

    Tracks are filled from their beginning, with few exceptions; regions hold at most as many pieces
    as fit. Each piece is drawn when the iterator gets to it.
    """
    game, places = profile.game, single_places(profile)
    fewest = 0 if rng.random() < 0.5 else len(places) * 3 // 5
    filled = rng.permutation(len(places))[: int(rng.integers(fewest, len(places) + 1))]
    admitted = {place: game.admits(place) for place in places}
    favour = {
        pieces: rng.dirichlet(np.full(len(pieces), rng.uniform(0.6, 5)))
        for pieces in dict.fromkeys(admitted.values())
        if pieces
    }
    for number in filled:
        place = places[number]
        pieces = admitted[place]
        strange = [piece.id for piece in game.pieces if piece.id not in pieces]
        if strange and rng.random() < MISPLACED:
            yield place, pick(rng, strange)
        elif pieces:
            yield place, str(rng.choice(pieces, p=favour[pieces]))
    for track, slots in profile.tracks.items():
        many = int(rng.integers(0, len(slots) + 1))
        used = rng.permutation(len(slots)) if rng.random() < OUT_OF_ORDER else range(many)
        for number in used[:many]:
            slot = Place(track, "track", int(number))
            yield slot, pick(rng, game.admits(slot))
    for region in regions(profile):
        many = int(rng.integers(0, room(profile, region) + 1))
        drawn = rng.choice(game.admits(region), many)
        yield from in_region(region.id, Counter(str(piece) for piece in drawn)).items()


def room(profile: Profile, region: Place) -> int:
    """How many pieces a region holds side by side, loosely."""
    return len(region_spots(np.random.default_rng(0), profile, region)) * 3 // 4 or 1


def landing(place: Place, pieces: Mapping[Place, str]) -> Place:
    """Where a piece put on a place ends up: on the first free slot of a track or region.

    >>> landing(Place("row", "track"), {Place("row", "track", 0): "red"})
    Place(id='row', kind='track', slot=1)
    """
    if place.kind not in ("track", "region"):
        return place
    slots = (replace(place, slot=number) for number in count())
    return next(slot for slot in slots if slot not in pieces)
