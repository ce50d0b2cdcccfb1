"""Corners found roughly are brought to where the printed board really lies."""

import cv2
import numpy as np
import pytest

from calibration import find_outline, load_profile

STANDARD = load_profile("standard")
SIZE = (1000, 900)
TRUE = np.array([[300, 120], [720, 180], [690, 760], [240, 700]], float)


def photograph() -> np.ndarray:
    """The standard board, empty, on a table of brown noise."""
    rng = np.random.default_rng(1)
    table = cv2.resize(rng.uniform(60, 160, (45, 50, 3)).astype(np.uint8), SIZE)
    reference = STANDARD.reference
    assert reference is not None
    height, width = reference.shape[:2]
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(edges, TRUE.astype(np.float32))
    cover = cv2.warpPerspective(np.ones((height, width), np.uint8), matrix, SIZE)
    board = cv2.warpPerspective(reference, matrix, SIZE, flags=cv2.INTER_AREA)
    return np.where(cover[..., None] > 0, board, table)


def rough(seed: int, share: float = 0.05) -> np.ndarray:
    """The corners off by about that share of the board's longer side."""
    return TRUE + np.random.default_rng(seed).normal(0, share * 600 / np.sqrt(2), (4, 2))


@pytest.mark.parametrize("turn", [0, 1])
def test_rough_corners_are_brought_onto_the_board(turn: int) -> None:
    """Whichever corner they begin at."""
    beginnings = [np.roll(rough(seed), turn, axis=0) for seed in range(4)]
    found = find_outline(photograph(), beginnings, STANDARD.layout)
    assert found is not None
    assert np.abs(found - TRUE).max() < 2


def test_where_no_board_lies_nothing_is_found() -> None:
    beside = photograph()[:, :240].copy()
    corners = np.array([[20, 100], [220, 100], [220, 400], [20, 400]], float)
    assert find_outline(beside, [corners], STANDARD.layout) is None


def test_without_a_beginning_nothing_is_found() -> None:
    assert find_outline(photograph(), [], STANDARD.layout) is None
