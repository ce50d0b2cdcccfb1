"""What lies on a board, and what a hand puts there next, for a game of which nothing is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeVar

import numpy as np

from calibration import Profile
from models.synthesis.texture import Rng
from scorer.places import Place, Point, in_region, inside

MISPLACED = 0.015
"""How many pieces lie where they do not belong."""
OUT_OF_ORDER = 0.08
"""How many tracks are not filled from their beginning."""
MISTAKEN = 0.06
"""How many placements break a rule, once a few pieces lie there."""
REPLACED = 0.08
"""How many pieces are put in place of others while there are free places."""
_TRIES = 60
"""Placements to look at for a legal one."""
_CLOSER = 1.06, 0.8, 0.6, 0.4
"""How far apart pieces of a region lie, in diameters of the widest, the more of them the less."""

T = TypeVar("T")


@dataclass(frozen=True)
class Placement:
    """A piece that a hand puts on a place; a ``mistake`` is taken back later.

    Onto a track it goes onto the first free slot, whichever one ``place`` is.
    """

    place: Place
    piece: str
    mistake: bool = False


def pick(rng: Rng, among: Sequence[T]) -> T:
    """One of them; all are as likely."""
    return among[int(rng.integers(len(among)))]


def single_places(profile: Profile) -> tuple[Place, ...]:
    """The places that hold one piece: all but tracks' slots and regions."""
    return tuple(place for place in profile.places if place.kind not in ("track", "region"))


def regions(profile: Profile) -> tuple[Place, ...]:
    """The places that hold any number of pieces."""
    return tuple(place for place in profile.places if place.kind == "region")


def region_spots(rng: Rng, profile: Profile, region: Place, wanted: int = 0) -> list[Point]:
    """Where pieces lie in a region that is full, in mm: at random, wholly in it, none on another.

    The first of them are where fewer pieces lie: the nth is that of slot n. Where more are `wanted`
    than have room so, they lie closer.
    """
    shape = profile.places[region.whole]
    game = profile.game
    wide = max(piece.diameter_mm for piece in game.pieces if piece.id in game.admits(region))
    low, high = (np.array(shape.outline).min(axis=0), np.array(shape.outline).max(axis=0))
    spots: list[Point] = []
    for closer in _CLOSER:
        for x, y in rng.uniform(low, high, (_TRIES * 10, 2)).tolist():
            apart = all(np.hypot(x - a, y - b) > closer * wide for a, b in spots)
            if apart and inside(shape, (x, y), 0.55 * wide):
                spots.append((x, y))
        if len(spots) >= wanted:
            break
    return spots or [shape.at]


def random_position(rng: Rng, profile: Profile) -> Iterator[tuple[Place, str]]:
    """Any pieces on any places that admit them, now and then on one that does not.

    Tracks are filled from their beginning, with few exceptions; regions hold up to so many pieces
    as they have room for. Each piece is drawn when it is asked for.
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


def random_placement(rng: Rng, profile: Profile, present: Mapping[Place, str]) -> Placement | None:
    """A piece on a free place, now and then in place of another; mostly as the rules have it.

    None where there is nothing to put that the rules allow.
    """
    game = profile.game

    def broken(pieces: Mapping[Place, str]) -> int:
        return len(game.rule_breaks(game.position(profile.board, pieces)))

    before = broken(present)
    mistaken = len(present) > 3 and rng.random() < MISTAKEN
    single = [place for place in single_places(profile) if game.admits(place)]
    tracks = (landing(Place(track, "track"), present) for track in profile.tracks)
    free = [place for place in single if place not in present]
    free += [slot for slot in tracks if slot in profile.places]
    slots = (landing(region, present) for region in regions(profile))
    free += [slot for slot in slots if slot.slot < room(profile, slot)]
    if rng.random() < REPLACED:
        free = []
    legal = None
    for among in filter(None, (free, single)):
        for _ in range(_TRIES):
            place = pick(rng, among)
            piece = pick(rng, game.admits(place))
            if present.get(place) == piece:
                continue
            placement = Placement(place, piece, broken({**present, place: piece}) > before)
            if placement.mistake == mistaken:
                return placement
            legal = legal if placement.mistake else placement
    return legal


def landing(place: Place, pieces: Mapping[Place, str]) -> Place:
    """Where a piece that is put on a place comes to lie: the first free slot of a track or region.

    >>> landing(Place("row", "track"), {Place("row", "track", 0): "red"})
    Place(id='row', kind='track', slot=1)
    """
    if place.kind not in ("track", "region"):
        return place
    slots = (replace(place, slot=number) for number in count())
    return next(slot for slot in slots if slot not in pieces)
