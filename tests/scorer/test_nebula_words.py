"""Every phrase in three languages with the same values in it, and the doctests of the room."""

import doctest
import pkgutil
from importlib import import_module
from string import Formatter

import pytest

import scorer
from scorer.nebula import BLACK, COLOURS, CONSTELLATIONS, WORDS, load_edition
from scorer.nebula.card import TEXTS
from scorer.sentence import LANGUAGES

BOOKS = {"words": WORDS, **TEXTS}
PHRASES = [(book, key) for book, phrases in BOOKS.items() for key in phrases.phrases]
MODULES = [module.name for module in pkgutil.walk_packages(scorer.__path__, "scorer.")]


def values_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize(("book", "key"), PHRASES)
def test_a_phrase_is_said_in_every_language_with_the_same_values(book, key):
    spoken = BOOKS[book].phrases[key]
    assert set(spoken) == set(LANGUAGES)
    assert len({frozenset(values_in(template)) for template in spoken.values()}) == 1


@pytest.mark.parametrize("word", [*COLOURS, BLACK, *CONSTELLATIONS])
def test_a_word_is_known_in_every_language(word):
    assert set(WORDS.words[word]) == set(LANGUAGES)
    assert len({WORDS.word(word, language) for language in LANGUAGES}) > 1


def test_numbers_take_their_languages_forms():
    forms = [WORDS.say("stars_of_colour", count=n, colour="white", needed=6) for n in (1, 3, 5)]
    assert forms[0] == "1 white star, 6 needed"
    assert [form.in_language("cs") for form in forms] == [
        "1 hvězda bílé barvy, třeba 6",
        "3 hvězdy bílé barvy, třeba 6",
        "5 hvězd bílé barvy, třeba 6",
    ]


def test_there_are_examples_to_hold():
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [test for name in MODULES for test in finder.find(import_module(name))]
    assert sum(bool(test.examples) for test in found) >= 15


@pytest.mark.parametrize(("card", "said"), [("O2", "has a red star"), ("O3", "has an orange star")])
def test_a_colour_takes_its_article(card, said):
    assert said in load_edition("standard").cards[card].rule
