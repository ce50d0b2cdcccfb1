"""How much stronger one computer player is than another, and how long it thinks.

    python -m tests.benchmarks.tournament --pair search,planner --games 400

plays games of two, the seats turned after each, and says who won how many of them, with a 95 %
interval (Wilson; a shared place counts half), and the points. A decision's time is told on the
clock and on the processor: the latter is the player's own where other work goes on beside it.
"""

import math
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import click

from scorer.nebula.game import Mode
from scorer.nebula.records.writer import final_score
from scorer.nebula.simulation import moves
from scorer.nebula.strategies import STRATEGIES, Strategy
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.state import Rules, State

SURE = 1.96
"""Standard deviations of a normal distribution that 95 % lie within."""


@dataclass
class Times:
    """How long decisions took, in seconds."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def timed(self, strategy: Strategy) -> Strategy:
        """The strategy, its decisions noted here; not those where there is no choice."""

        def decide(state: State, actions: Sequence[Action], mind: Random) -> Action:
            clock, processor = time.perf_counter(), time.process_time()
            action = strategy(state, actions, mind)
            if len(actions) > 1:
                self.clock.append(time.perf_counter() - clock)
                self.processor.append(time.process_time() - processor)
            return action

        return decide

    def told(self) -> str:
        """Median, 99th percentile and maximum."""
        return "; ".join(
            f"{name} p50 {at(times, 0.5):.3f} s, p99 {at(times, 0.99):.3f}, max {max(times):.3f}"
            for name, times in (("clock", self.clock), ("processor", self.processor))
        )


def at(times: Sequence[float], share: float) -> float:
    """The time that so large a share of decisions took at most."""
    return sorted(times)[min(int(share * len(times)), len(times) - 1)]


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score.

    >>> [round(bound, 3) for bound in wilson(65, 100)]
    [0.553, 0.736]
    """
    share, square = won / games, SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    half = SURE / (1 + square / games)
    half *= math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    return middle - half, middle + half


@click.command(help=__doc__)
@click.option("--pair", default="search,planner", help="Two strategies, the stronger first.")
@click.option("--games", default=400)
@click.option("--mode", type=click.Choice(["full", "intro"]), default="full")
@click.option("--seed", default=0)
def main(pair: str, games: int, mode: Mode, seed: int) -> None:
    """Play, and say from time to time how it stands: a run may be cut short."""
    names = pair.split(",")
    times = [Times(), Times()]
    play_by = [kept.timed(STRATEGIES[name]) for kept, name in zip(times, names, strict=True)]
    rules = Rules(players=2, mode=mode)
    won, rounds, points = 0.0, 0, [0, 0]
    for index in range(games):
        turned = -1 if index % 2 else 1
        *_, (_, _, end) = moves(rules, play_by[::turned], seed, index)
        score = final_score(end, names[::turned])
        won += 0.5 if len(score.ranking[0]) > 1 else score.ranking[0][0] == names[0]
        rounds += end.round
        for player in score.players:
            points[names.index(player.name)] += player.total
        played = index + 1
        if played % 20 == 0 or played == games:
            low, high = wilson(won, played)
            click.echo(
                f"{names[0]} beats {names[1]} in {won / played:.1%} of {played} games, {mode} "
                f"(95 %: {low:.1%} to {high:.1%}); {points[0] / played:.0f} to "
                f"{points[1] / played:.0f} points; {rounds / played:.1f} rounds a game"
            )
    for name, kept in zip(names, times, strict=True):
        click.echo(f"a decision of {name}: {kept.told()}")
    click.echo(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
