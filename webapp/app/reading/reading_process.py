"""A child process that reads photographs, so that none can block or crash the server.

A malicious picture can take minutes to decode, exhaust memory, or crash a decoder. The process has
a time limit, and is replaced for the next photograph if it dies. It is kept between photographs, so
that models are loaded once.
"""

import ctypes
import logging
import math
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from calibration import ProfileError
from scorer.table import UNKNOWN_TABLE, RolesByGame
from webapp.app.backup.archive import BackupError
from webapp.app.processes import ChildProcess, ProcessEndedError, when_orphaned
from webapp.app.reading.read_photograph import (
    ReaderClosedError,
    ReadFile,
    ReadPhotograph,
    UnusablePhotographError,
    mark_in_hand,
)
from webapp.app.storage import NoRoomError

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

STARTS_WITHIN = 300.0
"""Seconds for a process to start and load models; a small computer takes 15 s, a very busy one
100 s."""
READS_WITHIN = 20.0
"""Seconds of processor time per photograph; 12 megapixels take 0.3 s, 3 s on a small computer."""
JOB_WITHIN = 60.0
"""Seconds of processor time for other jobs, such as finding the spaces of an unknown board."""
LONGEST = 120.0
"""Seconds of elapsed time for either, to allow for a busy computer."""
TRIES = 2
"""Attempts per photograph if the process dies, since that may have had another cause."""

COME_BACK = (UnusablePhotographError, ProfileError, BackupError, NoRoomError)
"""The errors of jobs that are raised again in the server."""

MakeRead = Callable[[], ReadFile]
"""Returns the reader, in the child process; importable by name."""
Job = Callable[..., Any]
"""Another task for the process, importable by name, with small picklable arguments and results. It
may raise the errors in `COME_BACK`."""
RunJob = Callable[..., Any]
"""Runs a `Job` in isolation and returns its result."""


class ReadingProcess:
    """Reads one file at a time in a child process, started with the first."""

    def __init__(
        self,
        make_read: MakeRead | None,
        reads_within: float = READS_WITHIN,
        longest: float = LONGEST,
        job_within: float = JOB_WITHIN,
        memory: int | None = None,
    ):
        """Read with what `make_read` returns in the process; None for other jobs only.

        A photograph may take `reads_within` seconds of processor time, another job `job_within`,
        and either `longest` seconds of elapsed time; on Windows these limits are all elapsed time.
        `memory` is the bytes it may allocate once it is ready (Linux only).
        """
        self._job_within, self._memory = job_within, memory
        self._make_read = make_read
        self._reads_within = reads_within
        self._longest = longest
        self._one_at_a_time = threading.Lock()
        self._process: ChildProcess | None = None
        self._closed = False

    def __call__(
        self,
        path: Path,
        name: str,
        profiles: Sequence[str],
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> ReadPhotograph:
        """Read the photograph at `path`. Raises UnusablePhotographError and ReaderClosedError."""
        arguments = (path, name, tuple(profiles), expected, piece_roles)
        read: ReadPhotograph = self._do(read_photograph, arguments, name, self._reads_within)
        return read

    def read(self, task: Job, path: Path, *arguments: Any) -> Any:
        """Read the photograph at `path` with another task, within the limits of `__call__`.

        Raises the same errors.
        """
        return self._do(task, (path, *arguments), path.name, self._reads_within)

    def run(self, job: Job, *arguments: Any) -> Any:
        """Run another job. Raises its errors and those of `__call__`."""
        return self._do(job, arguments, "this file", self._job_within)

    def _do(self, job: Job, arguments: tuple[Any, ...], name: str, within: float) -> Any:
        """Have the process do a job; `name` is for messages."""
        with self._one_at_a_time:
            for _ in range(TRIES):
                try:
                    answer = self._ask(job, arguments, name, within)
                except TimeoutError as error:
                    self._bury("because it took too long")
                    raise UnusablePhotographError(
                        "too_slow",
                        f"{name} takes longer than {within:.0f} seconds to read: save"
                        " it again as an ordinary JPEG, or take another photograph",
                    ) from error
                except ProcessEndedError:
                    self._bury(f"while it read {name}")
                    if self._closed:
                        raise ReaderClosedError from None
                    continue
                if isinstance(answer, COME_BACK):
                    raise answer
                return answer
        raise UnusablePhotographError(
            "failed", f"{name} cannot be read: take another photograph, or save it again as JPEG"
        )

    def close(self) -> None:
        """End the process, even while it reads a photograph."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._one_at_a_time:
            self._bury("with the server")

    def _ask(self, job: Job, arguments: tuple[Any, ...], name: str, within: float) -> Any:
        """Have the process work. Raises ProcessEndedError, and TimeoutError past a limit."""
        process = self._process
        if process is None or not process.is_alive():
            process = self._start()
        longest = self._longest if sys.platform != "win32" else within
        process.say((job, arguments, name, within, longest))
        try:
            return process.hear(longest)
        except ProcessEndedError as error:
            if sys.platform != "win32" and error.exitcode == -signal.SIGXCPU:
                raise TimeoutError("the system ended it for what it has worked") from error
            raise

    def _start(self) -> ChildProcess:
        """Start a process, and wait until it is ready."""
        self._bury("between photographs")
        if self._closed:
            raise ProcessEndedError
        name = "stargazer reads photographs"
        process = ChildProcess(name, _read_for_ever, self._make_read, self._memory)
        self._process = process
        if self._closed:  # closed meanwhile
            process.kill()
        try:
            process.hear(STARTS_WITHIN)
        except TimeoutError as error:  # not the photograph's fault
            raise ProcessEndedError from error
        return process

    def _bury(self, when: str) -> None:
        """Release what is left of a process."""
        process, self._process = self._process, None
        if process is not None:
            exitcode = process.release()
            if not self._closed:
                log.warning("the process that reads ended %s (%s)", when, exitcode)


def shipped_reader(colour_samples: Path) -> ReadFile:
    """Return the reader with the shipped models, which only the child process loads.

    `colour_samples` is the folder of colours sampled from corrected boards.
    """
    from webapp.app.reading.colour_samples import ColourSamples
    from webapp.app.reading.photograph_reader import PhotographReader

    return PhotographReader(ColourSamples(colour_samples))


_made: list[ReadFile] = []
"""The reader of this child process, once it is made."""


def read_photograph(
    path: Path, name: str, profiles: Sequence[str], expected: int, piece_roles: RolesByGame
) -> ReadPhotograph:
    """Read with the reader that the process was started with. Raises the errors of `ReadFile`."""
    assert _made, "a process for other work alone reads nothing"
    return _made[0](path, name, profiles, expected, piece_roles)


def _read_for_ever(pipe: Connection, make_read: MakeRead | None, memory: int | None) -> None:
    """Serve the server's requests until it closes the pipe."""
    warnings.filterwarnings("ignore", module="PIL")  # about broken EXIF data
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    in_hand: list[Path] = []
    when_orphaned(lambda: _unmark(in_hand))  # the photograph did not end the server
    if make_read is not None:
        _made.append(make_read())
    if memory is not None and sys.platform == "linux":
        _limit_memory(memory)
    pipe.send(None)
    while True:
        job, arguments, name, within, longest = pipe.recv()
        if sys.platform != "win32":
            signal.alarm(round(longest) + 10)  # in case the parent cannot kill it
            _limit_work(time.process_time() + within)
        if job is read_photograph:
            in_hand.append(mark_in_hand(arguments[0]))
            with suppress(OSError):
                in_hand[0].touch(mode=0o600)
        answer = _answer(job, arguments, name)
        _unmark(in_hand)
        pipe.send(answer)
        if give_back is not None:  # glibc keeps what was freed between other blocks
            give_back(0)
        if sys.platform != "win32":
            signal.alarm(0)
            _limit_work(math.inf)


def _unmark(in_hand: list[Path]) -> None:
    for mark in in_hand:
        with suppress(OSError):
            mark.unlink(missing_ok=True)
    in_hand.clear()


if sys.platform != "win32":

    def _limit_work(seconds: float) -> None:
        """Have the system kill this process at `seconds` of processor time."""
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        limit = resource.RLIM_INFINITY if math.isinf(seconds) else math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, most))

    def _limit_memory(more: int) -> None:
        """Limit the memory this process may still allocate, in bytes."""
        data_pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        limit = data_pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _answer(work: Job, arguments: tuple[Any, ...], name: str) -> Any:
    try:
        return work(*arguments)
    except COME_BACK as error:
        return error
    except Exception:
        # Whatever one photograph breaks, the next one is still read.
        log.exception("%s could not be read", name)
        return UnusablePhotographError("failed", f"{name} cannot be read: take another photograph")
