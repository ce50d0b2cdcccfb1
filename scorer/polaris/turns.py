"""The course of a game (P28 to P59): legal actions and their effects.

A turn of playing cards is a series of `PlayCard` and an `EndTurn`. Each card is paid for when it is
played: a player who first plays those that gain more than they cost can pay whatever the whole turn
can (P43).
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from scorer import secrets
from scorer.flags import RuleBreak
from scorer.polaris.game import Phase, Snapshot
from scorer.polaris.phases import score_phase
from scorer.polaris.placing import gain, illegal_play, placed, too_dear
from scorer.polaris.sky import rule_break
from scorer.polaris.table_state import (
    HAND_LIMIT,
    HIDDEN,
    MARKET,
    Action,
    Draw,
    EndTurn,
    Pending,
    PlayCard,
    TableState,
    TakeCard,
    TakeShootingStars,
)
from scorer.polaris.words import say

TAKEN_SHOOTING = 3  # P47
ADVANCED_COST = 1  # P31


def imagined(state: TableState, rng: random.Random) -> TableState:
    """Sample hidden cards from the piles of a state as its viewer sees it."""
    piles = {pile: rng.sample(cards, len(cards)) for pile, cards in state.piles.items()}
    seats = []
    for seat in state.seats:
        hand = [
            card or piles[rng.choice([deck for deck in MARKET if piles[deck]])].pop()
            for card in seat.hand
        ]
        personal = piles["personal"].pop() if seat.personal == HIDDEN else seat.personal
        seats.append(replace(seat, hand=tuple(hand), personal=personal))
    left = {pile: tuple(cards) for pile, cards in piles.items()}
    return replace(state, seats=tuple(seats), piles=left)


def outcomes(state: TableState) -> Sequence[tuple[Draw, float]]:
    """The cards that may be drawn now, with equal probability; empty where a player acts."""
    if not state.pending:
        return ()
    pile = state.piles[state.pending[0].pile]
    return tuple((Draw(card), 1 / len(pile)) for card in pile)


def illegal(state: TableState, action: Action) -> RuleBreak | None:
    """The rule that forbids an action, in words; None if it is legal."""
    if state.over:
        return rule_break("P57", say("game_over"))
    if state.pending or isinstance(action, Draw):
        return _illegal_draw(state, action)
    if isinstance(action, PlayCard):
        return illegal_play(state, action)
    if isinstance(action, EndTurn):
        return _illegal_end(state)
    if state.played:
        return rule_break("P28", say("one_action"))
    return _illegal_taking(state, action) if isinstance(action, TakeCard) else None


def after(state: TableState, action: Action) -> TableState:
    if isinstance(action, Draw):
        return _drawn(state, action.card)
    if isinstance(action, PlayCard):
        return _with_played(state, action)
    if isinstance(action, TakeCard):
        state = _taken(state, action.card)
    elif isinstance(action, TakeShootingStars):
        seat = state.player
        richer = replace(seat, shooting=seat.shooting + TAKEN_SHOOTING)
        state = state.with_seat(state.turn, richer)
    return _next_turn(_laid_down(state))


def seen_by(state: TableState, player: int | None) -> TableState:
    """The state as a player, or the public, may see it: piles hold all cards that may be there.

    The others' hands and personal cards are `HIDDEN`, and added to the piles.
    """
    hidden = [seat for number, seat in enumerate(state.seats) if number != player]
    unseen = {pile: list(cards) for pile, cards in state.piles.items()}
    for seat in hidden:
        for card in filter(None, seat.hand):
            unseen[state.card(card).deck].append(card)
        unseen["personal"] += [seat.personal] if seat.personal else []
    piles = {pile: tuple(sorted(cards)) for pile, cards in unseen.items()}
    return replace(secrets.seen_by(state, player), piles=piles)


# legality


def _illegal_draw(state: TableState, action: Action) -> RuleBreak | None:
    if not state.pending:
        return rule_break("P32", say("nothing_to_draw"))
    pile = state.piles[state.pending[0].pile]
    if not isinstance(action, Draw) or action.card not in pile:
        return rule_break("P32", say("draw_first", pile=state.pending[0].pile))
    return None


def _illegal_end(state: TableState) -> RuleBreak | None:
    if not state.played:
        return rule_break("P28", say("nothing_played"))
    own = [state.lunar_sector(play.card) for play in state.played]
    sector = state.played[0].sector
    return None if sector in own else rule_break("P35", say("no_own_moon", sector=sector))


def _illegal_taking(state: TableState, action: TakeCard) -> RuleBreak | None:
    seat = state.player
    if len(seat.hand) >= HAND_LIMIT:
        return rule_break("P30", say("hand_full", limit=HAND_LIMIT))
    if not any(action.card in cards for cards in state.markets.values()):
        return rule_break("P30", say("not_in_market", card=action.card))
    if _price(state, action.card) > seat.shooting:
        return too_dear("P31", ADVANCED_COST, seat.shooting)
    return None


# effects


def _price(state: TableState, card: str) -> int:
    return ADVANCED_COST if state.card(card).deck == "advanced" else 0


def _taken(state: TableState, card: str) -> TableState:
    seat, deck = state.player, state.card(card).deck
    left = tuple(other for other in state.markets[deck] if other != card)
    shooting = seat.shooting - _price(state, card)
    seat = replace(seat, hand=(*seat.hand, card), taken=(*seat.taken, card), shooting=shooting)
    state = state.with_seat(state.turn, seat)
    state = replace(state, markets={**state.markets, deck: left})
    missing = MARKET[deck] - len(left)
    return _drawable(replace(state, pending=tuple([Pending(deck)] * missing)))


def _drawable(state: TableState) -> TableState:
    """The state with an empty pile remade from its discards; the draw is dropped without any."""
    if not state.pending:
        return state
    pile = state.pending[0].pile
    if state.piles[pile]:
        return state
    anew = state.discards.get(pile, ())
    if not anew:
        return _drawable(replace(state, pending=state.pending[1:]))
    piles, discards = {**state.piles, pile: anew}, {**state.discards, pile: ()}
    return replace(state, piles=piles, discards=discards)


def _drawn(state: TableState, card: str) -> TableState:
    draw, *rest = state.pending
    cards = tuple(other for other in state.piles[draw.pile] if other != card)
    state = replace(state, pending=tuple(rest), piles={**state.piles, draw.pile: cards})
    if draw.pile == "common":
        state = replace(state, objectives=(*state.objectives, card))
    elif draw.seat is None:
        market = (*state.markets[draw.pile], card)
        state = replace(state, markets={**state.markets, draw.pile: market})
    else:
        seat = state.seats[draw.seat]
        dealt = (
            replace(seat, personal=card)
            if draw.pile == "personal"
            else replace(seat, hand=(*seat.hand, card))
        )
        state = state.with_seat(draw.seat, dealt)
    return _drawable(state)


def _with_played(state: TableState, play: PlayCard) -> TableState:
    seat = state.player
    hand, taken = (
        tuple(card for card in cards if card != play.card) for cards in (seat.hand, seat.taken)
    )
    paid = replace(seat, hand=hand, taken=taken, shooting=seat.shooting + gain(state, play))
    after = replace(state, sky=placed(state, play), played=(*state.played, play))
    return after.with_seat(state.turn, paid)


def _laid_down(state: TableState) -> TableState:
    """Discard the cards played: ☀ ones onto free dawn spaces, others onto their piles (P44 to P46).

    In the extra turns of a phase no dawn space is free.
    """
    dawn = list(state.dawn)
    free = state.free_dawn_spaces
    discarded: list[str] = []
    for play in state.played:
        onto = dawn if state.card(play.card).dawn and free else discarded
        onto.append(play.card)
        free -= onto is dawn
    return _discarded(replace(state, dawn=tuple(dawn), played=()), discarded)


def _discarded(state: TableState, cards: Sequence[str]) -> TableState:
    discards = dict(state.discards)
    for card in cards:
        deck = state.card(card).deck
        discards[deck] = (*discards[deck], card)
    return replace(state, discards=discards)


def _next_turn(state: TableState) -> TableState:
    """Whose turn is next: P50 to P52 if the dawn spaces are full, P53 to P59 after that."""
    after = [(state.turn + step) % len(state.seats) for step in range(1, len(state.seats))]
    if state.telescope is None and not state.free_dawn_spaces:
        state = replace(state, telescope=state.turn, extra=tuple(after))
    if state.extra:
        return replace(state, turn=state.extra[0], extra=state.extra[1:])
    if state.telescope is None:
        return replace(state, turn=after[0])
    return _after_phase(_scored(state))


def _scored(state: TableState) -> TableState:
    """The state with the markers moved by the phase, and the phase recorded (P53 to P55)."""
    assert state.telescope is not None
    holder = state.seats[state.telescope].name
    colours = {seat.name: seat.colour for seat in state.seats}
    points = score_phase(state.sky, state.objective, holder, colours, state.edition)
    seats = tuple(
        replace(seat, marker=seat.marker + points[seat.name].moved_from(seat.marker))
        for seat in state.seats
    )
    phase = Phase(state.objective, holder, Snapshot(state.sky))
    return replace(state, seats=seats, phases=(*state.phases, phase))


def _after_phase(state: TableState) -> TableState:
    """The state with the frame turned, the dawn spaces cleared, the holder to move (P57 to P59)."""
    holder = state.telescope
    assert holder is not None
    state = replace(_discarded(state, state.dawn), dawn=())
    if state.over:
        return replace(state, pending=())  # the market no longer matters
    sky = replace(state.sky, new_moon=state.sky.board.sector_after(state.new_moon))
    return replace(state, sky=sky, turn=holder, telescope=None)
