"""The relative strengths of a game's computer players.

    python -m tests.benchmarks.tournament polaris --games 400

Plays games of two between each strength and the next weaker one, with alternating seats, and prints
the fraction that the stronger won, with a 95 % interval (Wilson; a shared place counts half), and
the points. `--pair` names two strategies of `stargazer simulate` instead. Ctrl-C ends a run early
with its results so far.
"""

import math
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import click

from scorer.playing import ActionRecords
from scorer.registry import find_game, names

SURE = 1.96
"""Standard deviations that cover 95 % of a normal distribution."""


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
    """The results of two strategies so far, the stronger first."""

    pair: tuple[str, str]
    results: Counter[str] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, record: Mapping[str, Any]) -> None:
        """Count the record of a finished game."""
        strategy = {player["name"]: player["strategy"] for player in record["players"]}
        best = record["final"]["ranking"][0]
        self.results["shared" if len(best) > 1 else strategy[best[0]]] += 1
        for player in record["final"]["players"]:
            self.points[strategy[player["name"]]] += player["total"]

    def report(self) -> str:
        """Return all results in a line."""
        one, other = self.pair
        won, lost, shared = self.results[one], self.results[other], self.results["shared"]
        games = won + lost + shared
        low, high = wilson(won + shared / 2, games)
        return (
            f"{one} to {other} {won}:{lost}, {shared} shared, of {games} (95 %: {low:.1%} to "
            f"{high:.1%}); {self.points[one] / games:.1f} to {self.points[other] / games:.1f} "
            f"points; {self.seconds / games:.1f} s a game"
        )


@click.command(help=__doc__)
@click.argument("game", type=click.Choice(names()))
@click.option("--pair", help="Two strategies, the stronger first, with a comma between them.")
@click.option("--games", default=400)
@click.option("--seed", default=0)
def main(game: str, pair: str | None, games: int, seed: int) -> None:
    """Play, and print intermediate results."""
    records: ActionRecords[Any, Any] = ActionRecords(find_game(game))
    strengths = records.turns.strengths
    known = [(stronger, weaker) for weaker, stronger in pairwise(strengths)]
    click.echo("; ".join(f"{id} is {strength.name}" for id, strength in strengths.items()))
    for one, other in [tuple(pair.split(","))] if pair else known:
        standing = Standing((one, other))
        began = time.perf_counter()
        with suppress(KeyboardInterrupt):
            for index in range(games):
                seated = (other, one) if index % 2 else (one, other)
                standing.add(records.simulate(2, seated, seed, index, {}))
                standing.seconds = time.perf_counter() - began
                if (index + 1) % 50 == 0:
                    click.echo(standing.report())
        click.echo(standing.report())


if __name__ == "__main__":
    main()
