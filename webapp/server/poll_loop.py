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


class PollLoop(dict[int, Any]):
    """The sockets of a loop, by their file numbers."""

    def __init__(self) -> None:
        """Nothing is polled yet."""
        super().__init__()
        self.at_work = set[HTTPChannel]()
        """Connections whose request a thread answers, and may change them: asked in each round."""
        self._touched, self._others = deque[int](), set[int]()
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
            wasyncore.loop(SWEEP, map=self)
            return
        poll, polled = select.poll(), dict[int, int]()
        while self:
            for number in self._due():
                flags = self._flags(number)
                if flags == polled.get(number, 0):
                    continue
                if flags:
                    poll.register(number, flags)
                    polled[number] = flags
                else:
                    poll.unregister(number)
                    del polled[number]
            for number, happened in poll.poll(1000 * SWEEP):
                self._touched.append(number)
                if number in self:
                    wasyncore.readwrite(self[number], happened)

    def _due(self) -> set[int]:
        """Whatever may wait for something else than in the last round."""
        due = self._others.copy()
        for channel in self.at_work.copy():
            self.touch(channel)
        while self._touched:
            due.add(self._touched.popleft())
        if monotonic() - self._swept >= SWEEP:
            self._swept = monotonic()
            due.update(self)
        return due

    def _flags(self, number: int) -> int:
        """What to poll a socket for, 0 for nothing."""
        found = self.get(number)
        if found is None:
            return 0
        flags = select.POLLIN | select.POLLPRI if found.readable() else 0
        if found.writable() and not found.accepting:
            flags |= select.POLLOUT
        return flags
