"""A table's plane by what lies on it, and how it looks from above."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.laid_cards import SIDE, WINDOW, picture
from vision.card_features import features_of
from vision.card_geometry import sides_of
from vision.card_pictures import CardPicture, DeckPictures
from vision.card_search import CardSearch
from vision.rectify import transform
from vision.table_plane import fit_plane, top_view

SIZE = 1600, 1200
ASPECT = 170 / 120
CARD = np.array([[0, 0], [1, 0], [1, ASPECT], [0, ASPECT]])


def from_low_down(tilt: float) -> np.ndarray:
    """(3, 3) from widths of a card to px, for a camera tilted by radians."""
    camera = np.array([[1400.0, 0, 800], [0, 1400, 600], [0, 0, 1]])
    sin, cos = np.sin(tilt), np.cos(tilt)
    return camera @ np.array([[1, 0, 0], [0, cos, 0], [0, -sin, 14.0]])


def at(x: float, y: float, turn: float = 0.0) -> np.ndarray:
    """(4, 2) the corners of a card in widths of it."""
    cos, sin = np.cos(turn), np.sin(turn)
    return (CARD - CARD.mean(axis=0)) @ np.array([[cos, sin], [-sin, cos]]) + (x, y)


LAID = [at(-4, 3, 0.3), at(0, 3.5, 2.0), at(4, 3, 1.2), at(-5, -4), at(1, -5, 4.0), at(5, -3, 0.1)]


@pytest.mark.parametrize("tilt", [0.0, 0.6, 1.0])
def test_a_plane_is_fitted_to_cards_and_boards_though_one_is_misplaced(tilt: float) -> None:
    seen = [transform(from_low_down(tilt), own) for own in LAID]
    board = transform(from_low_down(tilt), 3 * at(-0.5, 0, 0.1))
    wrong = seen[2] * (1, 0.8)
    for cards, boards in (([*seen[:2], wrong, *seen[3:]], []), (seen[:1], [board])):
        to_table = fit_plane(SIZE, cards, ASPECT, boards)
        each = np.array([sides_of(transform(to_table, own)) for own in seen])
        assert np.abs(each / (1, ASPECT) - 1).max() < 0.03


def test_far_cards_are_as_large_as_near_ones_in_a_view_from_above() -> None:
    to_image = from_low_down(1.0)
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for own in LAID:
        cv2.fillConvexPoly(image, np.rint(transform(to_image, own)).astype(np.int32), (255,) * 3)
    seen = [transform(to_image, own) for own in LAID]
    view, to_view = top_view(image, np.linalg.inv(to_image), seen, 50.0)
    areas = [cv2.contourArea(transform(to_view, own).astype(np.float32)) for own in seen]
    assert np.allclose(areas, 50**2 * ASPECT)
    assert abs(np.count_nonzero(view[..., 0] > 127) / sum(areas) - 1) < 0.1

    far = transform(to_image, at(0, -7) * (20, 1))
    view, to_view = top_view(image, np.linalg.inv(to_image), [*seen, far], 2000.0)
    assert view[..., 0].size < 6e6
    assert top_view(image[:2, :2], np.eye(3) / 5, [CARD], 50.0)[0].size


def far_cards(tilt: float) -> np.ndarray:
    """Cards as pale as the table, turned in all ways, seen from low down."""
    image = np.full((SIZE[1], SIZE[0], 3), 232, np.uint8)
    for seed, own in enumerate(LAID):
        card = np.full((170, 120, 3), 240, np.uint8)
        card[14 : 14 + SIDE, 12 : 12 + SIDE] = picture(seed)
        corners = np.array([[0, 0], [120, 0], [120, 170], [0, 170]], np.float32) - 0.5
        onto = transform(from_low_down(tilt), own).astype(np.float32)
        way = cv2.getPerspectiveTransform(corners, onto)
        cv2.warpPerspective(card, way, SIZE, image, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    soft = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0))
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def test_far_cards_are_found_on_the_table_from_above_and_details_dropped() -> None:
    tilt = 1.1
    image = far_cards(tilt)
    pictures = [CardPicture(f"C{seed}", picture(seed)) for seed in range(12)]
    search = CardSearch(image, DeckPictures(pictures), [WINDOW], [])
    search.by_outlines(features_of(image))
    near = [one for one in search.found if one.likeliest in (0, 1, 2, 5)]
    middle = transform(from_low_down(tilt), np.array([[3.0, 0.0]]))
    corners = near[0].corners - near[0].corners.mean(axis=0)
    detail = replace(near[0], corners=corners / 3 + middle, shares={9: 0.5}, detail=0.4)
    search.found = [*near, detail]
    search.from_above()
    assert sorted(one.likeliest for one in search.found) == [*range(6)]
