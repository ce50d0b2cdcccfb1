"""Every phrase of Polaris in three languages, with the same values in it."""

from string import Formatter

import pytest

from scorer.polaris import COMMON, PERSONAL, WORDS, load_edition
from scorer.polaris.card import TEXTS
from scorer.sentence import LANGUAGES

BOOKS = {"words": WORDS, "cards": TEXTS}
PHRASES = [(book, key) for book, phrases in BOOKS.items() for key in phrases.phrases]


def values_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize(("book", "key"), PHRASES)
def test_a_phrase_is_said_in_every_language_with_the_same_values(book, key):
    spoken = BOOKS[book].phrases[key]
    assert set(spoken) == set(LANGUAGES)
    assert len({frozenset(values_in(template)) for template in spoken.values()}) == 1


@pytest.mark.parametrize(
    "word", [*load_edition("standard").moons, *load_edition("standard").colours]
)
def test_a_word_is_known_in_every_language(word):
    assert len({WORDS.word(word, language) for language in LANGUAGES}) == 3


@pytest.mark.parametrize("card", [*COMMON.values(), *PERSONAL.values()], ids=lambda card: card.id)
def test_a_card_is_told_in_every_language(card):
    assert len({card.name.in_language(language) for language in LANGUAGES}) == 3
    assert len({card.rule.in_language(language) for language in LANGUAGES}) == 3


def test_a_sentence_within_a_sentence_is_said_in_the_same_language():
    counted = WORDS.say("stars", count=3)
    whole = WORDS.say("phase_parts", parts=(counted, WORDS.say("bonus_part", points="+3")))
    assert whole.in_language("es") == "3 Estrellas, bonificación +3"
    assert whole.in_language("cs") == "3 hvězdy, nejvíc +3"
