"""Whether pieces lie on a board whose empty picture is not known yet."""

import cv2
import numpy as np
import pytest

from calibration import board_corners, load_profile
from models.nebula.random_edition import random_edition
from vision import load_models, occupied_spaces

SCALE = 4  # px a mm


@pytest.fixture(scope="module")
def edition():
    """An edition with artwork of its own, on the standard board's spaces."""
    return random_edition(np.random.default_rng(4), load_profile("standard"), "other")


def corners(profile) -> np.ndarray:
    return board_corners(profile.size_mm) * SCALE


def test_an_empty_board_is_empty(edition):
    detector = load_models("nebula").detector
    for profile in load_profile("standard"), edition:
        picture = profile.require_reference()
        assert occupied_spaces(picture, corners(profile), profile.layout, detector) == ()


def test_pieces_are_seen_where_they_lie(edition):
    picture = edition.require_reference().copy()
    on = ("core", "ar2", "ta4", "ge5", "ca6")
    for name, colour in zip(on, ("red", "blue", "yellow", "orange", "white"), strict=True):
        shape, piece = edition.spaces[name], {p.id: p for p in edition.game.pieces}[colour]
        blue, green, red = (int(piece.colour[i : i + 2], 16) for i in (5, 3, 1))
        turns = np.arange(12) * np.pi / 6
        reach = np.where(np.arange(12) % 2, 0.55, 1.05) * shape.radius
        rim = np.array(shape.at) + reach[:, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        star = (rim * SCALE).astype(np.int32)
        cv2.fillPoly(picture, [star + 5], (20, 20, 20))
        cv2.fillPoly(picture, [star], (blue, green, red))
    found = occupied_spaces(
        picture, corners(edition), edition.layout, load_models("nebula").detector
    )
    assert set(found) <= set(on) and len(found) >= 3
