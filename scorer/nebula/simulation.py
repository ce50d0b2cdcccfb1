"""Simulate whole games, and check their records."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

from scorer.nebula.game import Mode
from scorer.nebula.playing import TURNS
from scorer.nebula.records import RecordWriter, replay
from scorer.nebula.strategies import STRATEGIES, Strategy
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.play import actions, after_legal, seen_by
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.state import Book, Phase, Rules, State
from scorer.playing import luck_of, played_by
from scorer.sampling import Sampling

PLAY_BY: Mapping[str, Strategy] = MappingProxyType(
    {**STRATEGIES, "sampling": Sampling(TURNS).choose_among}
)
"""The strategies by name."""


def simulate(rules: Rules, strategies: Sequence[str], seed: int, index: int) -> dict[str, Any]:
    """The record of game `index` of a series, from 0; deterministic in its arguments.

    Seat k plays strategy k mod the number of strategies. Raise KeyError for an unknown strategy.

    >>> simulate(Rules(players=3), ["random"], seed=7, index=0)["end"]["reasons"]
    ['bag_empty']
    """
    names = [f"P{number}" for number in range(1, rules.players + 1)]
    seated = played_by(strategies, rules.players)
    of_players: list[Mapping[str, Any]] = [{"strategy": name} for name in seated]
    writer = RecordWriter(names, of_players, {"seed": seed, "index": index})
    for state, action, following in moves(rules, [PLAY_BY[n] for n in seated], seed, index):
        writer.add(state, action, following)
    return writer.record(following)


def moves(
    rules: Rules, play_by: Sequence[Strategy], seed: int, index: int
) -> Iterator[tuple[State, Action, State]]:
    """The actions of a game to its end, with the states before and after each; see `simulate`.

    `play_by` has the strategy of each seat, which is given the state as its player sees it.
    """
    bag = luck_of(seed, index, "bag")
    minds = [luck_of(seed, index, seat) for seat in range(rules.players)]
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


class NebulaRecords:
    """Nebula's implementation of `scorer.playing.Records`."""

    strategies = tuple(PLAY_BY)

    def simulate(
        self,
        players: int,
        strategies: Sequence[str],
        seed: int,
        index: int,
        options: Mapping[str, str],
    ) -> dict[str, Any]:
        """The record of a game, with `mode` and `rules` as options."""
        mode, book = (options.get(name, values[0]) for name, values in TURNS.options.items())
        rules = Rules(players, cast(Mode, mode), cast(Book, book))
        return simulate(rules, strategies, seed, index)

    def replay(self, record: Mapping[str, Any]) -> int:
        """Replay a record, with every rule checked; the number of turns."""
        return replay(record).turns


RECORDS = NebulaRecords()
