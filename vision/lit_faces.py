"""Lit faces: high pieces show another colour on top than on the side facing the camera.

A piece is classified by what is seen above its foot. For a cube or a high bead at an angle that is
the side, and a side in shade takes on the colour of the room: a white cube's is blue beside a
window. The brightest quarter of the piece, its top, shows its colour better.
"""

import math

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
_NOWHERE = (math.nan, math.nan)


def lit_centres(normalized: np.ndarray, reference: np.ndarray, feet: np.ndarray) -> np.ndarray:
    """(N, 2) px of the centres of lit faces, NaN for pieces without one.

    ``normalized`` is the board in even light and ``reference`` the empty one, both (S, S, 3) uint8
    on the canvas; ``feet`` (N, 2) px are where the pieces stand.
    """
    off_print = (brightest(cv2.absdiff(normalized, reference)) > _OFF_PRINT).view(np.uint8)
    brightness = brightest(normalized)
    found = [
        _lit_centre(normalized, off_print, brightness, *foot)
        for foot in np.round(feet).astype(int).tolist()
    ]
    return np.array(found).reshape(-1, 2)


def _lit_centre(
    normalized: np.ndarray, off_print: np.ndarray, brightness: np.ndarray, x: int, y: int
) -> tuple[float, float]:
    """Px of the lit face of the piece with its foot at (x, y), from (S, S) uint8 pictures.

    ``off_print`` is 1 where the board differs from its print, else 0.
    """
    left, top = max(x - _REACH_PX, 0), max(y - _REACH_PX, 0)
    near = np.s_[top : max(y + _REACH_PX + 1, top), left : max(x + _REACH_PX + 1, left)]
    seen = off_print[near]
    across, down = left - x + _REACH_PX, top - y + _REACH_PX
    own = np.s_[down : down + seen.shape[0], across : across + seen.shape[1]]
    there, middle = seen & _AROUND[own], _MIDDLE[own]
    on_middle = there[middle]
    if not on_middle.any():
        return _NOWHERE
    _, parts = cv2.connectedComponents(there, connectivity=4)
    piece = parts == np.bincount(parts[middle][on_middle > 0]).argmax()
    levels = brightness[near]
    counts = np.bincount(levels[piece], minlength=256).cumsum()
    least = np.searchsorted(counts, math.ceil((1 - _BRIGHTEST) * (counts[-1] - 1)), side="right")
    lit = piece & (levels >= least)
    ys, xs = lit.nonzero()
    centre = float(xs.mean()) + left, float(ys.mean()) + top
    if len(xs) < _SMALLEST_PX or math.dist(centre, (x, y)) < _ASIDE_PX:
        return _NOWHERE
    shown = normalized[near]
    faces = np.array([_median(shown[face]) for face in (lit, middle & piece)])
    hues = log_opponents(faces)[:, :2]
    return centre if np.hypot(*(hues[0] - hues[1])) > _OTHER_HUE else _NOWHERE


def _median(levels: np.ndarray) -> np.ndarray:
    """(3,) median of (N, 3) levels: `numpy.median` would take longer than everything else here."""
    ordered, half = np.sort(levels, axis=0), len(levels) // 2
    return np.asarray(ordered[half - 1 + len(levels) % 2 : half + 1].mean(axis=0))


def _disc(radius: float) -> np.ndarray:
    """(2 R + 1, 2 R + 1) bool, a disc about the foot in the centre."""
    ys, xs = np.mgrid[-_REACH_PX : _REACH_PX + 1, -_REACH_PX : _REACH_PX + 1]
    return np.asarray(np.hypot(xs, ys) <= radius)


_AROUND, _MIDDLE = _disc(_REACH_PX).view(np.uint8), _disc(_MIDDLE_PX)
