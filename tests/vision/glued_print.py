"""A print in four sheets that are glued together."""

import cv2
import numpy as np

from calibration import PX_PER_MM


def draw_seams(board: np.ndarray, at: tuple[float, float], wide_mm: float) -> None:
    """White edges of paper through a point in mm, and a shadow beside each, on a reference."""
    x, y = (round(v * PX_PER_MM) for v in at)
    edge, far = round(wide_mm * PX_PER_MM), 3000
    for wide, tone, aside in ((edge, 235, 0), (max(1, edge // 2), 30, edge)):
        cv2.line(board, (-far, y + aside), (far, y + aside), (tone,) * 3, wide, cv2.LINE_AA)
        cv2.line(board, (x + aside, -far), (x + aside, far), (tone,) * 3, wide, cv2.LINE_AA)
