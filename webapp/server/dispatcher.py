"""Threads that answer requests, with fair queuing among callers."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from webapp.server.channel import Channel
from webapp.server.connection_limits import Trust

THREADS = 16
"""The threads for requests. The main loop receives uploads, so threads do not wait for them; pages
that listen for events use none (`webapp.server.channel.HOLD`), cameras up to 4 a game, idle most of
the time. With 200 tables on two cores, 32 threads made pages half as slow again and events four
times as late."""
MOST_OF_ADDRESS = 6
"""The most threads for one address other than this computer's: as many as a browser opens
connections, whose further requests wait for these. Python's threads take turns: more at work would
only delay each answer."""
MOST_OF_STRANGERS = 2
"""The most threads for all strangers together, who wait for each other rather than delay guests."""
STRANGERS = "strangers"


class Turn:
    """A connection's request, queued with the others of its `caller`; at most `most` run."""

    def __init__(self, channel: Channel, finished: Callable[["Turn"], None]) -> None:
        """Queue the request of `channel`; `finished` is called at its end."""
        self.channel, self._finished = channel, finished
        if channel.trust is Trust.STRANGER:
            self.caller, self.most = STRANGERS, MOST_OF_STRANGERS
        else:
            self.caller = channel.address
            self.most = THREADS if channel.trust is Trust.HERE else MOST_OF_ADDRESS

    def service(self) -> None:
        try:
            self.channel.service()
        finally:
            self._finished(self)

    def cancel(self) -> None:
        self.channel.cancel()


class FairQueue:
    """Requests waiting for a thread, in turn by caller, with a limit on running ones for each."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Turn]] = OrderedDict()
        self._begun: Counter[str] = Counter()

    def append(self, request: Turn) -> None:
        self._waiting.setdefault(request.caller, deque()).append(request)

    def popleft(self) -> Turn:
        """Take the next request. Raise StopIteration if none may start."""
        caller = next(filter(self._may_begin, self._waiting))
        request = self._waiting[caller].popleft()
        self._waiting.move_to_end(caller)
        self._drop_if_empty(caller)
        self._begun[caller] += 1
        return request

    def finish(self, request: Turn) -> None:
        """Note that a request taken earlier has been answered."""
        self._begun[request.caller] -= 1
        if not self._begun[request.caller]:
            del self._begun[request.caller]

    def remove(self, channel: Channel) -> None:
        """Remove the waiting requests of a connection, by any caller."""
        for caller in {channel.address, STRANGERS} & self._waiting.keys():
            waiting = self._waiting[caller]
            self._waiting[caller] = deque(one for one in waiting if one.channel is not channel)
            self._drop_if_empty(caller)

    def __bool__(self) -> bool:
        """Whether there is a request that may start."""
        return any(map(self._may_begin, self._waiting))

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _may_begin(self, caller: str) -> bool:
        return self._begun[caller] < self._waiting[caller][0].most

    def _drop_if_empty(self, caller: str) -> None:
        if not self._waiting[caller]:
            del self._waiting[caller]


class Dispatcher(ThreadedTaskDispatcher):
    queue: Any  # a deque in Waitress

    def __init__(self) -> None:
        super().__init__()
        self.queue = FairQueue()
        self.set_thread_count(THREADS)

    def add_task(self, channel: Channel) -> None:
        """Queue the request that has arrived on a connection."""
        super().add_task(Turn(channel, self._finished))

    def forget(self, channel: Channel) -> None:
        """Drop the waiting requests of a closed connection."""
        with self.lock:
            self.queue.remove(channel)

    def _finished(self, request: Turn) -> None:
        with self.lock:
            self.queue.finish(request)
            self.queue_cv.notify()  # another one of the same caller may start
