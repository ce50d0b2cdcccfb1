"""When to look for boards: soon once the picture has changed, else ever more seldom in vain."""

from __future__ import annotations

import numpy as np

from vision.rectify import resize_by_area

_CELLS = (32, 24)
"""The picture is compared in so many cells across and down."""
_OTHER = 12.0
"""Levels by which a cell is another than it was."""
_BOARD = 8
"""So many cells, at least, are other ones where a board has come."""
_STILL = 1.5
"""Seconds for which a picture lies still that is looked at anew: a hand seldom does."""
_LOOKS, _LONGEST = 5, 4.0
"""So many looks in vain go over all of a picture; and the most seconds between two after them."""


class SearchPace:
    """Says when to look for boards again.

    Where nothing was found, nothing will be until the picture is another one: a hand that passes
    does not count, what has come to lie still does.

    >>> pace, dark = SearchPace(), np.zeros((48, 64, 3), np.uint8)
    >>> looks = []
    >>> for step in range(71):
    ...     picture = dark if step < 55 else dark + 255
    ...     if pace.is_due(picture, step / 4):
    ...         pace.looked(step / 4, 0.5, found=False)
    ...         looks.append(step / 4)
    >>> looks
    [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.5, 5.5, 9.5, 13.5, 15.25, 15.75, 16.25, 16.75, 17.25]
    """

    def __init__(self) -> None:
        """The first look is due at once."""
        self._at = self._soon = 0.0
        self._still_since = np.inf
        self._vain = 0
        self._is_still = self._is_other = False
        self._looked_at: np.ndarray = np.empty(0)
        self._latest: np.ndarray = np.empty(0)

    def is_due(self, image: np.ndarray, t: float) -> bool:
        """Whether to look for boards in an (H, W, 3) uint8 picture at ``t`` seconds."""
        now = resize_by_area(image, _CELLS).astype(np.float32)
        if not _alike(now, self._latest):
            self._still_since = t
        self._latest, self._is_still = now, t - self._still_since >= _STILL
        self._is_other = self._is_still and not _alike(now, self._looked_at)
        return t >= (self._soon if self._is_other else self._at)

    def looked(self, t: float, pause: float, found: bool) -> None:
        """There was a look at that picture at ``t``; the next is due in ``pause`` seconds or more.

        It is more the oftener nothing was ``found``.
        """
        self._vain = 0 if found or self._is_other else self._vain + 1
        longer = pause * 2.0 ** min(max(0, self._vain - _LOOKS), _LOOKS)
        self._soon, self._at = t + pause, t + max(pause, min(longer, _LONGEST))
        if self._is_still or not len(self._looked_at):
            self._looked_at = self._latest


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    return bool((np.abs(one - other).max(axis=2) > _OTHER).sum() < _BOARD)
