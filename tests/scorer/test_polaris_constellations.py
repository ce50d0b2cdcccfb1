"""Constellations and lonely stars (P40, P41), the longest line (P63), and the two searches."""

import random
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.longest_path import longest_path
from scorer.polaris.patterns import most_disjoint
from scorer.polaris.sky import Sky

LINKS = tuple(STANDARD_SKY.link_spaces)


def own(red: str, links: str = "", blue: str = "") -> PlayerStars:
    stars = dict.fromkeys(red.split(), "red") | dict.fromkeys(blue.split(), "blue")
    return PlayerStars(Sky(stars, tuple(links.split())), "red")


def sizes(of: PlayerStars) -> list[int]:
    return [constellation.size for constellation in of.constellations]


class TestP40:
    def test_two_stars_with_a_link_between_are_a_constellation(self):
        stars = own("1a1 1a2", "1a1-1a2")
        assert sizes(stars) == [2]
        assert stars.constellations[0].links == ("1a1-1a2",)

    def test_neighbours_without_a_link_are_lonely(self):
        stars = own("1a1 1a2")
        assert (sizes(stars), stars.lonely) == ([], ("1a1", "1a2"))

    def test_a_link_between_two_players_joins_nothing(self):
        stars = own("1a1", "1a1-1a2", blue="1a2")
        assert (sizes(stars), stars.lonely, stars.links) == ([], ("1a1",), ())

    def test_nor_does_a_link_at_an_empty_space(self):
        assert own("1a1 1a3", "1a1-1a2 1a2-1a3").lonely == ("1a1", "1a3")

    def test_constellations_come_in_the_order_of_their_first_stars(self):
        stars = own("2a2 2b2 1a4 1b4 1c4 3c1", "2a2-2b2 1a4-1b4 1b4-1c4")
        found = [constellation.spaces for constellation in stars.constellations]
        assert found == [("2a2", "2b2"), ("1a4", "1b4", "1c4")]


class TestP41Polaris:
    def test_it_counts_as_one_star_of_the_constellation(self):
        assert sizes(own("1b1 1b2", "polaris-1b1 1b1-1b2")) == [3]

    def test_stars_of_opposite_sectors_are_joined_through_it_and_it_counts_once(self):
        stars = own("1b1 3b1 4b1", "polaris-1b1 polaris-3b1 polaris-4b1")
        assert sizes(stars) == [4]

    def test_one_star_and_polaris_are_a_constellation_of_two(self):
        stars = own("1b1", "polaris-1b1")
        assert (sizes(stars), stars.lonely) == ([2], ())

    def test_it_serves_every_player_alike(self):
        sky = Sky({"1b1": "red", "2b1": "blue"}, ("polaris-1b1", "polaris-2b1"))
        for colour in ("red", "blue"):
            assert sizes(PlayerStars(sky, colour)) == [2]

    def test_a_link_from_polaris_to_an_empty_space_is_nobodys(self):
        assert sizes(own("1a1", "polaris-1b1")) == []


class TestP63LongestLine:
    def test_branches_are_left_out(self):
        line = own("1a1 1b1 1c1 1b2 1b3", "1a1-1b1 1b1-1c1 1b1-1b2 1b2-1b3").longest_line
        assert line.size == 4
        assert line.spaces[-1] == "1b3"
        assert len(line.links) == 3

    def test_it_need_not_lie_in_the_largest_constellation(self):
        cross = "2a2 2b2 2c2 2b1 2b3"
        line = "1a4 1b4 1c4 1r4"
        links = "2a2-2b2 2b2-2c2 2b1-2b2 2b2-2b3 1a4-1b4 1b4-1c4 1c4-1r4"
        assert own(f"{cross} {line}", links).longest_line.spaces == tuple(line.split())

    def test_in_a_closed_ring_every_star_counts_once(self):
        ring = STANDARD_SKY.orbits[1]
        links = [link for link in LINKS if STANDARD_SKY.link_spaces[link].ends <= set(ring)]
        line = own(" ".join(ring), " ".join(links)).longest_line
        assert (line.size, len(line.links)) == (20, 19)

    def test_polaris_may_lie_on_it_and_counts(self):
        line = own("1b1 1b2 3b1", "polaris-1b1 polaris-3b1 1b1-1b2").longest_line
        assert line.spaces == ("polaris", "1b1", "3b1", "1b2")

    def test_without_a_constellation_there_is_none(self):
        assert own("1a1 1a2").longest_line is None


def every_path(edges) -> int:
    """The most vertices of a path, by trying them all."""
    graph = nx.Graph(edges)
    longest = 0
    waiting = [(vertex,) for vertex in graph]
    while waiting:
        path = waiting.pop()
        longest = max(longest, len(path))
        waiting += [(*path, other) for other in graph[path[-1]] if other not in path]
    return longest


def assert_a_path(chosen, edges) -> None:
    graph = nx.Graph([edges[place] for place in chosen])
    assert sorted(degree for _, degree in graph.degree) == [1, 1] + [2] * (len(chosen) - 1)
    assert nx.is_connected(graph)


@st.composite
def graphs(draw) -> list[tuple[int, int]]:
    pairs = list(combinations(range(draw(st.integers(2, 8))), 2))
    return draw(st.permutations(draw(st.lists(st.sampled_from(pairs), unique=True, min_size=1))))


class TestTheSearchForAPath:
    @settings(max_examples=300)
    @given(graphs())
    def test_it_finds_a_longest_of_all_paths(self, edges):
        chosen = longest_path(edges)
        assert_a_path(chosen, edges)
        assert len(chosen) + 1 == every_path(edges)

    @pytest.mark.parametrize("seed", range(60))
    def test_it_does_so_on_the_sky(self, seed):
        """Stars that grew from one to 14, all joined that can be, and some links taken away."""
        rng = random.Random(seed)
        grown = {rng.choice(["polaris", *STANDARD_SKY.star_spaces])}
        while len(grown) < 14:
            near = {n for space in grown for n in STANDARD_SKY.neighbours(space)} - grown
            grown.add(rng.choice(sorted(near)))
        edges = [(link.a, link.b) for link in STANDARD_SKY.links if link.ends <= grown]
        edges = rng.sample(edges, len(edges) - seed % 4)
        chosen = longest_path(edges)
        assert_a_path(chosen, edges)
        assert len(chosen) + 1 == every_path(edges)

    def test_nothing_is_no_path(self):
        assert longest_path([]) == ()

    def test_a_block_of_35_stars_that_no_path_can_cover(self):
        """As on a chessboard, neighbours differ in colour: 15 of one take 16 of the other."""
        block = [
            f"{spoke}{orbit}" for spoke in ("1a", "1b", "1c", "1r", "2a", "2b") for orbit in "1234"
        ]
        block += [f"{spoke}{orbit}" for spoke in ("2c", "2r", "3a") for orbit in "1234"]
        out = {"1a1", "1c1", "2a1"}  # of one colour of the board
        edges = [(link.a, link.b) for link in STANDARD_SKY.links if link.ends <= set(block) - out]
        assert len(longest_path(edges)) + 1 == 31

    def test_a_full_sky_though_no_player_has_as_many_stars(self):
        edges = [(link.a, link.b) for link in STANDARD_SKY.links]
        assert len(longest_path(edges)) + 1 == 81

    def test_what_is_long_enough_is_looked_at_no_further(self, monkeypatch):
        """P48: a sky with more stars of one colour than there are is scored without a search."""
        links = random.Random(4).sample(LINKS, 120)
        stars = PlayerStars(
            Sky(dict.fromkeys(STANDARD_SKY.star_spaces, "red"), tuple(links)), "red"
        )
        monkeypatch.setattr("scorer.polaris.longest_path._Sweep", None)
        assert stars.longest_line.size >= 36, "as many as a player has, and Polaris"


class TestTheSearchForDisjointSets:
    @settings(max_examples=300)
    @given(st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=4), max_size=9))
    def test_it_finds_as_many_as_trying_all_choices(self, family):
        chosen = most_disjoint(family)
        members = [member for place in chosen for member in family[place]]
        assert len(members) == len(set(members)), "no member twice"
        most = max(
            size
            for size in range(len(family) + 1)
            for choice in combinations(family, size)
            if sum(map(len, choice)) == len(frozenset().union(*choice))
        )
        assert len(chosen) == most

    @settings(max_examples=200)
    @given(
        st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=4), max_size=9),
        st.integers(0, 5),
    )
    def test_it_is_content_with_enough_and_exact_below(self, family, enough):
        chosen = most_disjoint(family, enough)
        members = [member for place in chosen for member in family[place]]
        assert len(members) == len(set(members))
        assert len(chosen) == min(enough, len(most_disjoint(family)))

    def test_greed_would_take_the_middle_one(self):
        assert most_disjoint([{2, 3}, {1, 2}, {3, 4}]) == (1, 2)
