"""Galaxies as bit masks, as many of them are compared before a star is placed.

`Masks` is a tuple of seven integers in the order of `STARS`: for each colour a mask of the spaces
that hold it, bit n for space n of the board; last the number of black stars on the track.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from scorer.nebula.board import GalaxyBoard
from scorer.nebula.card import Card
from scorer.nebula.families import LASTING
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.result import Table
from scorer.nebula.turns.stars import STARS
from scorer.nebula.turns.state import Rules
from scorer.nebula.words import BLACK, COLOURS

Masks = tuple[int, ...]
BLACK_AT = STARS.index(BLACK)
MOST_REMEMBERED = 200_000
"""The size of each cache, for a card or for masks, at which it is cleared: about 20 MB."""
OF_OCCUPIED = LASTING | {"few_empty", "highlighted_surrounded"}
"""The families, of any deck, that only depend on which spaces are occupied."""
OF_BLACK = frozenset({"most_black", "career_markers"})
"""The families that only depend on black stars or on things outside the galaxy."""


class MaskedBoard:
    """The spaces of a board as bits, with cached results of cards.

    >>> from scorer.nebula.board import STANDARD_BOARD
    >>> board = MaskedBoard(STANDARD_BOARD)
    >>> lying = board.masks(Galaxy({"core": "red"}, black=2))
    >>> lying, board.names(board.open_to(lying, STARS.index("red")))
    ((1, 0, 0, 0, 0, 0, 2), ('core',))
    """

    def __init__(self, board: GalaxyBoard) -> None:
        self.board = board
        self._bit = {space: 1 << place for place, space in enumerate(board.spaces)}
        self._around = {self._bit[s]: self.mask(near) for s, near in board.around.items()}
        self._core = self._bit[board.core]
        self._beside: dict[int, int] = {}
        self._counts: dict[str, dict[Hashable, tuple[float, int]]] = {}

    def mask(self, spaces: Any) -> int:
        return sum({self._bit[space] for space in spaces})

    def names(self, mask: int) -> tuple[str, ...]:
        """The spaces of a mask, in board order."""
        return tuple([space for space, bit in self._bit.items() if mask & bit])

    def masks(self, galaxy: Galaxy) -> Masks:
        return (*[self.mask(galaxy.where(colour)) for colour in COLOURS], galaxy.black)

    def galaxy(self, masks: Masks) -> Galaxy:
        of = zip(COLOURS, masks, strict=False)
        stars = {space: colour for colour, mask in of for space in self.names(mask)}
        return Galaxy(stars, masks[BLACK_AT], self.board)

    def open_to(self, masks: Masks, star: int) -> int:
        """The spaces where a star of a colour may be placed, as in `Galaxy.open_to`."""
        near = self._near
        beside = near(masks[0]) | near(masks[1]) | near(masks[2])
        beside |= near(masks[3]) | near(masks[4]) | near(masks[5])
        if not occupied(masks) & ~self._core:
            beside |= self._core
        return beside & ~near(masks[star])

    def _near(self, mask: int) -> int:
        """The spaces linked to any space of a mask."""
        known = self._beside.get(mask)
        if known is None:
            if len(self._beside) > MOST_REMEMBERED:
                self._beside.clear()
            known = 0
            for bit in bits(mask):
                known |= self._around[bit]
            self._beside[mask] = known
        return known

    def checker(self, card: Card, table: Table) -> Callable[[Masks], tuple[float, int]]:
        """A cached function for a card's (progress, count) at a table."""
        look = self._look(card, table)
        known = self._counts.setdefault(card.id, {})

        def check(masks: Masks) -> tuple[float, int]:
            seen = look(masks)
            found = known.get(seen)
            if found is None:
                if len(known) > MOST_REMEMBERED:
                    known.clear()
                result = card.check(self.galaxy(masks), table)
                found = known[seen] = (result.progress, result.count or 0)
            return found

        return check

    def _look(self, card: Card, table: Table) -> Callable[[Masks], Hashable]:
        """The part of masks that a card's result depends on; the smaller, the more cache hits."""
        asked = card.parameters
        if "colour" in asked:
            star = STARS.index(asked["colour"])
            return lambda masks: masks[star]
        if "colours" in asked:
            one, other = map(STARS.index, asked["colours"])
            return lambda masks: (masks[one], masks[other])
        if "constellation" in asked or "orbit" in asked:
            board = self.board
            region = self.mask(
                board.orbits[asked["orbit"]]
                if "orbit" in asked
                else board.constellations[asked["constellation"]]
            )
            return lambda masks: tuple([mask & region for mask in masks[:BLACK_AT]])
        if card.family in OF_OCCUPIED:
            return occupied
        if card.family == "each_colour":
            return lambda masks: tuple([mask.bit_count() for mask in masks[:BLACK_AT]])
        if card.family == "highlighted_alike":
            highlighted = self.mask(self.board.highlighted)
            return lambda masks: tuple([mask & highlighted for mask in masks[:BLACK_AT]])
        if card.family in OF_BLACK:
            return lambda masks: (masks[BLACK_AT], table)
        return lambda masks: (masks, table)


def occupied(masks: Masks) -> int:
    """The mask of the spaces with a star of any colour."""
    return masks[0] | masks[1] | masks[2] | masks[3] | masks[4] | masks[5]


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask, as masks of one space each, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def placed(masks: Masks, star: int, bit: int) -> Masks:
    """The masks with a star placed on a space, replacing any that was there."""
    return tuple(
        [mask | bit if kind == star else mask & ~bit for kind, mask in enumerate(masks[:BLACK_AT])]
        + [masks[BLACK_AT]]
    )


def with_black(masks: Masks) -> Masks:
    return (*masks[:BLACK_AT], masks[BLACK_AT] + 1)


_recent: list[tuple[Rules, MaskedBoard]] = []


def masked_board(rules: Rules) -> MaskedBoard:
    """The masked board of a game, with the results cached in earlier turns.

    Only the latest few are kept, which usually share a board and an edition.
    """
    for known, board in _recent:
        if known is rules or (known.board == rules.board and known.edition == rules.edition):
            return board
    _recent.insert(0, (rules, MaskedBoard(rules.board)))
    del _recent[4:]
    return _recent[0][1]
