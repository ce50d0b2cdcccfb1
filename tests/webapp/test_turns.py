"""Whoever asks for much keeps nobody else waiting."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future

import pytest

from webapp.app.reading.fair_queue import Asker, Turns

ANA, EVA, LUIS = Asker("ana", "game"), Asker("eva", "game"), Asker("luis", "other")


@pytest.fixture
def turns() -> Iterator[Turns]:
    made = Turns("test")
    yield made
    made.close()


class Held:
    """A thread that is at work until it is let go, so that everything else waits."""

    def __init__(self, turns: Turns) -> None:
        self.done: list[str] = []
        self._turns, self._goes_on, begun = turns, threading.Event(), threading.Event()
        self._asked: list[Future[None]] = []
        turns.submit(Asker("first", ""), lambda: (begun.set(), self._goes_on.wait(60)))
        assert begun.wait(60)

    def ask(self, asker: Asker, *names: str) -> list[Future[None]]:
        asked = [self._turns.submit(asker, self.done.append, name) for name in names]
        self._asked += asked
        return asked

    def order(self) -> list[str]:
        """Let everything be done; return it in the order in which it was."""
        self._goes_on.set()
        for one in self._asked:
            if not one.cancelled():
                one.result(60)
        return self.done


def test_each_phone_has_its_turn(turns: Turns) -> None:
    held = Held(turns)
    held.ask(ANA, "a1", "a2", "a3")
    held.ask(EVA, "e1")
    held.ask(LUIS, "l1", "l2")
    assert held.order() == ["a1", "e1", "l1", "a2", "l2", "a3"]


def test_many_games_of_one_phone_have_no_more_turns_than_one(turns: Turns) -> None:
    held = Held(turns)
    for number in range(3):
        held.ask(Asker("ana", f"game {number}"), f"a{number}", f"a{number}+")
    held.ask(EVA, "e1", "e2")
    assert held.order() == ["a0", "e1", "a1", "e2", "a2", "a0+", "a1+", "a2+"]


def test_who_was_served_last_waits_for_the_others(turns: Turns) -> None:
    held = Held(turns)
    held.ask(ANA, "a1")
    assert held.order() == ["a1"]
    later = Held(turns)
    later.ask(ANA, "a2")
    later.ask(EVA, "e1")
    assert later.order() == ["e1", "a2"]


def test_what_waits_is_reported_in_its_order(turns: Turns) -> None:
    held = Held(turns)
    first, second = held.ask(ANA, "a1", "a2")
    (eva,) = held.ask(EVA, "e1")
    assert turns.waiting() == [first, eva, second]
    eva.cancel()
    assert turns.waiting() == [first, second]
    assert held.order() == ["a1", "a2"]
    assert turns.waiting() == []


def test_what_fails_is_reported_and_the_next_is_done(turns: Turns) -> None:
    failed = turns.submit(ANA, int, "x")
    with pytest.raises(ValueError, match="invalid literal"):
        failed.result(60)
    assert turns.submit(ANA, int, "7").result(60) == 7


def test_what_waits_at_the_end_is_cancelled() -> None:
    turns, goes_on = Turns("test"), threading.Event()
    turns.submit(ANA, goes_on.wait, 60)
    waiting = turns.submit(EVA, int, "7")
    turns.cancel_waiting()
    goes_on.set()
    turns.close()
    with pytest.raises(CancelledError):
        waiting.result(60)
    with pytest.raises(RuntimeError):
        turns.submit(ANA, int, "7")


def test_several_are_done_at_once_but_of_one_game_one_after_the_other() -> None:
    turns, meet = Turns("test", 2), threading.Barrier(2)
    both = [turns.submit(asker, meet.wait, 60) for asker in (ANA, LUIS)]
    assert sorted(one.result(60) for one in both) == [0, 1]  # they met: both were at work
    begun, alone = threading.Event(), threading.Event()
    first = turns.submit(ANA, lambda: begun.set() or alone.wait(60))
    assert begun.wait(60)
    second = turns.submit(EVA, alone.is_set)  # the game of the first
    assert turns.submit(LUIS, int, "7").result(60) == 7
    assert not second.done()
    alone.set()
    assert first.result(60) and second.result(60)
    turns.close()
