"""The Galaxy board: the standard layout, the known facts, and what is only told."""

import copy
from dataclasses import replace

import pytest

from scorer.nebula.board import STANDARD_BOARD, BoardError, Track
from scorer.nebula.board_file import read_board
from scorer.nebula.edition import load_edition
from scorer.nebula.edition_file import edition_from_data
from tests.scorer.nebula_second_opinion import BESIDE_HIGHLIGHTED, NEAR, ORBITS, SPACES


@pytest.fixture
def topology() -> dict:
    return copy.deepcopy(STANDARD_BOARD.to_data())


def refused(topology) -> list[tuple[str, str]]:
    with pytest.raises(BoardError) as error:
        read_board(topology)
    return list(error.value.problems)


def test_the_standard_board_is_the_one_of_the_table():
    assert set(STANDARD_BOARD.spaces) == set(SPACES)
    assert {space: STANDARD_BOARD.neighbours(space) for space in SPACES} == NEAR
    assert len(STANDARD_BOARD.links) == 52
    for number, spaces in ORBITS.items():
        assert list(STANDARD_BOARD.orbits[number]) == spaces
    assert sorted(STANDARD_BOARD.beside_highlighted) == sorted(BESIDE_HIGHLIGHTED)
    assert STANDARD_BOARD.notices() == ()


def test_constellations_are_adjacent_to_two_and_opposite_to_one():
    assert STANDARD_BOARD.opposite_constellations == (("aries", "gemini"), ("taurus", "cancer"))
    assert len(STANDARD_BOARD.adjacent_constellations) == 4


def test_a_topology_written_out_and_read_back_is_the_same_board(topology):
    assert read_board(topology) == STANDARD_BOARD
    assert read_board(topology | {"drawn_by": "Ana"}) == STANDARD_BOARD, "unknown keys"
    orbits_as_list = topology | {"orbits": list(topology["orbits"].values())}
    assert read_board(orbits_as_list) == STANDARD_BOARD


class TestKnownFactsAreRefusedByName:
    def test_25_spaces_in_constellations_of_6(self, topology):
        topology["constellations"]["aries"].remove("ar4")
        topology["orbits"][3].remove("ar4")
        topology["links"]["direct"] = [
            link for link in topology["links"]["direct"] if "ar4" not in link
        ]
        problems = refused(topology)
        assert ("", "a Galaxy board has 25 spaces; here 24") in problems
        assert ("constellations.aries", "a constellation has 6 spaces; here 5") in problems
        assert ("orbits.3", "orbit 3 has 6 spaces; here 5") in problems

    def test_4_constellations(self, topology):
        topology["constellations"]["leo"] = topology["constellations"].pop("aries")
        del topology["ring"]
        assert "there are 4" in dict(refused(topology))["constellations"]

    def test_a_space_is_in_one_constellation(self, topology):
        topology["constellations"]["taurus"][5] = "ar6"
        del topology["orbits"][5][1]
        topology["links"]["direct"].remove(["ta5", "ta6"])
        topology["links"]["indirect"].remove(["ta4", "ta6"])
        assert "ar6 is in Aries too" in dict(refused(topology))["constellations.taurus"]

    def test_5_orbits(self, topology):
        del topology["orbits"][1]
        assert refused(topology) == [("orbits", "there are 5 orbits, 1 to 5; here 2, 3, 4, 5")]

    def test_orbit_4_has_5_spaces(self, topology):
        topology["orbits"][5].append(topology["orbits"][4].pop(0))
        assert ("orbits.4", "orbit 4 has 5 spaces; here 4") in refused(topology)

    def test_an_orbit_without_repetition_has_at_most_6(self, topology):
        topology["orbits"][2] += ["ar1", "ta1", "ge1"]
        assert "at most 6 spaces; here 7" in dict(refused(topology))["orbits.2"]

    def test_5_highlighted_spaces_the_core_among_them(self, topology):
        topology["highlighted"] = ["ar3", "ta4", "ge3", "ca5"]
        assert refused(topology) == [
            ("highlighted", "5 spaces are highlighted; here 4"),
            ("highlighted", "the core is highlighted; here it is not"),
        ]

    def test_4_indirect_links_with_8_different_ends(self, topology):
        topology["links"]["indirect"][0] = ["ca2", "ca6"]
        assert "here 4 with 7" in dict(refused(topology))["links.indirect"]

    def test_direct_and_indirect_links_stay_in_a_constellation(self, topology):
        topology["links"]["direct"].append(["ar5", "ta5"])
        assert "ar5 and ta5 are in two" in dict(refused(topology))["links.direct"]

    def test_8_different_spaces_beside_the_outer_highlighted_ones(self, topology):
        topology["highlighted"][1] = "ge5"  # ta5 is beside it, and beside ta4
        assert "8 different ones" in dict(refused(topology))["highlighted"]


class TestMistakesInATopology:
    def test_every_mistake_is_reported(self):
        problems = dict(refused({"constellations": 3, "highlighted": "core", "links": []}))
        assert set(problems) == {"constellations", "orbits", "highlighted", "links"}

    def test_not_a_mapping(self):
        assert refused(["core"])[0][0] == "topology"
        assert refused("other")[0][0] == "topology"

    def test_unknown_spaces(self, topology):
        topology["links"]["direct"][0] = ["core", "xx1"]
        topology["orbits"][1][0] = "xx2"
        problems = refused(topology)
        assert ("links.direct", "xx1 is neither the core nor in a constellation") in problems
        assert ("orbits.1", "xx2 is neither the core nor in a constellation") in problems

    def test_pairs_orbits_and_ring(self, topology):
        topology["links"]["direct"][0] = ["core"]
        assert refused(topology) == [("links.direct[0]", "must be a pair of space ids")]
        topology["links"]["direct"][0] = ["core", "ar1"]
        assert refused(topology | {"ring": ["aries"]})[0][0] == "ring"
        assert refused(topology | {"core": 4})[0][0] == "core"
        topology["orbits"]["outer"] = topology["orbits"].pop(5)
        assert refused(topology) == [("orbits.outer", "must be a whole number, not 'outer'")]

    def test_orbital_links_follow_from_the_orbits(self, topology):
        topology["links"]["orbital"] = []
        assert refused(topology)[0][0] == "links.orbital"

    def test_a_space_written_twice(self, topology):
        topology["highlighted"][1] = "core"
        assert ("highlighted", "core is written twice") in refused(topology)


class TestUnusualBoardsAreNoticed:
    def notices(self, topology) -> str:
        return "\n".join(read_board(topology).notices())

    def test_the_cores_links(self, topology):
        topology["links"]["direct"].remove(["core", "ar1"])
        assert "direct link to each constellation; Aries has 0" in self.notices(topology)

    def test_the_core_on_an_orbit(self, topology):
        topology["orbits"][2].append("core")
        reported = self.notices(topology)
        assert "the core is usually on no orbit" in reported
        assert "the core usually has direct links only" in reported

    def test_a_space_on_two_orbits(self, topology):
        topology["orbits"][1].append("ar2")
        assert "ar2 is on 2" in self.notices(topology)

    def test_two_spaces_joined_twice(self, topology):
        topology["links"]["direct"].append(["ar3", "ar4"])
        assert "ar3 and ar4 are 2 ×" in self.notices(topology)

    def test_a_space_joined_to_itself(self, topology):
        topology["links"]["direct"].append(["ar1", "ar1"])
        assert "ar1 is joined to itself" in self.notices(topology)

    def test_another_share_of_indirect_links(self, topology):
        topology["links"]["indirect"][0] = ["ta1", "ta5"]
        reported = self.notices(topology)
        assert "one indirect link; Aries has 0" in reported
        assert "one indirect link; Taurus has 2" in reported

    def test_another_share_of_highlighted_spaces(self, topology):
        topology["highlighted"][1] = "ta2"  # on orbit 2, where no other one is
        reported = self.notices(topology)
        assert "one highlighted space; Aries has 0" in reported

    def test_another_ring(self, topology):
        topology["ring"] = ["aries", "gemini", "taurus", "cancer"]
        assert "the ring is usually" in self.notices(topology)
        assert ("aries", "taurus") in read_board(topology).opposite_constellations

    def test_notices_are_in_the_language_of_whoever_draws(self, topology):
        topology["highlighted"][1] = "ta2"
        board = read_board(topology)
        for language, reported in ("es", "Aries tiene 0"), ("cs", "Beran jich má 0"):
            assert any(reported in notice.in_language(language) for notice in board.notices())

    def test_a_space_that_cannot_be_reached(self, topology):
        topology["orbits"][2].remove("ar2")
        topology["links"]["direct"] = [li for li in topology["links"]["direct"] if "ar2" not in li]
        topology["links"]["indirect"][0] = ["ar5", "ar3"]
        reported = self.notices(topology)
        assert "not ar2" in reported


class TestObjectivesOutOfReachAreNoticed:
    def notices(self, topology) -> str:
        return "\n".join(read_board(topology).notices())

    def test_highlighted_spaces_linked_to_each_other(self, topology):
        # both ends of a link cannot be of one colour: with two such links, three spaces at most
        topology["links"]["direct"] += [["core", "ar3"], ["core", "ta4"]]
        assert "O7" not in self.notices(topology), "four without the core"
        topology["highlighted"] = ["core", "ar3", "ar5", "ge3", "ca5"]
        topology["links"]["direct"] += [["ar3", "ar5"], ["core", "ge3"]]
        assert "O7 to O12 (one colour on 4 highlighted spaces)" in self.notices(topology)

    def test_a_constellation_that_needs_four_colours(self, topology):
        four = ["ar1", "ar2", "ar3", "ar4"]
        topology["links"]["direct"] += [[a, b] for a in four for b in four if a < b]
        assert "not V1 (the constellation full in 3 colours)" in self.notices(topology)

    def test_an_orbit_that_needs_four_colours(self, topology):
        topology["links"]["direct"] += [["ar3", "ar4"]]
        assert "V5" not in self.notices(topology)

    def test_constellations_without_two_free_stars(self, topology):
        for own in list(topology["constellations"].values())[:2]:
            topology["links"]["direct"] += [[a, b] for a in own for b in own if a < b]
        assert "not V10 to V15 (2 stars of one colour in 3 constellations)" in self.notices(
            topology
        )

    def test_six_of_a_colour_and_indirect_links(self, topology):
        for own in topology["constellations"].values():
            topology["links"]["direct"] += [[a, b] for a in own for b in own if a < b]
        assert "not O13 to O18 (6 stars of one colour)" in self.notices(topology)

    def test_one_colour_on_each_indirect_link(self, topology):
        # each end of ar2-ar6 is linked to each end of ta2-ta6: orbits 2, 5 and, here, 1
        topology["links"]["indirect"][:2] = [["ar2", "ar6"], ["ta2", "ta6"]]
        assert "O1" not in self.notices(topology)
        topology["orbits"][1] += ["ar2", "ta6", "ar6", "ta2"]
        assert "not O1 to O6 (one colour on each indirect link)" in self.notices(topology)


def test_a_board_brings_what_the_cards_beside_it_give():
    other = edition_from_data({"extends": "standard", "personal": 20}, "standard")
    board = replace(STANDARD_BOARD, edition=other, track=Track((0, 1), 3))
    played = load_edition("standard").printed_on(board)
    assert (played.personal, played.career, played.track) == (20, (16, 10), (0, 1))
    named = edition_from_data({"extends": "standard", "personal": 5}, "mine.yaml")
    assert named.printed_on(board).personal == 5, "an edition that a game file names is believed"
