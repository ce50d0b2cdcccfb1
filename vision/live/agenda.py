"""Which places of a board to read, why, and when to retry those that remain in doubt."""

import numpy as np

AGAIN = 0.08
"""Seconds between readings, and until a place that seems to have changed is read again: less than
a frame at ten a second."""
_PAUSES = (0.2, 4.0)
"""Seconds until an unclear place is read again: at first, and at most."""
_ANOTHER = 12.0
"""Colour difference (CIE 1976) between two pieces that no change of light explains."""
_SETTLED = 3.0
"""Seconds after which the hand that placed a piece is gone and it was seen clearly."""


class Retries:
    """When each of (P,) places may be read again, with longer pauses while it stays unclear.

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
        self._at = np.zeros(count)
        self._pauses = np.full(count, _PAUSES[0])

    def due(self, t: float) -> np.ndarray:
        """(P,) bool: the places that may be read at ``t`` seconds."""
        return np.asarray(t >= self._at)

    def at_once(self, places: np.ndarray) -> None:
        """Allow the (P,) bool ``places`` to be read now, as they have changed."""
        self._at[places], self._pauses[places] = 0, _PAUSES[0]

    def not_before(self, t: float) -> None:
        """Read nothing before ``t``."""
        self._at = np.maximum(self._at, t)

    def after(self, row: int, t: float, likely: bool) -> None:
        """Record a reading at ``t``; if a change is ``likely``, the next one is due soon."""
        self._at[row] = t + (AGAIN if likely else self._pauses[row])
        if not likely:
            self._pauses[row] = min(2 * self._pauses[row], _PAUSES[1])


class Agenda:
    """What remains to be found out about each place of a board, (P,) bool.

    ``unread``: it is to be read. ``touched``: something was over it since its state was last known.
    ``unconfirmed``: no reading has confirmed yet that the background shows it correctly.
    """

    def __init__(self, inside: np.ndarray) -> None:
        """Schedule all places that are (P,) bool ``inside`` the picture."""
        self.unread = inside.copy()
        self.unconfirmed, self.touched = np.ones((2, len(inside)), bool)
        self.retries = Retries(len(inside))
        self._changed_at = np.full(len(inside), -np.inf)

    def look_anew(self, places: np.ndarray) -> None:
        """Schedule the (P,) bool ``places``, however similar they are to the background."""
        for mask in (self.unread, self.unconfirmed, self.touched):
            mask |= places

    def once_more(self, places: np.ndarray) -> None:
        """The same, for places that no hand came near."""
        self.look_anew(places)
        self.touched &= ~places
        self.retries.at_once(places)

    def unchanged(self, places: np.ndarray) -> None:
        """Drop the (P,) bool ``places``: they look as before."""
        self.unread &= ~places
        self.touched &= ~places

    def changed(self, places: np.ndarray, apart: np.ndarray, t: float) -> np.ndarray:
        """(P,) bool: those of the changed ``places``, (P,) bool, that a hand changed by ``t``.

        A hand was there, and their colours differ from what they were for seconds, by ``apart``
        (P,). Elsewhere the piece may have been misread, then or now.
        """
        settled = t - self._changed_at >= _SETTLED
        self._changed_at[places] = t
        return np.asarray(places & settled & self.touched & (apart > _ANOTHER))

    def confirm(self, places: np.ndarray) -> None:
        """Mark the (P,) bool ``places``, and how they look, as confirmed."""
        self.unchanged(places)
        self.unconfirmed &= ~places
        self.retries.at_once(places)
