"""Threads that work for several phones, which take turns: fair queuing of slow work."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

Answer = TypeVar("Answer")

REMEMBERED = 1000
"""Phones and games of which it is known when they were served last."""


class Asker(NamedTuple):
    """Who asks for work: phones take turns, and so do the games of one phone."""

    phone: str
    game: str


@dataclass(frozen=True, eq=False)
class _Job:
    asker: Asker
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: "Future[Any]" = field(default_factory=Future)


class Turns:
    """Work that is done in turns, whoever was served longest ago first, one of a game at once."""

    def __init__(self, name: str, at_once: int = 1) -> None:
        """Do `at_once` at a time, in threads of that name."""
        self._pool = ThreadPoolExecutor(at_once, name)
        self._busy: set[str] = set()
        self._lock = threading.Lock()
        self._waiting: list[_Job] = []
        self._turn = 0
        self._served: Counter[str | Asker] = Counter()

    def submit(
        self, asker: Asker, work: Callable[..., Answer], *arguments: Any
    ) -> "Future[Answer]":
        """Let work wait for its turn. Raises RuntimeError once this is closed."""
        job = _Job(asker, work, arguments)
        with self._lock:
            self._pool.submit(self._do_all)
            self._waiting.append(job)
        return job.future

    def waiting(self) -> "list[Future[Any]]":
        """What waits, in the order in which it is begun if nothing else comes."""
        with self._lock:
            return [job.future for job in self._in_order()]

    def cancel_waiting(self) -> None:
        """Take nothing more on, and do nothing that has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            jobs, self._waiting = self._waiting, []
        for job in jobs:
            job.future.cancel()
            job.future.set_running_or_notify_cancel()

    def close(self) -> None:
        """Do what has begun to its end, and nothing else."""
        self.cancel_waiting()
        self._pool.shutdown(wait=True)

    def _in_order(self) -> Sequence[_Job]:
        """What waits in the order of its turns, if nothing else comes.

        A phone's work is put in order by its games' turns first, then all work by the phones'.
        """
        waiting = [job for job in self._waiting if not job.future.cancelled()]
        by_game = _rounds(waiting, lambda job: job.asker, self._served)
        return _rounds(by_game, lambda job: job.asker.phone, self._served)

    def _do_all(self) -> None:
        """Work until nothing waits but of games that another thread works for: it goes on then."""
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
        """Take out the job whose turn it is."""
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
    """Jobs in rounds: in each one job of every key, the key served longest ago first."""
    ahead: defaultdict[str | Asker, int] = defaultdict(int)
    ranked = []
    for job in jobs:
        of = key(job)
        ranked.append((ahead[of], served[of], job))
        ahead[of] += 1
    return [job for *_, job in sorted(ranked, key=lambda one: one[:2])]
