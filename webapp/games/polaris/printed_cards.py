"""The cards as printed, with text beside their pictures."""

from collections.abc import Iterator, Sequence
from functools import cache

from calibration.cards import Card
from scorer.polaris.action_card import ActionCard
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.edition import load_edition
from scorer.polaris.words import say
from scorer.sentence import Sentence
from webapp.games.polaris import action_pictures, card_pictures

EDGES = {"basic": "#8c97bd", "advanced": "#d7dceb", "common": "#d9b04c", "personal": "#8f7be0"}


@cache
def every(language: str) -> Sequence[Card]:
    """The standard edition's action cards, common objectives and personal ones."""
    edition = load_edition("standard")
    glossary = {term.id: term for term in POLARIS_GAME.glossary}
    printed = [
        Card.translated(
            language,
            card.id,
            card.id.rpartition("-")[2],
            say(f"moon_{card.moon}"),
            _choices(card, language),
            say(f"deck_{card.deck}"),
            action_pictures.draw_card(card),
            EDGES[card.deck],
        )
        for card in edition.actions.values()
    ]
    for deck, cards in (("common", edition.common), ("personal", edition.personal)):
        for card in cards.values():
            term, picture = glossary[card.id], card_pictures.draw(card)
            words = term.name, [term.text], say(f"deck_{deck}")
            printed.append(
                Card.translated(language, card.id, card.id, *words, picture, EDGES[deck])
            )
    return printed


def _choices(card: ActionCard, language: str) -> Iterator[str]:
    """A line for each choice, and what becomes of the card."""
    if len(card.choices) > 1:
        yield say("card_or").in_language(language)
    for choice in card.choices:
        shown: list[Sentence] = [say("card_stars", n=choice.stars)] if choice.stars else []
        shown += [say(f"card_{link.orientation}") for link in choice.links]
        shown += [say("card_shooting")] if choice.shooting else []
        yield " + ".join(one.in_language(language) for one in shown)
    if card.dawn:
        yield say("card_dawn").in_language(language)
