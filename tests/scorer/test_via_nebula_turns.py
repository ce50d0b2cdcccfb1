"""The rules of Via Nebula, V by V, with every example of the rulebook.

VIA_NEBULA_VALLEYS=5000 compares as many paths with networkx; the default is quick.
"""

import os
from collections import Counter
from dataclasses import replace
from random import Random

import networkx as nx
import pytest

from scorer.via_nebula.board import BUILDING, Element, Exploitation
from scorer.via_nebula.edition import (
    FOG,
    FOREST,
    MEADOW,
    RESOURCES,
    RUIN,
    STANDARD,
    valley_of,
    ways_from,
)
from scorer.via_nebula.turns import TURNS
from tests.scorer.via_nebula_tables import MEADOWS, did, legal, site, table, why_not

VALLEY = STANDARD.valleys["standard"]
VALLEYS = int(os.environ.get("VIA_NEBULA_VALLEYS", "300"))


# the components and the setup


@pytest.mark.parametrize(
    ("side", "counts"),
    [
        ("standard", {MEADOW: 24, RUIN: 10, FOG: 45, FOREST: 12}),
        ("beginners", {MEADOW: 24, RUIN: 10, FOG: 51, FOREST: 6}),
    ],
)
def test_v1_a_valley_of_91_hexagons(side, counts):
    valley = STANDARD.valleys[side]
    assert Counter(valley.terrain.values()) == counts
    graph = nx.Graph((a, b) for a, own in valley.around.items() for b in own)
    assert Counter(degree for _, degree in graph.degree()) == {3: 6, 4: 24, 6: 61}
    for ruin in valley.of(RUIN):
        assert {valley.terrain[at] for at in valley.around[ruin]} <= {FOG, FOREST}


def test_v7_v8_tokens_and_contracts_are_the_supply_and_the_deck():
    for resource in RESOURCES:
        own = [token for token in STANDARD.tokens.values() if token.resource == resource]
        assert sorted((one.shows, one.points) for one in own) == [
            *[(3, 1)] * 3,
            (4, 2),
            (5, 0),
        ]
        assert sum(one.shows for one in own) == STANDARD.supply
    points = [STANDARD.contracts[card].points for card in STANDARD.neutral]
    assert points == [4] * 10 + [7] * 10 + [6] * 8 + [11] * 5
    powers = [STANDARD.contracts[card].power for card in STANDARD.neutral if points]
    assert Counter(powers) == {"": 15, "swap": 6, "explore": 6, "carry": 6}
    assert [sum(STANDARD.contracts[card].needs.values()) for card in STANDARD.private] == [3] * 8
    assert STANDARD.contracts["N1"].needs == {"wood": 1, "stone": 1}


@pytest.mark.parametrize(
    ("players", "craftsmen", "pile", "room", "special"),
    [(2, 3, 5, 1, 4), (3, 2, 4, 2, 4), (4, 2, 3, 2, 5)],
)
def test_v15_to_v21_setup(players, craftsmen, pile, room, special):
    state = TURNS.dealt(TURNS.start({"players": players}), Random(3))
    assert len(state.open) == 4 and {*state.open} <= {*STANDARD.neutral}
    hands = [card for seat in state.seats for card in seat.hand]
    assert len({*hands}) == 2 * players and {*hands} <= {*STANDARD.private}
    for seat in state.seats:
        assert (seat.craftsmen, seat.sites, seat.buildings) == (craftsmen, 3, 5)
        assert seat.piles == (pile,) * 4
    assert state.reserve == 60 - 4 * pile * players and state.setup.room == room
    own = state.pieces.exploitations
    assert {*state.pieces.tokens, *own} == {*MEADOWS} and len(own) == 4
    assert {one.count for one in own.values()} == {special}, "V18, V19"
    assert {one.craftsman for one in own.values()} == {""}
    gone = STANDARD.tokens[state.boxed]
    assert gone.special and gone.resource not in {one.resource for one in own.values()}
    assert TURNS.decides(state) == 0 and state.left == 2


@pytest.mark.parametrize("players", [2, 3])
def test_v19_tokens_are_worth_one_less_with_fewer_players(players):
    state = did(table(players, {"B1": "wood-4", "A2": "clay-1"}), "craftsman B1", "craftsman A2")
    assert [state.pieces.exploitations[at].count for at in ("B1", "A2")] == [3, 2]


def test_a_table_that_cannot_be():
    for spoilt in (
        {"players": 1},
        {"players": 2, "colours": ["blue", "pink"]},
        {"players": 2, "colours": ["blue", "blue"]},
        {"players": 2, "side": "third"},
    ):
        with pytest.raises(ValueError):
            TURNS.start(spoilt)


# A: craftsmen


def test_v29_the_rulebooks_example_of_three_wood():
    state = table(tokens={"B1": "wood-3"})
    state = did(state, "craftsman B1")
    assert state.pieces.exploitations == {"B1": Exploitation("wood", 3, "blue")}
    assert state.seats[0].tokens == ("wood-3",) and not state.pieces.tokens
    assert state.supply["wood"] == 15 and state.seats[0].craftsmen == 1


def test_v29_needs_a_token_and_a_craftsman():
    state = table(tokens={"B1": "wood-3", "A2": "clay-1", "A6": "food-1"})
    assert why_not(state, "craftsman B6") == "V29"
    state = state.with_seat(0, craftsmen=0)
    assert why_not(state, "craftsman B1") == "V29"


def test_v29_of_a_short_supply_comes_what_there_is():
    state = table(tokens={"B1": "wood-3", "A2": "wood-1"}).with_seat(3, storage={"wood": 17})
    state = did(state, "craftsman B1")
    assert state.pieces.exploitations["B1"].count == 1
    state = did(state, "craftsman A2")
    assert "A2" not in state.pieces.exploitations and "A2" in state.pieces.open_meadows(VALLEY)
    assert state.seats[0].craftsmen == 1 and len(state.seats[0].tokens) == 2


# B: building sites


def test_v31_the_rulebooks_example_of_half_ruins():
    state = table(ruins={"H1": (site("red"),), "K4": (site("red"), site("white"))})
    assert why_not(state, "site H1b") == ""
    assert why_not(state, "site H1") == "V3", "that half is taken"
    assert why_not(state, "site K4b") == why_not(state, "site K4") == "V3"
    state = did(state, "site H1b", "site C3")
    assert state.pieces.ruins["H1"] == (site("red"), site("blue"))
    assert state.seats[0].sites == 1


def test_v31_needs_a_ruin_and_a_site():
    state = table()
    assert why_not(state, "site A1") == why_not(state, "site nowhere") == "V31"
    assert why_not(state.with_seat(0, sites=0), "site H1") == "V31"


def test_v3_with_two_players_a_ruin_has_room_for_one():
    state = table(2, ruins={"H1": (site("black"),)})
    assert why_not(state, "site H1b") == why_not(state, "site H1") == "V3"
    assert why_not(state, "site C3") == ""


@pytest.mark.parametrize(("buildings", "rule"), [(3, ""), (2, "V32")])
def test_v32_never_more_sites_than_buildings_left(buildings, rule):
    state = table(ruins={"H1": (site("blue"), site("blue"))})
    assert why_not(state.with_seat(0, buildings=buildings), "site C3") == rule


# C, D: exploring


def test_v33_a_fog_space_beside_oneself_or_an_open_meadow():
    tokens = dict.fromkeys(MEADOWS, "wood-1")  # no open meadow
    state = table(tokens=tokens, ruins={"C3": (site("blue"),), "D1": (site("red"),)})
    around = [at for at in VALLEY.around["C3"] if VALLEY.terrain[at] in (FOG, FOREST)]
    assert legal(state, "explore") == {f"explore {at}" for at in around} and len(around) > 3
    assert why_not(state, "explore E1") == "V33", "beside Red's site alone"
    assert why_not(state, "explore A2") == why_not(state, "explore C3") == "V33"
    emptied = {at: own for at, own in tokens.items() if at != "A2"}
    state = table(tokens=emptied)
    assert why_not(state, "explore A1") == ""
    assert why_not(did(state, "explore A1"), "explore A1") == "V33"


def test_v33_a_tile_that_was_laid_is_an_open_meadow_for_everybody():
    tokens = dict.fromkeys(MEADOWS, "wood-1")
    state = table(tokens=tokens, tiles="D3")
    assert {line.split()[1] for line in legal(state, "explore")} == {
        at for at in VALLEY.around["D3"] if VALLEY.terrain[at] in (FOG, FOREST)
    }


def test_v33_nothing_is_open_at_the_start():
    state = TURNS.dealt(TURNS.start({"players": 4}), Random(1))
    assert not legal(state, "explore") and not legal(state, "carry")


def test_v34_tiles_come_from_the_leftmost_pile_and_then_from_the_reserve():
    state = did(table(), "explore A1")
    assert state.seats[0].piles == (2, 3, 3, 3)
    state = table().with_seat(0, piles=(0, 0, 1, 2))
    assert did(state, "explore A1").seats[0].piles == (0, 0, 0, 2)
    state = replace(table().with_seat(0, piles=(0,) * 4), reserve=1)
    state = did(state, "explore A1")
    assert state.reserve == 0 and why_not(state, "explore A5") == "V34"


def test_v35_a_forest_takes_both_actions():
    state = table()
    assert why_not(state, "explore A3") == ""
    assert why_not(did(state, "explore A1"), "explore A3") == "V35"
    state = did(state, "explore A3")
    assert state.mover == 1 and state.left == 2 and "A3" in state.pieces.tiles
    assert why_not(state, "explore A3") == "V35"


# E: carrying


def test_v41_nothing_but_open_meadows_is_crossed():
    state = table(exploitations={"A2": ("wood", 2, "red")}, ruins={"A4": (site("blue"),)})
    assert why_not(state, "carry A2 A4") == "V41"
    none = replace(state, pieces=replace(state.pieces, ruins={}))
    assert why_not(none, "carry A2 A4") == "V40", "to a site of one's own"
    state = did(state, "explore A3")
    state = replace(state, mover=0)
    assert why_not(state, "carry A2 A4") == "", "A3 has become a meadow"
    about = replace(state, pieces=replace(state.pieces, tiles=frozenset({"B3", "B4"})))
    assert why_not(about, "carry A2 A4") == "", "the long way"
    half = replace(state, pieces=replace(state.pieces, tiles=frozenset({"B3"})))
    assert why_not(half, "carry A2 A4") == "V41"
    taken = replace(
        about.pieces, exploitations={**about.pieces.exploitations, "B3": Exploitation("clay", 1)}
    )
    assert why_not(replace(about, pieces=taken), "carry A2 A4") == "V41", "nor an exploitation"


def test_v41_what_is_in_the_way_is_named():
    state = table(2, {}, {"A2": ("stone", 2, "")}, {"A4": (site("blue"),)})
    broken = TURNS.illegal(state, TURNS.read_action("carry A2 A4"))
    assert broken is not None and broken.kind == "V41"
    assert str(broken.reason).endswith("from A2 to A4; in the way: A3")


def test_v41_no_way_is_needed_where_the_two_touch():
    valley = valley_of(dict(zip("ABCDEFGHIJK", ["M R", *["F"] * 10], strict=True)))
    assert ways_from(valley, frozenset(), "A1") == {"A2": ("A1", "A2")}


def test_v40_v43_the_rulebooks_example_of_the_last_wheat():
    state = table(exploitations={"A2": ("wheat", 1, "blue")}, ruins={"A4": (site("white"),)})
    state = replace(state, mover=2, pieces=replace(state.pieces, tiles=frozenset({"A3"})))
    assert state.seats[0].craftsmen == 1
    state = did(state, "carry A2 A4")
    assert state.pieces.ruins["A4"] == (site("white", wheat=1),)
    assert state.seats[0].craftsmen == 2 and not state.pieces.exploitations
    assert "A2" in state.pieces.open_meadows(VALLEY)


def test_v40_only_from_an_exploitation_v42_only_to_a_site_of_ones_own():
    state = table(
        tokens={"A2": "wood-1"},
        exploitations={"B1": ("clay", 2, "")},
        ruins={"A4": (site("red"), Element(BUILDING, "blue")), "C3": (site("blue", clay=1),)},
        tiles="B2",
    )
    assert why_not(state, "carry A2 C3") == why_not(state, "carry C3 A4") == "V40"
    assert why_not(state, "carry B1 A4") == why_not(state, "carry B1 A4b") == "V42"
    assert why_not(state, "carry B1 D1") == "V42"
    assert why_not(state, "carry B1 C3") == ""


def test_v41_paths_are_those_of_networkx_on_random_valleys():
    luck = Random(41)
    kinds = {MEADOW: 24, RUIN: 10, FOG: 45, FOREST: 12}
    rows = {letter: len(range(abs(n - 5), 11)) for n, letter in enumerate("ABCDEFGHIJK")}
    reached = 0
    for _ in range(VALLEYS):
        terrain = luck.sample([*kinds], 91, counts=[*kinds.values()])
        cells = iter(terrain)
        valley = valley_of(
            {letter: " ".join(next(cells) for _ in range(n)) for letter, n in rows.items()}
        )
        share = luck.choice((0.3, 0.6, 0.9))
        free = [at for at in valley.spaces if valley.terrain[at] != RUIN]
        crossed = frozenset(at for at in free if luck.random() < share)
        start = luck.choice([at for at in free if at not in crossed] or free)
        graph = nx.Graph((a, b) for a, own in valley.around.items() for b in own)
        ours = ways_from(valley, crossed, start)
        for ruin in valley.of(RUIN):
            part = graph.subgraph({*crossed, start, ruin})
            assert (ruin in ours) == nx.has_path(part, start, ruin)
            if ruin in ours:
                reached += 1
                way = ours[ruin]
                assert nx.is_path(part, way) and (way[0], way[-1]) == (start, ruin)
                assert len(way) - 1 == nx.shortest_path_length(part, start, ruin)
    assert reached > VALLEYS


# F: building


def test_v46_to_v50_the_rulebooks_example_of_a_contract():
    state = table(ruins={"H1": (site("black", stone=1, wood=1, wheat=1),)})
    state = replace(state, mover=1).with_seat(1, storage={"clay": 1})
    before = state.supply
    state = TURNS.after(state, TURNS.read_action("build H1 N1"))
    black = state.seats[1]
    assert state.pieces.ruins["H1"] == (Element(BUILDING, "black"),)
    assert black.storage == {"clay": 1, "wheat": 1} and (black.sites, black.buildings) == (3, 4)
    assert state.supply - before == Counter(wood=1, stone=1)
    assert why_not(state, "site C3") == "V49", "first the power"
    state = TURNS.after(state, TURNS.read_action("swap storage clay food"))
    assert state.seats[1].storage == {"wheat": 1, "food": 1}
    assert len(state.open) == 3 and {card for card, _ in TURNS.outcomes(state)}
    state = TURNS.dealt(state, Random(1))
    assert len(state.open) == 4 and "N1" not in state.open
    assert state.seats[1].contracts == ("N1",) and state.left == 1
    black_sheet = TURNS.score(state).players[1]
    assert {line.category: line.points for line in black_sheet.lines}["storage"] == -2


def test_v46_what_a_building_needs():
    state = table(
        ruins={
            "H1": (site("blue", wood=2), site("blue", stone=1, clay=1)),
            "C3": (site("red", wood=1, stone=1),),
        }
    )
    assert why_not(state, "build H1 N1") == "V46", "each half is looked at by itself"
    assert why_not(state, "build C3 N1") == why_not(state, "build D1 N1") == "V46"
    assert why_not(state, "build H1 N5") == "V46", "neither open nor in hand"
    assert why_not(state, "build H1b X2") == "V46", "X2 needs two clay"
    own = replace(
        state, pieces=replace(state.pieces, ruins={"H1": (site("blue", stone=1, clay=2),)})
    )
    assert why_not(own, "build H1 X2") == "" and why_not(own, "build H1 X3") == "V46"
    built = did(own, "build H1 X2")
    assert built.seats[0].hand == ("X1",) and built.open == own.open, "V50"


def test_v47_needs_a_building():
    state = table(ruins={"H1": (site("blue", wood=1, stone=1),)}).with_seat(0, buildings=0)
    assert why_not(state, "build H1 N1") == "V47"


def test_v49_powers():
    state = table(ruins={"H1": (site("blue", wood=1, stone=1, clay=2),)}, open="N1 N2 N3 N11")
    swap = did(state, "build H1 N1", "decline")
    assert swap.power == "" and swap.seats[0].storage == {"clay": 2} and swap.left == 1
    assert why_not(swap, "swap storage clay food") == why_not(swap, "decline") == "V49"
    asked = did(state, "build H1 N1")
    assert why_not(asked, "swap storage clay clay") == "V49"
    assert why_not(asked, "swap storage wood clay") == why_not(asked, "swap C3 wood clay") == "V49"
    none_left = asked.with_seat(3, storage={"food": 18})
    assert why_not(none_left, "swap storage clay food") == "V49"
    explore = did(state, "build H1 N2")
    assert explore.power == "explore"
    assert why_not(explore, "explore A1") == "" and why_not(explore, "explore A3") == "V33"
    explore = did(explore, "explore A1")
    assert explore.left == 1 and explore.mover == 0, "it costs no action"


def test_v49_a_power_that_can_do_nothing_is_not_asked_about():
    state = table(ruins={"H1": (site("blue", wood=1, wheat=1),)})
    assert STANDARD.contracts["N3"].power == "carry"
    state = did(state, "build H1 N3")
    assert state.power == "" and state.left == 1


def test_v49_carry_is_free():
    state = table(
        exploitations={"A2": ("food", 2, "")},
        ruins={"A4": (site("blue", wood=1, wheat=1), site("blue"))},
        tiles="A3",
    )
    state = did(state, "build A4 N3", "carry A2 A4b")
    assert state.left == 1 and state.pieces.ruins["A4"][1] == site("blue", food=1)


def test_v50_an_empty_deck_leaves_a_gap():
    state = table(ruins={"H1": (site("blue", wood=1, stone=1, clay=1),)})
    rest = tuple(card for card in STANDARD.neutral if card not in state.open)
    state = state.with_seat(3, contracts=rest)
    state = did(state, "build H1 N11")
    assert state.open == ("N1", "N2", "N3") and TURNS.decides(state) == 0


# turns and the end


def test_v25_two_actions_and_clockwise():
    state = table(3)
    state = did(state, "site H1", "site D1")
    assert state.mover == 1
    state = did(state, "site C3", "site A4", "site H1b", "site K4")
    assert state.mover == 0


def stuck(state):
    """Nobody has anything left to do with."""
    for number in range(len(state.seats)):
        state = state.with_seat(number, craftsmen=0, sites=0, piles=(0,) * 4)
    return replace(state, reserve=0)


def test_v26_who_can_do_nothing_leaves_it():
    state = table()
    assert why_not(state, "pass") == "V26"
    state = stuck(state)
    assert [TURNS.write_action(one) for one in TURNS.actions(state)] == ["pass"]
    assert TURNS.by_itself(state) is not None
    assert did(state, "pass").mover == 1


def test_v26_when_nobody_can_do_anything_the_game_is_over():
    state = did(stuck(table(2)), "pass", "pass")
    assert state.over and state.ender is None and TURNS.actions(state) == ()
    assert TURNS.illegal(state, TURNS.read_action("pass")).kind == "V57"


def last_building(card="N1"):
    ruins = {
        "H1": (site("blue", wood=1, stone=1, clay=1), site("black", wood=1, wheat=1)),
    }
    state = table(3, ruins=ruins).with_seat(0, buildings=1)
    return state, did(state, f"build H1 {card}")


def test_v55_the_fifth_building_ends_the_turn_after_its_power():
    _before, state = last_building()
    assert state.ender == 0 and state.power == "swap" and state.mover == 0
    state = did(state, "swap storage clay food")
    assert state.mover == 1 and state.left == 2


def test_v56_every_other_player_has_one_last_turn_and_the_card_stays():
    _before, state = last_building("N11")
    assert state.mover == 1, "with an action left"
    state = state.with_seat(1, buildings=1)
    state = did(state, "build H1b N3")
    assert state.ender == 0 and state.mover == 1 and state.left == 1
    state = did(state, "explore A1")
    assert not state.over and state.mover == 2
    state = did(state, "site C3", "site D1")
    assert state.over
    sheet = TURNS.score(state)
    ends = [
        line.points for own in sheet.players for line in own.lines if line.category == "end_card"
    ]
    assert ends == [2, 0, 0]
