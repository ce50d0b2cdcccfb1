"""Cards laid out in rows, none over another: where each lies, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cards import find_outlines
from vision.rectify import shrunk, transform, warp

SEARCHED_PX = 2000
"""The longer side of the picture in which outlines are looked for."""
_AS_LARGE, _AS_SLENDER = 1.3, 1.2
"""By so many times the sides, and the shapes, of cards of one deck may differ in a photograph."""
_LARGEST = 0.6
"""The longer side of a card at most, as a share of the picture's."""
_PLAIN = 0.6
"""How plain the edge of a card is, as a share of the plainest along outlines of the same."""
_SLENDEREST = 2.6
"""The longer side of a card by its shorter one, at most."""


def find_rows(image: np.ndarray) -> list[np.ndarray]:
    """The cards in an (H, W, 3) uint8 picture: (4, 2) px each, clockwise from the top left.

    They lie upright in it, apart from one another. What is drawn on a card is no card: of outlines
    that are alike, those are taken that cover most of the picture together.
    """
    small, to_image = shrunk(image, SEARCHED_PX)
    outlines = [_upright(corners) for corners in find_outlines(small)]
    shapes = np.array([_shape(corners) for corners in outlines]).reshape(-1, 2)
    most = _LARGEST * max(small.shape[:2])
    fit = (shapes[:, 0] < most) & (shapes[:, 1] < _SLENDEREST) & (shapes[:, 1] > 1 / _SLENDEREST)
    strength = _EdgeStrength(small)
    groups = []
    for size, slender in shapes[fit]:
        alike = (np.abs(np.log(shapes[:, 0] / size)) < np.log(_AS_LARGE)) & (
            np.abs(np.log(shapes[:, 1] / slender)) < np.log(_AS_SLENDER)
        )
        groups.append(_apart([outlines[one] for one in np.flatnonzero(alike & fit)], strength))
    if not groups:
        return []
    found = max(groups, key=lambda group: sum(_area(corners) for corners in group))
    return [transform(to_image, corners) for corners in found]


def cut_card(image: np.ndarray, corners: np.ndarray, longest_px: int) -> np.ndarray:
    """What lies at (4, 2) corners, upright, (H, W, 3) uint8: its longer side `longest_px`."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = sides[[0, 2]].mean(), sides[[1, 3]].mean()
    share = longest_px / max(across, down)
    width, height = max(round(across * share), 1), max(round(down * share), 1)
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    onto = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    return warp(image, onto, (width, height))


def _upright(corners: np.ndarray) -> np.ndarray:
    """Clockwise (4, 2) corners, so that the first side is the upper one."""
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    return np.roll(corners, -int(middles[:, 1].argmin()), axis=0)


def _shape(corners: np.ndarray) -> tuple[float, float]:
    """The side in px of a square as large, and the height by the width."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    return max(_area(corners) ** 0.5, 1e-9), max(down, 1e-9) / max(across, 1e-9)


def _area(corners: np.ndarray) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


class _EdgeStrength:
    """How plain an edge there is along an outline of a picture."""

    def __init__(self, image: np.ndarray) -> None:
        smooth = cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.float32)
        steps = [cv2.Sobel(smooth, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))]
        self._steps: np.ndarray = np.sqrt(sum(step**2 for step in steps)).max(axis=2)

    def __call__(self, corners: np.ndarray) -> float:
        share = np.linspace(0.1, 0.9, 33)[:, None, None]
        at = (corners + share * (np.roll(corners, -1, axis=0) - corners)).astype(np.float32)
        sides = cv2.remap(self._steps, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
        return float(np.median(sides, axis=0).mean())


def _apart(outlines: Sequence[np.ndarray], strength: _EdgeStrength) -> list[np.ndarray]:
    """One where several overlap: the largest that lies on a plain edge, not beside it."""
    kept: list[np.ndarray] = []
    left = sorted(outlines, key=_area, reverse=True)
    while left:
        over = [own for own in left if _shared(own, left[0]) > 0.1 * _area(own)]
        plain = [strength(own) for own in over]
        kept.append(
            next(own for own, its in zip(over, plain, strict=True) if its >= _PLAIN * max(plain))
        )
        left = [own for own in left if not any(own is other for other in over)]
    return kept


def _shared(one: np.ndarray, other: np.ndarray) -> float:
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])
