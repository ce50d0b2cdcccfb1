"""Faces: pieces of which there is one each, told by their print, and where they stand."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from calibration.artwork import artwork
from calibration.drawing import Drawing, rasterise
from scorer.ptolemaeus.game import BODIES, BODY_MM
from vision.printed_faces import FaceFinder, Faces

SCALE, SIDE = 2.0, 400
RADIUS = BODY_MM / 2 * SCALE
SPOTS = [(70 + 85 * (n % 4), 90 + 200 * (n // 4)) for n in range(len(BODIES))]
PAPER = (214, 234, 242)


def face(body: str) -> np.ndarray:
    middle = (BODY_MM / 2, BODY_MM / 2)
    drawn = artwork("ptolemaeus").draw_token(body, middle)
    return rasterise(Drawing((BODY_MM, BODY_MM), tuple(drawn)), SCALE)


def found(board: np.ndarray) -> Faces:
    everywhere = np.ones((SIDE, SIDE), bool)
    different = np.abs(board.astype(int) - board[0, 0]).sum(axis=2) > 40
    return FaceFinder([face(body) for body in BODIES], RADIUS).find(board, everywhere, different)


def laid(bodies: Sequence[str], tall: int = 0) -> np.ndarray:
    """A board with these bodies, their sides `tall` px below their faces."""
    board = np.full((SIDE, SIDE, 3), PAPER, np.uint8)
    for body, (x, y) in zip(bodies, SPOTS, strict=False):
        own, r = face(body), round(RADIUS)
        on = np.hypot(*np.mgrid[-r : r + 1, -r : r + 1][:, : len(own), : len(own)]) <= r - 1
        side = own[len(own) // 2, round(0.3 * r)].tolist()
        cv2.line(board, (x, y), (x, y + tall), side, 2 * (r - 1))
        board[y - r : y - r + len(own), x - r : x - r + len(own)][on] = own[on]
    return board


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.3, 0.42, 0.55), (0.6, 0.5, 0.45)])
def test_each_body_is_recognised_in_any_light(light: tuple[float, float, float]) -> None:
    shown = (laid([*BODIES][::-1]) * light).astype(np.uint8)
    faces = found(cv2.GaussianBlur(shown, (0, 0), 1.5))
    for number, spot in enumerate(SPOTS[::-1]):
        best = faces.chances[:, number].argmax()
        assert faces.chances[best, number] > 0.7
        assert np.hypot(*(faces.at[best] - spot)) < 4


def test_a_body_that_is_missing_is_nowhere() -> None:
    chances = found(laid([*BODIES][:-1])).chances.sum(axis=0)
    assert chances[:-1].min() > 0.8
    assert chances[-1] < 0.2


def test_a_tall_body_is_placed_at_its_foot_and_not_at_its_face() -> None:
    faces = found(laid([*BODIES], tall=14))
    for spot in SPOTS:
        best = np.hypot(*(faces.at - spot).T).argmin()
        assert np.hypot(*(faces.feet[best] - spot - (0, 14))) < 4
