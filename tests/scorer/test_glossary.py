"""The glossary: every word explained in three languages, found without accents, checked if read."""

import copy
from typing import Any

import pytest

from scorer.glossary import GlossaryError, found, terms_from_data
from scorer.nebula import CARDS
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import WORDS
from scorer.sentence import LANGUAGES

TERMS = {term.id: term for term in NEBULA.glossary}


def test_every_card_and_every_word_of_the_lessons_is_there_in_three_languages() -> None:
    assert NEBULA.course is not None
    assert {*CARDS} <= {*TERMS}
    assert {word for lesson in NEBULA.course.lessons for word in lesson.terms} <= {*TERMS}
    for term in TERMS.values():
        texts = [term.text.in_language(language) for language in LANGUAGES]
        assert len({*texts}) == len(LANGUAGES), f"{term.id} is not translated"
        assert all(len(text.split()) <= 60 for text in texts), f"{term.id} is too long"


def test_its_examples_can_be_drawn_and_its_rules_are_rules() -> None:
    phrases = {*WORDS.phrases} | {"not_linked", "same_colour_link", "black_on_galaxy"}
    for term in TERMS.values():
        assert {*term.rules} <= phrases | {"value_token"}, term.id
        assert {*term.lit} <= {*NEBULA.standard_board.spaces}, term.id
        assert term.example is None or not term.example.rule_breaks() or term.lit, term.id


@pytest.mark.parametrize(
    ("wanted", "language", "first"),
    [
        ("souhvezdi", "cs", "constellation"),
        ("ORBITA", "es", "orbit"),
        ("cerna dira", "cs", "black_star"),
        ("v7", "en", "V7"),
        ("Zona de Observacion", "es", "reserve"),
        ("replacing", "en", "replace"),
        ("reserva", "es", "reserve"),
    ],
)
def test_it_is_found_whatever_the_accents_and_the_case(
    wanted: str, language: str, first: str
) -> None:
    assert first in [term.id for term in found(TERMS.values(), wanted, language)][:2]


def test_nothing_is_found_for_what_is_no_word_and_all_for_nothing() -> None:
    assert not found(TERMS.values(), "zzz", "en")
    assert len(found(TERMS.values(), "  ", "en")) == len(TERMS)


SAID = {"en": "a", "es": "b", "cs": "c"}
RIGHT: dict[str, Any] = {
    "sections": {"board": SAID},
    "terms": {
        "core": {
            "name": SAID,
            "text": SAID,
            "section": "board",
            "example": {"stars": {"core": "red"}},
        }
    },
}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("name", {"en": "a", "es": "b"}, "terms.core.name.cs: missing"),
        ("text", None, "terms.core.text: missing"),
        ("section", "turns", "terms.core.section: turns is no section"),
        ("see", ["orbit"], "terms.core.see: orbit is no term"),
        ("example", {"stars": {"x9": "red"}}, "terms.core.example: the board has no space x9"),
        ("colour", "red", "terms.core.colour: is no key"),
    ],
)
def test_a_wrong_glossary_is_refused_by_key_and_reason(key: str, value: Any, told: str) -> None:
    def position(data: Any) -> Galaxy:
        return Galaxy(data["stars"])

    assert [term.id for term in terms_from_data(RIGHT, position)] == ["core"]
    data = copy.deepcopy(RIGHT)
    data["terms"]["core"][key] = value
    with pytest.raises(GlossaryError) as refused:
        terms_from_data(data, position)
    assert told in str(refused.value)
