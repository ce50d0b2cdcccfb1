"""The state of a game of Ptolemaeus: the sky, the players' things, and pending tasks."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from scorer.notation import Part
from scorer.open_table import OnTable
from scorer.ptolemaeus.edition import COMET, PIECES, PLANETS, STANDARD, ZODIAC, Edition
from scorer.ptolemaeus.sky import Aspect, places_of
from scorer.secrets import OfEachPlayer, Secret

HIDDEN = "?"
DECK = "deck"
OPEN = 6
"""The number of constellation cards face up."""
WHERE = Part(places=("region",))
OWN = Part(private=True)
PLAYER = Part(player=True)
DRAWN = Part(private=True, hidden=True)


@dataclass(frozen=True)
class Objective:
    """Chance: a secret objective is dealt (T15)."""

    card: Annotated[str, DRAWN]


@dataclass(frozen=True)
class Draw:
    """Chance: the top constellation card goes to a hand."""

    card: Annotated[str, DRAWN]


@dataclass(frozen=True)
class Reveal:
    """Chance: a constellation card is turned face up."""

    card: str


@dataclass(frozen=True)
class Bonus:
    """Chance: the top bonus card goes to a hand."""

    card: Annotated[str, DRAWN]


@dataclass(frozen=True)
class Steal:
    """Chance: the card taken unseen from an opponent's hand (T57)."""

    card: Annotated[str, DRAWN]


@dataclass(frozen=True)
class Event:
    """Chance: the next event card is turned (T17, T65)."""

    card: str

    @property
    def planets(self) -> tuple[str, ...]:
        return STANDARD.events.get(self.card, ())


@dataclass(frozen=True)
class Travel:
    """Automatic: a planet of the event card, or the comet, moves on (T60, T62)."""

    body: Annotated[str, Part(piece=True)]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Take:
    """Take an open card, or the top one of the deck (T22)."""

    card: str


@dataclass(frozen=True)
class Observe:
    """Observe a constellation (T27), or a configuration by its first constellation (T32)."""

    what: Annotated[Aspect, OWN]
    at: Annotated[str, Part(("region",), stands_for="covered")]

    @property
    def places(self) -> tuple[str, ...]:
        return () if self.what == "constellation" else places_of(self.what, self.at)

    @property
    def covered(self) -> tuple[str, ...]:
        """Each constellation that it puts a piece on."""
        return tuple(dict.fromkeys(places_of(self.what, self.at)))


@dataclass(frozen=True)
class Pay:
    """Put a piece on an observed constellation, paying these cards."""

    at: Annotated[str, WHERE]
    cards: Annotated[tuple[str, ...], OWN]


@dataclass(frozen=True)
class Lift:
    """Take up one of the player's pieces, to put it elsewhere (T38), or into the reserve (T53)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Study:
    """Study a planet: with the third piece (T42), or with two and two `others` (T43)."""

    planet: str
    others: Annotated[tuple[str, ...], WHERE] = ()


@dataclass(frozen=True)
class Play:
    card: Annotated[str, OWN]


@dataclass(frozen=True)
class Swap:
    """Replace a piece of the opponent with colour `of` by one of the player's (T51)."""

    at: Annotated[str, WHERE]
    of: Annotated[str, PLAYER]


@dataclass(frozen=True)
class Move:
    """Move one of the player's pieces (T55)."""

    start: Annotated[str, WHERE]
    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Place:
    """Put a piece without payment (T59)."""

    at: Annotated[str, WHERE]


@dataclass(frozen=True)
class Rob:
    """Take a card from the hand of the opponent with colour `of` (T57)."""

    of: Annotated[str, PLAYER]


@dataclass(frozen=True)
class Discard:
    """Discard a constellation card (T54, T65)."""

    card: Annotated[str, OWN]


@dataclass(frozen=True)
class Trade:
    """Give two asteroids for the top bonus card (T49)."""


@dataclass(frozen=True)
class Claim:
    """Claim twelve points, and the game (T67)."""


@dataclass(frozen=True)
class End:
    """End the turn."""


Action = (
    (Objective | Draw | Reveal | Bonus | Steal | Event | Travel)
    | (Take | Observe | Pay | Lift | Study | Play | Swap | Move | Place | Rob | Discard)
    | (Trade | Claim | End)
)


@dataclass(frozen=True)
class Task:
    """A pending task, to be done before anything else, and its seat.

    `places` are constellations, or bodies for `travel`; for `move` they are those to which the card
    has already moved pieces (T55). `observed` are all places of an observation. `of` is the seat to
    steal from, `left` the number of cards of action A still to take, 0 if sextants are allowed
    (T52).
    """

    kind: str
    seat: int = 0
    places: tuple[str, ...] = ()
    observed: tuple[str, ...] = ()
    of: int = 0
    left: int = 0


@dataclass(frozen=True)
class Seat:
    """What a player has; `pieces` are those on each constellation in the zodiac's order."""

    colour: str
    pieces: tuple[int, ...] = (0,) * len(ZODIAC)
    studied: Annotated[tuple[str, ...], OnTable("study")] = ()
    asteroids: Annotated[int, OnTable("asteroid")] = 0
    hand: Annotated[tuple[str, ...], Secret(HIDDEN), OnTable("payment")] = ()
    bonus: Annotated[tuple[str, ...], Secret(HIDDEN), OnTable("bonus_card")] = ()
    secret: Annotated[str | None, Secret(HIDDEN)] = None

    @property
    def reserve(self) -> Annotated[int, OnTable("reserve", at_zero=True)]:
        """The pieces that have not been placed."""
        return PIECES - sum(self.pieces) - len(self.studied)

    def on(self, at: str) -> int:
        return self.pieces[ZODIAC.index(at)]

    def shifted(self, changes: Mapping[str, int]) -> "Seat":
        """The seat with pieces added to or removed from constellations."""
        pieces = (own + changes.get(at, 0) for at, own in zip(ZODIAC, self.pieces, strict=True))
        return replace(self, pieces=tuple(pieces))


@dataclass(frozen=True)
class State:
    """A game.

    `first` has the astrolabe; `acted` counts the turns of this round, `actions` are those left in
    this turn; `acting`: one of them was done. `round` is 0 before the first event card is turned.
    """

    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    planets: tuple[str, ...]
    """The constellation of each, in the order of `PLANETS`."""
    comet: str
    start: str
    todo: tuple[Task, ...] = ()
    asteroids: tuple[str, ...] = ZODIAC
    open: Annotated[tuple[str, ...], OnTable("constellation", market=True)] = ()
    deck: Annotated[tuple[str, ...], Secret(HIDDEN)] = ()
    discarded: tuple[str, ...] = ()
    bonus_deck: Annotated[tuple[str, ...], Secret(HIDDEN)] = ()
    played: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    event: str = ""
    travelled: int = 0
    """The distance travelled by the comet."""
    first: int = 0
    acted: int = 0
    actions: int = 1
    acting: bool = False
    round: int = 0
    claimed: int | None = None
    over: bool = False
    edition: Edition = field(default=STANDARD, compare=False)

    @property
    def mover(self) -> int:
        return (self.first + self.acted) % len(self.seats)

    @property
    def bodies(self) -> dict[str, str]:
        return {**self.standing, COMET: self.comet}

    @property
    def standing(self) -> dict[str, str]:
        return dict(zip(PLANETS, self.planets, strict=True))

    @property
    def pile(self) -> tuple[str, ...]:
        """The cards to draw from: the deck, or the discard pile that replaces it (T25)."""
        return self.deck or self.discarded

    def planets_at(self, at: str, seat: int) -> list[str]:
        """The planets on a constellation that a player has not studied yet."""
        studied = self.seats[seat].studied
        here = self.standing.items()
        return [planet for planet, where in here if where == at and planet not in studied]

    def seat_of(self, colour: str) -> int | None:
        return next((n for n, seat in enumerate(self.seats) if seat.colour == colour), None)

    def others(self, seat: int) -> list[int]:
        """The opponents, clockwise."""
        return [(seat + n) % len(self.seats) for n in range(1, len(self.seats))]

    def with_seat(self, number: int, seat: Seat | None = None, **changes: Any) -> "State":
        seats = list(self.seats)
        seats[number] = replace(seat or seats[number], **changes)
        return replace(self, seats=tuple(seats))

    def with_tasks(self, *tasks: Task, **changes: Any) -> "State":
        """The state with tasks before the pending ones, and other changes."""
        return replace(self, todo=(*tasks, *self.todo), **changes)


def without(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """Cards without those in `gone`, in order; missing ones are ignored."""
    left = Counter(gone)
    kept = []
    for card in cards:
        if left[card]:
            left[card] -= 1
        else:
            kept.append(card)
    return tuple(kept)
