"""Who asks for much waits for themselves: the threads are shared out among the callers."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.webapp.test_connection_limits import wait_until
from webapp.app.live import projection
from webapp.server.connection_limits import Trust
from webapp.server.dispatcher import (
    MOST_OF_ADDRESS,
    MOST_OF_STRANGERS,
    THREADS,
    Dispatcher,
    FairQueue,
    Turn,
)


@dataclass(eq=False)
class Connection:
    """A connection whose request is answered by `answer`."""

    address: str = "192.0.2.1"
    trust: Trust = Trust.GUEST
    answer: Callable[[], object] = bool

    def service(self) -> None:
        self.answer()


def queue(*connections: Connection) -> tuple[FairQueue, list[Turn]]:
    """The requests of connections, in this order, and their turns."""
    waiting, turns = FairQueue(), [Turn(one, lambda _: None) for one in connections]
    for one in turns:
        waiting.append(one)
    return waiting, turns


def taken(waiting: FairQueue) -> list[Connection]:
    """Those whose requests begin now."""
    found = []
    while waiting:
        found.append(waiting.popleft().channel)
    return found


def test_a_guest_waits_for_one_request_of_each_other_guest() -> None:
    many = [Connection() for _ in range(5)]
    guest, other = Connection("192.0.2.2"), Connection("192.0.2.3")
    waiting, _ = queue(*many, guest, other)
    assert taken(waiting) == [many[0], guest, other, *many[1:]]
    assert len(waiting) == 0


def test_an_address_has_some_of_the_threads_and_gets_no_more_before_one_is_free() -> None:
    many = [Connection() for _ in range(MOST_OF_ADDRESS + 2)]
    waiting, turns = queue(*many)
    assert taken(waiting) == many[:-2] and len(waiting) == 2
    waiting.append(Turn(guest := Connection("192.0.2.2"), lambda _: None))
    assert taken(waiting) == [guest]
    waiting.finish(turns[0])
    assert taken(waiting) == many[-2:-1]


def test_no_address_has_what_it_takes_to_keep_the_others_from_a_live_table() -> None:
    assert MOST_OF_ADDRESS < projection.MOST_AT_ONCE


def test_strangers_share_what_one_of_them_would_have() -> None:
    strangers = [Connection(f"192.0.2.{one}", Trust.STRANGER) for one in range(9)]
    waiting, _ = queue(*strangers)
    assert taken(waiting) == strangers[:MOST_OF_STRANGERS]


def test_this_computer_may_have_all_of_them() -> None:
    waiting, _ = queue(*[Connection("127.0.0.1", Trust.HERE) for _ in range(THREADS)])
    assert len(taken(waiting)) == THREADS


def test_what_nobody_will_hear_is_not_answered() -> None:
    gone, stays = Connection(), Connection()
    waiting, _ = queue(gone, stays)
    waiting.remove(gone)
    assert taken(waiting) == [stays]
    waiting.remove(stays)  # it is being answered


@pytest.fixture
def dispatcher() -> Iterator[Dispatcher]:
    made = Dispatcher()
    yield made
    made.shutdown()


def test_a_guest_is_answered_whatever_another_one_waits_for(dispatcher: Dispatcher) -> None:
    release, answered = threading.Event(), threading.Event()
    done: list[int] = []
    for one in range(THREADS + 5):
        dispatcher.add_task(Connection(answer=lambda one=one: release.wait() and done.append(one)))
    try:
        dispatcher.add_task(Connection("192.0.2.2", answer=answered.set))
        assert answered.wait(60)
    finally:
        release.set()
    wait_until(lambda: len(done) == THREADS + 5)
    assert not dispatcher.queue


def test_a_request_that_fails_gives_its_thread_back(dispatcher: Dispatcher) -> None:
    def fail() -> None:
        raise ValueError

    answered = threading.Event()
    for _ in range(MOST_OF_ADDRESS):
        dispatcher.add_task(Connection(answer=fail))
    dispatcher.add_task(Connection(answer=answered.set))
    assert answered.wait(60)
