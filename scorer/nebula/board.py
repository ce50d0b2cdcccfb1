"""The Galaxy board: a topology with a core, constellations, orbits and highlighted spaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from scorer.datafile import DataFileError, read_package_file
from scorer.nebula.facts import differences
from scorer.nebula.fulfillable import Arrangements
from scorer.nebula.words import say
from scorer.sentence import Sentence
from scorer.topology import Link, Topology, ring

if TYPE_CHECKING:  # editions import boards
    from scorer.nebula.edition import Edition


class BoardError(DataFileError):
    """A topology that cannot be a Galaxy board; `.problems` has the key and fact of each."""


@dataclass(frozen=True)
class Track:
    """The numbers printed on the black-star track, left to right.

    `points[i]` is the score while space i is the first empty one; `full` is the score without an
    empty space.
    """

    points: tuple[int, ...]
    full: int


@dataclass(frozen=True)
class GalaxyBoard(Topology):
    """The spaces, links and regions of a printed Galaxy board.

    `track` has the numbers of its black-star track, `edition` the points of the cards used with it;
    None if unknown.

    `ring` is the order of the constellations around the core: neighbours in it are adjacent, others
    opposite. `constellations` and `orbits` hold spaces in drawing order.

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
    edition: "Edition | None" = None

    @cached_property
    def arrangements(self) -> Arrangements:
        """The arrangements of stars that fulfil cards."""
        return Arrangements(self)

    @property
    def regions(self) -> Mapping[str, tuple[str, ...]]:
        """The constellations, as the spaces of each are printed alike."""
        return self.constellations

    @property
    def outer_highlighted(self) -> tuple[str, ...]:
        """The highlighted spaces without the core."""
        return tuple(space for space in self.highlighted if space != self.core)

    @cached_property
    def adjacent_constellations(self) -> tuple[tuple[str, str], ...]:
        """The pairs next to each other in the ring."""
        return tuple(zip(self.ring, self.ring[1:] + self.ring[:1], strict=True))

    @cached_property
    def opposite_constellations(self) -> tuple[tuple[str, str], ...]:
        """The pairs that face each other across the core."""
        near = {frozenset(pair) for pair in self.adjacent_constellations}
        return tuple(pair for pair in combinations(self.ring, 2) if frozenset(pair) not in near)

    @cached_property
    def indirect_ends(self) -> tuple[tuple[str, str], ...]:
        return tuple((link.a, link.b) for link in self.links_of("indirect"))

    @cached_property
    def beside_highlighted(self) -> tuple[str, ...]:
        """The spaces orbitally linked to an outer highlighted space, in board order."""
        beside = {
            near
            for space in self.outer_highlighted
            for near in self.neighbours_by("orbital", space)
        }
        return tuple(space for space in self.spaces if space in beside)

    def constellation_of(self, space: str) -> str | None:
        """The constellation of a space; None for the core."""
        return next((name for name, own in self.constellations.items() if space in own), None)

    def orbit_of(self, space: str) -> int | None:
        """The number of a space's orbit; None for the core."""
        return next((number for number, own in self.orbits.items() if space in own), None)

    def spoken(self, space: str) -> Sentence:
        """A space of a constellation by its print, with its rim if that tells it from others."""
        region, orbit = self.constellation_of(space), self.orbit_of(space)
        if region is None or orbit is None:
            return say("the_core") if region is None else say("space_of", region=region)
        rims = {
            other: other in self.highlighted
            for other in self.constellations[region]
            if other in self.orbits[orbit]
        }
        is_only = [*rims.values()].count(rims[space]) == 1 < len(rims)
        key = f"_{'bright' if rims[space] else 'plain'}" if is_only else ""
        return say(f"space_of_orbit{key}", region=region, orbit=orbit)

    def notices(self) -> tuple[str, ...]:
        """How this board differs from this project's choices where the rulebooks are silent."""
        return tuple(differences(self))

    def to_data(self) -> dict[str, Any]:
        """The `topology` of a layout file, written out, as `read_board` reads it."""
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
    """The board of a topology whose keys and types have been checked."""
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
    # not read_board, which would load pydantic on every start
    return build_board(read_package_file(__package__, "boards/standard.yaml")["topology"])


STANDARD_BOARD = _standard_board()
