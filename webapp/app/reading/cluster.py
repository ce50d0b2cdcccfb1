"""Reading photographs on a Dask cluster: the executor and its workers.

Photographs are sent whole. If a worker dies or the scheduler restarts, their photographs are sent
again. The owner's boards and recent colour samples are not sent: workers either share the data
folder or read only what does not need it. Each worker reports its versions, and is refused if they
differ.
"""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import distributed
from distributed.client import Client

from calibration import ProfileError
from scorer.table import RolesByGame
from webapp.app.reading.executors import ClusterError, Processes
from webapp.app.reading.read_photograph import ReaderClosedError
from webapp.app.reading.read_version import ReadVersion, read_version

log = logging.getLogger(__name__)
logging.getLogger("distributed").setLevel(logging.ERROR)  # repeated here for users

Answer = TypeVar("Answer")

CONNECTS_WITHIN = 10.0
"""Seconds for the scheduler to answer at first."""
COMES_BACK_WITHIN = 120.0
"""Seconds for a scheduler to come back after a lost connection."""
MOST_AT_ONCE = 64
"""The most photographs sent at a time; each is in memory on both sides."""
TRIES = 10
"""How often a photograph is sent; each failure means that a worker or the scheduler ended."""
LOOKED_AFTER = 2.0
"""Seconds between checks whether the connection used for a photograph still exists."""
COUNTED_EVERY = 2.0
"""Seconds between counts of the workers."""


@dataclass(frozen=True)
class _Sent:
    """A photograph to be sent, and the version to read it with."""

    name: str
    data: bytes
    version: ReadVersion


@dataclass(frozen=True)
class _Answered:
    """A worker's result: an answer, or the error that the task raised."""

    answer: Any = None
    error: Exception | None = None


class Cluster(Executor):
    def __init__(self, address: str) -> None:
        """Connect to the scheduler at `address`. Raises ClusterError if it does not answer."""
        self._address = address
        self._lock = threading.Lock()
        self._closed = False
        self._client = self._connect(CONNECTS_WITHIN)
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, "cluster")
        self._counted = (0.0, 1)

    @property
    def at_once(self) -> int:
        """Twice the number of the workers' threads, so that none is idle."""
        when, count = self._counted
        if time.monotonic() - when > COUNTED_EVERY:
            with suppress(Exception):  # the scheduler is away
                count = max(1, min(MOST_AT_ONCE, 2 * sum(self._client.nthreads().values())))
            self._counted = (time.monotonic(), count)
        return count

    def submit(
        self, fn: Callable[..., Answer], /, *arguments: Any, **named: Any
    ) -> "Future[Answer]":
        """Run a task on a worker; wait while there is none.

        The future raises the task's errors, ClusterError and ReaderClosedError.
        """
        return self._threads.submit(self._read, fn, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; with `cancel_futures`, without waiting for running tasks."""
        self._threads.shutdown(wait=wait and not cancel_futures, cancel_futures=cancel_futures)
        self._closed = True
        with suppress(Exception):
            self._client.close(timeout=1)
        self._threads.shutdown(wait=wait)

    def _read(
        self, task: Callable[..., Any], path: Path, name: str, profiles: Sequence[str], *more: Any
    ) -> Any:
        sent = _Sent(path.name, path.read_bytes(), read_version(profiles))
        for _ in range(TRIES):
            client = self._connected()
            try:
                answered = _answer(client, task, sent, name, profiles, *more)
            except Exception as error:  # Dask's errors; those of the task are in the answer
                log.info("%s is sent to the cluster again: %r", name, error)
                continue
            if answered.error is not None:
                raise answered.error
            return answered.answer
        raise ClusterError(
            f"{name}: the workers at {self._address} ended {TRIES} times while it was there:"
            " see what they say, and run this again"
        )

    def _connected(self) -> Client:
        """Return the connection, reconnecting if necessary. Raises the errors of `_read`."""
        with self._lock:
            if self._closed:
                raise ReaderClosedError
            if self._client.status != "running":
                log.warning("the scheduler at %s is away", self._address)
                with suppress(Exception):
                    self._client.close(timeout=1)
                self._client = self._connect(COMES_BACK_WITHIN)
            return self._client

    def _connect(self, within: float) -> Client:
        given_up = time.monotonic() + within
        while True:
            try:
                return Client(self._address, timeout=min(within, 5), set_as_default=False)
            except (OSError, ValueError) as error:  # no server, or an invalid address
                if self._closed:
                    raise ReaderClosedError from error
                if time.monotonic() > given_up or isinstance(error, ValueError):
                    raise ClusterError(
                        f"no scheduler answers at {self._address}: run `dask scheduler` there and"
                        f" `stargazer worker {self._address}` on each computer that is to read,"
                        " or unset STARGAZER_CLUSTER to read on this one"
                    ) from error
                time.sleep(0.2)


def _answer(client: Client, *task: Any) -> _Answered:
    """Return a worker's answer. Raises Dask's errors and ConnectionError.

    Dask never resolves the future of a task sent while a connection is being lost, so this checks.
    """
    connection = client.scheduler_comm
    future = client.submit(_in_worker, *task, pure=False)
    while True:
        try:
            answered: _Answered = future.result(timeout=LOOKED_AFTER)
            return answered
        except TimeoutError:
            if client.status != "running" or client.scheduler_comm is not connection:
                raise ConnectionError("the scheduler went away") from None


_reads: list[Processes] = []
"""The executor that a worker reads with, one per process."""


def work(address: str, processes: Processes) -> None:
    """Read for the scheduler at `address` until Ctrl-C; reconnect whenever it comes back."""
    _reads.append(processes)
    asyncio.run(_work_for_ever(address, processes.at_once))


async def _work_for_ever(address: str, at_once: int) -> None:
    with TemporaryDirectory(prefix="stargazer-worker-") as scratch:
        while True:
            try:
                worker = distributed.Worker(
                    address,
                    nthreads=at_once,
                    memory_limit=0,  # other processes decode photographs, with their own limits
                    local_directory=scratch,
                    dashboard=False,
                )
                async with worker:
                    log.warning("reads for %s, %d at a time", address, at_once)
                    await worker.finished()
            except (OSError, TimeoutError) as error:
                log.info("%s does not answer: %s", address, error)
            log.warning("waits for %s", address)
            await asyncio.sleep(1)


def _in_worker(
    task: Callable[..., Any],
    sent: _Sent,
    name: str,
    profiles: Sequence[str],
    expected: int,
    piece_roles: RolesByGame,
) -> _Answered:
    try:
        if not _reads:
            reason = "start workers with `stargazer worker`, not with Dask's own command"
            raise ClusterError(reason)
        _check_version(profiles, sent.version)
        with TemporaryDirectory(prefix="stargazer-") as folder:
            path = Path(folder) / Path(sent.name).name
            path.write_bytes(sent.data)
            read = _reads[0].submit(task, path, name, profiles, expected, piece_roles)
            return _Answered(read.result())
    except Exception as error:
        return _Answered(error=error)


def _check_version(profiles: Sequence[str], wanted: ReadVersion) -> None:
    own = _own_version(profiles)
    if own != wanted:
        what = "other boards" if own.reader == wanted.reader else "another version of Stargazer"
        raise ClusterError(
            f"the worker on {socket.gethostname()} has {what} than this computer: give it the same"
            " version, and the same data folder by --data"
        )


def _own_version(profiles: Sequence[str]) -> ReadVersion:
    """Return this worker's version; without profiles if one of them is missing."""
    try:
        return read_version(profiles)
    except ProfileError:
        return ReadVersion(read_version([]).reader, "")
