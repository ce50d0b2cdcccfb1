"""Looks after the processes that watch: starts them, hears them, and starts them again.

A worker that dies is replaced by one that begins with the memory that was saved with the
last entry of the log: what was written is not told again, what was not is told once.
"""

import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Literal

from webapp.live.log import Camera, Log
from webapp.live.worker import (
    Corrected,
    Ended,
    Free,
    MakeWatcher,
    Picture,
    Pushed,
    Seen,
    Show,
    Unusable,
    run,
)
from webapp.saved_games import NoSuchGameError

log = logging.getLogger(__name__)

State = Literal["starting", "watching", "lost", "failed", "ended"]

LOST_AFTER = 1.5
"""Seconds without a frame after which a browser's camera is lost; shown within 2 s."""
PATIENCE = 3.0
"""Seconds that a browser waits for the worker to have room for its frame."""
SHOWN_WITHIN = 2.0
"""Seconds that somebody waits for a camera's picture."""
HUNG_AFTER = 30.0
"""Seconds after which a worker that says nothing about its frame is replaced."""
IDLE_AFTER = 300.0
"""Seconds without a frame after which a browser's worker goes; its next frame starts another."""
PAUSES = (0.2, 1.0, 3.0, 10.0)
"""Seconds before a worker that died is replaced: the first time, the second and so on."""
SOUND_AFTER = 30.0
"""Seconds after which a worker counts as sound: the next pause is the shortest again."""
MOST_CAMERAS = 4
"""At one game."""

_SPAWN = multiprocessing.get_context("spawn")


class TooManyCamerasError(Exception):
    """A game has as many cameras as it can have."""


@dataclass(frozen=True)
class Status:
    """How a camera is doing. `boards` as a worker tells them; `message` says why it failed."""

    camera: Camera
    state: State = "starting"
    boards: Sequence[Mapping[str, Any]] = ()
    message: str = ""


Known = Callable[[Camera], Iterable[Corrected]]
"""What lies on a camera's boards as far as the log and its corrections tell."""


class CameraWorker:
    """One camera's worker, and the thread that looks after it."""

    def __init__(
        self,
        camera: Camera,
        start: Callable[[Camera], tuple[BaseProcess, Connection]],
        known: Known,
        told: Callable[[Camera, Seen], None],
        changed: Callable[[Camera], None],
    ) -> None:
        """Watch `camera`; `told` writes down what is seen, `changed` hears of a new status.

        A worker that starts hears from `known` what players have said lies on its boards.
        """
        self.status = Status(camera)
        self.process: BaseProcess | None = None
        self._start, self._known, self._told, self._tell_change = start, known, told, changed
        self._picture: Picture | None = None
        self._connection: Connection | None = None
        self._room = threading.Condition()
        self._free = self._closed = False
        self._last_frame = self._last_word = monotonic()
        self._thread = threading.Thread(target=self._look_after, name="watch", daemon=True)
        self._thread.start()

    def push(self, jpeg: bytes) -> bool:
        """Hand in a browser's frame once the worker has room; False where it has none for long."""
        frame = Pushed(monotonic(), jpeg)
        with self._room:
            self._last_frame = monotonic()
            there = self._room.wait_for(lambda: self._free or self._closed, PATIENCE)
            if not there or self._closed or self._connection is None:
                return False
            self._free = False
            self._last_frame = self._last_word = monotonic()
            try:
                self._connection.send(frame)
            except OSError:
                return False  # it has just died; the next frame reaches its successor
            return True

    def correct(self, told: Corrected) -> None:
        """Let the tracker hear what players say; one that starts later hears it from `known`."""
        with self._room, suppress(OSError):
            if self._connection is not None:
                self._connection.send(told)

    def picture(self) -> bytes | None:
        """Return what the camera sees now, JPEG; None where it shows nothing in time."""
        with self._room:
            before = self._picture
            if self._connection is None:
                return None
            try:
                self._connection.send(Show())
            except OSError:
                return None
            self._room.wait_for(lambda: self._picture is not before or self._closed, SHOWN_WITHIN)
            after = self._picture
        return None if after is None or after is before else after.jpeg

    @property
    def closed(self) -> bool:
        """Whether it watches no more."""
        return self._closed

    def close(self) -> None:
        """End the worker; what it has told is written."""
        with self._room:
            self._closed = True
            self._room.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(5)

    def _look_after(self) -> None:
        deaths = 0
        while not self._closed:
            begun = self._last_word = monotonic()
            self.process, connection = self._start(self.status.camera)
            with self._room:
                self._connection = connection
            try:
                for word in self._known(self.status.camera):
                    self.correct(word)
                goes_on = self._listen(connection)
            except NoSuchGameError:
                goes_on = False
            except Exception:
                # What could not be written is seen again by the next worker, from its memory.
                log.exception("what %s saw could not be written", self.status.camera)
                goes_on = True
            self._end_worker(connection)
            if not goes_on:
                break
            self._set("starting", ())
            deaths = 0 if monotonic() - begun > SOUND_AFTER else deaths
            with self._room:
                self._room.wait_for(lambda: self._closed, PAUSES[min(deaths, len(PAUSES) - 1)])
            deaths += 1
        with self._room:
            self._closed = True
            self._room.notify_all()
        self._tell_change(self.status.camera)

    def _end_worker(self, connection: Connection) -> None:
        with self._room:
            self._connection, self._free = None, False
        connection.close()
        assert self.process is not None
        self.process.join(0.5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()

    def _listen(self, connection: Connection) -> bool:
        """Hear the worker until it dies or is no longer wanted; say whether to start another."""
        while not self._closed:
            if not connection.poll(0.2):
                if self._is_hung():
                    return True
                self._notice_silence()
                continue
            try:
                word = connection.recv()
            except (EOFError, OSError):
                return True
            self._last_word = monotonic()
            if isinstance(word, Free):
                with self._room:
                    self._free = True
                    self._room.notify_all()
            elif isinstance(word, Seen):
                self._hear(word)
            elif isinstance(word, Picture):
                with self._room:
                    self._picture = word
                    self._room.notify_all()
            elif isinstance(word, Unusable):
                self._set("failed", (), word.message)
                return False
            elif isinstance(word, Ended):
                self._set("ended", ())
                return False
        return False

    def _hear(self, seen: Seen) -> None:
        self._told(self.status.camera, seen)
        kinds = [event["kind"] for event in seen.events]
        lost = "source_lost" in kinds and "source_back" not in kinds[kinds.index("source_lost") :]
        self._set("lost" if lost else "watching", seen.boards)

    def _is_hung(self) -> bool:
        """Whether the worker has had a frame, or its source, for too long without a word."""
        ready = self.status.state in ("watching", "lost")
        busy = bool(self.status.camera.address) or not self._free
        return ready and busy and monotonic() - self._last_word > HUNG_AFTER

    def _notice_silence(self) -> None:
        """A browser's camera is lost when the worker has room and no frame comes."""
        if self.status.camera.address or not self._free:
            return
        silence = monotonic() - self._last_frame
        if silence > IDLE_AFTER:
            self._closed = True
        elif silence > LOST_AFTER and self.status.state == "watching":
            self._set("lost", self.status.boards)

    def _set(self, state: State, boards: Sequence[Mapping[str, Any]], message: str = "") -> None:
        before = self.status
        self.status = replace(before, state=state, boards=tuple(boards), message=message)
        if (before.state, _glance(before.boards)) != (state, _glance(boards)):
            self._tell_change(before.camera)


def _glance(boards: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, bool], ...]:
    """What pages show of the boards: a corner that moved by a pixel is no news."""
    return tuple((board["board"], board["sure"]) for board in boards)


class WorkerSupervisor:
    """All that is being watched."""

    def __init__(
        self,
        log_of_games: Log,
        make_watcher: MakeWatcher,
        profile: str,
        known: Known,
        told: Callable[[Camera, Seen], None],
        changed: Callable[[Camera], None],
    ) -> None:
        """Watch with `make_watcher` and `profile`."""
        self._log, self._make_watcher, self._profile = log_of_games, make_watcher, profile
        self._known, self._told, self._changed = known, told, changed
        self._lock = threading.Lock()
        self._workers: dict[tuple[str, str], CameraWorker] = {}

    def start(self, camera: Camera) -> CameraWorker:
        """Watch a camera, or go on watching it. Raises TooManyCamerasError."""
        key = (camera.game_id, camera.name)
        with self._lock:
            worker = self._workers.get(key)
            if worker is not None and not worker.closed:
                return worker
            others = [one for one in self._workers if one[0] == camera.game_id and one != key]
            if len([one for one in others if not self._workers[one].closed]) >= MOST_CAMERAS:
                raise TooManyCamerasError(camera.game_id)
            self._log.start(camera)
            worker = CameraWorker(
                camera, self._start_process, self._known, self._told, self._changed
            )
            self._workers[key] = worker
        self._changed(camera)
        return worker

    def stop(self, game_id: str, name: str) -> None:
        """Watch a camera no longer."""
        self._log.stop(game_id, name)
        with self._lock:
            worker = self._workers.pop((game_id, name), None)
        if worker is not None:
            worker.close()
            self._changed(worker.status.camera)

    def begin_anew(self, game_id: str) -> None:
        """Let all trackers of a game forget what they knew."""
        cameras = [status.camera for status in self.of(game_id)]
        for camera in cameras:
            self.stop(camera.game_id, camera.name)
        self._log.forget_memories(game_id)
        for camera in cameras:
            self.start(camera)

    def of(self, game_id: str) -> list[Status]:
        """Return how the cameras of a game are doing; one that went unused for long has gone."""
        with self._lock:
            workers = [worker for (game, _), worker in self._workers.items() if game == game_id]
        told_why = ("failed", "ended")
        return [w.status for w in workers if not w.closed or w.status.state in told_why]

    def correct(self, game_id: str, name: str, told: Corrected) -> None:
        """Let a camera's tracker hear what players say lies on one of its boards."""
        worker = self._workers.get((game_id, name))
        if worker is not None:
            worker.correct(told)

    def picture(self, game_id: str, name: str) -> bytes | None:
        """Return what a camera sees now, JPEG; None where it shows nothing."""
        worker = self._workers.get((game_id, name))
        return None if worker is None else worker.picture()

    def pid(self, game_id: str, name: str) -> int | None:
        """Return the process number of a camera's worker, None where it has none."""
        worker = self._workers.get((game_id, name))
        return worker.process.pid if worker is not None and worker.process is not None else None

    def resume(self) -> None:
        """Go on with the sources of this computer that were watched when the server stopped.

        A browser's camera goes on by itself: it sends its next frame.
        """
        for camera in self._log.running():
            if camera.address:
                self.start(camera)

    def close(self) -> None:
        """End all workers; what they were watching is taken up again by the next server."""
        with self._lock:
            workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            worker.close()

    def _start_process(self, camera: Camera) -> tuple[BaseProcess, Connection]:
        ours, theirs = _SPAWN.Pipe()
        memory = self._log.memory(camera.game_id, camera.name)
        process = _SPAWN.Process(
            target=run,
            args=(theirs, self._make_watcher, self._profile, memory, camera.address),
            name=f"stargazer watches {camera.name}",
            daemon=True,
        )
        process.start()
        theirs.close()  # so that the end of the worker is the end of the pipe
        return process, ours
