"""Legal actions, reasons against illegal ones, and transitions of states.

The functions implement those of `scorer.turns.Turns`.

>>> from scorer.nebula.turns.setup import new_game
>>> from scorer.nebula.turns.state import Rules
>>> state = after_legal(new_game(Rules()), Draw("red"))
>>> state.clusters[0][0], actions(state), len(outcomes(state))
('red', (), 7)
>>> illegal(state, Draw("green")).kind
'bag_draw'
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import Action, Draw
from scorer.nebula.turns.black import Boost, BoostDraw, Token
from scorer.nebula.turns.collecting import Chaos, Collect, KeepStars
from scorer.nebula.turns.finishing import Claiming, Refill
from scorer.nebula.turns.placing import Placing
from scorer.nebula.turns.setup import Choose, DealCards, Fill, Reserves
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.turns.step import Step
from scorer.nebula.words import refuse
from scorer.secrets import seen_by

__all__ = ["Draw", "actions", "after_legal", "illegal", "mover", "outcomes", "seen_by"]

STEPS: Mapping[Phase, Step[Any]] = {
    Phase.FILL: Fill(),
    Phase.DEAL: DealCards(),
    Phase.CHOOSE: Choose(),
    Phase.RESERVES: Reserves(),
    Phase.COLLECT: Collect(),
    Phase.CHAOS: Chaos(),
    Phase.KEEP: KeepStars(),
    Phase.PLACE: Placing(),
    Phase.BOOST: Boost(),
    Phase.BOOST_DRAW: BoostDraw(),
    Phase.TOKEN: Token(),
    Phase.CLAIM: Claiming(),
    Phase.REFILL: Refill(),
}
"""The actions, rules and effects of each phase; a game that is over has none."""


def mover(state: State) -> int | None:
    """The player who decides next, from 0 in turn order; None at chance or the end."""
    return state.player if actions(state) else None


def actions(state: State) -> Sequence[Action]:
    """Every legal action of the player to move; none at the end and at chance."""
    return STEPS[state.phase].actions(state) if state.phase in STEPS else ()


def outcomes(state: State) -> Sequence[tuple[Action, float]]:
    """The possible chance actions with their probabilities; empty where a player acts."""
    return STEPS[state.phase].outcomes(state) if state.phase in STEPS else ()


def illegal(state: State, action: Action) -> RuleBreak | None:
    """The rule that forbids an action in a state, in words; None if it is legal.

    `.kind` is the rule's id in game records; for an action of another phase it is `not_now`.
    """
    if state.phase is Phase.OVER:
        return refuse("game_over")
    step = STEPS[state.phase]
    if isinstance(action, step.takes):
        return step.illegal(state, action)
    return refuse("not_now", f"now_{state.phase}")


def after_legal(state: State, action: Action) -> State:
    """The state after one of its `actions` or `outcomes`, without checks."""
    return STEPS[state.phase].after(state, action)
