"""Print tints: what the bare print of each tint looks like on the board at hand.

A camera's curve is flat in the highlights, and one light for the whole board is estimated mostly
from the commonest tint: on an overexposed board another tint may be as vivid as a piece. But all
bare print of one tint looks alike.
"""

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.colour_profile import BRIGHTNESS, colours_of, log_opponents

_ONE_TINT = 0.1
"""Largest distance of two regions' prints, `perceived`, that are of one tint."""
_FURTHEST, _ALIKE = 0.5, 0.08
"""How far bare print may be from its tint at most, and from other bare print of it."""
_SAMPLES, _TRIED = 4000, 200
"""Largest number of px of a tint that are examined, and of those tried as the commonest."""
_BARE = 0.15
"""Least share of the px of a tint that are bare."""
_SCALE = np.array([1, 1, 1 / BRIGHTNESS])


class PrintTints:
    """The tints of the regions of a printed board."""

    def __init__(self, reference: np.ndarray, numbers: np.ndarray) -> None:
        """``reference`` (S, S, 3) uint8 is the empty board, ``numbers`` (S, S) are its regions."""
        self._areas = [*_tints(reference, numbers)]
        flat = [np.flatnonzero(area) for area in self._areas]
        self._samples = [own[:: max(1, len(own) // _SAMPLES)] for own in flat]

    def as_seen(self, print_: np.ndarray, board: np.ndarray) -> np.ndarray:
        """``print_`` with its tints as they are on a ``board`` in its light, (S, S, 3) uint8."""
        seen, greys = print_.copy(), log_opponents(np.repeat(np.arange(256)[:, None], 3, axis=1))
        for area, sample in zip(self._areas, self._samples, strict=True):
            printed, shown = print_.reshape(-1, 3)[sample], board.reshape(-1, 3)[sample]
            change = (log_opponents(shown) - log_opponents(printed)) * _SCALE
            levels = colours_of(greys + _commonest(change) / _SCALE)
            levels = np.clip(levels.round(), 0, 255).astype(np.uint8)
            cv2.copyTo(cv2.LUT(print_, levels[None]), area, seen)
        return seen


def _tints(reference: np.ndarray, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """(S, S) uint8, 1 in the regions of each tint."""
    left = np.unique(numbers[numbers > 0])
    middles = [np.median(reference[numbers == number], axis=0) for number in left]
    perceived = log_opponents(np.array(middles).reshape(-1, 3)) * _SCALE
    while len(left):
        own = np.linalg.norm(perceived - perceived[0], axis=1) < _ONE_TINT
        yield np.isin(numbers, left[own]).astype(np.uint8)
        left, perceived = left[~own], perceived[~own]


def _commonest(change: np.ndarray) -> np.ndarray:
    """(3,) the commonest of (N, 3) changes, none if hardly any print is bare."""
    near = change[np.linalg.norm(change, axis=1) < _FURTHEST]
    tried = near[:: max(1, len(near) // _TRIED)]
    squares = (near**2).sum(axis=1)[:, None] + (tried**2).sum(axis=1) - 2 * near @ tried.T
    alike = squares < _ALIKE**2
    counts = np.count_nonzero(alike, axis=0)
    if not len(near) or counts.max() < _BARE * len(change):
        return np.zeros(3)
    return np.asarray(near[alike[:, counts.argmax()]].mean(axis=0))
