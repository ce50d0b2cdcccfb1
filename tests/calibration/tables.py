"""Photographs of a board on a table, made up for tests."""

from functools import cache

import cv2
import numpy as np


def on_a_table(reference: np.ndarray, corners: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A (W, H) ``size`` photograph of a flat picture on a wooden table, its (4, 2) corners given.

    The corners are the outermost pixels' outer corners.
    """
    height, width = reference.shape[:2]
    edges = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    aslant = cv2.getPerspectiveTransform(edges, corners.astype(np.float32))
    board = cv2.warpPerspective(reference, aslant, size, flags=cv2.INTER_CUBIC)
    cover = cv2.warpPerspective(np.full((height, width), 255, np.uint8), aslant, size)
    share = cover[..., None] / 255
    seen = board * share + _table(size) * (1 - share)
    return cv2.GaussianBlur(seen.astype(np.uint8), (0, 0), 0.7)


@cache
def _table(size: tuple[int, int]) -> np.ndarray:
    random = np.random.default_rng(5)
    grain = cv2.GaussianBlur(random.normal(0, 60, size[::-1]).astype(np.float32), (0, 0), 8, 1)
    return np.clip(np.array([105, 140, 170]) + grain[..., None], 0, 255)
