"""Pieces of one colour are counted where they touch, and stand where they stand."""

import cv2
import numpy as np
import pytest

from vision.decode import LEAST, count_distribution
from vision.doubts import UNCERTAIN_BELOW
from vision.rectify import CameraPosition
from vision.region_solids import Solid, _Part, solids

RADIUS = 10.0
Feet = list[tuple[int, int]]


def seen(feet: Feet, shift: tuple[int, int]) -> np.ndarray:
    """What has the colour of pieces that are seen as swept discs."""
    mask = np.zeros((160, 160), np.uint8)
    for x, y in feet:
        cv2.line(mask, (x, y), (x + shift[0], y + shift[1]), 1, round(2 * RADIUS))
    return mask


def found(masks: list[np.ndarray], shift: tuple[int, int]) -> list[Solid]:
    return [one for one in likely(masks, shift) if one.chance > 0.5]


def likely(masks: list[np.ndarray], shift: tuple[int, int], height: float = 8) -> list[Solid]:
    """All that may be there, where what is so high is seen shifted so far in px."""
    bare = (np.sum(masks, axis=0) == 0).astype(np.uint8)
    per_mm = np.array(shift) / height
    heights = [0] * len(masks)
    return solids(masks, heights, bare, RADIUS, lambda at, height: per_mm * height)


def test_flat_pieces_that_touch_are_counted() -> None:
    feet = [(40, 40), (60, 41), (80, 40), (50, 58), (120, 120)]
    pieces = found([seen(feet, (0, 0))], (0, 0))
    assert near([one.foot for one in pieces], feet)


def test_thick_pieces_are_no_more_of_them_and_stand_where_they_stand() -> None:
    feet = [(40, 40), (64, 42), (120, 110), (40, 110), (110, 30)]
    pieces = found([seen(feet, (6, 14))], (6, 14))
    assert near([one.foot for one in pieces], feet), pieces
    assert near([one.top for one in pieces], [(x + 6, y + 14) for x, y in feet])


@pytest.mark.parametrize("height", [2, 4, 6, 8, 10, 12])
def test_how_high_pieces_are_is_found(height: int) -> None:
    feet = [(40, 40), (64, 42), (120, 110), (40, 110), (110, 30)]
    pieces = likely([seen(feet, (6, 14))], (6, 14), height)
    for one in pieces:
        assert np.allclose(np.subtract(one.top, one.foot), (6, 14), atol=1)


def test_the_dark_sides_of_a_piece_are_none_of_another_colour() -> None:
    whole, top = seen([(60, 60)], (6, 14)), seen([(66, 74)], (0, 0))
    others = seen([(120, 40), (30, 120)], (6, 14))  # these tell how high pieces are
    pieces = found([top | others, whole & ~top], (6, 14))
    assert {one.colour for one in pieces} == {0} and len(pieces) == 3
    dark = [one.chance for one in likely([top | others, whole & ~top], (6, 14)) if one.colour == 1]
    assert dark and all(LEAST < chance < 0.2 for chance in dark), "or one that is mostly hidden"


def test_the_rest_of_a_piece_that_another_one_covers_is_counted_if_it_is_no_part_of_it() -> None:
    above = seen([(66, 60)], (0, 0))
    beneath = seen([(62, 56)], (0, 0)) & (1 - above)

    def chance(parts: np.ndarray) -> float:
        bare = ((above | beneath) == 0).astype(np.uint8)
        pieces = solids(
            [beneath, above], [0, 0], bare, RADIUS, lambda at, height: np.zeros(2), parts
        )
        return sum(one.chance for one in pieces if one.colour == 0)

    assert chance(np.ones((2, 2), bool)) < 0.3 < 0.5 < chance(np.eye(2, dtype=bool))


def test_a_piece_between_two_colours_is_one_piece() -> None:
    """In dim light red wood has the noise of orange: each would be the other's sides."""
    whole = seen([(60, 60)], (6, 14))
    noise = (np.random.default_rng(1).random(whole.shape) < 0.6).astype(np.uint8)
    others = seen([(120, 40), (30, 120)], (6, 14))  # these tell how high pieces are
    masks = [cv2.dilate(whole & noise, np.ones((3, 3))) | others, whole]
    at = [one for one in likely(masks, (6, 14)) if near([one.foot], [(60, 60)])]
    chances = sorted(one.chance for one in at)
    assert chances[-1] > 0.5 > UNCERTAIN_BELOW - chances[-1] > 0 and sum(chances[:-1]) < 0.3


def test_what_is_covered_with_one_colour_is_not_counted_but_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sleeve is no pieces: not one is fitted to it, and none is sure. Pieces beside it are."""
    fitted: list[int] = []
    fit = _Part._fit
    monkeypatch.setattr(_Part, "_fit", lambda *given: fitted.append(given[1]) or fit(*given))
    sleeve, piece = np.zeros((500, 500), np.uint8), np.zeros((500, 500), np.uint8)
    sleeve[100:] = 1
    cv2.circle(piece, (50, 50), round(RADIUS), 1, -1)
    each = likely([sleeve, piece], (6, 14))
    assert fitted and max(fitted) < 4
    chances = np.array([one.chance for one in each if one.colour == 0])
    assert len(chances) > 500 and chances.max() <= 0.5
    assert count_distribution(chances[:3]).max() < UNCERTAIN_BELOW, "each region is asked about"
    assert [one.foot for one in each if one.colour == 1 and one.chance > 0.5] == [(50, 50)]


def test_a_height_that_shifts_nothing_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[object] = []
    own = _Part.fits
    monkeypatch.setattr(_Part, "fits", lambda *given: fits.append(given) or own(*given))
    likely([seen([(40, 40)], (0, 0))], (0, 0))
    assert len(fits) == 1


def near(pieces: Feet, true: Feet) -> bool:
    """Whether each is within a third of a radius of one of the others."""
    return len(pieces) == len(true) and all(
        min(np.hypot(x - u, y - v) for u, v in true) < RADIUS / 3 for x, y in pieces
    )


def test_a_camera_is_where_a_board_is_seen_from() -> None:
    """A board of 300 by 200 mm, its left edge towards a camera that looks down on it at 60°."""
    focal, up, back = 1000.0, 520.0, 300.0
    at = np.array([150.0 - back, 100.0, up])
    ahead = np.array([back, 0.0, -up]) / np.hypot(up, back)
    right = np.array([0.0, 1.0, 0.0])
    turn = np.array([right, np.cross(ahead, right), ahead])
    seen_at = np.column_stack([turn[:, 0], turn[:, 1], -turn @ at])
    to_image = np.array([[focal, 0, 640], [0, focal, 480], [0, 0, 1]]) @ seen_at
    camera = CameraPosition.over(to_image, (1280, 960))
    assert np.allclose(camera.below, at[:2], atol=2) and abs(camera.up - up) < 2
    assert np.allclose(
        camera.parallax_shift(np.array([300.0, 100.0]), 20.0), (450 * 20 / (up - 20), 0), atol=1
    )


def test_what_is_as_high_as_a_camera_is_still_seen_away_from_it() -> None:
    for up in (0.0, 5.0, 8.0, 12.0):
        shift = CameraPosition(np.zeros(2), up).parallax_shift(np.array([10.0, -20.0]), 8.0)
        assert np.allclose(shift, (10, -20)), up
