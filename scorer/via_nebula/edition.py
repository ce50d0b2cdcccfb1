"""Editions: two valleys, tokens, contracts and points. See `editions/`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from types import MappingProxyType
from typing import Any

from scorer.datafile import DataFileError
from scorer.editions import Editions
from scorer.sentence import Sentence
from scorer.topology import Link, Topology
from scorer.via_nebula.words import say

RESOURCES = ("wood", "stone", "clay", "wheat", "food")
COLOURS = ("blue", "black", "white", "red")
MEADOW, FOG, FOREST, RUIN = "M", "F", "P", "R"
SPECIAL = "special"
SIDES = ("standard", "beginners")
PILES = 4
BUILDINGS, SITES, CRAFTSMEN = 5, 3, 3
"""The number of each in a colour; the craftsmen in play depend on the table (V21)."""
MIDDLE = 5
"""The index of the middle row, and the hexagons by which the outermost rows are shorter (V1)."""
_AROUND = ((1, 0), (0, 1), (1, -1))  # half of the directions, as links have none

Goods = Mapping[str, int]
"""The number of each resource."""


@dataclass(frozen=True, eq=False)
class Valley:
    """One side of the board, with the terrain of each hexagon."""

    terrain: Mapping[str, str]
    topology: Topology

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """Every hexagon, row by row."""
        return self.topology.spaces

    @cached_property
    def _of(self) -> Mapping[str, tuple[str, ...]]:
        kinds = (MEADOW, FOG, FOREST, RUIN)
        return {kind: tuple(at for at in self.spaces if self.terrain[at] == kind) for kind in kinds}

    def of(self, terrain: str) -> tuple[str, ...]:
        return self._of[terrain]

    @cached_property
    def around(self) -> Mapping[str, tuple[str, ...]]:
        return {at: tuple(sorted(own)) for at, own in self.topology.around.items()}


@lru_cache(maxsize=4096)
def ways_from(
    valley: Valley, open_meadows: frozenset[str], start: str
) -> Mapping[str, tuple[str, ...]]:
    """For each ruin in reach a shortest path (V41) from `start`, both ends included.

    Only open meadows are crossed; none if the two are adjacent.
    """
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    ends: dict[str, tuple[str, ...]] = {}
    found = [start]
    for here in found:
        for there in valley.around[here]:
            way = (*ways[here], there)
            if valley.terrain[there] == RUIN:
                ends.setdefault(there, way)
            elif there in open_meadows and there not in ways:
                ways[there] = way
                found.append(there)
    return ends


@lru_cache(maxsize=4096)
def least_blocked(
    valley: Valley,
    open_meadows: frozenset[str],
    held: frozenset[tuple[str, int]],
    start: str,
    end: str,
) -> tuple[int, tuple[str, ...]]:
    """The fewest actions that open a path from `start` to a ruin over no other one, and the path.

    `held` are spaces that something lies on, with the actions that it takes to clear them. Of
    several paths it is the one over the fewest closed spaces, then rather over fog than over what
    lies on a meadow, then the shortest; both ends are included, and it is empty if ruins enclose
    one of them.
    """
    clearing, before, done = dict(held), dict[str, str](), set[str]()
    todo = [(0, 0, 0, 0, start, "")]
    while todo:
        cost, spaces, full, steps, here, came = heappop(todo)
        if here in done:
            continue
        done.add(here)
        before[here] = came
        if here == end:
            way = [here]
            while way[-1] != start:
                way.append(before[way[-1]])
            return cost, tuple(reversed(way))
        for there in valley.around[here]:
            if there not in done and (there == end or valley.terrain[there] != RUIN):
                is_closed = there != end and there not in open_meadows
                exploring = 2 if valley.terrain[there] == FOREST else 1
                more = clearing.get(there, exploring) if is_closed else 0
                then = full + (is_closed and there in clearing)
                heappush(todo, (cost + more, spaces + is_closed, then, steps + 1, there, here))
    return 0, ()


@dataclass(frozen=True)
class Token:
    """An exploitation token: its resource, how many of it, and points (V7)."""

    resource: str
    shows: int
    points: int
    special: bool = False


@dataclass(frozen=True)
class Contract:
    """The cost and points of a contract, and its power, "" for none (V8)."""

    needs: Goods
    points: int
    power: str = ""

    @property
    def each(self) -> tuple[str, ...]:
        return tuple(one for one, count in self.needs.items() for _ in range(count))

    @property
    def name(self) -> Sentence:
        """What it needs: the game's own cards bear no number, and no two need the same."""
        return say("card_needs", needs=self.each)


@dataclass(frozen=True)
class Setup:
    """Numbers that depend on the number of players (V16, V19, V21)."""

    craftsmen: int
    pile: int
    room: int
    fewer: int


@dataclass(frozen=True, eq=False)
class Edition:
    """The data of an edition; see `editions/standard.yaml`."""

    id: str
    valleys: Mapping[str, Valley]
    tokens: Mapping[str, Token]
    contracts: Mapping[str, Contract]
    tables: Mapping[int, Setup]
    supply: int
    tiles: int
    explorer: int
    end_card: int

    @cached_property
    def neutral(self) -> tuple[str, ...]:
        """The contracts of the deck."""
        return tuple(id for id in self.contracts if id.startswith("N"))

    @cached_property
    def private(self) -> tuple[str, ...]:
        """The contracts that are dealt (V16)."""
        return tuple(id for id in self.contracts if id.startswith("X"))

    @cached_property
    def fewest(self) -> int:
        """The number of resources that a contract needs at least."""
        return min(sum(own.needs.values()) for own in self.contracts.values())

    def token_points(self, tokens: Collection[str]) -> list[int]:
        """The points of each of some exploitation tokens (V60)."""
        return [self.tokens[token].points for token in tokens]

    def contract_points(self, contracts: Collection[str]) -> list[int]:
        """The points of each of some fulfilled contracts (V61)."""
        return [self.contracts[contract].points for contract in contracts]


def valley_of(rows: Mapping[str, str]) -> Valley:
    """A valley of rows of terrain from the top; its spaces are A1 and so on."""
    at, terrain = {}, {}
    for number, (letter, row) in enumerate(rows.items()):
        r = number - MIDDLE
        for column, kind in enumerate(row.split()):
            name = f"{letter}{column + 1}"
            at[max(-MIDDLE, -MIDDLE - r) + column, r] = name
            terrain[name] = kind
    if not {*terrain.values()} <= {MEADOW, FOG, FOREST, RUIN}:
        raise ValueError("a hexagon is one of M F P R")
    links = [
        Link(name, at[q + dq, r + dr], "side")
        for (q, r), name in at.items()
        for dq, dr in _AROUND
        if (q + dq, r + dr) in at
    ]
    return Valley(MappingProxyType(terrain), Topology(tuple(terrain), tuple(links)))


def _from_data(data: Any, id: str) -> Edition:
    try:
        tokens = {
            f"{resource}-{name}": Token(resource, **own, special=name == SPECIAL)
            for resource in RESOURCES
            for name, own in data["tokens"].items()
        }
        edition = Edition(
            id,
            {side: valley_of(data["sides"][side]) for side in SIDES},
            tokens,
            {name: Contract(**own) for name, own in data["contracts"].items()},
            {int(count): Setup(**own) for count, own in data["tables"].items()},
            *(data[key] for key in ("supply", "tiles", "explorer", "end_card")),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataFileError([("", f"is no edition of Via Nebula: {error}")]) from None
    needed = {resource for own in edition.contracts.values() for resource in own.needs}
    laid = len(edition.tokens) - 1  # one special token stays in the box (V17)
    if not needed <= {*RESOURCES} or any(
        len(valley.of(MEADOW)) != laid for valley in edition.valleys.values()
    ):
        raise DataFileError([("", "needs other resources, or has not a meadow a token")])
    return edition


EDITIONS = Editions(__package__, _from_data)
STANDARD = EDITIONS.load("standard")
