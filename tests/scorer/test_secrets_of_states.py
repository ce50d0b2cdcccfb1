"""What a state hides is drawn from the marks of its fields."""

from dataclasses import dataclass
from typing import Annotated

from scorer.secrets import OfEachPlayer, Secret, seen_by


@dataclass(frozen=True)
class Seat:
    coins: int
    hand: Annotated[tuple[str, ...], Secret()] = ()
    goal: Annotated[str | None, Secret("back")] = None


@dataclass(frozen=True)
class State:
    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    bets: Annotated[tuple[int | None, ...], Secret(0), OfEachPlayer()]
    deck: Annotated[tuple[str, ...], Secret()]


STATE = State((Seat(1, ("A", "B"), "hill"), Seat(2, ("C",))), (7, None), ("D", "E"))


def test_one_sees_ones_own_and_how_much_the_others_have() -> None:
    seen = seen_by(STATE, 0)
    assert seen.seats == (STATE.seats[0], Seat(2, ("?",), None))
    assert seen.bets == (7, None) and seen.deck == ("?", "?")


def test_nobody_sees_backs_alone() -> None:
    seen = seen_by(STATE, None)
    assert seen.seats == (Seat(1, ("?", "?"), "back"), Seat(2, ("?",), None))
    assert seen.bets == (0, None)
    assert seen_by(seen, None) == seen


def test_what_hides_nothing_is_the_same_value() -> None:
    @dataclass(frozen=True)
    class Open:
        stones: int

    state = Open(3)
    assert seen_by(state, None) is state
