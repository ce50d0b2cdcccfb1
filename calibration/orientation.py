"""Which way up a board lies: its layout's circles are where its printed rims are.

Corners that start at the wrong one give a picture that looks like a board, and a profile
that reads every space wrong; so the four ways to start are compared.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout, board_corners

Floats = npt.NDArray[np.float64]

PX_PER_MM = 2
AROUND = 48  # samples on a circle
BESIDE_MM = 2.0  # how far inside and outside a rim is looked at
CLEARLY = 1.25


def quarter_turns(photo: npt.NDArray[np.uint8], corners: Floats, layout: Layout) -> int:
    """How many corners further the printed top-left clearly is; 0 where that is not clear.

    `photo` is (H, W, 3) uint8 BGR, `corners` (4, 2) px clockwise.
    """
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    clear = [rim_contrast(grey, np.roll(corners, -turn, axis=0), layout) for turn in range(4)]
    best = int(np.argmax(clear))
    return best if clear[best] > CLEARLY * clear[0] else 0


def rim_contrast(
    grey: npt.NDArray[np.uint8],
    corners: Floats,
    layout: Layout,
    shift_mm: tuple[float, float] = (0.0, 0.0),
) -> float:
    """How clear the layout's circles, all shifted alike, are on the board, in grey levels a mm.

    `grey` is the (H, W) uint8 photograph, `corners` the board's (4, 2) px in it, clockwise.
    """
    width, height = layout.size_mm
    edges = (board_corners(layout.size_mm) * PX_PER_MM).astype(np.float32)
    straighten = cv2.getPerspectiveTransform(corners.astype(np.float32), edges)
    size = (round(width * PX_PER_MM), round(height * PX_PER_MM))
    board = cv2.warpPerspective(grey, straighten, size, flags=cv2.INTER_AREA)
    angles = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    beside = np.arange(-BESIDE_MM, BESIDE_MM + 0.01, 1 / PX_PER_MM)
    clear = []
    for place in layout.places.values():
        x, y = np.add(place.at, shift_mm)
        reach = (place.radius + beside)[:, None]
        across = ((x + reach * np.cos(angles)) * PX_PER_MM).astype(np.float32)
        down = ((y + reach * np.sin(angles)) * PX_PER_MM).astype(np.float32)
        rings = cv2.remap(board, across, down, cv2.INTER_LINEAR).mean(axis=1)
        clear.append(float(np.abs(np.diff(rings)).max()) * PX_PER_MM)
    return float(np.mean(clear))
