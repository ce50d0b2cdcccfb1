"""Bonus cards of Ptolemaeus, T50 to T59: what each does, alone and with its planet studied."""

from dataclasses import replace
from typing import Any

import pytest

from scorer.ptolemaeus.edition import ZODIAC
from scorer.ptolemaeus.state import Play, State
from scorer.ptolemaeus.turns import TURNS
from tests.scorer.ptolemaeus_tables import (
    did,
    lines,
    table,
    why_not,
)


def holding(card: str, *hands: str, studied: str = "", **more: Any) -> State:
    return table(*hands, bonus=[card], studied=[studied] if studied else [], **more)


def test_t50_only_a_card_that_is_held_and_does_something() -> None:
    assert why_not(table(), "play nova_luna") == "T50"
    assert why_not(holding("nova_luna"), "play nova_luna") == "T50", "nobody has a piece"
    state = did(holding("sol_in_medio_caeli"), "play sol_in_medio_caeli")
    assert state.seats[0].bonus == () and state.played == ("sol_in_medio_caeli",)


def test_t51_nova_luna_replaces_a_piece() -> None:
    pieces = [{}, {"leo": 2, "aries": 1}]
    state = did(holding("nova_luna", pieces=pieces), "play nova_luna")
    assert lines(state, "swap") == {"swap aries yellow", "swap leo yellow"}
    assert why_not(state, "swap virgo yellow") == "T51" and why_not(state, "swap leo red") == "T51"
    state = did(state, "swap leo yellow")
    assert state.seats[0].on("leo") == 1 and state.seats[1].on("leo") == 1
    assert state.seats[1].reserve == 8 and not state.todo
    state = did(holding("nova_luna", pieces=pieces, studied="luna"), "play nova_luna")
    state = did(state, "swap leo yellow", "swap leo yellow")
    assert state.seats[0].on("leo") == 2 and not state.todo


def test_t51_t39_a_third_piece_by_nova_luna_studies() -> None:
    state = holding("nova_luna", pieces=[{"gemini": 2, "aries": 2}, {"gemini": 1, "aries": 1}])
    state = did(state, "play nova_luna")
    assert lines(state, "swap") == {"swap gemini yellow"}
    assert why_not(state, "swap aries yellow") == "T39"
    state = did(state, "swap gemini yellow", "study venus")
    assert state.seats[0].studied == ("venus",)


def test_t52_venus_takes_cards_sextants_too() -> None:
    state = did(holding("venus_retrograda"), "play venus_retrograda", "take sextant")
    assert state.seats[0].hand == ("sextant",) and not state.todo
    state = replace(holding("venus_retrograda", studied="venus"), open=("sextant",) * 2)
    state = did(state, "play venus_retrograda", "take sextant", "take sextant")
    assert state.seats[0].hand == ("sextant", "sextant") and state.actions == 1


@pytest.mark.parametrize(("studied", "left"), [("", 2), ("mars", 1)])
def test_t53_each_opponent_takes_back_pieces(studied: str, left: int) -> None:
    pieces = [{}, {"leo": 2, "aries": 1}, {"leo": 1}]
    state = holding("maleficus_mars", pieces=pieces, studied=studied, players=3)
    state = did(state, "play maleficus_mars")
    assert TURNS.decides(state) == 1 and lines(state, "lift") == {"lift leo", "lift aries"}
    state = did(state, *["lift leo"] * (3 - left))
    assert sum(state.seats[1].pieces) == left and TURNS.decides(state) == 2
    state = did(state, "lift leo")
    assert TURNS.decides(state) == 0 and not state.todo, "who has less gives what there is"


@pytest.mark.parametrize(("studied", "left"), [("", 2), ("saturnus", 1)])
def test_t54_each_opponent_discards(studied: str, left: int) -> None:
    state = holding("maleficus_saturnus", "leo", "leo aries aries", studied=studied)
    state = did(state, "play maleficus_saturnus")
    assert TURNS.decides(state) == 1 and why_not(state, "discard virgo") == "T26"
    state = did(state, *["discard aries"] * (3 - left))
    assert len(state.seats[1].hand) == left and state.seats[0].hand == ("leo",)


def test_t55_mercurius_moves_pieces_anywhere() -> None:
    state = holding("mercurius_retrogradus", pieces=[{"leo": 1, "aries": 2, "virgo": 1}])
    state = did(state, "play mercurius_retrogradus")
    assert why_not(state, "move leo aries") == "T39" and why_not(state, "move leo leo") == "T55"
    assert why_not(state, "move pisces leo") == "T55" and len(lines(state, "move")) == 31
    state = did(state, "move leo pisces")
    assert state.seats[0].on("pisces") == 1 and not state.todo
    state = holding("mercurius_retrogradus", pieces=[{"leo": 1, "gemini": 2}], studied="mercurius")
    state = did(state, "play mercurius_retrogradus", "move leo gemini", "study venus")
    assert not state.todo, "no piece is left to be moved"


@pytest.mark.parametrize(("studied", "more"), [("", 1), ("sol", 2)])
def test_t56_more_turns(studied: str, more: int) -> None:
    state = did(holding("sol_in_medio_caeli", studied=studied), "play sol_in_medio_caeli")
    for _ in range(more + 1):
        assert why_not(state, "end") == "T21"
        state = did(state, "take deck", "take deck")
    state = did(state, "end")
    assert state.mover == 1 and state.acted == 1, "the turn track stands still"


@pytest.mark.parametrize(("studied", "taken"), [("", 1), ("iupiter", 2)])
def test_t57_a_card_is_taken_unseen(studied: str, taken: int) -> None:
    state = holding("iupiter_orientalis", "", "leo leo virgo", "", studied=studied, players=3)
    state = did(state, "play iupiter_orientalis")
    assert lines(state, "rob") == {"rob yellow"} and why_not(state, "rob blue") == "T57"
    once = TURNS.after(state, TURNS.read_action("rob yellow"))
    assert {a.card: odds for a, odds in TURNS.outcomes(once)} == {
        "leo": pytest.approx(2 / 3),
        "virgo": pytest.approx(1 / 3),
    }
    state = did(state, *["rob yellow"] * taken)
    assert len(state.seats[0].hand) == taken and len(state.seats[1].hand) == 3 - taken
    assert not state.todo


def test_t58_nova_constellatio_is_kept() -> None:
    assert why_not(holding("nova_constellatio"), "play nova_constellatio") == "T58"


@pytest.mark.parametrize(
    ("card", "trine"),
    [
        ("signa_ignis", {"aries", "leo", "sagittarius"}),
        ("signa_terrae", {"taurus", "virgo", "capricornus"}),
        ("signa_aeris", {"gemini", "libra", "aquarius"}),
        ("signa_aquae", {"cancer", "scorpius", "pisces"}),
    ],
)
def test_t59_a_piece_of_a_signs_colour(card: str, trine: set[str]) -> None:
    state = did(holding(card), f"play {card}")
    assert lines(state, "place") == {f"place {at}" for at in trine}
    (other, *_others) = (at for at in ZODIAC if at not in trine)
    assert why_not(state, f"place {other}") == "T59"
    at = min(trine)
    state = did(state, f"place {at}")
    assert state.seats[0].on(at) == 1 and state.seats[0].hand == () and not state.todo


def test_t59_t39_a_third_piece_by_a_sign() -> None:
    state = did(holding("signa_ignis", pieces=[{"leo": 2}]), "play signa_ignis")
    assert why_not(state, "place leo") == "T39"
    taken = did(holding("signa_aquae", pieces=[{"cancer": 2}]), "play signa_aquae", "place cancer")
    assert why_not(taken, "study sol") == ""


def test_a_hidden_bonus_card_does_nothing_that_is_known() -> None:
    card = "sol_in_medio_caeli"
    seen = TURNS.seen_by(table("leo", bonus=(card, card, "maleficus_mars")), None)
    (_play, end), *_more = TURNS.rest_of_turn(seen, [Play(card)])
    assert len(end.seats[0].bonus) < 3 and TURNS.score(end) == TURNS.score(seen)
