"""Which places of a board are to be read, why, and when again where that left them in doubt."""

from __future__ import annotations

import numpy as np

AGAIN = 0.1
"""Seconds between readings, as until a place that seems to have changed is read once more."""
_PAUSES = (0.2, 4.0)
"""Seconds until an unclear place is read again: at first, and at most."""
_ANOTHER = 12.0
"""How different (CIE 1976) the colours of two pieces are: no light makes that of one."""
_SETTLED = 3.0
"""Seconds after which the hand that laid a piece is gone, and it was seen as it is."""


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


class Agenda:
    """Of each of a board's places, (P,) bool: what is to be found out about it.

    ``unread``: it is to be read. ``touched``: something was over it since it was last known how it
    lies. ``unconfirmed``: no reading has confirmed yet that the background shows it as it is.
    """

    def __init__(self, inside: np.ndarray) -> None:
        """All that is (P,) bool ``inside`` the picture is to be read; nothing is known of any."""
        self.unread = inside.copy()
        self.unconfirmed, self.touched = np.ones((2, len(inside)), bool)
        self.retries = Retries(len(inside))
        self._changed_at = np.full(len(inside), -np.inf)

    def look_anew(self, places: np.ndarray) -> None:
        """The (P,) bool ``places`` are to be read, however much they look like the background."""
        for mask in (self.unread, self.unconfirmed, self.touched):
            mask |= places

    def once_more(self, places: np.ndarray) -> None:
        """The same, of places that nobody came near."""
        self.look_anew(places)
        self.touched &= ~places
        self.retries.at_once(places)

    def unchanged(self, places: np.ndarray) -> None:
        """There is nothing to read at the (P,) bool ``places``: they look as they did."""
        self.unread &= ~places
        self.touched &= ~places

    def changed(self, places: np.ndarray, apart: np.ndarray, t: float) -> np.ndarray:
        """(P,) bool: where it was a hand that changed (P,) bool ``places``, as is known at ``t``.

        It was there, and they are of other colours than they were for seconds; ``apart`` (P,) says
        by how much. Elsewhere what lay there may have been misread, then or now.
        """
        settled = t - self._changed_at >= _SETTLED
        self._changed_at[places] = t
        return np.asarray(places & settled & self.touched & (apart > _ANOTHER))

    def confirm(self, places: np.ndarray) -> None:
        """The (P,) bool ``places`` are as they are known to be, and so is how they look."""
        self.unchanged(places)
        self.unconfirmed &= ~places
        self.retries.at_once(places)
