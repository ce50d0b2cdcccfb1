"""The cards as pages need them: by deck."""

from collections.abc import Mapping
from functools import cache

from scorer.nebula.card import CARDS, Card


@cache
def of_deck(deck: str) -> Mapping[str, Card]:
    """Return the cards of a deck (personal, career, advanced) by number, in order."""
    return {card.id: card for card in CARDS.values() if card.deck == deck}
