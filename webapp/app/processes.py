"""A process of its own for what may crash, freeze or never begin: who uses it never waits for it.

What is said to it is put down for one thread to send, what it says is heard by another. A process
that is frozen stops both of them and nobody else; killing it sets them free. It ends with the one
that started it, however that ends. When a process is replaced, and how often, is its user's affair.
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
"""Words that may wait to be sent, and as many that were heard and wait for who hears them."""
GONE_WITHIN = 5.0
"""Seconds within which a killed process is gone, if no driver holds it."""

_SPAWN = multiprocessing.get_context("spawn")
_THE_END = object()
"""Told apart by identity: the last of what is sent, and of what is heard."""
_LAST_ACTS: list[Callable[[], object]] = []


class ProcessEndedError(Exception):
    """The process has ended, and all that it said was received."""

    def __init__(self, exitcode: int | None = None) -> None:
        """End with `exitcode`, as `multiprocessing.Process` has it: 0 of its own accord.

        With any other it crashed or was killed; with None it closed its pipe and goes on.
        """
        super().__init__(f"ended with {exitcode}")
        self.exitcode = exitcode


class ChildProcess:
    """A process that was started anew ("spawn"), with a pipe to it; for one thread to hear."""

    def __init__(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        """Start `target(connection, *arguments)`, importable by its name, in a process."""
        self._connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=_run, args=(theirs, target, arguments), name=name, daemon=True
        )
        self._process.start()
        theirs.close()  # so that the end of the process is the end of the pipe
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
        """The process's number."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Whether it runs, be it frozen."""
        return self._process.is_alive()

    def say(self, word: object) -> bool:
        """Let a word be sent; False where too many wait already, so that this one never will.

        Raises what `pickle` does where the word cannot be sent at all.
        """
        with suppress(Full):
            self._to_send.put_nowait(ForkingPickler.dumps(word))
            return True
        return False

    def ask(self, word: object) -> bool:
        """Say what it is to answer: its silence counts from now on."""
        self._silent_since = monotonic()
        return self.say(word)

    def hear(self, seconds: float) -> Any:
        """Return its next word. Raises TimeoutError where none is whole by then.

        Raises ProcessEndedError.
        """
        try:
            word = self._received.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"{self._process.name} says nothing") from None
        if word is _THE_END:
            self._received.put(_THE_END)
            self._process.join(1.0)  # its pipe is closed a moment before its end
            raise ProcessEndedError(self._process.exitcode)
        self._has_spoken, self._silent_since = True, monotonic()
        return word

    def is_frozen(self, starts_within: float, answers_within: float, busy: bool) -> bool:
        """Whether it says nothing, or takes nothing, for longer than any sound one.

        It has so many seconds for its first word, and for each later one while it is `busy`.
        """
        silence = monotonic() - self._silent_since
        if not self._has_spoken:
            return silence > starts_within
        since = self._sending_since
        taking = 0.0 if since is None else monotonic() - since
        return (busy and silence > answers_within) or taking > answers_within

    def kill(self) -> None:
        """End the process, whatever it is at: frozen, starting, or in a driver's hands."""
        self._process.kill()

    def release(self) -> int | None:
        """Kill the process and let go of what belongs to it; its exit code, None if it lives on."""
        self.kill()
        with suppress(Full):  # else the thread is sending, which fails now
            self._to_send.put_nowait(_THE_END)
        self._process.join(GONE_WITHIN)
        for thread in self._threads:
            given_up = monotonic() + GONE_WITHIN
            while thread.is_alive() and monotonic() < given_up:
                with suppress(Empty):  # the thread that hears may wait for room
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
        finally:  # also after a word that nobody here understands
            self._received.put(_THE_END)


def when_orphaned(act: Callable[[], object]) -> None:
    """Have this process do something before it ends for its parent's end; called in a child."""
    _LAST_ACTS.append(act)


def _run(connection: Connection, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Work in the process, until the work or the parent ends."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    if hasattr(os, "nice"):
        os.nice(5)  # pages go first
    if sys.platform == "linux":
        with suppress(OSError):  # where memory ends, this process goes before the server
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no picture of a photograph's memory
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        target(connection, *arguments)


def _end_with_the_parent() -> None:
    """End when the parent does, however it was ended, and whatever this process waits for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    try:
        for act in _LAST_ACTS:
            act()
    finally:
        os._exit(1)
