"""The immutable state of a game of Polaris, and the actions that change it.

Decks have no order: which card comes next is chance, with an action of its own (`Draw`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, ClassVar

from scorer.notation import Part
from scorer.open_table import OnTable
from scorer.polaris.action_card import ActionCard, Deck
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.edition import Edition, load_edition
from scorer.polaris.game import FEWEST_PLAYERS, MOST_PLAYERS, PHASES, Game, Phase, Player, Snapshot
from scorer.polaris.sky import PLAYERS_WITH_NEUTRAL_STARS, Sky
from scorer.polaris.words import NEUTRAL
from scorer.secrets import OfEachPlayer, Secret

HAND = 3  # basic cards dealt to each player (P16)
HAND_LIMIT = 5  # P30
MARKET: Mapping[Deck, int] = MappingProxyType({"basic": 4, "advanced": 2})  # P12
Piles = Mapping[str, tuple[str, ...]]
"""Cards by deck."""
HIDDEN = ""  # a card that the viewer may not see


@dataclass(frozen=True)
class TakeCard:
    """Take a face-up card of either market (P30 to P32)."""

    line: ClassVar[str] = "take {card}"
    by_hand: ClassVar[bool] = False
    card: str

    @property
    def moon(self) -> str:
        """The moon on the card; a card is known by it and a number."""
        return self.card.partition("-")[0]


@dataclass(frozen=True)
class TakeShootingStars:
    """Take 3 shooting stars from the supply (P47)."""

    line: ClassVar[str] = "shooting"


@dataclass(frozen=True)
class PlayCard:
    """Play one card of the hand in a sector (P33 to P39); the turn goes on until `EndTurn`.

    `stars` and `links` are the places of the pieces of the card's choice, in the card's order; None
    for one that is left out.
    """

    card: str
    sector: int
    choice: int = 0
    stars: tuple[str | None, ...] = ()
    links: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class EndTurn:
    """Play no further card in this turn (P44)."""

    line: ClassVar[str] = "end"
    by_hand: ClassVar[bool] = False


@dataclass(frozen=True)
class Draw:
    """Chance: this card is drawn from the next pending deck or pile."""

    card: Annotated[str, Part(hidden=True)]


Action = TakeCard | TakeShootingStars | PlayCard | EndTurn | Draw


@dataclass(frozen=True)
class Pending:
    """A card to be drawn: its pile, and its seat; None for the market, or the edge of the sky."""

    pile: str  # basic, advanced, common or personal
    seat: int | None = None


@dataclass(frozen=True)
class Seat:
    """The things of one player. Cards that may not be seen are `HIDDEN`."""

    name: str
    colour: str
    shooting: Annotated[int, OnTable("shooting_star", at_zero=True)]
    marker: int
    hand: Annotated[tuple[str, ...], Secret(HIDDEN), OnTable("action_card", at_zero=True)] = ()
    personal: Annotated[str | None, Secret(HIDDEN)] = None
    taken: tuple[str, ...] = ()
    """The cards of the hand that everybody saw when they were taken from a market."""


@dataclass(frozen=True)
class TableState:
    """A table in play; seats are in turn order.

    `piles` are the cards face down: basic, advanced, common, personal. `objectives` are the common
    cards beside the sectors, clockwise from sector 1. `dawn` are the ☀ cards on dawn spaces;
    earlier phases occupy one space each. `played` are the cards of the turn in progress. During a
    phase `telescope` is the seat that triggered it, and `extra` are those with a turn left.
    """

    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    sky: Sky
    piles: Piles
    pending: tuple[Pending, ...] = ()
    markets: Piles = field(default_factory=lambda: dict.fromkeys(MARKET, ()))
    discards: Piles = field(default_factory=lambda: dict.fromkeys(MARKET, ()))
    objectives: tuple[str, ...] = ()
    dawn: tuple[str, ...] = ()
    turn: int = 0
    played: tuple[PlayCard, ...] = ()
    telescope: int | None = None
    extra: tuple[int, ...] = ()
    phases: tuple[Phase, ...] = ()
    edition: Edition = field(default_factory=lambda: load_edition("standard"))

    @property
    def over(self) -> bool:
        """Whether the fifth phase has been scored (P57)."""
        return len(self.phases) == PHASES

    @property
    def player(self) -> Seat:
        return self.seats[self.turn]

    @property
    def new_moon(self) -> int:
        assert self.sky.new_moon is not None  # ensured by set_up
        return self.sky.new_moon

    @property
    def objective(self) -> str:
        """The common card at the New Moon, scored in the next phase."""
        return self.objectives[list(self.sky.board.sectors).index(self.new_moon)]

    @property
    def to_come(self) -> Annotated[Sequence[str], OnTable("common_objective")]:
        """The common cards that are still to be scored, in the order of their phases."""
        if not self.objectives:
            return ()
        first = list(self.sky.board.sectors).index(self.new_moon)
        scored = [phase.card for phase in self.phases]
        ring = (*self.objectives[first:], *self.objectives[:first])
        return [card for card in ring if card not in scored]

    @property
    def free_dawn_spaces(self) -> int:
        """The number of ☀ cards that still go onto dawn spaces (P58)."""
        return self.edition.dawn_spaces - len(self.phases) - len(self.dawn)

    def suns(self, *more: str) -> int:
        """The suns of the cards played in this turn and of some `more`."""
        return sum(self.card(one).dawn for one in (*(play.card for play in self.played), *more))

    def fills_dawn(self, *more: str) -> bool:
        """Whether the suns of this turn and of some `more` cards fill the dawn (P58)."""
        return self.telescope is None and self.suns(*more) >= self.free_dawn_spaces

    def card(self, id: str) -> ActionCard:
        return self.edition.actions[id]

    def lunar_sector(self, card: str) -> int:
        """The sector of a card's own moon (P34)."""
        steps = self.edition.moons.index(self.card(card).moon)
        return self.sky.board.sector_after(self.new_moon, steps)

    def with_seat(self, number: int, seat: Seat) -> "TableState":
        seats = (*self.seats[:number], seat, *self.seats[number + 1 :])
        return replace(self, seats=seats)

    def to_game(self) -> Game:
        """The game to score: the phases so far, and the present sky."""
        players = tuple(
            Player(seat.name, seat.colour, seat.shooting, seat.personal or None)
            for seat in self.seats
        )
        return Game(players, Snapshot(self.sky), self.phases, self.edition, self.sky.board)


def set_up(
    players: Sequence[tuple[str, str]],
    new_moon: int = 1,
    edition: Edition | None = None,
    board: SkyBoard = STANDARD_SKY,
) -> TableState:
    """The table before the cards are dealt (P10 to P17), which is chance's first task.

    `players` are (name, colour) in turn order. Raise ValueError for too few, too many, or repeated
    names or colours.

    >>> table = set_up([("Ana", "red"), ("Eva", "blue")])
    >>> [seat.shooting for seat in table.seats], len(table.sky.where("neutral")), len(table.pending)
    ([1, 2], 10, 19)
    """
    edition = edition or load_edition("standard")
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        reason = f"a game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(players)}"
        raise ValueError(reason)
    names, colours = ({player[part] for player in players} for part in (0, 1))
    if len(names) < len(players) or len(colours) < len(players):
        raise ValueError("players have different names and colours")
    seats = tuple(
        Seat(name, colour, place, edition.start)
        for place, (name, colour) in enumerate(players, start=1)
    )
    neutral = (
        dict.fromkeys(board.starred, NEUTRAL) if len(seats) == PLAYERS_WITH_NEUTRAL_STARS else {}
    )
    cards = edition.actions.values()
    piles: dict[str, tuple[str, ...]] = {
        deck: tuple(card.id for card in cards if card.deck == deck) for deck in MARKET
    }
    piles |= {"common": tuple(edition.common), "personal": tuple(edition.personal)}
    pending = [Pending(deck) for deck, count in MARKET.items() for _ in range(count)]
    pending += [Pending("common")] * PHASES
    for seat in range(len(seats)):
        pending += [Pending("personal", seat), *[Pending("basic", seat)] * HAND]
    sky = Sky(neutral, (), new_moon, board)
    return TableState(seats, sky, piles, tuple(pending), edition=edition)
