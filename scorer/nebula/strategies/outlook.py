"""Value a galaxy in the middle of a game: its points, and a share for unfinished objectives."""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from scorer.nebula.card import Card
from scorer.nebula.game import SLOTS
from scorer.nebula.result import Table
from scorer.nebula.strategies.masks import (
    BLACK_AT,
    OF_BLACK,
    OF_OCCUPIED,
    Masks,
    masked_board,
    occupied,
    placed,
    with_black,
)
from scorer.nebula.turns.actions import Action, Place, PlaceOnTrack
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import State

BEGUN = 2.0
"""The exponent for an objective's progress: it is worth finishing what is nearly done."""


class Aim(NamedTuple):
    """A source of points: a category of the score, and its card, region or colour."""

    category: str
    id: str = ""


class Term(NamedTuple):
    """The worth of an aim as a function of masks, and the single mask that it depends on.

    `looks_at` is the index of a star's mask, or `OCCUPIED`; `MORE` if it depends on several.
    """

    worth: Callable[[Masks], float]
    looks_at: int


OCCUPIED, MORE = -1, -2


class Outlook:
    """The worth of galaxies to one player, given the cards, markers and tokens of a state.

    `begun` is the exponent for an objective's progress: the higher it is, the less unfinished ones
    are worth.
    """

    def __init__(self, state: State, player: int, begun: float = BEGUN) -> None:
        """View the table as a player; an unknown personal card counts for nothing."""
        self.board = masked_board(state.rules)
        self._state, self._player, self._begun = state, player, begun
        self._worths: dict[Masks, float] = {}
        claims = state.claims_of(player)
        galaxies = [seat.galaxy for seat in state.seats]
        self.table = Table.of(galaxies, player, len(claims))
        edition = state.rules.edition
        self.sure = 0
        for card, place in claims.items():
            first, later = edition.career_points(card)
            self.sure += first if place == "first" else later
        self._rated = self._terms()
        of: dict[int, list[Callable[[Masks], float]]] = {}
        for term in self._rated.values():
            of.setdefault(term.looks_at, []).append(term.worth)
        self._of_more = of.pop(MORE, [])
        self._of_occupied = of.pop(OCCUPIED, [])
        self._by_occupied: dict[int, float] = {}
        # sums of terms of one mask are cached, as a further star changes few masks
        self._by_mask: list[tuple[int, list[Callable[[Masks], float]], dict[int, float]]] = [
            (star, worths, {}) for star, worths in of.items()
        ]

    @cached_property
    def masks(self) -> Masks:
        return self.board.masks(self._state.seats[self._player].galaxy)

    @cached_property
    def now(self) -> float:
        return self.worth(self.masks)

    def worth(self, masks: Masks) -> float:
        """The worth of a galaxy in points."""
        worth = self._worths.get(masks)
        if worth is None:
            full = occupied(masks)
            worth = self._by_occupied.get(full)
            if worth is None:
                worth = self._by_occupied[full] = sum([each(masks) for each in self._of_occupied])
            for star, worths, known in self._by_mask:
                mask = masks[star]
                if mask not in known:
                    known[mask] = sum([each(masks) for each in worths])
                worth += known[mask]
            for each in self._of_more:
                worth += each(masks)
            worth = self._worths[masks] = worth + self.sure
        return worth

    def after(self, action: Action) -> Masks:
        """The masks of the player's galaxy after an action; only placements change them."""
        if isinstance(action, PlaceOnTrack):
            return with_black(self.masks)
        if isinstance(action, Place):
            return placed(self.masks, STARS.index(action.star), self.board.mask([action.space]))
        return self.masks

    def parts(self, masks: Masks) -> dict[Aim, float]:
        return {aim: term.worth(masks) for aim, term in self._rated.items()}

    def _terms(self) -> dict[Aim, Term]:
        state, edition = self._state, self._state.rules.edition
        found: dict[Aim, Term] = {}
        personal = state.hands[self._player].personal
        if personal is not None and personal in edition.cards:  # not the back of another's
            found[Aim("personal", personal)] = self._objective(personal, edition.personal)
        for card, owners in zip(state.career, state.markers, strict=True):
            if self._player not in owners:
                first, later = edition.career_points(card)
                found[Aim("career", card)] = self._objective(card, later if owners else first)
        black = [edition.black_points(n) for n in range(edition.track_spaces + 1)]
        found[Aim("black")] = Term(lambda masks: black[masks[BLACK_AT]], BLACK_AT)
        values = state.values.values()
        leading = dict(zip(values.constellations, edition.constellation_places, strict=False))
        for name, spaces in state.rules.board.constellations.items():
            points = leading.get(name, edition.finished_constellation)
            found[Aim("constellation", name)] = self._region(self.board.mask(spaces), points)
        for colour, each in zip(values.colours, edition.colour_places, strict=False):
            found[Aim("colour", colour)] = _count(STARS.index(colour), each)
        card_in = dict(zip(SLOTS, state.advanced, strict=False))
        for slot, each in zip(values.advanced, edition.advanced_places, strict=False):
            found[Aim("advanced", card_in[slot])] = self._tally(card_in[slot], each)
        return found

    def card(self, id: str) -> Card:
        return self._state.rules.edition.cards[id]

    def _objective(self, id: str, points: int) -> Term:
        card, begun = self.card(id), self._begun
        check = self.board.checker(card, self.table)
        return Term(lambda masks: points * check(masks)[0] ** begun, _looks_at(card))

    def _tally(self, id: str, each: int) -> Term:
        card = self.card(id)
        check = self.board.checker(card, self.table)
        return Term(lambda masks: each * check(masks)[1], _looks_at(card))

    def _region(self, region: int, points: int) -> Term:
        size = region.bit_count()
        worth = [points * (full / size) ** self._begun for full in range(size + 1)]
        return Term(lambda masks: worth[(occupied(masks) & region).bit_count()], OCCUPIED)


def _count(star: int, each: int) -> Term:
    return Term(lambda masks: each * masks[star].bit_count(), star)


def _looks_at(card: Card) -> int:
    """The single mask that a card's result depends on; see `Term`."""
    if "colour" in card.parameters:
        return STARS.index(card.parameters["colour"])
    if card.family in OF_BLACK:
        return BLACK_AT
    return OCCUPIED if card.family in OF_OCCUPIED else MORE


def prospects(state: State, player: int) -> float:
    return Outlook(state, player).now
