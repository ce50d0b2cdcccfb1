"""A game of Via Nebula as a value, and its actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from scorer.notation import Part
from scorer.open_table import OnTable
from scorer.secrets import OfEachPlayer, Secret
from scorer.via_nebula.board import ValleyPieces
from scorer.via_nebula.edition import (
    BUILDINGS,
    PILES,
    RESOURCES,
    SITES,
    STANDARD,
    Edition,
    Goods,
    Setup,
    Valley,
)

HIDDEN = "?"
OPEN = 4
"""Contracts that lie face up (V16)."""
HAND = 2
A_TURN = 2
"""Actions of a turn (V25)."""
WHERE = Part(places=("region",))


@dataclass(frozen=True)
class Deal:
    """Chance: a private contract is dealt (V16)."""

    card: Annotated[str, Part(private=True, hidden=True)]


@dataclass(frozen=True)
class Reveal:
    """Chance: a neutral contract is turned up (V16, V50)."""

    card: str


@dataclass(frozen=True)
class Box:
    """Chance: the special token that is left in the box (V17)."""

    token: str


@dataclass(frozen=True)
class Lay:
    """Chance: a token comes onto a meadow (V17)."""

    token: Annotated[str, Part(piece=True)]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Craftsman:
    """A: a craftsman onto a token, which is kept (V29)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Site:
    """B: a building site onto a ruin (V31)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Explore:
    """C, D: a tile onto fog (V33) or forest (V35)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Carry:
    """E: a resource from an exploitation to a site of one's own (V40)."""

    start: Annotated[str, WHERE]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Build:
    """F: a building in the place of a site, by a contract (V46)."""

    at: Annotated[str, WHERE]
    card: Annotated[str, Part(private=True)]


@dataclass(frozen=True)
class Swap:
    """A power: one's own resource, on a site or in the storage, becomes another kind."""

    at: Annotated[str, WHERE]
    given: Annotated[str, Part(piece=True)]
    taken: Annotated[str, Part(piece=True)]


@dataclass(frozen=True)
class Decline:
    """Leave a power unused (V49)."""


@dataclass(frozen=True)
class Pass:
    """End a turn in which nothing can be done any more (V26)."""


Action = (
    Deal | Reveal | Box | Lay | Craftsman | Site | Explore | Carry | Build | Swap | Decline | Pass
)


@dataclass(frozen=True)
class Seat:
    """What a player has beside the valley; `tokens` and `contracts` are those that count."""

    colour: str
    piles: tuple[int, ...]
    craftsmen: Annotated[int, OnTable("craftsman")]
    sites: Annotated[int, OnTable("site")] = SITES
    buildings: Annotated[int, OnTable("building")] = BUILDINGS
    storage: Annotated[Goods, OnTable("storage_area")] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    contracts: Annotated[tuple[str, ...], OnTable("contract")] = ()
    hand: Annotated[tuple[str, ...], Secret(HIDDEN), OnTable("contract")] = ()


@dataclass(frozen=True)
class State:
    """A game.

    `boxed` is the special token in the box, "" before it is drawn; `left` the actions of this turn;
    `power` the power of a contract just fulfilled; `ender` who took the end card; `idle` how many
    turns in a row nothing was done in.
    """

    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    pieces: ValleyPieces = field(default_factory=ValleyPieces)
    open: Annotated[tuple[str, ...], OnTable("contract")] = ()
    boxed: str = ""
    reserve: int = 0
    ready: bool = False
    mover: int = 0
    left: int = A_TURN
    acted: bool = False
    power: str = ""
    ender: int | None = None
    idle: int = 0
    over: bool = False
    side: str = "standard"
    edition: Edition = field(default=STANDARD, compare=False)

    @property
    def valley(self) -> Valley:
        """The side of the board that is played on."""
        return self.edition.valleys[self.side]

    @property
    def setup(self) -> Setup:
        """What depends on how many play."""
        return self.edition.tables[len(self.seats)]

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.seats[self.mover]

    @property
    def deck(self) -> Sequence[str]:
        """The neutral contracts that are neither open nor fulfilled; their order is nobody's."""
        gone = {*self.open, *(card for seat in self.seats for card in seat.contracts)}
        return [card for card in self.edition.neutral if card not in gone]

    @property
    def supply(self) -> Counter[str]:
        """The resources beside the board."""
        lies = self.pieces.resources()
        for seat in self.seats:
            lies.update(seat.storage)
        return Counter({one: self.edition.supply - lies[one] for one in RESOURCES})

    def worth(self, token: str) -> int:
        """How many resources a token brings at this table (V19)."""
        return self.edition.tokens[token].shows - self.setup.fewer

    def with_seat(self, number: int, **changes: Any) -> State:
        """With something else of a player's."""
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))


def begun(colours: Sequence[str], side: str, edition: Edition) -> State:
    """A table before chance has done anything (V15 to V21). KeyError for a number of players."""
    setup = edition.tables[len(colours)]
    piles = (setup.pile,) * PILES
    return State(
        tuple(Seat(colour, piles, setup.craftsmen) for colour in colours),
        reserve=edition.tiles - sum(piles) * len(colours),
        side=side,
        edition=edition,
    )
