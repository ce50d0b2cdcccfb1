"""Every text of every game in three languages, with the same values in it."""

from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import calibration
import scorer
from scorer.datafile import parse_yaml
from scorer.nebula import card as nebula_card
from scorer.nebula.edition import load_edition as load_nebula
from scorer.nebula.words import BLACK, COLOURS, CONSTELLATIONS, WORDS
from scorer.polaris import card as polaris_card
from scorer.polaris.edition import load_edition
from scorer.sentence import LANGUAGES, WORDS_FILE, Phrasebook

PACKAGES = Path(scorer.__file__).parent, Path(calibration.__file__).parent
SKY = load_edition("standard")
FILES = [file for package in PACKAGES for file in sorted(package.rglob("*.yaml"))]
OF_ALL = "all"
"""The key of names that are the same in every language."""


def texts_of(data: object, key: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """Every mapping of languages to texts within the data of a file."""
    if isinstance(data, dict):
        if data.keys() & {*LANGUAGES}:
            yield key, data
        for name, own in data.items():
            yield from texts_of(own, f"{key}.{name}".strip("."))
    elif isinstance(data, list):
        for number, own in enumerate(data):
            yield from texts_of(own, f"{key}[{number}]")


def values_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_text_is_there_in_every_language_with_the_same_values(file):
    """Pages would show the English text instead, and no one would notice."""
    data = parse_yaml(file.read_text(encoding="utf-8"), trusted=True)
    phrases = data.get("phrases", {}) if file.name == WORDS_FILE else {}
    for key, said in [*texts_of(data), *phrases.items()]:
        there = [language for language in LANGUAGES if said.get(language)]
        is_empty_on_purpose = said.keys() >= {*LANGUAGES} and not any(said.values())
        assert there == [*LANGUAGES] or is_empty_on_purpose, f"{file}: {key} is only in {there}"
        assert said.keys() - {*LANGUAGES, OF_ALL} == set(), f"{file}: {key}"
        templates = [one for one in said.values() if isinstance(one, str)]
        assert len({frozenset(values_in(one)) for one in templates}) <= 1, f"{file}: {key}"


@pytest.mark.parametrize(
    ("words", "word"),
    [
        *((WORDS, word) for word in (*COLOURS, BLACK, *CONSTELLATIONS)),
        *((polaris_card.WORDS, word) for word in (*SKY.moons, *SKY.colours, "link", "new_moon")),
    ],
)
def test_a_word_is_known_in_every_language(words, word):
    assert len({words.word(word, language) for language in LANGUAGES}) > 1


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
