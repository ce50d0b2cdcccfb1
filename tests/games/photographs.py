"""Photographs of a game's board with pieces on it, seen at an angle on a table."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration import Profile
from calibration.artwork import artwork
from calibration.drawing import Drawing, Mark, Picture, rasterise
from models.synthesis.position import region_spots, regions
from scorer.places import Bar, Place
from vision.rectify import homography, warp

PX_PER_MM = 6
CORNERS = [(260.0, 210.0), (1310.0, 150.0), (1390.0, 960.0), (190.0, 900.0)]


def photographed(profile: Profile, pieces: Mapping[Place, str], seed: int = 0) -> np.ndarray:
    """(1200, 1600, 3) uint8 BGR: the printed board with its tokens, in a lamp's light."""
    marks: list[Mark] = [Picture(profile.require_reference())]
    rng = np.random.default_rng([seed, 1])
    spots = {region: region_spots(rng, profile, region) for region in regions(profile)}
    for place, piece in pieces.items():
        shape = profile.places[place.whole]
        at = spots[place.whole][place.slot] if place.kind == "region" else shape.at
        turn = shape.turn if isinstance(shape, Bar) else 0.0
        marks += artwork(profile.layout.game).draw_token(piece, at, turn)
    return as_photograph(profile, marks, seed)


def as_photograph(profile: Profile, marks: Sequence[Mark], seed: int = 0) -> np.ndarray:
    """The same of a drawing in mm of what is seen of a board."""
    board = rasterise(Drawing(profile.size_mm, tuple(marks)), PX_PER_MM)
    rng = np.random.default_rng(seed)
    table = cv2.resize(rng.integers(50, 90, (30, 40, 3), np.uint8), (1600, 1200))
    to_photo = homography(np.array(CORNERS), profile.size_mm)
    to_photo = to_photo @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
    laid = warp(board, to_photo, (1600, 1200), border=(0, 0, 0))
    outline = np.array(CORNERS).round().astype(np.int32)
    cv2.fillConvexPoly(table, outline, (0, 0, 0))
    picture = np.maximum(table, laid).astype(float)
    lamp = np.linspace(1.0, 0.8, 1600)[None, :, None]
    picture = picture * lamp + rng.normal(0, 2, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)
