"""Editions of Polaris: what ships, what an owner may change, the action cards, the moons."""

from collections import Counter

import pytest

from scorer.editions import EditionError
from scorer.polaris.action_card import Choice, ShownLink
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.edition import load_edition
from scorer.polaris.edition_file import edition_from_data
from scorer.polaris.sky import Sky
from scorer.polaris.turn_inference import lunar_sectors

STANDARD = load_edition("standard")
RING = (1, 2, 3, 4, 5)


def edition(**changes):
    return edition_from_data({"extends": "standard", **changes}, "mine")


def problems(**changes) -> dict[str, str]:
    with pytest.raises(EditionError) as error:
        edition(**changes)
    return dict(error.value.problems)


class TestTheStandardEdition:
    def test_points_known_from_the_rulebook(self):
        assert (STANDARD.start, STANDARD.telescope, STANDARD.bonus) == (5, 2, 3)
        assert STANDARD.tiers == (-2, 1, 3, 6, 10)
        assert STANDARD.patterns == (3, 6, 10, 15)
        assert STANDARD.dawn_spaces >= 5

    def test_40_basic_and_24_advanced_action_cards_a_like_share_for_each_moon(self):
        cards = STANDARD.actions.values()
        assert Counter(card.deck for card in cards) == {"basic": 40, "advanced": 24}
        shares = Counter(card.moon for card in cards)
        assert shares == {"new": 12, "crescent": 13, "quarter": 13, "gibbous": 13, "full": 13}

    def test_p36_the_faces_known_from_the_rulebook(self):
        star_and_link = (Choice(1, (ShownLink("horizontal", (0,)),)),)
        assert STANDARD.actions["new-B3"].choices == star_and_link
        assert STANDARD.actions["new-B4"].choices[0].links == (ShownLink("vertical", (0,)),)
        choice = STANDARD.actions["full-B7"]
        assert choice.dawn
        assert choice.choices == (
            Choice(1),
            Choice(0, (ShownLink("vertical"),), 1),
            Choice(0, (ShownLink("horizontal"),), 1),
        )


class TestP20AndP21Moons:
    @pytest.mark.parametrize("new_moon", RING)
    def test_moon_j_faces_the_sector_j_after_the_new_moons(self, new_moon):
        moons = ("new", "crescent", "quarter", "gibbous", "full")
        faced = lunar_sectors(STANDARD, Sky({}, new_moon=new_moon))
        following = [*range(new_moon, 6), *range(1, new_moon)]
        assert faced == dict(zip(moons, following, strict=True))


class TestAnOwnersEdition:
    def test_what_it_does_not_say_is_as_in_the_standard(self):
        mine = edition(dawn_spaces=6)
        assert (mine.dawn_spaces, mine.tiers, mine.id) == (6, STANDARD.tiers, "mine")

    def test_a_mapping_keeps_what_it_does_not_say(self):
        mine = edition(constellations={"3": 1, "8": 12})
        assert [mine.constellation_points(size) for size in (2, 3, 4, 7, 9)] == [0, 1, 3, 10, 12]

    def test_p58_fewer_than_five_dawn_spaces_cannot_be(self):
        assert problems(dawn_spaces=4) == {"dawn_spaces": "must be 5 or more, not 4"}

    def test_a_common_card_may_have_another_number_or_other_values(self):
        mine = edition(
            common={"C1": "C5", "C2": {"sector": 3}, "C11": {"thresholds": [0, 3, 5, 7, 9]}}
        )
        own = PlayerStars(Sky({"5a1": "red", "3a1": "red", "3b1": "red"}), "red")
        assert [mine.common[card].check(own).count for card in ("C1", "C2", "C5")] == [1, 2, 1]
        assert mine.common["C11"].thresholds == (0, 3, 5, 7, 9)
        assert mine.common["C1"].name == "Stars in sector 5"

    def test_a_common_card_may_be_of_another_family(self):
        assert edition(common={"C1": {"family": "longest_line"}}).common["C1"].thresholds[1] == 2

    def test_a_personal_card_may_be_drawn_otherwise(self):
        mine = edition(
            personal={"PO1": {"first": "0 up 1", "second": "0 right 1 up 2"}, "PO2": "PO3"}
        )
        own = PlayerStars(Sky({"1a1": "red", "1a2": "red"}, ("1a1-1a2",)), "red")
        assert mine.personal["PO1"].check(own).count == 1
        assert mine.personal["PO2"].forms == STANDARD.personal["PO3"].forms

    def test_a_face_of_an_action_card_may_be_another(self):
        mine = edition(
            actions={"B1": {"deck": "basic", "choices": [{"stars": 2}], "moons": ["new"]}}
        )
        assert mine.actions["new-B1"].choices == (Choice(2),)
        assert "full-B1" not in mine.actions and "full-B2" in mine.actions

    @pytest.mark.parametrize(
        ("change", "key", "reason"),
        [
            ({"colours": ["red", "red", "blue", "white"]}, "colours", "four different colours"),
            ({"moons": ["new", "full"]}, "moons", "5 different moons"),
            ({"tiers": [1, 2]}, "tiers", "5 rising numbers of points"),
            ({"constellations": {"9": 2}}, "constellations", "points for 2, 3, 4 ... stars"),
            ({"patterns": []}, "patterns", "points for one pattern"),
            ({"shooting_stars_a_point": 0}, "shooting_stars_a_point", "must be 1 or more"),
            ({"extends": "other"}, "extends", "must be standard"),
            ({"common": {"C16": "C1"}}, "common.C16", "is not a card of that deck"),
            ({"common": {"C1": {"orbit": 1}}}, "common.C1", "does not take these parameters"),
            ({"common": {"C1": {"sector": 0}}}, "common.C1.sector", "not possible here"),
            ({"common": {"C1": {"family": "x"}}}, "common.C1.family", "not a family of cards"),
            ({"common": {"C1": {"thresholds": [1, 2]}}}, "common.C1.thresholds", "5 rising"),
            ({"personal": {"PO1": {"first": "0 up"}}}, "personal.PO1.first", "no chain such as"),
            ({"personal": {"PO1": {"first": "0 in 1"}}}, "personal.PO1.first", "in is not one of"),
            ({"personal": {"PO1": {"first": "1 up 2"}}}, "personal.PO1.first", "no step has come"),
            (
                {"personal": {"PO1": {"first": "a up b"}}},
                "personal.PO1.first",
                "a is not the number",
            ),
            ({"actions": {"B1": {"choices": []}}}, "actions.B1.choices", "a list of choices"),
            (
                {"actions": {"B1": {"deck": "x"}}},
                "actions.B1.deck",
                "must be 'basic' or 'advanced'",
            ),
            (
                {"actions": {"B1": {"choices": [{"links": [{"vertical": [0]}]}]}}},
                "actions.B1.choices[0]",
                "a link touches star 0, but the choice has 0 stars",
            ),
            (
                {"actions": {"B1": {"choices": [{"stars": 1}], "moons": ["blue"]}}},
                "actions.B1.moons",
                "blue is not one of new, crescent",
            ),
        ],
    )
    def test_what_cannot_be_is_reported_with_its_key(self, change, key, reason):
        assert reason in problems(**change)[key]

    def test_without_extends_every_key_is_needed(self):
        with pytest.raises(EditionError) as error:
            edition_from_data({"format": 1}, "mine")
        assert ("moons", "missing") in error.value.problems

    def test_it_is_read_from_a_file(self, tmp_path):
        file = tmp_path / "mine.yaml"
        file.write_text("extends: standard\nbonus: 4\n", encoding="utf-8")
        assert load_edition(file).bonus == 4
        with pytest.raises(EditionError, match="not known; there is standard"):
            load_edition("pocket")
