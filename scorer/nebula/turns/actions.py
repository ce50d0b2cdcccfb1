"""Actions of players and of chance, a dataclass for each kind."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from scorer.nebula.card import CARDS
from scorer.nebula.words import say
from scorer.notation import Part
from scorer.sentence import Sentence

Source = Literal["bag", "reserve", "none"]


def is_secret(card: str) -> bool:
    """Whether a card is a personal one, which only its player may see; its back is public."""
    return card in CARDS and CARDS[card].deck == "personal"


@dataclass(frozen=True)
class Draw:
    """Chance: a star is drawn from the bag, for whatever is due."""

    star: str


@dataclass(frozen=True)
class Deal:
    """Chance: a card is turned up, or dealt to a player."""

    card: Annotated[str, Part(hidden=is_secret)]


@dataclass(frozen=True)
class ChoosePersonal:
    """Keep one of the two personal cards dealt."""

    line: ClassVar[str] = "choose {card}"
    card: Annotated[str, Part(private=True, hidden=is_secret)]
    by_hand: ClassVar[bool] = False


@dataclass(frozen=True)
class InvestTime:
    """Move the time markers, by one number for each cluster, clockwise if positive; take stars."""

    line: ClassVar[str] = "time {moves}"
    moves: tuple[int, ...]

    @property
    def ways(self) -> tuple[Sentence, ...]:
        """The distance and direction of each marker that moves.

        >>> InvestTime((2, 0, -1)).ways
        ('top 2 clockwise', 'left 1 anticlockwise')
        """
        return tuple(
            say(f"marker_{cluster}_{'on' if move > 0 else 'back'}", count=abs(move))
            for cluster, move in zip(("top", "right", "left"), self.moves, strict=True)
            if move
        )


@dataclass(frozen=True)
class TurnToChaos:
    """Move a star from the reserve to the box, to draw from the bag."""

    line: ClassVar[str] = "chaos {returned}"
    returned: str


@dataclass(frozen=True)
class Keep:
    """Keep these of the stars drawn by chaos; the others go to the box."""

    stars: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """Place a star from the reserve on a space of the galaxy; one already there goes to the box."""

    star: Annotated[str, Part(piece=True)]
    space: Annotated[str, Part(("spot",))]


@dataclass(frozen=True)
class PlaceOnTrack:
    """Place a black star from the reserve on the black-star track."""

    line: ClassVar[str] = "place {star} track"
    star: str = "black"


@dataclass(frozen=True)
class ReplaceBoosted:
    """Choose where the new boosted star comes from: `bag`, or a colour of the reserve.

    `none` leaves the old star, if the bag holds no other colour.
    """

    line: ClassVar[str] = "boost {new}"
    new: str

    @property
    def by_hand(self) -> bool:
        """Whether a star is moved now: one from the bag is drawn in the next action."""
        return self.source == "reserve"

    @property
    def source(self) -> Source:
        return "bag" if self.new == "bag" else "none" if self.new == "none" else "reserve"

    @property
    def star(self) -> str:
        """The star from the reserve, or ""."""
        return self.new if self.source == "reserve" else ""


@dataclass(frozen=True)
class AdvanceToken:
    """Advance a value token by a square."""

    line: ClassVar[str] = "token {token}"
    token: str


@dataclass(frozen=True)
class EndPlacing:
    """Place no more stars in this turn."""

    line: ClassVar[str] = "end placing"
    by_hand: ClassVar[bool] = False


@dataclass(frozen=True)
class Claim:
    """Put a career marker on a card."""

    card: str


@dataclass(frozen=True)
class EndClaims:
    """Claim no more cards in this turn."""

    line: ClassVar[str] = "end claims"
    by_hand: ClassVar[bool] = False


@dataclass(frozen=True)
class LeaveClusters:
    """Instead of the last refill: no star drawn now changes the score."""

    line: ClassVar[str] = "leave clusters"
    by_hand: ClassVar[bool] = False


Action = (
    Draw
    | Deal
    | ChoosePersonal
    | InvestTime
    | TurnToChaos
    | Keep
    | PlaceOnTrack
    | Place
    | ReplaceBoosted
    | AdvanceToken
    | EndPlacing
    | Claim
    | EndClaims
    | LeaveClusters
)
