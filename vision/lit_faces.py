"""Lit faces: high pieces show another colour on top than on the side facing the camera.

A piece is classified by what is seen above its foot. For a cube or a high bead at an angle that is
the side, and a side in shade takes on the colour of the room: a white cube's is blue beside a
window. The brightest quarter of the piece, its top, shows its colour better.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.colour_profile import log_opponents
from vision.illumination import brightest

_REACH_PX = 18
"""Radius on the canvas, from its foot, within which a piece is examined."""
_OFF_PRINT = 40
"""Least difference in levels between a piece and the print beneath."""
_BRIGHTEST = 0.25
_SMALLEST_PX = 30
"""Least size of the piece's brightest quarter; anything smaller is a highlight."""
_ASIDE_PX = 4.0
"""Least distance of a top from above the foot: most reflections of lamps are above it."""
_OTHER_HUE = 0.5
"""Least distance between two faces' hues, as `log_opponents`."""
_MIDDLE_PX = 3


def lit_centres(normalized: np.ndarray, reference: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """(N, 2) px of the centres of lit faces, NaN for pieces without one.

    ``normalized`` is the board in even light and ``reference`` the empty one, both (S, S, 3) uint8
    on the canvas; ``feet`` (N, 2) px are where the pieces stand.
    """
    off_print = brightest(cv2.absdiff(normalized, reference)) > _OFF_PRINT
    brightness = brightest(normalized)
    found = [
        _lit_centre(normalized, off_print, brightness, foot) for foot in np.round(feet).astype(int)
    ]
    return np.array(found).reshape(-1, 2)


def _lit_centre(
    normalized: np.ndarray, off_print: np.ndarray, brightness: np.ndarray, foot: np.ndarray
) -> np.ndarray:
    """(2,) px of one piece's lit face, from (S, S) bool ``off_print`` and uint8 ``brightness``."""
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
    """(3,) median of (N, 3) levels: `numpy.median` would take longer than everything else here."""
    ordered, half = np.sort(levels, axis=0), len(levels) // 2
    return np.asarray(ordered[half - 1 + len(levels) % 2 : half + 1].mean(axis=0))


def _disc(radius: float) -> np.ndarray:
    """(2 R + 1, 2 R + 1) bool, a disc about the foot in the centre."""
    ys, xs = np.mgrid[-_REACH_PX : _REACH_PX + 1, -_REACH_PX : _REACH_PX + 1]
    return np.asarray(np.hypot(xs, ys) <= radius)


_AROUND, _MIDDLE = _disc(_REACH_PX), _disc(_MIDDLE_PX)
