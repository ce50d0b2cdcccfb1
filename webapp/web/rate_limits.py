"""Rate limits per address, by a monotonic clock."""

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
"""Endpoints that store files; they share one limit of bytes per phone."""


class MonotonicStorage(Storage):
    """A fixed-window counter in memory.

    The storage of `limits` uses the wall clock: after it is set back an hour, whoever has reached a
    limit waits for an hour.
    """

    STORAGE_SCHEME = ["monotonic"]  # noqa: RUF012 - as its base class has it

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False) -> None:
        self._lock = Lock()
        self._windows: dict[str, tuple[float, int]] = {}
        super().__init__(uri, wrap_exceptions=wrap_exceptions)

    @property
    def base_exceptions(self) -> type[Exception]:
        """Errors that a remote storage might raise; this one raises none."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to the count of `key` in its open window, or in a new one of `expiry` seconds."""
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
        """Return the count of the open window."""
        ends, count = self._windows.get(key, (0.0, 0))
        return count if ends > monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """Return when the window ends, as wall clock time."""
        ends, _ = self._windows.get(key, (0.0, 0))
        return time() + max(0.0, ends - monotonic())

    def check(self) -> bool:
        """Return True: it is always available."""
        return True

    def reset(self) -> int:
        """Clear all counts, and return how many there were."""
        with self._lock:
            forgotten, self._windows = len(self._windows), {}
        return forgotten

    def clear(self, key: str) -> None:
        with self._lock:
            self._windows.pop(key, None)
