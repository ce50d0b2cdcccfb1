"""Ways to spoil a legal record, each with the rule, the turn and the field that must be named.

A mistake is a function of a record (its own copy, to be spoilt) and its replay (of the legal one).
It gives the turn and the field, or None where the record has no such place to spoil.
"""

from collections.abc import Callable
from typing import Any

from scorer.nebula.records import Replay
from scorer.nebula.turns.state import State

Record = dict[str, Any]
Found = tuple[int, str] | None
Mistake = Callable[[Record, Replay], Found]

MISTAKES: list[tuple[str, Mistake]] = []


def mistake(rule: str) -> Callable[[Mistake], Mistake]:
    def add(spoil: Mistake) -> Mistake:
        MISTAKES.append((rule, spoil))
        return spoil

    return add


def after_turn(replayed: Replay, turn: int) -> State:
    """The state at a turn's end, of turn 0 that after the setup."""
    states = replayed.states
    return next((state for state in states if state.turn > turn), states[-1])


def setting(rule: str, path: str, *values: Any, field: str | None = None, turn: int = 0) -> None:
    """Mistakes that put a wrong value at a path outside the turns."""
    for value in values:

        def spoil(record: Record, replayed: Replay, value: Any = value) -> Found:
            *way, last = (int(key) if key.isdecimal() else key for key in path.split("."))
            at: Any = record
            for key in way:
                at = at[key]
            if value is MISSING:
                del at[last]
            else:
                at[last] = value
            return (len(record["turns"]) if turn else 0), field or path

        spoil.__name__ = f"{path}={value!r}"[:60]
        MISTAKES.append((rule, spoil))


class _Missing:
    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()
