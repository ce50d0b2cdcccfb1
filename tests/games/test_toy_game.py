"""A game that is a folder goes through every room; nothing outside its folder knows its name."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from calibration import Profile, load_profile
from calibration.layout import dump_layout, load_layout
from calibration.versions import keep_version
from scorer.datafile import DataFileError
from scorer.places import Place
from tests.conftest import in_ci
from tests.games.photographs import photographed
from vision import Photo, Reader
from webapp.cli.terminal.game_files import GameFileScorer

ROOT = Path(__file__).parents[2]
ANA = {"north": "amber", "middle": "amber", "east": "amber", "reed": "amber", "mill": "teal"}
EVA = {"west": "teal", "mill": "teal", "bridge": "amber"}


def test_its_board_is_kept_for_a_finished_game(
    meadow: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = load_profile(keep_version(meadow))
    assert (kept.board, kept.places) == (meadow.board, meadow.places)


def frogs(pads: dict[str, str]) -> dict[Place, str]:
    return {Place(pad): frog for pad, frog in pads.items()}


def stargazer(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, as a player would."""
    program = "import sys; from webapp.cli.main import main; main(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True
    )


def test_its_name_is_known_in_its_folder_only() -> None:
    named = subprocess.run(
        ["git", "grep", "-il", "ponds"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert [file for file in named if not file.startswith("tests/games/")] == []


def test_its_layout_reads_back(meadow: Profile, tmp_path: Path) -> None:
    (tmp_path / "layout.yaml").write_text(dump_layout(meadow.layout))
    again = load_layout(tmp_path / "layout.yaml")
    assert again.board == meadow.board and again.places == meadow.places
    assert {link.kind for link in again.board.links} == {"stream"}


@pytest.mark.parametrize("pads", [ANA, EVA, {}])
def test_its_board_is_read_from_a_photograph(meadow: Profile, pads: dict[str, str]) -> None:
    picture = photographed(meadow, frogs(pads))
    reading = Reader.of(meadow).read(Photo(picture, (1600, 1200), "pond.jpg"))
    assert reading.boards[0].pieces == frogs(pads)


def test_a_game_is_scored_from_photographs_by_the_command(meadow: Profile, tmp_path: Path) -> None:
    for name, pads in (("ana", ANA), ("eva", EVA)):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), photographed(meadow, frogs(pads)))
    players = [
        {"name": "Ana", "photo": "ana.jpg", "guess": 2},
        {"name": "Eva", "photo": "eva.jpg", "guess": 1},
    ]
    game = {"format": 1, "game": "ponds", "players": players}
    (tmp_path / "game.json").write_text(json.dumps(game))
    done = stargazer("score", "game.json", "--profile", "meadow", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    score = json.loads(done.stdout)
    assert {p["name"]: p["total"] for p in score["players"]} == {"Ana": 11, "Eva": 5}
    assert score["ranking"] == [["Ana"], ["Eva"]]
    for arguments in (("score", "game.json"), ("read", "ana.jpg")):
        shown = stargazer(*arguments, "--profile", "meadow", folder=tmp_path)
        assert shown.returncode == 0, shown.stderr


@pytest.mark.parametrize(
    ("game", "profile", "message"),
    [
        (
            "ponds",
            "standard",
            "ponds is not played on profile standard: choose one with --profile (meadow)",
        ),
        (
            "pond",
            "standard",
            "pond is not known; there is nebula, orchard, polaris, ponds, ptolemaeus, via_nebula",
        ),
        (
            "nebula",
            "meadow",
            "nebula is not played on profile meadow: choose one with --profile (standard)",
        ),
    ],
)
def test_the_error_for_an_unsuitable_game_or_profile_lists_the_choices(
    tmp_path: Path, game: str, profile: str, message: str
) -> None:
    (tmp_path / "game.json").write_text(json.dumps({"game": game, "players": [{"name": "Ana"}]}))
    done = stargazer("score", "game.json", "--profile", profile, folder=tmp_path)
    assert done.returncode == 2 and done.stderr == f"stargazer: game.json: game: {message}\n"


def test_before_it_has_a_profile_a_game_is_scored_on_its_standard_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.cli.terminal.game_files.built_in_profiles", dict)
    scorer = GameFileScorer("standard")
    ana = {"name": "Ana", "frogs": {"p1": "teal", "p2": "teal"}, "guess": 1}
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"game": "ponds", "players": [ana]}))
    assert scorer.score(path).score.players[0].total == 5
    path.write_text(json.dumps({"game": "ponds", "players": [{"name": "Ana", "photo": "a.jpg"}]}))
    with pytest.raises(DataFileError, match=r"a\.jpg needs a profile"):
        scorer.score(path)


def test_its_board_and_tokens_are_printed(tmp_path: Path) -> None:
    done = stargazer("print", "--profile", "meadow", "--out", "ponds.pdf", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ponds.pdf").read_bytes().startswith(b"%PDF")


@in_ci
def test_its_board_is_calibrated_from_a_photograph(meadow: Profile, tmp_path: Path) -> None:
    (tmp_path / "layout.yaml").write_text(dump_layout(meadow.layout))
    cv2.imwrite(str(tmp_path / "empty.jpg"), photographed(meadow, {}))
    done = stargazer(
        *("calibrate", "empty.jpg", "--layout", "layout.yaml", "--name", "mine", "--out", "."),
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    mine = load_profile(tmp_path / "mine")
    picture = photographed(meadow, frogs(ANA), seed=3)
    reading = Reader.of(mine).read(Photo(picture, (1600, 1200), "pond.jpg"))
    assert reading.boards[0].pieces == frogs(ANA)
