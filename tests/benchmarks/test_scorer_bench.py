"""The time of scoring, compared to copying the same game as plain data.

Not pass or fail: `pytest tests/benchmarks` prints the table. The goal is 2 ms for four players.
"""

import copy
import random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Game, Player, Values
from scorer.nebula.score import score_game
from tests.scorer.nebula_second_opinion import most_pairs, random_legal_stars


@pytest.fixture(scope="module")
def four_players() -> Game:
    """A full game of four almost full boards, with two advanced cards that match pairs."""
    rng = random.Random(7)
    boards = [random_legal_stars(rng) for _ in range(200)]
    fullest = sorted(boards, key=len)[-4:]
    players = tuple(
        Player(name, Galaxy(stars, black=4), personal="O19")
        for name, stars in zip(("Ana", "Eva", "Luis", "José"), fullest, strict=True)
    )
    values = Values(("yellow", "red", "blue"), ("aries", "gemini"), ("II", "I", "IV"))
    return Game(players, "full", ("V5", "V7", "V12", "V17"), ("B3", "B16", "B9", "B24"), values)


@pytest.mark.benchmark(group="score a four-player game")
def test_score_a_four_player_game(benchmark: BenchmarkFixture, four_players: Game) -> None:
    score = benchmark(score_game, four_players)
    assert len(score.players) == 4


@pytest.mark.benchmark(group="score a four-player game")
def test_baseline_deepcopy_of_the_same_game_as_data(
    benchmark: BenchmarkFixture, four_players: Game
) -> None:
    data = four_players.to_data()
    assert benchmark(copy.deepcopy, data) == data


@pytest.mark.benchmark(group="most pairs of linked stars")
def test_pairs_by_networkx(benchmark: BenchmarkFixture, four_players: Game) -> None:
    from scorer.nebula.card import CARDS

    galaxy = four_players.players[0].galaxy
    assert benchmark(CARDS["B3"].check, galaxy).count is not None


@pytest.mark.benchmark(group="most pairs of linked stars")
def test_baseline_pairs_by_trying_every_choice(
    benchmark: BenchmarkFixture, four_players: Game
) -> None:
    galaxy = four_players.players[0].galaxy
    assert galaxy is not None
    stars = dict(galaxy.stars)
    assert benchmark(most_pairs, stars, "blue", "yellow") >= 0
