"""Game files: read, written, and every mistake in one reported with its key and its reason."""

import json
from pathlib import Path

import pytest
import yaml

from scorer.datafile import DataFileError
from scorer.nebula.card import CARDS
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import Values
from scorer.nebula.game_file import game_from_data
from scorer.nebula.score import score_game
from tests.scorer.nebula_tables import load_game

EXAMPLE = """
format: 1
game: nebula
mode: full
edition: standard
career: [V5, V7, V12, V17]
advanced: [B3, B16, B20, B24]
values:
  colours: [yellow, red, blue]
  constellations: [aries, gemini]
  advanced: [II, I, IV]
players:
  - name: Ana
    stars: {core: red, ar1: blue}
    black: 4
    personal: O19
    career: {V5: first, V17: later}
  - name: Luis
    photo: photos/luis.jpg
    personal: O7
"""


@pytest.fixture
def data() -> dict:
    return yaml.safe_load(EXAMPLE)


def problems(data) -> dict[str, str]:
    with pytest.raises(DataFileError) as error:
        game_from_data(data)
    assert len(str(error.value).splitlines()) == len(error.value.problems)
    return dict(error.value.problems)


@pytest.mark.parametrize("name", ["game.yaml", "game.yml", "game.json"])
def test_a_game_file_is_read(name, data, tmp_path):
    file = tmp_path / name
    file.write_text(json.dumps(data) if name.endswith("json") else EXAMPLE, encoding="utf-8")
    game = load_game(file)
    ana, luis = game.players
    assert ana.galaxy == Galaxy({"core": "red", "ar1": "blue"}, black=4)
    assert ana.career == {"V5": "first", "V17": "later"}
    assert luis.galaxy is None and luis.photo == "photos/luis.jpg", "relative, as written"
    assert luis.career is None
    assert game.values == Values(("yellow", "red", "blue"), ("aries", "gemini"), ("II", "I", "IV"))


def test_keys_that_may_be_left_out():
    game = game_from_data({"players": [{"name": "Ana", "stars": {}}]})
    assert (game.mode, game.edition.id, game.values, game.career) == ("full", "standard", None, ())
    assert game.players[0].galaxy == Galaxy({})


def test_unknown_keys_are_ignored(data):
    data |= {"played_on": "Friday"}
    data["players"][0]["shirt"] = "green"
    assert game_from_data(data).players[0].name == "Ana"


def test_a_rule_break_is_no_mistake_of_the_file(data):
    data["players"][0]["stars"] = {"core": "red", "ar1": "red", "ge6": "black"}
    score = score_game(game_from_data({**data, "players": data["players"][:1]}))
    kinds = [flag.kind for flag in score.players[0].flags]
    assert kinds[:3] == ["same_colour_link", "not_connected", "black_on_galaxy"]


LAST_CAREER = [card.id for card in CARDS.values() if card.deck == "career"][-1]
NOT_CAREER = f"V99 is not one of the career cards V1 to {LAST_CAREER}"
MISTAKES = [
    ("format", 2, "format", "must be 1, not 2"),
    ("game", "chess", "game", "must be 'nebula', not 'chess'"),
    ("mode", "fast", "mode", "must be 'intro' or 'full', not 'fast'"),
    ("edition", "pocket", "edition", "pocket is not known; there is standard"),
    (
        "career",
        ["V5", "V99"],
        "career[1]",
        NOT_CAREER,
    ),
    ("career", ["V5", "V17", "V5"], "career", "V5 is written 2 times"),
    ("career", ["V5", "V17", "V1", "V2", "V3"], "career", "4 cards lie on the table, not 5"),
    ("career", "V5", "career", "must be a list, not 'V5'"),
    ("advanced", ["O1"], "advanced[0]", "O1 is not one of the advanced cards B1 to B30"),
    ("advanced", ["B1", "B1"], "advanced", "B1 is written 2 times"),
    ("values", {"colours": ["black"]}, "values.colours[0]", "black is no colour of a value token"),
    ("values", {"colours": ["red", "red"]}, "values.colours", "red is written 2 times"),
    ("values", {"constellations": ["leo"]}, "values.constellations[0]", "leo is no constellation"),
    ("values", {"advanced": ["V"]}, "values.advanced[0]", "V is no slot"),
    ("players", [], "players", "a game has 1 to 4 players, not 0"),
    ("players", "Ana", "players", "must be a list, not 'Ana'"),
    ("players", [7], "players[0]", "must hold keys and values, not 7"),
]


@pytest.mark.parametrize(("key", "value", "message", "reason"), MISTAKES)
def test_a_mistake_is_reported_with_key_and_reason(data, key, value, message, reason):
    assert reason in problems(data | {key: value})[message]


PLAYER_MISTAKES = [
    ({"name": ""}, "name", "must not be empty"),
    ({"name": 7}, "name", "must be text (put it in quotes), not 7"),
    ({"stars": {"ar9": "red"}}, "stars.ar9", "the board has no space ar9"),
    ({"stars": {"ar1": "purpel"}}, "stars.ar1", "purpel is no colour of a star; did you mean"),
    ({"stars": ["core"]}, "stars", "must hold keys and values"),
    ({"black": 11}, "black", "11 black stars, but the track has 10 spaces"),
    ({"black": -1}, "black", "must be 0 or more, not -1"),
    ({"black": 10**9}, "black", "must be 1000 at most"),
    ({"black": "4"}, "black", "must be a whole number, not '4'"),
    ({"black": True}, "black", "must be a whole number, not True"),
    ({"personal": "V1"}, "personal", "V1 is not one of the personal cards O1 to"),
    ({"career": {"V5": "second"}}, "career.V5", "must be 'first' or 'later', not 'second'"),
    ({"career": {"V1": "first"}}, "career.V1", "is not one of this game's career cards"),
    ({"career": {"B1": "first"}}, "career.B1", "B1 is not one of the career cards"),
]


@pytest.mark.parametrize(("change", "message", "reason"), PLAYER_MISTAKES)
def test_a_players_mistake_is_reported_with_key_and_reason(data, change, message, reason):
    data["players"][0] |= change
    assert list(problems(data)) == [f"players[0].{message}"]
    assert reason in problems(data)[f"players[0].{message}"]


def test_players_are_different_people(data):
    data["players"][1]["name"] = "Ana"
    assert problems(data) == {"players[1].name": "Ana is the name of an earlier player too"}


def test_only_one_player_was_first_on_a_card(data):
    data["players"][1]["career"] = {"V5": "first"}
    message = problems(data)["players[1].career.V5"]
    assert message == "Ana was first already; only one player can be"


def test_more_than_four_players(data):
    data["players"] = [{"name": name, "photo": f"{name}.jpg"} for name in "ABCDE"]
    assert problems(data) == {"players": "a game has 1 to 4 players, not 5"}


def test_a_player_has_stars_or_a_photo(data):
    del data["players"][1]["photo"]
    assert problems(data) == {"players[1]": "needs `stars`, or a `photo` to read them from"}


def test_every_mistake_is_reported_at_once(data):
    data |= {"mode": "fast", "career": ["V5", "V99"]}
    data["players"][0] |= {"black": 11, "stars": {"core": "pink", "xx": "red"}, "career": {}}
    data["players"][1] |= {"name": "Ana", "career": {"V5": "best"}}
    assert set(problems(data)) == {
        "mode",
        "career[1]",
        "players[0].black",
        "players[0].stars.core",
        "players[0].stars.xx",
        "players[1].name",
        "players[1].career.V5",
    }


@pytest.mark.parametrize("data", [None, [], "game", 3])
def test_what_is_not_a_game_at_all(data):
    assert problems(data)[""].startswith("a game file holds keys and values")


def test_an_edition_of_the_owners_own_beside_the_file(tmp_path):
    own = "extends: standard\nname: Mine\npersonal: 20\ncareer: {cards: {V5: [18, 12]}}\n"
    (tmp_path / "mine.yaml").write_text(own)
    (tmp_path / "game.yaml").write_text(EXAMPLE.replace("edition: standard", "edition: mine.yaml"))
    game = load_game(tmp_path / "game.yaml")
    assert game.edition.personal == 20
    assert game.edition.career_points("V5") == (18, 12)
    assert game.edition.career_points("V7") == (16, 10)
    assert game.to_data()["edition"] == "mine.yaml"


def test_data_from_the_network_reads_no_file(data, tmp_path):
    (tmp_path / "mine.yaml").write_text("extends: standard")
    message = problems(data | {"edition": str(tmp_path / "mine.yaml")})
    assert "is not known" in message["edition"]


FILES = [
    ("missing.yaml", None, "cannot be opened"),
    ("game.yaml", "players: [", "line 2: not YAML"),
    ("game.json", "{", "line 1: not JSON"),
    ("game.json", '{"mode": "intro", "mode": "full"}', "mode: written twice"),
    ("game.yaml", "mode: intro\nmode: full", "mode: written twice (line 2)"),
    ("game.yaml", "a: &a [1]\nb: *a", "aliases are not read"),
    ("game.yaml", "a: !!python/name:os.system x", "not YAML"),
    ("game.yaml", "[" * 100_000, "nested too deep"),  # would crash the C parser
    ("game.yaml", "a: " + "[" * 3000 + "]" * 3000, "nested too deep"),
    ("game.json", "[" * 3000 + "]" * 3000, "nested too deep"),
    ("game.yaml", "a: 0x_", "a value that cannot be"),
    ("game.yaml", "# " + "x" * 100_000, "far too large"),
    ("game.yaml", b"\xff\xfe\x00", "not a text file in UTF-8"),
    ("game.yaml", "", "a game file holds keys and values"),
]


@pytest.mark.parametrize(("name", "content", "reason"), FILES, ids=lambda value: str(value)[:30])
def test_a_file_that_is_no_data_is_reported_in_words(name, content, reason, tmp_path):
    file = tmp_path / name
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content is not None:
        file.write_text(content)
    with pytest.raises(DataFileError) as error:
        load_game(file)
    assert reason in str(error.value)


def test_a_folder_is_not_a_game(tmp_path):
    with pytest.raises(DataFileError, match="cannot be opened"):
        load_game(Path(tmp_path))


TOO_MANY = [
    ({"players": [7] * 40_000}, "players", "a game has 1 to 4 players, not 40000"),
    ({"career": ["V99"] * 40_000}, "career", "4 cards lie on the table, not 40000"),
    ({"values": {"colours": [7] * 40_000}}, "values.colours", "has 40000 entries, more than 100"),
]


@pytest.mark.parametrize(("change", "message", "reason"), TOO_MANY)
def test_none_of_far_too_many_is_looked_at(data, change, message, reason):
    assert problems(data | change) == {message: reason}


@pytest.mark.parametrize("key", ["stars", "career"])
def test_nor_of_far_too_many_of_one_player(data, key):
    data["players"][0][key] = {f"x{number}": 7 for number in range(40_000)}
    assert problems(data) == {f"players[0].{key}": "has 40000 entries, more than 100"}


def test_error_messages_are_no_longer_than_a_person_reads(data):
    data["players"][0] |= {"stars": {f"x{number}": "pink" for number in range(50)}}
    data["players"][1] |= {"name": "A" * 100_000, "personal": "O" * 100_000}
    with pytest.raises(DataFileError) as error:
        game_from_data(data)
    *message, (key, more) = error.value.problems
    assert (len(message), key, more) == (20, "", "and 82 more")
    assert len(str(error.value)) < 2_000


def test_a_mistake_in_an_edition_is_reported_with_its_key_there(tmp_path):
    (tmp_path / "mine.yaml").write_text("extends: standard\ncareer: {points: 7}\npersonal: ten")
    (tmp_path / "game.yaml").write_text(EXAMPLE.replace("edition: standard", "edition: mine.yaml"))
    with pytest.raises(DataFileError) as error:
        load_game(tmp_path / "game.yaml")
    assert {"edition.career.points", "edition.personal"} <= dict(error.value.problems).keys()


def test_deep_nesting_and_endless_numbers_are_reported():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    assert problems({"players": deep})["players[0]"].startswith("must hold keys and values, not [[")
    endless = {"players": [{"name": "Ana", "stars": {}, "black": 10**5000}]}
    assert problems(endless)["players[0].black"].startswith("must be 1000 at most")


def test_a_key_and_its_value_may_both_be_wrong() -> None:
    player = {"name": "Ana", "stars": {}, "career": {"nowhere": {}}}
    with pytest.raises(DataFileError) as refused:
        game_from_data({"format": 1, "game": "nebula", "mode": "intro", "players": [player]})
    reasons = [reason for key, reason in refused.value.problems if key.endswith(".nowhere")]
    assert len(reasons) == 2
