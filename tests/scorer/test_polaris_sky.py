"""A sky as it lies: what it can hold, and which rules it breaks."""

import copy
import pickle

import pytest

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.sky import Sky, UnknownLinkError, UnknownSpaceError, turn_breaks
from scorer.polaris.words import NEUTRAL

FOUR = ("red", "yellow", "blue", "purple")
TWO = ("red", "blue")
NEUTRAL_STARS = dict.fromkeys(STANDARD_SKY.starred, NEUTRAL)
SPACES = STANDARD_SKY.star_spaces
LINKS = tuple(STANDARD_SKY.link_spaces)


def broken(sky: Sky, colours=FOUR) -> list[tuple]:
    """(kind, rule, spaces) of what a sky breaks."""
    return [(flag.kind, flag.more["rule"], flag.spaces) for flag in sky.rule_breaks(colours)]


class TestWhatItHolds:
    def test_stars_and_links_in_the_boards_order(self):
        sky = Sky({"3b1": "blue", "1a1": "red"}, ("polaris-1b1", "1a1-1b1"))
        assert sky.links == ("1a1-1b1", "polaris-1b1")
        assert sky.where("red") == ("1a1",)
        assert sky.has_link("polaris-1b1") and not sky.has_link("1a1-1a2")

    @pytest.mark.parametrize("space", ["polaris", "6a1", "", "1a5"])
    def test_no_star_on_what_is_no_star_space(self, space):
        with pytest.raises(UnknownSpaceError, match="no star space"):
            Sky({space: "red"})

    @pytest.mark.parametrize("link", ["1a1-1c1", "1a1", "1a2-1a1"])
    def test_no_link_on_what_is_no_link_space(self, link):
        with pytest.raises(UnknownLinkError, match="no link space"):
            Sky({}, (link,))

    def test_no_new_moon_before_a_sector_that_is_not(self):
        with pytest.raises(ValueError, match="no sector 6"):
            Sky({}, (), 6)

    def test_it_is_a_value(self):
        stars = {"1a1": "red"}
        sky = Sky(stars, ("1a1-1b1",), 3)
        stars["1a2"] = "blue"
        assert dict(sky.stars) == {"1a1": "red"}
        assert pickle.loads(pickle.dumps(sky)) == sky == copy.deepcopy(sky)


class TestP14NeutralStars:
    def test_a_legal_sky_of_two(self):
        assert broken(Sky(NEUTRAL_STARS | {"1a1": "red", "1r2": "blue"}), TWO) == []

    def test_nobody_may_place_on_a_starred_space(self):
        sky = Sky(NEUTRAL_STARS | {"1c1": "red"})
        assert broken(sky, TWO) == [("closed_space", "P14", ("1c1",))]

    def test_with_three_anybody_may(self):
        assert broken(Sky({"1c1": "red"}), ("red", "blue", "yellow")) == []

    def test_a_missing_neutral_star_is_flagged(self):
        stars = {space: own for space, own in NEUTRAL_STARS.items() if space != "2a4"}
        assert broken(Sky(stars), TWO) == [("neutral_missing", "P14", ("2a4",))]
        (flag,) = Sky({}).rule_breaks(TWO)
        assert str(flag.reason).endswith("10 are missing"), "marked, not listed"

    def test_a_neutral_star_elsewhere_is_flagged(self):
        sky = Sky(NEUTRAL_STARS | {"2b2": NEUTRAL})
        assert broken(sky, TWO) == [("neutral_astray", "P14", ("2b2",))]

    @pytest.mark.parametrize("colour", ["white", NEUTRAL])
    def test_a_star_that_is_nobodys_is_flagged(self, colour):
        assert broken(Sky({"1a1": colour})) == [("nobodys_star", "P14", ("1a1",))]


class TestP48Supply:
    def test_35_stars_a_player(self):
        assert broken(Sky(dict.fromkeys(SPACES[:35], "red"))) == []
        sky = Sky(dict.fromkeys(SPACES[:36], "red"))
        assert broken(sky) == [("too_many", "P48", SPACES[:36])]
        assert sky.rule_breaks(FOUR)[0].reason == "36 red stars, and a player has 35"

    def test_80_links(self):
        assert broken(Sky({}, LINKS[:80])) == []
        (flag,) = Sky({}, LINKS[:81]).rule_breaks(FOUR)
        assert (flag.kind, flag.spaces) == ("too_many_links", ())
        assert flag.to_data()["links"] == list(LINKS[:81])


def test_where_nobody_said_who_plays_only_the_supply_is_looked_at():
    assert Sky(NEUTRAL_STARS | {"1c1": "white"}).rule_breaks() == ()
    stars = dict.fromkeys(SPACES[:36], "white") | dict.fromkeys(SPACES[36:72], NEUTRAL)
    assert [flag.kind for flag in Sky(stars).rule_breaks()] == ["too_many"]


class TestATurn:
    """What one turn may do to a sky, whatever cards were played."""

    before = Sky({"1a1": "red"}, ("1a1-1b1",))

    def kinds(self, stars, links=("1a1-1b1",), mover=None) -> list[str]:
        return [flag.kind for flag in turn_breaks(self.before, Sky(stars, links), mover)]

    def test_p33_all_that_came_lies_in_one_sector(self):
        came = {"1a1": "red", "1b3": "blue", "1r3": "blue"}
        assert self.kinds(came, ("1a1-1b1", "5r2-5r3"), "blue") == []
        assert self.kinds(came | {"2b1": "blue"}) == ["two_sectors"]
        assert self.kinds(came, ("1a1-1b1", "1r3-2a3")) == ["two_sectors"]

    def test_p33_a_red_space_may_be_of_either_sector(self):
        assert self.kinds({"1a1": "red", "1r1": "blue", "2a1": "blue"}) == []
        assert self.kinds({"1a1": "red", "1r1": "blue", "2r1": "blue", "3a1": "blue"}) != []

    def test_p37_nothing_is_taken_away_moved_or_replaced(self):
        assert self.kinds({}) == ["taken_away"]
        assert self.kinds({"1a2": "red"}) == ["taken_away"]
        assert self.kinds({"1a1": "blue"}) == ["taken_away"]
        assert self.kinds({"1a1": "red"}, ()) == ["taken_away"]

    def test_p37_the_stars_are_the_movers(self):
        came = {"1a1": "red", "1b3": "blue"}
        assert self.kinds(came, mover="red") == ["not_the_movers"]
        assert self.kinds(came, mover="blue") == []

    def test_p38_a_link_may_lie_whosever_stars_are_at_its_ends(self):
        assert self.kinds({"1a1": "red"}, ("1a1-1b1", "1c1-1c2"), "blue") == []
