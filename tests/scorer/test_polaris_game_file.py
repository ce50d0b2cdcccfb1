"""Polaris' game files: read, written, and every mistake reported with its key and its reason."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.datafile import DataFileError, read_data_file
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.game import Game, Snapshot
from scorer.polaris.game_file import game_from_data
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky
from scorer.polaris.words import NEUTRAL

EXAMPLE = """
format: 1
game: polaris
edition: standard
players:
  - {name: Ana, colour: red, shooting: 2, personal: PO7}
  - {name: Luis, colour: yellow, shooting: 4, personal: PO9}
stars: {1a1: red, 1r3: yellow}
links: [[1a2, 1a1], [polaris, 3b1]]
neutral: [1c1]
phases:
  - {card: C8, telescope: Ana, photo: first.jpg}
  - {card: C2, telescope: Luis, stars: {1a1: red}, links: [], neutral: [1c1]}
  - {card: C11, telescope: Ana, stars: {1a1: red}}
  - {card: C15, telescope: Ana, links: [[1a1, 1a2]]}
  - {card: C12, telescope: Luis}
"""


@pytest.fixture
def data() -> dict:
    return yaml.safe_load(EXAMPLE)


def loaded(file: Path) -> Game:
    return game_from_data(read_data_file(file), folder=file.parent)


def problems(data) -> dict[str, str]:
    with pytest.raises(DataFileError) as error:
        game_from_data(data)
    assert len(str(error.value).splitlines()) == len(error.value.problems)
    return dict(error.value.problems)


@pytest.mark.parametrize("name", ["game.yaml", "game.json"])
def test_a_game_file_is_read(name, data, tmp_path):
    file = tmp_path / name
    file.write_text(json.dumps(data) if name.endswith("json") else EXAMPLE, encoding="utf-8")
    game = loaded(file)
    assert game.colours == {"Ana": "red", "Luis": "yellow"}
    assert game.players[1].personal == "PO9" and game.players[1].shooting == 4
    end = Sky({"1a1": "red", "1r3": "yellow", "1c1": NEUTRAL}, ("1a1-1a2", "polaris-3b1"))
    assert game.end == Snapshot(end)
    assert [phase.card for phase in game.phases] == ["C8", "C2", "C11", "C15", "C12"]
    assert game.phases[0].snapshot == Snapshot(photo="first.jpg"), "relative, as written"
    assert game.phases[3].snapshot.sky == Sky({"1c1": NEUTRAL}, ("1a1-1a2",))
    assert game.skies[4] == game.end, "the fifth phase is the end"


def test_a_read_game_is_scored(data):
    game = game_from_data(data).with_sky(Sky({"1a1": "red"}), phase=0)
    score = score_game(game)
    lines = score.players[0].lines
    assert [line.category for line in lines[:6]] == ["start"] + ["phase"] * 5
    assert not score.players[0].provisional


def test_of_two_players_stars_of_a_third_colour_are_neutral(data):
    sky = Sky({"1a1": "red", "1c1": "white", "2c1": "blue"})
    assert game_from_data(data).with_sky(sky).end.sky.where(NEUTRAL) == ("1c1", "2c1")
    data["players"].append({"name": "Eva", "colour": "blue"})
    assert dict(game_from_data(data).with_sky(sky).end.sky.stars) == dict(sky.stars)


TWO = {"players": [{"name": "Ana", "colour": "red"}, {"name": "Eva", "colour": "blue"}]}


def five(**sky) -> list[dict]:
    return [{"card": f"C{number}", "telescope": "Ana", **sky} for number in range(1, 6)]


def test_p14_the_neutral_stars_of_a_game_lie_at_each_of_its_phases():
    starred = list(STANDARD_SKY.starred)
    data = TWO | {"stars": {"1a1": "red"}, "links": [], "neutral": starred}
    data["phases"] = five(stars={"1a1": "red"}, links=[])
    game = game_from_data(data)
    assert all(set(sky.sky.where(NEUTRAL)) == set(starred) for sky in game.skies)
    assert score_game(game).flags == ()
    data["phases"][1]["neutral"] = starred[1:]
    assert [
        (flag.kind, flag.more.get("phase")) for flag in score_game(game_from_data(data)).flags
    ] == [
        ("neutral_missing", 2),
        ("taken_away", 2),
    ], "a phase that names its own has these"
    data["phases"][1] |= {"neutral": []}
    again = game_from_data(game_from_data(data).to_data())
    assert again == game_from_data(data), "none is written as none"


def test_p14_a_players_star_on_a_neutral_ones_space_stays_one():
    data = TWO | {"stars": {}, "neutral": ["1c1"], "phases": five(stars={"1c1": "red"})}
    assert game_from_data(data).phases[0].snapshot.sky == Sky({"1c1": "red"})


def test_p14_neutral_stars_alone_are_no_sky():
    starred = list(STANDARD_SKY.starred)
    data = TWO | {"neutral": starred, "phases": five(stars={"1a1": "red"}, links=[])}
    game = game_from_data(data)
    assert game.skies[-1].sky.stars["1a1"] == "red", "the fifth phase's"
    data = TWO | {"neutral": starred, "photo": "sky.jpg"}
    assert game_from_data(data).end == Snapshot(photo="sky.jpg"), "still to be read"


def test_markers_instead_of_phases():
    players = [{"name": n, "colour": c, "marker": 21} for n, c in (("A", "red"), ("B", "blue"))]
    game = game_from_data({"players": players, "photo": "sky.jpg"})
    assert (game.players[0].marker, game.phases, game.end.photo) == (21, (), "sky.jpg")


def test_the_fifth_phase_alone_may_have_the_sky(data):
    for key in ("stars", "links", "neutral"):
        del data[key]
    data["phases"][4]["photo"] = "last.jpg"
    assert [one.photo for one in game_from_data(data).skies[-2:]] == ["last.jpg", "last.jpg"]


def test_unknown_keys_are_ignored(data):
    data |= {"played_on": "Friday"}
    data["players"][0]["shirt"] = "green"
    assert game_from_data(data).players[0].name == "Ana"


MISTAKES = [
    ("format", 2, "format", "must be 1, not 2"),
    ("game", "nebula", "game", "must be 'polaris', not 'nebula'"),
    ("edition", "pocket", "edition", "pocket is not known; there is standard"),
    ("players", [], "players", "must be 2 to 4, not 0"),
    ("players", [{"name": str(n)} for n in range(5)], "players", "must be 2 to 4, not 5"),
    ("players", "Ana", "players", "must be a list, not 'Ana'"),
    ("players", [7, 8], "players[0]", "must hold keys and values, not 7"),
    ("photo", "a" * 1001, "photo", "must have 1000 characters at most"),
    ("stars", {"9" * 101: "red"}, f"stars.{'9' * 101}", "must have 100 characters at most"),
    ("stars", {"9z9": "red"}, "stars.9z9", "the sky has no star space 9z9"),
    ("stars", {"polaris": "red"}, "stars.polaris", "the sky has no star space polaris"),
    ("stars", {"1a1": "blue"}, "stars.1a1", "blue is no player's colour: red, yellow"),
    ("stars", {"1a1": "yelow"}, "stars.1a1", "no player's colour; did you mean yellow?"),
    ("stars", {"1c1": "red"}, "neutral", "1c1 holds a player's star too"),
    ("links", [["1a1"]], "links[0]", "must be the two ends of a link"),
    ("links", [["1a1", "1c1"]], "links[0]", "no link space between 1a1 and 1c1"),
    ("links", [["1a1", "1a2"], ["1a2", "1a1"]], "links[1]", "are joined by an earlier link"),
    ("links", "1a1-1a2", "links", "must be a list"),
    ("neutral", ["1c1", "1c1"], "neutral", "1c1 is written twice"),
    ("neutral", ["x"], "neutral[0]", "the sky has no star space x"),
    ("new_moon", 6, "new_moon", "the sky has no sector 6"),
    ("phases", [{}] * 6, "phases", "a game has 5 scoring phases, not 6"),
]


@pytest.mark.parametrize(("key", "value", "message", "reason"), MISTAKES)
def test_a_mistake_is_reported_with_key_and_reason(data, key, value, message, reason):
    assert reason in problems(data | {key: value})[message]


PLAYER_MISTAKES = [
    ({"name": " "}, "name", "must not be empty"),
    ({"name": "Luis"}, None, "every player needs a name of their own"),
    ({"colour": "pink"}, "colour", "pink is no colour of a player: red, yellow, blue, purple"),
    ({"colour": "yellow"}, None, "yellow is another player's too"),
    ({"shooting": -1}, "shooting", "must be 0 or more, not -1"),
    ({"shooting": "2"}, "shooting", "must be a whole number, not '2'"),
    ({"marker": 10**9}, "marker", "must be 1000 at most"),
    ({"personal": "O7"}, "personal", "O7 is no personal card; did you mean PO7?"),
]


@pytest.mark.parametrize(("change", "message", "reason"), PLAYER_MISTAKES)
def test_a_players_mistake_is_reported_with_key_and_reason(data, change, message, reason):
    data["players"][0] |= change
    found = problems(data)
    (key,) = change
    place = f"players[0].{message}" if message else f"players[1].{key}"
    assert reason in found[place]


@pytest.mark.parametrize("key", ["name", "colour"])
def test_what_a_player_needs(data, key):
    del data["players"][0][key]
    assert f"players[0].{key}" in problems(data)


PHASE_MISTAKES = [
    ({"card": "C16"}, "card", "C16 is no common card; did you mean C6?"),
    ({"card": "C2"}, None, "C2 was scored in an earlier phase; each card is scored once (P13)"),
    ({"telescope": "Eva"}, "telescope", "Eva is no player: Ana, Luis"),
    ({"stars": {"1a1": "blue"}}, "stars.1a1", "blue is no player's colour"),
    ({"photo": ""}, "photo", "must not be empty"),
]


@pytest.mark.parametrize(("change", "message", "reason"), PHASE_MISTAKES)
def test_a_phases_mistake_is_reported_with_key_and_reason(data, change, message, reason):
    data["phases"][0] |= change
    assert reason in problems(data)[f"phases[0].{message}" if message else "phases[1].card"]


@pytest.mark.parametrize("key", ["card", "telescope"])
def test_what_a_phase_needs(data, key):
    del data["phases"][2][key]
    assert problems(data) == {f"phases[2].{key}": "missing"}


def test_a_sky_is_needed_at_every_phase_and_at_the_end(data):
    del data["phases"][0]["photo"]
    assert list(problems(data)) == ["phases[0]"]
    for key in ("stars", "links", "neutral"):
        del data[key]
    found = problems(data)
    assert list(found) == ["phases[0]", "phases[4]", ""]
    assert found[""] == "needs `stars` and `links`, or a `photo` to read them from"


@pytest.mark.parametrize(
    "players",
    [
        [{"name": "Ana", "colour": "red"}],
        [{"name": "Ana"}, {"name": "Luis", "colour": "yellow"}],
        [{"name": "Eva", "colour": "Red"}, {"name": "Luis", "colour": "yellow"}],
    ],
)
def test_of_players_who_are_wrong_no_more_is_reported(data, players):
    (key,) = problems(data | {"players": players})
    assert key.startswith("players")


def test_no_players():
    assert problems({"stars": {}}) == {"players": "must be 2 to 4, not 0"}


@pytest.mark.parametrize("data", [None, [], 7, "players"])
def test_what_is_no_game_at_all(data):
    assert list(problems(data)) == [""]


def test_an_edition_of_ones_own_is_looked_for_beside_the_file(data, tmp_path):
    edition = "extends: standard\nname: Mine\ncolours: [red, yellow, blue, white]\n"
    tmp_path.joinpath("mine.yaml").write_text(edition, encoding="utf-8")
    data["edition"] = "mine.yaml"
    data["players"][0]["colour"] = "white"
    data["stars"] = {"1a1": "white"}
    for phase in data["phases"][1:3]:
        phase["stars"] = {}
    file = tmp_path / "game.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    game = loaded(file)
    assert game.edition.name == "Mine"
    assert game.to_data()["edition"] == "mine.yaml"
    assert "mine.yaml is not known" in problems(data)["edition"], "not for data from the network"


nested = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = ["players", "stars", "links", "neutral", "phases", "new_moon", "edition", "photo"]


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(KEYS), nested), st.sampled_from(["", "players", "phases"]))
def test_whatever_a_file_holds_is_read_or_refused_in_words(change, within):
    data = yaml.safe_load(EXAMPLE)
    if within:
        data[within][0] |= change
    else:
        data |= change
    try:
        game_from_data(data)
    except DataFileError as error:
        assert error.problems and all(reason for _, reason in error.problems)


def test_the_sample_game_is_scored_to_its_end() -> None:
    sample = Path(str(files("scorer.polaris").joinpath("sample.yaml")))
    score = score_game(loaded(sample))
    assert [(one.name, one.total) for one in score.players] == [
        ("Ana", 46),
        ("Luis", 40),
        ("Eva", 35),
        ("Jan", 39),
    ]
    assert not any(one.provisional for one in score.players) and not score.flags
