"""Fair queuing of slow work: phones take turns."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

Answer = TypeVar("Answer")

REMEMBERED = 1000
"""The most phones and games whose last turn is remembered."""


class Asker(NamedTuple):
    """The origin of a task: phones take turns, and so do the games of one phone."""

    phone: str
    game: str


@dataclass(frozen=True, eq=False)
class _Job:
    asker: Asker
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: "Future[Any]" = field(default_factory=Future)


class Turns:
    """A queue in which whoever was served longest ago comes first, one task per game at a time."""

    def __init__(self, name: str, at_once: int = 1) -> None:
        """Run up to `at_once` tasks in threads with this name."""
        self._pool = ThreadPoolExecutor(at_once, name)
        self._busy: set[str] = set()
        self._lock = threading.Lock()
        self._waiting: list[_Job] = []
        self._turn = 0
        self._served: Counter[str | Asker] = Counter()

    def submit(
        self, asker: Asker, work: Callable[..., Answer], *arguments: Any
    ) -> "Future[Answer]":
        """Queue a task. Raises RuntimeError once this is closed."""
        job = _Job(asker, work, arguments)
        with self._lock:
            self._pool.submit(self._do_all)
            self._waiting.append(job)
        return job.future

    def waiting(self) -> "list[Future[Any]]":
        """Return the waiting tasks in their current order."""
        with self._lock:
            return [job.future for job in self._in_order()]

    def cancel_waiting(self) -> None:
        """Accept no more tasks, and cancel those that have not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            jobs, self._waiting = self._waiting, []
        for job in jobs:
            job.future.cancel()
            job.future.set_running_or_notify_cancel()

    def close(self) -> None:
        """Finish running tasks, and cancel all others."""
        self.cancel_waiting()
        self._pool.shutdown(wait=True)

    def _in_order(self) -> Sequence[_Job]:
        """Return the waiting tasks in their current order.

        Tasks are ordered by the turns of each phone's games first, then by the phones'.
        """
        waiting = [job for job in self._waiting if not job.future.cancelled()]
        by_game = _rounds(waiting, lambda job: job.asker, self._served)
        return _rounds(by_game, lambda job: job.asker.phone, self._served)

    def _do_all(self) -> None:
        """Work until only tasks of games remain that other threads work on; those continue."""
        while (job := self._take()) is not None:
            try:
                answer = job.work(*job.arguments)
            except BaseException as error:
                self._leave(job)
                job.future.set_exception(error)
            else:
                self._leave(job)
                job.future.set_result(answer)

    def _leave(self, job: _Job) -> None:
        with self._lock:
            self._busy.discard(job.asker.game)

    def _take(self) -> _Job | None:
        """Remove and return the next task."""
        with self._lock:
            self._waiting = [one for one in self._waiting if not one.future.cancelled()]
            order = [job for job in self._in_order() if job.asker.game not in self._busy]
            for job in order:
                self._waiting.remove(job)
                if not job.future.set_running_or_notify_cancel():
                    continue
                self._turn += 1
                if len(self._served) >= REMEMBERED:
                    self._served.clear()
                self._served[job.asker] = self._served[job.asker.phone] = self._turn
                if job.asker.game:
                    self._busy.add(job.asker.game)
                return job
        return None


def _rounds(
    jobs: Sequence[_Job], key: Callable[[_Job], str | Asker], served: Counter[str | Asker]
) -> list[_Job]:
    """Sort jobs into rounds of one job per key, the key served longest ago first."""
    ahead: defaultdict[str | Asker, int] = defaultdict(int)
    ranked = []
    for job in jobs:
        of = key(job)
        ranked.append((ahead[of], served[of], job))
        ahead[of] += 1
    return [job for *_, job in sorted(ranked, key=lambda one: one[:2])]
