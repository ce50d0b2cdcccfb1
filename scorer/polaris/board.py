"""The night-sky board: star spaces, link spaces, sectors, orbits, and kinds of spaces."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from scorer.datafile import DataFileError, read_package_file
from scorer.polaris.words import POLARIS
from scorer.topology import Link, Topology

Orientation = Literal["horizontal", "vertical"]
ORIENTATIONS: tuple[Orientation, ...] = ("horizontal", "vertical")
BETWEEN_ENDS = "-"
"""Joins the ids of two spaces in the id of the link space between them."""
SpaceKind = Literal["red", "white", "plain"]


class BoardError(DataFileError):
    """A topology that cannot be a night sky; `.problems` has the key and the rule broken."""


@dataclass(frozen=True)
class SkyBoard(Topology):
    """A printed night sky. Polaris is among its `spaces`, as an end of links, but holds no star.

    `links` are the link spaces: `kind` is their orientation, `a` the left or inner end, `b` the
    right or outer one. `sectors` are in clockwise order; a red space is in two of them.

    >>> board = STANDARD_SKY
    >>> len(board.star_spaces), len(board.links), board.kind_of("2r3"), board.orbit_of("2r3")
    (80, 145, 'red', 3)
    >>> sorted(board.sectors_of("2r3")), sorted(board.sectors_of_link("2r3-2r4"))
    ([2, 3], [2, 3])
    """

    sectors: Mapping[int, tuple[str, ...]]
    orbits: Mapping[int, tuple[str, ...]]
    white: tuple[str, ...]
    starred: tuple[str, ...]

    @cached_property
    def star_spaces(self) -> tuple[str, ...]:
        """The spaces that can hold a star: all but Polaris."""
        return tuple(space for space in self.spaces if space != POLARIS)

    @cached_property
    def red(self) -> tuple[str, ...]:
        """The spaces on the border of two sectors (P2)."""
        return tuple(space for space in self.star_spaces if len(self.sectors_of(space)) > 1)

    def kind_of(self, space: str) -> SpaceKind:
        """Whether a star space is red, white or plain (P2)."""
        if space in self.red:
            return "red"
        return "white" if space in self.white else "plain"

    def sectors_of(self, space: str) -> frozenset[int]:
        """The sectors of a space; all of them for Polaris (P3). Raise KeyError if unknown."""
        return self._sectors_of[space]

    def orbit_of(self, space: str) -> int | None:
        """The number of a space's orbit; None for Polaris (P3)."""
        return next((number for number, own in self.orbits.items() if space in own), None)

    def sector_after(self, sector: int, steps: int = 1) -> int:
        """The sector `steps` clockwise of another."""
        ring = tuple(self.sectors)
        return ring[(ring.index(sector) + steps) % len(ring)]

    # link spaces

    @cached_property
    def link_spaces(self) -> Mapping[str, Link]:
        """The link spaces by id, `a-b` with the ends in board order."""
        return {f"{link.a}{BETWEEN_ENDS}{link.b}": link for link in self.links}

    def link_between(self, a: str, b: str) -> str | None:
        """The id of the link space between two spaces, in either order; None if there is none.

        >>> STANDARD_SKY.link_between("3b1", "polaris"), STANDARD_SKY.link_between("1a1", "1c1")
        ('polaris-3b1', None)
        """
        return self._between.get(frozenset((a, b)))

    def links_at(self, space: str) -> tuple[str, ...]:
        """The link spaces around a space, in board order."""
        return self._links_at[space]

    def sectors_of_link(self, link: str) -> frozenset[int]:
        """The sectors that both ends of a link space belong to (P6). Raise KeyError if unknown."""
        ends = self.link_spaces[link]
        return self.sectors_of(ends.a) & self.sectors_of(ends.b)

    def common_sectors(self, places: Iterable[str]) -> frozenset[int]:
        """The sectors common to all of these spaces and link spaces; all sectors for no places."""
        within = [
            self.sectors_of_link(one) if one in self.link_spaces else self.sectors_of(one)
            for one in places
        ]
        return frozenset(self.sectors).intersection(*within)

    @cached_property
    def _sectors_of(self) -> Mapping[str, frozenset[int]]:
        found = {
            space: frozenset(number for number, own in self.sectors.items() if space in own)
            for space in self.spaces
        }
        return {**found, POLARIS: frozenset(self.sectors)}

    @cached_property
    def _between(self) -> Mapping[frozenset[str], str]:
        return {link.ends: id for id, link in self.link_spaces.items()}

    @cached_property
    def _links_at(self) -> Mapping[str, tuple[str, ...]]:
        return {
            space: tuple(id for id, link in self.link_spaces.items() if space in link.ends)
            for space in self.spaces
        }

    # files

    def notices(self) -> tuple[str, ...]:
        """What is valid but unusual about a printed board, one sentence each."""
        from scorer.polaris.facts import differences

        return tuple(differences(self))

    def to_data(self) -> dict[str, Any]:
        """The `topology` of a layout file, written out, as `read_board` reads it."""
        return {
            "sectors": {number: list(own) for number, own in self.sectors.items()},
            "orbits": {number: list(own) for number, own in self.orbits.items()},
            "white": list(self.white),
            "starred": list(self.starred),
            "links": {
                orientation: [[link.a, link.b] for link in self.links_of(orientation)]
                for orientation in ORIENTATIONS
            },
        }


def build_board(written: Mapping[str, Any]) -> SkyBoard:
    """The board of a topology whose keys and types have been checked.

    Sectors and orbits may be numbered in text, as keys of data files are text.
    """
    on_orbits = [space for own in written["orbits"].values() for space in own]
    return SkyBoard(
        spaces=(POLARIS, *dict.fromkeys(on_orbits)),
        links=tuple(
            Link(a, b, orientation)
            for orientation in ORIENTATIONS
            for a, b in written["links"][orientation]
        ),
        sectors={int(number): tuple(own) for number, own in written["sectors"].items()},
        orbits={int(number): tuple(own) for number, own in written["orbits"].items()},
        white=tuple(written["white"]),
        starred=tuple(written["starred"]),
    )


def _standard_sky() -> SkyBoard:
    # not read_board, which would load pydantic on every start
    return build_board(read_package_file(__package__, "boards/standard.yaml")["topology"])


STANDARD_SKY = _standard_sky()
