"""The computer player of Ptolemaeus: legal, repeatable, by what its seat knows, and strong."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorer.ptolemaeus.advice import ADVISOR, APPRENTICE, ASTRONOMER
from scorer.ptolemaeus.edition import PLANETS, STANDARD
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.ptolemaeus.state import Claim, End, Observe, Pay, Play, State, Take, Task, Trade
from scorer.ptolemaeus.turns import TURNS
from scorer.sentence import LANGUAGES
from tests.conftest import in_full
from tests.scorer.ptolemaeus_tables import did, played_at_random, table


@pytest.mark.parametrize("strength", [APPRENTICE, ASTRONOMER])
def test_it_acts_legally_and_by_what_its_seat_knows(strength: str) -> None:
    for number, (state, _action) in enumerate(played_at_random(3, 2)):
        seat = TURNS.decides(state)
        if seat is None or number % 5:
            continue
        advice = ADVISOR.choose(state, strength, seed=4)
        assert advice.action in TURNS.actions(state)
        assert advice == ADVISOR.choose(TURNS.seen_by(state, seat), strength, seed=4)
        assert all(advice.reason.in_language(one) for one in LANGUAGES)  # type: ignore[union-attr]
        own = advice.own_reason
        assert all(own.in_language(one) for one in LANGUAGES)  # type: ignore[union-attr]


def test_a_reason_fits_what_is_asked() -> None:
    def said(state: State) -> str:
        return str(ADVISOR.choose(state, ASTRONOMER).own_reason)

    paid = did(table("gemini libra aquarius"), "observe constellation gemini")
    assert said(paid) == "of the cards in hand these will pay for the least later"
    assert said(table()).startswith("cards are worth more now")
    assert said(did(table(), "take deck")).startswith("the second of two cards: ")
    gift = replace(table(), todo=(Task("take"),))
    assert said(gift).startswith("a card for nothing: ")


def test_only_the_holder_of_a_hand_sees_what_a_taken_card_pays_for() -> None:
    state = replace(table(), planets=("leo",) * 7, comet="aries")
    own = str(ADVISOR.reason(state, Take("leo")))
    then = "with this one you can observe Leo; after that: 1 piece on Leo"
    assert f"{then} (2 more there study a planet: " in own
    seen = TURNS.seen_by(state.with_seat(0, hand=("aries",)), None)
    assert (
        "this one alone pays for a piece on leo" in str(ADVISOR.reason(seen, Take("leo"))).lower()
    )


def test_it_keeps_a_card_that_need_not_be_paid() -> None:
    state = did(table("gemini libra aquarius"), "observe constellation gemini")
    assert ADVISOR.choose(state, ASTRONOMER).action == Pay("gemini", ("gemini",))


def test_it_studies_with_the_third_piece_and_claims_twelve_points() -> None:
    state = table("cancer", pieces=[{"cancer": 2}])  # Sol is a planet of the secret objective
    chosen = ADVISOR.choose(state, ASTRONOMER).action
    assert TURNS.write_action(chosen) == "observe constellation cancer"
    won = table(studied=["luna", "mercurius", "sol", "venus", "mars", "iupiter"])
    won = won.with_seat(0, bonus=("nova_constellatio",))
    assert ADVISOR.choose(won, APPRENTICE).action == Claim()


def test_nobody_decides_while_something_is_drawn() -> None:
    with pytest.raises(ValueError, match="nobody decides"):
        ADVISOR.choose(TURNS.start({"players": 2}), ASTRONOMER)
    with pytest.raises(KeyError):
        ADVISOR.choose(table(), "ptolemaeus")


@pytest.mark.parametrize("strength", in_full((APPRENTICE, ASTRONOMER), APPRENTICE))
def test_it_beats_whoever_plays_at_random(strength: str) -> None:
    records = PTOLEMAEUS.records
    games = [records.simulate(2, [strength, "random"], 1, n, {}) for n in range(6)]
    assert sum(one["final"]["ranking"][0] == ["P1"] for one in games) >= 5


def test_a_free_action_is_no_alternative_to_the_main_action() -> None:
    state = table("leo leo leo", bonus=["signa_ignis"])
    assert Play("signa_ignis") in TURNS.actions(state)
    advice = ADVISOR.choose(state, ASTRONOMER)
    kinds = [type(advice.action), *(type(one.action) for one in advice.others)]
    assert kinds == [Take, Take, Observe]
    done = replace(table().with_seat(0, asteroids=2), acting=True, actions=0)
    freely = ADVISOR.choose(done, ASTRONOMER)
    assert {freely.action, *(one.action for one in freely.others)} == {Trade(), End()}


def test_what_an_observation_brings_is_what_lies_there_then() -> None:
    said = str(ADVISOR.reason(table(pieces=[{"leo": 1}]), Observe("constellation", "leo")))
    assert said.startswith("after that: 2 pieces on Leo")
    both = table("leo leo", pieces=[{"leo": 1}], venus="leo", mars="leo")
    said = str(ADVISOR.reason(both, Observe("conjunction", "leo")))
    assert said.startswith("conjunction, 2 pieces: that makes the third piece on Leo (it studies")


def test_only_the_player_sees_which_cards_pay_best_for_an_observation() -> None:
    both = Observe("conjunction", "leo")
    state = table("leo aries aries gemini", venus="leo", mars="leo")
    own, seen = (str(ADVISOR.reason(one, both)) for one in (state, TURNS.seen_by(state, None)))
    assert own == f"{seen}; pay with Leo and 2 × Aries"
    assert "pay with" not in str(ADVISOR.brings(state, both))
    third = table("leo aries aries", pieces=[{"leo": 2}], venus="leo", mars="leo")
    assert "pay with" not in str(ADVISOR.reason(third, both)), "a study comes between"


def test_the_next_best_are_the_best_of_the_same_kind_and_of_another() -> None:
    for state in (table("leo leo aries", venus="leo"), table(), table("cancer cancer")):
        advice = ADVISOR.choose(state, ASTRONOMER)
        actions = TURNS.actions(state)
        kinds = [type(one.action) is type(advice.action) for one in advice.others[:2]]
        assert len({*kinds}) == len(kinds) > 0 and all(one.less >= 0 for one in advice.others)
        assert all(one.action in actions and one.action != advice.action for one in advice.others)
        assert len({type(one.action) for one in advice.others}) >= len(advice.others) - 1
        least = [one.less for one in advice.others[:2]]
        assert least == sorted(least)
        assert not any("nothing that can be observed" in str(one.brings) for one in advice.others)


def test_pieces_are_not_promised_a_study_that_the_end_of_the_round_prevents() -> None:
    last = {"round": 2, "acted": 5, "first": 1}

    def said(pieces: Mapping[str, int] | None = None, **sky: Any) -> str:
        state = replace(table("leo", pieces=[pieces or {}]), **{**last, **sky})
        return str(ADVISOR.reason(state, Observe("constellation", "leo")))

    others = [one for one in PLANETS if one not in STANDARD.events["E1"]]
    stays, leaves = others[0], STANDARD.events["E1"][0]

    def sky(**at: str) -> tuple[str, ...]:
        return tuple(at.get(one, "aries") for one in PLANETS)

    assert f"(2 more there study a planet: {stays.title()})" in said(planets=sky(**{stays: "leo"}))
    gone = said(planets=sky(**{leaves: "leo"}))
    assert f"(gone after this round: {leaves.title()})" in gone
    assert "2 more there" in said(planets=sky(**{leaves: "leo"}), acted=0, first=0), "two turns"
    swept = said(planets=sky(**{stays: "taurus", leaves: "leo"}), comet="cancer")
    assert "(the comet takes it after this round)" in swept
    late = said(planets=sky(**{stays: "leo"}), travelled=11)
    assert "game ends" in late and "no points from that now, but it may decide a tie" in late
    studies = said(planets=sky(**{stays: "leo"}), pieces={"leo": 2}, travelled=11)
    assert "decide a tie" not in gone + studies
    two = said(planets=sky(**{leaves: "leo"}), pieces={"leo": 1, "aries": 2})
    assert "with 2 elsewhere they study: Luna" in two
    other = others[1]
    both = said(planets=sky(**{leaves: "leo", other: "virgo"}), pieces={"leo": 1, "virgo": 2})
    assert f"2 pieces on Virgo (or instead they study: {other.title()})" in both
