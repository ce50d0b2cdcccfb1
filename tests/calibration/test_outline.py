"""Corners found roughly are brought to where the printed board really lies."""

import cv2
import numpy as np
import pytest

from calibration import find_outline, load_profile
from calibration.orientation import quarter_turns
from tests.calibration.tables import on_a_table
from tests.conftest import FULL_MATRIX, in_full

STANDARD = load_profile("standard")
SIZE = (1000, 900)
TRUE = np.array([[300, 120], [720, 180], [690, 760], [240, 700]], float)


@pytest.fixture(scope="module")
def photograph() -> np.ndarray:
    assert STANDARD.reference is not None
    return on_a_table(STANDARD.reference, TRUE, SIZE)


def rough(seed: int, share: float = 0.05) -> np.ndarray:
    """The corners off by about that share of the board's longer side."""
    return TRUE + np.random.default_rng(seed).normal(0, share * 600 / np.sqrt(2), (4, 2))


@pytest.mark.parametrize("turn", in_full([0, 1], 1))
def test_rough_corners_are_brought_onto_the_board(photograph: np.ndarray, turn: int) -> None:
    """Whichever corner they begin at."""
    beginnings = [np.roll(rough(seed), turn, axis=0) for seed in range(2 - turn)]
    found = find_outline(photograph, beginnings, STANDARD.layout)
    assert found is not None
    assert np.abs(found - TRUE).max() < 2


def test_where_no_board_lies_nothing_is_found(
    photograph: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not FULL_MATRIX:
        monkeypatch.setattr("calibration.outline.SCALES", (1.0,))
    beside = photograph[:, :240].copy()
    corners = np.array([[20, 100], [220, 100], [220, 400], [20, 400]], float)
    assert find_outline(beside, [corners], STANDARD.layout) is None


def test_without_a_beginning_nothing_is_found(photograph: np.ndarray) -> None:
    assert find_outline(photograph, [], STANDARD.layout) is None


def test_a_sky_is_laid_the_right_way_up_though_a_quarter_turn_is_five_of_its_spokes() -> None:
    sky = load_profile("polaris/standard")
    assert sky.reference is not None
    photograph = on_a_table(cv2.resize(sky.reference, None, fx=0.5, fy=0.5), TRUE, SIZE)
    for turn in (1, 2, 3):
        assert quarter_turns(photograph, np.roll(TRUE, turn, axis=0), sky.layout) == turn
    found = find_outline(photograph, [np.roll(rough(0), 1, axis=0)], sky.layout)
    assert found is not None
    assert np.abs(found - TRUE).max() < 2
