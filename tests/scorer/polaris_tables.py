"""Tables of Polaris to play at in tests."""

import random
from dataclasses import replace

from scorer.polaris.table_state import Action, TableState, set_up
from scorer.polaris.turns import TURNS

NAMES = [("Carl", "red"), ("Jocelyn", "blue"), ("Neil", "yellow"), ("María Teresa", "purple")]


def table(players: int = 3, seed: int = 1, new_moon: int = 1) -> TableState:
    """A table at which the cards have been dealt."""
    return TURNS.dealt(set_up(NAMES[:players], new_moon), random.Random(seed))


def holding(*hand: str, shooting: int = 0, players: int = 3, **changes: object) -> TableState:
    """A table whose first player holds these cards; the New Moon faces sector 1."""
    state = table(players)
    elsewhere = [card for card in state.piles["basic"] if card not in hand]
    state = replace(state, **{"piles": {**state.piles, "basic": tuple(elsewhere)}, **changes})
    seat = replace(state.seats[0], hand=hand, shooting=shooting)
    return state.with_seat(0, seat)


def rule(state: TableState, action: Action) -> str | None:
    """The rule that forbids an action, said in words; None where it is legal."""
    broken = TURNS.illegal(state, action)
    if broken is None:
        return None
    assert broken.reason and broken.reason.in_language("cs") != broken.reason
    return broken.more["rule"]


def after(state: TableState, *actions: Action) -> TableState:
    for action in actions:
        state = TURNS.after(state, action)
    return state
