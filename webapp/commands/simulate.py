"""`stargazer simulate`: whole games that the program plays by itself."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from webapp.terminal.outcome import InputError, print_json
from webapp.terminal.progress import progress_bar


@click.command()
@click.option("--games", type=click.IntRange(min=1), required=True, help="How many games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed gives the same games."
)
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--mode", type=click.Choice(["full", "intro"]), default="full", show_default=True)
@click.option(
    "--rules",
    type=click.Choice(["cs", "es"]),
    default="cs",
    show_default=True,
    help="Whose rulebook decides where the two differ.",
)
@click.option(
    "--strategy",
    metavar="NAME[,NAME...]",
    default="random",
    show_default=True,
    help="How the seats play, in turn order; again from the first where names run out.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one game record a line, as JSON.")
def simulate(
    games: int, seed: int, players: int, mode: str, rules: str, strategy: str, as_json: bool
) -> None:
    """Play whole games of Nebula and say how they went, or print their records.

    Example: stargazer simulate --games 100 --seed 7 --strategy placer,random
    """
    from scorer.nebula.simulation import simulate as play
    from scorer.nebula.strategies import STRATEGIES
    from scorer.nebula.turns.state import Rules

    names = [name.strip() for name in strategy.split(",")]
    unknown = [name for name in names if name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        raise InputError(f"strategy {unknown[0]!r} is not known; there is {known}")
    played_by: Any = {"players": players, "mode": mode, "book": rules}  # as click has checked
    tally = Tally()
    with progress_bar("Playing games") as bar:
        for index in range(games):
            record = play(Rules(**played_by), names, seed, index)
            if as_json:
                with bar.hidden():
                    print_json(record)
            else:
                tally.add(record)
            bar(index + 1, games)
    if not as_json:
        for line in tally.lines():
            click.echo(line)


@dataclass
class Tally:
    """What many games came to."""

    games: int = 0
    turns: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one game more."""
        self.games += 1
        self.turns += len(record["turns"])
        self.reasons.update(record["end"]["reasons"])
        strategy_of = {player["name"]: player["strategy"] for player in record["players"]}
        self.wins.update(dict.fromkeys(strategy_of.values(), 0))  # who never wins is named too
        winners = record["final"]["ranking"][0]
        self.wins["shared" if len(winners) > 1 else strategy_of[winners[0]]] += 1

    def lines(self) -> Sequence[str]:
        """Return the figures, a line each."""
        return (
            f"games    {self.games:,}",
            f"turns    {self.turns:,}, {self.turns / self.games:.1f} a game",
            f"reasons  {_counts(self.reasons)}",
            f"wins     {_counts(self.wins)}",
        )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counter.most_common())
