"""Nebula's lessons: the files in `lessons/`."""

from collections.abc import Callable, Mapping
from typing import Any

from scorer.lesson import Course
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.state import State


class NebulaCourse(Course[State, Action]):
    """See `scorer.lesson.Course`."""

    def start_of(self, data: Mapping[str, Any]) -> State:
        """See `scorer.nebula.lesson_start`."""
        from scorer.nebula.lesson_start import start_of  # pydantic takes its time

        return start_of(data)

    def goal_of(self, data: Mapping[str, Any], start: State) -> Callable[[State], bool]:
        """See `scorer.nebula.goals`."""
        from scorer.nebula.goals import goal_of

        return goal_of(data, start)
