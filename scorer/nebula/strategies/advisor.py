"""Nebula's `scorer.turns.Advisor`: strengths to play against, and advice."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scorer.greedy import next_best
from scorer.nebula.strategies import STRATEGIES
from scorer.nebula.strategies.lookahead import rated, search
from scorer.nebula.strategies.reasons import do, reason
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action, EndPlacing, Place, PlaceOnTrack, TurnToChaos
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.words import BLACK
from scorer.places import Place as BoardPlace
from scorer.sentence import Sentence
from scorer.turns import Advice, Alternative

STRENGTHS: Mapping[str, str] = MappingProxyType(
    {"beginner": "placer", "easy": "greedy", "medium": "planner", "strong": "search"}
)
"""The strategy of each strength."""


class ComputerPlayer:
    """Plays Nebula, and advises people. It is stateless."""

    def choose(self, state: State, strength: str, seed: int = 0) -> Advice[Action]:
        """The next action of the player to move, and why; see `scorer.turns.Advisor`."""
        strategy = STRATEGIES[STRENGTHS[strength]]
        seen = _decided(state)
        mind = Random(f"{seed}/{seen.turn}/{seen.player}/{seen.phase}/{len(seen.placed)}")
        legal = play.actions(seen)
        found = (
            rated(seen, legal, mind) if strategy is search else [(strategy(seen, legal, mind), 0.0)]
        )
        (action, best), *others = found
        return Advice(
            action,
            reason(play.seen_by(seen, None), action),  # read by everybody
            _places(seen, action),
            reason(seen, action),
            do(seen, action),
            tuple(
                Alternative(one, _brings(seen, one), max(best - worth, 0.0), do(seen, one))
                for one, worth in next_best(action, others, _kind)
            ),
        )


def _brings(state: State, action: Action) -> Sentence | str:
    """What an action that is not the best would bring; the reasons to do nothing are none."""
    return "" if isinstance(action, EndPlacing | TurnToChaos) else reason(state, action)


def _kind(action: Action) -> str:
    """What an action is about: a star to place, else its type."""
    if isinstance(action, Place | PlaceOnTrack):
        return action.star
    return type(action).__name__


def _decided(state: State) -> State:
    """The state as seen by the player who decides now. Raise ValueError if none does."""
    player = play.mover(state)
    if player is None or state.phase is Phase.OVER:
        raise ValueError("no player decides now: chance does, or the game is over")
    return play.seen_by(state, player)


def _places(state: State, action: Action) -> tuple[BoardPlace, ...]:
    """The place on the board where an action puts a star."""
    if isinstance(action, Place):
        return (BoardPlace(action.space),)
    if isinstance(action, PlaceOnTrack):
        return (BoardPlace(BLACK, "track", state.seat.galaxy.black),)
    return ()


ADVISOR = ComputerPlayer()
