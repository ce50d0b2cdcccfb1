"""The toy's lessons.

A file's `start` has the `die` and each seat's basket, `baskets`; its `goal` is `mixed`, how many
sets of three the learner is to have, whose turn it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from scorer.datafile import DataFileError
from scorer.goals import GoalWord, is_number
from scorer.lesson import Course

from . import FIELDS, FRUIT, SECRETS
from .turns import TURNS, Action, Side, State


def _mixed(least: int, start: State) -> Callable[[State], bool]:
    return lambda state: min(map(state.sides[0].basket.count, FRUIT)) >= least


class OrchardCourse(Course[State, Action]):
    """See `scorer.lesson.Course`."""

    goals = MappingProxyType({"mixed": GoalWord(is_number, _mixed)})

    def start_of(self, data: Mapping[str, Any]) -> State:
        """A table whose secret numbers are drawn."""
        baskets, die = data.get("baskets"), data.get("die")
        reported = baskets if isinstance(baskets, list) else []
        if die not in FIELDS or len(reported) != 2 or not {*chain(*reported)} <= {*FRUIT}:
            raise DataFileError([("", "needs a field as `die`, and two `baskets` of fruit")])
        sides = tuple(Side(tuple(basket), SECRETS[-1]) for basket in reported)
        return replace(TURNS.start({}), die=die, sides=sides)
