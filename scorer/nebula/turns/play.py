"""Playing: what may be done in a state, why something may not, and what comes after.

The functions are those of `scorer.game.Turns`: the module is Nebula's part of that contract.

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
"""What each phase takes, forbids and does; a game that is over has no more steps."""


def mover(state: State) -> int | None:
    """Whose decision is next, from 0 in turn order; None where chance decides or all is over."""
    return state.player if actions(state) else None


def actions(state: State) -> Sequence[Action]:
    """Every legal action of the player whose turn it is; none at the end and at chance."""
    return STEPS[state.phase].actions(state) if state.phase in STEPS else ()


def outcomes(state: State) -> Sequence[tuple[Action, float]]:
    """What chance may bring now, with probabilities; empty where a player acts."""
    return STEPS[state.phase].outcomes(state) if state.phase in STEPS else ()


def illegal(state: State, action: Action) -> RuleBreak | None:
    """The rule that forbids an action in a state, in words; None where it is legal.

    `.kind` is the rule's id in game records; an action of another phase is `not_now`.
    """
    if state.phase is Phase.OVER:
        return refuse("game_over")
    step = STEPS[state.phase]
    if isinstance(action, step.takes):
        return step.illegal(state, action)
    return refuse("not_now", f"now_{state.phase}")


def after_legal(state: State, action: Action) -> State:
    """The state after one of its own `actions` or `outcomes`, which is not looked at again."""
    return STEPS[state.phase].after(state, action)
