"""A tinted cast shadow is not taken for a piece."""

import cv2
import numpy as np
import pytest

from scorer.places import Circle
from vision.cast_shadows import CastShadows, between_places
from vision.rectify import Canvas

_SIDE = 400
_ALL = np.ones((_SIDE, _SIDE), bool)
_BLUE, _ORANGE = np.array((0.9, 0.75, 0.5)), np.array((0.5, 0.7, 0.85))
_MAGENTA, _GREY = np.array((0.8, 0.5, 0.8)), np.array((0.6, 0.6, 0.6))
_VIOLET = np.array((0.85, 0.4, 0.55))
"""Its blue and red differ as in the sky's light; its green is not between them."""
_BRIGHTER = np.array((1.25, 0.6, 0.45))
"""No shadow has more of a colour than what is beside it."""


@pytest.fixture(scope="module")
def printed() -> np.ndarray:
    tones = [[(200, 215, 225), (90, 60, 190)], [(70, 150, 60), (120, 200, 240)]]
    return np.tile(np.kron(np.array(tones, np.uint8), np.ones((20, 20, 1), np.uint8)), (10, 10, 1))


def _shaded(picture: np.ndarray, shadow: np.ndarray) -> np.ndarray:
    seen = picture.astype(float)
    for left in (40, 180, 320):
        seen[60:340, left : left + 40] *= shadow
    return seen.astype(np.uint8)


@pytest.mark.parametrize("shadow", [_BLUE, _ORANGE])
def test_print_in_a_tinted_shadow_is_lightened(printed: np.ndarray, shadow: np.ndarray) -> None:
    seen = _shaded(printed, shadow)
    raw, lit = CastShadows(printed, _ALL, _ALL).lighten(seen, seen)
    there = np.s_[80:320, 190:210]
    dimmed = np.abs(seen.astype(int) - printed)[there].mean()
    for lightened in (raw, lit):
        assert np.abs(lightened.astype(int) - printed)[there].mean() < dimmed / 4


def test_a_piece_in_the_shadow_keeps_its_colour(printed: np.ndarray) -> None:
    seen = _shaded(printed, _BLUE)
    cv2.circle(seen, (200, 200), 15, (190, 120, 30), -1)
    _, lit = CastShadows(printed, _ALL, _ALL).lighten(seen, seen)
    assert (
        np.abs(lit[195:206, 195:206].astype(int) - (190, 120, 30)).max(axis=2) < 12
    ).mean() > 0.9


@pytest.mark.parametrize("shadow", [_GREY, _MAGENTA, _VIOLET, _BRIGHTER])
def test_shadows_of_other_tints_are_not_lightened(printed: np.ndarray, shadow: np.ndarray) -> None:
    seen = _shaded(printed, shadow)
    assert CastShadows(printed, _ALL, _ALL).lighten(seen, seen)[1] is seen


def test_a_small_shadow_is_not_lightened(printed: np.ndarray) -> None:
    seen = printed.copy()
    seen[200:240, 100:160] = (seen[200:240, 100:160] * _BLUE).astype(np.uint8)
    assert CastShadows(printed, _ALL, _ALL).tint(seen) is None


def test_specks_in_the_colour_of_a_shadow_stay(printed: np.ndarray) -> None:
    seen = _shaded(printed, _BLUE)
    speck = np.s_[200:203, 120:123]
    seen[speck] = (seen[speck] * _BLUE).astype(np.uint8)
    _, lit = CastShadows(printed, _ALL, _ALL).lighten(seen, seen)
    assert np.array_equal(lit[speck], seen[speck])


def test_the_board_between_places_is_beyond_the_reach_of_pieces_that_lie_aside() -> None:
    canvas = Canvas((100.0, 100.0))
    between = between_places(canvas, [Circle((50.0, 50.0), 10.0)])
    columns, rows = canvas.to_px(np.array([(61.0, 50.0), (50.0, 39.0), (63.0, 50.0)])).T.astype(int)
    assert between[rows, columns].tolist() == [False, False, True]


def test_an_object_that_hides_the_print_is_not_a_shadow(printed: np.ndarray) -> None:
    seen = printed.copy()
    seen[60:340, 180:260] = (150, 110, 60)
    assert CastShadows(printed, _ALL, _ALL).tint(seen) is None


def test_shadows_are_detected_only_between_places(printed: np.ndarray) -> None:
    """Pieces may all be of one colour, and cover most of the print."""
    shaded = _shaded(printed, _BLUE)
    between = np.ones_like(_ALL)
    between[50:350] = False
    assert CastShadows(printed, _ALL, between).tint(shaded) is None
