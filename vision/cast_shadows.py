"""Cast shadows: the light of the sky, or of a second lamp, where the main one is blocked.

Such a shadow has a tint: a pale bare place in the blue shadow of a piece has the colour of a blue
one. But it dims every print by the same factor per channel, which the board shows between its
places, where no pieces are laid.
"""

from collections.abc import Collection

import cv2
import numpy as np

from scorer.places import Shape
from vision.rectify import Canvas

_STEPS = 77
"""Number of pixels across the board that are examined."""
_DARKEST = 12.0
"""Levels added before logarithms are taken: dark px are noisy."""
_DIMMED, _BRIGHTER = -0.2, 0.1
"""Largest mean log ratio in a shadow, and the largest of any channel."""
_TRIED, _ALIKE = 200, 0.2
"""Number of px tried as centres of a shadow's log ratios, and the largest Euclidean distance (over
the channels) from the centre."""
_SHARE = 0.02
"""Least share of the board between the places that is in shadow."""
_TINT = 0.25
"""Least difference between the log ratios of blue and red, with green between them: the sky's light
and lamps differ along that axis. The network has learnt grey shadows."""
_NEAR = 0.25
"""Largest distance of a px's log ratio from those of shadows of that tint."""
_PRINTS = 0.25
"""Least standard deviation of the log levels printed under a shadow: an object hides the print."""
_PENUMBRA, _DEEPEST = 0.3, 1.2
"""Least and largest depth of a px that is in shadow, relative to the usual."""
_ASIDE = 1.15
"""Size of a place, with a piece that lies aside, relative to the printed one."""


class CastShadows:
    """Finds the tinted cast shadows on boards with one reference, and lightens them."""

    def __init__(self, reference: np.ndarray, mask: np.ndarray, between: np.ndarray) -> None:
        """``reference`` is (S, S, 3) uint8 on the canvas, ``mask`` and ``between`` (S, S) bool.

        They mark the printed board and what of the canvas is between its places.
        """
        step = max(1, len(reference) // _STEPS)
        inside = cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        rows, columns = np.nonzero((inside & between)[::step, ::step])
        self._reference, self._at = reference, (rows * step, columns * step)
        self._known = _logarithm(reference[self._at])

    def lighten(self, raw: np.ndarray, lit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A board without them: as photographed, and in the reference's light; (S, S, 3) uint8."""
        tint = self.tint(lit)
        if tint is None:
            return raw, lit
        ratio = _logarithm(lit) - _logarithm(self._reference)
        depth = np.clip(ratio @ (tint / (tint @ tint)), 0, _DEEPEST)
        off = np.linalg.norm(ratio - depth[..., None] * tint, axis=2)
        inside = ((off < _NEAR) & (depth > _PENUMBRA)).astype(np.uint8)
        inside = cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        depth = cv2.blur((depth * inside).astype(np.float32), (3, 3))
        lightened = np.exp(-depth[..., None] * tint.astype(np.float32))
        first, second = (np.clip(one * lightened, 0, 255).astype(np.uint8) for one in (raw, lit))
        return first, second

    def tint(self, lit: np.ndarray) -> np.ndarray | None:
        """(3,) logarithms of the factors by which a shadow dims the channels, if there is one."""
        ratios = _logarithm(lit[self._at]) - self._known
        dark = (ratios.mean(axis=1) < _DIMMED) & (ratios.max(axis=1) < _BRIGHTER)
        least = _SHARE * len(ratios)
        seen = ratios[dark]
        if (np.abs(seen[:, 2] - seen[:, 0]) >= _TINT).sum() < max(least / 2, 1):
            return None  # at least half of a shadow is as tinted as its median
        tried = seen[:: len(seen) // _TRIED + 1]
        squares = (seen**2).sum(axis=1)[:, None] + (tried**2).sum(axis=1) - 2 * seen @ tried.T
        near = squares < _ALIKE**2
        members = near[:, near.sum(axis=0).argmax()]
        tint = np.median(seen[members], axis=0)
        prints = self._known[dark][members].std(axis=0).max()
        tinted = abs(tint[2] - tint[0]) >= max(_TINT, np.ptp(tint))
        return np.asarray(tint) if members.sum() >= least and tinted and prints >= _PRINTS else None


def between_places(canvas: Canvas, shapes: Collection[Shape]) -> np.ndarray:
    """(S, S) bool: the canvas without circles about the places, within which pieces lie."""
    taken = np.zeros((canvas.side_px, canvas.side_px), np.uint8)
    for shape in shapes:
        x, y = shape.at
        (left, top), (right, _) = canvas.to_px(np.array([(x, y), (x + _ASIDE * shape.radius, y)]))
        cv2.circle(taken, (round(left), round(top)), round(right - left), 1, -1)
    return np.asarray(taken == 0)


def _logarithm(picture: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(picture.astype(np.float32) + _DARKEST))
