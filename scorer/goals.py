"""Goals of lessons in a game's own vocabulary, whose words are predicates over states.

The `goal` of a lesson file maps words to values; all must hold. A game says which values each of
its words allows, and what they demand.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from scorer.datafile import DataFileError, Problem

State = TypeVar("State")
MOST = 30
"""The largest number in a goal."""


class GoalWord(NamedTuple, Generic[State]):
    """A word of the vocabulary; both functions take the value and the lesson's start."""

    possible: Callable[[Any, State], bool]
    goal: Callable[[Any, State], Callable[[State], bool]]


def read_goal(
    data: Mapping[str, Any], start: State, words: Mapping[str, GoalWord[State]]
) -> Callable[[State], bool]:
    """The goal of a lesson file. Raise DataFileError for an impossible word or value.

    >>> more = GoalWord(is_number, lambda value, start: lambda state: state >= start + value)
    >>> read_goal({"more": 2}, 10, {"more": more})(12)
    True
    """
    problems: list[Problem] = []
    goals: list[Callable[[State], bool]] = []
    for word, value in data.items():
        if word not in words:
            problems.append((word, f"is no goal; there are {', '.join(words)}"))
        elif words[word].possible(value, start):
            goals.append(words[word].goal(value, start))
        else:
            problems.append((word, f"{value!r} is not possible here"))
    if not data:
        problems.append(("", "must say what is to be reached"))
    if problems:
        raise DataFileError(problems)
    return lambda state: all(goal(state) for goal in goals)


def is_true(value: Any, start: object) -> bool:
    return value is True


def some_of(known: Callable[[State], Iterable[Any]]) -> Callable[[Any, State], bool]:
    """Make a check that a value is a list of things that `known` finds in the start."""
    return lambda value, start: isinstance(value, list) and {*value} <= {*known(start)}


def number_of_each(known: Callable[[State], Iterable[Any]]) -> Callable[[Any, State], bool]:
    """Make a check that a value has numbers for things that `known` finds in the start."""
    return lambda value, start: (
        isinstance(value, Mapping)
        and {*value} <= {*known(start)}
        and all(is_number(number, start) for number in value.values())
    )


def is_number(value: Any, start: object) -> bool:
    """Whether a value is a positive number up to `MOST`."""
    return type(value) is int and 0 < value <= MOST
