"""Which way up a board is: its layout's places must match the printed rims.

Corners in the wrong order give a picture that looks like a board, and a profile that misreads every
space. So all four orders are compared, by the places that do not coincide with others after a turn:
with twenty spokes a quarter turn is exactly five.
"""

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.layout import Layout, board_corners
from scorer.places import Bar, Shape

PX_PER_MM = 2
AROUND = 48  # samples per circle
BESIDE_MM = 2.0  # sampled range inside and outside a rim
CLEARLY = 1.25
SAME_MM = 3.0  # places nearer than this coincide after a turn


def quarter_turns(photo: npt.NDArray[np.uint8], corners: Floats, layout: Layout) -> int:
    """By how many corners the printed top-left is clearly further on; 0 if it is unclear.

    `photo` is (H, W, 3) uint8 BGR, `corners` (4, 2) px clockwise.
    """
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    clear = contrast_by_turn(grey, corners, layout)
    best = int(np.argmax(clear))
    return best if clear[best] > CLEARLY * clear[0] else 0


def contrast_by_turn(grey: npt.NDArray[np.uint8], corners: Floats, layout: Layout) -> Floats:
    """(4,) `rim_contrast` by turn, over the places that distinguish the turns.

    All 1 if there are none.
    """
    distinctive = _distinctive_places(layout)
    if not distinctive:
        return np.ones(4)
    turns = (np.roll(corners, -turn, axis=0) for turn in range(4))
    return np.array([rim_contrast(grey, turned, layout, among=distinctive) for turned in turns])


def rim_contrast(
    grey: npt.NDArray[np.uint8],
    corners: Floats,
    layout: Layout,
    shift_mm: tuple[float, float] = (0.0, 0.0),
    among: Iterable[Shape] | None = None,
) -> float:
    """The contrast of the rims of the layout's places, all shifted alike, in grey levels per mm.

    `grey` is the (H, W) uint8 photograph, `corners` the board's (4, 2) px in it, clockwise; `among`
    are the places to use, by default all.
    """
    width, height = layout.size_mm
    edges = (board_corners(layout.size_mm) * PX_PER_MM).astype(np.float32)
    straighten = cv2.getPerspectiveTransform(corners.astype(np.float32), edges)
    size = (round(width * PX_PER_MM), round(height * PX_PER_MM))
    board = cv2.warpPerspective(grey, straighten, size, flags=cv2.INTER_AREA)
    beside = np.arange(-BESIDE_MM, BESIDE_MM + 0.01, 1 / PX_PER_MM)[:, None]
    clear = []
    for place in layout.places.values() if among is None else among:
        rim, outward = _rim(place)
        at = rim + shift_mm + beside[..., None] * outward
        across, down = np.moveaxis((at * PX_PER_MM).astype(np.float32), 2, 0)
        rings = cv2.remap(board, across, down, cv2.INTER_LINEAR).mean(axis=1)
        clear.append(float(np.abs(np.diff(rings)).max()) * PX_PER_MM)
    return float(np.mean(clear))


def _rim(place: Shape) -> tuple[Floats, Floats]:
    """(N, 2) mm along a place's rim, and the outward unit normals there."""
    if isinstance(place, Bar):
        corners = np.array(place.outline)
        sides = np.roll(corners, -1, axis=0) - corners
        lengths = np.linalg.norm(sides, axis=1)
        counts = np.maximum(1, np.rint(AROUND * lengths / lengths.sum())).astype(int)
        on = np.repeat(np.arange(4), counts)
        part = np.concatenate([(np.arange(n) + 0.5) / n for n in counts])
        outward = (corners + sides / 2 - place.at)[on]
        rim = corners[on] + part[:, None] * sides[on]
        return rim, outward / np.linalg.norm(outward, axis=1, keepdims=True)
    angles = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    outward = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.array(place.at) + place.radius * outward, outward


def _distinctive_places(layout: Layout) -> list[Shape]:
    """The places that coincide with none of their kind after some turn."""
    middle = np.array(layout.size_mm) / 2
    square = abs(layout.size_mm[0] - layout.size_mm[1]) < SAME_MM
    found = []
    for place, shape in layout.places.items():
        if place.kind in ("dial", "region"):
            continue
        x, y = np.array(shape.at) - middle
        turned = [(-x, -y), *([(-y, x), (y, -x)] if square else [])]
        alike = np.array([s.at for p, s in layout.places.items() if p.kind == place.kind]) - middle
        if any(np.hypot(*(alike - at).T).min() > SAME_MM for at in turned):
            found.append(shape)
    return found
