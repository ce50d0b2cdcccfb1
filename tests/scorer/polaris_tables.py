"""Tables of Polaris to play at in tests."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scorer.flags import RuleBreak
from scorer.polaris import turns
from scorer.polaris.placing import ways
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import (
    Action,
    EndTurn,
    PlayCard,
    TableState,
    TakeCard,
    TakeShootingStars,
    set_up,
)
from scorer.scoresheet import ScoreSheet
from scorer.turns import SetUp, Turns


def plays(state: TableState) -> Iterator[PlayCard]:
    """Every legal way to play one more card."""
    sectors = {play.sector for play in state.played} or set(state.sky.board.sectors)
    for card in dict.fromkeys(state.player.hand):
        for sector in sorted(sectors):
            for number in range(len(state.card(card).choices)):
                yield from ways(state, PlayCard(card, sector, number))


class CardByCard(Turns[TableState, Action]):
    """The rules of `scorer.polaris.turns` without what hands do: a card is played as a whole."""

    players = range(2, 5)

    def start(self, set_up: SetUp, board: object = None) -> TableState:
        raise NotImplementedError

    def player(self, state: TableState) -> int | None:
        return None if state.over else state.turn

    def positions(self, state: TableState) -> Sequence[Sky]:
        return [state.sky]

    def score(self, state: TableState, names: Sequence[str] = ()) -> ScoreSheet:
        return score_game(state.to_game())

    def actions(self, state: TableState) -> Sequence[Action]:
        if state.over or state.pending:
            return ()
        market = [card for cards in state.markets.values() for card in cards]
        others: list[Action] = [*map(TakeCard, market), TakeShootingStars(), EndTurn()]
        legal = (action for action in others if self.illegal(state, action) is None)
        return (*legal, *plays(state))

    def outcomes(self, state: TableState) -> Sequence[tuple[Action, float]]:
        return turns.outcomes(state)

    def illegal(self, state: TableState, action: Action) -> RuleBreak | None:
        return turns.illegal(state, action)

    def after_legal(self, state: TableState, action: Action) -> TableState:
        return turns.after(state, action)

    def seen_by(self, state: TableState, player: int | None) -> TableState:
        return turns.seen_by(state, player)


TURNS = CardByCard()
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
