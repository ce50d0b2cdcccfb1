"""A game in progress: its rules, and an immutable state of everything on the table.

The state is complete: the same state and action always give the same next state, whether a star was
drawn by a program or by hand from a real bag.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.edition import Edition, load_edition
from scorer.nebula.galaxy import STARS_OF_A_COLOUR, Galaxy
from scorer.nebula.game import MOST_PLAYERS, Mode
from scorer.nebula.score import BLACK_STARS
from scorer.nebula.turns.stars import NO_STARS, Stars
from scorer.nebula.values_board import ValuesBoard
from scorer.nebula.words import COLOURS
from scorer.open_table import OnTable
from scorer.secrets import OfEachPlayer, Secret

Book = Literal["cs", "es"]
Thing = TypeVar("Thing")
CLUSTERS = 3
FEWEST_PLAYERS = 2


class Phase(StrEnum):
    """What happens next in a game."""

    FILL = "fill"  # setup: the clusters' spaces and the first boosted star are drawn
    DEAL = "deal"  # setup: the cards are turned up and dealt
    CHOOSE = "choose"  # setup: each player keeps one of two personal cards
    RESERVES = "reserves"  # setup: the players' first stars are drawn
    COLLECT = "collect"
    CHAOS = "chaos"  # stars are drawn for the player who turned to chaos
    KEEP = "keep"
    PLACE = "place"
    BOOST = "boost"  # the indicator came to a highlighted square
    BOOST_DRAW = "boost_draw"  # the new boosted star is drawn
    TOKEN = "token"  # a value token advances
    CLAIM = "claim"
    REFILL = "refill"  # stars are drawn for the clusters
    OVER = "over"


@dataclass(frozen=True)
class Rules:
    """The rules of a game: number of players, mode, rulebook, edition and board.

    >>> Rules(players=3).all_stars.black, Rules(players=2).refill_at
    (25, 2)
    """

    players: int = 2
    mode: Mode = "full"
    book: Book = "cs"
    edition: Edition = field(default_factory=lambda: load_edition("standard"))
    board: GalaxyBoard = STANDARD_BOARD

    def __post_init__(self) -> None:
        if not FEWEST_PLAYERS <= self.players <= MOST_PLAYERS:
            raise ValueError(f"a game has {FEWEST_PLAYERS} to {MOST_PLAYERS} players")

    @cached_property
    def all_stars(self) -> Stars:
        """The stars in the bag before anything is drawn."""
        return Stars._make([*[STARS_OF_A_COLOUR] * len(COLOURS), BLACK_STARS[self.players]])

    @cached_property
    def spare_stars(self) -> Stars:
        """The stars in the box from the start: black ones, with more than two players."""
        return Stars(black=max(BLACK_STARS.values()) - BLACK_STARS[self.players])

    @cached_property
    def game_stars(self) -> Stars:
        return Stars._make(map(sum, zip(self.all_stars, self.spare_stars, strict=True)))

    @property
    def refill_at(self) -> int:
        """The number of stars at or below which a cluster is refilled at a turn's end."""
        return 2 if self.players == 2 else 1

    @property
    def has_values(self) -> bool:
        """Whether the game uses the Values board and the advanced cards."""
        return self.mode == "full"


CARD_BACK = "?"
"""Stands for a hidden card."""


@dataclass(frozen=True)
class Hand:
    """A player's secrets: the two personal cards dealt, and the one kept."""

    dealt: Annotated[tuple[str, ...], Secret(CARD_BACK)] = ()
    personal: Annotated[str | None, Secret(CARD_BACK)] = None


@dataclass(frozen=True)
class Seat:
    """A player's public things: the galaxy with its black-star track, and the reserve."""

    galaxy: Galaxy
    reserve: Annotated[Stars, OnTable("reserve")] = NO_STARS

    def but(self, **changes: Any) -> "Seat":
        return _changed(self, changes)


@dataclass(frozen=True)
class State:
    """Everything on the table at one moment, and the relevant past of the turn in progress.

    `clusters` hold a star or None for each space; `hours` is the space of each time marker.
    `markers` has, for each of the `career` cards, the players who claimed it in order. `turn`
    counts from 1 (0: setup); the game ends with the round of turn `noticed`, for `reasons`.

    In the turn in progress: `governing` is the boosted star that applies to placing, `placed` the
    stars placed, `drawn` those drawn by chaos, `fulfilled` the career cards still to claim, `due`
    the spaces still to refill.
    """

    rules: Rules
    phase: Phase
    bag: Stars
    box: Stars
    clusters: tuple[tuple[str | None, ...], ...]
    hours: tuple[int, ...]
    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    hands: Annotated[tuple[Hand, ...], OfEachPlayer()]
    values: ValuesBoard
    boosted: str | None = None
    indicator: int = 0
    career: Annotated[tuple[str, ...], OnTable("career_card")] = ()
    advanced: Annotated[tuple[str, ...], OnTable("advanced_card")] = ()
    markers: tuple[tuple[int, ...], ...] = ()
    turn: int = 0
    governing: str | None = None
    placed: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    fulfilled: tuple[str, ...] = ()
    due: tuple[tuple[int, int], ...] = ()
    noticed: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def player(self) -> int:
        """The player to move, from 0 in turn order; in setup, who chooses a card or draws."""
        if self.turn:
            return (self.turn - 1) % self.rules.players
        waiting = (n for n, hand in enumerate(self.hands) if hand.personal is None)
        return next(waiting, 0)

    @property
    def seat(self) -> Seat:
        return self.seats[self.player]

    @property
    def round(self) -> int:
        """The number of the round, from 1; 0 in setup."""
        return -(-self.turn // self.rules.players)

    @property
    def marker_count(self) -> int:
        return sum(map(len, self.markers))

    @property
    def on_table(self) -> Stars:
        """All stars outside the bag and the box."""
        stars = [star for cluster in self.clusters for star in cluster if star]
        stars += [*self.drawn, *([self.boosted] if self.boosted else [])]
        total = NO_STARS.plus_all(stars)
        for seat in self.seats:
            galaxy = (*map(seat.galaxy.count, COLOURS), seat.galaxy.black)
            total = Stars._make(map(sum, zip(total, galaxy, seat.reserve, strict=True)))
        return total

    def claims_of(self, player: int) -> dict[str, Literal["first", "later"]]:
        """A player's career markers: `first` is on top of the card, `later` below."""
        return {
            card: "first" if owners[0] == player else "later"
            for card, owners in zip(self.career, self.markers, strict=True)
            if player in owners
        }

    def but(self, **changes: Any) -> "State":
        return _changed(self, changes)

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        player = self.player
        return (*self.seats[:player], seat, *self.seats[player + 1 :])


def _changed(value: Thing, changes: dict[str, Any]) -> Thing:
    """A faster `dataclasses.replace`, as a game changes its state 500 times.

    Only for classes without checks on creation or attributes besides fields.
    """
    new = object.__new__(type(value))
    object.__setattr__(new, "__dict__", value.__dict__ | changes)
    return new
