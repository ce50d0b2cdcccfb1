"""Corners and outlines of cards, and how large cards are where they lie."""

import tracemalloc
from unittest.mock import Mock

import cv2
import numpy as np
import pytest

from tests.conftest import in_ci
from tests.vision.laid_cards import WINDOW, card_at, on_white
from vision import card_corners
from vision.card_corners import corner_outlines, line_segments
from vision.card_geometry import contains, corner_distance, corner_distances
from vision.card_pictures import CardPicture
from vision.cards import UNCERTAIN_BELOW, Deck
from vision.outlines import find_outlines


def test_a_card_seen_from_low_down_has_an_outline() -> None:
    seen = np.array([[200, 60], [350, 160], [220, 260], [70, 130]])
    image = cv2.fillConvexPoly(np.full((600, 800, 3), 60, np.uint8), seen, (240, 240, 240))
    turned = [np.roll(seen, turn, axis=0) for turn in range(4)]
    assert any(np.abs(own - one).max() < 4 for own in find_outlines(image) for one in turned)


@in_ci
def test_overlapping_white_cards_are_found_by_their_corners() -> None:
    image = np.full((700, 900, 3), (90, 120, 140), np.uint8)
    apart = {0: (40, 40), 1: (220, 40), 2: (400, 40), 3: (580, 40)}
    heap = {4: (120, 300), 5: (225, 360), 6: (330, 330), 7: (440, 400)}
    for seed, at in (apart | heap).items():
        card_at(image, seed, *at)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.0), np.uint8)
    corners = {
        seed: np.array([[x, y], [x + 120, y], [x + 120, y + 170], [x, y + 170]], float)
        for seed, (x, y) in (apart | heap).items()
    }
    outlines = find_outlines(image)
    assert all(corner_distance(corners[4], own) > 12 for own in outlines), "not by its outline"
    known = [corners[seed] for seed in apart]
    near = corner_outlines(line_segments(image), known, 170 / 120)
    assert all(min(corner_distance(corners[one], own) for own in near) < 8 for one in heap)
    off = (corner_distances(own, np.array(near[:n])) for n, own in enumerate(near) if n)
    assert all(distances.min() > 5 for distances in off), "no two are nearly the same"
    assert any(contains(own, one.mean(axis=0)) for one in near for own in known)
    beside = corner_outlines(line_segments(image), known, 170 / 120, known)
    assert not any(contains(own, one.mean(axis=0)) for one in beside for own in known)
    assert all(min(corner_distance(corners[one], own) for own in beside) < 8 for one in heap)
    assert corner_outlines(line_segments(image), [], 170 / 120) == []
    deck = Deck((CardPicture(f"C{seed}", on_white(seed)) for seed in range(12)), [WINDOW])
    found = deck.find(image)
    sure = sorted(card.card for card in found if card.confidence >= UNCERTAIN_BELOW)
    assert sure == [f"C{seed}" for seed in range(8)]


@pytest.mark.parametrize("top", [395, 470, 900])
def test_edges_are_found_once_and_whole_where_a_picture_is_searched_in_parts(top: int) -> None:
    image = np.full((1000, 300, 3), 80, np.uint8)
    image[top : top + 70, 100:200] = 240
    sides = np.diff(line_segments(image), axis=1)[:, 0]
    assert sorted(np.linalg.norm(sides, axis=1)) == pytest.approx([70, 70, 100, 100], abs=4)


def test_the_number_of_outlines_on_a_checked_tablecloth_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands of its corners may be a card's."""
    y, x = np.indices((600, 800))
    checked = ((x // 30 + y // 30) % 2)[..., None]
    cloth = np.where(checked, (90, 90, 160), (200, 200, 200)).astype(np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(cloth, (0, 0), 1.0))
    known = np.array([[100.0, 100], [150, 100], [150, 170], [100, 170]])
    compared = Mock(wraps=corner_distances)
    monkeypatch.setattr("vision.card_corners.corner_distances", compared)
    found = corner_outlines(line_segments(blurred), [known], 1.4)
    assert len(found) == 400 and compared.call_count < 400


def white(shape: np.ndarray, width: int = 400) -> np.ndarray:
    image = np.full((300, width, 3), (90, 120, 140), np.uint8)
    cv2.fillPoly(image, [shape.astype(np.int32)], (245, 245, 245))
    return image


def test_long_edges_that_meet_at_a_right_angle_are_a_corner_of_a_card() -> None:
    square = np.array([[100.0, 100], [200, 100], [200, 200], [100, 200]])
    rhombus = np.array([[150.0, 113], [250, 113], [200, 200], [100, 200]])
    known = [square + np.array([150, -80])]
    assert corner_outlines(line_segments(white(square)), known, 1.0)
    assert not corner_outlines(line_segments(white(rhombus)), known, 1.0)
    assert not corner_outlines(line_segments(white(100 + (square - 100) / 5)), known, 1.0)


def test_cards_nearer_to_the_camera_are_larger() -> None:
    def card(x: float) -> np.ndarray:
        side = 60 + x / 20
        return np.array([[x, 50], [x + side, 50], [x + side, 50 + side], [x, 50 + side]])

    known, near = [card(x) for x in range(0, 1200, 150)], card(1300.0)
    image = white(near, 1500)
    found = corner_outlines(line_segments(image), known, 1.0)
    assert min(corner_distance(near, one) for one in found) < 12
    assert not corner_outlines(line_segments(image), known[:1], 1.0)


def test_no_length_vanishes_far_from_cards_of_varying_shape() -> None:
    square = np.array([[0.0, 0], [60, 0], [60, 60], [0, 60]])
    cards = [
        square @ np.array([[1, 0], [by, 1]]) + np.array([200 * n, 100 * (n % 2)])
        for n, by in enumerate((0, 0.3, 0.6, 0.9, 1.2))
    ]
    table = card_corners.TableMetric(np.array(cards), 1.0)
    points = np.mgrid[-1500:2501:500, -1500:2501:500].reshape(2, -1).T
    falling = np.full(points.shape, (1.0, -1.0))
    assert (table.length(points, falling) > 0).all()


def test_pairs_of_many_ends_are_compared_in_little_memory() -> None:
    points = np.random.default_rng(2).uniform((0, 0), (4, 10000), (2500, 2))
    tracemalloc.start()
    pairs = card_corners._close_pairs(points, 5.0)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    apart = np.abs(points[:, None] - points).max(axis=2)
    assert {*zip(*map(np.ndarray.tolist, pairs), strict=True)} == {
        *map(tuple, np.argwhere(apart < 5.0).tolist())
    }
    assert peak < 100e6
