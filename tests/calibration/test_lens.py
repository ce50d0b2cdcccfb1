"""A lens that bends straight lines is seen by a board's sides, and the bend is taken out."""

import cv2
import numpy as np
import pytest

from calibration import Profile
from calibration.edges import extend_sides, snap_corners
from calibration.lens import distort_points, straighten_sides, undistort, undistort_points
from tests.calibration.tables import on_a_table

SIZE = (900, 1000)
CORNERS = np.array([[150.0, 120.0], [760.0, 150.0], [800.0, 860.0], [100.0, 820.0]])
BEND = -0.06


@pytest.fixture(scope="module")
def ideal(standard: Profile) -> np.ndarray:
    return on_a_table(standard.require_reference(), CORNERS, SIZE)


@pytest.fixture(scope="module")
def bent(ideal: np.ndarray) -> np.ndarray:
    """The photograph as a lens with that distortion takes it."""
    grid = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1)
    x, y = np.moveaxis(undistort_points(grid, BEND, SIZE).astype(np.float32), -1, 0)
    return cv2.remap(ideal, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def test_points_go_there_and_back() -> None:
    points = np.random.default_rng(0).uniform(0, 900, (50, 2))
    for bend in (-0.1, 0.0, 0.08):
        there = undistort_points(points, bend, SIZE)
        assert distort_points(there, bend, SIZE) == pytest.approx(points, abs=1e-6)


def test_a_bent_photograph_is_straightened(bent: np.ndarray, ideal: np.ndarray) -> None:
    """From corners that are some px off; a snapped outline alone would not fit a bent side."""
    given = distort_points(CORNERS, BEND, SIZE) + np.array([[5, -4], [-5, 3], [4, 5], [-3, -4.0]])
    sides = straighten_sides(bent, given, (0.025, 0.012))
    assert sides.distortion == pytest.approx(BEND, abs=0.006)
    assert np.abs(sides.corners - undistort_points(distort_points(CORNERS, BEND, SIZE),
                                                   sides.distortion, SIZE)).max() < 1.0  # fmt: skip
    inside = np.s_[300:700, 300:600]
    off = cv2.absdiff(sides.photo[inside], ideal[inside]).mean()
    assert off < 0.6 * cv2.absdiff(bent[inside], ideal[inside]).mean()


def test_corners_that_are_believed_only_go_where_the_lens_has_them(bent: np.ndarray) -> None:
    given = distort_points(CORNERS, BEND, SIZE)
    sides = straighten_sides(bent, given, None)
    assert distort_points(sides.corners, sides.distortion, SIZE) == pytest.approx(given, abs=0.01)
    assert sides.distortion == pytest.approx(BEND, abs=0.01)


def test_a_straight_photograph_is_left_alone(ideal: np.ndarray) -> None:
    sides = straighten_sides(ideal, CORNERS, (0.012,))
    assert sides.distortion == 0 and sides.photo is ideal
    assert undistort(ideal, 0.0) is ideal


def table_with_board(frame: int) -> np.ndarray:
    """A dark board with a pale frame `frame` px inside of its edge, and its shadow beside it."""
    picture = np.full((700, 600, 3), (140, 150, 160), np.uint8)
    cv2.rectangle(picture, (112, 107), (512, 607), (98, 106, 112), -1)  # the shadow
    cv2.rectangle(picture, (100, 100), (500, 600), (98, 84, 90), -1)
    cv2.rectangle(picture, (100 + frame, 100 + frame), (500 - frame, 600 - frame),
                  (210, 220, 200), 3)  # fmt: skip
    return cv2.GaussianBlur(picture, (0, 0), 0.8)


@pytest.mark.parametrize("frame", [8, 20])
def test_a_frame_is_as_far_from_every_edge_and_a_shadow_is_not(frame: int) -> None:
    true = np.array([[99.5, 99.5], [500.5, 99.5], [500.5, 600.5], [99.5, 600.5]])
    given = true + np.array([[3, 4], [-4, 3], [-3, -4], [4, -3.0]])
    assert np.abs(snap_corners(table_with_board(frame), given) - true).max() < 1.5


def test_a_line_across_the_board_is_not_its_edge() -> None:
    """Both sides go on beyond it; where they end, the board does."""
    true = np.array([[99.5, 99.5], [500.5, 99.5], [500.5, 600.5], [99.5, 600.5]])
    picture = table_with_board(12)
    inside = true.copy()
    inside[:2, 1] = 128
    farther = extend_sides(picture, inside)
    assert np.abs(farther - true).max() < 8
    assert extend_sides(picture, true) is true
