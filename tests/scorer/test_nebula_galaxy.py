"""Placing stars, with every reason why not; and the rules that a board as it lies breaks."""

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.edition import load_edition
from scorer.nebula.galaxy import (
    Galaxy,
    IllegalPlacementError,
    UnknownColourError,
    UnknownSpaceError,
)
from scorer.nebula.words import COLOURS
from tests.scorer.nebula_second_opinion import NEAR, SPACES, random_legal_stars


class TestPlacing:
    def test_the_first_star_goes_on_the_core(self):
        galaxy = Galaxy({})
        assert galaxy.illegal("core", "red") is None
        assert galaxy.illegal("ar1", "red") == "the first star goes on the core"
        assert {space for space, _ in galaxy.legal_placements()} == {"core"}

    def test_a_later_star_goes_on_a_space_linked_to_an_occupied_one(self):
        galaxy = Galaxy({"core": "red"})
        assert galaxy.illegal("ar1", "blue") is None
        assert galaxy.illegal("ar2", "blue") == "no star is on a space linked to ar2"

    @pytest.mark.parametrize(
        ("kind", "space"), [("direct", "ar5"), ("indirect", "ar2"), ("orbital", "ta6")]
    )
    def test_each_kind_of_link_binds(self, kind, space):
        assert any(link.ends == {"ar6", space} for link in STANDARD_BOARD.links_of(kind)) or (
            kind == "orbital"
        )
        neighbour = {"direct": "ar5", "indirect": "ar2", "orbital": "ca6"}[kind]
        galaxy = Galaxy({"core": "white", neighbour: "red"})
        assert galaxy.illegal("ar6", "blue") is None
        assert galaxy.illegal("ar6", "red") == f"ar6 is linked to the red star on {neighbour}"

    def test_the_rulebooks_example_white_next_to_red_by_an_indirect_link(self):
        galaxy = Galaxy({"core": "blue", "ar1": "yellow", "ar2": "red"}, black=2)
        galaxy = galaxy.place("ar6", "white").with_black_star()
        assert galaxy.stars["ar6"] == "white"
        assert galaxy.black == 3, "black becomes the third on the track"

    def test_a_star_takes_the_place_of_another_the_old_one_away(self):
        galaxy = Galaxy({"core": "red", "ar1": "blue", "ar2": "red"})
        assert galaxy.place("ar1", "white").stars["ar1"] == "white"
        assert galaxy.place("ar1", "blue").stars == galaxy.stars, "its own colour does not bind"
        assert galaxy.illegal("ar1", "red") == "ar1 is linked to the red star on core"

    def test_a_lone_core_may_be_replaced(self):
        assert Galaxy({"core": "red"}).place("core", "blue").stars == {"core": "blue"}

    def test_a_replaced_star_needs_a_linked_one_too(self):
        galaxy = Galaxy({"core": "red", "ge6": "blue"})  # ge6 should not lie there
        assert galaxy.illegal("ge6", "white") == "no star is on a space linked to ge6"

    def test_black_stars_go_on_the_track_until_it_is_full(self):
        galaxy = Galaxy({"core": "red"}, black=9)
        assert "track" in galaxy.illegal("ar1", "black")
        spaces = load_edition("standard").track_spaces
        assert galaxy.illegal_black(spaces) is None
        full = galaxy.with_black_star()
        assert full.illegal_black(spaces) == "all 10 spaces of the black-star track are taken"

    def test_what_is_not_in_the_game_is_named(self):
        galaxy = Galaxy({"core": "red"})
        assert galaxy.illegal("ar9", "red") == "the board has no space ar9"
        assert "pink is not a colour" in galaxy.illegal("ar1", "pink")
        with pytest.raises(IllegalPlacementError, match="no space ar9"):
            galaxy.place("ar9", "red")
        with pytest.raises(UnknownSpaceError, match="ar9"):
            Galaxy({"ar9": "red"})
        with pytest.raises(UnknownColourError, match="pink"):
            Galaxy({"core": "pink"})
        with pytest.raises(ValueError, match="-1"):
            Galaxy({}, black=-1)

    def test_reasons_are_said_in_the_players_language(self):
        reason = Galaxy({"core": "red"}).illegal("ar1", "red")
        assert reason.in_language("es") == "ar1 está enlazada a la Estrella roja de core"
        assert reason.in_language("cs") == "ar1 je spojeno s hvězdou červené barvy na core"

    @given(st.integers(min_value=0, max_value=10_000))
    def test_legal_placements_are_those_of_the_rules(self, seed):
        stars = random_legal_stars(random.Random(seed))
        expected = set()
        for space in SPACES:
            others = {s: c for s, c in stars.items() if s != space}
            around = {others[near] for near in NEAR[space] if near in others}
            if around or (not others and space == "core"):
                expected |= {(space, colour) for colour in COLOURS if colour not in around}
        assert set(Galaxy(stars).legal_placements()) == expected

    @given(st.integers(min_value=0, max_value=10_000))
    def test_a_legal_placement_never_breaks_a_rule(self, seed):
        galaxy = Galaxy(random_legal_stars(random.Random(seed)))
        for space, colour in galaxy.legal_placements():
            assert not galaxy.place(space, colour).rule_breaks()


class TestBoardAsItLies:
    def kinds(self, stars):
        return [(broken.kind, broken.spaces) for broken in Galaxy(stars).rule_breaks()]

    def test_a_legal_board_breaks_none(self):
        assert self.kinds({}) == []
        assert self.kinds({"core": "red", "ar1": "blue"}) == []

    def test_same_colour_link_once_for_each_link(self):
        assert self.kinds({"core": "red", "ar1": "red"}) == [("same_colour_link", ("core", "ar1"))]
        three = self.kinds({"core": "red", "ar1": "blue", "ar2": "blue", "ar4": "blue"})
        assert three == [("same_colour_link", ("ar1", "ar2")), ("same_colour_link", ("ar1", "ar4"))]

    def test_not_connected_names_the_spaces_without_a_way_to_the_core(self):
        stars = {"core": "red", "ar1": "blue", "ge6": "white", "ca6": "blue"}
        assert self.kinds(stars) == [("not_connected", ("ge6", "ca6"))]

    def test_no_core(self):
        assert self.kinds({"ar1": "blue"}) == [("no_core", ("core",))]

    def test_black_on_the_galaxy(self):
        assert self.kinds({"core": "red", "ar1": "black"}) == [("black_on_galaxy", ("ar1",))]

    def test_more_stars_of_a_colour_than_the_game_has(self):
        kinds = dict(self.kinds(dict.fromkeys(SPACES[:21], "red")))
        assert kinds["too_many"] == tuple(SPACES[:21])
        assert "too_many" not in dict(self.kinds(dict.fromkeys(SPACES[:20], "red")))

    def test_each_break_says_why(self):
        (broken,) = Galaxy({"core": "red", "ar1": "red"}).rule_breaks()
        assert broken.reason == "core and ar1 are linked and both red"
        assert broken.to_data() == {"kind": "same_colour_link", "spaces": ["core", "ar1"]}
        assert [link.kind for link in broken.links] == ["direct"]

    def test_neighbours_on_an_orbit_are_called_so_as_no_line_joins_them(self):
        stars = {"core": "red", "ar1": "blue", "ta1": "blue"}
        (broken,) = Galaxy(stars).rule_breaks()
        assert broken.reason == "ar1 and ta1 are neighbours on orbit 1 and both blue"
        assert (broken.kind, broken.spaces) == ("same_colour_link", ("ar1", "ta1"))


def test_a_galaxy_is_a_value():
    stars = {"core": "red"}
    galaxy = Galaxy(stars, black=2)
    stars["ar1"] = "blue"
    assert galaxy.stars == {"core": "red"}, "it keeps a copy of its own"
    assert galaxy == Galaxy({"core": "red"}, black=2)
    assert copy.deepcopy(galaxy) == pickle.loads(pickle.dumps(galaxy)) == galaxy
    with pytest.raises(TypeError):
        galaxy.stars["ar1"] = "blue"
