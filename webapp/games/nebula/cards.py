"""The cards as pages need them: by deck, by number, and by words to search for."""

from collections.abc import Mapping
from functools import cache

from werkzeug.exceptions import NotFound

from scorer.nebula import CARDS
from scorer.nebula.card import Card


class NoSuchCardError(NotFound):
    """There is no card of this number."""


@cache
def of_deck(deck: str) -> Mapping[str, Card]:
    """Return the cards of a deck (personal, career, advanced) by number, in order."""
    return {card.id: card for card in CARDS.values() if card.deck == deck}


def find(number: str) -> Card:
    """Return the card of this number. Raises NoSuchCardError."""
    if number not in CARDS:
        raise NoSuchCardError(number)
    return CARDS[number]
