"""`stargazer simulate`: whole games that the program plays by itself."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from webapp.cli.terminal.options import game_option
from webapp.cli.terminal.outcome import InputError, print_json
from webapp.cli.terminal.progress import progress_bar

if TYPE_CHECKING:  # commands that do not run load no game
    from scorer.playing import Records
    from scorer.turns import Turns


@click.command()
@game_option("Which game is played.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="How many games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed gives the same games."
)
@click.option("--players", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--mode", metavar="NAME", help="The mode, where the game has several.")
@click.option(
    "--rules",
    metavar="NAME",
    help="Whose rulebook decides, where the game has several that differ.",
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
    game: str,
    games: int,
    seed: int,
    players: int,
    mode: str | None,
    rules: str | None,
    strategy: str,
    as_json: bool,
) -> None:
    """Play whole games and say how they went, or print their records.

    Example: stargazer simulate --games 100 --seed 7 --strategy placer,random
    """
    records, turns = records_of(game), turns_of(game)
    if players not in turns.players:
        fewest, most = turns.players[0], turns.players[-1]
        raise InputError(f"{game} is played by {fewest} to {most}, not by {players}")
    names = [
        _known(game, "strategy", name.strip(), records.strategies) for name in strategy.split(",")
    ]
    options = {
        option: _known(game, option, value, turns.options.get(option, ()))
        for option, value in (("mode", mode), ("rules", rules))
        if value is not None
    }
    tally = Tally()
    with progress_bar("Playing games") as bar:
        for index in range(games):
            record = records.simulate(players, names, seed, index, options)
            if as_json:
                with bar.hidden():
                    print_json(record)
            else:
                tally.add(record)
            bar(index + 1, games)
    if not as_json:
        for line in tally.lines():
            click.echo(line)


def records_of(game_id: str) -> "Records":
    """How a game is simulated and its records checked. Raise InputError if it has no turns."""
    from scorer.registry import UnknownGameError, find_game, names

    try:
        records = find_game(game_id).records
    except UnknownGameError:
        raise InputError(f"game {game_id!r} is not known; there is {', '.join(names())}") from None
    if records is None:
        raise InputError(f"{game_id} has no turns, and cannot be played by the program")
    return records


def turns_of(game_id: str) -> "Turns[Any, Any]":
    from scorer.registry import find_game

    turns = find_game(game_id).turns
    assert turns is not None, "records are of a game with turns"
    return turns


def _known(game_id: str, option: str, value: str, known: Sequence[str]) -> str:
    if not known:
        raise InputError(f"{game_id} has no --{option}: leave it out")
    if value not in known:
        raise InputError(f"{option} {value!r} is not known; there is {', '.join(known)}")
    return value


@dataclass
class Tally:
    turns: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)

    def add(self, record: Mapping[str, Any]) -> None:
        self.turns.append(len(record["turns"]))
        self.reasons.update(record.get("end", {}).get("reasons", ()))
        strategy_of = {player["name"]: player["strategy"] for player in record["players"]}
        self.wins.update(dict.fromkeys(strategy_of.values(), 0))  # list those without wins too
        winners = record["final"]["ranking"][0]
        self.wins["shared" if len(winners) > 1 else strategy_of[winners[0]]] += 1

    def lines(self) -> Sequence[str]:
        games, turns = len(self.turns), sum(self.turns)
        shortest, longest = min(self.turns), max(self.turns)
        return (
            f"games    {games:,}",
            f"turns    {turns:,}, {turns / games:.1f} a game ({shortest} to {longest})",
            *([f"reasons  {_counts(self.reasons)}"] if self.reasons else []),
            f"wins     {_counts(self.wins)}",
        )


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counter.most_common())
