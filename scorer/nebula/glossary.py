"""Nebula's glossary: the terms of `glossary.yaml` in order, then the cards by number."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.glossary import Term, read_terms, term_of
from scorer.nebula.card import CARDS
from scorer.nebula.galaxy import Galaxy


def read_glossary() -> Sequence[Term]:
    """All terms. Raise GlossaryError if the file is wrong.

    >>> [term.id for term in read_glossary() if term.number == "V5"]
    ['V5']
    """
    terms = read_terms(__package__, _galaxy)
    by_id = {term.id: term for term in terms}
    cards = [
        term_of(card, by_id["personal_card"].section, (f"{card.deck}_card",))
        for card in CARDS.values()
    ]
    return (*terms, *cards)


def _galaxy(data: Mapping[str, Any]) -> Galaxy:
    return Galaxy(data.get("stars", {}), data.get("black", 0))
