"""The Galaxy board: a topology with a core, constellations, orbits and highlighted spaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from scorer.datafile import DataFileError, read_package_file
from scorer.nebula.facts import broken_facts, differences
from scorer.nebula.words import say
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
        """The `topology` of a layout file, written out; `board_from_data` reads it back."""
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


def board_from_data(data: object) -> GalaxyBoard:
    """The board of a layout file's `topology`: the word `standard`, or everything written out.

    Raises BoardError with every problem; a board that breaks a fact known from the rulebooks is
    refused with that fact named.

    >>> board_from_data("standard") is STANDARD_BOARD
    True
    >>> board_from_data({"orbits": {1: ["a"]}})
    Traceback (most recent call last):
    scorer.nebula.board.BoardError: constellations: missing
    highlighted: missing
    links: missing
    """
    if data == "standard":
        return STANDARD_BOARD
    if not isinstance(data, Mapping):
        raise BoardError([("topology", "must be `standard`, or the links and regions written out")])
    return _TopologyReader(data).board()


class _TopologyReader:
    """Reads a written-out topology and keeps every problem met on the way."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.problems: list[tuple[str, str]] = []

    def board(self) -> GalaxyBoard:
        constellations = self.regions("constellations")
        orbits = {
            int(number) if number.isdecimal() else number: own
            for number, own in self.regions("orbits").items()
        }
        highlighted = self.names("highlighted", self.required("highlighted"))
        links = self.links()
        core = self.data.get("core", "core")
        if not isinstance(core, str):
            self.problems.append(("core", "must be the core's space id"))
        around = self.data.get("ring", list(constellations))
        self.stop_if_wrong()
        inside = [space for own in constellations.values() for space in own]
        spaces = tuple(dict.fromkeys([str(core), *inside]))
        self.check_known("highlighted", highlighted, spaces)
        for number, own in orbits.items():
            self.check_known(f"orbits.{number}", own, spaces)
        for kind in WRITTEN_LINKS:
            ends = [end for link in links if link.kind == kind for end in (link.a, link.b)]
            self.check_known(f"links.{kind}", ends, spaces)
        if not isinstance(around, list) or sorted(map(str, around)) != sorted(constellations):
            self.problems.append(("ring", "must name each of the constellations once, in order"))
        for number in orbits:
            if not isinstance(number, int):
                self.problems.append((f"orbits.{number}", "an orbit is named by its number"))
        self.stop_if_wrong()
        links += [link for own in orbits.values() for link in ring(own, "orbital")]
        board = GalaxyBoard(
            spaces=spaces,
            links=tuple(links),
            core=str(core),
            ring=tuple(around) if isinstance(around, list) else (),
            constellations=constellations,
            orbits={number: own for number, own in orbits.items() if isinstance(number, int)},
            highlighted=highlighted,
        )
        self.problems += broken_facts(board)
        self.stop_if_wrong()
        return board

    def stop_if_wrong(self) -> None:
        if self.problems:
            raise BoardError(self.problems)

    def required(self, key: str) -> object:
        if key not in self.data:
            self.problems.append((key, "missing"))
        return self.data.get(key)

    def names(self, key: str, value: object) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self.problems.append((key, "must be a list of space ids"))
            return ()
        self.problems += [
            (key, f"{name} is written twice") for name in value if value.count(name) > 1
        ][:1]
        return tuple(value)

    def regions(self, key: str) -> dict[str, tuple[str, ...]]:
        value = self.required(key)
        if value is None:
            return {}
        if key == "orbits" and isinstance(value, list):
            value = dict(enumerate(value, start=1))
        if not isinstance(value, Mapping):
            self.problems.append((key, "must name each with its list of space ids"))
            return {}
        return {str(name): self.names(f"{key}.{name}", own) for name, own in value.items()}

    def links(self) -> list[Link]:
        written = self.required("links")
        if written is None:
            return []
        if not isinstance(written, Mapping):
            self.problems.append(("links", "must hold `direct` and `indirect`, lists of pairs"))
            return []
        if "orbital" in written:
            self.problems.append(("links.orbital", "follow from the orbits; leave them out"))
        return [
            Link(a, b, kind)
            for kind in WRITTEN_LINKS
            for a, b in self.pairs(f"links.{kind}", written.get(kind))
        ]

    def pairs(self, key: str, value: object) -> list[tuple[str, str]]:
        if not isinstance(value, list):
            self.problems.append((key, "must be a list of pairs of space ids"))
            return []
        found = []
        for place, pair in enumerate(value):
            if isinstance(pair, list) and [type(end) for end in pair] == [str, str]:
                found.append((pair[0], pair[1]))
            else:
                self.problems.append((f"{key}[{place}]", "must be a pair of space ids"))
        return found

    def check_known(self, key: str, names: Iterable[str], spaces: tuple[str, ...]) -> None:
        for name in sorted(set(names) - set(spaces)):
            self.problems.append((key, say("fact_member", space=name)))


def _standard_board() -> GalaxyBoard:
    data = read_package_file(__package__, "boards/standard.yaml")
    return _TopologyReader(data["topology"]).board()


STANDARD_BOARD = _standard_board()
