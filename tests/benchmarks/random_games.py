"""Random games to the end: legality of all states, length of games, and speed.

    python -m tests.benchmarks.random_games --games 100000

Plays games of 2 to 4 players, in both modes and by both rulebooks. After each turn the stars are
counted and all changed galaxies are checked by code independent of the scorer. Every 41st game is
written as a record, judged by the tests' second referee, read back from JSON and replayed to the
same state and score; then it is corrupted with one of the tests' mistakes in turn, which the replay
must report by turn, field and rule. A failure ends the run and names its game. Processor time is
given for the engine alone and for everything.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, product
from typing import Any, get_args

import click

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Mode
from scorer.nebula.playing import TURNS
from scorer.nebula.records import Replay, replay
from scorer.nebula.simulation import moves, simulate
from scorer.nebula.strategies import STRATEGIES
from scorer.nebula.turns.state import Book, Rules, State
from scorer.records import RecordError
from tests.scorer.nebula_record_mistakes import MISTAKES
from tests.scorer.nebula_record_mistakes.spoiling import Mistake
from tests.scorer.nebula_record_second_opinion import referee
from tests.scorer.nebula_second_opinion import NEAR

EVERY_RECORD = 41
KINDS = [
    Rules(players, mode, book)
    for players, mode, book in product((2, 3, 4), get_args(Mode), get_args(Book))
]


@dataclass
class Count:
    """Totals of games; `seconds` are processor time of playing, `all_seconds` of everything."""

    games: int = 0
    turns: int = 0
    actions: int = 0
    seconds: float = 0.0
    all_seconds: float = 0.0
    records: int = 0
    spoilt: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    turns_by_players: Counter[int] = field(default_factory=Counter)
    games_by_players: Counter[int] = field(default_factory=Counter)

    def report(self) -> str:
        """Return all totals in a few lines."""
        lengths = ", ".join(
            f"{self.turns_by_players[n] / self.games_by_players[n]:.1f} with {n}"
            for n in sorted(self.games_by_players)
        )
        return (
            f"{self.games:,} games, {self.turns:,} turns, {self.actions:,} actions; a game has "
            f"{self.turns / self.games:.1f} turns on average ({lengths} players)\n"
            f"{self.turns / self.seconds:,.0f} turns and {self.actions / self.seconds:,.0f} "
            f"actions a second of one core, {self.turns / self.all_seconds:,.0f} turns with all "
            f"the checks; {self.records:,} records replayed, {self.spoilt.total():,} spoilt ones "
            f"refused for the right rule, of {len(self.spoilt)}; ended by "
            + ", ".join(f"{reason} {count:,}" for reason, count in self.reasons.most_common())
        )


def check(state: State, seen: dict[int, Galaxy]) -> None:
    """Check the number of stars, and that none is isolated or linked to one of its colour.

    `seen` has each seat's last checked galaxy.
    """
    total = [sum(kinds) for kinds in zip(state.bag, state.box, state.on_table, strict=True)]
    assert total == [20] * 6 + [30] and min(*state.bag, *state.box) >= 0, "the stars do not add up"
    assert 0 <= state.indicator <= state.rules.edition.indicator_squares
    for number, seat in enumerate(state.seats):
        assert min(seat.reserve) >= 0
        if seen.get(number) is seat.galaxy:
            continue
        seen[number], stars = seat.galaxy, seat.galaxy.stars
        assert 0 <= seat.galaxy.black <= state.rules.edition.track_spaces
        assert not stars or "core" in stars, "a galaxy without a core"
        for space, colour in stars.items():
            near = [stars[other] for other in NEAR[space] if other in stars]
            assert colour not in near, f"two {colour} stars are linked at {space}"
            assert near or len(stars) == 1, f"nothing lies beside {space}"


def play(rules: Rules, seed: int, index: int, count: Count) -> State:
    """Play a game and check it after each turn."""
    seats = [STRATEGIES["random"]] * rules.players
    began = time.process_time()
    steps = [(before, after) for before, _, after in moves(rules, seats, seed, index)]
    count.seconds += time.process_time() - began
    count.actions += len(steps)
    seen: dict[int, Galaxy] = {}
    for before, after in steps:
        if after.turn != before.turn:
            check(after, seen)
    end = steps[-1][1]
    check(end, {})
    assert end.turn % rules.players == 0, "not everybody had as many turns"
    count.games += 1
    count.turns += end.turn
    count.reasons.update(end.reasons)
    count.turns_by_players[rules.players] += end.turn
    count.games_by_players[rules.players] += 1
    return end


def check_record(
    rules: Rules, seed: int, index: int, end: State, mistakes: Iterator[tuple[str, Mistake]]
) -> str:
    """Check that a game's record leads to the same state and score with every reader.

    Then it is corrupted by the next applicable mistake; returns the rule broken.
    """
    record = json.loads(json.dumps(simulate(rules, ["random"], seed, index)))
    referee(record)
    replayed = replay(record)
    assert replayed.states[-1] == end, "replayed to another state"
    score = TURNS.score(end, [player["name"] for player in record["players"]])
    assert record["final"] == json.loads(json.dumps(score.to_data()))
    return check_spoilt(record, replayed, mistakes)


def check_spoilt(
    record: dict[str, Any], replayed: Replay, mistakes: Iterator[tuple[str, Mistake]]
) -> str:
    """Check that a corrupted record is refused with turn, field and rule; modifies `record`."""
    rule, turn, place = next(
        (rule, *found) for rule, spoil in mistakes if (found := spoil(record, replayed))
    )
    try:
        replay(record)
    except RecordError as error:
        named = (error.rule, error.turn, error.field)
        deeper = rule == "shape" and error.field.startswith(place)  # a path within the field
        assert named == (rule, turn, error.field if deeper else place), f"{rule} {place}: {error}"
        return rule
    raise AssertionError(f"{rule} at {place} was not refused")


@click.command(help=__doc__)
@click.option("--games", default=100_000)
@click.option("--seed", default=0)
@click.option("--first", default=0, help="The number of the first game of the series.")
def main(games: int, seed: int, first: int) -> None:
    """Play, and print intermediate results, as a run may be interrupted."""
    count, mistakes = Count(), cycle(MISTAKES)
    began = time.process_time()
    for index in range(first, first + games):
        rules = KINDS[index % len(KINDS)]
        try:
            end = play(rules, seed, index, count)
            if index % EVERY_RECORD == 0:
                count.spoilt[check_record(rules, seed, index, end, mistakes)] += 1
                count.records += 1
        except AssertionError as error:
            error.add_note(
                f"game {index} of seed {seed}: {rules.players} {rules.mode} {rules.book}"
            )
            raise
        count.all_seconds = time.process_time() - began
        if count.games % 1000 == 0 or count.games == games:
            click.echo(count.report())


if __name__ == "__main__":
    main()
