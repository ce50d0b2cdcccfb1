"""When to search for boards: soon after the picture has changed, else ever less often."""

import numpy as np

from vision.rectify import resize_by_area

_CELLS = (32, 24)
"""Number of cells across and down in which pictures are compared."""
_OTHER = 12.0
"""Levels by which a cell has changed."""
_BOARD = 8
"""Least number of changed cells if a board has appeared."""
_STILL = 1.5
"""Seconds for which a picture must be still to be searched again: a hand seldom is."""
_LOOKS, _LONGEST = 5, 4.0
"""Number of failed searches at the base pace, which cover the whole picture; and the longest
pause in seconds after them."""


class SearchPace:
    """Decides when to search for boards again.

    If nothing was found, nothing will be until the picture changes: a passing hand does not count,
    an object that has come to rest does.

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
        self._at = self._soon = 0.0
        self._still_since = np.inf
        self._vain = 0
        self._is_still = self._is_other = False
        self._looked_at: np.ndarray = np.empty(0)
        self._latest: np.ndarray = np.empty(0)

    def is_due(self, image: np.ndarray, t: float) -> bool:
        """Whether to search for boards in an (H, W, 3) uint8 picture at ``t`` seconds."""
        now = resize_by_area(image, _CELLS).astype(np.float32)
        if not _alike(now, self._latest):
            self._still_since = t
        self._latest, self._is_still = now, t - self._still_since >= _STILL
        self._is_other = self._is_still and not _alike(now, self._looked_at)
        return t >= (self._soon if self._is_other else self._at)

    def looked(self, t: float, pause: float, found: bool) -> None:
        """Record a search at ``t``; the next is due in ``pause`` seconds or more.

        The pause grows with the number of failed searches.
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
