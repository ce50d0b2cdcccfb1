"""All cameras that are watched, each with its own worker, and their limits."""

import logging
import threading
from collections.abc import Callable, Sequence

from webapp.app.live.camera_worker import CameraWorker, Inform, Status
from webapp.app.live.log import Camera, Log
from webapp.app.live.worker import MakeFrameWorker, Seen, Word, run
from webapp.app.processes import ChildProcess

log = logging.getLogger(__name__)

MOST_CAMERAS = 4
"""The most cameras of one game."""
MOST_WORKERS = 8
"""The most workers of all games. Each takes some 200 MB, and much of a core while hands move."""
MOST_WAITING = 8
"""The most requests that wait for workers; each occupies a server thread (server.py)."""
_WITH_REASON = ("failed", "ended")


class TooManyCamerasError(Exception):
    """The maximum number of cameras is being watched, at this game or in total."""


class TooManyAtThisGameError(TooManyCamerasError):
    """The game has the maximum number of cameras."""


class WorkerSupervisor:
    def __init__(
        self,
        log_of_games: Log,
        make_frame_worker: MakeFrameWorker,
        profiles_of: Callable[[str], Sequence[str]],
        inform: Inform,
        recorded: Callable[[Camera, Seen], None],
        changed: Callable[[Camera], None],
    ) -> None:
        """Watch cameras with the frame workers of `make_frame_worker`.

        `profiles_of` returns the profile names for a game's id, `inform` sends a new worker what is
        known, `recorded` logs what a worker saw, and `changed` is called on a camera's new status.
        """
        self._log, self._make_frame_worker = log_of_games, make_frame_worker
        self._profiles_of = profiles_of
        self._inform, self._recorded, self._changed = inform, recorded, changed
        self._waiting = threading.Semaphore(MOST_WAITING)
        self._lock = threading.Lock()
        self._workers: dict[tuple[str, str], CameraWorker] = {}

    def start(self, camera: Camera, proven: bool = False) -> CameraWorker:
        """Start watching a camera unless it is being watched. Raises TooManyCamerasError.

        A `proven` camera was watched before; if it is unavailable, the worker waits for it.
        """
        key = (camera.game_id, camera.name)
        with self._lock:
            before = self._workers.get(key)
            if before is not None and not before.closed:
                return before
            self._make_room(camera.game_id)
            worker = self._workers[key] = CameraWorker(
                camera,
                self._start_process,
                self._inform,
                self._recorded,
                self._worker_changed,
                self._waiting,
                proven,
            )
        try:
            self._log.start(camera)
        except Exception:
            self._remove(worker)
            raise
        worker.begin()
        self._changed(camera)
        return worker

    def stop(self, game_id: str, name: str) -> None:
        with self._lock:
            worker = self._workers.pop((game_id, name), None)
        if worker is not None:
            worker.close()
        self._log.stop(game_id, name)
        if worker is not None:
            worker.join()
            self._changed(worker.status.camera)

    def begin_anew(self, game_id: str) -> None:
        """Restart all trackers of a game without memory."""
        workers = [worker for worker in self._of(game_id) if _is_shown(worker)]
        for worker in workers:
            self.stop(game_id, worker.status.camera.name)
        self._log.forget_memories(game_id)
        for worker in workers:
            self.start(worker.status.camera, worker.proven)

    def of(self, game_id: str) -> list[Status]:
        """Return the status of a game's cameras, except those that ended unused."""
        return [worker.status for worker in self._of(game_id) if _is_shown(worker)]

    def send(self, game_id: str, name: str, word: Word) -> None:
        """Send a camera's worker something that it has to know."""
        worker = self._workers.get((game_id, name))
        if worker is not None:
            worker.send(word)

    def picture(self, game_id: str, name: str) -> bytes | None:
        """Return a camera's current picture (JPEG); None if there is none."""
        worker = self._workers.get((game_id, name))
        return None if worker is None else worker.picture()

    def pid(self, game_id: str, name: str) -> int | None:
        """Return the process id of a camera's worker, None if there is none."""
        worker = self._workers.get((game_id, name))
        return None if worker is None else worker.pid

    def resume(self) -> None:
        """Resume the server's own sources that were watched when it stopped.

        Cameras of browsers resume with their next frame.
        """
        for camera in self._log.running():
            if not camera.address:
                continue
            try:
                self.start(camera, proven=True)
            except TooManyCamerasError:
                log.warning("%s is watched no more: too many cameras are", camera.name)
                self._log.stop(camera.game_id, camera.name)

    def close(self) -> None:
        """End all workers; the next server resumes what they were watching."""
        with self._lock:
            workers, self._workers = list(self._workers.values()), {}
        for worker in workers:
            worker.close()
        for worker in workers:
            worker.join()

    def _of(self, game_id: str) -> list[CameraWorker]:
        with self._lock:
            return [worker for (game, _), worker in self._workers.items() if game == game_id]

    def _make_room(self, game_id: str) -> None:
        """Ensure that another worker is allowed. Raises TooManyCamerasError."""
        working = [key for key, worker in self._workers.items() if not worker.closed]
        if sum(game == game_id for game, _ in working) >= MOST_CAMERAS:
            raise TooManyAtThisGameError(game_id)
        if len(working) >= MOST_WORKERS:
            raise TooManyCamerasError(game_id)
        done = [key for key, worker in self._workers.items() if worker.closed and key[0] == game_id]
        for key in done[:-MOST_CAMERAS]:
            del self._workers[key]

    def _worker_changed(self, worker: CameraWorker) -> None:
        """Record that a worker has ended by itself, and notify pages."""
        camera = worker.status.camera
        with self._lock:
            ours = self._workers.get((camera.game_id, camera.name)) is worker
        if ours and worker.closed:
            self._log.stop(camera.game_id, camera.name)
            if not _is_shown(worker):
                self._remove(worker)
        self._changed(camera)

    def _remove(self, worker: CameraWorker) -> None:
        key = (worker.status.camera.game_id, worker.status.camera.name)
        with self._lock:
            if self._workers.get(key) is worker:
                del self._workers[key]

    def _start_process(self, camera: Camera, proven: bool) -> ChildProcess:
        memory = self._log.memory(camera.game_id, camera.name)
        return ChildProcess(
            f"stargazer watches {camera.name}",
            run,
            self._make_frame_worker,
            tuple(self._profiles_of(camera.game_id)),
            memory,
            camera.address,
            proven,
        )


def _is_shown(worker: CameraWorker) -> bool:
    """Whether pages show it: while it watches, or if it says why it stopped."""
    return not worker.closed or worker.status.state in _WITH_REASON
