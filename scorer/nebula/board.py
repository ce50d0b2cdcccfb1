"""The Galaxy board: a topology with a core, constellations, orbits and highlighted spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from scorer.datafile import DataFileError, read_package_file
from scorer.nebula.facts import differences
from scorer.topology import Link, Topology, ring

if TYPE_CHECKING:  # editions are read with boards
    from scorer.nebula.edition import Edition


class BoardError(DataFileError):
    """A topology that cannot be a Galaxy board; `.problems` names the key and the fact broken."""


@dataclass(frozen=True)
class Track:
    """The numbers printed on the black-star track, left to right.

    `points[i]` is what the track scores while its space i is the first that is empty; `full` is
    what it scores with no space empty.
    """

    points: tuple[int, ...]
    full: int


@dataclass(frozen=True)
class GalaxyBoard(Topology):
    """One printed Galaxy board's spaces, links and regions.

    `track` is what its black-star track says, `edition` what the cards beside it give; None for a
    board of which that is not known.

    `ring` is the constellations' order around the core: neighbours in it are adjacent, the
    others opposite. `constellations` and `orbits` hold spaces in the order they are drawn.

    >>> board = STANDARD_BOARD
    >>> board.orbit_of("ar3"), board.constellation_of("ar3"), board.linked("ar2", "ar6")
    (3, 'aries', True)
    >>> len(board.spaces), len(board.links), board.outer_highlighted
    (25, 52, ('ar3', 'ta4', 'ge3', 'ca5'))
    """

    core: str
    ring: tuple[str, ...]
    constellations: Mapping[str, tuple[str, ...]]
    orbits: Mapping[int, tuple[str, ...]]
    highlighted: tuple[str, ...]
    track: Track | None = None
    edition: Edition | None = None

    @property
    def regions(self) -> Mapping[str, tuple[str, ...]]:
        """The constellations: the spaces of one are printed alike."""
        return self.constellations

    @property
    def outer_highlighted(self) -> tuple[str, ...]:
        """The highlighted spaces without the core."""
        return tuple(space for space in self.highlighted if space != self.core)

    @cached_property
    def adjacent_constellations(self) -> tuple[tuple[str, str], ...]:
        """The pairs that lie side by side in the ring."""
        return tuple(zip(self.ring, self.ring[1:] + self.ring[:1], strict=True))

    @cached_property
    def opposite_constellations(self) -> tuple[tuple[str, str], ...]:
        """The pairs that face each other across the core."""
        near = {frozenset(pair) for pair in self.adjacent_constellations}
        return tuple(pair for pair in combinations(self.ring, 2) if frozenset(pair) not in near)

    @cached_property
    def indirect_ends(self) -> tuple[tuple[str, str], ...]:
        """The two ends of each indirect link."""
        return tuple((link.a, link.b) for link in self.links_of("indirect"))

    @cached_property
    def beside_highlighted(self) -> tuple[str, ...]:
        """The spaces orbitally linked to an outer highlighted space, in the board's order."""
        beside = {
            near
            for space in self.outer_highlighted
            for near in self.neighbours_by("orbital", space)
        }
        return tuple(space for space in self.spaces if space in beside)

    def constellation_of(self, space: str) -> str | None:
        """The constellation that a space belongs to; None for the core."""
        return next((name for name, own in self.constellations.items() if space in own), None)

    def orbit_of(self, space: str) -> int | None:
        """The number of the orbit that a space lies on; None for the core."""
        return next((number for number, own in self.orbits.items() if space in own), None)

    def notices(self) -> tuple[str, ...]:
        """How this board differs from what the project decided where the rulebooks are silent."""
        return tuple(differences(self))

    def to_data(self) -> dict[str, Any]:
        """The `topology` of a layout file, written out; `read_board` reads it back."""
        return {
            "core": self.core,
            "ring": list(self.ring),
            "constellations": {name: list(own) for name, own in self.constellations.items()},
            "orbits": {number: list(own) for number, own in self.orbits.items()},
            "highlighted": list(self.highlighted),
            "links": {
                kind: [[link.a, link.b] for link in self.links_of(kind)] for kind in WRITTEN_LINKS
            },
        }


WRITTEN_LINKS = ("direct", "indirect")  # orbital ones follow from the orbits


def build_board(written: Mapping[str, Any]) -> GalaxyBoard:
    """The board of a topology that is known to have the right keys and types."""
    core, constellations = written.get("core", "core"), written["constellations"]
    orbits = {int(number): tuple(own) for number, own in written["orbits"].items()}
    links = [Link(a, b, kind) for kind in WRITTEN_LINKS for a, b in written["links"][kind]]
    links += [link for own in orbits.values() for link in ring(own, "orbital")]
    return GalaxyBoard(
        spaces=tuple(dict.fromkeys([core, *chain.from_iterable(constellations.values())])),
        links=tuple(links),
        core=core,
        ring=tuple(written.get("ring", constellations)),
        constellations={name: tuple(own) for name, own in constellations.items()},
        orbits=orbits,
        highlighted=tuple(written["highlighted"]),
    )


def _standard_board() -> GalaxyBoard:
    # not read_board: it would load pydantic, which takes its time, on every start
    return build_board(read_package_file(__package__, "boards/standard.yaml")["topology"])


STANDARD_BOARD = _standard_board()
