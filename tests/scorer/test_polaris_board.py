"""The night sky: the standard one as it was designed, and P1 to P9 of any other."""

import copy
from importlib.resources import files

import pytest

from scorer.datafile import parse_yaml
from scorer.polaris.board import STANDARD_SKY, BoardError
from scorer.polaris.board_file import read_board
from scorer.polaris.words import POLARIS

SECTORS = (1, 2, 3, 4, 5)
SPOKES = [f"{sector}{spoke}" for sector in SECTORS for spoke in "abcr"]  # clockwise


@pytest.fixture
def topology() -> dict:
    return copy.deepcopy(STANDARD_SKY.to_data())


def problems(data) -> list[tuple[str, str]]:
    with pytest.raises(BoardError) as error:
        read_board(data)
    return list(error.value.problems)


def message_of(data) -> str:
    return str(problems(data))


class TestTheStandardSky:
    def test_80_spaces_of_which_20_red_10_white_10_starred(self):
        board = STANDARD_SKY
        assert set(board.star_spaces) == {f"{spoke}{orbit}" for spoke in SPOKES for orbit in "1234"}
        assert set(board.red) == {f"{sector}r{orbit}" for sector in SECTORS for orbit in "1234"}
        assert set(board.white) == {f"{sector}{one}" for sector in SECTORS for one in ("a2", "c3")}
        assert set(board.starred) == {
            f"{sector}{one}" for sector in SECTORS for one in ("c1", "a4")
        }
        assert not set(board.white) & set(board.starred)

    def test_each_orbit_is_a_closed_ring_of_20_horizontal_links(self):
        rings = {
            frozenset((f"{SPOKES[k - 1]}{orbit}", f"{SPOKES[k]}{orbit}"))
            for k in range(20)
            for orbit in "1234"
        }
        horizontal = STANDARD_SKY.links_of("horizontal")
        assert {link.ends for link in horizontal} == rings
        assert len(horizontal) == 80

    def test_vertical_links_go_along_the_spokes_and_from_polaris_to_each_b1(self):
        spokes = {(f"{spoke}{o}", f"{spoke}{o + 1}") for spoke in SPOKES for o in (1, 2, 3)}
        spokes |= {(POLARIS, f"{sector}b1") for sector in SECTORS}
        vertical = STANDARD_SKY.links_of("vertical")
        assert {(link.a, link.b) for link in vertical} == spokes
        assert len(vertical) == 65

    def test_a_link_is_written_left_right_or_inner_outer(self):
        clockwise = {spoke: k for k, spoke in enumerate(SPOKES)}
        for link in STANDARD_SKY.links_of("horizontal"):
            assert clockwise[link.b[:2]] == (clockwise[link.a[:2]] + 1) % 20

    def test_it_is_read_as_it_is_shipped(self):
        text = files("scorer.polaris").joinpath("boards/standard.yaml").read_text("utf-8")
        assert read_board(parse_yaml(text)["topology"]) == STANDARD_SKY
        assert STANDARD_SKY.notices() == ()

    def test_written_out_and_read_back_it_is_the_same(self, topology):
        assert read_board(topology) == STANDARD_SKY
        as_json = {key: topology[key] for key in topology}
        as_json["orbits"] = {str(number): own for number, own in topology["orbits"].items()}
        assert read_board(as_json) == STANDARD_SKY


class TestP1Sectors:
    def test_five_in_a_ring(self, topology):
        del topology["sectors"][5]
        assert "there are 5 sectors, 1 to 5; here 1, 2, 3, 4 (P1)" in message_of(topology)


class TestP2Kinds:
    def test_a_red_space_belongs_to_two_neighbouring_sectors(self):
        assert STANDARD_SKY.kind_of("2r3") == "red"
        assert STANDARD_SKY.sectors_of("2r3") == {2, 3}
        assert STANDARD_SKY.sectors_of("5r1") == {5, 1}

    def test_white_and_plain(self):
        assert STANDARD_SKY.kind_of("1a2") == "white"
        assert STANDARD_SKY.kind_of("1a1") == "plain"
        assert STANDARD_SKY.sectors_of("1a1") == {1}

    def test_not_to_two_that_are_no_neighbours(self, topology):
        topology["sectors"][3].append("1a1")
        assert "on the border of two neighbours; 1a1 is in 1, 3 (P2)" in message_of(topology)

    def test_nor_to_three(self, topology):
        topology["sectors"][3].append("1r1")
        assert "1r1 is in 1, 2, 3 (P2)" in message_of(topology)

    def test_nor_to_none(self, topology):
        topology["sectors"][1].remove("1b2")
        assert "1b2 is in no sector" in message_of(topology)

    def test_a_white_space_is_not_red(self, topology):
        topology["white"].append("1r2")
        assert "a white space is in one sector; 1r2 is on a border (P2)" in message_of(topology)


class TestP3Polaris:
    def test_it_belongs_to_every_sector_and_is_on_no_orbit(self):
        assert STANDARD_SKY.sectors_of(POLARIS) == set(SECTORS)
        assert STANDARD_SKY.orbit_of(POLARIS) is None
        assert POLARIS not in STANDARD_SKY.star_spaces

    @pytest.mark.parametrize("key", ["sectors", "orbits"])
    def test_a_layout_that_says_otherwise_is_refused(self, topology, key):
        topology[key][1].append(POLARIS)
        assert "(P3)" in message_of(topology)


class TestP4Orbits:
    def test_a_space_lies_on_exactly_one(self, topology):
        assert STANDARD_SKY.orbit_of("4c3") == 3
        topology["orbits"][2].append("1a1")
        assert "lies on exactly one orbit; 1a1 on 2 (P4)" in message_of(topology)

    def test_a_space_on_no_orbit_is_refused(self, topology):
        topology["orbits"][1].remove("1a1")
        assert "1a1 is on no orbit; every star space lies on exactly one (P4)" in message_of(
            topology
        )

    def test_there_are_at_least_four(self, topology):
        topology["orbits"][3] += topology["orbits"].pop(4)
        assert "numbered from 1, 4 or more; here 1, 2, 3 (P4)" in message_of(topology)

    def test_five_are_an_editions_own(self, topology):
        topology["orbits"][5] = topology["orbits"][4][10:]
        del topology["orbits"][4][10:]
        assert sorted(read_board(topology).orbits) == [1, 2, 3, 4, 5]


class TestP5Links:
    def test_each_is_horizontal_or_vertical(self):
        link = STANDARD_SKY.link_spaces["1a1-1a2"]
        assert (link.kind, link.a, link.b) == ("vertical", "1a1", "1a2")
        assert STANDARD_SKY.link_between("1a2", "1a1") == "1a1-1a2"

    def test_two_between_the_same_ends_are_refused(self, topology):
        topology["links"]["vertical"].append(["1b1", "1a1"])
        assert "between 1a1 and 1b1 2 (P5)" in message_of(topology)

    def test_one_to_itself_is_refused(self, topology):
        topology["links"]["vertical"].append(["1b1", "1b1"])
        assert "1b1 is joined to itself (P5)" in message_of(topology)


class TestP6SectorsOfLinks:
    @pytest.mark.parametrize(
        ("link", "sectors"),
        [
            ("1a1-1a2", {1}),
            ("1r1-1r2", {1, 2}),  # between two red spaces of one border
            ("1c1-1r1", {1}),  # between a red and an inner space
            ("1r1-2a1", {2}),
            ("polaris-3b1", {3}),
        ],
    )
    def test_a_link_belongs_to_the_sectors_of_both_its_ends(self, link, sectors):
        assert STANDARD_SKY.sectors_of_link(link) == sectors

    def test_a_link_in_no_sector_is_reported_and_not_refused(self, topology):
        links = topology["links"]["horizontal"]
        links.remove(["1a1", "1b1"])
        links.append(["1a1", "2b1"])
        topology["links"]["vertical"].remove(["polaris", "2b1"])
        assert "1a1-2b1 lies in none (P6)" in read_board(topology).notices()[0]


class TestP7LinksAround:
    def test_three_or_four_around_every_space(self):
        around = {len(STANDARD_SKY.links_at(space)) for space in STANDARD_SKY.star_spaces}
        assert around == {3, 4}

    def test_two_are_refused(self, topology):
        topology["links"]["vertical"].remove(["1a3", "1a4"])
        assert "3 or 4 link spaces are around a star space; around 1a4 2 (P7)" in message_of(
            topology
        )

    def test_five_are_refused(self, topology):
        topology["links"]["vertical"].append(["1b2", "1c3"])
        assert "around 1b2 5 (P7)" in message_of(topology)


class TestP9Starred:
    def test_exactly_ten(self, topology):
        topology["starred"].append("1b1")
        assert problems(topology) == [("starred", "10 star spaces bear a ★; here 11 (P9)")]

    def test_polaris_is_none(self, topology):
        topology["starred"][0] = POLARIS
        kinds = "Polaris is no star space, so of no kind of them (P2, P3)"
        assert problems(topology) == [
            ("starred", kinds),
            ("starred", "10 star spaces bear a ★; here 9 (P9)"),
        ]

    def test_p3_nor_is_it_white(self, topology):
        topology["white"].append(POLARIS)
        kinds = "Polaris is no star space, so of no kind of them (P2, P3)"
        assert problems(topology) == [("white", kinds)]


class TestWhatIsNoTopology:
    @pytest.mark.parametrize("data", [None, "other", 7, []])
    def test_other_types(self, data):
        assert problems(data)[0][0] == "topology"

    def test_missing_keys(self):
        keys = [key for key, _ in problems({})]
        assert keys == ["sectors", "orbits", "white", "starred", "links"]

    def test_an_id_with_a_hyphen_could_be_two_ends_of_a_link(self, topology):
        topology["orbits"][4][0] = "1a-4"
        reason = "1a-4 has a hyphen, which joins the ends of a link: choose another id"
        assert dict(problems(topology))["orbits.4"] == reason

    @pytest.mark.parametrize(
        ("key", "value", "at", "reason"),
        [
            ("sectors", {"1": 7}, "sectors[1]", "must be a list, not 7"),
            ("sectors", {"one": []}, "sectors.one", "must be a whole number"),
            ("orbits", [["1a1"]], "orbits", "must hold keys and values"),
            ("white", ["9z9"], "white", "9z9 is on no orbit"),
            ("white", ["1a1", "1a1"], "white", "1a1 is written twice"),
            ("links", {"vertical": [["1a1"]]}, "links.vertical[0]", "must be a pair of space ids"),
            ("links", {"vertical": [["1a1", 2]]}, "links.vertical[0][1]", "must be text"),
        ],
    )
    def test_a_wrong_value_is_reported_with_its_key(self, topology, key, value, at, reason):
        found = dict(problems(topology | {key: value}))
        assert reason in found[at]
