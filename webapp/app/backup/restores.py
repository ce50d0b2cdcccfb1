"""Restoring uploaded backups, one at a time, in a separate process.

The file is untrusted: it is validated and restored in a process with limits on memory and time.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webapp.app.backup.archive import MB, BackupError
from webapp.app.backup.backups import Backups, Plan, Restored
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.database import is_temporary, open_database
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_process import Job, ReadingProcess, RunJob
from webapp.app.settings import Settings
from webapp.app.storage import NoRoomError, Storage

WORKS_AT_LEAST = 60.0
"""Minimum time limit in seconds, however small the backup."""
SECONDS_OF_MB = 10.0
"""Additional seconds for each megabyte of the file, for hundreds of games without pictures."""
WORKS_AT_MOST = 1800.0
MEMORY = 1024 * MB
"""Several times the memory (bytes) of the largest game that a backup may have."""


class RestoreUnderWayError(Exception):
    """Another backup is being validated or restored."""


@dataclass
class Restores:
    """Restores backups to the paths in `settings`; `key` is the server's secret key."""

    settings: Settings
    key: bytes
    run_job: RunJob | None = None
    """Runs a job in isolation; None starts a process with limits."""
    _busy: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold exclusive access to the uploaded file. Raises RestoreUnderWayError."""
        if not self._busy.acquire(blocking=False):
            raise RestoreUnderWayError
        try:
            yield
        finally:
            self._busy.release()

    def plan(self, path: Path) -> Plan:
        """See `Backups.plan`."""
        plan: Plan = self._run(plan_backup, path)
        return plan

    def restore(self, path: Path) -> Restored:
        """See `Backups.restore`."""
        restored: Restored = self._run(restore_backup, path)
        return restored

    def _run(self, job: Job, path: Path) -> Any:
        if self.run_job is not None:
            return self.run_job(job, self.settings, self.key, path)
        allowed = WORKS_AT_LEAST + SECONDS_OF_MB * path.stat().st_size / MB
        within = min(allowed, WORKS_AT_MOST)
        process = ReadingProcess(None, longest=2 * within, job_within=within, memory=MEMORY)
        try:
            return process.run(job, self.settings, self.key, path)
        except UnusablePhotographError as error:
            if error.problem == "too_slow":
                raise BackupError("takes far too long to look through") from error
            raise BackupError("cannot be looked through here") from error
        finally:
            process.close()


def plan_backup(settings: Settings, key: bytes, path: Path) -> Plan:
    return backups_of(settings, key).plan(path)


def restore_backup(settings: Settings, key: bytes, path: Path) -> Restored:
    """See `Backups.restore`; raises NoRoomError for a full disk."""
    try:
        return backups_of(settings, key).restore(path)
    except Exception as error:
        if is_temporary(error):
            raise NoRoomError("disk") from error
        raise


def backups_of(settings: Settings, key: bytes) -> Backups:
    """Return a `Backups` for this process. Raises DatabaseError."""
    storage = Storage(settings.data_dir, settings.max_stored_bytes)
    sessions = open_database(settings.database)
    return Backups(sessions, settings, KnownBoards(settings.profile), storage, key)
