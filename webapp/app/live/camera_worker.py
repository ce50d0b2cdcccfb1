"""One camera's worker process: receives its reports, and replaces it if it dies or hangs.

A replacement starts from the memory saved with the last log entry, so that every change is logged
exactly once.

Requests and the supervising thread share state under a lock, which is never held while sending or
writing.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

from webapp.app.live.log import Camera
from webapp.app.live.worker import (
    BrowserFrame,
    Correction,
    Ended,
    Free,
    Market,
    Picture,
    Seen,
    Show,
    Unusable,
    Word,
)
from webapp.app.processes import ChildProcess, ProcessEndedError
from webapp.app.session.saved_games import NoSuchGameError

log = logging.getLogger(__name__)

State = Literal["starting", "watching", "unknown", "lost", "dying", "failed", "ended"]
"""`unknown`: an unrecognised board is in view. `dying`: workers repeatedly die or hang. `failed`
and `ended` are final."""

LOST_AFTER = 1.5
"""Seconds without a frame after which a browser's camera is lost; pages show it within 2 s."""
PATIENCE = 3.0
"""Seconds that a browser waits for the worker to accept its frame."""
SHOWN_WITHIN = 2.0
"""Seconds that a request waits for a camera's picture."""
STARTED_WITHIN = 90.0
"""Seconds after which a worker that has sent nothing yet is replaced; loading models is slow."""
HUNG_AFTER = 30.0
"""Seconds after which a worker that does not report on its frame is replaced."""
IDLE_AFTER = 120.0
"""Seconds without a frame after which a browser's worker ends; its next frame starts another."""
PAUSES = (0.2, 1.0, 3.0, 10.0, 60.0)
"""Seconds before a dead worker is replaced: the first time, the second and so on."""
SOUND_AFTER = 30.0
"""Seconds after which a worker counts as healthy and resets the pauses."""
DYING_FROM = 3
"""The number of consecutive deaths that are reported as `dying`."""
_ENDS_WITHIN = 5.0
_LISTEN = 0.2


@dataclass(frozen=True)
class Status:
    """A camera's status. `boards` as its worker reports them; `message` says why it failed."""

    camera: Camera
    state: State = "starting"
    boards: Sequence[Mapping[str, Any]] = ()
    message: str = ""


StartProcess = Callable[[Camera, bool], ChildProcess]
"""Starts a camera's worker; the flag says whether the camera has worked before."""
Inform = Callable[["CameraWorker"], None]
"""Sends a new worker the piece roles, and the contents of its boards known from the log."""


class CameraWorker:
    """A camera, its worker process and the thread that supervises it."""

    def __init__(
        self,
        camera: Camera,
        start: StartProcess,
        inform: Inform,
        recorded: Callable[[Camera, Seen], None],
        changed: Callable[["CameraWorker"], None],
        waiting: threading.Semaphore,
        proven: bool = False,
    ) -> None:
        """Prepare to watch `camera`; `begin` starts it.

        `recorded` logs what is seen, `changed` is called on a new status. `waiting` is shared by
        all workers and limits the requests that wait for any of them. A `proven` camera has worked
        before, so an unavailable one is waited for.
        """
        self.status = Status(camera)
        self._start, self._inform, self._recorded, self._changed = start, inform, recorded, changed
        self.proven, self._waiting = proven, waiting
        self._process: ChildProcess | None = None
        self._room = threading.Condition()
        self._ended = threading.Event()
        self._free = self._pushing = self._showing = False
        self._picture = Picture(None)
        self._sent: dict[type, Word] = {}
        self._last_frame = monotonic()
        self._thread = threading.Thread(target=self._look_after, name="camera", daemon=True)

    def begin(self) -> None:
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether it has stopped for good."""
        return self._ended.is_set()

    @property
    def pid(self) -> int | None:
        """The process id of the worker, None if there is none."""
        process = self._process
        return None if process is None else process.pid

    def push(self, jpeg: bytes) -> bool:
        """Send a browser's frame when the worker is free; return False if it is not free in time.

        Only one request can wait, so sending a camera's frames twice gains nothing.
        """
        with self._room:
            self._last_frame = monotonic()
            if self._pushing:
                return False
            self._pushing = True
            try:
                self._wait_for(lambda: self._free, PATIENCE)
            finally:
                self._pushing = False
            process = self._process
            if not self._free or process is None or self.closed:
                return False
            self._free = False
            self._last_frame = monotonic()
            return process.ask(BrowserFrame(self._last_frame, jpeg))

    def send(self, word: Word) -> None:
        """Send the worker a correction, or the piece roles or the market if they have changed.

        Workers started later get all of them at start.
        """
        if not isinstance(word, Correction):
            if self._sent.get(type(word)) == word:
                return
            self._sent[type(word)] = word
        process = self._process
        if process is not None and not process.say(word):
            process.kill()  # it accepts nothing; its successor gets this one

    def picture(self) -> bytes | None:
        """Return the camera's current picture (JPEG); None if it does not arrive in time."""
        with self._room:
            before, process = self._picture, self._process
            if process is None:
                return None
            self._showing = self._showing or process.say(Show())
            self._wait_for(lambda: self._picture is not before, SHOWN_WITHIN)
            return None if self._picture is before else self._picture.jpeg

    def close(self) -> None:
        """Kill the worker and have the supervising thread end soon."""
        self._ended.set()
        process = self._process
        if process is not None:
            process.kill()
        with self._room:
            self._room.notify_all()

    def join(self) -> None:
        """Wait until a closed worker has ended."""
        if self._thread.ident is not None and threading.current_thread() is not self._thread:
            self._thread.join(_ENDS_WITHIN)

    def _wait_for(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until `holds()`; do not wait at all if too many requests are waiting."""
        if not self._waiting.acquire(blocking=False):
            return
        try:
            self._room.wait_for(lambda: holds() or self.closed, seconds)
        finally:
            self._waiting.release()

    def _look_after(self) -> None:
        deaths = 0
        while not self.closed:
            begun = monotonic()
            if not self._run_process():
                break
            deaths = 1 if monotonic() - begun > SOUND_AFTER else deaths + 1
            self._set("dying" if deaths >= DYING_FROM else "starting", ())
            self._ended.wait(PAUSES[min(deaths, len(PAUSES)) - 1])
        self._ended.set()
        with self._room:
            self._room.notify_all()
        self._changed(self)

    def _run_process(self) -> bool:
        """Run a worker until it ends; return whether to start another."""
        process = None
        try:
            process = self._process = self._start(self.status.camera, self.proven)
            self._sent = {Market: Market({})}
            self._inform(self)
            return self._listen(process)
        except ProcessEndedError:
            return not self.closed
        except NoSuchGameError:
            return False
        except Exception:
            # What could not be logged is seen again by the next worker, from its memory.
            log.exception("what %s saw could not be written", self.status.camera.name)
            return True
        finally:
            with self._room:
                self._process = None
                self._free = self._showing = False
                self._room.notify_all()
            if process is not None:
                process.release()

    def _listen(self, process: ChildProcess) -> bool:
        """Receive from the worker until it ends, hangs, or is closed."""
        while not self.closed:
            try:
                word = process.hear(_LISTEN)
            except TimeoutError:
                busy = bool(self.status.camera.address) or not self._free
                if process.is_frozen(STARTED_WITHIN, HUNG_AFTER, busy):
                    log.warning("the worker of %s hangs, it is replaced", self.status.camera.name)
                    return True
                self._notice_silence()
                continue
            if isinstance(word, Seen):
                self._hear(word)
            elif isinstance(word, Unusable):
                self._set("failed", (), word.message)
                return False
            elif isinstance(word, Ended):
                self._set("ended", ())
                return False
            else:
                self._answer(word)
        return False

    def _answer(self, word: Free | Picture) -> None:
        """Wake the request that waits for this message."""
        with self._room:
            if isinstance(word, Free):
                self._free = True
            else:
                self._picture, self._showing = word, False
            self._room.notify_all()

    def _hear(self, seen: Seen) -> None:
        self.proven = self.proven or seen.receiving
        self._recorded(self.status.camera, seen)
        seeing: State = "unknown" if seen.recognised == "" else "watching"
        self._set(seeing if seen.receiving else "lost", seen.boards)

    def _notice_silence(self) -> None:
        """Mark a browser's camera as lost if the worker is free and no frame comes."""
        if self.status.camera.address or not self._free:
            return
        silence = monotonic() - self._last_frame
        if silence > IDLE_AFTER:
            self._ended.set()
        elif silence > LOST_AFTER and self.status.state in ("watching", "unknown"):
            self._set("lost", self.status.boards)

    def _set(self, state: State, boards: Sequence[Mapping[str, Any]], message: str = "") -> None:
        before = self.status
        self.status = replace(before, state=state, boards=tuple(boards), message=message)
        if (before.state, _glance(before.boards)) != (state, _glance(boards)):
            self._changed(self)


def _glance(boards: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what pages show of the boards, so that small moves are no change."""
    return [{key: board[key] for key in board.keys() - {"corners"}} for board in boards]
