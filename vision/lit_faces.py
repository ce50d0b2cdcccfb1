"""Lit faces: where a high piece shows another colour on top than on the side that it turns to us.

A piece is told by what shows above its foot. Of a cube or a high bead that is the side, if the
camera looks from there, and a side in the shade has the colour of the room: a white cube's is blue
beside a window. The brightest quarter of the piece, its top, tells its colour better.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.colour_profile import log_opponents
from vision.illumination import brightest

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
    off_print, brightness = map(brightest, (cv2.absdiff(normalized, reference), normalized))
    found = [
        _lit_centre(normalized, off_print > _OFF_PRINT, brightness, foot)
        for foot in np.round(feet).astype(int)
    ]
    return np.array(found).reshape(-1, 2)


def _lit_centre(
    normalized: np.ndarray, off_print: np.ndarray, brightness: np.ndarray, foot: np.ndarray
) -> np.ndarray:
    """(2,) px of one; (S, S) bool and uint8 are what is off the print, and how bright it is."""
    nowhere = np.full(2, np.nan)
    low, high = foot - _REACH_PX, foot + _REACH_PX + 1
    cut = -np.minimum(low, 0)
    left, top = low + cut
    right, bottom = np.maximum(np.minimum(high, off_print.shape[::-1]), (left, top))
    near = slice(top, bottom), slice(left, right)
    own = tuple(slice(a, a + b.stop - b.start) for a, b in zip(cut[::-1], near, strict=True))
    there, middle = off_print[near] & _AROUND[own], _MIDDLE[own]
    if not (there & middle).any():
        return nowhere
    _, parts = cv2.connectedComponents(there.view(np.uint8), connectivity=4)
    piece = parts == np.bincount(parts[middle & there]).argmax()
    levels = np.sort(brightness[near][piece])
    least = levels[int(np.ceil((1 - _BRIGHTEST) * (len(levels) - 1)))]
    lit = piece & (brightness[near] >= least)
    ys, xs = np.nonzero(lit)
    centre = np.array([xs.mean() + left, ys.mean() + top])
    if len(xs) < _SMALLEST_PX or np.hypot(*(centre - foot)) < _ASIDE_PX:
        return nowhere
    shown = normalized[near]
    faces = np.array([_median(shown[face]) for face in (lit, middle & piece)])
    hues = log_opponents(faces)[:, :2]
    return centre if np.hypot(*(hues[0] - hues[1])) > _OTHER_HUE else nowhere


def _median(levels: np.ndarray) -> np.ndarray:
    """(3,) of (N, 3) levels: `numpy.median` takes longer than all else here."""
    ordered, half = np.sort(levels, axis=0), len(levels) // 2
    return np.asarray(ordered[half - 1 + len(levels) % 2 : half + 1].mean(axis=0))


def _disc(radius: float) -> np.ndarray:
    """(2 R + 1, 2 R + 1) bool, what is no farther from the foot in the middle."""
    ys, xs = np.mgrid[-_REACH_PX : _REACH_PX + 1, -_REACH_PX : _REACH_PX + 1]
    return np.asarray(np.hypot(xs, ys) <= radius)


_AROUND, _MIDDLE = _disc(_REACH_PX), _disc(_MIDDLE_PX)
