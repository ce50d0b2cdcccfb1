"""The common interface of a game's phases."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import Action, Draw
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import State
from scorer.nebula.words import refuse

Taken = TypeVar("Taken", bound=Action)


class Step(Generic[Taken]):
    """One phase: the kinds of action it takes, which of them are legal, and their effects."""

    takes: ClassVar[tuple[type, ...]]
    """The classes of its actions."""

    def actions(self, state: State) -> Sequence[Taken]:
        """Every legal action of the player to move; none where chance decides."""
        return ()

    def outcomes(self, state: State) -> Sequence[tuple[Taken, float]]:
        """The possible chance actions with their probabilities; none where a player decides."""
        return ()

    def illegal(self, state: State, action: Taken) -> RuleBreak | None:
        """Why an action of the phase's classes is illegal, or None."""
        raise NotImplementedError

    def after(self, state: State, action: Taken) -> State:
        raise NotImplementedError


class BagDraw(Step[Draw]):
    """Base of the phases in which stars are drawn from the bag."""

    takes: ClassVar[tuple[type, ...]] = (Draw,)

    def outcomes(self, state: State) -> Sequence[tuple[Draw, float]]:
        """A draw for each kind of star in the bag."""
        total = state.bag.total
        return [(DRAWS[star], state.bag.of(star) / total) for star in state.bag.kinds]

    def illegal(self, state: State, action: Draw) -> RuleBreak | None:
        return None if state.bag.of(action.star) > 0 else refuse("bag_draw", star=action.star)


DRAWS = {star: Draw(star) for star in STARS}
"""A draw of each star."""
