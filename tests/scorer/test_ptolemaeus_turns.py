"""The course of a game of Ptolemaeus, rule by rule; tests name the rules that they hold."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from scorer.ptolemaeus.edition import COMET, ECLIPSIS, PLANETS, STANDARD, ZODIAC
from scorer.ptolemaeus.effects import rounds_left, turns_left
from scorer.ptolemaeus.state import Draw, State, Task, Travel
from scorer.ptolemaeus.turns import TURNS
from tests.conftest import in_full
from tests.scorer.ptolemaeus_tables import (
    did,
    everything,
    lines,
    played_at_random,
    settled,
    table,
    why_not,
)


def test_t11_to_t18_the_setup() -> None:
    state = settled(TURNS.start({"players": 3, "date": "1969-07-20"}))
    assert state.comet == state.start == "aries" and state.planets[0] == "libra"
    assert state.asteroids == ZODIAC and state.first == state.mover == 0
    for seat in state.seats:
        assert seat.reserve == 10 and len(seat.hand) == 2 and seat.secret in STANDARD.secrets
    assert len({seat.secret for seat in state.seats}) == 3
    assert len(state.open) == 6 and state.event in STANDARD.events


def test_t17_eclipsis_is_never_the_first_event() -> None:
    state = TURNS.start({"players": 1})
    while state.todo[0].kind != "event":
        state = TURNS.after(state, TURNS.outcomes(state)[0][0])
    assert {action.card for action, _ in TURNS.outcomes(state)} == {*STANDARD.events}
    assert ECLIPSIS in settled(state).events


def test_t20_three_turns_of_the_table_then_the_round_ends() -> None:
    state = table(players=3)
    order = []
    for _ in range(9):
        order.append(state.mover)
        state = did(state, "take deck", "take deck", "end")
    assert order == [0, 1, 2] * 3 and state.round == 2
    assert state.first == state.mover == 1, "T66: the astrolabe goes to the next"


def test_t21_one_action_a_turn() -> None:
    state = table()
    assert why_not(state, "end") == "T21"
    state = did(state, "take deck")
    assert why_not(state, "end") == "T21", "the second card is still to be taken"
    state = did(state, "take deck")
    assert why_not(state, "take deck") == "T21" and why_not(state, "end") == ""
    assert why_not(state, "observe constellation leo") == "T21"


def test_t22_an_open_card_is_replaced_at_once() -> None:
    state = table()
    assert why_not(state, "take leo") == "T22"
    state = TURNS.after(state, TURNS.read_action("take virgo"))
    assert state.todo[0].kind == "reveal" and len(state.open) == 5
    state = settled(state)
    assert len(state.open) == 6 and state.seats[0].hand == ("virgo",)


def test_t23_an_open_sextant_is_the_only_card() -> None:
    alone = did(table(), "take sextant")
    assert why_not(alone, "take deck") == "T21" and why_not(alone, "end") == ""
    second = did(table(), "take virgo")
    assert "sextant" in second.open and why_not(second, "take sextant") == "T23"


def test_t23_a_sextant_from_the_deck_is_any_card() -> None:
    state = TURNS.after(table(), TURNS.read_action("take deck"))
    state = TURNS.after(state, Draw("sextant"))
    assert why_not(state, "take deck") == ""


def test_t24_five_of_a_colour_are_swept_away() -> None:
    state = replace(table(), open=("aries", "leo", "aries", "leo", "sextant", "virgo"))
    state = TURNS.after(state, TURNS.read_action("take virgo"))
    crowded = TURNS.after(state, TURNS.read_action("reveal aries"))
    assert crowded.open == () and len(crowded.discarded) == 6
    assert [task.kind for task in crowded.todo[:6]] == ["reveal"] * 6
    assert len(TURNS.after(state, TURNS.read_action("reveal sextant")).open) == 6
    assert len(settled(crowded).open) == 6


def test_t24_ends_where_there_is_nothing_else_to_turn() -> None:
    state = table()
    state = replace(state, open=("aries",) * 5, deck=("leo",) * 4, discarded=())
    assert len(settled(replace(state, todo=(Task("reveal"),))).open) == 6


def test_t25_an_empty_deck_is_made_of_the_discard_pile() -> None:
    state = replace(table(), deck=(), discarded=("leo", "leo", "pisces"))
    state = TURNS.after(state, TURNS.read_action("take deck"))
    assert {action.card for action, _ in TURNS.outcomes(state)} == {"leo", "pisces"}
    state = TURNS.after(state, Draw("leo"))
    assert state.deck == ("leo", "pisces") and state.discarded == ()
    assert why_not(replace(table(), deck=(), discarded=()), "take deck") == "T25"


def test_t21_who_cannot_do_any_action_may_end_the_turn() -> None:
    state = replace(table(), deck=(), discarded=(), open=())
    assert why_not(state, "end") == ""


def test_t26_hands_and_objectives_are_hidden() -> None:
    state = settled(TURNS.start({"players": 2}))
    seen = TURNS.seen_by(state, 0)
    assert seen.seats[0] == state.seats[0]
    assert seen.seats[1].hand == ("?", "?") and seen.seats[1].secret == "?"
    assert {*seen.deck} == {"?"} == {*seen.bonus_deck}
    imagined = TURNS.imagined(seen, Random(1))
    assert everything(imagined) == everything(state)
    cards = (*imagined.deck, *imagined.open, *(c for seat in imagined.seats for c in seat.hand))
    assert Counter(cards) == Counter(STANDARD.deck)


# observing


def test_t27_a_constellation_with_a_body_is_observed() -> None:
    state = table("gemini aries leo")
    assert why_not(state, "observe constellation leo") == "T27"
    assert why_not(state, "observe constellation gemini") == ""
    assert why_not(state, "observe constellation aries") == "", "the comet is there"
    state = did(state, "observe constellation gemini")
    assert lines(state, "pay") == {"pay gemini gemini"}
    state = did(state, "pay gemini gemini")
    assert state.seats[0].on("gemini") == 1 and state.discarded == ("gemini",)
    assert state.seats[0].hand == ("aries", "leo"), "T31: nothing beyond the payment"


def test_t28_a_payment_that_is_none() -> None:
    state = did(table("gemini gemini aries"), "observe constellation gemini")
    assert why_not(state, "pay gemini aries") == "T28"
    assert why_not(state, "pay gemini libra") == "T26"
    assert why_not(state, "pay cancer gemini") == "T32"
    assert why_not(table("leo"), "observe constellation gemini") == "T28"


@pytest.mark.parametrize(
    ("hand", "line", "would"),
    [
        ("leo taurus", "observe constellation sagittarius", "Sagittarius, a sextant or any of"),
        ("taurus", "observe constellation sagittarius", "2 more of one colour (red, green)"),
        (
            "",
            "observe conjunction cancer",
            "these would: 2 × Cancer; or 4 more of one colour (blue)",
        ),
    ],
)
def test_t28_what_would_pay_is_reported(hand: str, line: str, would: str) -> None:
    broken = TURNS.illegal(table(hand), TURNS.read_action(line))
    assert broken is not None and broken.kind == "T28" and would in str(broken.reason)


def test_t28_hidden_cards_may_pay_unless_they_are_too_few() -> None:
    state = TURNS.seen_by(table("leo"), None)
    assert TURNS.illegal(state, TURNS.read_action("observe constellation gemini")) is None
    broken = TURNS.illegal(state, TURNS.read_action("observe conjunction cancer"))
    assert broken is not None and str(broken.reason) == "that takes 2 cards at least"


def test_a_step_without_a_choice_is_done_by_itself() -> None:
    state = did(table("gemini gemini leo"), "observe constellation gemini")
    assert TURNS.by_itself(state) == TURNS.read_action("pay gemini gemini")
    assert len(TURNS.actions(state)) > 1, "a card more could be paid for nothing"
    state = did(table("leo aries aries"), "observe constellation sagittarius")
    assert TURNS.by_itself(state) is None, "two ways to pay"
    assert TURNS.by_itself(table("leo")) is None, "a turn begins"
    state = replace(table(""), todo=(Task("place", 0, ("leo",)),))
    assert len(TURNS.actions(state)) == 1 and TURNS.by_itself(state) is None, "a hand places it"


def test_t32_a_configuration_is_whole_or_nothing() -> None:
    assert why_not(table("gemini leo"), "observe opposition gemini") == "T28"
    state = did(table("gemini sagittarius"), "observe opposition gemini")
    assert lines(state, "pay") == {"pay gemini gemini", "pay sagittarius sagittarius"}
    state = did(state, "pay sagittarius sagittarius")
    assert why_not(state, "end") == "T21"
    state = did(state, "pay gemini gemini")
    assert [state.seats[0].on(at) for at in ("gemini", "sagittarius")] == [1, 1]


def test_t32_no_card_is_spent_that_the_rest_needs() -> None:
    state = did(table("gemini libra aquarius sagittarius"), "observe opposition gemini")
    assert why_not(state, "pay gemini libra aquarius") == ""
    state = did(table("gemini sextant"), "observe opposition gemini")
    assert lines(state, "pay") == {"pay gemini gemini", "pay sagittarius sextant"}
    assert why_not(state, "pay gemini sextant") == "T32"


@pytest.mark.parametrize(
    ("what", "rule"), [("conjunction", "T33"), ("opposition", "T34"), ("square", "T36")]
)
def test_t33_to_t36_what_does_not_stand_so(what: str, rule: str) -> None:
    assert why_not(table("leo leo leo"), f"observe {what} taurus") == rule


def test_t35_a_trine_is_named_by_its_first_constellation() -> None:
    state = table("aries leo sagittarius", sol="leo")
    assert why_not(state, "observe trine leo") == "T32"
    state = did(state, "observe trine aries", "pay leo leo", "pay aries aries")
    state = did(state, "pay sagittarius sagittarius")
    assert [state.seats[0].on(at) for at in ("aries", "leo", "sagittarius")] == [1, 1, 1]
    assert why_not(table("aries leo sagittarius"), "observe trine aries") == "T35"


def test_t33_two_pieces_and_two_payments() -> None:
    assert why_not(table("cancer"), "observe conjunction cancer") == "T28"
    state = did(table("cancer cancer"), "observe conjunction cancer", "pay cancer cancer")
    state = did(state, "pay cancer cancer")
    assert state.seats[0].on("cancer") == 2 and state.seats[0].studied == ()


# the empty reserve, and the third piece


SPREAD = {"aries": 2, "taurus": 2, "virgo": 2, "leo": 2, "pisces": 2}


def test_t38_with_an_empty_reserve_a_piece_comes_from_the_sky() -> None:
    state = did(table("gemini", pieces=[SPREAD]), "observe constellation gemini")
    state = did(state, "pay gemini gemini")
    assert lines(state, "lift") == {f"lift {at}" for at in SPREAD}
    assert why_not(state, "lift gemini") == "T38"
    state = did(state, "lift leo")
    assert state.seats[0].on("gemini") == 1 and state.seats[0].on("leo") == 1
    assert why_not(state, "end") == ""


def test_t38_not_from_where_it_is_put() -> None:
    pieces = {**SPREAD, "gemini": 1, "pisces": 1}
    state = did(table("gemini", pieces=[pieces]), "observe constellation gemini")
    state = did(state, "pay gemini gemini")
    assert "lift gemini" not in lines(state, "lift") and why_not(state, "lift gemini") == "T38"


def test_t38_the_reserve_runs_out_halfway() -> None:
    pieces = {**SPREAD, "pisces": 1}
    state = did(table("gemini sagittarius", pieces=[pieces]), "observe opposition gemini")
    state = did(state, "pay gemini gemini", "pay sagittarius sagittarius")
    assert state.todo[0].kind == "lift"
    assert lines(state, "lift").isdisjoint({"lift gemini", "lift sagittarius"})


def test_t39_a_third_piece_needs_a_planet_to_study() -> None:
    pieces = [{"aries": 2, "gemini": 2}]
    state = table("aries gemini", pieces=pieces)
    assert why_not(state, "observe constellation aries") == "T39", "never on the comet's"
    assert why_not(state, "observe constellation gemini") == ""
    studied = table("gemini", pieces=pieces, studied=["venus"])
    assert why_not(studied, "observe constellation gemini") == "T39"
    assert why_not(table("aries libra", pieces=pieces), "observe opposition aries") == "T39"


def test_t42_the_third_piece_studies_a_planet_of_choice() -> None:
    state = did(table("cancer", pieces=[{"cancer": 2}]), "observe constellation cancer")
    state = did(state, "pay cancer cancer")
    assert lines(state, "study") == {"study mercurius", "study sol"}
    assert why_not(state, "study luna") == "T42" and why_not(state, "end") == "T21"
    assert why_not(state, "study sol leo leo") == "T42"
    state = did(state, "study sol")
    own = state.seats[0]
    assert (own.studied, own.on("cancer"), own.reserve) == (("sol",), 0, 9)
    assert own.asteroids == 1 and len(own.bonus) == 1 and "cancer" not in state.asteroids, "T46"


def test_t44_two_pieces_there_already() -> None:
    state = did(table("cancer cancer", pieces=[{"cancer": 2}]), "observe conjunction cancer")
    state = did(state, "pay cancer cancer", "study sol", "pay cancer cancer")
    assert state.seats[0].on("cancer") == 1 and state.seats[0].studied == ("sol",)


def test_t44_one_piece_there_already() -> None:
    hand, there = "cancer cancer", [{"cancer": 1}]
    state = did(table(hand, pieces=there), "observe conjunction cancer", "pay cancer cancer")
    state = did(state, "pay cancer cancer", "study mercurius")
    assert state.seats[0].on("cancer") == 0 and state.seats[0].reserve == 9
    both = table(hand, pieces=there, studied=["sol", "mercurius"])
    assert why_not(both, "observe conjunction cancer") == "T39"


def test_t44_one_planet_left_and_two_pieces() -> None:
    """The first piece studies the last planet; the second one is the first there again."""
    state = table("cancer cancer", pieces=[{"cancer": 2}], studied=["sol"])
    state = did(state, "observe conjunction cancer", "pay cancer cancer", "study mercurius")
    state = did(state, "pay cancer cancer")
    assert state.seats[0].on("cancer") == 1


def test_t46_the_asteroid_is_there_once_and_bonus_cards_run_out() -> None:
    state = replace(table("cancer", pieces=[{"cancer": 2}]), asteroids=(), bonus_deck=())
    state = did(state, "observe constellation cancer", "pay cancer cancer", "study sol")
    assert state.seats[0].asteroids == 0 and state.seats[0].bonus == ()


# studies by choice


def test_t43_two_pieces_there_and_two_others() -> None:
    state = table(pieces=[{"gemini": 2, "leo": 1, "aries": 1}])
    assert why_not(state, "study venus aries leo") == "T43", "after the action"
    state = did(state, "take deck", "take deck")
    assert lines(state, "study") == {"study venus aries leo"}
    assert why_not(state, "study venus") == "T43" and why_not(state, "study venus leo leo") == "T43"
    assert why_not(state, "study venus gemini leo") == "T43"
    assert why_not(state, "study luna aries leo") == "T43"
    state = did(state, "study venus aries leo")
    own = state.seats[0]
    assert own.studied == ("venus",) and own.reserve == 9 and sum(own.pieces) == 0
    assert own.asteroids == 1 and "gemini" not in state.asteroids and len(own.bonus) == 1


def test_t40_each_planet_once() -> None:
    state = table(pieces=[{"gemini": 2, "leo": 2}], studied=["venus"])
    state = did(state, "take deck", "take deck")
    assert why_not(state, "study venus leo leo") == "T40"


def test_t43_any_number_of_times() -> None:
    state = table(pieces=[{"gemini": 2, "leo": 2, "cancer": 2, "virgo": 2}])
    state = did(state, "take deck", "take deck", "study venus leo leo", "study sol virgo virgo")
    assert state.seats[0].studied == ("venus", "sol") and state.seats[0].reserve == 8


def test_t49_two_asteroids_for_a_bonus_card() -> None:
    state = table()
    assert why_not(state, "trade") == "T49"
    state = did(state.with_seat(0, asteroids=2), "trade")
    assert state.seats[0].asteroids == 0 and len(state.seats[0].bonus) == 1
    assert why_not(replace(state.with_seat(0, asteroids=2), bonus_deck=()), "trade") == "T46"


# the end of a round


def last_turn(state: State) -> State:
    """The same table before the last turn of the round."""
    return replace(state, acted=3 * len(state.seats) - 1)


def ended(state: State) -> State:
    """After the last action of the round, before anything has moved."""
    state = did(last_turn(state), "take deck", "take deck")
    return TURNS.after(state, TURNS.read_action("end"))


def moved(state: State) -> State:
    """After planets and comet have moved, before another event card is turned."""
    state = ended(state)
    while state.todo and state.todo[0].kind == "travel":
        state = TURNS.after(state, TURNS.outcomes(state)[0][0])
    return state


def test_t60_three_planets_move_and_pieces_stay() -> None:
    state = moved(table(pieces=[{"cancer": 1}]))
    sky = state.standing
    assert (sky["luna"], sky["mercurius"], sky["venus"]) == ("scorpius", "leo", "cancer")
    assert sky["mars"] == "sagittarius" and state.seats[0].on("cancer") == 1


def test_t60_planets_move_in_any_order_before_the_comet() -> None:
    state = ended(table())
    assert {a.body for a, _ in TURNS.outcomes(state)} == {"luna", "mercurius", "venus"}
    assert (
        why_not(state, "travel comet leo") == "T20" and why_not(state, "travel luna leo") == "T20"
    )


def test_t62_the_comet_jumps_over_planets() -> None:
    state = moved(table(comet="aries"))
    assert state.comet == "gemini", "Saturnus is in Taurus, Venus has left Gemini"
    state = moved(table(comet="aries", mars="gemini"))
    assert state.comet == "virgo", "Venus is in Cancer with Sol, Mercurius in Leo"


def test_t64_the_comet_sweeps_where_it_stops() -> None:
    state = moved(
        table(comet="aries", pieces=[{"gemini": 2, "leo": 1}, {"gemini": 1, "taurus": 1}])
    )
    assert [seat.on("gemini") for seat in state.seats] == [0, 0]
    assert state.seats[0].on("leo") == state.seats[1].on("taurus") == 1
    assert state.seats[0].reserve == 9 and state.event == ""


def test_t63_t68_the_comet_ends_the_game_and_still_sweeps() -> None:
    near = replace(table(comet="pisces", pieces=[{"aries": 2}]), start="aries", travelled=11)
    state = moved(near)
    assert state.over and state.comet == "aries" and state.seats[0].on("aries") == 0
    assert not TURNS.actions(state) and TURNS.decides(state) is None
    assert TURNS.illegal(state, TURNS.read_action("end")).kind == "T68"  # type: ignore[union-attr]


def test_t63_passing_the_start_by_a_jump_ends_the_game() -> None:
    near = table(comet="pisces", mars="aries")
    state = moved(replace(near, start="aries", travelled=11))
    assert state.over and state.comet == "gemini" and state.travelled == 14


def test_t65_eclipsis_sweeps_and_each_discards_two() -> None:
    pieces = [{"leo": 1, "gemini": 1}, {"aries": 1, "taurus": 1}]
    state = replace(table("leo aries virgo", "leo", pieces=pieces), todo=(Task("event"),))
    state = TURNS.after(replace(state, first=1), TURNS.read_action(f"event {ECLIPSIS}"))
    assert [seat.on("leo") for seat in state.seats] == [0, 0], "no planet is there"
    assert state.seats[1].on("aries") == 0, "the comet is no planet"
    assert state.seats[0].on("gemini") == state.seats[1].on("taurus") == 1
    assert TURNS.decides(state) == 1, "the astrolabe's holder first; the order does not matter"
    state = did(state, "discard leo")
    assert TURNS.decides(state) == 0, "who has one card discards one"
    state = TURNS.after(state, TURNS.read_action("discard leo"))
    state = TURNS.after(state, TURNS.read_action("discard virgo"))
    assert state.todo[0].kind == "event" and ECLIPSIS not in state.events
    state = settled(state)
    assert state.event in STANDARD.events and state.seats[0].hand == ("aries",)


# the end of the game


def test_t67_what_is_hidden_may_make_twelve() -> None:
    six = ("luna", "mercurius", "venus", "mars", "iupiter", "saturnus")
    state = TURNS.seen_by(table("leo", studied=six, bonus=("nova_constellatio",)), None)
    assert why_not(state, "claim") == ""
    assert why_not(TURNS.seen_by(table("leo", studied=six[:4]), None), "claim") == "T67"


def test_t67_twelve_points_are_claimed() -> None:
    state = table(studied=["luna", "mercurius", "sol", "venus", "mars", "iupiter"])
    assert TURNS.score(state).players[0].total == 11 and why_not(state, "claim") == "T67"
    state = state.with_seat(0, bonus=("nova_constellatio",))
    state = did(state, "claim")
    assert state.over and state.claimed == 0 and TURNS.score(state).ranking[0] == ("red",)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", in_full(range(3), 0))
def test_whole_games_are_legal_and_lose_nothing(players: int, seed: int) -> None:
    game = played_at_random(players, seed)
    first, last = game[0][0], game[-1][0]
    assert (last.over and not last.todo) or last.claimed is not None
    assert last.claimed is not None or last.travelled >= 12
    for state, action in game[:-1]:
        assert TURNS.read_action(TURNS.write_action(action)) == action
        assert (*everything(state)[:2], *everything(state)[2 : 2 + players]) == (
            *everything(first)[:2],
            *[10] * players,
        )
        assert min(everything(state)[-2:]) >= 0
        at_rest = not state.todo
        for number, seat in enumerate(state.seats):
            assert len({*seat.studied}) == len(seat.studied)
            assert max(seat.pieces) <= (2 if at_rest else 3), (number, state.todo)
        assert not at_rest or state.comet not in state.planets
        taken = 12 - len(state.asteroids)
        assert sum(seat.asteroids for seat in state.seats) <= taken
        assert sum(len(seat.studied) for seat in state.seats) >= taken
    assert tuple(last.standing) == PLANETS


def test_t63_no_player_has_more_turns_than_are_said_to_be_left() -> None:
    for seed in range(3):
        said = list[tuple[object, int, int]]()
        for state, _action in played_at_random(2, seed):
            seat = TURNS.decides(state)
            if seat is None or state.todo or not state.round:
                continue
            said.append((TURNS.turn(state), seat, turns_left(state, seat)))
        for seat in range(2):
            own = list(dict.fromkeys((turn, left) for turn, at, left in said if at == seat))
            turns = list(dict.fromkeys(turn for turn, _left in own))
            for number, turn in enumerate(turns):
                most = min(left for other, left in own if other == turn)
                assert len(turns) - number - 1 <= most


def test_t62_what_has_moved_already_does_not_move_again() -> None:
    """So many rounds are left before and after each planet's way at the end of a round."""
    travels = 0
    for seed in range(3):
        for state, action in played_at_random(2, seed):
            if isinstance(action, Travel) and action.body != COMET:
                travels += 1
                assert rounds_left(TURNS.after(state, action)) == rounds_left(state)
    assert travels > 25
