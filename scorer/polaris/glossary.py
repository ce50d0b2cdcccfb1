"""Polaris' glossary: the terms of `glossary.yaml` in order, then the cards by number."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.glossary import Term, read_terms, term_of
from scorer.polaris.board import STANDARD_SKY
from scorer.polaris.card import COMMON, PERSONAL, CommonCard
from scorer.polaris.game import sky_from_data
from scorer.polaris.sky import Sky
from scorer.polaris.words import say
from scorer.sentence import Sentence


def read_glossary() -> Sequence[Term]:
    """All terms. Raise GlossaryError if the file is wrong.

    >>> [str(term.name) for term in read_glossary() if term.number == "C11"]
    ['Longest line']
    """
    terms = read_terms(__package__, _sky, (*COMMON, *PERSONAL))
    section = {term.id: term.section for term in terms}["longest_line"]
    common = [_common_term(card, section) for card in COMMON.values()]
    personal = [term_of(card, section, ("personal_objective",)) for card in PERSONAL.values()]
    return (*terms, *common, *personal)


def _common_term(card: CommonCard, section: Sentence | str) -> Term:
    """A common card, with the counts that its points need."""
    _none, *counts = map(str, card.thresholds)
    text = say("common_card", rule=card.rule, counts=", ".join(counts))
    return replace(term_of(card, section, ("common_objective", "tier")), text=text)


def _sky(data: Mapping[str, Any]) -> Sky:
    return sky_from_data(data, STANDARD_SKY)
