"""Looking further than one's own turn: what the table may bring until the next one.

A Monte-Carlo tree search of two of the player's own turns. The tree's first decisions are the best
ways to collect and place by the turn plan; by the upper confidence bound (UCB1) the promising ones
are tried more often. Each try makes up what is hidden or left to chance (determinisation): the
stars that refill the clusters, and what the others do meanwhile. It ends with the worth of the best
turn that is possible then, or with that of the galaxy where the game is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from scorer.nebula.strategies.outlook import Outlook
from scorer.nebula.strategies.simple import placer
from scorer.nebula.strategies.turn_plan import (
    TurnPlan,
    ways_by_time,
    ways_to_collect,
    within_turn,
)
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.placing import PLACED_IN_A_TURN
from scorer.nebula.turns.play import actions as legal_actions
from scorer.nebula.turns.play import after_legal
from scorer.nebula.turns.state import Phase, State

TRIES = 60
BRANCHES = 6
OUTCOMES = 3
"""Of a turn that has chance in it, so many outcomes are looked at."""
CURIOSITY = 6.0
"""Points by which a way that was hardly tried may look worse than the best one."""


@dataclass
class Branch:
    """A way to collect, and what came of trying it."""

    action: Action
    planned: float
    tries: int = 0
    total: float = 0.0
    afters: list[State] = field(default_factory=list)
    is_certain: bool = False
    plans: dict[object, TurnPlan] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """What it was worth on average; before the first try, what was planned."""
        return self.total / self.tries if self.tries else self.planned


def search(state: State, actions: Sequence[Action], mind: Random) -> Action:
    """The way to collect that leaves the player best off a turn later; the rest as planned."""
    if state.phase is not Phase.COLLECT:
        return within_turn(state, actions, mind)
    return max(explored(state, mind), key=lambda branch: (branch.tries, branch.mean)).action


def explored(state: State, mind: Random) -> list[Branch]:
    """The best ways to collect, each tried as often as it was promising."""
    ways = sorted(ways_to_collect(TurnPlan(state), state, mind), key=lambda way: -way[1])
    branches = [Branch(*way) for way in ways[:BRANCHES]]
    for tries in range(TRIES):
        branch = max(branches, key=lambda one: _bound(one, tries))
        branch.total += _try(state, branch, mind)
        branch.tries += 1
    return branches


def _bound(branch: Branch, tries: int) -> float:
    """The upper confidence bound of a branch after so many tries of all."""
    if not branch.tries:
        return float("inf")
    return branch.mean + CURIOSITY * sqrt(log(tries + 1) / branch.tries)


def _try(state: State, branch: Branch, mind: Random) -> float:
    """What a player is worth a turn later, with a branch taken and the rest made up."""
    player = state.player
    state = _own_turn(state, branch, mind)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.COLLECT and state.player == player:
            return _next_turn(state, branch, mind)
        choices = legal_actions(state)
        action = placer(state, choices, mind) if choices else random_outcome(state, mind)
        state = after_legal(state, action)
    return Outlook(state, player).now


def _own_turn(state: State, branch: Branch, mind: Random) -> State:
    """A state that the turn may end in, before the clusters are refilled; each is come to again."""
    if branch.is_certain or len(branch.afters) == OUTCOMES:
        return branch.afters[branch.tries % len(branch.afters)]
    turn, is_certain = state.turn, True
    state = after_legal(state, branch.action)
    while state.turn == turn and state.phase not in (Phase.REFILL, Phase.OVER):
        choices = legal_actions(state)
        is_certain = is_certain and bool(choices)
        action = within_turn(state, choices, mind) if choices else random_outcome(state, mind)
        state = after_legal(state, action)
    branch.is_certain = is_certain
    branch.afters.append(state)
    return state


def _next_turn(state: State, branch: Branch, mind: Random) -> float:
    """The worth of the best turn from here, as far as collecting by time can bring it."""
    galaxy = state.seat.galaxy
    key = frozenset(galaxy.stars.items()), galaxy.black, state.boosted
    if key not in branch.plans:
        branch.plans[key] = TurnPlan(state, width=1, most=PLACED_IN_A_TURN)
    return max(worth for _, worth in ways_by_time(branch.plans[key], state))
