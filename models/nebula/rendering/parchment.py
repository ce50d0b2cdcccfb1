"""An edition to measure generalisation on: dark ink on parchment, the galaxy turned by 30 degrees.

Same game and topology as the standard board, and nothing of its artwork. Never train on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from calibration import Profile
from calibration.drawing import (
    Drawing,
    Fill,
    Mark,
    Picture,
    Stroke,
    circle,
    dashes,
    disc,
    moved,
    polar,
    ring,
    rounded_box,
    star,
)
from calibration.lettering import lettering
from calibration.nebula.symbols import symbol
from scorer.nebula import BLACK, CONSTELLATIONS
from scorer.places import Circle, Place

TURN = 30.0
INK = "#4a3424"
FADED = "#8a6f52"
PALE = "#efe2c4"
TINTS = dict(zip(CONSTELLATIONS, ("#d9906f", "#93ad74", "#b394b4", "#84a9b8"), strict=True))


def parchment_profile(standard: Profile) -> Profile:
    """The standard board's layout with its galaxy turned counter-clockwise about the core."""
    core = standard.spaces[standard.board.core].at
    places = dict(standard.places)
    for name, space in standard.spaces.items():
        off = space.at[0] - core[0], space.at[1] - core[1]
        (((x, y),),) = moved([[off]], core, turn=-TURN)
        places[Place(name)] = Circle((round(x, 2), round(y, 2)), space.radius)
    layout = replace(standard.layout, title="Parchment edition", places=places)
    return Profile("parchment", layout)


def draw_parchment(profile: Profile) -> Drawing:
    """The whole board."""
    return Drawing(profile.size_mm, tuple(_marks(profile)))


def _marks(profile: Profile) -> Iterator[Mark]:
    width, height = profile.size_mm
    yield Picture(_paper(round(width * 6), round(height * 6)))
    for inset, pen in ((3.5, 1.1), (5.6, 0.35)):
        yield Stroke((rounded_box(inset, inset, width - inset, height - inset, 2),), INK, pen)
    yield from _galaxy(profile)
    yield from _track(profile)
    yield lettering("CARTA STELLARUM", (width / 2, 40), 4.2, INK)
    for x in (15.0, width - 15):
        yield Fill((*moved((star((0, 0), 8, 7, 2.4),), (x, height - 15)),), FADED)


def _galaxy(profile: Profile) -> Iterator[Mark]:
    board, spaces = profile.board, profile.spaces
    core = spaces[board.core].at
    for orbit in board.orbits.values():
        yield ring(core, math.dist(core, spaces[orbit[0]].at), FADED, 0.4)
    for degrees in range(0, 360, 5):
        reach = 93.0 if degrees % 15 else 94.5
        line = polar(core, 91.0, degrees), polar(core, reach, degrees)
        yield Stroke((line,), FADED, 0.35)
    for link in board.links:
        line = (spaces[link.a].at, spaces[link.b].at)
        if link.kind == "direct":
            yield Stroke((line,), INK, 1.2)
        elif link.kind == "indirect":
            yield Stroke(dashes(line, 2.6, 2.0), "#8c2f22", 1.0)
    for name, space in spaces.items():
        home = next((c for c, members in board.constellations.items() if name in members), None)
        if name in board.highlighted:
            yield Fill((star(space.at, 16, space.radius + 3.2, space.radius + 0.6),), "#b8862f")
        yield disc(space.at, space.radius, TINTS[home] if home else PALE)
        yield ring(space.at, space.radius - 0.4, INK, 0.8)
        yield ring(space.at, space.radius - 1.6, INK, 0.25)
        if home:
            yield symbol(home, space.at, 3.6, INK, 0.7)
        else:
            yield Fill((star(space.at, 12, 5.6, 3.2),), "#b8862f")


def _track(profile: Profile) -> Iterator[Mark]:
    for slot, points in zip(profile.tracks[BLACK], profile.board.track.points, strict=True):
        yield Fill((circle(slot.at, slot.radius),), PALE)
        yield ring(slot.at, slot.radius - 0.4, INK, 0.8)
        yield lettering(str(points), slot.at, 5.0, INK)


def _paper(width: int, height: int) -> np.ndarray:
    """Parchment: blotches, fibres, darker towards its edges."""
    rng = np.random.default_rng(7)

    def blotches(cells: int) -> np.ndarray:
        coarse = rng.random((cells * height // width, cells)).astype(np.float32)
        return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)

    shade = 0.5 * blotches(5) + 0.3 * blotches(17) + 0.2 * blotches(90)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    edge = np.maximum(abs(2 * x / width - 1), abs(2 * y / height - 1)) ** 6
    age = np.clip(0.75 * shade + 0.55 * edge, 0, 1)[..., None]
    fresh, old = np.array([190, 220, 238], np.float32), np.array([118, 164, 201], np.float32)
    return np.asarray(np.clip(fresh + (old - fresh) * age, 0, 255), np.uint8)
