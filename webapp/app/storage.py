"""What a server keeps stays within what its disk, and whoever serves, can spare."""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic

SPARE_BYTES = 512 * 1024 * 1024
"""Left free on the disk: for the steps of the games that are there, and for other programs."""
COUNTED_EVERY = 10.0
"""Seconds for which a count of what is kept, and what came since, will do."""


class NoRoomError(Exception):
    """Something new is not taken in; `reason` says what is full.

    It is the disk, the storage, a game's photographs or its log, or the drafts of boards.
    """

    def __init__(self, reason: str) -> None:
        """`reason` is disk, storage, photographs, large_photographs, log or drafts."""
        super().__init__(reason)
        self.reason = reason


class Storage:
    """The room for what a folder keeps."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        """Let everything in `folder` take `most_bytes`."""
        self._folder = folder
        self._most = most_bytes
        self._used, self._counted_at = 0, -COUNTED_EVERY
        self._lock = Lock()

    def take(self, wanted: int) -> None:
        """Set so many bytes aside for something new. Raises NoRoomError."""
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
    """Say whether the disk of a folder takes so many bytes more and has some to spare."""
    return shutil.disk_usage(folder).free >= wanted + SPARE_BYTES


def _bytes_in(folder: Path) -> int:
    found = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # gone meanwhile
                found += Path(at, name).lstat().st_size
    return found
