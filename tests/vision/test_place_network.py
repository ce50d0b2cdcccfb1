"""The network that classifies places, asked about invented patches."""

import cv2
import numpy as np
import pytest

from calibration.colour_profile import ColourProfile
from scorer.places import Bar, Circle, Shape
from scorer.table import Piece
from vision.place_network import join_patches, place_odds
from vision.place_patches import PATCH_PX, patch_masks


@pytest.mark.parametrize("game", ["any_game", "polaris"])
def test_a_kind_that_lies_on_spots_and_on_edges_is_seen_on_both(game: str) -> None:
    kinds = [
        Piece(name, colour, 20, frozenset({"spot", "edge"}))
        for name, colour in (("red", "#c8102e"), ("blue", "#1f2a5a"))
    ]
    shapes: list[Shape] = [Circle((0, 0), 9), Bar((0, 0), (25, 8), 0)]
    on = patch_masks([shape for shape in shapes for _ in range(3)])
    print_ = np.full((6, PATCH_PX, PATCH_PX, 3), (170, 215, 230), np.uint8)
    photo = print_.copy()
    for row, bgr in ((0, (46, 16, 200)), (1, (90, 42, 31)), (3, (46, 16, 200)), (4, (90, 42, 31))):
        photo[row][cv2.erode(on[row], np.ones((3, 3), np.uint8)) > 0] = bgr
    patches = join_patches(photo, photo.max(axis=3), print_, on)
    odds = place_odds(game, patches, np.arange(6) >= 3, kinds, ColourProfile())
    assert odds[:, :-1].argmax(axis=1).tolist() == [0, 1, 2, 0, 1, 2]


def test_a_kind_has_no_chance_where_it_does_not_lie() -> None:
    on_edges = Piece("red", "#c8102e", 20, frozenset({"edge"}))
    shapes: list[Shape] = [Circle((0, 0), 9), Bar((0, 0), (25, 8), 0)]
    on = patch_masks(shapes)
    photo = np.full((2, PATCH_PX, PATCH_PX, 3), (46, 16, 200), np.uint8)
    patches = join_patches(photo, photo.max(axis=3), np.full_like(photo, 210), on)
    odds = place_odds("any_game", patches, np.array([False, True]), [on_edges], ColourProfile())
    chances = np.exp(odds - np.logaddexp.reduce(odds, axis=1, keepdims=True))
    assert np.isfinite(chances).all()
    assert chances[0, 0] == 0 < chances[1, 0]
