"""Consequences of a black star: indicator, boosted star, value token."""

from collections.abc import Sequence
from typing import Any

from scorer.flags import RuleBreak
from scorer.nebula.turns.actions import AdvanceToken, Draw, ReplaceBoosted
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.turns.step import BagDraw, Step
from scorer.nebula.values_board import TOKENS
from scorer.nebula.words import refuse


def after_black(state: State) -> State:
    """The state after the indicator advances for a black star, unless it is at its end.

    On a highlighted square a new boosted star is due. The value token is skipped if the indicator
    was at its end already, by the Czech rulebook only.
    """
    edition = state.rules.edition
    if state.indicator < edition.indicator_squares:
        state = state.but(indicator=state.indicator + 1)
        if state.indicator in edition.indicator_highlighted:
            return state.but(phase=Phase.BOOST)
    elif state.rules.book == "cs":
        return state.but(phase=Phase.PLACE)
    return _token_is_due(state)


def _token_is_due(state: State) -> State:
    due = state.rules.has_values and any(map(state.values.can_move, TOKENS))
    return state.but(phase=Phase.TOKEN if due else Phase.PLACE)


def _boosted(state: State, star: str, **changes: Any) -> State:
    """The state with another boosted star, and the old one in the box."""
    assert state.boosted is not None
    box = state.box.plus(state.boosted)
    return _token_is_due(state.but(boosted=star, box=box, **changes))


class Boost(Step[ReplaceBoosted]):
    """The player chooses where the new boosted star comes from."""

    takes = (ReplaceBoosted,)

    def actions(self, state: State) -> Sequence[ReplaceBoosted]:
        """The bag or `none`, and each kind of star in the reserve, as far as legal."""
        stars = state.seat.reserve.kinds
        choices = [ReplaceBoosted("bag"), ReplaceBoosted("none")]
        choices += [ReplaceBoosted(star) for star in stars]
        return [choice for choice in choices if self.illegal(state, choice) is None]

    def illegal(self, state: State, action: ReplaceBoosted) -> RuleBreak | None:
        """Refuse a source that the rulebook or the bag does not allow."""
        old = state.boosted or ""
        others = state.bag.total - state.bag.of(old)
        if action.source == "bag":
            return None if others else refuse("boosted_source", "boosted_none_other", star=old)
        if action.source == "none":
            return refuse("boosted_source", "boosted_must_change", star=old) if others else None
        if state.rules.book == "es":
            return refuse("boosted_source", "boosted_from_bag_only")
        if state.seat.reserve.of(action.star) <= 0:
            return refuse("not_in_reserve", star=action.star)
        return None

    def after(self, state: State, action: ReplaceBoosted) -> State:
        """Use the star of the reserve, leave the old one, or continue with a draw."""
        if action.source == "bag":
            return state.but(phase=Phase.BOOST_DRAW)
        if action.source == "none":
            return _token_is_due(state)
        seat = state.seat.but(reserve=state.seat.reserve.minus(action.star))
        return _boosted(state, action.star, seats=state.seats_with(seat))


class BoostDraw(BagDraw):
    """The new boosted star is drawn; stars of the old colour are put back and redrawn."""

    def after(self, state: State, action: Draw) -> State:
        """Accept a star of another colour than the old one."""
        if action.star == state.boosted:
            return state
        return _boosted(state, action.star, bag=state.bag.minus(action.star))


class Token(Step[AdvanceToken]):
    takes = (AdvanceToken,)

    def actions(self, state: State) -> Sequence[AdvanceToken]:
        return [AdvanceToken(token) for token in TOKENS if state.values.can_move(token)]

    def illegal(self, state: State, action: AdvanceToken) -> RuleBreak | None:
        if action.token not in TOKENS:
            return refuse("value_token", token=action.token, tokens=TOKENS)
        if not state.values.can_move(action.token):
            return refuse("value_end", token=action.token)
        return None

    def after(self, state: State, action: AdvanceToken) -> State:
        return state.but(values=state.values.move(action.token), phase=Phase.PLACE)
