"""Which way up a board lies: its layout's places are where its printed rims are.

Corners that start at the wrong one give a picture that looks like a board, and a profile
that reads every space wrong; so the four ways to start are compared, by those places that lie
elsewhere in another way: of twenty spokes a quarter turn is exactly five.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Layout, board_corners
from scorer.places import Bar, Shape

Floats = npt.NDArray[np.float64]

PX_PER_MM = 2
AROUND = 48  # samples on a circle
BESIDE_MM = 2.0  # how far inside and outside a rim is looked at
CLEARLY = 1.25
SAME_MM = 3.0  # places nearer to each other than that are one, once the board is turned


def quarter_turns(photo: npt.NDArray[np.uint8], corners: Floats, layout: Layout) -> int:
    """How many corners further the printed top-left clearly is; 0 where that is not clear.

    `photo` is (H, W, 3) uint8 BGR, `corners` (4, 2) px clockwise.
    """
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    clear = contrast_by_turn(grey, corners, layout)
    best = int(np.argmax(clear))
    return best if clear[best] > CLEARLY * clear[0] else 0


def contrast_by_turn(grey: npt.NDArray[np.uint8], corners: Floats, layout: Layout) -> Floats:
    """(4,) how clear the rims are that tell its turns apart, as `rim_contrast`, by turn.

    All alike where none does.
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
    """How clear the rims of the layout's places, all shifted alike, are, in grey levels a mm.

    `grey` is the (H, W) uint8 photograph, `corners` the board's (4, 2) px in it, clockwise;
    `among` are those places that are looked at, all without.
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
    """(N, 2) mm along a place's rim, and what leads straight outward there, of length 1."""
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
    """The places of which none of their kind lies there in some other turn."""
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
