"""Polaris' lessons: the files in `lessons/`, and its actions as a learner reads them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorer.lesson import Course
from scorer.polaris.notation import read_action, write_action
from scorer.polaris.readings import readings
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import (
    Action,
    Draw,
    EndTurn,
    PlayCard,
    TableState,
    TakeCard,
    TakeShootingStars,
)
from scorer.polaris.turns import TURNS
from scorer.polaris.words import say
from scorer.sentence import Sentence

LEARNERS = ("red", "blue", "yellow")
"""The colours at the table of a lesson, the learner's first."""


class PolarisCourse(Course[TableState, Action]):
    """See `scorer.lesson.Course`.

    >>> print(PolarisCourse().format_action(PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1c2",))))
    the card's pieces go on 1b2, 1b2-1c2
    """

    package = "scorer.polaris"
    markers = LEARNERS
    turns = TURNS

    def start_of(self, data: Mapping[str, Any]) -> TableState:
        """See `scorer.polaris.lesson_start`."""
        from scorer.polaris.lesson_start import start_of  # pydantic takes its time

        return start_of(data)

    def goal_of(self, data: Mapping[str, Any], start: TableState) -> Callable[[TableState], bool]:
        """See `scorer.polaris.goals`."""
        from scorer.polaris.goals import goal_of

        return goal_of(data, start)

    def read_action(self, text: str) -> Action:
        """See `scorer.polaris.notation`."""
        return read_action(text)

    def write_action(self, action: Action) -> str:
        """See `scorer.polaris.notation`."""
        return write_action(action)

    def format_action(self, action: Action) -> Sentence:
        """What is done, in a sentence without its capital and its full stop."""
        match action:
            case PlayCard():
                places = self.spaces_of(action)
                return say("do_play", places=places) if places else say("do_play_nothing")
            case TakeCard(card) | Draw(card):
                return say("do_take", card=card)
            case TakeShootingStars():
                return say("do_shooting")
            case EndTurn():
                return say("do_end")

    def unfinished(self, state: TableState, action: Action) -> Sentence | None:
        """The card's next piece: first its stars are laid, and then its links."""
        if not isinstance(action, PlayCard):
            return None
        choice = state.card(action.card).choices[action.choice]
        if len(action.stars) < choice.stars:
            return say("lay_star")
        if len(action.links) < len(choice.links):
            return say("lay_link", orientation=choice.links[len(action.links)].orientation)
        return None

    def spaces_of(self, action: Action) -> tuple[str, ...]:
        """Where the pieces of a card are placed."""
        if not isinstance(action, PlayCard):
            return ()
        return tuple(place for place in (*action.stars, *action.links) if place is not None)

    def position_of(self, state: TableState) -> Sky:
        """The sky, which is everybody's."""
        return state.sky

    def readings(self, state: TableState, position: Sky) -> Iterator[Sequence[Action]]:
        """See `scorer.polaris.readings`."""
        return readings(state, position)
