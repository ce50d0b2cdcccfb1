"""Polaris step by step: whatever hands do one after the other, the rules of turns hold."""

import random
from dataclasses import replace

import pytest

from scorer.polaris.game import Game
from scorer.polaris.score import score_game
from scorer.polaris.sky import turn_breaks
from scorer.polaris.steps import (
    LINK,
    STEPS,
    ChooseCard,
    EndCard,
    EndPhase,
    Lay,
    LayOut,
    StepState,
    choices,
)
from scorer.polaris.table_state import EndTurn, TakeShootingStars, set_up
from scorer.turns import MOST_ENDS
from tests.scorer.polaris_tables import TURNS, plays

COLOURS = ("red", "yellow", "blue", "purple")


def begun(players: int, luck: random.Random) -> StepState:
    """A table whose sky is laid out and whose cards are dealt."""
    seats = [(str(seat), colour) for seat, colour in enumerate(COLOURS[:players])]
    state = STEPS.after(StepState(set_up(seats)), LayOut())
    return STEPS.dealt(state, luck)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_random_games_break_no_rule(players: int) -> None:
    for seed in range(2):
        luck = random.Random(seed)
        state, turn_began = begun(players, luck), None
        while not state.over:
            turn_began = turn_began or state.sky
            step = STEPS.by_itself(state) or luck.choice(STEPS.actions(state))
            assert STEPS.read_action(STEPS.write_action(step)) == step
            colour, turn = state.table.player.colour, state.table.turn
            state = STEPS.dealt(STEPS.after(state, step), luck)
            colours = [seat.colour for seat in state.table.seats]
            assert state.sky.rule_breaks(colours) == ()
            assert all(seat.shooting >= 0 for seat in state.table.seats)
            assert turn_breaks(turn_began, state.sky, colour) == ()
            if state.table.turn != turn or isinstance(step, EndTurn | EndPhase):
                turn_began = None
        game = state.table.to_game()
        assert isinstance(game, Game) and len(game.phases) == 5
        totals = {player.name: player.total for player in score_game(game).players}
        markers = {seat.name: seat.marker for seat in state.table.seats}
        for player in score_game(game).players:
            counted = sum(line.points for line in player.lines if line.category in KEPT)
            assert counted == markers[player.name], totals


KEPT = ("start", "phase")
"""What the marker has come to by the fifth phase."""


def test_every_legal_play_can_be_laid_piece_by_piece_and_no_other() -> None:
    luck = random.Random(5)
    state = begun(2, luck)
    for _turn in range(25):
        for one in choices(state.table):
            if STEPS.illegal(state, one):
                continue
            chosen = STEPS.after(state, one)
            wanted = {
                frozenset(filter(None, (*play.stars, *play.links)))
                for play in plays(state.table)
                if (play.card, play.sector, play.choice) == (one.card, one.sector, one.choice)
            }
            assert set(chosen.ways) == wanted
            way = luck.choice(sorted(wanted, key=sorted))
            for place in luck.sample(sorted(way), len(way)):  # in any order
                chosen = STEPS.after(chosen, Lay(chosen.piece_at(place), place))
            assert STEPS.illegal(chosen, EndCard()) is None
            assert STEPS.after(chosen, EndCard()).table.sky == chosen.sky
        steps = [STEPS.by_itself(state)] if STEPS.by_itself(state) else STEPS.actions(state)
        step = luck.choice(steps)
        assert step is not None
        state = STEPS.dealt(STEPS.after(state, step), luck)
        if state.over or state.card:
            state = begun(2, luck)


def test_a_red_space_may_be_paid_by_a_white_one_of_the_same_card() -> None:
    """P43: whatever the order of gains and costs in a turn."""
    luck = random.Random(1)
    table = begun(2, luck).table
    seat = table.seats[0]
    table = table.with_seat(0, replace(seat, hand=("new-A1",), shooting=0))
    state = STEPS.after(StepState(table, laid_out=True), ChooseCard("new-A1", 1))
    laid = STEPS.after(state, Lay("red", "1r2"))
    broken = STEPS.illegal(laid, EndCard())
    assert broken is not None and broken.kind == "too_dear", "not yet paid"
    assert STEPS.illegal(laid, Lay("red", "1b2")) is not None
    laid = STEPS.after(laid, Lay("red", "1a2"))
    assert STEPS.after(laid, EndCard()).table.seats[0].shooting == 0


def test_reasons() -> None:
    luck = random.Random(4)
    state = begun(2, luck)
    reasons = {
        Lay("red", "1b1"): "card_chosen_first",
        EndCard(): "card_chosen_first",
        EndPhase(2): "frame_rests",
        LayOut(): "lay_out_first",
        EndTurn(): "nothing_played",
    }
    for step, kind in reasons.items():
        broken = STEPS.illegal(state, step)
        assert broken is not None and broken.kind == kind
    card = next(
        one for one in choices(state.table) if state.table.card(one.card).choices[one.choice].stars
    )
    chosen = STEPS.after(state, card)
    for step, kind in {
        TakeShootingStars(): "card_first",
        Lay("yellow", f"{card.sector}b1"): "not_the_movers",
        Lay(LINK, f"{card.sector}b1"): "not_the_movers",
        Lay("red", "9z9"): "unknown_space",
        Lay("red", f"{card.sector}c1"): "closed_space",
    }.items():
        broken = STEPS.illegal(chosen, step)
        assert broken is not None and broken.kind == kind
    laid = STEPS.after(chosen, Lay("red", f"{card.sector}b1"))
    for step, kind in {
        Lay("red", f"{card.sector}b1"): "star_occupied",
        Lay("red", f"{card.sector}b2"): "not_shown",
    }.items():
        broken = STEPS.illegal(laid, step)
        assert broken is not None and broken.kind == kind


def test_nobody_knows_what_others_hide() -> None:
    state = begun(2, random.Random(2))
    seen = STEPS.seen_by(state, 0)
    assert set(seen.table.seats[1].hand) == {""}
    assert seen.table.seats[0].hand == state.table.seats[0].hand
    assert TURNS.outcomes(state.table) == ()


def test_the_rest_of_a_turn_is_every_way_to_place_the_other_pieces_of_a_card() -> None:
    state, luck, compared = (
        STEPS.dealt(STEPS.after(STEPS.start({"players": 2}), LayOut()), random.Random(3)),
        random.Random(3),
        0,
    )
    while compared < 20 and not state.over:
        legal = [one for one in STEPS.actions(state) if isinstance(one, Lay)]
        ends = [*STEPS.rest_of_turn(state, legal[:4])]
        ways = {
            (one.place, way)
            for one in legal[:4]
            for way in state.ways
            if {*state.laid, one.place} < way
        }
        if legal and len(ways) <= MOST_ENDS:
            assert {(one.place, frozenset(end.laid)) for one, end in ends} == ways
            assert len(ends) == len(ways)
            compared += bool(ways)
        elif legal:
            assert not ends
        action = STEPS.drawn(state, luck) or luck.choice(STEPS.actions(state))
        state = STEPS.after(state, action)
    assert compared == 20
