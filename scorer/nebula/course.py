"""Nebula's lessons: the files in `lessons/`, and its actions as a learner reads them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from scorer.lesson import MOST_SEEN, Course
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


class NebulaCourse(Course[State, Action]):
    """See `scorer.lesson.Course`.

    >>> print(NebulaCourse().format_action(Place("red", "ar1")))
    the red star goes on ar1
    """

    package = "scorer.nebula"
    turns = play

    def start_of(self, data: Mapping[str, Any]) -> State:
        """See `scorer.nebula.lesson_start`."""
        from scorer.nebula.lesson_start import start_of  # pydantic takes its time

        return start_of(data)

    def goal_of(self, data: Mapping[str, Any], start: State) -> Callable[[State], bool]:
        """See `scorer.nebula.goals`."""
        from scorer.nebula.goals import goal_of

        return goal_of(data, start)

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

    def spaces_of(self, action: Action) -> tuple[str, ...]:
        """Where a star is placed."""
        return (action.space,) if isinstance(action, Place) else ()

    def position_of(self, state: State) -> Galaxy:
        """The galaxy of whose turn it is."""
        return state.seat.galaxy

    def readings(self, state: State, position: Galaxy) -> Iterator[Sequence[Action]]:
        """A placement for each space that holds another star, and each more black star.

        In whichever order; one of several stars may have to be there for another.
        """
        lying = state.seat.galaxy
        if lying.stars.keys() - position.stars.keys() or position.black < lying.black:
            return
        placed: list[Action] = [
            Place(star, space)
            for space, star in position.stars.items()
            if lying.stars.get(space) != star
        ]
        placed += [PlaceOnTrack()] * (position.black - lying.black)
        if len(placed) <= MOST_SEEN:
            yield from permutations(placed)
