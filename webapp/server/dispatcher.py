"""The threads that answer requests, with fair queuing: no caller keeps them from the others."""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from webapp.server.channel import Channel
from webapp.server.connection_limits import Trust

THREADS = 16
"""Threads for requests. Uploads are received by the main loop, so none of them waits for one;
pages that listen keep none (`webapp.server.channel.HOLD`), cameras up to 4 a game, most of the time
idle. With 200 tables on two cores, 32 of them made pages half as slow again and events four times
as late."""
MOST_OF_ADDRESS = 6
"""Of these for one address other than this computer's, as many as a browser opens connections; what
it asks for besides waits for one of its own. Python's threads take turns: with more of them at work
each answer only comes later."""
MOST_OF_STRANGERS = 2
"""Of these for all strangers: they wait for one another, not the guests for them."""
STRANGERS = "strangers"


class Turn:
    """A connection's request, which waits with the others of its `caller`; `most` of them begin."""

    def __init__(self, channel: Channel, finished: Callable[["Turn"], None]) -> None:
        """Wait with the request of `channel`; `finished` is told of its end."""
        self.channel, self._finished = channel, finished
        if channel.trust is Trust.STRANGER:
            self.caller, self.most = STRANGERS, MOST_OF_STRANGERS
        else:
            self.caller = channel.address
            self.most = THREADS if channel.trust is Trust.HERE else MOST_OF_ADDRESS

    def service(self) -> None:
        """Answer the request."""
        try:
            self.channel.service()
        finally:
            self._finished(self)

    def cancel(self) -> None:
        """Leave the request unanswered."""
        self.channel.cancel()


class FairQueue:
    """Requests that wait for a thread: one of each caller in turn, and of none too many at once."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._waiting: OrderedDict[str, deque[Turn]] = OrderedDict()
        self._begun: Counter[str] = Counter()

    def append(self, request: Turn) -> None:
        """Let a request wait."""
        self._waiting.setdefault(request.caller, deque()).append(request)

    def popleft(self) -> Turn:
        """Take out the request whose turn it is. Raises StopIteration where none may begin."""
        caller = next(filter(self._may_begin, self._waiting))
        request = self._waiting[caller].popleft()
        self._waiting.move_to_end(caller)
        self._drop_if_empty(caller)
        self._begun[caller] += 1
        return request

    def finish(self, request: Turn) -> None:
        """Note that a request that was taken out is answered."""
        self._begun[request.caller] -= 1
        if not self._begun[request.caller]:
            del self._begun[request.caller]

    def remove(self, channel: Channel) -> None:
        """Take out what waits of a connection, wherever that is."""
        for caller in {channel.address, STRANGERS} & self._waiting.keys():
            waiting = self._waiting[caller]
            self._waiting[caller] = deque(one for one in waiting if one.channel is not channel)
            self._drop_if_empty(caller)

    def __bool__(self) -> bool:
        """Whether there is a request that may begin."""
        return any(map(self._may_begin, self._waiting))

    def __len__(self) -> int:
        """How many requests wait."""
        return sum(map(len, self._waiting.values()))

    def _may_begin(self, caller: str) -> bool:
        return self._begun[caller] < self._waiting[caller][0].most

    def _drop_if_empty(self, caller: str) -> None:
        if not self._waiting[caller]:
            del self._waiting[caller]


class Dispatcher(ThreadedTaskDispatcher):
    """Waitress's threads, over a fair queue."""

    queue: Any  # Waitress makes a deque of it

    def __init__(self) -> None:
        """Start the threads."""
        super().__init__()
        self.queue = FairQueue()
        self.set_thread_count(THREADS)

    def add_task(self, channel: Channel) -> None:
        """Queue the request that has come over a connection."""
        super().add_task(Turn(channel, self._finished))

    def forget(self, channel: Channel) -> None:
        """Leave unanswered what waits of a connection that is closed."""
        with self.lock:
            self.queue.remove(channel)

    def _finished(self, request: Turn) -> None:
        with self.lock:
            self.queue.finish(request)
            self.queue_cv.notify()  # of the same caller another one may begin
