"""The cards as terms of Nebula's glossary."""

from collections.abc import Sequence

from scorer.glossary import Term, card_term
from scorer.nebula.card import CARDS


def card_terms() -> Sequence[Term]:
    return [card_term(card, (f"{card.deck}_card",)) for card in CARDS.values()]
