"""Steps III and IV of a turn: claim career cards, refill the clusters; then the next turn."""

from collections.abc import Sequence
from typing import Any

from scorer.flags import RuleBreak
from scorer.nebula.ending import Ending, endings
from scorer.nebula.turns.actions import Claim, Draw, EndClaims, LeaveClusters
from scorer.nebula.turns.state import Phase, State
from scorer.nebula.turns.step import BagDraw, Step
from scorer.nebula.words import refuse


def start_claiming(state: State) -> State:
    """The state after placing, with the fulfilled cards that the player has not claimed yet."""
    galaxy, player, cards = state.seat.galaxy, state.player, state.rules.edition.cards
    fulfilled = [
        card
        for card, owners in zip(state.career, state.markers, strict=True)
        if player not in owners and cards[card].check(galaxy).fulfilled
    ]
    return state.but(phase=Phase.CLAIM, fulfilled=tuple(fulfilled))


class Claiming(Step[Claim | EndClaims]):
    """A marker is put on every card that the galaxy fulfils after the last placement."""

    takes = (Claim, EndClaims)

    def actions(self, state: State) -> Sequence[Claim | EndClaims]:
        """The cards fulfilled, or the end if none is left."""
        return [Claim(card) for card in state.fulfilled] or [EndClaims()]

    def illegal(self, state: State, action: Claim | EndClaims) -> RuleBreak | None:
        """Refuse an absent, claimed or unfulfilled card, and leaving out a fulfilled one."""
        if isinstance(action, EndClaims):
            missed = state.fulfilled
            return refuse("claim_missed", cards=missed) if missed else None
        if action.card not in state.career:
            return refuse("claim_card", card=action.card, cards=state.career)
        if state.player in state.markers[state.career.index(action.card)]:
            return refuse("claim_twice", card=action.card)
        if action.card not in state.fulfilled:
            return refuse("claim_not_met", card=action.card)
        return None

    def after(self, state: State, action: Claim | EndClaims) -> State:
        """Put the marker on the card, or continue with the clusters."""
        if isinstance(action, Claim):
            place = state.career.index(action.card)
            owners = (*state.markers[place], state.player)
            markers = (*state.markers[:place], owners, *state.markers[place + 1 :])
            left = tuple(card for card in state.fulfilled if card != action.card)
            return state.but(markers=markers, fulfilled=left)
        return _refilling(state, due_spaces(state))


def due_spaces(state: State) -> tuple[tuple[int, int], ...]:
    """The empty spaces (cluster, space) of clusters with too few stars, in order."""
    return tuple(
        [
            (cluster, space)
            for cluster, own in enumerate(state.clusters)
            if len(own) - own.count(None) <= state.rules.refill_at
            for space, star in enumerate(own)
            if star is None
        ]
    )


class Refill(BagDraw):
    """A star is drawn for each space that is due, in order, while the bag has any."""

    takes = (Draw, LeaveClusters)

    def illegal(self, state: State, action: Draw | LeaveClusters) -> RuleBreak | None:
        """Refuse what the bag lacks, and to leave the clusters while the game goes on."""
        if isinstance(action, Draw):
            return super().illegal(state, action)
        is_last = _left(state).phase is Phase.OVER
        return None if is_last else refuse("not_now", f"now_{state.phase}")

    def after(self, state: State, action: Draw | LeaveClusters) -> State:
        if isinstance(action, LeaveClusters):
            return _left(state)
        (cluster, space), *due = state.due
        own = state.clusters[cluster]
        own = (*own[:space], action.star, *own[space + 1 :])
        clusters = (*state.clusters[:cluster], own, *state.clusters[cluster + 1 :])
        bag = state.bag.minus(action.star)
        return _refilling(state, due, clusters=clusters, bag=bag)


def _refilling(state: State, due: Sequence[tuple[int, int]], **changes: Any) -> State:
    if due and any(changes.get("bag", state.bag)):
        return state.but(due=tuple(due), phase=Phase.REFILL, **changes)
    return _left(state.but(**changes))


def _left(state: State) -> State:
    """The state at the start of the next turn, with the clusters as they are."""
    return _next_turn(state.but(due=(), placed=(), governing=None))


# ids of the end conditions in records, in their order there
REASONS = {
    "indicator": "black_indicator",
    "constellations": "constellations",
    "bag": "bag_empty",
    "markers": "career_markers",
}


def endings_of(state: State) -> tuple[Ending, ...]:
    galaxies, no_star = [seat.galaxy for seat in state.seats], not state.bag.total
    return endings(galaxies, state.indicator, state.marker_count, no_star, state.rules.edition)


def _next_turn(state: State) -> State:
    """The state at the start of the next turn; end conditions are checked until one holds."""
    if not state.noticed:
        met = {ending.kind for ending in endings_of(state) if ending.met}
        if met:
            reasons = tuple(reason for kind, reason in REASONS.items() if kind in met)
            state = state.but(noticed=state.turn, reasons=reasons)
    if state.noticed and state.turn % state.rules.players == 0:
        return state.but(phase=Phase.OVER)
    return state.but(turn=state.turn + 1, phase=Phase.COLLECT)
