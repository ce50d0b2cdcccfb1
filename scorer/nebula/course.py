"""Nebula's lessons: the files in `lessons/`, and its actions as a learner reads them."""

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files

from scorer.lesson import Lesson
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import (
    Action,
    AdvanceToken,
    ChoosePersonal,
    Claim,
    Deal,
    Draw,
    EndClaims,
    EndPlacing,
    InvestTime,
    Keep,
    Place,
    PlaceOnTrack,
    ReplaceBoosted,
    TurnToChaos,
)
from scorer.nebula.turns.notation import read_action, write_action
from scorer.nebula.turns.state import State
from scorer.nebula.words import say
from scorer.sentence import Sentence


class NebulaCourse:
    """See `scorer.lesson.Course`.

    >>> print(NebulaCourse().format_action(Place("red", "ar1")))
    the red star goes on ar1
    """

    turns = play

    @cached_property
    def lessons(self) -> Sequence[Lesson[State]]:
        """Read once; LessonError where a file is wrong."""
        from scorer.lesson_file import load_lessons  # pydantic takes its time
        from scorer.nebula.goals import goal_of
        from scorer.nebula.lesson_start import start_of

        return load_lessons(files(__package__).joinpath("lessons"), start_of, goal_of)

    def read_action(self, text: str) -> Action:
        """See `scorer.nebula.turns.notation`."""
        return read_action(text)

    def write_action(self, action: Action) -> str:
        """See `scorer.nebula.turns.notation`."""
        return write_action(action)

    def format_action(self, action: Action) -> Sentence:
        """What is done, in a sentence without its capital and its full stop."""
        match action:
            case Place(star, space):
                return say("do_place", star=star, space=space)
            case PlaceOnTrack():
                return say("do_place_black")
            case InvestTime(moves):
                return say(
                    "do_time", moves=tuple(f"{move:+d}".replace("+0", "0") for move in moves)
                )
            case TurnToChaos(star):
                return say("do_chaos", star=star)
            case Keep(stars):
                return say("do_keep", stars=stars)
            case ReplaceBoosted(source, star):
                return say(f"do_boost_{source}", star=star or "")
            case AdvanceToken(token):
                return say("do_token", token=token)
            case Claim(card) | ChoosePersonal(card) | Deal(card):
                return say("do_claim", card=card)
            case EndPlacing():
                return say("do_end_placing")
            case EndClaims():
                return say("do_end_claims")
            case Draw(star):
                return say("do_draw", star=star)

    def unfinished(self, state: State, action: Action) -> None:
        """Every action is told at once."""

    def spaces_of(self, action: Action) -> tuple[str, ...]:
        """Where a star is placed."""
        return (action.space,) if isinstance(action, Place) else ()

    def off_goal(self, action: Action) -> Sentence:
        """That it is allowed all the same."""
        return say("leads_away")

    def position_of(self, state: State) -> Galaxy:
        """The galaxy of whose turn it is."""
        return state.seat.galaxy

    def steps_to(self, state: State, position: Galaxy) -> Sequence[Action] | None:
        """A placement for each space that holds another star, and each more black star."""
        lying = state.seat.galaxy
        missing = lying.stars.keys() - position.stars.keys()
        if missing or position.black < lying.black:
            return None
        placed = [
            Place(star, space)
            for space, star in position.stars.items()
            if lying.stars.get(space) != star
        ]
        return [*placed, *[PlaceOnTrack()] * (position.black - lying.black)]
