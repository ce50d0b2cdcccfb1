"""When places are read again that a reading left in doubt."""

from __future__ import annotations

import numpy as np

AGAIN = 0.1
"""Seconds between readings, as until a place that seems to have changed is read once more."""
_PAUSES = (0.2, 4.0)
"""Seconds until an unclear place is read again: at first, and at most."""


class Retries:
    """Of each of (P,) places from which moment on it may be read; more seldom as it stays unclear.

    >>> import numpy as np
    >>> retries, first = Retries(2), np.array([True, False])
    >>> retries.after(0, 1.0, likely=False)
    >>> retries.due(1.1).tolist(), retries.due(1.2).tolist()
    ([False, True], [True, True])
    >>> retries.after(0, 1.2, likely=False), retries.due(1.5).tolist()
    (None, [False, True])
    >>> retries.at_once(first), retries.due(1.5).tolist()
    (None, [True, True])
    """

    def __init__(self, count: int) -> None:
        """All may be read at once."""
        self._at = np.zeros(count)
        self._pauses = np.full(count, _PAUSES[0])

    def due(self, t: float) -> np.ndarray:
        """(P,) bool: the places that may be read at ``t`` seconds."""
        return np.asarray(t >= self._at)

    def at_once(self, places: np.ndarray) -> None:
        """The (P,) bool ``places`` may be read now: what is known of them is no longer so."""
        self._at[places], self._pauses[places] = 0, _PAUSES[0]

    def not_before(self, t: float) -> None:
        """Nothing is read before ``t``."""
        self._at = np.maximum(self._at, t)

    def after(self, row: int, t: float, likely: bool) -> None:
        """A place was read at ``t``: soon once more where it is ``likely`` that it has changed."""
        self._at[row] = t + (AGAIN if likely else self._pauses[row])
        if not likely:
            self._pauses[row] = min(2 * self._pauses[row], _PAUSES[1])
