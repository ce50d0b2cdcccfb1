"""Read photographs into an archive incrementally: each new one once, resumable after any stop."""

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scorer.table import UNKNOWN_TABLE
from webapp.app.archive.parts import ArchiveContents, Parts, Row, boards_of
from webapp.app.reading.executors import ReadingExecutor, read_boards
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.read_version import ReadVersion, read_version

if TYPE_CHECKING:
    from vision import Reading

ROWS = 1000
"""The most photographs in one Parquet file."""
WRITTEN_EVERY = 60.0
"""Seconds between writes, the most work that a power cut loses."""

OnProgress = Callable[[int, int], None]
"""Called with the number of photographs done and the total."""


@dataclass
class Summary:
    """The outcome of each photograph."""

    read: int = 0
    boards: int = 0
    """Number of boards on the photographs that were read."""
    refused: Counter[str] = field(default_factory=Counter)
    """Refused photographs by reason; each has a row in the archive, too."""
    known: int = 0
    """Read earlier, or duplicates."""
    unopened: dict[str, str] = field(default_factory=dict)
    """Paths not opened, or changed while being read, with the reason; retried later.
    """


@dataclass(frozen=True)
class _File:
    path: Path
    digest: bytes
    size: int
    modified: int


class Archive:
    """An archive folder for one choice of profiles."""

    def __init__(self, folder: Path, executor: ReadingExecutor, profiles: Sequence[str]) -> None:
        """Read with `executor` and whichever of the named profiles matches.

        Raises ProfileError and DamagedPartError.
        """
        self._parts = Parts(folder)
        self._executor = executor
        self._profiles = tuple(profiles)
        self._version: ReadVersion = read_version(profiles)
        self._kept: ArchiveContents = self._parts.kept(self._version)
        self._rows: list[Row] = []
        self._written = time.monotonic()

    def read(self, paths: Sequence[Path], on_progress: OnProgress = lambda *_: None) -> Summary:
        """Read the new photographs; whatever was written stays if this is interrupted.

        Raises OSError if the archive cannot be written, and ClusterError.
        """
        summary, done = Summary(), 0
        ahead: dict[Future[Reading], _File] = {}
        files = self._new(paths, summary)
        more = True
        try:
            while more or ahead:
                while more and len(ahead) < 2 * self._executor.at_once:
                    file = next(files, None)
                    more = file is not None
                    if file is not None:
                        ahead[self._submit(file.path)] = file
                finished, _ = wait(ahead, WRITTEN_EVERY, FIRST_COMPLETED)
                for future in finished:
                    self._add(ahead.pop(future), future, summary)
                is_time = time.monotonic() - self._written > WRITTEN_EVERY
                self._write_if(len(self._rows) >= (1 if is_time else ROWS))
                gone = summary.known + len(summary.unopened)
                done = gone + summary.read + summary.refused.total()
                on_progress(done, len(paths))
        finally:
            self._write_if(bool(self._rows))
        return summary

    def _submit(self, path: Path) -> "Future[Reading]":
        task = (path, path.name, self._profiles, 1, UNKNOWN_TABLE)
        return self._executor.submit(read_boards, *task)

    def _new(self, paths: Iterable[Path], summary: Summary) -> Iterator[_File]:
        """Yield files with pictures that are not in the archive, without duplicates."""
        for path in paths:
            try:
                status = path.stat()
                if self._kept.files.get(_name(path)) == (status.st_size, status.st_mtime_ns):
                    summary.known += 1
                    continue
                with path.open("rb") as opened:
                    digest = hashlib.file_digest(opened, "sha256").digest()
            except OSError as error:
                summary.unopened[str(path)] = error.strerror or str(error)
                continue
            if digest in self._kept.photographs:
                summary.known += 1
                continue
            self._kept.photographs.add(digest)
            yield _File(path, digest, status.st_size, status.st_mtime_ns)

    def _add(self, file: _File, read: "Future[Reading]", summary: Summary) -> None:
        """Add the row of a photograph. Raises errors that the photograph did not cause."""
        row = {
            "photograph": file.digest.hex(),
            **self._version._asdict(),
            "path": _name(file.path),
            "size": file.size,
            "modified": file.modified,
        }
        try:
            reading = read.result()
            now = file.path.stat()
        except UnusablePhotographError as error:
            summary.refused[error.problem] += 1
            self._rows.append({**row, "problem": error.problem, "message": str(error)})
            return
        except OSError as error:  # removed meanwhile
            summary.unopened[str(file.path)] = error.strerror or str(error)
            return
        if (now.st_size, now.st_mtime_ns) != (file.size, file.modified):
            summary.unopened[str(file.path)] = "changed while it was read"
            return
        summary.read += 1
        summary.boards += len(reading.boards)
        taken = reading.timing_ms["total"]
        self._rows.append({**row, "milliseconds": taken, "boards": boards_of(reading)})

    def _write_if(self, needed: bool) -> None:
        if needed:
            self._parts.write(self._rows)
            self._rows = []
            self._written = time.monotonic()


def _name(path: Path) -> str:
    """Return an absolute path as text, with undecodable bytes replaced."""
    return os.fsencode(path.absolute()).decode("utf-8", "replace")
