"""The 15 common and 10 personal objectives: P60 to P67, P72, P73."""

from itertools import pairwise
from random import Random

import pytest

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.card import COMMON, PERSONAL
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.patterns import Form, least_missing, most_occurrences
from scorer.polaris.result import SkyResult
from scorer.polaris.sky import Sky

TO_2, TO_1 = (0, 2, 4, 6, 8), (0, 1, 2, 3, 4)


def check(card: str, red: str, links: str = "", **others: str) -> SkyResult:
    stars = dict.fromkeys(red.split(), "red")
    for colour, spaces in others.items():
        stars |= dict.fromkeys(spaces.split(), colour)
    return {**COMMON, **PERSONAL}[card].check(PlayerStars(Sky(stars, tuple(links.split())), "red"))


class TestTheCards:
    def test_there_are_15_in_the_appendixs_order(self):
        families = [card.family for card in COMMON.values()]
        assert families[:9] == ["stars_in_sector"] * 5 + ["stars_in_orbit"] * 4
        assert families[9:] == [
            "stars_on_borders",
            "longest_line",
            "different_sizes",
            "presence_in_orbits",
            "presence_in_sectors",
            "surrounded_stars",
        ]
        assert [COMMON[f"C{n}"].parameters["sector"] for n in range(1, 6)] == [1, 2, 3, 4, 5]
        assert [COMMON[f"C{n}"].parameters["orbit"] for n in range(6, 10)] == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("cards", "thresholds"),
        [(range(1, 12), TO_2), ((12, 13), TO_1), ((14, 15), (0, 1, 2, 3, 5))],
    )
    def test_their_thresholds(self, cards, thresholds):
        assert {COMMON[f"C{number}"].thresholds for number in cards} == {thresholds}

    @pytest.mark.parametrize("count", range(10))
    def test_a_count_reaches_the_highest_tier_that_it_can(self, count):
        result = check("C7", " ".join(STANDARD_SKY.orbits[2][:count]))
        assert (result.count, result.tier) == (count, min(count // 2, 4))
        following = [2, 2, 4, 4, 6, 6, 8, 8, None, None]
        assert result.next_threshold == following[count]
        assert result.progress == min(count / 8, 1)
        assert result.met == (count >= 8)


class TestP60Sectors:
    def test_a_red_space_counts_for_both_its_sectors(self):
        stars = "1a1 1b2 1r3 5r4 2a1"
        assert [check(f"C{sector}", stars).count for sector in range(1, 6)] == [4, 2, 0, 0, 1]

    def test_the_stars_that_earn_it_and_the_empty_spaces(self):
        result = check("C1", "1a1 1r3 2a1", blue="1b1")
        assert set(result.spaces) == {"1a1", "1r3"}
        assert len(result.missing) == 20 - 3
        assert "5r1" in result.missing and "1b1" not in result.missing


class TestP61Orbits:
    def test_own_stars_on_the_orbit(self):
        assert check("C8", "1a3 1r3 4c3 4c2", blue="2a3").count == 3


class TestP62Borders:
    def test_own_stars_on_red_spaces(self):
        result = check("C10", "1r1 2r4 1a1", blue="3r1")
        assert (result.count, result.spaces) == (2, ("1r1", "2r4"))


class TestP63LongestLine:
    def test_the_line_is_lit_up(self):
        result = check("C11", "1a1 1b1 1c1 1b2", "1a1-1b1 1b1-1c1 1b1-1b2")
        assert (result.count, len(result.spaces), len(result.links)) == (3, 3, 2)

    def test_lonely_stars_are_no_line(self):
        assert check("C11", "1a1 2a1").count == 0

    def test_a_star_and_polaris_are_two(self):
        assert check("C11", "1b1", "polaris-1b1").count == 2


class TestP64DifferentSizes:
    def test_how_many_sizes_and_not_how_many_constellations(self):
        pairs = "1a1 1b1 2a1 2b1"
        result = check("C12", f"{pairs} 3a2 3b2 3c2 4c4", "1a1-1b1 2a1-2b1 3a2-3b2 3b2-3c2")
        assert result.count == 2
        assert result.calculation == "2 different sizes: 2, 3"
        assert result.spaces == ("1a1", "1b1", "3a2", "3b2", "3c2")

    def test_lonely_stars_are_none(self):
        assert check("C12", "1a1 2a1").count == 0

    def test_polaris_counts(self):
        links = "1a1-1b1 2a1-2b1 polaris-2b1"
        assert check("C12", "1a1 1b1 2a1 2b1", links).count == 2


class TestP65PresenceInOrbits:
    def test_orbits_with_two_and_those_with_three_break_a_tie(self):
        result = check("C13", "1a1 2a1 3a1 1a2 2a2 1a3")
        assert (result.count, result.tie_break) == (2, 1)
        assert set(result.spaces) == {"1a1", "2a1", "3a1", "1a2", "2a2"}
        assert "1b3" in result.missing and "1b1" not in result.missing

    def test_red_spaces_count(self):
        assert check("C13", "1r1 2r1").count == 1


class TestP66PresenceInSectors:
    def test_red_spaces_count_for_neither_sector(self):
        assert check("C14", "1a1 1r1 1r2 1r3").count == 0
        result = check("C14", "1a1 1a2 2a1 2a2 2a3 1r1")
        assert (result.count, result.tie_break) == (2, 1)

    def test_all_five_for_the_top(self):
        stars = " ".join(f"{sector}{one}" for sector in range(1, 6) for one in ("a1", "b3"))
        assert check("C14", stars).tier == 4
        assert check("C14", stars.replace("5b3", "5r3")).tier == 3


class TestP67SurroundedStars:
    around = "5r1-1a1 1a1-1b1 1a1-1a2"

    def test_all_three_or_four_link_spaces_hold_a_link(self):
        four = "1a2-1b2 1b2-1c2 1b1-1b2 1b2-1b3"
        result = check("C15", "1a1 1b2", f"{self.around} {four}")
        assert (result.count, result.tie_break) == (2, 1)
        assert set(result.links) == set(f"{self.around} {four}".split())

    def test_whosever_stars_are_at_the_other_ends(self):
        assert check("C15", "1a1", self.around, blue="1b1 1a2").count == 1

    def test_one_missing_is_too_few_and_is_named(self):
        result = check("C15", "1a1", "5r1-1a1 1a1-1b1")
        assert (result.count, result.missing_links) == (0, ("1a1-1a2",))

    def test_the_link_to_polaris_is_one_of_them(self):
        links = "1a1-1b1 1b1-1c1 1b1-1b2"
        assert check("C15", "1b1", links).count == 0
        assert check("C15", "1b1", f"{links} polaris-1b1").tie_break == 1


# Each form of each card as it lies around 2b2, by the table of the rules: spaces, then links.
FORMS = {
    "PO1": [
        ("2b2 2c2 2r2 3a2", "2b2-2c2 2c2-2r2 2r2-3a2"),
        ("2b1 2b2 2b3 2b4", "2b1-2b2 2b2-2b3 2b3-2b4"),
    ],
    "PO2": [
        ("2b2 2b3 2b4 2c4", "2b2-2b3 2b3-2b4 2b4-2c4"),
        ("2b2 2b3 2b4 2a4", "2b2-2b3 2b3-2b4 2a4-2b4"),
    ],
    "PO3": [
        ("2b2 2b3 2b4 2c2", "2b2-2b3 2b3-2b4 2b2-2c2"),
        ("2b2 2b3 2b4 2a2", "2b2-2b3 2b3-2b4 2a2-2b2"),
    ],
    "PO4": [
        ("2b2 2c2 2r2 2r3", "2b2-2c2 2c2-2r2 2r2-2r3"),
        ("2b2 2a2 1r2 1r3", "2a2-2b2 1r2-2a2 1r2-1r3"),
    ],
    "PO5": [
        ("2b2 2c2 2r2 2r1", "2b2-2c2 2c2-2r2 2r1-2r2"),
        ("2b2 2a2 1r2 1r1", "2a2-2b2 1r2-2a2 1r1-1r2"),
    ],
    "PO6": [
        ("2b2 2c2 2c3 2r3", "2b2-2c2 2c2-2c3 2c3-2r3"),
        ("2b2 2a2 2a3 1r3", "2a2-2b2 2a2-2a3 1r3-2a3"),
    ],
    "PO7": [
        ("2b2 2b3 2c3 2c4", "2b2-2b3 2b3-2c3 2c3-2c4"),
        ("2b2 2b3 2a3 2a4", "2b2-2b3 2a3-2b3 2a3-2a4"),
    ],
    "PO8": [
        ("2b2 2c2 2r2 2c3", "2b2-2c2 2c2-2r2 2c2-2c3"),
        ("2b2 2c2 2r2 2c1", "2b2-2c2 2c2-2r2 2c1-2c2"),
    ],
    "PO9": [
        ("2b2 2b3 2b4 2c3", "2b2-2b3 2b3-2b4 2b3-2c3"),
        ("2b2 2b3 2b4 2a3", "2b2-2b3 2b3-2b4 2a3-2b3"),
    ],
    "PO10": [
        ("2b2 2b1 2c1 2c2", "2b1-2b2 2b1-2c1 2c1-2c2"),
        ("2b2 2b3 2c3 2c2", "2b2-2b3 2b3-2c3 2c2-2c3"),
    ],
}
EVERY_FORM = [(card, *form) for card, forms in FORMS.items() for form in forms]


class TestP72Patterns:
    @pytest.mark.parametrize(("card", "spaces", "links"), EVERY_FORM)
    def test_a_form_is_found_by_its_own_card_alone(self, card, spaces, links):
        found = {other for other in PERSONAL if check(other, spaces, links).count}
        assert found == {card}
        result = check(card, spaces, links)
        assert result.count == 1
        assert set(result.spaces) == set(spaces.split())
        assert set(result.links) == set(links.split())

    @pytest.mark.parametrize(("card", "spaces", "links"), EVERY_FORM)
    def test_it_wants_all_its_stars_and_all_its_links(self, card, spaces, links):
        for space in spaces.split():
            fewer = [other for other in spaces.split() if other != space]
            assert check(card, " ".join(fewer), links, blue=space).count == 0
        for link in links.split():
            assert check(card, spaces, " ".join(set(links.split()) - {link})).count == 0

    def test_more_stars_and_links_around_or_within_do_not_matter(self):
        square = "2b2-2c2 2b3-2c3 2b2-2b3 2c2-2c3 2b3-2b4"
        assert check("PO10", "2b2 2b3 2c2 2c3 2b4", square).count == 1

    def test_polaris_is_never_part_of_it(self):
        assert check("PO1", "1b1 1b2 1b3", "polaris-1b1 1b1-1b2 1b2-1b3").count == 0
        row_and_down = "5r1-1a1 1a1-1b1 polaris-1b1"
        assert check("PO5", "5r1 1a1 1b1", row_and_down).count == 0

    def test_its_stars_are_different_ones(self):
        """A form that an owner drew to and fro comes back to where it began."""
        own = PlayerStars(Sky({"1a1": "red", "1a2": "red"}, ("1a1-1a2",)), "red")
        assert most_occurrences(own, (Form.from_text("0 up 1 down 2"),)) == ()
        assert len(most_occurrences(own, (Form.from_text("0 up 1 down 0"),))) == 1

    def test_it_lies_across_the_first_spoke_too(self):
        assert check("PO1", "5c2 5r2 1a2 1b2", "5c2-5r2 5r2-1a2 1a2-1b2").count == 1


class TestP73NoStarTwice:
    def test_five_in_a_row_are_one_row_of_four_and_eight_are_two(self):
        row = STANDARD_SKY.orbits[3]
        links = [f"{a}-{b}" for a, b in pairwise(row)]
        for stars, times in ((4, 1), (5, 1), (7, 1), (8, 2), (12, 3), (19, 4)):
            result = check("PO1", " ".join(row[:stars]), " ".join(links[: stars - 1]))
            assert result.count == times
            assert len(result.spaces) == len(set(result.spaces)) == 4 * times

    def test_both_forms_together(self):
        rows = "1a4 1b4 1c4 1r4", "3a1 3a2 3a3 3a4"
        links = "1a4-1b4 1b4-1c4 1c4-1r4 3a1-3a2 3a2-3a3 3a3-3a4"
        assert check("PO1", " ".join(rows), links).count == 2

    def test_the_choice_that_fits_most_is_found(self):
        """A row across two columns: to take it is to lose both."""
        columns = "2b1 2b2 2b3 2b4 2c1 2c2 2c3 2c4"
        down = "2b1-2b2 2b2-2b3 2b3-2b4 2c1-2c2 2c2-2c3 2c3-2c4"
        row = "2a1-2b1 2b1-2c1 2c1-2r1"
        assert check("PO1", f"2a1 {columns} 2r1", f"{down} {row}").count == 2

    @pytest.mark.parametrize("card", list(PERSONAL))
    def test_what_it_lacks_once_more_is_enough_and_free(self, card):
        luck, board = Random(1), STANDARD_SKY
        for count in (0, 12, 24):
            stars = {
                at: luck.choice(["red", "blue"]) for at in luck.sample(board.star_spaces, count)
            }
            own = PlayerStars(Sky(stars, luck.sample([*board.link_spaces], 2 * count)), "red")
            missing = least_missing(own, PERSONAL[card].forms)
            links = [at for at in missing if at in board.link_spaces]
            new = dict.fromkeys((at for at in missing if at not in links), "red")
            assert missing and not new.keys() & stars.keys() and not {*links} & {*own.sky.links}
            then = PlayerStars(Sky(stars | new, (*own.sky.links, *links)), "red")
            assert PERSONAL[card].check(then).count > PERSONAL[card].check(own).count

    def test_what_it_lacks_may_use_stars_of_another_choice(self):
        """A row of five can give up its first star to a column."""
        row, below = "1a1 1b1 1c1 1r1 2a1", "1a1-1a2 1a2-1a3"
        stars = dict.fromkeys([*row.split(), "1a2", "1a3"], "red")
        links = ("1a1-1b1", "1b1-1c1", "1c1-1r1", "1r1-2a1", *below.split())
        own = PlayerStars(Sky(stars, links), "red")
        assert len(most_occurrences(own, PERSONAL["PO1"].forms)) == 1
        assert least_missing(own, PERSONAL["PO1"].forms) == ("1a4", "1a3-1a4")

    @pytest.mark.parametrize("card", list(PERSONAL))
    def test_no_more_are_looked_for_than_the_35_stars_of_a_player_can_form(self, card):
        """P48: a sky full of one colour, on which the search for the most takes seconds."""
        sky = Sky(dict.fromkeys(STANDARD_SKY.star_spaces, "red"), STANDARD_SKY.link_spaces)
        assert PERSONAL[card].check(PlayerStars(sky, "red")).count == 8
