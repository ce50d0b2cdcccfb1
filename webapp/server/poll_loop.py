"""Waitress's loop for many connections, which queries a connection only when it may have changed.

Waitress queries all of them in every round, and every request takes several rounds: with 500 pages
that listen for events, that would take longer than answering.
"""

import select
from collections import deque
from time import monotonic
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel

SWEEP = 1.0
"""Seconds between queries of all connections, to catch changes that were not announced, and those
that are overdue."""
AGAIN = 0.02
"""Seconds until a connection whose lock was held by a sending thread is queried again."""


class PollLoop(dict[int, Any]):
    """The sockets of a loop, by file number."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work = set[HTTPChannel]()
        """Connections whose request a thread is answering, and may change: queried in each round.

        Threads add them and the loop removes them, as only the loop receives further requests.
        """
        self.is_contended = False
        """Whether a thread held a connection's lock when it was queried in this round."""
        self._touched, self._others = deque[int](), set[int]()
        self._polled = dict[int, int]()
        self._swept = 0.0

    def __setitem__(self, number: int, polled: Any) -> None:
        super().__setitem__(number, polled)
        if not isinstance(polled, HTTPChannel):  # a listener, or the trigger
            self._others.add(number)
        self._touched.append(number)

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self._others.discard(number)
        self._touched.append(number)

    def touch(self, channel: HTTPChannel) -> None:
        """Query a connection in the next round, from any thread; this does not wake the loop."""
        number = channel._fileno
        if number is not None:  # otherwise it is closed
            self._touched.append(number)

    def run(self) -> None:
        if not hasattr(select, "poll"):
            while self:
                wasyncore.loop(SWEEP, map=self, count=1)
                self._touched.clear()  # all are queried in each round
                self._touch_at_work()
            return
        poll = select.poll()
        while self:
            self.is_contended = False
            self._ask_all_due(poll)
            for number, happened in poll.poll(1000 * (AGAIN if self.is_contended else SWEEP)):
                self._touched.append(number)
                if number in self:
                    wasyncore.readwrite(self[number], happened)

    def _ask_all_due(self, poll: "select.poll") -> None:
        """Register what sockets wait for now.

        Listeners come first, once in a round, as they close connections: a closed number must no
        longer be polled, since the next connection may get it.
        """
        for number in self._others.copy():
            self._ask(number, poll)
        self._touch_at_work()
        if monotonic() - self._swept >= SWEEP:
            self._swept = monotonic()
            self._touched.extend(self)
        while self._touched:
            number = self._touched.popleft()
            if number not in self._others:
                self._ask(number, poll)

    def _touch_at_work(self) -> None:
        for channel in self.at_work.copy():
            if not (channel.connected and channel.requests):  # query it a last time
                self.at_work.discard(channel)
            self.touch(channel)

    def _ask(self, number: int, poll: "select.poll") -> None:
        """Register what a socket waits for."""
        found, flags = self.get(number), 0
        if found is not None and found.readable():
            flags |= select.POLLIN | select.POLLPRI
        if found is not None and found.writable() and not found.accepting:
            flags |= select.POLLOUT
        if flags == self._polled.get(number, 0):
            return
        if flags:
            poll.register(number, flags)
            self._polled[number] = flags
        else:
            poll.unregister(number)
            del self._polled[number]
