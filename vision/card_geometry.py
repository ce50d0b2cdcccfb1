"""Geometry of cards in photographs: outlines are (4, 2) px, clockwise."""

import cv2
import numpy as np

from vision.rectify import transform

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
Window = tuple[float, float, float, float]
"""Left, top, right and bottom of a picture, as shares of its card's width and height."""
_TURNS = (np.arange(4)[:, None] + np.arange(4)) % 4
"""(4, 4) the corners of an outline in order, starting at each of them."""


def corner_distance(one: np.ndarray, other: np.ndarray) -> float:
    """Largest distance in px between corners of two outlines, at the best cyclic shift."""
    return float(corner_distances(one, other[None])[0])


def corner_distances(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(N,) the same to each of (N, 4, 2) outlines."""
    off = others[:, None] - one[_TURNS]
    return np.asarray(np.linalg.norm(off, axis=3).max(axis=2).min(axis=1))


def contains(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether a (2,) point is within an outline or on it."""
    return cv2.pointPolygonTest(corners.astype(np.float32), tuple(map(float, point)), False) >= 0


def is_convex(corners: np.ndarray) -> bool:
    return bool(cv2.isContourConvex(corners.astype(np.float32)))


def covers(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two outlines share more than a third of the smaller one."""
    if not (is_convex(one) and is_convex(other)):
        return False
    first, second = one.astype(np.float32), other.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(first, second)
    return shared > min(cv2.contourArea(first), cv2.contourArea(second)) / 3


def side_of(corners: np.ndarray) -> float:
    """The side in px of a square with the area of an outline."""
    return max(float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))), 1e-9)


def sides_of(corners: np.ndarray) -> np.ndarray:
    """(2,) px, the width and height of an outline; its top-left corner is the first."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.asarray(np.maximum((sides[:2] + sides[2:]) / 2, 1e-9))


def slenderness(corners: np.ndarray) -> float:
    """The height of an outline over its width; its top-left corner is the first."""
    width, height = sides_of(corners)
    return float(height / width)


def picture_corners(card: np.ndarray, window: Window) -> np.ndarray:
    """Where the picture is on a card with this outline."""
    return transform(_between(UNIT, card), _corners_of(window))


def card_corners(picture: np.ndarray, window: Window) -> np.ndarray:
    """The outline of the card whose picture has these corners."""
    return transform(_between(_corners_of(window), picture), UNIT)


def _corners_of(window: Window) -> np.ndarray:
    left, top, right, bottom = window
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(3, 3) from px of one picture to another's, by (4, 2) corners in each."""
    found = cv2.getPerspectiveTransform(one.astype(np.float32), other.astype(np.float32))
    return np.asarray(found)
