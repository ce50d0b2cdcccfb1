"""Tables of Ptolemaeus for tests: a game of which all but a few things is settled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from scorer.ptolemaeus.edition import PLANETS
from scorer.ptolemaeus.sky import sorted_cards
from scorer.ptolemaeus.state import Action, State
from scorer.ptolemaeus.turns import TURNS
from tests.scorer.lines_of_turns import Lines

LINES = Lines(TURNS)
did, why_not, lines = LINES.did, LINES.why_not, LINES.legal
JULY = {
    "luna": "libra",
    "mercurius": "cancer",
    "venus": "gemini",
    "sol": "cancer",
    "mars": "sagittarius",
    "iupiter": "libra",
    "saturnus": "taurus",
}
"""20 July 1969, as the rulebook has it."""


def table(
    *hands: str,
    pieces: Sequence[Mapping[str, int]] = (),
    studied: Sequence[str] = (),
    bonus: Sequence[str] = (),
    comet: str = "aries",
    players: int = 2,
    **planets: str,
) -> State:
    """A first turn: hands as words, `pieces` a seat; the first seat has `studied` and `bonus`."""
    state = TURNS.start({"players": players})
    state = replace(
        *(state,),
        todo=(),
        comet=comet,
        planets=tuple({**JULY, **planets}[planet] for planet in PLANETS),
        open=("aries", "taurus", "gemini", "cancer", "sextant", "virgo"),
        event="E1",
        events=tuple(one for one in state.events if one != "E1"),
        round=1,
    )
    for seat in range(players):
        hand = hands[seat].split() if seat < len(hands) else ()
        state = state.with_seat(seat, hand=sorted_cards(hand), secret=f"S{seat + 1}")
        if seat < len(pieces):
            state = state.with_seat(seat, state.seats[seat].shifted(pieces[seat]))
    return state.with_seat(0, studied=tuple(studied), bonus=tuple(bonus))


def settled(state: State, seed: int = 1) -> State:
    """The state when somebody decides again, or it is over."""
    return TURNS.dealt(state, Random(seed))


def played_at_random(players: int, seed: int) -> list[tuple[State, Action]]:
    """A whole game: each state with what was done in it; the last one's action is its own End."""
    luck, found = Random(f"{players}/{seed}"), []
    state = TURNS.start({"players": players, "date": f"{1800 + seed}-05-17"})
    while not state.over:
        action = TURNS.drawn(state, luck)
        if action is None:
            action = luck.choice(TURNS.actions(state))
        found.append((state, action))
        state = TURNS.after(state, action)
    return [*found, (state, action)]


def everything(state: State) -> tuple[int, ...]:
    """How many of each thing there are in a game, wherever they are."""
    cards = (*state.deck, *state.open, *state.discarded)
    hands = sum(len(seat.hand) for seat in state.seats)
    bonus = sum(len(seat.bonus) for seat in state.seats)
    pieces = [seat.reserve + sum(seat.pieces) + len(seat.studied) for seat in state.seats]
    return (
        len(cards) + hands,
        len(state.bonus_deck) + len(state.played) + bonus,
        *pieces,
        min(min(seat.pieces) for seat in state.seats),
        min(seat.reserve for seat in state.seats),
    )
