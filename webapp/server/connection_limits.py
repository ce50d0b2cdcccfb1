"""Who stays where there is room for some only, and how slowly a request may arrive.

Anybody on the network can open connections. Those that have not shown the invitation are a
stranger's and hold the door open for nobody else: an address has a few, they go first when room
is short, and what they ask for comes quickly or not at all. Nobody is turned away to spare a
stranger's connection: the newest may be the phone of the next guest.
"""

import select
from collections import Counter
from collections.abc import Collection
from enum import IntEnum
from typing import Protocol, TypeVar

MOST_CONNECTIONS = 1024 if hasattr(select, "poll") else 256
"""In all; below what select() takes on Windows, and what a Mac lets a program open."""
MOST_OF_ADDRESS = 64
"""From one address other than this computer's. A browser opens six, and whoever comes by way of
another router shares its address with others."""

HEAD_WITHIN = 10.0
"""Seconds for a TLS handshake with the first request's head, then for each head; for all that a
stranger sends."""
BODY_AT_LEAST = 20.0
"""Seconds that any guest's body may take."""
SLOWEST = 1000.0
"""Bytes of a longer body that must come each second, on average."""
QUIET = 60.0
"""Seconds that a guest's connection may say nothing; a stranger's has `HEAD_WITHIN`."""
STRANGERS_BODY = 64 * 1024
"""Bytes that a stranger may send; there is nothing a stranger could want to send."""


class Trust(IntEnum):
    """Who has to make room first."""

    STRANGER = 0
    GUEST = 1
    HERE = 2


class Arriving(Protocol):
    """A request whose last byte is still to come."""

    began: float
    headers_finished: bool
    body_bytes_received: int


class Connection(Protocol):
    """What has to be known of a connection; times are those of `time.monotonic`.

    `asked`: a whole head has come, once at least. `is_answered`: a request is being answered, or
    waits for that. `moved`: when anything was last received or sent.
    """

    address: str
    trust: Trust
    opened: float
    moved: float
    asked: bool

    @property
    def is_answered(self) -> bool:
        """Say whether a request has come and its answer is being made."""

    @property
    def arriving(self) -> Arriving | None:
        """The request of which something has come, but not all."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


def makes_room(newcomer: AnyConnection, others: Collection[AnyConnection]) -> AnyConnection | None:
    """Return the connection that is closed for a newcomer; None while there is room.

    Of those that count against the newcomer the strangers go first, of these one from the address
    that has the most, the oldest; then the guest's that has been quiet for longest. What is being
    answered stays; where nothing else is left, the newcomer goes.
    """
    of_address = [other for other in others if other.address == newcomer.address]
    if newcomer.trust is not Trust.HERE and len(of_address) >= MOST_OF_ADDRESS:
        others = of_address
    elif len(others) < MOST_CONNECTIONS:
        return None
    strangers = Counter(other.address for other in others if other.trust is Trust.STRANGER)

    def worth(other: AnyConnection) -> tuple[int, int, float]:
        if other.trust is Trust.STRANGER:
            # Not by when it last sent something: a byte now and then would keep it for ever.
            return other.trust, -strangers[other.address], other.opened
        return other.trust, 0, other.moved

    idle = [other for other in others if not other.is_answered]
    return min(idle, key=worth, default=newcomer)


def is_overdue(connection: Connection, now: float) -> bool:
    """Say whether what a connection has to send or to take has not come in time."""
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
