"""Waitress's loop for many connections: it asks each what it waits for only when that may be new.

Waitress asks all of them in every round, and every request takes several: with 500 pages that
listen for events, that would take longer than the answers.
"""

import select
from collections import deque
from time import monotonic
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel

SWEEP = 1.0
"""Seconds after which all are asked once more: of what was changed without a word."""
AGAIN = 0.02
"""Seconds after which a connection is asked again whose lock a thread held, to send."""


class PollLoop(dict[int, Any]):
    """The sockets of a loop, by their file numbers."""

    def __init__(self) -> None:
        """Nothing is polled yet."""
        super().__init__()
        self.at_work = set[HTTPChannel]()
        """Connections whose request a thread answers, and may change them: asked in each round.

        Threads add them, and the loop takes them out: it alone receives what they do next.
        """
        self.is_contended = False
        """Whether a connection's lock was held by a thread as it was asked in this round."""
        self._touched, self._others = deque[int](), set[int]()
        self._polled = dict[int, int]()
        self._swept = 0.0

    def __setitem__(self, number: int, polled: Any) -> None:
        """Take in a socket."""
        super().__setitem__(number, polled)
        if not isinstance(polled, HTTPChannel):  # it takes connections in, or is the trigger
            self._others.add(number)
        self._touched.append(number)

    def __delitem__(self, number: int) -> None:
        """Let go of a socket."""
        super().__delitem__(number)
        self._others.discard(number)
        self._touched.append(number)

    def touch(self, channel: HTTPChannel) -> None:
        """Have a connection asked in the next round, from any thread; it does not wake the loop."""
        number = channel._fileno
        if number is not None:  # else it is closed
            self._touched.append(number)

    def run(self) -> None:
        """Answer until Ctrl-C."""
        if not hasattr(select, "poll"):
            while self:
                wasyncore.loop(SWEEP, map=self, count=1)
                self._touched.clear()  # all are asked in each round
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
        """Poll for what is waited for now.

        Those that take connections in come first, once in a round, as they close others: a number
        that is closed is polled no more, since the next connection may get it.
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
            if not (channel.connected and channel.requests):  # this is the last time
                self.at_work.discard(channel)
            self.touch(channel)

    def _ask(self, number: int, poll: "select.poll") -> None:
        """Poll a socket for what it waits for."""
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
