"""`stargazer score`: game files, mistakes in them, and the photographs that they name."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result

from webapp.cli.terminal import score_sheet

Run = Callable[..., Result]
GameFile = Callable[..., Path]
Photograph = Callable[[str], Path]

pytestmark = pytest.mark.usefixtures("reader_by_name")


def scored(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result) -> str:
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    reported = json.loads(result.stdout)
    assert reported["error"] == 2
    return reported["message"]


def players(**first: object) -> list[dict[str, object]]:
    return [{"name": "Ana", "stars": {"core": "red"}, "career": {}, **first}]


def test_a_score_is_one_line_of_json(stargazer: Run, game_file: GameFile) -> None:
    score = scored(stargazer("score", "--json", game_file()))
    assert score["format"] == 1
    assert score["ranking"] == [["Ana"], ["Luis"]]
    for player in score["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])


def test_the_sheet_has_a_column_a_player_and_says_what_each_card_asks(
    stargazer: Run, game_file: GameFile
) -> None:
    sheet = stargazer("score", game_file()).stdout
    heading = next(line for line in sheet.splitlines() if "Ana" in line)
    assert "Luis" in heading
    for expected in ("Personal objective", "V5 Orbit 3", "Black stars", "Total", "1. Ana"):
        assert expected in sheet


@pytest.mark.parametrize("number", [2, 3, 4])
def test_every_word_is_whole_on_a_terminal_of_80_columns(
    stargazer: Run, game_file: GameFile, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    names = ["Ana", "Luis", "Eva", "Grandmother Eulalia"][:number]
    path = game_file(
        career=["V5", "V7", "V10", "V17"],
        advanced=["B3", "B20", "B24", "B26"],
        players=[{**players(personal="O18")[0], "name": name} for name in names],
    )
    monkeypatch.setattr(score_sheet, "_WIDTH_OF_A_FILE", 80)
    sheet = stargazer("score", path).stdout
    assert max(map(len, sheet.splitlines())) <= 80
    assert "…" not in sheet
    for word in ("constellations", "Surrounded", "highlighted", "needed"):
        assert re.search(rf"\b{word}\b", sheet)


def test_names_are_printed_as_they_are(stargazer: Run, game_file: GameFile) -> None:
    path = game_file(players=players(name="[bold]Ž 星"))
    assert "[bold]Ž 星" in stargazer("score", path).stdout


def test_photographs_are_read_beside_the_game_file(
    stargazer: Run, game_file: GameFile, photograph: Photograph
) -> None:
    photograph("ana.jpg")
    path = game_file(players=[{"name": "Ana", "photo": "ana.jpg", "career": {}}])
    (player,) = scored(stargazer("score", "--json", path))["players"]
    assert player["black"] == 4
    assert "uncertain" in [flag["kind"] for flag in player["flags"]]


@pytest.mark.parametrize(("photo", "code"), [("empty-table.jpg", 3), ("cropped.jpg", 4)])
def test_a_photograph_that_cannot_be_read_is_named_with_its_player(
    stargazer: Run, game_file: GameFile, photograph: Photograph, photo: str, code: int
) -> None:
    photograph(photo)
    path = game_file(players=[{"name": "Ana", "photo": photo}])
    result = stargazer("score", "--json", path)
    assert result.exit_code == code
    reported = json.loads(result.stdout)
    assert reported["file"] == str(path)
    assert "Ana" in reported["message"]
    assert photo in reported["message"]


def test_whose_board_it_is_is_asked_never_guessed(
    stargazer: Run, game_file: GameFile, photograph: Photograph
) -> None:
    photograph("two-boards.jpg")
    path = game_file(players=[{"name": "Ana", "photo": "two-boards.jpg"}])
    assert "shows 2 boards" in refused(stargazer("score", "--json", path))


def test_a_missing_photograph_is_named(stargazer: Run, game_file: GameFile) -> None:
    path = game_file(players=[{"name": "Ana", "photo": "gone.jpg"}])
    assert "gone.jpg does not exist" in refused(stargazer("score", "--json", path))


def test_an_unknown_card_is_named_with_its_key(stargazer: Run, game_file: GameFile) -> None:
    message = refused(stargazer("score", "--json", game_file(career=["V5", "V99"])))
    assert "career" in message
    assert "V99" in message


def test_eleven_black_stars_cannot_be(stargazer: Run, game_file: GameFile) -> None:
    message = refused(stargazer("score", "--json", game_file(players=players(black=11))))
    assert "11 black stars" in message


def test_a_colour_linked_to_itself_is_flagged_and_scored(
    stargazer: Run, game_file: GameFile
) -> None:
    path = game_file(players=players(stars={"core": "red", "ar1": "red"}))
    (player,) = scored(stargazer("score", "--json", path))["players"]
    assert {"kind": "same_colour_link", "spaces": ["core", "ar1"]} in player["flags"]
    assert "core and ar1 are linked" in stargazer("score", path).stdout


def test_every_mistake_is_in_the_one_line(stargazer: Run, game_file: GameFile) -> None:
    path = game_file(career=["V99"], advanced=["B99"], players=players(personal="O99"))
    message = refused(stargazer("score", "--json", path))
    assert all(card in message for card in ("V99", "B99", "O99"))


@pytest.mark.parametrize(
    "text",
    ["", "stars", "players: 7", "players: [", "\0", "- a\n- b", "a: &a [*a, *a]", "players: [[]]"],
)
def test_a_file_that_is_no_game_is_refused(stargazer: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(text)
    assert refused(stargazer("score", "--json", path))


def test_a_photograph_a_folder_and_nothing_are_no_games(
    stargazer: Run, photograph: Photograph, tmp_path: Path
) -> None:
    for path in (photograph("ana.jpg"), tmp_path, tmp_path / "none.yaml"):
        assert refused(stargazer("score", "--json", path))


def test_the_error_for_scoring_a_photograph_says_what_to_give_instead(
    stargazer: Run, tmp_path: Path
) -> None:
    path = tmp_path / "ana.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(200_000))
    message = refused(stargazer("score", "--json", path))
    assert message == "ana.jpg: not a text file in UTF-8; give a YAML or JSON file"


def test_the_other_games_are_still_scored(
    stargazer: Run, game_file: GameFile, tmp_path: Path
) -> None:
    result = stargazer("score", "--json", tmp_path / "none.yaml", game_file())
    assert result.exit_code == 2
    failed, done = map(json.loads, result.stdout.splitlines())
    assert failed["error"] == 2
    assert done["ranking"] == [["Ana"], ["Luis"]]


def _sample_of_polaris() -> dict[str, Any]:
    return yaml.safe_load(files("scorer.polaris").joinpath("sample.yaml").read_text("utf-8"))


def test_skies_in_the_wrong_order_are_reported_in_one_line_and_scored(
    stargazer: Run, tmp_path: Path
) -> None:
    game, path = _sample_of_polaris(), tmp_path / "game.yaml"
    path.write_text(yaml.safe_dump(game), encoding="utf-8")
    right = stargazer("score", "--json", path)
    assert right.stderr == "" and scored(right)["game"] == "polaris"
    second, third = game["phases"][1:3]
    for lying in ("stars", "links"):
        second[lying], third[lying] = third[lying], second[lying]
    path.write_text(yaml.safe_dump(game), encoding="utf-8")
    wrong = stargazer("score", "--json", path)
    assert scored(wrong)["game"] == "polaris"
    (line,) = wrong.stderr.splitlines()
    assert "game.yaml: 3: 28 stars and links that were there before are missing" in line
    assert "the order 1, 3, 2, 4, 5 fits better" in line


def test_a_moon_that_went_astray_is_reported(stargazer: Run, tmp_path: Path) -> None:
    game, path = _sample_of_polaris(), tmp_path / "game.yaml"
    for phase, sector in zip(game["phases"], (4, 5, 3, 2, 3), strict=True):
        phase["new_moon"] = sector
    path.write_text(yaml.safe_dump(game), encoding="utf-8")
    printed = stargazer("score", path)
    (line,) = printed.stderr.splitlines()
    assert "! phase 3: the New Moon faces sector 3" in printed.stdout
    (flag,) = scored(stargazer("score", "--json", path))["flags"]
    moon = {"kind": "moon_elsewhere", "rule": "P57", "sector": 3, "due": 1, "phase": 3}
    assert flag == {"spaces": [], **moon}
    assert "3: the New Moon faces sector 3, and it should face sector 1 by now" in line
    assert "check its photograph" in line


def test_the_error_for_a_file_without_a_game_names_the_ones_to_write(
    stargazer: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    game = {key: value for key, value in _sample_of_polaris().items() if key != "game"}
    path.write_text(yaml.safe_dump(game), encoding="utf-8")
    reported = refused(stargazer("score", "--json", path))
    assert (
        reported
        == "game: missing: write `game: polaris` or `game: ptolemaeus`, which the file is of"
    )
