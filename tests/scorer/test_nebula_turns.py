"""Turns: the rulebooks' examples first, then each rule, then properties over whole games."""

import pytest

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.board_file import read_board
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import actions as act
from scorer.nebula.turns import play
from scorer.nebula.turns.collecting import time_moves
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.stars import Stars
from scorer.nebula.turns.state import Phase, Rules, State
from scorer.nebula.values_board import TOKENS, ValuesBoard
from tests.scorer.nebula_tables import CLUSTERS, moments, played, refused, stars, table

ES, CS = Rules(book="es"), Rules(book="cs")
FULL_ARIES = dict.fromkeys(["ar1", "ar3"], "red") | {
    "core": "white", "ar2": "blue", "ar4": "blue", "ar5": "orange", "ar6": "red"
}  # fmt: skip


class TestTheRulebooksExamples:
    def test_teresa_invests_time(self):
        state = TURNS.after(table(), act.InvestTime((2, -3, 0)))
        assert state.seat.reserve == stars("yellow", "white", "red")
        assert state.hours == (2, 3, 0)
        assert [own[hour] for own, hour in zip(state.clusters, state.hours, strict=True)] == [
            None
        ] * 3
        assert state.phase is Phase.PLACE

    def test_maritza_turns_to_chaos(self):
        state = table(reserve=["blue", "red"])
        drawn = ["black", "red", "purple", "purple", "white"]
        state = played(state, act.TurnToChaos("blue"), *map(act.Draw, drawn))
        assert state.phase is Phase.KEEP
        assert state.box == stars("blue")
        state = TURNS.after(state, act.Keep(("black", "red")))
        assert state.seat.reserve == stars("red", "black", "red")
        assert state.box == stars("blue", "purple", "purple", "white")

    def jose(self, rules: Rules) -> State:
        galaxy = Galaxy({"core": "blue", "ar1": "yellow", "ar2": "red"}, black=2)
        reserve = ["white", "white", "purple", "purple", "black"]
        more = {"indicator": 5, "galaxy": galaxy, "reserve": reserve}
        return table(Phase.PLACE, rules=rules, **more)

    @pytest.mark.parametrize("rules", [ES, CS])
    def test_jose_places_a_white_and_a_black_star(self, rules):
        state = self.jose(rules)
        state = TURNS.after(state, act.Place("white", "ar6"))  # beside the red one, indirectly
        state = TURNS.after(state, act.PlaceOnTrack())
        assert state.seat.galaxy.black == 3
        assert state.indicator == 6
        assert state.phase is Phase.BOOST, "the sixth square is highlighted"
        state = played(state, act.ReplaceBoosted("bag"), act.Draw("yellow"), act.Draw("blue"))
        assert state.boosted == "blue", "a yellow one goes back and another is drawn"
        assert state.box == stars("yellow")
        state = TURNS.after(state, act.AdvanceToken("white"))
        assert state.values.leaders("colours") == ("white",)
        assert refused(state, act.Place("purple", "ta1")) == "placed_count"
        assert state.seat.reserve == stars("white", "purple", "purple")

    def test_by_the_czech_book_the_new_boosted_star_may_be_one_of_the_reserve(self):
        state = played(self.jose(CS), act.PlaceOnTrack(), act.ReplaceBoosted("purple"))
        assert (state.boosted, state.box) == ("purple", stars("yellow"))
        assert state.seat.reserve == stars("white", "white", "purple")
        assert refused(played(self.jose(ES), act.PlaceOnTrack()), act.ReplaceBoosted("purple"))

    def test_the_first_to_fulfil_a_card_lies_on_top(self):
        galaxy = Galaxy(FULL_ARIES)
        state = played(table(Phase.PLACE, galaxy=galaxy), act.EndPlacing(), act.Claim("V1"))
        assert state.claims_of(0) == {"V1": "first"}
        state = state.but(turn=2, phase=Phase.PLACE, seats=state.seats[::-1])
        state = played(state, act.EndPlacing(), act.Claim("V1"))
        assert state.claims_of(1) == {"V1": "later"}


class TestSetup:
    @pytest.mark.parametrize(("players", "black"), [(2, 30), (3, 25), (4, 20)])
    def test_the_bag_holds_fewer_black_stars_for_more_players(self, players, black):
        state = new_game(Rules(players=players))
        assert state.bag == Stars(20, 20, 20, 20, 20, 20, black)
        assert state.box == Stars(black=30 - black)

    @pytest.mark.parametrize("players", [1, 5])
    def test_two_to_four_play(self, players):
        with pytest.raises(ValueError, match="2 to 4 players"):
            Rules(players=players)

    def test_it_goes_by_the_rulebooks_order(self):
        in_order = []
        for before, _, after in moments(Rules(players=4), 0):
            if before.turn == 0 and in_order[-1:] != [before.phase]:
                in_order.append(before.phase)
            if after.turn == 1:
                break
        assert in_order == [Phase.FILL, Phase.DEAL, Phase.CHOOSE, Phase.RESERVES]
        assert [seat.reserve.total for seat in after.seats] == [0, 1, 2, 3]
        assert len({card for hand in after.hands for card in hand.dealt}) == 8
        assert len(set(after.career)) == len(set(after.advanced)) == 4

    def test_no_card_is_dealt_twice_or_from_another_deck(self):
        state = next(after for _, _, after in moments(Rules(), 0) if after.phase is Phase.DEAL)
        assert refused(state, act.Deal("O1")) == "career_cards"
        assert refused(TURNS.after(state, act.Deal("V3")), act.Deal("V3")) == "career_cards"

    def test_one_keeps_a_card_that_one_was_dealt(self):
        state = next(after for _, _, after in moments(Rules(), 0) if after.phase is Phase.CHOOSE)
        assert refused(state, act.ChoosePersonal(state.hands[1].dealt[0])) == "personal"

    def test_intro_has_no_advanced_cards(self):
        state = next(s for _, _, s in moments(Rules(mode="intro"), 0) if s.turn)
        assert state.advanced == ()


class TestCollecting:
    def test_exactly_five_points_are_spent_in_102_ways(self):
        assert len(set(time_moves())) == 102
        assert refused(table(), act.InvestTime((2, -2, 0))) == "movement_points"
        assert refused(table(), act.InvestTime((3, -3, 0))) == "movement_points"

    def test_a_marker_moves_one_way(self):
        assert refused(table(), act.InvestTime((2, 3))) == "one_direction"
        assert refused(table(), act.InvestTime(((3, -1), 1, 0))) == "one_direction"

    def test_full_and_empty_spaces_count_alike(self):
        clusters = ((None, None, None, "red", None, "blue"), *CLUSTERS[1:])
        state = TURNS.after(table(clusters=clusters), act.InvestTime((3, 1, -1)))
        assert state.seat.reserve == stars("red", "red", "black")

    def test_a_marker_that_does_not_move_takes_too_and_an_empty_space_gives_nothing(self):
        clusters = ((None, *CLUSTERS[0][1:]), *CLUSTERS[1:])
        state = TURNS.after(table(clusters=clusters), act.InvestTime((0, 5, 0)))
        assert state.seat.reserve == stars("purple", "red")

    def test_chaos_needs_a_star_to_give(self):
        assert refused(table(reserve=["red"]), act.TurnToChaos("blue")) == "chaos_returned"
        assert act.TurnToChaos("red") in play.actions(table(reserve=["red", "red"]))

    def test_chaos_takes_what_a_short_bag_has(self):
        state = table(reserve=["blue"], bag=stars("red"))
        state = played(state, act.TurnToChaos("blue"), act.Draw("red"))
        assert play.actions(state) == [act.Keep(("red",))]
        assert played(state, act.Keep(("red",))).seat.reserve == stars("red")

    def test_chaos_on_an_empty_bag_gives_nothing(self):
        state = TURNS.after(table(reserve=["blue"], bag=Stars()), act.TurnToChaos("blue"))
        assert play.actions(state) == [act.Keep(())]
        assert played(state, act.Keep(())).phase is Phase.PLACE

    def test_of_five_exactly_two_are_kept(self):
        drawn = ("red", "red", "blue", "white", "black")
        state = table(Phase.KEEP, drawn=drawn)
        assert len(play.actions(state)) == 7  # two reds, or two of four kinds
        for kept in [(), ("red",), ("red", "red", "blue"), ("blue", "blue"), ("orange", "red")]:
            assert refused(state, act.Keep(kept)) == "chaos_kept"


class TestPlacing:
    def placing(self, *reserve: str, **more) -> State:
        galaxy = Galaxy({"core": "red", "ar1": "blue", "ta1": "yellow"})
        return table(Phase.PLACE, reserve=reserve, galaxy=galaxy, **more)

    def test_two_stars_or_three_with_the_boosted_colour(self):
        state = self.placing("white", "purple", "orange", "yellow")
        state = played(state, act.Place("white", "ge1"), act.Place("purple", "ca1"))
        assert refused(state, act.Place("orange", "ar2")) == "placed_count"
        state = TURNS.after(state, act.Place("yellow", "ar2"))
        assert refused(state, act.Place("orange", "ar4")) == "placed_count"

    def test_black_matches_a_black_boosted_star(self):
        state = self.placing("black", "purple", "orange", boosted="black", governing="black")
        state = played(state, act.PlaceOnTrack(), act.AdvanceToken("I"), act.Place("purple", "ca1"))
        assert TURNS.after(state, act.Place("orange", "ar2")).placed == (
            "black",
            "purple",
            "orange",
        )

    def test_the_boosted_star_of_the_beginning_governs(self):
        state = self.placing("black", "blue", "white", "orange", indicator=5)
        state = played(state, act.PlaceOnTrack(), act.ReplaceBoosted("blue"))
        state = played(state, act.AdvanceToken("I"), act.Place("white", "ge1"))
        assert state.boosted == "blue"
        assert refused(state, act.Place("orange", "ca1")) == "placed_count"

    def test_a_star_that_became_the_boosted_one_cannot_be_placed(self):
        state = self.placing("black", "blue", indicator=5)
        state = played(state, act.PlaceOnTrack(), act.ReplaceBoosted("blue"), act.AdvanceToken("I"))
        assert refused(state, act.Place("blue", "ge1")) == "not_in_reserve"

    def test_no_colour_twice_and_black_is_one(self):
        state = TURNS.after(self.placing("white", "white"), act.Place("white", "ge1"))
        assert refused(state, act.Place("white", "ca2")) == "distinct_colours"
        state = self.placing("black", "black", boosted="black", governing="black")
        state = played(state, act.PlaceOnTrack(), act.AdvanceToken("I"))
        assert refused(state, act.PlaceOnTrack()) == "distinct_colours"

    def test_each_kind_of_star_has_its_place(self):
        state = self.placing("white", "black")
        assert refused(state, act.PlaceOnTrack("white")) == "colour_on_track"
        assert refused(state, act.Place("black", "ge1")) == "black_on_galaxy"
        assert refused(state, act.Place("white", "zz1")) == "unknown_space"
        assert refused(state, act.Place("orange", "ge1")) == "not_in_reserve"

    def test_a_placement_is_refused_as_a_galaxy_refuses_it(self):
        state = self.placing("blue", "red")
        assert refused(state, act.Place("blue", "ge2")) == "not_linked"
        broken = play.illegal(state, act.Place("red", "ca1"))
        assert (broken.kind, broken.spaces) == ("same_colour_link", ("ca1",))
        assert str(broken.reason) == "ca1 is linked to the red star on core"
        assert (
            refused(table(Phase.PLACE, reserve=["red"]), act.Place("red", "ar1")) == "first_on_core"
        )

    def test_a_replaced_star_goes_to_the_box_and_a_space_may_be_replaced_twice(self):
        state = self.placing("white", "orange")
        state = played(state, act.Place("white", "ar1"), act.Place("orange", "ar1"))
        assert state.box == stars("blue", "white")
        assert state.seat.galaxy.stars["ar1"] == "orange"

    def test_a_full_track_takes_no_more(self):
        state = table(Phase.PLACE, reserve=["black"], galaxy=Galaxy({"core": "red"}, black=10))
        assert refused(state, act.PlaceOnTrack()) == "track_full"
        assert play.actions(state) == [act.EndPlacing()]


class TestABlackStar:
    def black(self, indicator: int, rules: Rules = CS, **more) -> State:
        state = table(Phase.PLACE, rules=rules, reserve=["black"], indicator=indicator, **more)
        return TURNS.after(state, act.PlaceOnTrack())

    @pytest.mark.parametrize("square", [6, 12, 18])
    def test_the_boosted_star_is_replaced_on_a_highlighted_square(self, square):
        assert self.black(square - 1).phase is Phase.BOOST

    def test_at_the_end_the_indicator_stays_and_replaces_nothing_more(self):
        state = self.black(18)
        assert (state.indicator, state.boosted) == (18, "yellow")
        assert state.phase is Phase.PLACE, "cs: no value token moves"
        assert self.black(18, ES).phase is Phase.TOKEN, "es: one does"

    def test_intro_has_no_value_tokens(self):
        assert self.black(3, Rules(mode="intro")).phase is Phase.PLACE

    def test_the_bag_must_be_used_while_it_has_another_colour(self):
        state = self.black(5)
        assert play.actions(state) == [act.ReplaceBoosted("bag")]
        assert refused(state, act.ReplaceBoosted("none")) == "boosted_source"
        assert refused(state, act.ReplaceBoosted("red")) == "not_in_reserve"

    def test_a_bag_without_another_colour_leaves_the_old_star(self):
        state = table(Phase.BOOST, bag=stars("yellow", "yellow"), reserve=["yellow"], indicator=6)
        assert refused(state, act.ReplaceBoosted("bag")) == "boosted_source"
        assert play.actions(state) == [
            act.ReplaceBoosted("none"),
            act.ReplaceBoosted("yellow"),  # of the reserve the old colour too
        ]
        kept = TURNS.after(state, act.ReplaceBoosted("none"))
        assert (kept.boosted, kept.box) == ("yellow", Stars())
        assert play.actions(state.but(rules=ES)) == [act.ReplaceBoosted("none")]

    def test_a_token_at_its_end_cannot_be_chosen(self):
        values = ValuesBoard(8, {"red": 8}, ("red",))
        state = table(Phase.TOKEN, values=values)
        assert refused(state, act.AdvanceToken("red")) == "value_end"
        assert refused(state, act.AdvanceToken("black")) == "value_token"
        assert len(play.actions(state)) == 13

    def test_where_no_token_can_move_none_does(self):
        values = ValuesBoard(8, dict.fromkeys(TOKENS, 8), TOKENS)
        assert self.black(3, values=values).phase is Phase.PLACE

    def test_a_token_lands_on_top_of_a_pile_and_leaves_it_alone(self):
        values = ValuesBoard(8)
        for token in ("red", "blue", "white", "blue"):
            values = values.move(token)
        assert values.pile("red", 1) == ("red", "white"), "blue has left"
        assert values.move("orange").pile("red", 1) == ("red", "white", "orange")
        assert values.leaders("colours") == ("blue", "white", "red")
        assert values.move("aries").pile("aries", 1) == ("aries",), "tracks never mix"


class TestClaims:
    def test_a_fulfilled_card_must_be_claimed(self):
        state = played(table(Phase.PLACE, galaxy=Galaxy(FULL_ARIES)), act.EndPlacing())
        assert play.actions(state) == [act.Claim("V1")]
        assert refused(state, act.EndClaims()) == "claim_missed"
        assert refused(state, act.Claim("V2")) == "claim_card"
        assert refused(state, act.Claim("V16")) == "claim_not_met"
        state = TURNS.after(state, act.Claim("V1"))
        assert refused(state, act.Claim("V1")) == "claim_twice"
        assert play.actions(state) == [act.EndClaims()]

    def test_what_was_fulfilled_in_between_does_not_count(self):
        galaxy = Galaxy({s: c for s, c in FULL_ARIES.items() if s != "ar6"})
        state = table(Phase.PLACE, galaxy=galaxy, reserve=["red", "yellow"])
        state = played(state, act.Place("red", "ar6"), act.Place("yellow", "ar6"), act.EndPlacing())
        assert play.actions(state) == [act.EndClaims()], "four colours now"


class TestRefilling:
    def left(self, *numbers: int, players: int = 3, **more) -> State:
        clusters = tuple(
            (*own[:left], *(None,) * (6 - left))
            for own, left in zip(CLUSTERS, numbers, strict=True)
        )
        state = table(Phase.CLAIM, rules=Rules(players=players), clusters=clusters, **more)
        return TURNS.after(state, act.EndClaims())

    def test_a_cluster_with_one_star_is_topped_up(self):
        state = self.left(1, 2, 6)
        assert state.due == tuple((0, space) for space in range(1, 6))
        state = played(state, *map(act.Draw, ["red", "blue", "blue", "black", "red"]))
        assert state.clusters[0] == ("orange", "red", "blue", "blue", "black", "red")
        assert (state.turn, state.phase) == (2, Phase.COLLECT)

    def test_with_two_players_one_with_two_stars_too(self):
        assert {cluster for cluster, _ in self.left(1, 2, 3, players=2).due} == {0, 1}

    def test_nothing_is_due_otherwise(self):
        assert self.left(2, 2, 2).turn == 2

    def test_a_short_bag_fills_the_first_spaces(self):
        state = self.left(1, 0, 6, bag=stars("red", "blue"))
        state = played(state, act.Draw("blue"), act.Draw("red"))
        assert state.clusters[0] == ("orange", "blue", "red", None, None, None)
        assert state.phase is Phase.COLLECT
        assert state.reasons == ("bag_empty",)

    def test_clusters_may_be_left_only_if_the_game_is_over_whatever_is_drawn(self):
        assert refused(self.left(1, 2, 6), act.LeaveClusters()) == "not_now"
        assert refused(self.left(1, 2, 6, indicator=18), act.LeaveClusters()) == "not_now"
        last = self.left(1, 2, 6, indicator=18, turn=3)
        over = TURNS.after(last, act.LeaveClusters())
        assert over.phase is Phase.OVER and over.clusters == last.clusters
        assert (over.turn, over.bag, over.due) == (3, last.bag, ())


class TestTheEnd:
    def end(self, turn: int = 1, **more) -> State:
        return TURNS.after(table(Phase.CLAIM, turn=turn, **more), act.EndClaims())

    def test_the_round_is_played_to_its_last_player(self):
        state = self.end(indicator=18)
        assert (state.noticed, state.reasons) == (1, ("black_indicator",))
        assert (state.phase, state.turn) == (Phase.COLLECT, 2)
        over = self.end(turn=2, indicator=18)
        assert over.phase is Phase.OVER
        assert play.actions(over) == play.outcomes(over) == ()
        assert refused(over, act.EndPlacing()) == "game_over"

    def test_it_is_looked_for_once(self):
        state = self.end(indicator=18).but(phase=Phase.CLAIM, bag=Stars())
        assert TURNS.after(state, act.EndClaims()).reasons == ("black_indicator",)

    @pytest.mark.parametrize(("players", "markers"), [(2, 5), (3, 6), (4, 8)])
    def test_career_markers_end_it(self, players, markers):
        on_cards = [tuple(range(players))] * (markers // players)
        on_cards += [tuple(range(markers % players))]
        rules = Rules(players=players)
        card_markers = (*on_cards, (), (), ())[:4]
        assert self.end(rules=rules, markers=card_markers).reasons == ("career_markers",)
        fewer = ((card_markers[0])[:-1], *card_markers[1:])
        assert self.end(rules=rules, markers=fewer).reasons == ()

    def test_three_constellations_end_it(self):
        galaxy = Galaxy({s: "red" for s in STANDARD_BOARD.spaces if s[:2] != "ca"})
        assert self.end(galaxy=galaxy).reasons == ("constellations",)


def test_a_link_from_a_space_to_itself_hinders_no_star():
    data = STANDARD_BOARD.to_data()
    data["links"]["direct"] += [["ar1", "ar1"]]
    galaxy = Galaxy({"core": "red", "ar1": "blue"}, board=read_board(data))
    assert galaxy.illegal("ar1", "blue") is None
    assert "ar1" in galaxy.open_to("blue")
