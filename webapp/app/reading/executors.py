"""Where photographs are read: behind `concurrent.futures.Executor`, whichever machine reads.

A task is a function, importable by its name, of a path, a name for messages, the names of profiles,
how many boards are expected, and what may lie on them: `ReadFile`'s arguments.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from queue import LifoQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from scorer.game import RolesByGame
from webapp.app.reading.read_photograph import ReadFile, ReadPhotograph
from webapp.app.reading.reading_process import (
    Job,
    MakeRead,
    ReadingProcess,
    read_photograph,
)

if TYPE_CHECKING:
    import vision
    from webapp.app.reading.photograph_reader import PhotographReader

log = logging.getLogger(__name__)

CLUSTER = "STARGAZER_CLUSTER"
"""Names the address of a Dask scheduler whose workers read, such as tcp://192.0.2.7:8786."""

Answer = TypeVar("Answer")


class ClusterError(Exception):
    """The cluster that is asked for does not read; one line: why and what to do."""


class ReadingExecutor(Protocol):
    """An `Executor` of tasks that read photographs."""

    @property
    def at_once(self) -> int:
        """How many tasks it works on at a time, now."""

    def submit(self, fn: Callable[..., Answer], /, *arguments: Any) -> "Future[Answer]":
        """Have a task done: `fn(path, name, profiles, expected, piece_roles)`."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End; with `cancel_futures` in the midst of photographs, which raise ReaderClosedError."""


class Processes(Executor):
    """Processes of this computer, each started when it is needed and replaced when it dies."""

    def __init__(self, make_read: MakeRead | None = None, at_once: int = 1) -> None:
        """Read for pages with what `make_read` makes, which goes to a process by its name."""
        self._processes = [ReadingProcess(make_read) for _ in range(at_once)]
        self._idle: LifoQueue[ReadingProcess] = LifoQueue()
        for process in self._processes:
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(at_once, "reading processes")

    @property
    def at_once(self) -> int:
        """How many processes there are at most."""
        return len(self._processes)

    def submit(
        self, fn: Callable[..., Answer], /, *arguments: Any, **named: Any
    ) -> "Future[Answer]":
        """Have a task done by the next process that is free. Raises RuntimeError at the end.

        Its future raises what the task does, UnusablePhotographError of one that takes too long
        or ends its process, and ReaderClosedError.
        """
        return self._threads.submit(self._read, fn, *arguments, **named)

    def run(self, job: Job, *arguments: Any) -> Any:
        """Do other work in one of the processes. Raises as `ReadingProcess.run` does."""
        with self._one() as process:
            return process.run(job, *arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes once they are done; with `cancel_futures` in the midst."""
        self._threads.shutdown(wait=wait and not cancel_futures, cancel_futures=cancel_futures)
        for process in self._processes:
            process.close()
        self._threads.shutdown(wait=wait)

    def _read(self, task: Callable[..., Any], path: Path, *arguments: Any) -> Any:
        with self._one() as process:
            if task is read_photograph:
                return process(path, *arguments)
            return process.read(task, path, *arguments)

    @contextmanager
    def _one(self) -> Iterator[ReadingProcess]:
        process = self._idle.get()
        try:
            yield process
        finally:
            self._idle.put(process)


def missing_extra(needed: str) -> str:
    """Say what to install for something that only clubs need."""
    return f'{needed}, which needs more than a plain install: pip install "stargazer[club]"'


def read_with(readers: ReadingExecutor, processes: ReadingExecutor) -> ReadFile:
    """Reading for the pages, as a function that waits for it.

    What a cluster cannot read for reasons of its own, this computer's `processes` read.
    """

    def read(
        path: Path, name: str, profiles: Sequence[str], expected: int, piece_roles: RolesByGame
    ) -> ReadPhotograph:
        task = (read_photograph, path, name, profiles, expected, piece_roles)
        try:
            return readers.submit(*task).result()
        except ClusterError as error:
            log.warning("%s; it is read on this computer", error)
            return processes.submit(*task).result()

    return read


def read_boards(
    path: Path, name: str, profiles: Sequence[str], expected: int, piece_roles: RolesByGame
) -> "vision.Reading":
    """Read with the shipped models alone, whatever else was seen this evening.

    Raises UnusablePhotographError and ProfileError.
    """
    return _own_reader().reader(profiles).read(path, expected, piece_roles)[1]


@cache
def _own_reader() -> "PhotographReader":
    from webapp.app.reading.photograph_reader import PhotographReader

    return PhotographReader()
