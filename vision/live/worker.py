"""A worker: the tracker in a process of its own, so that detection never holds up a web server.

A process that dies is started again with what it knew; nothing is lost and nothing told twice.
A recording is not: it would begin anew, so its worker then ends.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any

from vision.live.source import (
    Frame,
    Moment,
    QueueSource,
    Source,
    SourceError,
    open_source,
)

if TYPE_CHECKING:
    from vision.live.tracker import Tracker

_RESTARTS = (0.5, 8.0)
"""Seconds before a dead process is started again: at first, and at most."""


@dataclass(frozen=True)
class Task:
    """What a worker watches: a profile's boards in a source (None: frames that are pushed).

    ``game`` is a game file's data; ``state`` what `Tracker.to_data` gave before a restart.
    """

    profile: str
    source: str | None = None
    game: Mapping[str, Any] | None = None
    state: Mapping[str, Any] | None = None


class Worker:
    """Runs a task in another process; events come out of `events` as JSON data.

    >>> with Worker(Task("standard")) as worker:     # doctest: +SKIP
    ...     worker.push(jpeg)
    ...     worker.events(wait=1.0)
    [{'format': 1, 't': 0.0, 'board': 0, 'kind': 'board_found', 'corners': ...}]
    """

    def __init__(self, task: Task) -> None:
        """Prepare; nothing runs before `start`."""
        self.state: Mapping[str, Any] | None = task.state
        self.error: str | None = None
        """Why the source cannot be used, once that is known; the worker has then ended."""
        self._task = task
        self._told: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._lock = threading.Lock()
        self._pipe: Connection | None = None
        self._newest: bytes | None = None
        self._wanted = False
        self._ended = threading.Event()
        self._born = monotonic()
        self._process: Any = None
        self._thread = threading.Thread(target=self._attend, daemon=True)

    def __enter__(self) -> Worker:
        """Start."""
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop."""
        self.stop()

    @property
    def running(self) -> bool:
        """Whether events may still come."""
        return not self._ended.is_set()

    @property
    def pid(self) -> int | None:
        """The process that watches now."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End the process and wait for it."""
        self._ended.set()
        if self._process is not None:
            self._process.terminate()
        self._thread.join()

    def push(self, picture: bytes) -> None:
        """Hand in a frame as JPEG, PNG or WebP; one that was not taken yet is replaced."""
        with self._lock:
            self._newest = picture
            self._pass_on()

    def correct(self, board: int, place: str, star: str | None) -> None:
        """Take a person's word for what lies on a place, as `Tracker.correct` does."""
        with self._lock:
            self._send(("correct", (board, place, star)))

    def events(self, wait: float = 0.0) -> list[dict[str, Any]]:
        """The events since the last call; waits up to so many seconds for the first."""
        found = []
        try:
            found.append(self._told.get(timeout=wait) if wait else self._told.get_nowait())
            while True:
                found.append(self._told.get_nowait())
        except Empty:
            return found

    def _attend(self) -> None:
        """Keep a process running until it has done, or until stopped."""
        pause, again = _RESTARTS[0], False
        context = multiprocessing.get_context("spawn")
        while not self._ended.is_set():
            begun = self._clock()
            pipe, theirs = context.Pipe()
            task = replace(self._task, state=self.state)
            self._process = context.Process(target=_work, args=(theirs, task), daemon=True)
            self._process.start()
            theirs.close()
            with self._lock:
                self._pipe, self._wanted = pipe, False
            self._listen(pipe, again)
            self._process.join()
            if self._ended.is_set():
                break
            if self._of_recording():
                self.error = f"watching {self._task.source} broke off; start it again"
                self._ended.set()
                break
            self._say("source_lost")
            pause = _RESTARTS[0] if self._clock() - begun > _RESTARTS[1] else pause
            self._ended.wait(pause)
            pause, again = min(2 * pause, _RESTARTS[1]), True

    def _listen(self, pipe: Connection, again: bool) -> None:
        """Take in what the process says until it ends or dies."""
        offset: float | None = None
        try:
            while True:
                what, data = pipe.recv()
                if what == "ready":
                    if offset is None:  # its clock begins now; a recording has a clock of its own
                        offset = 0.0 if self._of_recording() else self._clock()
                        if again:
                            self._say("source_back")
                    with self._lock:
                        self._wanted = True
                        self._pass_on()
                elif what == "told":
                    event, self.state = data
                    if event is not None:
                        self._told.put({**event, "t": round(event["t"] + (offset or 0.0), 3)})
                else:
                    self.error = data
                    self._ended.set()
                    return
        except (EOFError, ConnectionError):
            return
        finally:
            with self._lock:
                self._pipe = None
            pipe.close()

    def _of_recording(self) -> bool:
        return self._task.source is not None and Path(self._task.source).is_file()

    def _clock(self) -> float:
        return monotonic() - self._born

    def _say(self, kind: str) -> None:
        self._told.put({"format": 1, "t": round(self._clock(), 3), "kind": kind})

    def _pass_on(self) -> None:
        if self._wanted and self._newest is not None:
            picture, self._newest, self._wanted = self._newest, None, False
            self._send(("frame", picture))

    def _send(self, message: tuple[str, Any]) -> None:
        try:
            if self._pipe is not None:
                self._pipe.send(message)
        except (BrokenPipeError, ConnectionError):
            self._pipe = None  # it has died; _listen sees that too


def _work(pipe: Connection, task: Task) -> None:
    """What the process does: watch, and say what it sees together with what it knows by then."""
    from calibration import load_profile
    from scorer.nebula import game_from_data
    from vision.live.eye import ReaderEye
    from vision.live.tracker import Tracker, watch

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then stops us
    profile = load_profile(task.profile)
    game = None if task.game is None else game_from_data(task.game, profile.board)
    tracker = Tracker(ReaderEye(profile), game, task.state)
    try:
        source = _Piped(pipe, task.source, tracker)
        for event in watch(source, tracker):
            pipe.send(("told", (event.to_data(), tracker.to_data())))
        pipe.send(("end", None))
    except SourceError as error:
        pipe.send(("end", str(error)))


class _Piped:
    """A task's source; frames and corrections come through the pipe, the latter between frames."""

    def __init__(self, pipe: Connection, name: str | None, tracker: Tracker) -> None:
        self._pipe, self._tracker = pipe, tracker
        self._pushed = QueueSource() if name is None else None
        self._source: Source = self._pushed or open_source(name or "")
        self._corrections: SimpleQueue[tuple[int, str, str | None]] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def moments(self) -> Iterator[Moment]:
        self._pipe.send(("ready", None))
        for moment in self._source.moments():
            yield moment
            while not self._corrections.empty():
                self._tracker.correct(*self._corrections.get())
                self._pipe.send(("told", (None, self._tracker.to_data())))
            if self._pushed is not None and isinstance(moment, Frame):
                self._pipe.send(("ready", None))

    def close(self) -> None:
        self._source.close()

    def _listen(self) -> None:
        try:
            while True:
                what, data = self._pipe.recv()
                if what == "correct":
                    self._corrections.put(data)
                elif self._pushed is not None:
                    self._take(self._pushed, data)
        except (EOFError, ConnectionError):
            self.close()

    def _take(self, pushed: QueueSource, picture: bytes) -> None:
        try:
            pushed.push_encoded(picture)
        except SourceError:
            self._pipe.send(("ready", None))  # one broken frame; the next may be whole
