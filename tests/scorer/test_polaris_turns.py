"""The course of a game: setup (P10 to P17), turns (P28 to P32, P47), phases (P50 to P59)."""

import random
from dataclasses import replace

import pytest

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.game import Phase, Snapshot
from scorer.polaris.score import score_game
from scorer.polaris.sky import Sky, turn_breaks
from scorer.polaris.table_state import (
    HIDDEN,
    Draw,
    EndTurn,
    PlayCard,
    TableState,
    TakeCard,
    TakeShootingStars,
    set_up,
)
from scorer.polaris.words import NEUTRAL
from tests.conftest import in_full
from tests.scorer.polaris_tables import NAMES, TURNS, after, holding, rule, table


class TestSetup:
    def test_p10_the_new_moon_faces_any_sector(self):
        assert [set_up(NAMES, sector).new_moon for sector in (1, 4)] == [1, 4]
        with pytest.raises(ValueError, match="no sector 6"):
            set_up(NAMES, 6)

    def test_p12_p13_p15_p16_what_is_dealt(self):
        state = table(4)
        assert {deck: len(cards) for deck, cards in state.markets.items()} == {
            "basic": 4,
            "advanced": 2,
        }
        assert len(state.objectives) == 5
        assert [len(seat.hand) for seat in state.seats] == [3] * 4
        assert len({seat.personal for seat in state.seats}) == 4
        sizes = {pile: len(cards) for pile, cards in state.piles.items()}
        assert sizes == {"basic": 40 - 4 - 12, "advanced": 24 - 2, "common": 10, "personal": 6}

    def test_p13_the_card_at_the_new_moon(self):
        state = table(new_moon=3)
        assert state.objective == state.objectives[2]

    def test_p14_markers_begin_at_5_and_two_players_have_neutral_stars(self):
        assert {seat.marker for seat in table(2).seats} == {5}
        assert dict(table(2).sky.stars) == dict.fromkeys(STANDARD_SKY.starred, NEUTRAL)
        assert dict(table(3).sky.stars) == {}

    def test_p17_shooting_stars_by_turn_order(self):
        assert [seat.shooting for seat in table(4).seats] == [1, 2, 3, 4]

    @pytest.mark.parametrize("players", [NAMES[:1], [*NAMES, ("X", "white")], [NAMES[0]] * 2])
    def test_who_cannot_play(self, players):
        with pytest.raises(ValueError, match="players"):
            set_up(players)

    def test_chance_is_an_action_and_comes_first(self):
        state = set_up(NAMES)
        assert TURNS.actions(state) == ()
        outcomes = TURNS.outcomes(state)
        assert len(outcomes) == 40
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        assert rule(state, TakeShootingStars()) == "P32"
        assert rule(state, Draw("new-A1")) == "P32", "not from this deck"
        assert after(state, Draw("new-B1")).markets["basic"] == ("new-B1",)
        assert rule(table(), Draw("new-B1")) == "P32"


class TestTaking:
    def test_p28_one_action_and_the_next_players_turn(self):
        state = after(table(), TakeShootingStars())
        assert (state.turn, state.seats[0].shooting) == (1, 4)

    def test_p30_a_card_of_a_market(self):
        state = table()
        card = state.markets["basic"][0]
        taken = after(state, TakeCard(card))
        assert card in taken.seats[0].hand and card not in taken.markets["basic"]
        hidden = state.piles["basic"][0]
        assert rule(state, TakeCard(hidden)) == "P30"

    def test_p30_only_with_fewer_than_five_in_hand(self):
        five = [f"new-B{number}" for number in range(1, 6)]
        state = holding(*five, shooting=1)
        market = [card for cards in state.markets.values() for card in cards]
        assert {rule(state, TakeCard(card)) for card in market} == {"P30"}
        state = holding(*five[:4])
        assert rule(state, TakeCard(state.markets["basic"][0])) is None

    def test_p31_an_advanced_card_costs_one_shooting_star(self):
        state = holding()
        advanced = state.markets["advanced"][0]
        assert rule(state, TakeCard(advanced)) == "P31"
        assert after(holding(shooting=2), TakeCard(advanced)).seats[0].shooting == 1

    def test_p32_the_market_is_refilled_at_once(self):
        state = table()
        taken = after(state, TakeCard(state.markets["basic"][0]))
        assert TURNS.actions(taken) == ()
        drawn = {action for action, _ in TURNS.outcomes(taken)}
        assert drawn == {Draw(card) for card in state.piles["basic"]}
        card = state.piles["basic"][3]
        refilled = after(taken, Draw(card))
        assert refilled.markets["basic"][-1] == card
        assert card not in refilled.piles["basic"] and TURNS.actions(refilled)

    def test_p32_an_empty_deck_is_made_anew_from_its_discards(self):
        state = table()
        gone = state.piles["basic"]
        state = replace(
            state, piles={**state.piles, "basic": ()}, discards={**state.discards, "basic": gone}
        )
        taken = after(state, TakeCard(state.markets["basic"][0]))
        assert {action.card for action, _ in TURNS.outcomes(taken)} == set(gone)
        assert taken.discards["basic"] == ()

    def test_p32_if_there_are_none_either_the_market_stays_short(self):
        state = table()
        state = replace(state, piles={**state.piles, "basic": ()})
        first, second = state.markets["basic"][:2]
        short = after(state, TakeCard(first))
        assert (len(short.markets["basic"]), short.pending) == (3, ())
        later = {**short.discards, "basic": ("new-B1", "new-B2", "new-B3")}
        state = replace(short, discards=later)
        filled = TURNS.dealt(after(state, TakeCard(second)), random.Random(1))
        assert len(filled.markets["basic"]) == 4

    def test_p47_three_shooting_stars(self):
        assert after(holding(shooting=2), TakeShootingStars()).seats[0].shooting == 5

    def test_p28_not_while_cards_are_played(self):
        state = after(holding("new-B1", "new-B2"), PlayCard("new-B1", 1))
        assert rule(state, TakeShootingStars()) == "P28"
        assert rule(state, TakeCard(state.markets["basic"][0])) == "P28"
        assert rule(holding("new-B1"), EndTurn()) == "P28", "at least one card"


class TestPhases:
    dawn = ("full-B2", "full-B5", "full-B6", "full-B7", "gibbous-B2", "gibbous-B5", "gibbous-B6")

    def set_off(self, **changes) -> TableState:
        """The table after the first player's turn has filled the dawn spaces."""
        state = holding("new-B2", **{"dawn": self.dawn[:6], **changes})
        return after(state, PlayCard("new-B2", 1), EndTurn())

    def test_p50_to_p52_who_set_it_off_has_the_telescope_and_all_others_one_more_turn(self):
        state = self.set_off()
        assert (state.telescope, state.turn, state.phases) == (0, 1, ())
        state = after(state, TakeShootingStars())
        assert (state.turn, state.phases) == (2, ())
        state = after(state, TakeShootingStars())
        assert len(state.phases) == 1
        assert (state.turn, state.telescope) == (0, None), "the holder plays on (P59)"

    def test_p45_dawn_cards_of_the_extra_turns_are_discarded(self):
        state = self.set_off()
        state = state.with_seat(1, replace(state.seats[1], hand=("new-B5",)))
        state = after(state, PlayCard("new-B5", 1), EndTurn())
        assert "new-B5" in state.discards["basic"]
        assert len(state.dawn) == 7

    def test_p53_to_p55_the_markers_move(self):
        sky = Sky(dict.fromkeys(("1a1", "1a3", "1b1", "1b2"), "blue"), (), 1)
        state = self.set_off(sky=sky, objectives=("C1", "C2", "C3", "C4", "C5"))
        state = after(state, TakeShootingStars(), TakeShootingStars())
        assert [seat.marker for seat in state.seats] == [5 + 2 - 2, 5 + 3 + 3, 5 - 2]
        assert state.phases == (Phase("C1", "Carl", Snapshot(sky)),)

    def test_p57_p58_the_frame_turns_and_the_dawn_spaces_are_cleared(self):
        state = self.set_off(objectives=("C1", "C2", "C3", "C4", "C5"))
        state = after(state, TakeShootingStars(), TakeShootingStars())
        assert (state.new_moon, state.objective) == (2, "C2")
        assert state.dawn == () and set(self.dawn[:6]) <= set(state.discards["basic"])
        assert state.free_dawn_spaces == 7 - 1

    def test_the_rulebooks_second_phase(self):
        """Its card goes face down onto the second dawn space, and Carl has the next turn."""
        earlier = Phase("C9", "Neil", Snapshot(Sky({})))
        state = holding("crescent-B2", players=4, phases=(earlier,), dawn=self.dawn[:5])
        state = replace(state, sky=Sky({}, (), 2))
        state = after(state, PlayCard("crescent-B2", 3), EndTurn())
        assert state.telescope == 0
        state = after(state, *[TakeShootingStars()] * 3)
        assert (len(state.phases), state.free_dawn_spaces) == (2, 7 - 2)
        assert state.player.name == "Carl"

    def test_p58_phase_k_needs_one_dawn_card_fewer(self):
        for done in range(5):
            earlier = tuple(Phase(f"C{n}", "Neil", Snapshot(Sky({}))) for n in range(done))
            state = holding("new-B2", phases=earlier, dawn=self.dawn[: 7 - done - 1])
            assert after(state, PlayCard("new-B2", 1), EndTurn()).telescope == 0
            state = replace(state, dawn=self.dawn[: max(0, 7 - done - 2)])
            assert after(state, PlayCard("new-B2", 1), EndTurn()).telescope is None

    def test_p57_after_the_fifth_phase_the_game_is_over(self):
        earlier = tuple(Phase(f"C{n}", "Neil", Snapshot(Sky({}))) for n in range(10, 14))
        state = self.set_off(phases=earlier, dawn=self.dawn[:2])
        state = state.with_seat(2, replace(state.seats[2], hand=()))
        state = after(state, TakeShootingStars(), TakeCard(state.markets["basic"][0]))
        assert state.over
        assert TURNS.actions(state) == TURNS.outcomes(state) == ()
        assert rule(state, TakeShootingStars()) == "P57"


class TestWhatAPlayerSees:
    def test_the_others_hands_and_personal_cards_are_hidden(self):
        state = table(3)
        seen = TURNS.seen_by(state, 1)
        assert seen.seats[1] == state.seats[1]
        assert seen.seats[0].hand == (HIDDEN,) * 3 and seen.seats[0].personal == HIDDEN
        assert seen.markets == state.markets and seen.sky == state.sky

    def test_what_is_hidden_may_lie_in_the_piles_as_far_as_one_knows(self):
        state = table(3)
        swapped = state.with_seat(0, replace(state.seats[0], hand=state.seats[2].hand))
        swapped = swapped.with_seat(2, replace(state.seats[2], hand=state.seats[0].hand))
        assert TURNS.seen_by(swapped, 1) == TURNS.seen_by(state, 1)
        unseen = TURNS.seen_by(state, 1).piles
        assert set(state.seats[0].hand) <= set(unseen["basic"])
        assert len(unseen["basic"]) == 40 - 4 - 3


@pytest.mark.parametrize("seed", in_full(range(12), *range(0, 12, 3)))
def test_whole_games_keep_every_rule(seed):
    """Random play to the end: pieces and cards conserved, no break that a camera could see."""
    rng = random.Random(seed)
    players = NAMES[: 2 + seed % 3]
    state = TURNS.dealt(set_up(players, 1 + seed % 5), rng)
    colours = [colour for _, colour in players]
    start = state.sky
    while not state.over:
        actions = TURNS.actions(state)
        mover = state.player.colour
        state = TURNS.dealt(TURNS.after(state, rng.choice(actions)), rng)
        assert not turn_breaks(start, state.sky, mover)
        if not state.played:
            start = state.sky
        assert all(seat.shooting >= 0 and len(seat.hand) <= 5 for seat in state.seats)
        held = [card for seat in state.seats for card in seat.hand]
        held += [*state.dawn, *(play.card for play in state.played)]
        for cards in (state.piles, state.markets, state.discards):
            held += [*cards["basic"], *cards["advanced"]]
        assert sorted(held) == sorted(state.edition.actions)
    score = score_game(state.to_game())
    assert not state.sky.rule_breaks(colours)
    assert not score.flags
    for seat, player in zip(state.seats, score.players, strict=True):
        moved = [line.points for line in player.lines if line.category in ("start", "phase")]
        assert (sum(moved), len(moved)) == (seat.marker, 6)
        assert not player.provisional
