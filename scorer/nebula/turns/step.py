"""What every phase of a game can say of itself."""

from collections.abc import Sequence
from typing import Protocol

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import Action, Draw
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import State
from scorer.nebula.words import refuse


class Step(Protocol):
    """One phase: which kinds of action it takes, which of them are legal, and what they do."""

    @property
    def takes(self) -> tuple[type, ...]:
        """The classes of its actions."""

    def actions(self, state: State) -> Sequence[Action]:
        """Every legal action of the player whose turn it is; none where chance decides."""

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """What chance may bring, with probabilities; none where a player decides."""

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """Why an action of a kind that the phase takes is illegal, or None."""

    def after(self, state: State, action: Action) -> State:
        """The state after a legal action."""


class Decision:
    """The common part of the phases in which a player decides."""

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """Return nothing."""
        return ()


class Chance:
    """The common part of the phases in which chance decides."""

    def actions(self, state: State) -> Sequence[Action]:
        """Return nothing."""
        return ()


class BagDraw(Chance):
    """The common part of the phases in which stars are drawn from the bag."""

    takes = (Draw,)

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """Return a draw for each kind of star in the bag."""
        total = state.bag.total
        return [(DRAWS[star], state.bag.of(star) / total) for star in state.bag.kinds]

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """Refuse a star that the bag does not hold."""
        assert isinstance(action, Draw)
        if state.bag.of(action.star) > 0:
            return None
        return refuse("bag_draw", star=action.star)


DRAWS = {star: Draw(star) for star in STARS}
"""The outcomes of a draw."""
