"""Playing cards: where their pieces go (P33 to P39), what it costs and brings (P42 to P48)."""

from collections import Counter
from dataclasses import replace

import pytest

from scorer.flags import IllegalActionError
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.board_file import read_board
from scorer.polaris.edition_file import edition_from_data
from scorer.polaris.sky import Sky
from scorer.polaris.table_state import EndTurn, PlayCard
from tests.scorer.polaris_tables import TURNS, after, holding, rule


class TestTheRulebooksTurn:
    """Three cards, the third with another moon; two shooting stars earned in the turn pay it."""

    def test_it_can_be_paid_with_none_in_stock(self):
        state = holding("crescent-B3", "crescent-B7", "full-B4")
        first = PlayCard("crescent-B3", 2, 0, ("2b3",), ("2a3-2b3",))
        second = PlayCard("crescent-B7", 2, 1, (), ("2c1-2c2",))
        third = PlayCard("full-B4", 2, 0, ("2a2",), ("2a2-2a3",))
        assert rule(state, third) == "P43", "before anything is earned"
        end = after(state, first, second, third, EndTurn())
        assert end.seats[0].shooting == 0
        assert end.discards["basic"] == ("crescent-B3", "full-B4")
        assert end.dawn == ("crescent-B7",)
        assert (end.turn, end.seats[0].hand, end.played) == (1, (), ())
        assert dict(end.sky.stars) == {"2b3": "red", "2a2": "red"}
        assert set(end.sky.links) == {"2a3-2b3", "2c1-2c2", "2a2-2a3"}


class TestCards:
    def test_p33_all_for_one_sector(self):
        state = after(holding("new-B1", "full-B1", shooting=9), PlayCard("new-B1", 1))
        assert rule(state, PlayCard("full-B1", 5)) == "P33"
        assert rule(state, PlayCard("full-B1", 1)) is None, "as if it had another moon"
        assert rule(state, PlayCard("new-B2", 1)) == "P33", "not in hand"
        assert rule(holding("new-B1"), PlayCard("new-B1", 6)) == "P33"

    def test_p34_a_card_is_for_the_lunar_sector_of_its_moon(self):
        state = holding("quarter-B1")
        sectors = [s for s in range(1, 6) if rule(state, PlayCard("quarter-B1", s)) is None]
        assert sectors == [3]

    def test_p35_a_changed_moon_costs_2_and_one_card_keeps_its_own(self):
        state = holding("new-B1", "full-B1", "full-B2", shooting=5)
        changed = PlayCard("full-B1", 1)
        assert after(state, changed).seats[0].shooting == 3
        assert rule(after(state, changed), EndTurn()) == "P35"
        assert rule(after(state, changed, PlayCard("new-B1", 1)), EndTurn()) is None
        alone = holding("full-B1", shooting=5)
        assert rule(alone, changed) == "P35", "a card alone cannot be changed"

    def test_p36_one_choice_is_taken_and_every_piece_is_optional(self):
        state = holding("new-B8", shooting=0)
        assert after(state, PlayCard("new-B8", 1, 0, ("1b2",))).sky.where("red") == ("1b2",)
        nothing = after(state, PlayCard("new-B8", 1, 2))
        assert (nothing.seats[0].shooting, nothing.sky) == (1, state.sky), "☄ all the same"
        both = PlayCard("new-B8", 1, 0, ("1b2",), ("1b2-1b3",))
        assert rule(state, both) == "P36"
        assert rule(state, PlayCard("new-B8", 1, 3)) == "P36"
        assert rule(state, PlayCard("new-B8", 1, 0, ("1b2", "1b3"))) == "P36"

    def test_p37_a_star_goes_onto_any_empty_space_of_the_sector(self):
        state = holding("new-B1", shooting=1, sky=Sky({"1b2": "blue"}, (), 1))
        free = [
            s
            for s in STANDARD_SKY.star_spaces
            if rule(state, PlayCard("new-B1", 1, 0, (s,))) is None
        ]
        assert set(free) == set(STANDARD_SKY.sectors[1]) - {"1b2"}
        for space in ("1b2", "polaris", "2a1", "x"):
            assert rule(state, PlayCard("new-B1", 1, 0, (space,))) == "P37"

    def test_p37_starred_spaces_are_closed_with_two_players_only(self):
        play = PlayCard("new-B1", 1, 0, ("1c1",))
        assert rule(holding("new-B1", players=2), play) == "P37"
        assert "closed" in TURNS.illegal(holding("new-B1", players=2), play).reason
        assert rule(holding("new-B1", players=3), play) is None

    def test_p37_they_are_closed_also_where_a_neutral_star_was_forgotten(self):
        state = holding("new-B1", players=2, sky=Sky({}, (), 1))
        assert rule(state, PlayCard("new-B1", 1, 0, ("1c1",))) == "P37"

    def test_p37_with_three_players_somebodys_star_lies_there_as_elsewhere(self):
        state = holding("new-B1", sky=Sky({"1c1": "blue"}, (), 1))
        reason = TURNS.illegal(state, PlayCard("new-B1", 1, 0, ("1c1",))).reason
        assert reason == "1c1 holds a star already"

    def test_p38_a_link_goes_onto_any_empty_link_space_of_the_sector(self):
        state = holding("new-B8", sky=Sky({"1b2": "blue"}, ("1a1-1b1",), 1))
        for link in ("1b2-1c2", "1r2-1c2", "5r3-1a3"):
            known = STANDARD_SKY.link_between(*link.split("-"))
            assert rule(state, PlayCard("new-B8", 1, 2, (), (known,))) is None
        for link in ("1a1-1b1", "1r1-2a1", "1a1-1c1"):
            assert rule(state, PlayCard("new-B8", 1, 2, (), (link,))) == "P38"
        assert rule(state, PlayCard("new-B8", 1, 1, (), ("1r1-1r2",))) is None, "on the border"
        assert rule(state, PlayCard("new-B8", 1, 1, (), ("polaris-1b1",))) is None

    def test_p39_the_orientation_is_the_cards(self):
        state = holding("new-B3")
        assert rule(state, PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1b3",))) == "P39"
        assert rule(state, PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1c2",))) is None

    def test_p39_the_link_touches_the_star_of_the_same_card_on_either_side(self):
        state = holding("new-B3", sky=Sky({"1c3": "red"}, (), 1))
        for link in ("1a2-1b2", "1b2-1c2"):
            assert rule(state, PlayCard("new-B3", 1, 0, ("1b2",), (link,))) is None
        assert rule(state, PlayCard("new-B3", 1, 0, ("1b2",), ("1b3-1c3",))) == "P39"
        assert rule(state, PlayCard("new-B3", 1, 0, (None,), ("1b3-1c3",))) == "P39"
        assert rule(state, PlayCard("new-B3", 1, 0, ("1b2",))) is None, "without the link"

    def test_p39_two_links_of_one_orientation_go_to_both_sides(self):
        state = holding("full-A5", shooting=1)
        play = PlayCard("full-A5", 5, 0, ("5b2",), ("5a2-5b2", "5b2-5c2"))
        assert rule(state, play) is None
        assert after(state, play).seats[0].shooting == 2
        assert rule(state, replace(play, links=("5a2-5b2", "5a2-5b2"))) == "P38"

    def test_p39_not_both_to_one_side_where_a_board_has_two_links_there(self):
        """Outwards of 1a1 and 1b3 lies 1b4, on this board."""
        topology = STANDARD_SKY.to_data()
        topology["links"]["vertical"].append(["1a1", "1b4"])
        board = read_board(topology)
        up_and_down = {"stars": 1, "links": [{"vertical": [0]}, {"vertical": [0]}]}
        faces = {"B1": {"deck": "basic", "choices": [up_and_down]}}
        edition = edition_from_data({"extends": "standard", "actions": faces}, "mine")
        state = holding("new-B1", sky=Sky({}, (), 1, board), edition=edition)
        both = PlayCard("new-B1", 1, 0, ("1b4",), ("1b3-1b4", "1a1-1b4"))
        assert rule(state, both) == "P39"
        through = PlayCard("new-B1", 1, 0, ("1b3",), ("1b3-1b4", "1b2-1b3"))
        assert rule(state, through) is None

    def test_p39_two_joined_stars_lie_side_by_side(self):
        state = holding("new-A3")
        play = PlayCard("new-A3", 1, 0, ("1a1", "1b1"), ("1a1-1b1",))
        assert rule(state, play) is None
        assert rule(state, replace(play, links=(None,))) is None
        assert rule(state, PlayCard("new-A3", 1, 0, ("1a1", "1c2"))) == "P39"
        assert rule(state, PlayCard("new-A3", 1, 0, ("1a1", "1a2"))) == "P39", "vertically"
        assert rule(state, PlayCard("new-A3", 1, 0, ("1a1", None))) is None
        assert rule(state, PlayCard("new-A3", 1, 0, ("1a1", None), ("1a1-1b1",))) == "P39"

    def test_p42_red_costs_one_white_brings_one(self):
        held = [
            after(holding("new-A1", shooting=2), PlayCard("new-A1", 1, 0, stars)).seats[0].shooting
            for stars in (("1r1", "5r1"), ("1a2", "1c3"), ("1a1", "1b1"), ("1r1", "1a2"))
        ]
        assert held == [0, 4, 2, 2]

    def test_p43_costs_are_paid_with_what_is_held_and_earned(self):
        state = holding("new-B1", "new-B8")
        red = PlayCard("new-B1", 1, 0, ("1r1",))
        assert rule(state, red) == "P43"
        earned = after(state, PlayCard("new-B8", 1, 1, (), ("1a1-1a2",)))
        assert rule(earned, red) is None
        assert after(earned, red).seats[0].shooting == 0

    def test_p46_dawn_cards_beyond_the_last_free_space_are_discarded(self):
        dawn = ("full-B2", "full-B5", "full-B6", "full-B7", "gibbous-B2", "gibbous-B5")
        state = holding("new-B2", "new-B5", "new-B1", dawn=dawn)
        plays = [PlayCard(card, 1) for card in ("new-B2", "new-B1", "new-B5")]
        end = after(state, *plays, EndTurn())
        assert end.dawn == (*dawn, "new-B2")
        assert end.discards["basic"] == ("new-B1", "new-B5")

    def test_p48_35_stars_a_player_and_80_links(self):
        spaces = STANDARD_SKY.star_spaces
        far = [space for space in spaces if space[0] != "1" and space[:2] != "5r"]
        full = Sky(dict.fromkeys(far[:35], "red"), (), 1)
        state = holding("new-B3", sky=full)
        star = PlayCard("new-B3", 1, 0, ("1b2",), ("1b2-1c2",))
        assert rule(state, star) == "P48"
        links = [link for link in STANDARD_SKY.link_spaces if not link.startswith("1b2")]
        state = holding("new-B3", sky=Sky({}, tuple(links[:80]), 1))
        assert rule(state, star) == "P48"
        assert rule(state, replace(star, links=())) is None

    def test_an_illegal_action_changes_nothing_and_says_why(self):
        with pytest.raises(IllegalActionError, match="2a1 is no star space of sector 1"):
            after(holding("new-B1"), PlayCard("new-B1", 1, 0, ("2a1",)))


class TestEveryWayToPlayACard:
    def plays(self, *hand: str, **more) -> list[PlayCard]:
        found = [
            action
            for action in TURNS.actions(holding(*hand, **more))
            if isinstance(action, PlayCard)
        ]
        assert len(found) == len(set(found))
        return found

    def test_a_star(self):
        assert len(self.plays("new-B1", shooting=1)) == 20 + 1, "or nothing"
        assert len(self.plays("new-B1")) == 12 + 1, "red ones cannot be paid"

    def test_a_star_with_a_link_beside_it(self):
        """Inner stars on either side, red ones towards their sector's inside, or without."""
        assert len(self.plays("new-B3", shooting=1)) == 12 * 3 + 8 * 2 + 1

    def test_two_stars(self):
        pairs = 20 * 19 // 2
        assert len(self.plays("new-A1", shooting=2)) == pairs + 20 + 1

    def test_two_joined_stars(self):
        """Sixteen link spaces along the sector's orbits, each with the link or without it."""
        assert len(self.plays("new-A3", shooting=2)) == 16 * 2 + 20 + 1

    def test_a_choice(self):
        """20 stars; 5 spokes of 3 links and the one to Polaris; 16 along the orbits."""
        assert len(self.plays("new-B8", shooting=1)) == (20 + 1) + (15 + 1 + 1) + (16 + 1)

    def test_a_star_with_links_on_both_sides(self):
        inner, border = 12, 8
        plays = self.plays("crescent-A5", shooting=1)
        assert len(plays) == inner * (1 + 2 + 1) + border * 2 + 1

    def test_changed_cards_beside_one_that_keeps_its_moon(self):
        plays = self.plays("new-B1", "full-B1", shooting=4)
        found = Counter((play.card, play.sector) for play in plays)
        assert found == dict.fromkeys(
            [("new-B1", 1), ("new-B1", 5), ("full-B1", 1), ("full-B1", 5)], 21
        )
