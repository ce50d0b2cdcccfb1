"""Whole games played by the program itself."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from scorer.nebula.records.writer import RecordWriter
from scorer.nebula.strategies import STRATEGIES, Strategy
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.play import actions, after_legal, seen_by
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.state import Phase, Rules, State


def simulate(rules: Rules, strategies: Sequence[str], seed: int, index: int) -> dict[str, Any]:
    """The record of game `index` of a series, from 0; the same arguments give the same record.

    Seat k plays by strategy k mod their number. KeyError for a strategy that is not known.

    >>> simulate(Rules(players=3), ["random"], seed=7, index=0)["end"]["reasons"]
    ['bag_empty']
    """
    names = [f"P{number}" for number in range(1, rules.players + 1)]
    seated = [strategies[seat % len(strategies)] for seat in range(rules.players)]
    of_players: list[Mapping[str, Any]] = [{"strategy": name} for name in seated]
    writer = RecordWriter(names, of_players, {"seed": seed, "index": index})
    for state, action, following in moves(rules, [STRATEGIES[n] for n in seated], seed, index):
        writer.add(state, action, following)
    return writer.record(following)


def moves(
    rules: Rules, play_by: Sequence[Strategy], seed: int, index: int
) -> Iterator[tuple[State, Action, State]]:
    """The actions of a game, each with the state before and after it, to the end; see `simulate`.

    `play_by` has the strategy of each seat, which is shown the state as its player sees it.
    """
    # a generator each: what one player thinks about changes no other's luck, nor the bag's
    bag = Random(f"{seed}/{index}/bag")
    minds = [Random(f"{seed}/{index}/{seat}") for seat in range(rules.players)]
    state = new_game(rules)
    while state.phase is not Phase.OVER:
        choices = actions(state)
        if choices:
            seat = state.player
            action = play_by[seat](seen_by(state, seat), choices, minds[seat])
        else:
            action = random_outcome(state, bag)
        following = after_legal(state, action)
        yield state, action, following
        state = following
