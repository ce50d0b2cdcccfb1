"""The relative strength of two computer players, and their thinking times.

    python -m tests.benchmarks.tournament --pair search,planner --games 400

Plays games of two, with alternating seats, and prints the fraction won, with a 95 % interval
(Wilson; a shared place counts half), and the points. The time of all decisions of a turn is given
as elapsed and as processor time; the latter is the player's own under other load. Ctrl-C ends a run
early with its results so far.
"""

import math
import resource
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

import click

from scorer.nebula.game import Mode
from scorer.nebula.playing import TURNS
from scorer.nebula.simulation import moves
from scorer.nebula.strategies import STRATEGIES, Strategy
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.state import Rules, State

SURE = 1.96
"""Standard deviations that cover 95 % of a normal distribution."""


@dataclass
class Times:
    """The total time of each turn's decisions, in seconds."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    turn: int = -1

    def timed(self, strategy: Strategy) -> Strategy:
        """Return the strategy with its decisions timed."""

        def decide(state: State, actions: Sequence[Action], mind: Random) -> Action:
            clock, processor = time.perf_counter(), time.process_time()
            action = strategy(state, actions, mind)
            if state.turn != self.turn:
                self.turn = state.turn
                self.clock.append(0.0)
                self.processor.append(0.0)
            self.clock[-1] += time.perf_counter() - clock
            self.processor[-1] += time.process_time() - processor
            return action

        return decide

    def report(self) -> str:
        """Return median, 99th percentile and maximum."""
        return "; ".join(
            f"{name} p50 {at(times, 0.5):.3f} s, p99 {at(times, 0.99):.3f}, max {max(times):.3f}"
            for name, times in (("clock", self.clock), ("processor", self.processor))
        )


def at(times: Sequence[float], share: float) -> float:
    """Return the time within which that fraction of decisions was made."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a fraction, by Wilson's score.

    >>> [round(bound, 3) for bound in wilson(65, 100)]
    [0.553, 0.736]
    """
    share, square = won / games, SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = SURE / (1 + square / games)
    half *= math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return middle - half, middle + half


@dataclass
class Standing:
    """The results of two players so far; `names` is in the order of `won`."""

    names: Sequence[str]
    mode: Mode
    won: float = 0.0
    games: int = 0
    rounds: int = 0
    points: Counter[str] = field(default_factory=Counter)

    def add(self, end: State, seated: Sequence[str]) -> None:
        """Count a finished game."""
        score = TURNS.score(end, seated)
        best = score.ranking[0]
        self.won += 0.5 if len(best) > 1 else best[0] == self.names[0]
        self.games += 1
        self.rounds += end.round
        self.points.update({player.name: player.total for player in score.players})

    def report(self) -> str:
        """Return all results in a line."""
        one, other = self.names
        low, high = wilson(self.won, self.games)
        return (
            f"{one} beats {other} in {self.won / self.games:.1%} of {self.games} games, {self.mode}"
            f" (95 %: {low:.1%} to {high:.1%}); {self.points[one] / self.games:.0f} to "
            f"{self.points[other] / self.games:.0f} points; {self.rounds / self.games:.1f} rounds"
        )


@click.command(help=__doc__)
@click.option("--pair", default="search,planner", help="Two strategies, the stronger first.")
@click.option("--games", default=400)
@click.option("--mode", type=click.Choice(["full", "intro"]), default="full")
@click.option("--seed", default=0)
def main(pair: str, games: int, mode: Mode, seed: int) -> None:
    """Play, and print intermediate results."""
    names = pair.split(",")
    times = [Times(), Times()]
    play_by = [kept.timed(STRATEGIES[name]) for kept, name in zip(times, names, strict=True)]
    rules, standing = Rules(players=2, mode=mode), Standing(names, mode)
    with suppress(KeyboardInterrupt):
        for index in range(games):
            turned = -1 if index % 2 else 1
            *_, (_, _, end) = moves(rules, play_by[::turned], seed, index)
            standing.add(end, names[::turned])
            if standing.games % 20 == 0:
                click.echo(standing.report())
    click.echo(standing.report())
    for name, kept in zip(names, times, strict=True):
        click.echo(f"a turn of {name}: {kept.report()}")
    click.echo(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
