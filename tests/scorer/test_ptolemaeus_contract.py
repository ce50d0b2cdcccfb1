"""Ptolemaeus keeps what every game keeps; its game file is that of the interfaces."""

from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from scorer.datafile import DataFileError
from scorer.places import Place, in_region
from scorer.ptolemaeus.game import PTOLEMAEUS
from tests.scorer.game_contract import GameContract

LAYOUT = Path(__file__).parents[2] / "calibration/profiles/ptolemaeus/standard/layout.yaml"
FILE: dict[str, Any] = {
    "format": 1,
    "game": "ptolemaeus",
    "edition": "standard",
    "date": "1969-07-20",
    "planets": {
        "luna": "cancer",
        "mercurius": "capricornus",
        "venus": "sagittarius",
        "sol": "gemini",
        "mars": "virgo",
        "iupiter": "capricornus",
        "saturnus": "scorpius",
    },
    "comet": {"at": "aquarius", "start": "aquarius"},
    "asteroids": ["aries", "taurus"],
    "claimed": "Ana",
    "players": [
        {
            **{"name": "Ana", "colour": "red", "studied": ["mars", "mercurius"], "asteroids": 1},
            **{"nova": 1, "secret": "S1", "pieces": {"aries": 2, "pisces": 1}},
        },
        {
            **{"name": "Eva", "colour": "blue", "studied": ["luna"], "asteroids": 1},
            **{"nova": 0, "secret": ["luna", "mars", "sol"], "pieces": {"leo": 1}},
        },
    ],
}
PHOTOGRAPHED = {
    **{key: FILE[key] for key in ("format", "game", "edition", "date", "claimed")},
    "photo": "sky.jpg",
    "players": [
        {key: own[key] for key in ("name", "colour", "nova", "secret")} for own in FILE["players"]
    ],
}
ON_BOARD = {
    **in_region("leo", {"mars": 1, "red": 2, "blue": 2}),
    **in_region("aries", {"comet": 1, "start": 1}),
    **in_region("red_asteroids", {"asteroid": 3}),
    Place("asteroid_leo"): "asteroid",
    Place("red_luna"): "red",
    Place("turn_1"): "turn",
}


class TestPtolemaeus(GameContract):
    game = PTOLEMAEUS
    lying: ClassVar = ON_BOARD
    breaking: ClassVar = in_region("leo", {"red": 3})
    impossible: ClassVar = {Place("asteroid_leo"): "red"}
    file: ClassVar = FILE
    photographed: ClassVar = PHOTOGRAPHED
    layout: ClassVar = yaml.safe_load(LAYOUT.read_text(encoding="utf-8"))


def read(data: dict[str, Any]) -> Any:
    return PTOLEMAEUS.game_from_data(data, PTOLEMAEUS.standard_board)


def test_a_game_file_of_the_interfaces_is_scored() -> None:
    score = PTOLEMAEUS.score(read(FILE)).to_data()
    ana, eva = score["players"]
    reported = [(line["category"], line["points"]) for line in ana["lines"]]
    assert reported == [("planets", 2), ("secret", 0), ("nova", 1), ("asteroids", 0)]
    assert ana["total"] == 3 and eva["total"] == 1 and score["ranking"] == [["Ana"], ["Eva"]]


def test_a_file_that_was_read_is_written_with_the_same_keys() -> None:
    written = PTOLEMAEUS.game_data(read(FILE))
    assert {key: written[key] for key in FILE} == FILE


def test_what_a_player_is_said_to_have_stands_above_what_a_photograph_shows() -> None:
    data = deepcopy(PHOTOGRAPHED)
    data["players"][0] |= {"studied": ["sol", "luna"], "asteroids": 0}
    game = read(data)
    position = PTOLEMAEUS.position(PTOLEMAEUS.standard_board, ON_BOARD)
    (wanted,) = PTOLEMAEUS.wanted_photos(game)
    ana, eva = PTOLEMAEUS.score(PTOLEMAEUS.with_position(game, wanted, position)).players
    assert [line.points for line in ana.lines] == [2, 1, 1, 0]
    assert [line.points for line in eva.lines] == [0, 0, 0, 0]
    game = PTOLEMAEUS.with_position(read(PHOTOGRAPHED), wanted, position)
    assert [line.points for line in PTOLEMAEUS.score(game).players[0].lines] == [1, 0, 1, 1]


def test_a_file_that_lacks_a_secret_is_provisional() -> None:
    data = deepcopy(FILE)
    del data["players"][0]["secret"]
    ana, eva = PTOLEMAEUS.score(read(data)).players
    assert ana.provisional and ana.hint and not eva.provisional


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("planets", {"luna": "ophiuchus"}, "planets.luna"),
        ("planets", {"pluto": "leo"}, "planets.pluto"),
        ("comet", {"at": "leon"}, "comet.at"),
        ("comet", {"start": "xyz"}, "comet.start"),
        ("asteroids", ["aris"], "asteroids[0]"),
        ("claimed", "Luis", "claimed"),
        ("date", "1969-02-30", "date"),
        ("date", "1750-01-01", "date"),
        ("edition", "mine", "edition"),
        ("game", "nebula", "game"),
        ("regions", {"leo": {"pluto": 1}}, "regions"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(key: str, value: object, named: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read({**FILE, key: value})
    ((key, why),) = caught.value.problems
    assert key == named and ": ," not in why


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("colour", "pink", "players[1].colour"),
        ("colour", "red", "players[0].colour"),
        ("name", "Ana", "players[0].name"),
        ("studied", ["pluto"], "players[1].studied[0]"),
        ("secret", "S8", "players[1].secret"),
        ("secret", ["sol", "sol", "luna"], "players[1].secret"),
        ("pieces", {"ares": 1}, "players[1].pieces.ares"),
        ("asteroids", -1, "players[1].asteroids"),
    ],
)
def test_what_is_wrong_with_a_player_is_named(key: str, value: object, named: str) -> None:
    data = deepcopy(FILE)
    data["players"][1][key] = value
    with pytest.raises(DataFileError) as caught:
        read(data)
    assert caught.value.problems[0][0] == named


def test_a_value_that_is_of_neither_type_is_refused() -> None:
    data = deepcopy(FILE)
    data["players"][1]["secret"] = 5
    with pytest.raises(DataFileError, match=r"players\[1\]\.secret"):
        read(data)
