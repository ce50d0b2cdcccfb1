"""Limits on what a server stores: free disk space and its owner's limit."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic

SPARE_BYTES = 512 * 1024 * 1024
"""Bytes left free on the disk for the steps of existing games and for other programs."""
COUNTED_EVERY = 10.0
"""Seconds for which a measured size, plus what was added since, is used."""


class NoRoomError(Exception):
    """Something new was refused because storage is full."""

    def __init__(self, reason: str) -> None:
        """`reason` is disk, storage, photographs, large_photographs, log or drafts."""
        super().__init__(reason)
        self.reason = reason


class Storage:
    """The storage limit of a folder."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """Limit everything in `folder` to `most_bytes`."""
        self._folder = folder
        self._most = most_bytes
        self._used, self._counted_at = 0, -COUNTED_EVERY
        self._lock = Lock()

    def take(self, wanted: int) -> None:
        """Reserve `wanted` bytes. Raises NoRoomError."""
        with self._lock:
            now = monotonic()
            if now - self._counted_at >= COUNTED_EVERY:
                self._used, self._counted_at = _bytes_in(self._folder), now
            if not has_room(self._folder, wanted):
                raise NoRoomError("disk")
            if self._used + wanted > self._most:
                raise NoRoomError("storage")
            self._used += wanted


def has_room(folder: Path | str, wanted: int) -> bool:
    """Return whether the disk can take `wanted` bytes and still have `SPARE_BYTES` free."""
    return shutil.disk_usage(folder).free >= wanted + SPARE_BYTES


def _bytes_in(folder: Path) -> int:
    found = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile
                found += Path(at, name).lstat().st_size
    return found
