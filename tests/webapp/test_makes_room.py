"""Who stays where there is room for some only, and how slowly a request may arrive."""

from dataclasses import dataclass

import pytest

from webapp.server import connection_limits
from webapp.server.connection_limits import (
    MOST_CONNECTIONS,
    MOST_OF_ADDRESS,
    Trust,
    is_overdue,
    makes_room,
)

STRANGER, GUEST, HERE = Trust.STRANGER, Trust.GUEST, Trust.HERE


@dataclass
class Request:
    began: float = 0.0
    headers_finished: bool = False
    body_bytes_received: int = 0


@dataclass
class Caller:
    """A connection as the door sees it."""

    address: str = "192.0.2.1"
    trust: Trust = STRANGER
    opened: float = 0.0
    moved: float = 0.0
    asked: bool = False
    is_answered: bool = False
    arriving: Request | None = None


def crowd(count: int, address: str = "192.0.2.1", **more: object) -> list[Caller]:
    """Several connections of one address, the first the oldest."""
    return [Caller(address, opened=float(one), moved=float(one), **more) for one in range(count)]


def test_nobody_leaves_while_there_is_room() -> None:
    assert makes_room(Caller(), crowd(MOST_OF_ADDRESS - 1)) is None
    others = crowd(MOST_OF_ADDRESS) + crowd(MOST_CONNECTIONS - MOST_OF_ADDRESS - 1, "192.0.2.2")
    assert makes_room(Caller("192.0.2.3"), others) is None


def test_an_address_with_many_connections_loses_its_own_oldest() -> None:
    others = [*crowd(9, "192.0.2.2"), *crowd(MOST_OF_ADDRESS)]
    assert makes_room(Caller(opened=99), others) is others[9]


def test_this_computer_may_have_more_of_them() -> None:
    others = crowd(MOST_OF_ADDRESS, "127.0.0.1", trust=HERE)
    assert makes_room(Caller("127.0.0.1", HERE), others) is None


def test_strangers_leave_before_guests_and_those_before_this_computer() -> None:
    here = crowd(MOST_CONNECTIONS - 2, "127.0.0.1", trust=HERE)
    guest = Caller("192.0.2.8", GUEST, moved=500)
    stranger = Caller("192.0.2.9", opened=900, moved=900)
    newcomer = Caller("192.0.2.7", opened=901)
    assert makes_room(newcomer, [*here, guest, stranger]) is stranger
    assert makes_room(newcomer, [*here, guest, guest]) is guest
    assert makes_room(newcomer, [*here, *crowd(2, "127.0.0.1", trust=HERE)]) is here[0]


def test_of_strangers_the_oldest_of_the_largest_crowd_leaves_first() -> None:
    phone = Caller("192.0.2.8", opened=-1, moved=-1)
    few = [*crowd(MOST_CONNECTIONS - 51, "127.0.0.1", trust=HERE), phone]
    many = crowd(50, "192.0.2.66")
    assert makes_room(Caller("192.0.2.7"), [*few, *many]) is many[0]


def test_a_byte_now_and_then_keeps_no_stranger() -> None:
    others = crowd(MOST_OF_ADDRESS)
    others[0].moved = 1000.0
    assert makes_room(Caller(opened=99), others) is others[0]


def test_the_guest_that_was_quiet_for_longest_leaves_first() -> None:
    others = crowd(MOST_OF_ADDRESS, trust=GUEST)
    others[0].moved = 1000.0
    assert makes_room(Caller(), others) is others[1]


def test_what_is_being_answered_stays() -> None:
    others = crowd(MOST_OF_ADDRESS, trust=GUEST, is_answered=True)
    newcomer = Caller()
    assert makes_room(newcomer, others) is newcomer


@pytest.mark.parametrize(
    ("caller", "seconds"),
    [
        (Caller(), connection_limits.HEAD_WITHIN),
        (Caller(trust=HERE), connection_limits.HEAD_WITHIN),
        (
            Caller(moved=9.0),
            connection_limits.HEAD_WITHIN,
        ),  # a TLS handshake, or a head, in small pieces
        (Caller(asked=True), connection_limits.HEAD_WITHIN),
        (Caller(asked=True, trust=GUEST), connection_limits.QUIET),
        (Caller(asked=True, trust=GUEST, moved=30.0, arriving=Request(began=25.0)), 35.0),
    ],
)
def test_who_says_nothing_whole_is_overdue(caller: Caller, seconds: float) -> None:
    assert not is_overdue(caller, seconds)
    assert is_overdue(caller, seconds + 0.1)


def test_a_body_keeps_a_pace() -> None:
    body = Request(headers_finished=True, body_bytes_received=100_000)
    guest = Caller(trust=GUEST, asked=True, moved=119.0, arriving=body)
    assert not is_overdue(guest, 120.0)
    assert is_overdue(guest, 120.1)
    guest.moved = 10.0
    assert is_overdue(guest, 10.1 + connection_limits.QUIET)


def test_a_stranger_sends_all_within_the_time_of_a_head() -> None:
    body = Request(headers_finished=True, body_bytes_received=60_000)
    stranger = Caller(asked=True, moved=9.9, arriving=body)
    assert is_overdue(stranger, connection_limits.HEAD_WITHIN + 0.1)


def test_an_answer_takes_the_time_that_it_takes() -> None:
    assert not is_overdue(Caller(asked=True, is_answered=True), 600.0)
