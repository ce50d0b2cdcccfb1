"""How often an address has asked for something of late, by a clock that cannot be set back."""

from threading import Lock
from time import monotonic, time

from limits.storage import Storage

RATE_LIMITS = {  # by the endpoint, or by a method and the endpoint
    "invitations.join": "20 per minute",
    "invitations.let_in": "20 per minute",
    "POST drafts.add": "30 per minute",
    "drafts.keep_corners": "60 per minute",
    "drafts.find_again": "30 per minute",
    "trials.take": "30 per minute",
    "stars.photograph": "30 per minute",
    "own_cards.photograph": "30 per minute",
    "profiles.take_in": "30 per minute",
    "photographs.add": "60 per minute",
    "POST games.new": "12 per minute",
    "history.rematch": "12 per minute",
    "lesson_camera.choose": "12 per minute",
    "POST history.take_in": "12 per minute",
    "people.take_picture": "12 per minute",
    "live_cameras.frame": "2400 per minute",
    "live_cameras.picture": "600 per minute",
    "sharing.as_picture": "60 per minute",
    "api.read": "120 per minute",
    "api.score": "600 per minute",
}

KEEPS_WHAT_IS_SENT = (
    "photographs.add",
    "drafts.add",
    "stars.photograph",
    "own_cards.photograph",
    "profiles.take_in",
    "people.take_picture",
)
"""Endpoints that keep files: a phone may send them so many bytes together."""


class MonotonicStorage(Storage):
    """Counts in memory, in windows of fixed length.

    With the storage that `limits` brings, whoever has reached a limit when the clock is set back
    an hour waits for an hour.
    """

    STORAGE_SCHEME = ["monotonic"]  # noqa: RUF012 - as its base class has it

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False) -> None:
        """Count from nothing."""
        self._lock = Lock()
        self._windows: dict[str, tuple[float, int]] = {}
        super().__init__(uri, wrap_exceptions=wrap_exceptions)

    @property
    def base_exceptions(self) -> type[Exception]:
        """What a storage elsewhere might raise; this one raises nothing."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count for `key` in the window now open, or in one that opens for `expiry` seconds."""
        with self._lock:
            now = monotonic()
            ends, count = self._windows.get(key, (now, 0))
            if ends <= now:
                self._windows = {
                    other: window for other, window in self._windows.items() if window[0] > now
                }
                ends, count = now + expiry, 0
            self._windows[key] = ends, count + amount
            return count + amount

    def get(self, key: str) -> int:
        """Return the count of the window now open."""
        ends, count = self._windows.get(key, (0.0, 0))
        return count if ends > monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window closes, by the wall clock."""
        ends, _ = self._windows.get(key, (0.0, 0))
        return time() + max(0.0, ends - monotonic())

    def check(self) -> bool:
        """Say that it is there."""
        return True

    def reset(self) -> int:
        """Forget all counts, and return how many there were."""
        with self._lock:
            forgotten, self._windows = len(self._windows), {}
        return forgotten

    def clear(self, key: str) -> None:
        """Forget one count."""
        with self._lock:
            self._windows.pop(key, None)
