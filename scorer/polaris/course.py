"""Polaris' lessons: the files in `lessons/`, and its actions as a learner reads them."""

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files

from scorer.lesson import Lesson
from scorer.polaris.notation import read_action, write_action
from scorer.polaris.placing import placed, plays
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


class PolarisCourse:
    """See `scorer.lesson.Course`.

    >>> print(PolarisCourse().format_action(PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1c2",))))
    the card's pieces go on 1b2, 1b2-1c2
    """

    turns = TURNS

    @cached_property
    def lessons(self) -> Sequence[Lesson[TableState]]:
        """Read once; LessonError where a file is wrong."""
        from scorer.lesson_file import load_lessons  # pydantic takes its time
        from scorer.polaris.goals import goal_of
        from scorer.polaris.lesson_start import start_of

        return load_lessons(files(__package__).joinpath("lessons"), start_of, goal_of)

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

    def off_goal(self, action: Action) -> Sentence:
        """That it is allowed all the same."""
        return say("leads_away")

    def position_of(self, state: TableState) -> Sky:
        """The sky, which is everybody's."""
        return state.sky

    def steps_to(self, state: TableState, position: Sky) -> Sequence[Action] | None:
        """The one card whose pieces are what is new there, if there is one."""
        if (dict(position.stars), position.links) == (dict(state.sky.stars), state.sky.links):
            return []
        for play in plays(state):
            after = placed(state, play)
            if (after.stars, after.links) == (position.stars, position.links):
                return [play]
        return None
