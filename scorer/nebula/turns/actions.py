"""What can be done in a game, and what chance can bring: values, one class a kind."""

from dataclasses import dataclass
from typing import Literal

Source = Literal["bag", "reserve", "none"]
SOURCES: tuple[Source, ...] = ("bag", "reserve", "none")


@dataclass(frozen=True)
class Draw:
    """Chance: a star comes out of the bag, for whatever is drawn for now."""

    star: str


@dataclass(frozen=True)
class Deal:
    """Chance: a card is turned up, or dealt to a player."""

    card: str


@dataclass(frozen=True)
class ChoosePersonal:
    """Keep one of the two personal cards dealt."""

    card: str


@dataclass(frozen=True)
class InvestTime:
    """Move the time markers, one number a cluster, positive clockwise; take what lies there."""

    moves: tuple[int, ...]


@dataclass(frozen=True)
class TurnToChaos:
    """Give a star of the reserve to the box, to draw from the bag."""

    returned: str


@dataclass(frozen=True)
class Keep:
    """Keep these of the stars drawn by chaos; the others go to the box."""

    stars: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """Place a star of the reserve on a space of the galaxy; one that lies there goes to the box."""

    star: str
    space: str


@dataclass(frozen=True)
class PlaceOnTrack:
    """Place a star of the reserve, a black one, on the black-star track."""

    star: str = "black"


@dataclass(frozen=True)
class ReplaceBoosted:
    """Say where the new boosted star comes from: the bag, or this `star` of the reserve.

    `none`: the old star stays, as the bag holds no other colour.
    """

    source: Source
    star: str | None = None


@dataclass(frozen=True)
class AdvanceToken:
    """Advance a value token by a square."""

    token: str


@dataclass(frozen=True)
class EndPlacing:
    """Place no more stars in this turn."""


@dataclass(frozen=True)
class Claim:
    """Put a career marker on a card."""

    card: str


@dataclass(frozen=True)
class EndClaims:
    """Have no more cards to claim in this turn."""


Action = (
    Draw
    | Deal
    | ChoosePersonal
    | InvestTime
    | TurnToChaos
    | Keep
    | Place
    | PlaceOnTrack
    | ReplaceBoosted
    | AdvanceToken
    | EndPlacing
    | Claim
    | EndClaims
)
