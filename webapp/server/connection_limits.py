"""Which connections to close when there are too many, and how slowly a request may arrive.

Anybody on the network can open connections. Callers that have not shown the invitation are
strangers, and must not keep others out: an address may have a few, they are closed first when room
is short, and their requests have to arrive quickly. Newcomers are never refused for a stranger's
sake, as the newest connection may be the next guest's phone.
"""

import select
from collections import Counter
from collections.abc import Collection
from enum import IntEnum
from typing import Protocol, TypeVar

MOST_CONNECTIONS = 1024 if hasattr(select, "poll") else 256
"""In all; below the limits of select() on Windows, and of open files on macOS."""
MOST_OF_ADDRESS = 64
"""From one address other than this computer's. A browser opens six, and phones behind another
router share its address."""

HEAD_WITHIN = 10.0
"""Seconds for a TLS handshake and the first request's head, then for each head; for strangers, for
whole requests."""
BODY_AT_LEAST = 20.0
"""Seconds that a guest's body may always take."""
SLOWEST = 1000.0
"""The least average rate of a longer body, in bytes per second."""
QUIET = 60.0
"""Seconds that a guest's connection may be idle; a stranger's has `HEAD_WITHIN`."""
STRANGERS_BODY = 64 * 1024
"""The longest body of a stranger in bytes, who has no reason to send more."""


class Trust(IntEnum):
    """The caller's trust; the lowest has to make room first."""

    STRANGER = 0
    GUEST = 1
    HERE = 2


class Arriving(Protocol):
    """A request that has not arrived completely."""

    began: float
    headers_finished: bool
    body_bytes_received: int


class Connection(Protocol):
    """The state of a connection; times are those of `time.monotonic`.

    `asked`: at least one whole head has arrived. `is_answered`: a request is being answered, or
    waits to be. `moved`: when data was last received or sent.
    """

    address: str
    trust: Trust
    opened: float
    moved: float
    asked: bool

    @property
    def is_answered(self) -> bool:
        """Whether a request has arrived and is being answered."""

    @property
    def arriving(self) -> Arriving | None:
        """The request that has only arrived in part."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


def makes_room(newcomer: AnyConnection, others: Collection[AnyConnection]) -> AnyConnection | None:
    """Return the connection to close for a newcomer; None while there is room.

    Among those that compete with the newcomer strangers go first, the oldest one from the address
    with the most of them; then the guest that has been idle the longest. Connections being answered
    stay; if there are no others, the newcomer goes.
    """
    of_address = [other for other in others if other.address == newcomer.address]
    if newcomer.trust is not Trust.HERE and len(of_address) >= MOST_OF_ADDRESS:
        others = of_address
    elif len(others) < MOST_CONNECTIONS:
        return None
    strangers = Counter(other.address for other in others if other.trust is Trust.STRANGER)

    def worth(other: AnyConnection) -> tuple[int, int, float]:
        if other.trust is Trust.STRANGER:
            # Not by when it last sent something, as a byte now and then would keep it forever.
            return other.trust, -strangers[other.address], other.opened
        return other.trust, 0, other.moved

    idle = [other for other in others if not other.is_answered]
    return min(idle, key=worth, default=newcomer)


def is_overdue(connection: Connection, now: float) -> bool:
    """Whether a connection has failed to send or receive data in time."""
    if connection.is_answered:
        return False
    is_stranger = connection.trust is Trust.STRANGER
    if now - connection.moved > (HEAD_WITHIN if is_stranger else QUIET):
        return True
    if not connection.asked:
        return now - connection.opened > HEAD_WITHIN
    request = connection.arriving
    if request is None:
        return False
    allowed = HEAD_WITHIN
    if request.headers_finished and not is_stranger:
        allowed = BODY_AT_LEAST + request.body_bytes_received / SLOWEST
    return now - request.began > allowed
