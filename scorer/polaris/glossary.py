"""The cards as terms of Polaris' glossary."""

from collections.abc import Sequence
from dataclasses import replace

from scorer.glossary import Term, card_term
from scorer.polaris.card import COMMON, PERSONAL, CommonCard
from scorer.polaris.words import say


def card_terms() -> Sequence[Term]:
    personal = [card_term(card, ("personal_objective",)) for card in PERSONAL.values()]
    return [*map(_common_term, COMMON.values()), *personal]


def _common_term(card: CommonCard) -> Term:
    """A common card, with the counts that its points need."""
    _none, *counts = map(str, card.thresholds)
    text = say("common_card", rule=card.rule, counts=", ".join(counts))
    return replace(card_term(card, ("common_objective", "tier")), text=text)
