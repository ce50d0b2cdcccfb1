"""One camera's worker: hears what it saw, and replaces it where it dies, hangs or never starts.

A worker that dies is replaced by one that begins with the memory that was saved with the last
entry of the log: what was written is not told again, what was not is told once.

Requests meet here with the thread that looks after the worker. What both use is behind a lock
that is held for no longer than it takes to look at it; nothing is sent or written under it.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Literal

from webapp.app.live.log import Camera
from webapp.app.live.worker import (
    Correction,
    Ended,
    Free,
    Picture,
    PieceRoles,
    Pushed,
    Seen,
    Show,
    Unusable,
)
from webapp.app.processes import ChildProcess, ProcessEndedError
from webapp.app.session.saved_games import NoSuchGameError

log = logging.getLogger(__name__)

State = Literal["starting", "watching", "unknown", "lost", "dying", "failed", "ended"]
"""`unknown`: a board is in view that is none of the known ones. `dying`: one worker after another
dies or hangs. `failed` and `ended` are for good."""

LOST_AFTER = 1.5
"""Seconds without a frame after which a browser's camera is lost; shown within 2 s."""
PATIENCE = 3.0
"""Seconds that a browser waits for the worker to have room for its frame."""
SHOWN_WITHIN = 2.0
"""Seconds that somebody waits for a camera's picture."""
STARTED_WITHIN = 90.0
"""Seconds after which a worker that has said nothing yet is replaced; models load slowly."""
HUNG_AFTER = 30.0
"""Seconds after which a worker that says nothing about its frame is replaced."""
IDLE_AFTER = 120.0
"""Seconds without a frame after which a browser's worker goes; its next frame starts another."""
PAUSES = (0.2, 1.0, 3.0, 10.0, 60.0)
"""Seconds before a worker that died is replaced: the first time, the second and so on."""
SOUND_AFTER = 30.0
"""Seconds after which a worker counts as sound: the next pause is the shortest again."""
DYING_FROM = 3
"""So many deaths in a row are told."""
_ENDS_WITHIN = 5.0
_LISTEN = 0.2


@dataclass(frozen=True)
class Status:
    """How a camera is doing. `boards` as a worker tells them; `message` says why it failed."""

    camera: Camera
    state: State = "starting"
    boards: Sequence[Mapping[str, Any]] = ()
    message: str = ""


StartProcess = Callable[[Camera, bool], ChildProcess]
"""Starts the worker of a camera; says whether the camera is known to have worked before."""
Inform = Callable[["CameraWorker"], None]
"""Says to a camera's new worker who plays, and what lies on its boards as far as the log tells."""


class CameraWorker:
    """A camera, its worker, and the thread that looks after both."""

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
        """Prepare to watch `camera`; it begins with `begin`.

        `recorded` writes down what is seen, `changed` hears of a new status. `waiting` is shared by
        all workers: so many requests may wait for any of them at a time. A camera that is
        `proven` has worked before, and is waited for where it is away.
        """
        self.status = Status(camera)
        self._start, self._inform, self._recorded, self._changed = start, inform, recorded, changed
        self.proven, self._waiting = proven, waiting
        self._process: ChildProcess | None = None
        self._room = threading.Condition()
        self._ended = threading.Event()
        self._free = self._pushing = self._showing = False
        self._picture = Picture(None)
        self._piece_roles: PieceRoles | None = None
        self._last_frame = monotonic()
        self._thread = threading.Thread(target=self._look_after, name="camera", daemon=True)

    def begin(self) -> None:
        """Start the worker."""
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether it watches no more."""
        return self._ended.is_set()

    @property
    def pid(self) -> int | None:
        """The number of the worker's process, None where there is none."""
        process = self._process
        return None if process is None else process.pid

    def push(self, jpeg: bytes) -> bool:
        """Hand in a browser's frame once the worker has room; False where it has none for long.

        One request waits at a time: whoever sends a camera's frames twice gains nothing by it.
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
            return process.ask(Pushed(self._last_frame, jpeg))

    def play(self, piece_roles: PieceRoles) -> None:
        """Let the tracker hear as what each piece counts, where that is news to it."""
        if piece_roles != self._piece_roles:
            self._piece_roles = piece_roles
            self.correct(piece_roles)

    def correct(self, correction: Correction | PieceRoles) -> None:
        """Let the tracker hear what players say; one that starts later is informed of it all."""
        process = self._process
        if process is not None and not process.say(correction):
            process.kill()  # it takes no word; its successor hears this one

    def picture(self) -> bytes | None:
        """Return what the camera sees now, JPEG; None where it shows nothing in time."""
        with self._room:
            before, process = self._picture, self._process
            if process is None:
                return None
            self._showing = self._showing or process.say(Show())
            self._wait_for(lambda: self._picture is not before, SHOWN_WITHIN)
            return None if self._picture is before else self._picture.jpeg

    def close(self) -> None:
        """Let the worker end, and the thread that looks after it soon afterwards."""
        self._ended.set()
        process = self._process
        if process is not None:
            process.kill()
        with self._room:
            self._room.notify_all()

    def join(self) -> None:
        """Wait until a worker that was closed has ended."""
        if self._thread.ident is not None and threading.current_thread() is not self._thread:
            self._thread.join(_ENDS_WITHIN)

    def _wait_for(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until something holds; not at all where too many requests wait already."""
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
        """Let a worker watch until its end; say whether another one is to follow it."""
        process = None
        try:
            process = self._process = self._start(self.status.camera, self.proven)
            self._piece_roles = None
            self._inform(self)
            return self._listen(process)
        except ProcessEndedError:
            return not self.closed
        except NoSuchGameError:
            return False
        except Exception:
            # What could not be written is seen again by the next worker, from its memory.
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
        """Hear the worker until it ends, hangs, or is no longer wanted."""
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
        """Wake the request that waits for this."""
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
        """A browser's camera is lost when the worker has room and no frame comes."""
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


def _glance(boards: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, bool], ...]:
    """What pages show of the boards: a corner that moved by a pixel is no news."""
    return tuple((board["board"], board["sure"]) for board in boards)
