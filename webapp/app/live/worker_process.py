"""A worker's process and the two threads that talk with it: who uses them never waits for it.

What is said to the worker is put down for one thread to send, what it says is heard by another.
A process that is frozen stops both of them and nobody else; killing it sets them free.
"""

import logging
import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any

log = logging.getLogger(__name__)

MOST_WORDS = 256
"""Words that may wait to be sent."""
GONE_WITHIN = 2.0
"""Seconds within which a killed process is gone, if no driver holds it."""

_SPAWN = multiprocessing.get_context("spawn")
_THE_END = object()
"""Told apart by identity: the last of what is sent, and of what is heard."""


class WorkerGoneError(Exception):
    """The process has ended, and all that it said was received."""


class WorkerProcess:
    """A process that was started anew, with a pipe to it."""

    def __init__(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        """Start `target(connection, *arguments)`, importable by its name, in a process."""
        self._connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=target, args=(theirs, *arguments), name=name, daemon=True
        )
        self._process.start()
        theirs.close()  # so that the end of the process is the end of the pipe
        self._to_send: Queue[Any] = Queue(MOST_WORDS)
        self._heard: Queue[Any] = Queue()
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

    def say(self, word: object) -> bool:
        """Let a word be sent; False where too many wait already, so that this one never will."""
        with suppress(Full):
            self._to_send.put_nowait(word)
            return True
        return False

    def hear(self, seconds: float) -> Any:
        """Return the next word of the worker, None where none comes in time.

        Raises WorkerGoneError.
        """
        try:
            word = self._heard.get(timeout=seconds)
        except Empty:
            return None
        if word is _THE_END:
            self._heard.put(_THE_END)
            raise WorkerGoneError
        return word

    def sending_for(self) -> float:
        """For how many seconds the worker has not taken the word that is being sent."""
        since = self._sending_since
        return 0.0 if since is None else monotonic() - since

    def kill(self) -> None:
        """End the process, whatever it is at: frozen, starting, or in a driver's hands."""
        self._process.kill()

    def release(self) -> None:
        """Kill the process and let go of what belongs to it."""
        self.kill()
        with suppress(Full):  # else the thread is sending, which fails now
            self._to_send.put_nowait(_THE_END)
        self._process.join(GONE_WITHIN)
        for thread in self._threads:
            thread.join(GONE_WITHIN)
        if any(thread.is_alive() for thread in self._threads):
            log.warning("%s does not end, it is left behind", self._process.name)
        else:
            self._connection.close()

    def _send(self) -> None:
        with suppress(OSError):
            while (word := self._to_send.get()) is not _THE_END:
                self._sending_since = monotonic()
                self._connection.send(word)
                self._sending_since = None

    def _hear(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._heard.put(self._connection.recv())
        self._heard.put(_THE_END)
