"""Print tints: what the bare print of each tint looks like on the board at hand.

A camera's curve is flat in the highlights, and one light for the whole board is estimated mostly
from the commonest tint: on an overexposed board another tint may be as vivid as a piece. But all
bare print of one tint looks alike.
"""

from __future__ import annotations

from collections.abc import Iterator

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

    def as_seen(self, print_: np.ndarray, board: np.ndarray) -> np.ndarray:
        """``print_`` with its tints as they are on a ``board`` in its light, (S, S, 3) uint8."""
        seen, greys = print_.copy(), log_opponents(np.repeat(np.arange(256)[:, None], 3, axis=1))
        for area in self._areas:
            printed, shown = print_[area], board[area]
            every = max(1, len(printed) // _SAMPLES)
            change = log_opponents(shown[::every]) - log_opponents(printed[::every])
            levels = colours_of(greys + _commonest(change * _SCALE) / _SCALE)
            levels = np.clip(levels.round(), 0, 255).astype(np.uint8)
            seen[area] = np.take_along_axis(levels, printed.astype(int), axis=0)
        return seen


def _tints(reference: np.ndarray, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """(S, S) bool of the regions of each tint."""
    count = int(numbers.max()) + 1
    middles = np.array([np.median(reference[numbers == n], axis=0) for n in range(1, count)])
    left, perceived = {*range(1, count)}, log_opponents(middles) * _SCALE
    while left:
        first = min(left)
        away = np.linalg.norm(perceived - perceived[first - 1], axis=1)
        own = left & {*(np.flatnonzero(away < _ONE_TINT) + 1).tolist()}
        left -= own
        yield np.isin(numbers, [*own])


def _commonest(change: np.ndarray) -> np.ndarray:
    """(3,) the commonest of (N, 3) changes, none if hardly any print is bare."""
    near = change[np.linalg.norm(change, axis=1) < _FURTHEST]
    tried = near[:: max(1, len(near) // _TRIED)]
    alike = np.linalg.norm(near[:, None] - tried, axis=2) < _ALIKE
    if not len(near) or alike.sum(axis=0).max() < _BARE * len(change):
        return np.zeros(3)
    return np.asarray(near[alike[:, alike.sum(axis=0).argmax()]].mean(axis=0))
