"""The game that ships: what its photographs show is read, and it scores what it should."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from calibration import profile
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.score import score_game
from tests.scorer.nebula_tables import load_game
from webapp.cli.commands.demo import SAMPLE_GAME
from webapp.cli.terminal.game_files import GameFileScorer

# Counted by hand from the stars in truth.json, line by line as the rulebook does.
SHEET = {
    "Ana": {
        "O18": 14,  # six white stars
        "V4": 16,  # Cancer in orange, white and purple, first
        "V5": 0,  # orbit 3: ar3 is empty
        "V10": 0,  # blue twice in Taurus and in Gemini, once in Aries
        "V17": 10,  # Taurus and Cancer, later
        "black": 6,  # four cover 0, 1, 2, 4
        "taurus": 12,
        "cancer": 14,
        "red": 15,  # core, ar2, ta5, ge4, ge6
        "yellow": 2,
        "white": 6,
        "B3": 2,  # her one yellow star has a blue one beside it
        "B20": 12,  # orange on orbits 1, 3, 5
        "B26": 9,  # red on ta5, ge4, ge6
        "B24": 0,  # slot IV did not move
    },
    "Luis": {
        "O14": 0,  # five red stars of six
        "V4": 0,
        "V5": 16,  # orbit 3 in yellow, white and orange
        "V10": 0,
        "V17": 16,  # Aries and Gemini, first
        "black": 12,
        "aries": 6,
        "taurus": 12,
        "gemini": 6,
        "red": 15,
        "yellow": 8,
        "white": 4,
        "B3": 2,  # his one blue star has a yellow one beside it
        "B20": 16,  # orange on orbits 2, 3, 4, 5
        "B26": 6,  # red on ta5, ge6
        "B24": 0,
    },
}
TOTALS = {"Ana": 118, "Luis": 119}


def truth(name: str) -> dict[str, Any]:
    path = SAMPLE_GAME.with_name("truth.json")
    return json.loads(path.read_text(encoding="utf-8"))[name.lower()]


def sheet(player: dict[str, Any]) -> dict[str, int]:
    lines = player["lines"]
    names = ("card", "constellation", "colour", "category")
    return {next(line[n] for n in names if n in line): line["points"] for line in lines}


def test_the_stars_in_the_photographs_score_what_a_hand_count_gives() -> None:
    game = load_game(SAMPLE_GAME)
    for player in game.players:
        galaxy = Galaxy(truth(player.name)["stars"], truth(player.name)["black"])
        assert not galaxy.rule_breaks()
        game = game.with_player(player.with_galaxy(galaxy))
    score = score_game(game)
    assert {p["name"]: sheet(p) for p in score.to_data()["players"]} == SHEET
    assert {p.name: p.total for p in score.players} == TOTALS
    assert score.ranking == (("Luis",), ("Ana",))


def test_the_demo_scores_its_photographs_as_a_hand_count_does(
    stargazer: Callable[..., Result], tmp_path: Path
) -> None:
    score = json.loads(stargazer("demo", "--json", "--out", tmp_path).stdout)
    assert {p["name"]: sheet(p) for p in score["players"]} == SHEET
    assert {p["name"]: p["total"] for p in score["players"]} == TOTALS


@pytest.mark.parametrize("name", ["ana", "luis"])
def test_the_photograph_is_read_star_by_star(stargazer: Callable[..., Result], name: str) -> None:
    reading = json.loads(stargazer("read", SAMPLE_GAME.with_name(f"{name}.jpg"), "--json").stdout)
    (board,) = reading["boards"]
    read = {space: seen["star"] for space, seen in board["spaces"].items() if seen["star"]}
    assert read == truth(name)["stars"]
    assert board["black"]["count"] == truth(name)["black"]
    doubts = [flag["kind"] for flag in board["flags"]]
    assert set(doubts) <= {"uncertain"} and len(doubts) <= 3


@pytest.mark.parametrize("name", ["ana", "luis"])
def test_the_photograph_is_light_enough_to_ship(name: str) -> None:
    assert SAMPLE_GAME.with_name(f"{name}.jpg").stat().st_size < 450_000


@pytest.mark.parametrize("named", [None, "standard"])
def test_a_game_is_scored_without_another_games_board_and_a_named_one_is_loaded_once(
    named: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, load = [], profile.load_layout

    def load_layout(path: Path, *, trusted: bool = False) -> profile.Layout:
        loaded.append("/".join(path.parts[-3:-1]))
        return load(path, trusted=trusted)

    monkeypatch.setattr(profile, "load_layout", load_layout)
    GameFileScorer(named).score(SAMPLE_GAME)
    assert loaded == ["nebula/standard"] * (1 if named else 2)
