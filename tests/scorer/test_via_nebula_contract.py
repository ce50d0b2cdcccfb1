"""Via Nebula keeps what every game keeps; its game file is that of the interfaces."""

from copy import deepcopy
from typing import Any, ClassVar

import pytest

from scorer.datafile import DataFileError
from scorer.places import in_region
from scorer.via_nebula.board import GUILD, VALLEY
from scorer.via_nebula.game import VIA_NEBULA
from tests.scorer.game_contract import GameContract
from tests.scorer.via_nebula_tables import layout

FILE: dict[str, Any] = {
    "format": 1,
    "game": "via_nebula",
    "edition": "standard",
    "tiles": ["F5", "I1"],
    "tokens": {"B1": "stone-4"},
    "exploitations": {
        "A2": {"resource": "wood", "count": 2, "craftsman": "blue"},
        "J1": {"resource": "wheat", "count": 3, "craftsman": None},
    },
    "ruins": {
        "C3": [{"what": "site", "colour": "red", "resources": {"wheat": 1}}],
        "H1": [{"what": "building", "colour": "blue"}, {"what": "building", "colour": "blue"}],
    },
    "collected": False,
    "players": [
        {
            **{"name": "Ana", "colour": "blue", "piles": [0, 0, 3, 4], "storage": {"clay": 2}},
            **{"tokens": ["wood-3"], "contracts": ["X2", "N8"], "end_card": True},
        },
        {
            **{"name": "Eva", "colour": "red", "piles": [4, 4, 4, 4], "storage": {}},
            **{"token_points": [1, 2], "contract_points": [], "end_card": False},
        },
        {
            **{"name": "Luis", "colour": "white", "piles": [0, 4, 4, 4], "storage": {}},
            **{"tokens": [], "contracts": [], "end_card": False},
        },
    ],
}
PHOTOGRAPHED = {
    **{key: FILE[key] for key in ("format", "game", "edition", "collected")},
    "photo": "valley.jpg",
    "players": [
        {
            **{key: value for key, value in own.items() if key not in ("piles", "storage")},
            "photo": f"guild-{number}.jpg",
        }
        for number, own in enumerate(FILE["players"])
    ],
}
LYING = {
    **in_region("A2", {"wood": 2, "craftsman_blue": 1}),
    **in_region("B1", {"stone-4": 1}),
    **in_region("H1", {"building_blue": 1}),
    **in_region("H1b", {"site_red": 1, "wheat": 2}),
    **in_region("I1", {"tile": 1}),
}


class TestViaNebula(GameContract):
    game = VIA_NEBULA
    lying: ClassVar = LYING
    breaking: ClassVar = in_region("A2", {"tile": 1})
    impossible: ClassVar = in_region("Z9", {"tile": 1})
    file: ClassVar = FILE
    photographed: ClassVar = PHOTOGRAPHED
    layout: ClassVar = layout()
    beside: ClassVar = {
        "guild": (GUILD, {**in_region("pile_2", {"tile": 3}), **in_region("storage", {"clay": 2})})
    }


def read(data: dict[str, Any]) -> Any:
    return VIA_NEBULA.game_from_data(data, VIA_NEBULA.standard_board)


def lines(player: Any) -> list[int]:
    return [line.points for line in player.lines]


def test_a_game_file_of_the_interfaces_is_scored() -> None:
    score = VIA_NEBULA.score(read(FILE))
    ana, eva, luis = score.players
    assert [line.category for line in ana.lines] == [
        *("exploitations", "contracts", "explorers", "end_card", "storage")
    ]
    assert lines(ana) == [1, 11, 4, 2, -4], "two clay, and two wood of V62"
    assert lines(eva) == [3, 0, 0, 0, -1] and lines(luis) == [0, 0, 2, 0, 0]
    assert [str(own.lines[0].explanation) for own in (ana, eva)] == [
        "1 point on exploitation tokens",
        "1 + 2",
    ]


def test_v62_is_done_once() -> None:
    ana, eva, _luis = VIA_NEBULA.score(read({**FILE, "collected": True})).players
    assert lines(ana)[-1] == -2 and lines(eva)[-1] == 0


def test_a_line_names_the_places_of_the_valley_that_earn_it() -> None:
    ana, eva, luis = VIA_NEBULA.score(read(FILE)).players
    assert {line.category: line.spaces for line in ana.lines if line.spaces} == {
        "contracts": ("H1", "H1b"),
        "storage": ("A2",),
    }
    assert [line.spaces for line in eva.lines if line.spaces] == [("C3",)]
    assert not any(line.spaces for line in luis.lines)
    again = VIA_NEBULA.score(read({**FILE, "collected": True})).players[0]
    assert again.lines[-1].spaces == (), "taken from there already"


def test_v71_fewer_resources_win_a_tie() -> None:
    score = VIA_NEBULA.score(read(FILE))
    assert [own.total for own in score.players][1:] == [2, 2]
    assert score.ranking == (("Ana",), ("Luis",), ("Eva",))
    decided = "the same points: fewer resources in storage decide, here 1"
    assert score.tie_break("Eva") == decided and score.tie_break("Ana") == ""


def test_a_file_that_was_read_is_written_with_the_same_keys() -> None:
    assert VIA_NEBULA.game_data(read(FILE)) == FILE


def test_v70_a_total_may_be_negative() -> None:
    data = deepcopy(FILE)
    data["players"][2] |= {"piles": [1, 1, 1, 1], "storage": {"food": 3}}
    assert VIA_NEBULA.score(read(data)).players[2].total == -3


def test_what_a_player_is_said_to_have_stands_above_what_a_photograph_shows() -> None:
    data = deepcopy(PHOTOGRAPHED)
    data["players"][0]["piles"] = [0, 0, 0, 0]
    game = read(data)
    boards = {
        "valley": (VIA_NEBULA.standard_board, LYING),
        "guild": (GUILD, in_region("pile_1", {"tile": 1}) | in_region("storage", {"clay": 1})),
    }
    for wanted in VIA_NEBULA.wanted_photos(game):
        position = VIA_NEBULA.position(*boards[wanted.board])
        game = VIA_NEBULA.with_position(game, wanted, position)
    ana, eva, _luis = VIA_NEBULA.score(game).players
    assert lines(ana)[2:] == [8, 2, -3] and lines(eva)[2:] == [6, 0, -3]


def test_two_sites_of_a_photograph_in_one_half_are_written_as_they_lie() -> None:
    pieces = in_region("H1", {"site_red": 1, "site_blue": 1, "clay": 1})
    game = read(PHOTOGRAPHED)
    wanted, *others = VIA_NEBULA.wanted_photos(game)
    position = VIA_NEBULA.position(VIA_NEBULA.standard_board, pieces)
    game = VIA_NEBULA.with_position(game, wanted, position)
    written = VIA_NEBULA.game_data(game)
    assert "boards" in written and read(written) == game and others


def test_cards_that_are_not_entered_leave_a_score_provisional() -> None:
    data = deepcopy(FILE)
    del data["players"][0]["tokens"]
    ana, eva, _luis = VIA_NEBULA.score(read(data)).players
    assert ana.provisional and ana.hint and not eva.provisional


def flagged(**changes: Any) -> set[str]:
    score = VIA_NEBULA.score(read({**FILE, **changes}))
    flags = (*score.flags, *(flag for own in score.players for flag in own.flags))
    assert all(flag.reason for flag in flags)
    return {flag.kind for flag in flags}


def player(number: int, **changes: Any) -> list[dict[str, Any]]:
    players = deepcopy(FILE["players"])
    players[number] |= changes
    return players


def elements(what: str, *colours: str) -> list[dict[str, Any]]:
    return [{"what": what, "colour": colour} for colour in colours]


BUILT = FILE["ruins"]["H1"]
CRAFTSMEN = {at: {"resource": "wood", "count": 1, "craftsman": "blue"} for at in ("A2", "A6", "B1")}


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({}, set()),
        ({"tiles": ["A2"]}, {"tile_misplaced"}),
        ({"tiles": ["H1"]}, {"tile_misplaced"}),
        ({"ruins": {"H1": [*BUILT, *elements("site", "red")]}}, {"ruin_too_full"}),
        (
            {
                "ruins": {
                    "H1": BUILT,
                    "C3": elements("building", "red", "red"),
                    "D1": elements("building", "red", "red"),
                    "A4": elements("site", "red", "red"),
                },
                "players": player(1, contract_points=[4, 4, 4, 4]),
            },
            {"too_many_sites"},
        ),
        ({"tokens": {}, "exploitations": CRAFTSMEN}, {"too_many_craftsmen"}),
        ({"players": player(0, contracts=["X2"])}, {"contracts_and_buildings"}),
        ({"players": player(1, contract_points=[4])}, {"contracts_and_buildings"}),
        ({"players": player(1, end_card=True)}, {"end_cards"}),
        ({"tokens": {"B1": "wood-3"}}, {"card_twice"}),
        ({"players": player(0, contracts=["X2", "X2"])}, {"card_twice"}),
        ({"players": player(0, storage={"clay": 19})}, {"too_many_resources"}),
        ({"players": player(2, storage={"wood": 17})}, {"too_many_resources"}),
        ({"players": player(2, storage={"wood": 16})}, set()),
    ],
)
def test_v75_what_cannot_be_is_flagged(changes: dict[str, Any], flags: set[str]) -> None:
    assert flagged(**changes) == flags


def test_v75_and_counted_as_it_lies() -> None:
    data = {**FILE, "players": player(0, contracts=["X2", "X2"], end_card=True)}
    assert lines(VIA_NEBULA.score(read(data)).players[0])[1] == 14


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("tiles", ["Z1"], "tiles[0]"),
        ("tokens", {"A1": "wood-1"}, "tokens.A1"),
        ("tokens", {"A2": "wood-9"}, "tokens.A2"),
        ("tokens", {"A2": "wood-special"}, "tokens.A2"),
        ("exploitations", {"A1": {"resource": "wood", "count": 1}}, "exploitations.A1"),
        ("exploitations", {"A2": {"resource": "gold", "count": 1}}, "exploitations.A2.resource"),
        (
            "exploitations",
            {"A2": {"resource": "wood", "count": 1, "craftsman": "black"}},
            "exploitations.A2.craftsman",
        ),
        ("exploitations", {"A2": {"resource": "wood", "count": -1}}, "exploitations.A2.count"),
        ("ruins", {"A1": [{"what": "site", "colour": "red"}]}, "ruins.A1"),
        ("ruins", {"H1": [{"what": "tower", "colour": "red"}]}, "ruins.H1[0].what"),
        ("ruins", {"H1": [{"what": "site", "colour": "pink"}]}, "ruins.H1[0].colour"),
        (
            "ruins",
            {"H1": [{"what": "building", "colour": "red", "resources": {"wood": 1}}]},
            "ruins.H1[0].resources",
        ),
        ("edition", "mine", "edition"),
        ("side", "third", "side"),
        ("game", "nebula", "game"),
        ("collected", "yes", "collected"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(key: str, value: object, named: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read({**FILE, key: value})
    assert caught.value.problems[0][0] == named


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("colour", "pink", "players[2].colour"),
        ("colour", "blue", "players[0].colour"),
        ("name", "Ana", "players[0].name"),
        ("piles", [0, 0, 0], "players[2].piles"),
        ("piles", None, "players[2].piles"),
        ("storage", {"gold": 1}, "players[2].storage.gold"),
        ("tokens", ["wood-special"], "players[2].tokens"),
        ("contracts", ["X9"], "players[2].contracts"),
        ("token_points", [1], "players[2].token_points"),
        ("end_card", 2, "players[2].end_card"),
    ],
)
def test_what_is_wrong_with_a_player_is_named(key: str, value: object, named: str) -> None:
    with pytest.raises(DataFileError) as caught:
        read({**FILE, "players": player(2, **{key: value})})
    assert caught.value.problems[0][0] == named


def test_any_number_of_elements_a_photograph_may_show_on_a_ruin_is_reported() -> None:
    position = VIA_NEBULA.position(VALLEY, in_region("H1", {"building_blue": 3, "site_red": 3}))
    assert {one.kind for one in VIA_NEBULA.rule_breaks(position)} >= {"V3"}
