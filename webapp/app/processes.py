"""Child processes for work that may crash, freeze or never start, without blocking their user.

Two threads send and receive a process's messages. A frozen one blocks only these threads; killing
it releases them. It ends with its parent process, however that ends. Its user decides when to
replace a process.
"""

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

MOST_WORDS = 256
"""Capacity of each of the two queues: messages to send and messages received."""
GONE_WITHIN = 5.0
"""Seconds in which a killed process ends, unless a driver holds it."""

_SPAWN = multiprocessing.get_context("spawn")
_THE_END = object()
"""The end-of-queue sentinel of both queues, compared by identity."""
_LAST_ACTS: list[Callable[[], object]] = []


class ProcessEndedError(Exception):
    """The process has ended and all its messages have been received."""

    def __init__(self, exitcode: int | None = None) -> None:
        """`exitcode` is that of `multiprocessing.Process`: 0 if it ended by itself.

        Any other number: it crashed or was killed. None: it closed its pipe but still runs.
        """
        super().__init__(f"ended with {exitcode}")
        self.exitcode = exitcode


class ChildProcess:
    """A spawned process and a pipe to it; only one thread may call `hear`."""

    def __init__(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        """Start `target(connection, *arguments)`, which must be importable by name."""
        self._connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=_run, args=(theirs, target, arguments), name=name, daemon=True
        )
        self._process.start()
        theirs.close()  # lets the pipe close when the process ends
        self._to_send: Queue[Any] = Queue(MOST_WORDS)
        self._received: Queue[Any] = Queue(MOST_WORDS)
        self._has_spoken = False
        self._silent_since = monotonic()
        self._sending_since: float | None = None
        self._threads = [
            threading.Thread(target=do, name=f"{name}: {does}", daemon=True)
            for do, does in ((self._send, "send"), (self._hear, "hear"))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether it runs, even if frozen."""
        return self._process.is_alive()

    def say(self, word: object) -> bool:
        """Queue a message; return False if the queue is full and the message is dropped.

        Raises what `pickle` does if the message cannot be pickled.
        """
        with suppress(Full):
            self._to_send.put_nowait(ForkingPickler.dumps(word))
            return True
        return False

    def ask(self, word: object) -> bool:
        """Queue a message that requires an answer, and restart the silence timer."""
        self._silent_since = monotonic()
        return self.say(word)

    def hear(self, seconds: float) -> Any:
        """Return its next message. Raises TimeoutError if none arrives in time.

        Raises ProcessEndedError once it has ended.
        """
        try:
            word = self._received.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"{self._process.name} says nothing") from None
        if word is _THE_END:
            self._received.put(_THE_END)
            self._process.join(1.0)  # its pipe closes a moment before it ends
            raise ProcessEndedError(self._process.exitcode)
        self._has_spoken, self._silent_since = True, monotonic()
        return word

    def is_frozen(self, starts_within: float, answers_within: float, busy: bool) -> bool:
        """Whether it has sent or accepted nothing for longer than a healthy process would.

        `starts_within` seconds apply to its first message, `answers_within` to each later one while
        it is `busy`.
        """
        silence = monotonic() - self._silent_since
        if not self._has_spoken:
            return silence > starts_within
        since = self._sending_since
        taking = 0.0 if since is None else monotonic() - since
        return (busy and silence > answers_within) or taking > answers_within

    def kill(self) -> None:
        """Kill the process in any state: frozen or starting, too."""
        self._process.kill()

    def release(self) -> int | None:
        """Kill the process and free its resources; return its exit code, None if it lives on."""
        self.kill()
        with suppress(Full):  # else the thread is sending, which fails now
            self._to_send.put_nowait(_THE_END)
        self._process.join(GONE_WITHIN)
        for thread in self._threads:
            given_up = monotonic() + GONE_WITHIN
            while thread.is_alive() and monotonic() < given_up:
                with suppress(Empty):  # the receiving thread may be waiting for room
                    self._received.get_nowait()
                thread.join(0.05)
        if any(thread.is_alive() for thread in self._threads):
            log.warning("%s does not end, it is left behind", self._process.name)
        else:
            self._connection.close()
        return self._process.exitcode

    def _send(self) -> None:
        with suppress(OSError):
            while (word := self._to_send.get()) is not _THE_END:
                self._sending_since = monotonic()
                self._connection.send_bytes(word)
                self._sending_since = None

    def _hear(self) -> None:
        try:
            with suppress(EOFError, OSError):
                while True:
                    self._received.put(self._connection.recv())
        finally:  # also after a message that cannot be unpickled
            self._received.put(_THE_END)


def when_orphaned(act: Callable[[], object]) -> None:
    """Register an action for a child process to run before it ends with its parent."""
    _LAST_ACTS.append(act)


def _run(connection: Connection, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Run `target` in the child process until it returns or the parent ends."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    if hasattr(os, "nice"):
        os.nice(5)  # pages go first
    if sys.platform == "linux":
        with suppress(OSError):  # when memory runs out, this process is killed before the server
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no core dump of a photograph
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        target(connection, *arguments)


def _end_with_the_parent() -> None:
    """Exit when the parent does, however it ended and whatever this process waits for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    try:
        for act in _LAST_ACTS:
            act()
    finally:
        os._exit(1)
