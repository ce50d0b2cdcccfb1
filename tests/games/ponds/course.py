"""The toy's one lesson: a start of `frogs` and the one that is `drawn`, a goal of `streams`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ponds.turns import TURNS, Action, Guess, State
from scorer.goals import GoalWord, is_number
from scorer.lesson import Course


def _streams(least: int, start: State) -> Callable[[State], bool]:
    return lambda state: len(state.ponds()[0].choirs()) >= least


class PondCourse(Course[State, Action]):
    """See `scorer.lesson.Course`; so many streams have frogs of one colour at both ends."""

    goals = MappingProxyType({"streams": GoalWord(is_number, _streams)})

    def start_of(self, data: Mapping[str, Any]) -> State:
        """A player alone, who has guessed."""
        begun = TURNS.after(TURNS.start({"players": 1}), Guess(0))
        seat = replace(begun.seats[0], frogs=tuple(data["frogs"].items()))
        return replace(begun, seats=(seat,), drawn=data["drawn"])
