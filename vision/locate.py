"""Locate every board in a photograph: its four corners in printed order."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.network import Network
from vision.rectify import resize_by_area, runs_clockwise

FINDER_PX = 288
"""Side of the board finder's square input, in px."""
FINDER_MARGIN_PX = 16
"""Empty border in it, so that a corner just outside the photograph can still be predicted."""
BORDER = 114
MIN_SCORE = 0.3
FAINT_SCORE = 0.08
"""Least score of a single board, which has yet to be recognised by its profile's reference."""
_MARGINS = np.array([0.1, 0.15, 0.2, 0.3])
"""Margins of a closer look at a board, as shares of its extent."""
SAME_BOARD = 0.5
"""Overlap, as a share of the smaller one's area, from which two finds are one board."""


@dataclass(frozen=True)
class FoundBoard:
    """A board at ``corners`` (4, 2) px, clockwise from the printed top-left."""

    corners: np.ndarray
    score: float


def letterbox(image: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """An (H, W, 3) photograph as the board finder's input.

    Returns the (FINDER_PX, FINDER_PX, 3) picture, the scale, and the (2,) offset: a point p of the
    photograph is at ``p * scale + offset``.
    """
    height, width = image.shape[:2]
    scale = (FINDER_PX - 2 * FINDER_MARGIN_PX) / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    offset = (np.array([FINDER_PX, FINDER_PX]) - size) // 2
    picture = np.full((FINDER_PX, FINDER_PX, 3), BORDER, np.uint8)
    x, y = offset
    picture[y : y + size[1], x : x + size[0]] = resize_by_area(image, size)
    return picture, scale, offset.astype(float)


class Finder(Protocol):
    """Finds boards in a picture, roughly."""

    def find(self, image: np.ndarray) -> list[FoundBoard]:
        """Every board in an (H, W, 3) uint8 BGR picture, the most confident first."""


class BoardFinder:
    """A keypoint detector: a board is one object with four corners."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def find(self, image: np.ndarray) -> list[FoundBoard]:
        """Every board in an (H, W, 3) uint8 BGR picture, the most confident first."""
        picture, scale, offset = letterbox(image)
        rows = self._network.run(picture[..., ::-1])
        found: list[FoundBoard] = []
        for row in rows[np.argsort(-rows[:, 4])]:
            if row[4] < (MIN_SCORE if found else FAINT_SCORE):
                break
            seen = row[5:].reshape(4, 3)[:, :2]
            corners = (seen - offset) / scale
            if _is_a_board(seen) and all(overlap(corners, f.corners) < SAME_BOARD for f in found):
                found.append(FoundBoard(corners.astype(float), float(row[4])))
        return found


def rough_outlines(finder: Finder | None, image: np.ndarray) -> list[np.ndarray]:
    """Candidate corners of the most confident board, (4, 2) px each, from ever closer looks."""
    if finder is None:
        return []
    outlines = [board.corners for board in finder.find(image)[:1]]
    for corners in outlines[:1]:
        low, high = corners.min(axis=0), corners.max(axis=0)
        for margin in _MARGINS * (high - low).max():
            left, top = np.maximum(low - margin, 0).astype(int)
            right, bottom = (high + margin).astype(int)
            nearer = finder.find(image[top:bottom, left:right])[:1]
            outlines += [board.corners + np.array([left, top]) for board in nearer]
    return outlines


def _is_a_board(corners: np.ndarray) -> bool:
    """Whether a flat board, seen from its printed side, can have these corners."""
    return runs_clockwise(corners) and cv2.contourArea(corners.astype(np.float32)) > 100


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """The intersection of two quadrilaterals, (4, 2) px each, over the smaller one's area."""
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    smaller = min(cv2.contourArea(q.astype(np.float32)) for q in (a, b))
    return float(shared / max(smaller, 1e-6))
