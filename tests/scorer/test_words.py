"""Every phrase of every game in three languages, with the same values in it."""

from string import Formatter

import pytest

from scorer.nebula import card as nebula_card
from scorer.nebula.edition import load_edition as load_nebula
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, WORDS
from scorer.polaris import card as polaris_card
from scorer.polaris.edition import load_edition
from scorer.sentence import LANGUAGES, Phrasebook

BOOKS = {
    "nebula": WORDS,
    **{f"nebula {deck}": texts for deck, texts in nebula_card.TEXTS.items()},
    "polaris": polaris_card.WORDS,
    "polaris cards": polaris_card.TEXTS,
}
PHRASES = [(book, key) for book, phrases in BOOKS.items() for key in phrases.phrases]
SKY = load_edition("standard")


def values_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize(("book", "key"), PHRASES)
def test_a_phrase_is_said_in_every_language_with_the_same_values(book, key):
    spoken = BOOKS[book].phrases[key]
    assert set(spoken) == set(LANGUAGES)
    assert len({frozenset(values_in(template)) for template in spoken.values()}) == 1


@pytest.mark.parametrize(
    ("book", "word"),
    [
        *(("nebula", word) for word in (*COLOURS, BLACK, *CONSTELLATIONS)),
        *(("polaris", word) for word in (*SKY.moons, *SKY.colours, "link", "new_moon")),
    ],
)
def test_a_word_is_known_in_every_language(book, word):
    assert set(BOOKS[book].words[word]) == set(LANGUAGES)
    assert len({BOOKS[book].word(word, language) for language in LANGUAGES}) > 1


CARDS = [
    *nebula_card.CARDS.values(),
    *polaris_card.COMMON.values(),
    *polaris_card.PERSONAL.values(),
]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_is_reported_in_every_language(card):
    assert len({card.name.in_language(language) for language in LANGUAGES}) == 3
    assert len({card.rule.in_language(language) for language in LANGUAGES}) == 3


def test_numbers_take_their_languages_forms():
    forms = [WORDS.say("stars_of_colour", count=n, colour="white", needed=6) for n in (1, 3, 5)]
    assert forms[0] == "1 white star, 6 needed"
    assert [form.in_language("cs") for form in forms] == [
        "1 hvězda bílé barvy, třeba 6",
        "3 hvězdy bílé barvy, třeba 6",
        "5 hvězd bílé barvy, třeba 6",
    ]


@pytest.mark.parametrize(("card", "said"), [("O2", "has a red star"), ("O3", "has an orange star")])
def test_a_colour_takes_its_article(card, said):
    assert said in load_nebula("standard").cards[card].rule


def test_a_sentence_within_a_sentence_is_said_in_the_same_language():
    say = polaris_card.say
    whole = say("phase_parts", parts=(say("stars", count=3), say("bonus_part", points="+3")))
    assert whole.in_language("es") == "3 Estrellas, bonificación +3"
    assert whole.in_language("cs") == "3 hvězdy, nejvíc +3"


def test_two_places_of_one_name_are_not_named_twice():
    linked = WORDS.say("same_colour_link", spaces=("ar1", "ar2"), colour="red")
    named = {"ar1": "a space of Aries", "ar2": "a space of Aries"}
    said = linked.in_language("en", named.__getitem__)
    assert said == "a space of Aries and another are linked and both red"
    assert str(linked) == "ar1 and ar2 are linked and both red"
    book = Phrasebook({"list": {"en": "{spaces}"}}, {})
    listed = book.say("list", spaces=("ar1", "ar2"))
    assert listed.in_language("en", named.__getitem__) == "a space of Aries, a space of Aries"
