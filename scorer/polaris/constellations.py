"""What one player's stars form: constellations, lonely stars, the longest line."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from scorer.polaris.longest_path import longest_path
from scorer.polaris.sky import STARS_OF_A_PLAYER, Sky
from scorer.polaris.words import POLARIS

MOST_IN_LINE = STARS_OF_A_PLAYER
"""The links of a line through all stars of a player, and Polaris."""


@dataclass(frozen=True)
class Constellation:
    """Two or more stars of one player, joined by links: spaces and links in board order.

    If Polaris is part of the constellation it is among the `spaces`, and counts as a star (P41).
    """

    spaces: tuple[str, ...]
    links: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.spaces)


@dataclass(frozen=True)
class PlayerStars:
    """The stars of one colour on a sky, and what they form.

    `closed` are spaces where no player may place one.

    >>> stars = {"1a1": "red", "1b1": "red", "3b1": "red", "4b4": "red", "2b1": "blue"}
    >>> own = PlayerStars(Sky(stars, ("1a1-1b1", "polaris-1b1", "polaris-3b1")), "red")
    >>> [constellation.size for constellation in own.constellations], own.lonely
    ([4], ('4b4',))
    """

    sky: Sky
    colour: str
    closed: tuple[str, ...] = ()

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """The spaces that hold the colour, in board order."""
        return self.sky.where(self.colour)

    def on(self, spaces: Iterable[str]) -> tuple[str, ...]:
        """The player's stars on some spaces, in the order of these."""
        own = set(self.spaces)
        return tuple(space for space in spaces if space in own)

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The links between two of the player's stars, or one and Polaris (P40, P41)."""
        ends = {*self.spaces, POLARIS}
        spaces = self.sky.board.link_spaces
        return tuple(link for link in self.sky.links if spaces[link].ends <= ends)

    def links_at(self, space: str) -> tuple[str, ...]:
        """The links that join a star to another of the player's, or to Polaris."""
        return self._links_at.get(space, ())

    @cached_property
    def _links_at(self) -> dict[str, tuple[str, ...]]:
        own, board = set(self.links), self.sky.board
        ends = {end for link in own for end in board.link_spaces[link].ends}
        return {end: tuple(link for link in board.links_at(end) if link in own) for end in ends}

    @cached_property
    def constellations(self) -> tuple[Constellation, ...]:
        """The connected groups of two or more, in the order of their first stars (P40)."""
        ends = self.sky.board.link_spaces
        return tuple(
            Constellation(group, tuple(link for link in self.links if ends[link].a in group))
            for group in self._groups
            if len(group) > 1
        )

    @cached_property
    def lonely(self) -> tuple[str, ...]:
        """The stars that no link joins to another or to Polaris (P40)."""
        return tuple(group[0] for group in self._groups if len(group) == 1)

    @cached_property
    def longest_line(self) -> Constellation | None:
        """The longest path in one constellation, without branches (P63); None if there is none.

        On a sky with more stars of the colour than exist (P48), one that is as long as all of them.
        """
        longest: tuple[str, ...] = ()
        for constellation in sorted(self.constellations, key=lambda own: -own.size):
            if constellation.size - 1 > len(longest):
                ends = [self.sky.board.link_spaces[link] for link in constellation.links]
                path = longest_path([(link.a, link.b) for link in ends], MOST_IN_LINE)
                found = tuple(constellation.links[place] for place in path)
                longest = max(longest, found, key=len)
        return self._figure(longest) if longest else None

    def _figure(self, links: tuple[str, ...]) -> Constellation:
        ends = {end for link in links for end in self.sky.board.link_spaces[link].ends}
        return Constellation(tuple(s for s in self.sky.board.spaces if s in ends), links)

    @cached_property
    def _groups(self) -> tuple[tuple[str, ...], ...]:
        """The connected groups of stars, each in board order."""
        group_of: dict[str, set[str]] = {space: {space} for space in self.spaces}
        group_of[POLARIS] = {POLARIS}
        for link in self.links:
            ends = self.sky.board.link_spaces[link]
            together = group_of[ends.a] | group_of[ends.b]
            group_of |= dict.fromkeys(together, together)
        groups = {id(group): group for group in group_of.values() if group != {POLARIS}}
        place = {space: number for number, space in enumerate(self.sky.board.spaces)}
        in_order = [tuple(sorted(group, key=place.__getitem__)) for group in groups.values()]
        return tuple(sorted(in_order, key=lambda group: place[group[0]]))
