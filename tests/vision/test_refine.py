import cv2
import numpy as np
import pytest

from calibration import board_corners, load_profile
from vision.rectify import homography, transform, warp
from vision.refine import ReferenceMatcher

CORNERS = np.array([[390.0, 90], [860, 260], [700, 760], [150, 560]])


@pytest.fixture(scope="module")
def matcher() -> ReferenceMatcher:
    return ReferenceMatcher(load_profile("standard"))


@pytest.fixture(scope="module")
def photograph(matcher: ReferenceMatcher) -> np.ndarray:
    """The standard board on a grey table, dimmed, softened and noisy."""
    profile = load_profile("standard")
    per_mm = homography(CORNERS, profile.size_mm)
    matrix = per_mm @ np.diag([1 / profile.px_per_mm, 1 / profile.px_per_mm, 1])
    picture = warp(profile.reference, matrix, (1000, 850), border=(140, 140, 140)) * 0.6
    picture = cv2.GaussianBlur(picture, (0, 0), 1.0)
    return np.clip(picture + np.random.default_rng(0).normal(0, 5, picture.shape), 0, 255).astype(
        np.uint8
    )


def worst_mm(matcher: ReferenceMatcher, to_image: np.ndarray) -> float:
    """The largest distance in mm between true and found places of a grid on the board."""
    grid = np.stack(np.meshgrid(np.linspace(10, 190, 5), np.linspace(10, 230, 5)), -1).reshape(
        -1, 2
    )
    true = transform(homography(CORNERS, matcher.size_mm), grid)
    back = transform(np.linalg.inv(to_image), true)
    return float(np.linalg.norm(back - grid, axis=1).max())


@pytest.mark.parametrize("off", [0, 5, 15])
def test_corners_that_are_off_are_put_right(
    matcher: ReferenceMatcher, photograph: np.ndarray, off: float
) -> None:
    rough = CORNERS + np.random.default_rng(1).uniform(-off, off, (4, 2))
    alignment = matcher.align(photograph, rough)
    assert worst_mm(matcher, alignment.to_image) < 0.6


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_wrong_printed_order_is_put_right(
    matcher: ReferenceMatcher, photograph: np.ndarray, turn: int
) -> None:
    alignment = matcher.align(photograph, np.roll(CORNERS, turn, axis=0))
    assert worst_mm(matcher, alignment.to_image) < 0.6


def test_a_nudge_is_followed(matcher: ReferenceMatcher, photograph: np.ndarray) -> None:
    nudged = homography(CORNERS + np.array([6, -4]), matcher.size_mm)
    alignment = matcher.follow(photograph, nudged)
    assert worst_mm(matcher, alignment.to_image) < 0.6


def test_another_picture_is_not_taken_for_the_board(matcher: ReferenceMatcher) -> None:
    rng = np.random.default_rng(5)
    other = cv2.resize(rng.integers(0, 255, (60, 70, 3), np.uint8), (1000, 850))
    assert matcher.align(other, CORNERS) is None
    assert matcher.align(np.full((850, 1000, 3), 90, np.uint8), CORNERS) is None


def test_corners_are_those_of_the_board(matcher: ReferenceMatcher, photograph: np.ndarray) -> None:
    alignment = matcher.align(photograph, CORNERS)
    assert transform(alignment.to_image, board_corners(matcher.size_mm)) == pytest.approx(
        CORNERS, abs=2.5
    )
