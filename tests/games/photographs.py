"""Photographs of a game's board with pieces on it, seen at an angle on a table."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np

from calibration import Profile
from calibration.artwork import artwork
from calibration.drawing import Drawing, Mark, Picture, rasterise
from models.synthesis.position import region_spots, regions
from scorer.places import Bar, Place, Point
from vision.rectify import homography, warp

PX_PER_MM = 6
SIZE_PX = (1600, 1200)
CORNERS = [(260.0, 210.0), (1310.0, 150.0), (1390.0, 960.0), (190.0, 900.0)]


Slots = Mapping[Place, Sequence[Point]]


def random_slots(profile: Profile, seed: int, pieces: Iterable[Place] = ()) -> Slots:
    """Where the pieces of each region lie, in mm; closer together where these would not fit."""
    rng, held = np.random.default_rng([seed, 1]), Counter(place.whole for place in pieces)
    return {
        region: region_spots(rng, profile, region, held[region.whole])
        for region in regions(profile)
    }


def spots_of(profile: Profile, slots: Slots) -> Callable[[Place], Point]:
    """Where a piece lies in mm: in the middle of its place, or on a slot of its region."""
    return lambda place: (
        slots[place.whole][place.slot] if place.kind == "region" else profile.places[place].at
    )


def photographed(
    profile: Profile,
    pieces: Mapping[Place, str],
    seed: int = 0,
    spots: Callable[[Place], Point] | None = None,
) -> np.ndarray:
    """(1200, 1600, 3) uint8 BGR: the printed board with its tokens, in a lamp's light.

    `spots` says where they lie, in mm; left out, the slots of regions are random.
    """
    marks: list[Mark] = [Picture(profile.require_reference())]
    spots = spots or spots_of(profile, random_slots(profile, seed, pieces))
    for place, piece in pieces.items():
        shape = profile.places[place.whole]
        turn = shape.turn if isinstance(shape, Bar) else 0.0
        marks += artwork(profile.layout.game).draw_token(piece, spots(place), turn)
    return as_photograph(profile, marks, seed)


@lru_cache(2)
def table_and_noise(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """What a board of this seed lies on, and the noise of the camera: half of a picture's time."""
    rng = np.random.default_rng(seed)
    table = cv2.resize(rng.integers(50, 90, (30, 40, 3), np.uint8), SIZE_PX)
    return table, rng.normal(0, 2, table.shape)


def as_photograph(profile: Profile, marks: Sequence[Mark], seed: int = 0) -> np.ndarray:
    """The same of a drawing in mm of what is seen of a board."""
    board = rasterise(Drawing(profile.size_mm, tuple(marks)), PX_PER_MM)
    table, noise = table_and_noise(seed)
    to_photo = homography(np.array(CORNERS), profile.size_mm)
    to_photo = to_photo @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    laid = warp(board, to_photo, SIZE_PX, border=(0, 0, 0))
    outline = np.array(CORNERS).round().astype(np.int32)
    around = cv2.fillConvexPoly(table.copy(), outline, (0, 0, 0))
    picture = np.maximum(around, laid) * np.linspace(1.0, 0.8, SIZE_PX[0])[None, :, None] + noise
    return np.clip(picture, 0, 255).astype(np.uint8)
