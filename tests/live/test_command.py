"""`stargazer live`: a recording's events a line, the same every time, with the shipped models."""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
import yaml
from click.testing import Result

from calibration import load_profile
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.places import Place
from scorer.polaris.contract import POLARIS_GAME
from tests.conftest import in_ci
from tests.films.film import shoot
from tests.films.script import HandStep, Script, Visit
from tests.films.verdict import judge
from webapp.cli.commands.live import event_in_words

Stargazer = Callable[..., Result]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand places a white star; then another, linked to it, breaks a rule."""
    put = ((1.2, Place("ta1")), (3.4, Place("ta2")))
    visits = tuple(Visit(t, (HandStep(place, "put", "white"),)) for t, place in put)
    path = tmp_path_factory.mktemp("film") / "game.mp4"
    lying = NEBULA.pieces_of(Galaxy({"core": "red", "ar1": "blue"}, 1))
    script = Script((lying,), visits, 6.4)
    shoot(script, load_profile("standard"), path, seed=2)
    return path


def test_every_true_event_a_line_and_none_else(stargazer: Stargazer, recording: Path):
    result = stargazer("live", "--source", recording, "--json")
    assert result.exit_code == 0
    reported = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(event["format"] == 1 for event in reported)
    verdict = judge(json.loads(recording.with_suffix(".json").read_text()), reported)
    assert (len(verdict.found), verdict.missed, verdict.false) == (5, (), ())
    assert median(verdict.delays) < 0.7
    broken = [(e["rule"], e["spaces"]) for e in reported if e["kind"] == "rule_break"]
    assert broken == [("same_colour_link", ["ta1", "ta2"])]
    assert stargazer("live", "--source", recording, "--json").stdout == result.stdout


OWN_KEYS = {
    "board_found": {"corners"},
    "placed": {"space", "star", "confidence"},
    "removed": {"space", "was", "confidence"},
    "black": {"count", "confidence"},
    "rule_break": {"rule", "spaces"},
    "objective": {"card", "progress", "met"},
}
"""What a line has beside `format`, `t`, `board` and `kind`."""


def test_each_line_has_the_keys_that_others_build_on(
    stargazer: Stargazer, recording: Path, tmp_path: Path
):
    game = {"format": 1, "game": "nebula", "mode": "full", "career": ["V2"], "advanced": []}
    game["players"] = [{"name": "Ana", "stars": {}}]
    (tmp_path / "game.yaml").write_text(yaml.safe_dump(game))
    result = stargazer("live", "--source", recording, "--game", tmp_path / "game.yaml", "--json")
    reported = [json.loads(line) for line in result.stdout.splitlines()]
    kinds = {event["kind"] for event in reported}
    assert {"board_found", "placed", "black", "rule_break", "objective"} <= kinds <= {*OWN_KEYS}
    for event in reported:
        own = set(event) - {"found"}  # of what lay there before
        assert own == {"format", "t", "board", "kind"} | OWN_KEYS[event["kind"]], event
        assert event["format"] == 1
        assert 0 <= event.get("confidence", 0) <= 1
    assert [event["t"] for event in reported] == sorted(event["t"] for event in reported)


@in_ci
def test_plain_text_output_includes_the_objectives_of_the_game(
    stargazer: Stargazer, recording: Path, tmp_path: Path
):
    game = {"format": 1, "game": "nebula", "mode": "full", "career": ["V2"], "advanced": []}
    game["players"] = [{"name": "Ana", "stars": {}}]
    (tmp_path / "game.yaml").write_text(yaml.safe_dump(game))
    result = stargazer("live", "--source", recording, "--game", tmp_path / "game.yaml")
    assert result.exit_code == 0
    assert "Ana: white on ta1" in result.stdout
    assert "Ana: rule broken: ta1 and ta2 are linked and both white" in result.stdout
    assert "Ana: V2 " in result.stdout


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"kind": "placed", "space": "3", "star": "new_moon"}, "the new moon faces sector 3"),
        ({"kind": "placed", "space": "1a1-1b1", "star": "link"}, "link on 1a1-1b1"),
        ({"kind": "removed", "space": "1a1", "was": "red"}, "red gone from 1a1"),
    ],
)
def test_a_sky_is_reported_in_the_words_of_its_game(event: dict[str, str], words: str):
    reported = {"t": 5.0, "board": 0, **event}
    assert event_in_words(reported, POLARIS_GAME, ("Ana", "Luis")) == f"0:05.0  board 1: {words}"


def test_a_place_on_a_track_and_a_doubt_are_reported():
    reported = {"t": 80, "kind": "black", "board": 1, "count": 2, "confidence": 0.7}
    assert event_in_words(reported, NEBULA) == "1:20.0  board 2: black: 2 (perhaps: 70%)"


def test_an_objective_at_everybodys_board_is_a_players():
    reported = {"t": 5.0, "board": 0, "kind": "objective", "card": "C8", "player": 1, "met": True}
    assert event_in_words(reported, POLARIS_GAME, ("Ana", "Luis")) == "0:05.0  Luis: C8 met"


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["words", "json"])
@pytest.mark.parametrize("source", ["gone.mp4", "game.yaml", "text.jpg"])
def test_what_is_no_video_is_reported_in_a_line(
    stargazer: Stargazer, tmp_path: Path, source: str, form: tuple[str, ...]
):
    for name in ("game.yaml", "text.jpg"):  # FFmpeg opens the latter: a film without a frame
        (tmp_path / name).write_text("format: 1")
    result = stargazer("live", "--source", tmp_path / source, *form)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    if form:
        reported = json.loads(result.stdout)
        assert (reported["error"], reported["file"]) == (2, str(tmp_path / source))


def test_a_game_file_that_is_none_is_reported(
    stargazer: Stargazer, recording: Path, tmp_path: Path
):
    (tmp_path / "game.yaml").write_text("players: [")
    game = tmp_path / "game.yaml"
    result = stargazer("live", "--source", recording, "--game", game, "--json")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"stargazer: {game}: line ")
    assert json.loads(result.stdout)["file"] == str(game)
