"""The state of a game of Via Nebula, and its actions."""

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
"""The number of contracts face up (V16)."""
HAND = 2
A_TURN = 2
"""The number of actions in a turn (V25)."""
WHERE = Part(places=("region",))


def _contract(self: "Deal | Reveal | Build") -> str:
    """What its contract needs; "?" if the card is hidden."""
    known = STANDARD.contracts.get(self.card)
    return self.card if known is None else known.name


@dataclass(frozen=True)
class Deal:
    """Chance: a private contract is dealt (V16)."""

    card: Annotated[str, Part(private=True, hidden=True)]
    contract = property(_contract)


@dataclass(frozen=True)
class Reveal:
    """Chance: a neutral contract is turned up (V16, V50)."""

    card: str
    contract = property(_contract)


@dataclass(frozen=True)
class Box:
    """Chance: the special token that stays in the box (V17)."""

    token: str


@dataclass(frozen=True)
class Lay:
    """Chance: a token is put on a meadow (V17)."""

    token: Annotated[str, Part(piece=True)]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Craftsman:
    """A: put a craftsman on a token, which the player keeps (V29)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Site:
    """B: put a building site on a ruin (V31)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Explore:
    """C, D: put a tile on fog (V33) or forest (V35)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Carry:
    """E: carry a resource from an exploitation to one of the player's sites (V40)."""

    start: Annotated[str, WHERE]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Build:
    """F: replace a site by a building, for a contract (V46)."""

    at: Annotated[str, WHERE]
    card: Annotated[str, Part(private=True)]
    contract = property(_contract)


@dataclass(frozen=True)
class Swap:
    """A power: exchange a resource of the player's, on a site or in storage, for another kind."""

    at: Annotated[str, WHERE]
    given: Annotated[str, Part(piece=True)]
    taken: Annotated[str, Part(piece=True)]


@dataclass(frozen=True)
class Decline:
    """Leave a power unused (V49)."""


@dataclass(frozen=True)
class Pass:
    """End a turn in which nothing more can be done (V26)."""


Action = (
    Deal | Reveal | Box | Lay | Craftsman | Site | Explore | Carry | Build | Swap | Decline | Pass
)


@dataclass(frozen=True)
class Seat:
    """What a player has besides the valley; `tokens` and `contracts` are those that count."""

    colour: str
    piles: tuple[int, ...]
    craftsmen: Annotated[int, OnTable("craftsman", at_zero=True)]
    sites: Annotated[int, OnTable("site", at_zero=True)] = SITES
    buildings: Annotated[int, OnTable("building", at_zero=True)] = BUILDINGS
    storage: Annotated[Goods, OnTable("storage_area")] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    hand: Annotated[tuple[str, ...], Secret(HIDDEN), OnTable("contract", at_zero=True)] = ()
    contracts: Annotated[tuple[str, ...], OnTable("contract")] = ()


@dataclass(frozen=True)
class State:
    """A game.

    `boxed` is the special token in the box, "" before it is drawn; `left` the actions left in this
    turn; `power` that of a contract just fulfilled; `ender` the player with the end card; `idle`
    the number of consecutive turns without an action.
    """

    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    pieces: ValleyPieces = field(default_factory=ValleyPieces)
    open: Annotated[tuple[str, ...], OnTable("contract", market=True)] = ()
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
        return self.edition.valleys[self.side]

    @property
    def setup(self) -> Setup:
        """Numbers that depend on the number of players."""
        return self.edition.tables[len(self.seats)]

    @property
    def seat(self) -> Seat:
        return self.seats[self.mover]

    @property
    def deck(self) -> Sequence[str]:
        """The neutral contracts that are neither open nor fulfilled, in no meaningful order."""
        gone = {*self.open, *(card for seat in self.seats for card in seat.contracts)}
        return [card for card in self.edition.neutral if card not in gone]

    @property
    def supply(self) -> Counter[str]:
        lies = self.pieces.resources()
        for seat in self.seats:
            lies.update(seat.storage)
        return Counter({one: self.edition.supply - lies[one] for one in RESOURCES})

    def worth(self, token: str) -> int:
        """The number of resources that a token brings at this table (V19)."""
        return self.edition.tokens[token].shows - self.setup.fewer

    def with_seat(self, number: int, **changes: Any) -> "State":
        seats = list(self.seats)
        seats[number] = replace(seats[number], **changes)
        return replace(self, seats=tuple(seats))


def begun(colours: Sequence[str], side: str, edition: Edition) -> State:
    """A table before any chance action (V15 to V21). KeyError for a wrong number of players."""
    setup = edition.tables[len(colours)]
    piles = (setup.pile,) * PILES
    return State(
        tuple(Seat(colour, piles, setup.craftsmen) for colour in colours),
        reserve=edition.tiles - sum(piles) * len(colours),
        side=side,
        edition=edition,
    )
