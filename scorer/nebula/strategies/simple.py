"""Strategies that look no further than the next action."""

from collections.abc import Callable, Sequence
from random import Random

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.strategies.outlook import Outlook, prospects
from scorer.nebula.turns.actions import Action, InvestTime, Place, PlaceOnTrack, TurnToChaos
from scorer.nebula.turns.collecting import KEPT_OF_CHAOS, taken_by
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.state import Phase, State


def placer(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Collect and place as many stars as possible, on empty spaces first."""
    if state.phase is Phase.COLLECT:
        return _best(actions, lambda action: _taken(state, action), mind)
    if state.phase is Phase.PLACE:
        return _best(actions, lambda action: _growth(state.seat.galaxy, action), mind)
    return mind.choice(actions)


def remodeller(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Turn to chaos half of the time, and prefer replacing stars to filling empty spaces."""
    if state.phase is Phase.COLLECT:
        chaos = [action for action in actions if isinstance(action, TurnToChaos)]
        if chaos and mind.random() < 0.5:
            return mind.choice(chaos)
        return _best(actions, lambda action: min(_taken(state, action), 1), mind)
    if state.phase is Phase.PLACE:
        stars = state.seat.galaxy.stars
        replacing = [a for a in actions if isinstance(a, Place) and a.space in stars]
        return mind.choice(replacing or actions)
    return mind.choice(actions)


def greedy(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """Take the action worth most at once; unfinished objectives count in part."""
    if state.phase is Phase.COLLECT:
        return _best(actions, lambda action: _taken(state, action), mind)
    if state.phase is Phase.PLACE:
        outlook = Outlook(state, state.player)
        return _best(actions, lambda action: outlook.worth(outlook.after(action)), mind)
    if state.phase in (Phase.TOKEN, Phase.CHOOSE):
        player = state.player
        return _best(actions, lambda action: prospects(after_legal(state, action), player), mind)
    return mind.choice(actions)


def _taken(state: State, action: Action) -> int:
    """The number of stars gained by a way to collect."""
    if isinstance(action, InvestTime):
        return len(taken_by(state, action.moves))
    return min(KEPT_OF_CHAOS, state.bag.total) - 1  # less the star given up


def _growth(galaxy: Galaxy, action: Action) -> float:
    """How well a placement fills the galaxy; best in a nearly full constellation."""
    if isinstance(action, PlaceOnTrack):
        return 1.5
    if not isinstance(action, Place):
        return 0
    if action.space in galaxy.stars:
        return -1
    own = galaxy.board.constellations.get(galaxy.board.constellation_of(action.space) or "", ())
    return 1 + len(own) - len(galaxy.empty(own))


def _best(actions: Sequence[Action], worth: Callable[[Action], float], mind: Random) -> Action:
    """The action with the greatest worth; ties are broken at random."""
    worths = [worth(action) for action in actions]
    most = max(worths)
    return mind.choice([a for a, w in zip(actions, worths, strict=True) if w == most])
