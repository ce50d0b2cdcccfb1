"""Valley and guild board as regions, with conversion of pieces to and from game terms.

A ruin has two places, such as H1 and H1b, one for each half (V3), filled in this order.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from scorer.identity import Same
from scorer.places import Place, in_region
from scorer.plain import PlainBoard, PlainPosition
from scorer.via_nebula.edition import MEADOW, PILES, RESOURCES, RUIN, STANDARD, Goods, Valley

SITE: Literal["site"] = "site"
BUILDING: Literal["building"] = "building"
CRAFTSMAN, TILE, STORAGE = "craftsman", "tile", "storage"
PILE_PLACES = tuple(f"pile_{number}" for number in range(1, PILES + 1))
_FURTHER = ("", "b", "c", "d")
"""Suffixes of a ruin's halves; c and d hold elements for which there is no room (V75)."""


@dataclass(frozen=True)
class Exploitation:
    """Resources of a kind on a meadow, and the colour of the craftsman there, "" for none (V4)."""

    resource: str
    count: int
    craftsman: str = ""


@dataclass(frozen=True)
class Element:
    """A building site with its resources, or a building, in a half of a ruin."""

    what: Literal["site", "building"]
    colour: str
    holds: Goods = field(default_factory=dict)


@dataclass(frozen=True)
class ValleyPieces:
    """The contents of the valley. Mappings are replaced rather than changed."""

    tiles: frozenset[str] = frozenset()
    tokens: Mapping[str, str] = field(default_factory=dict)
    exploitations: Mapping[str, Exploitation] = field(default_factory=dict)
    ruins: Mapping[str, tuple[Element, ...]] = field(default_factory=dict)

    def open_meadows(self, valley: Valley) -> frozenset[str]:
        """Meadows and tiles with nothing on them (V11)."""
        meadows = {*valley.of(MEADOW), *self.tiles}
        return frozenset(at for at in meadows if self.is_open(at, valley))

    def is_open(self, at: str, valley: Valley) -> bool:
        """Whether a hexagon is an open meadow (V11)."""
        kind = valley.terrain[at]
        is_meadow = kind == MEADOW or (kind != RUIN and at in self.tiles)
        return is_meadow and at not in self.tokens and at not in self.exploitations

    def element(self, place: str) -> Element | None:
        ruin, number = half_named(place)
        standing = self.ruins.get(ruin, ())
        return standing[number] if number < len(standing) else None

    def elements(self) -> Iterable[tuple[str, Element]]:
        """Every site and building with its place."""
        for ruin, standing in self.ruins.items():
            for number, own in enumerate(standing):
                yield half(ruin, number), own

    def sites(self, colour: str) -> list[str]:
        return [at for at, own in self.elements() if (own.what, own.colour) == (SITE, colour)]

    def buildings(self, colour: str) -> list[str]:
        return [at for at, own in self.elements() if (own.what, own.colour) == (BUILDING, colour)]

    def with_resources(self, colour: str) -> list[str]:
        """The places of a player's sites and exploitations with resources, taken by V62."""
        sites = [
            at for at, own in self.elements() if own.colour == colour and any(own.holds.values())
        ]
        mines = self.exploitations.items()
        return sites + [at for at, own in mines if own.craftsman == colour and own.count]

    def occupied_by(self, colour: str) -> frozenset[str]:
        """The hexagons with an element of a colour (V12)."""
        ruins = {half_named(at)[0] for at, own in self.elements() if own.colour == colour}
        return frozenset(
            ruins | {at for at, own in self.exploitations.items() if own.craftsman == colour}
        )

    def resources(self, colour: str | None = None) -> Counter[str]:
        """Resources on a player's sites and exploitations (V62); None: on all of them."""
        found: Counter[str] = Counter()
        for _at, own in self.elements():
            if colour in (None, own.colour):
                found.update(own.holds)
        for place in self.exploitations.values():
            if colour in (None, place.craftsman):
                found[place.resource] += place.count
        return found

    def with_element(self, place: str, own: Element) -> "ValleyPieces":
        """With an element replaced in a half of a ruin, or added in the next free half."""
        ruin, number = half_named(place)
        standing = [*self.ruins.get(ruin, ())]
        standing[number : number + 1] = [own]
        return replace(self, ruins={**self.ruins, ruin: tuple(standing)})

    def without_one(self, at: str) -> "ValleyPieces":
        """With one resource less on an exploitation, which ends with its last one (V43)."""
        own = self.exploitations[at]
        left = {place: one for place, one in self.exploitations.items() if place != at}
        if own.count > 1:
            left[at] = replace(own, count=own.count - 1)
        return replace(self, exploitations=left)


def half(ruin: str, number: int) -> str:
    """The place of a ruin's half number 0 or 1; too high numbers share the last place.

    >>> half("H1", 0), half("H1", 1), half_named("H1b"), half_named("H1")
    ('H1', 'H1b', ('H1', 1), ('H1', 0))
    """
    return ruin + _FURTHER[min(number, len(_FURTHER) - 1)]


def half_named(place: str) -> tuple[str, int]:
    """The ruin of a place, and the number of the half, from 0."""
    ruin = place.rstrip("".join(_FURTHER))
    return ruin, _FURTHER.index(place.removeprefix(ruin))


def plus(goods: Goods, resource: str, count: int) -> Goods:
    """Goods with `count` more of a resource, without zero counts."""
    changed = {**goods, resource: goods.get(resource, 0) + count}
    return {one: changed[one] for one in RESOURCES if changed.get(one)}


_ON = STANDARD.valleys["standard"]
VALLEY = PlainBoard(
    (),
    (),
    kind="valley",
    plots=(*_ON.spaces, *(half(ruin, 1) for ruin in _ON.of(RUIN))),
    beyond=tuple(half(ruin, number) for ruin in _ON.of(RUIN) for number in (2, 3)),
)
GUILD = PlainBoard((), (), "guild", (*PILE_PLACES, STORAGE))


def valley_pieces(pieces: ValleyPieces) -> dict[Place, str]:
    regions: dict[str, Counter[str]] = {}

    def lay(at: str, piece: str, count: int = 1) -> None:
        regions.setdefault(at, Counter())[piece] += count

    for at in pieces.tiles:
        lay(at, TILE)
    for at, token in pieces.tokens.items():
        lay(at, token)
    for at, own in pieces.exploitations.items():
        lay(at, own.resource, own.count)
        if own.craftsman:
            lay(at, f"{CRAFTSMAN}_{own.craftsman}")
    for ruin, standing in pieces.ruins.items():
        for number, element in enumerate(standing):
            at = half(ruin, number)
            lay(at, f"{element.what}_{element.colour}")
            for resource, count in element.holds.items():
                lay(at, resource, count)
    laid: dict[Place, str] = {}
    for at in (*VALLEY.plots, *VALLEY.beyond):
        if at in regions:
            laid |= in_region(at, regions[at])
    return laid


def pieces_on(position: PlainPosition, tokens: Iterable[str] = STANDARD.tokens) -> ValleyPieces:
    """The contents of a valley; of several elements in one half the first has the goods.

    Resources of several kinds on a meadow all count as the most frequent kind.
    """
    return _pieces_on(Same(position), frozenset(tokens))


@lru_cache(8)
def _pieces_on(seen: Same[PlainPosition], known: frozenset[str]) -> ValleyPieces:
    position = seen.it
    tiles: set[str] = set()
    laid: dict[str, str] = {}
    exploitations: dict[str, Exploitation] = {}
    ruins: dict[str, tuple[Element, ...]] = {}
    counts: dict[str, Counter[str]] = {}
    for place, piece in position.pieces.items():
        if place.kind == "region":
            counts.setdefault(place.id, Counter())[piece] += 1
    for at in (*position.board.plots, *position.board.beyond):
        if at not in counts:
            continue
        there = counts[at]
        goods = {one: there[one] for one in RESOURCES if there[one]}
        ruin, _number = half_named(at)
        if _ON.terrain.get(ruin) == RUIN:
            found = [piece.partition("_") for piece in there.elements() if "_" in piece]
            standing = tuple(
                Element(SITE if what == SITE else BUILDING, colour)
                for what, _, colour in sorted(found)
                if what in (SITE, BUILDING)
            )
            if standing:
                first, *others = sorted(standing, key=lambda own: own.what == BUILDING)
                own = (replace(first, holds=goods), *others)
                ruins[ruin] = (*ruins.get(ruin, ()), *own)
        elif goods or any(piece.startswith(CRAFTSMAN) for piece in there):
            resource = max(RESOURCES, key=lambda one: there[one])
            colours = [piece.removeprefix(f"{CRAFTSMAN}_") for piece in there if CRAFTSMAN in piece]
            exploitations[at] = Exploitation(resource, sum(goods.values()), *colours[:1])
        if there[TILE]:
            tiles.add(at)
        laid.update((at, piece) for piece in there if piece in known)
    return ValleyPieces(frozenset(tiles), laid, exploitations, ruins)


def guild_pieces(piles: Iterable[int], storage: Goods) -> dict[Place, str]:
    pieces: dict[Place, str] = {}
    for at, count in zip(PILE_PLACES, piles, strict=True):
        pieces |= in_region(at, {TILE: count})
    return pieces | in_region(STORAGE, storage)


def on_guild(position: PlainPosition) -> tuple[tuple[int, ...], Goods]:
    """The tiles on each pile, and the resources in the storage."""
    stored = position.counted(STORAGE)
    piles = tuple(position.counted(at)[TILE] for at in PILE_PLACES)
    return piles, {one: stored[one] for one in RESOURCES if stored[one]}
