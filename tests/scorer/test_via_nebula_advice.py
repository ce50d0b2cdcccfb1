"""The computer players of Via Nebula: legal, blind to other hands, one better than the other."""

from dataclasses import replace
from random import Random

import pytest

from scorer.sentence import LANGUAGES
from scorer.via_nebula.advice import ADVISOR, JOURNEYMAN, MASTER, STRONG, worth
from scorer.via_nebula.board import Exploitation
from scorer.via_nebula.game import VIA_NEBULA
from scorer.via_nebula.state import Build, Carry, Craftsman, Explore, Site, State
from scorer.via_nebula.turns import TURNS
from tests.conftest import in_full
from tests.scorer.via_nebula_tables import played_at_random, site, table


@pytest.mark.parametrize("strength", [JOURNEYMAN, MASTER])
def test_it_knows_no_more_than_its_player(strength: str) -> None:
    for state, _action in played_at_random(3, 5)[::7]:
        seat = TURNS.decides(state)
        if seat is None:
            continue
        advice = ADVISOR.choose(state, strength, seed=4)
        assert advice.action in TURNS.actions(state)
        assert advice == ADVISOR.choose(TURNS.seen_by(state, seat), strength, seed=4)
        assert all(advice.reason.in_language(one) for one in LANGUAGES)  # type: ignore[union-attr]


def test_it_says_where_nobody_decides_and_what_it_does_not_know() -> None:
    start = TURNS.start({"players": 2})
    with pytest.raises(ValueError, match="nobody"):
        ADVISOR.choose(start, MASTER)
    with pytest.raises(KeyError):
        ADVISOR.choose(TURNS.dealt(start, Random(1)), "grandmaster")


def test_a_contract_that_is_complete_is_built() -> None:
    state = table(ruins={"H1": (site("blue", wood=1, stone=1),)})
    advice = ADVISOR.choose(state, MASTER)
    assert advice.action == Build("H1", "N1") and advice.places
    assert str(advice.reason).startswith("everything it needs lies there; while it lies face up")


def test_what_can_be_built_is_built_before_more_is_carried() -> None:
    """A face-up contract may be gone after the next player's turn."""
    held = {"H1": (site("blue", wood=1, stone=1),), "A4": (site("blue", wood=1),)}
    state = table(2, {}, {"A2": ("stone", 2, "")}, held, tiles="A3 A5", open="N1 N10 N20 N33")
    state = state.with_seat(0, hand=())
    assert Carry("A2", "A4") in TURNS.actions(state)
    assert ADVISOR.choose(state, MASTER).action == Build("H1", "N1")


def stone_in_reach_of_a_site(contracts: str, **holds: int) -> State:
    """Stone on A2 that blue may carry to a site on A4, with no contract in hand."""
    exploitations, ruins = {"A2": ("stone", 2, "red")}, {"A4": (site("blue", **holds),)}
    state = table(4, {}, exploitations, ruins, tiles="A3 A5", open=contracts)
    return state.with_seat(0, hand=())


def test_a_reason_names_the_contract_and_what_is_lacking_then() -> None:
    state = stone_in_reach_of_a_site("N1 N10 N20 N33", wood=1)
    said = str(ADVISOR.reason(state, Carry("A2", "A4")))
    assert said.startswith("the wood and stone contract, ") and "lacks nothing but stone" in said
    longer = replace(state, open=("N13",))
    said = str(ADVISOR.reason(longer, Carry("A2", "A4")))
    assert "lacks stone on A4; then only" in said
    assert said.endswith("food, which cannot be carried there yet")
    lie = {**state.pieces.exploitations, "A5": Exploitation("food", 1)}
    near = replace(longer, pieces=replace(state.pieces, exploitations=lie))
    said = str(ADVISOR.reason(near, Carry("A2", "A4")))
    assert said.endswith("then only food, a carry each, and an action to build")


def test_a_site_is_not_said_to_get_what_is_not_there() -> None:
    state = table(4, {}, {"A2": ("stone", 1, "red")}, tiles="A3 A5", open="N1").with_seat(
        0, hand=()
    )
    said = str(ADVISOR.reason(state, Site("A4")))
    assert said.startswith("the wood and stone contract, ")
    assert said.endswith("stone can be carried to a site on A4 already; out of reach as yet: wood")
    lie = {**state.pieces.exploitations, "A5": Exploitation("wood", 1)}
    both = replace(state, pieces=replace(state.pieces, exploitations=lie))
    assert "all of it can be carried" in str(ADVISOR.reason(both, Site("A4")))
    twice = replace(both, open=("N21",))
    assert "already; out of reach as yet: wood" in str(ADVISOR.reason(twice, Site("A4")))
    nothing = replace(state, pieces=replace(state.pieces, exploitations={}))
    assert str(ADVISOR.reason(nothing, Site("A4"))).endswith("out of reach as yet: wood and stone")


def test_a_carry_is_for_a_contract_that_no_other_site_serves_better() -> None:
    state = stone_in_reach_of_a_site("N13 N33")
    elsewhere = {**state.pieces.ruins, "H1": (site("blue", wood=1, stone=1),)}
    both = replace(state, pieces=replace(state.pieces, ruins=elsewhere))
    alone, said = (str(ADVISOR.reason(one, Carry("A2", "A4"))) for one in (state, both))
    assert alone.startswith("the wood, stone and food contract")
    assert not said.startswith("the wood, stone and food contract")


@pytest.mark.parametrize("left", [2, 1])
def test_a_reason_is_about_the_sites_and_hand_of_who_acts(left: int) -> None:
    """The last action of a turn makes another player the one to move."""
    state = stone_in_reach_of_a_site("N1 N10 N20 N33", wood=1)
    state = replace(state, left=left)
    assert "lacks nothing but stone on A4" in str(ADVISOR.reason(state, Carry("A2", "A4")))
    way = replace(state, open=(), pieces=replace(state.pieces, tiles=frozenset({"A5"})))
    way = way.with_seat(0, hand=("X1",))
    said = str(ADVISOR.reason(way, Explore("A3")))
    assert said.startswith("this opens the way for stone to A4: a contract in hand")


def test_what_no_contract_lacks_is_not_said_to_be_lacking() -> None:
    state = stone_in_reach_of_a_site("N1", stone=1)
    said = str(ADVISOR.reason(state, Carry("A2", "A4")))
    assert said.startswith("no contract face up lacks stone on A4")


def test_a_contract_in_hand_is_not_named() -> None:
    state = table(
        exploitations={"A2": ("stone", 2, "")}, ruins={"A4": (site("blue"),)}, tiles="A3 A5"
    )
    state = replace(state, open=())
    hidden = TURNS.seen_by(state, None)
    for one, said in ((state, "a contract in hand"), (hidden, "one in hand may")):
        assert said in str(ADVISOR.reason(one, Carry("A2", "A4")))


def test_a_hint_at_something_else_names_the_carry_that_completes_a_contract() -> None:
    """Of several the one of most points; a hint at a building or that carry goes without."""
    state = stone_in_reach_of_a_site("N1 N10 N20 N33", wood=1)
    other, carry = Explore("B3"), Carry("A2", "A4")
    assert other in TURNS.actions(state)
    told = "; or stone carried from A2 to A4 completes the wood and stone contract, 4 points"
    assert str(ADVISOR.reason(state, other)).endswith(told)
    assert "completes" not in str(ADVISOR.brings(state, other)) + str(ADVISOR.reason(state, carry))
    assert "completes" not in str(ADVISOR.reason(replace(state, ender=1), other)), "too late"


def test_a_tile_that_opens_one_way_and_shortens_another_is_said_to_open() -> None:
    lie, ruins = {"A2": ("stone", 2, ""), "A6": ("food", 2, "")}, {"A4": (site("blue", wood=1),)}
    state = table(2, {}, lie, ruins, open="N13").with_seat(0, hand=())
    said = str(ADVISOR.reason(state, Explore("A3")))
    assert said.startswith("this opens the way for stone to A4: the wood, stone and food contract")
    wide = table(2, {}, {"B1": ("stone", 2, "")}, ruins, tiles="", open="N1").with_seat(0, hand=())
    said = str(ADVISOR.reason(wide, Explore("A3")))
    assert said.startswith("this is a step on the way for stone to A4, which then takes about ")


def test_the_second_tile_of_a_turn_that_empties_a_pile_is_named() -> None:
    """The first alone brings nothing, though the points are promised for the turn."""
    lie, ruins = {"D5": ("stone", 2, "")}, {"C3": (site("blue", wood=1),)}
    state = table(2, {}, lie, ruins, open="N1 N10 N20 N33").with_seat(0, hand=())
    state = state.with_seat(0, piles=(0, 2, 5, 5))
    said = str(ADVISOR.reason(state, Explore("D4")))
    why, second = said.split("; only a second tile in this turn, such as on ")
    at, empties = second.split(", ")
    assert (
        why.startswith("this opens the way for stone") and empties == "empties the pile: 2 points"
    )
    after = TURNS.after(state, Explore("D4"))
    assert Explore(at) in TURNS.actions(after), "it is possible"
    assert TURNS.score(after).players[0].total == TURNS.score(state).players[0].total
    for other in (replace(state, left=1), state.with_seat(0, piles=(0, 3, 5, 5))):
        assert "second tile" not in str(ADVISOR.reason(other, Explore("D4")))
    last = state.with_seat(0, piles=(0, 1, 5, 5))
    assert "second tile" not in str(ADVISOR.reason(last, Explore("D4")))


def test_the_ways_to_all_that_a_site_lacks_are_counted_together() -> None:
    """It told the longest way, 2, where three spaces bar wood, stone and wheat together."""
    lie = {"D5": ("wood", 1, ""), "F1": ("stone", 1, ""), "D7": ("wheat", 1, "")}
    lie["E3"] = ("clay", 1, "")
    tiles = "D2 D3 C4 B5 C7"
    state = table(2, {"B6": "stone-1"}, lie, tiles=tiles, open="N29").with_seat(
        0, hand=(), craftsmen=0
    )
    said = str(ADVISOR.reason(state, Site("D1")))
    assert "clay can be carried to a site on D1 already" in said
    assert said.endswith("opening the ways for the rest takes about 3 actions in all")
    opened = replace(state, pieces=replace(state.pieces, tiles=frozenset({*tiles.split(), "D4"})))
    assert str(ADVISOR.reason(opened, Site("D1"))).endswith("about 2 actions in all")


def test_a_token_is_advised_for_contracts_in_hand_too() -> None:
    state = table(2, {"A2": "wood-3"}, open="N1 N29 N7 N8").with_seat(0, hand=("X1", "X3", "X5"))
    assert str(ADVISOR.reason(state, Craftsman("A2"))).endswith("need it, 2 in hand")
    state = state.with_seat(0, hand=("X3",))
    assert str(ADVISOR.reason(state, Craftsman("A2"))).endswith("need it")


def test_what_opens_a_way_says_whom_else_it_serves() -> None:
    lie = {"A2": ("stone", 2, "")}
    state = table(2, {}, lie, {"A4": (site("blue"), site("black"))}, open="N1")
    said = str(ADVISOR.reason(state, Explore("A3")))
    assert said.startswith("this opens the way for stone to A4") and said.endswith("black as well")
    alone = table(2, {}, lie, {"A4": (site("blue"),)}, open="N1")
    assert "as well" not in str(ADVISOR.reason(alone, Explore("A3")))


def test_in_the_last_action_of_the_game_only_what_counts_then_is_worth_anything() -> None:
    """A nearly complete contract promised more than the one that could be built."""
    held = {"H1": (site("blue", wood=1, stone=1),), "C3": (site("blue", wood=2, clay=1),)}
    last = replace(table(2, tokens={}, ruins=held), ender=1, left=1)
    assert isinstance(ADVISOR.choose(last, MASTER).action, Build)
    kept = sum(sum(one.holds.values()) for _at, one in last.pieces.elements())
    assert worth(last, 0, STRONG, is_last=True) == -kept, "storage (V62)"
    assert worth(last, 0, STRONG) > -kept


@pytest.mark.parametrize("left", [1, 2])
def test_a_last_turn_that_brings_nothing_promises_nothing(left: int) -> None:
    """It advised a site for a contract that could not be built any more."""
    last = replace(table(2, {}, {"A2": ("stone", 2, "")}), ender=1, left=left)
    advice = ADVISOR.choose(last, MASTER)
    assert "nothing brings points any more" in str(advice.reason)
    built = replace(table(2, {}, {}, {"H1": (site("blue", wood=2, stone=1),)}), ender=1, left=left)
    assert "any more" not in str(ADVISOR.choose(built, MASTER).reason)


def test_the_end_is_not_put_off_for_what_it_makes_worthless() -> None:
    """Who takes the end card leaves other sites unfinished, but so do the others."""
    held = {
        "H1": (site("blue", wood=1, stone=1, food=1),),
        "C3": (site("blue", stone=1, clay=1, wheat=1),),
        "C6": (site("blue", wood=1, clay=1, food=1),),
    }
    near = table(2, tokens={}, ruins=held, open="N13 N33 N32 N40").with_seat(0, buildings=1)
    assert ADVISOR.choose(near, MASTER).action == Build("H1", "N13")


@pytest.mark.parametrize(("left", "is_first"), [(1, True), (2, False)])
def test_what_gains_comes_before_the_building_that_ends_the_turn(left: int, is_first: bool) -> None:
    """The last tile of a pile brings its explorer; the fifth building would leave no action."""
    held = {"H1": (site("blue", wood=1, stone=1),)}
    state = table(2, tokens={}, ruins=held).with_seat(0, buildings=1, piles=(0, left, 5, 5))
    first = ADVISOR.choose(state, MASTER)
    if not is_first:
        assert first.action == Build("H1", "N1"), "a tile that brings nothing only delays it"
        return
    assert isinstance(first.action, Explore)
    assert str(first.reason).endswith("; then the fifth building on H1, which ends the turn")
    after = TURNS.after(state, first.action)
    assert ADVISOR.choose(after, MASTER).action == Build("H1", "N1")
    second = replace(state, left=1)
    assert ADVISOR.choose(second, MASTER).action == Build("H1", "N1"), "nothing can follow"


def test_the_master_carries_what_a_contract_lacks() -> None:
    state = table(
        exploitations={"A2": ("stone", 2, ""), "A6": ("food", 2, "")},
        ruins={"A4": (site("blue", wood=1),)},
        tiles="A3 A5",
        open="N1 N10 N20 N33",
    ).with_seat(0, hand=())
    action = ADVISOR.choose(state, MASTER).action
    assert TURNS.write_action(action) == "carry A2 A4"


@pytest.mark.parametrize(
    ("strong", "weak"),
    in_full([(MASTER, JOURNEYMAN), (JOURNEYMAN, "random")], (JOURNEYMAN, "random")),
)
def test_the_stronger_wins(strong: str, weak: str) -> None:
    seats = [(strong, weak) if seed % 2 else (weak, strong) for seed in range(6)]
    games = [VIA_NEBULA.records.simulate(2, own, 1, n, {}) for n, own in enumerate(seats)]
    first = [[f"P{1 + own.index(strong)}"] for own in seats]
    won = [one["final"]["ranking"][0] for one in games]
    assert sum(a == b for a, b in zip(won, first, strict=True)) >= 5, won
