"""Ways to spoil a legal record, each with the rule, the turn and the field that must be named.

A mistake is a function of a record (its own copy, to be spoilt) and its replay (of the legal one).
It gives the turn and the field, or None where the record has no such place to spoil.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, NamedTuple

from scorer.nebula.records import Replay
from scorer.nebula.turns.state import State

Record = dict[str, Any]
Found = tuple[int, str] | None
Mistake = Callable[[Record, Replay], Found]

MISTAKES: list[tuple[str, Mistake]] = []


class Spot(NamedTuple):
    """A part of a record: its turn from 1, its path, its data and the state before it."""

    turn: int
    path: str
    data: Any
    before: State


Spots = Callable[[Record, Replay], Iterator[Spot]]


def mistake(rule: str, spots: Spots | None = None, key: str = "") -> Callable[[Any], Any]:
    """Add a mistake; with `spots`, one that spoils the first of these that it can.

    It is then a function of the spot's data and the state before it, returns False where there is
    nothing to spoil, and `key` is what must be named within the spot.
    """

    def add(spoil: Any) -> Any:
        @wraps(spoil)
        def spoil_first(record: Record, replayed: Replay) -> Found:
            for turn, path, data, before in spots(record, replayed) if spots else ():
                if spoil(data, before) is not False:
                    return turn, path + key
            return None

        MISTAKES.append((rule, spoil_first if spots else spoil))
        return spoil

    return add


def turns(record: Record, replayed: Replay) -> Iterator[Spot]:
    for number, turn in enumerate(record["turns"]):
        yield Spot(number + 1, f"turns[{number}]", turn, after_turn(replayed, number))


def after_turn(replayed: Replay, turn: int) -> State:
    """The state at a turn's end, of turn 0 that after the setup."""
    states = replayed.states
    return next((state for state in states if state.turn > turn), states[-1])


def put(data: Any, path: str, value: Any) -> None:
    """Put a value at a path that exists. Raise LookupError or TypeError if it does not."""
    *way, last = (int(key) if key.isdecimal() else key for key in path.split("."))
    for key in way:
        data = data[key]
    data[last]
    if value is MISSING:
        del data[last]
    else:
        data[last] = value


def setting(rule: str, path: str, *values: Any, field: str | None = None, turn: int = 0) -> None:
    """Mistakes that put a wrong value at a path outside the turns."""
    for value in values:

        def spoil(record: Record, replayed: Replay, value: Any = value) -> Found:
            put(record, path, value)
            return (len(record["turns"]) if turn else 0), field or path

        spoil.__name__ = f"{path}={value!r}"[:60]
        MISTAKES.append((rule, spoil))


class _Missing:
    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()
