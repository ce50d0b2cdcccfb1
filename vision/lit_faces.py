"""Lit faces: where a high piece shows another colour on top than on the side that it turns to us.

A piece is told by what shows above its foot. Of a cube or a high bead that is the side, if the
camera looks from there, and a side in the shade has the colour of the room: a white cube's is blue
beside a window. The brightest quarter of the piece, its top, tells its colour better.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.colour_profile import log_opponents

_REACH_PX = 18
"""How far from its foot a piece is looked at, on the canvas."""
_OFF_PRINT = 40
"""A level by which a piece differs from the print beneath."""
_BRIGHTEST = 0.25
_SMALLEST_PX = 30
"""Of the piece's brightest quarter; what is smaller is a gleam."""
_ASIDE_PX = 4.0
"""How far from above the foot a top lies at least: a lamp is mirrored anywhere, mostly above it."""
_OTHER_HUE = 0.5
"""How far apart two faces' hues are at least, as `log_opponents`."""
_MIDDLE_PX = 3


def lit_centres(normalized: np.ndarray, reference: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """(N, 2) px of the middles of lit faces, NaN where a piece shows no such face.

    ``normalized`` is the board in even light and ``reference`` the empty one, both (S, S, 3) uint8
    on the canvas; ``feet`` (N, 2) px is where pieces stand.
    """
    found = [_lit_centre(normalized, reference, foot) for foot in np.round(feet).astype(int)]
    return np.array(found).reshape(-1, 2)


def _lit_centre(normalized: np.ndarray, reference: np.ndarray, foot: np.ndarray) -> np.ndarray:
    nowhere = np.full(2, np.nan)
    low = np.maximum(foot - _REACH_PX, 0)
    near = tuple(slice(a, b + _REACH_PX + 1) for a, b in zip(low[::-1], foot[::-1], strict=True))
    shown, print_there = normalized[near].astype(float), reference[near].astype(float)
    ys, xs = np.mgrid[: shown.shape[0], : shown.shape[1]]
    away = np.hypot(*(np.stack([xs, ys]) - (foot - low)[:, None, None]))
    off_print = (np.abs(shown - print_there).max(axis=2) > _OFF_PRINT) & (away <= _REACH_PX)
    _, parts = cv2.connectedComponents(off_print.astype(np.uint8), connectivity=4)
    middle = away <= _MIDDLE_PX
    part = int(np.bincount(parts[middle & off_print], minlength=1).argmax()) if middle.any() else 0
    if part == 0:
        return nowhere
    piece, brightness = parts == part, shown.max(axis=2)
    lit = piece & (brightness >= np.quantile(brightness[piece], 1 - _BRIGHTEST))
    centre = np.array([xs[lit].mean(), ys[lit].mean()]) + low
    if lit.sum() < _SMALLEST_PX or np.hypot(*(centre - foot)) < _ASIDE_PX:
        return nowhere
    faces = np.array([np.median(shown[face], axis=0) for face in (lit, middle & piece)])
    hues = log_opponents(faces)[:, :2]
    return centre if np.hypot(*(hues[0] - hues[1])) > _OTHER_HUE else nowhere
