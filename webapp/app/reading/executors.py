"""Where photographs are read: `concurrent.futures.Executor` for this computer or a cluster.

A task is a function, importable by name, of a path, a name for messages, profile names, the
expected number of boards, and the piece roles: the arguments of `ReadFile`.
"""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from queue import LifoQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from scorer.table import RolesByGame
from webapp.app.reading.read_photograph import ReadFile, ReadPhotograph
from webapp.app.reading.reading_process import Job, MakeRead, ReadingProcess, read_photograph

if TYPE_CHECKING:
    import vision
    from webapp.app.reading.photograph_reader import PhotographReader

log = logging.getLogger(__name__)

CLUSTER = "STARGAZER_CLUSTER"
"""The variable with the address of a Dask scheduler, such as tcp://192.0.2.7:8786."""

Answer = TypeVar("Answer")


class ClusterError(Exception):
    """The cluster cannot read; the one-line message says why and what to do."""


class ReadingExecutor(Protocol):
    """An `Executor` of tasks that read photographs."""

    @property
    def at_once(self) -> int:
        """The number of tasks it currently works on at a time."""

    def submit(self, fn: Callable[..., Answer], /, *arguments: Any) -> "Future[Answer]":
        """Run a task: `fn(path, name, profiles, expected, piece_roles)`."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop; with `cancel_futures`, running tasks are aborted and raise ReaderClosedError."""


class Processes(Executor):
    """Child processes on this computer, each started when needed and replaced when it dies."""

    def __init__(self, make_read: MakeRead | None = None, at_once: int = 1) -> None:
        """Read with what `make_read`, importable by name, returns in each process."""
        self._processes = [ReadingProcess(make_read) for _ in range(at_once)]
        self._idle: LifoQueue[ReadingProcess] = LifoQueue()
        for process in self._processes:
            self._idle.put(process)
        self._threads = ThreadPoolExecutor(at_once, "reading processes")

    @property
    def at_once(self) -> int:
        return len(self._processes)

    def submit(
        self, fn: Callable[..., Answer], /, *arguments: Any, **named: Any
    ) -> "Future[Answer]":
        """Run a task in the next free process. Raises RuntimeError after shutdown.

        The future raises the task's errors, UnusablePhotographError if it takes too long or ends
        its process, and ReaderClosedError.
        """
        return self._threads.submit(self._read, fn, *arguments, **named)

    def run(self, job: Job, *arguments: Any) -> Any:
        """Run another job in one of the processes. Raises the errors of `ReadingProcess.run`."""
        with self._one() as process:
            return process.run(job, *arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes once they are done; with `cancel_futures`, at once."""
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
    """Say what to install for a feature that only clubs need."""
    return f'{needed}, which needs more than a plain install: pip install "stargazer[club]"'


def named_cluster() -> ReadingExecutor | None:
    """Return the cluster that `STARGAZER_CLUSTER` names, None if unset. Raises ClusterError."""
    address = os.environ.get(CLUSTER)
    if not address:
        return None
    try:  # its dependencies are installed only with an extra
        from webapp.app.reading.cluster import Cluster
    except ModuleNotFoundError as error:
        raise ClusterError(missing_extra(f"{CLUSTER} asks for a cluster")) from error
    return Cluster(address)


def read_with(readers: ReadingExecutor, processes: ReadingExecutor) -> ReadFile:
    """Return a function that reads with `readers` and waits for the result.

    If a cluster fails for reasons of its own, `processes` on this computer read instead.
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
    """Read with the shipped models and calibration alone, without recent colour samples.

    Raises UnusablePhotographError and ProfileError.
    """
    return _own_reader().reader(profiles).read(path, expected, piece_roles)[1]


@cache
def _own_reader() -> "PhotographReader":
    from webapp.app.reading.photograph_reader import PhotographReader

    return PhotographReader()
