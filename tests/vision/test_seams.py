"""Tests of `vision.seams`."""

import cv2
import numpy as np
import pytest

from calibration import Profile
from tests.vision.glued_print import draw_seams
from vision.cast_shadows import between_places
from vision.rectify import Canvas
from vision.seams import Seams

Board = tuple[np.ndarray, np.ndarray]


def _mended(sky: Profile, board: np.ndarray) -> Board:
    """A board, as its reference, mended on the canvas; and where."""
    canvas = Canvas(sky.size_mm, 760)
    printed, shown = (canvas.place_reference(one) for one in (sky.require_reference(), board))
    between = between_places(canvas, sky.places.values()) & canvas.board_mask()
    raw, lit, mended = Seams(between, canvas.px_per_mm).mend(shown, shown, printed)
    assert (raw == lit).all()
    apart = cv2.absdiff(lit, printed).max(axis=2)
    apart[~canvas.board_mask()] = 0
    return apart, mended


@pytest.mark.parametrize("wide_mm", [0.5, 0.9, 1.4])
def test_a_seam_is_mended_with_the_print(sky: Profile, wide_mm: float) -> None:
    glued = sky.require_reference().copy()
    draw_seams(glued, sky.spaces["polaris"].at, wide_mm)
    apart, mended = _mended(sky, glued)
    assert (mended > 0).mean() < 0.04
    assert (apart > 40).mean() < 0.002


def test_a_piece_on_a_seam_is_left_as_it_is(sky: Profile) -> None:
    glued = sky.require_reference().copy()
    draw_seams(glued, sky.spaces["polaris"].at, 0.9)
    link = next(s for p, s in sky.places.items() if p.id == "1b2-1b3")
    x, y = (round(v * 4) for v in link.at)
    box = cv2.boxPoints(((x, y), (34, 18), link.turn)).round().astype(np.int32)
    cv2.fillConvexPoly(glued, box, (140, 150, 145))
    _apart, mended = _mended(sky, glued)
    x, y = np.round(Canvas(sky.size_mm, 760).to_px(np.array([link.at]))[0]).astype(int)
    assert not mended[y - 5 : y + 6, x - 1 : x + 2].any()
    assert mended.any()


def test_a_board_without_seams_is_as_it_was(sky: Profile) -> None:
    rng = np.random.default_rng(0)
    board = sky.require_reference().astype(float) * np.linspace(0.7, 1.1, 1)[:, None, None]
    board = board * np.linspace(0.8, 1.1, board.shape[1])[:, None] + rng.normal(0, 4, board.shape)
    _apart, mended = _mended(sky, np.clip(board, 0, 255).astype(np.uint8))
    assert not mended.any()


def test_one_long_object_is_no_seam(sky: Profile) -> None:
    """A pencil over a third of the board."""
    board = sky.require_reference().copy()
    x, y = (round(v * 4) for v in sky.spaces["polaris"].at)
    cv2.line(board, (x, y), (x, y + 500), (230, 230, 230), 6, cv2.LINE_AA)
    assert not _mended(sky, board)[1].any()


def test_a_board_that_places_cover_has_no_seams() -> None:
    board = np.full((50, 50, 3), 90, np.uint8)
    raw, lit, mended = Seams(np.zeros((50, 50), bool), 4.0).mend(board, board, board)
    assert (raw == board).all() and (lit == board).all() and not mended.any()
