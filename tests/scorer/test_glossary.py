"""The glossary: every word explained in three languages, found without accents, checked if read."""

import copy
from dataclasses import replace
from typing import Any

import pytest

from scorer.game import Game
from scorer.glossary import GlossaryError, terms_from_data
from scorer.nebula.card import CARDS
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import WORDS
from scorer.polaris.card import COMMON, PERSONAL
from scorer.polaris.contract import POLARIS_GAME
from scorer.polaris.words import WORDS as POLARIS_WORDS
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.search import Index
from scorer.sentence import LANGUAGES
from scorer.via_nebula.game import VIA_NEBULA

GAMES = {game.id: game for game in (NEBULA, POLARIS_GAME, PTOLEMAEUS, VIA_NEBULA)}
CARDS_OF: dict[str, set[str]] = {
    "nebula": {*CARDS},
    "polaris": {*COMMON, *PERSONAL},
    "ptolemaeus": set(),
    "via_nebula": set(),
}
RULES = {
    "nebula": {
        *WORDS.phrases,
        *("not_linked", "same_colour_link", "black_on_galaxy", "value_token", "boosted_source"),
    },
    "polaris": {*POLARIS_WORDS.phrases},
    "ptolemaeus": {f"T{number}" for number in range(10, 81)},
    "via_nebula": {f"V{number}" for number in range(1, 76)},
}
TERMS = {term.id: term for term in NEBULA.glossary}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game[Any, Any, Any]:
    """Each game that has a glossary."""
    return GAMES[request.param]


def test_every_card_is_there_and_every_term_in_three_languages(game: Game[Any, Any, Any]) -> None:
    terms = {term.id: term for term in game.glossary}
    assert len(terms) == len(game.glossary) and CARDS_OF[game.id] <= {*terms}
    for term in terms.values():
        texts = [term.text.in_language(language) for language in LANGUAGES]
        assert len({*texts}) == len(LANGUAGES), f"{term.id} is not translated"
        assert all(len(text.split()) <= 60 for text in texts), f"{term.id} is too long"
        assert term.section, f"{term.id} stands nowhere in the rulebook"
        assert {*term.see} <= {*terms}


def test_of_every_word_that_is_no_card_players_ask_in_three_languages(
    game: Game[Any, Any, Any],
) -> None:
    for term in game.glossary:
        for language in LANGUAGES if not term.number else ():
            asked = (term.asked or {}).get(language, ())
            assert len({*asked}) >= 5, f"{term.id}, {language}"
            assert all(one == one.strip(" ;") != "" for one in asked), f"{term.id}, {language}"


def test_questions_of_no_word_or_in_two_languages_are_refused() -> None:
    questions = {"core": {"en": "where do I begin", "es": "dónde empiezo"}, "nova": SAID}
    with pytest.raises(GlossaryError) as refused:
        terms_from_data(RIGHT, lambda data: Galaxy(data["stars"]), questions=questions)
    assert "questions.core.cs: missing" in str(refused.value)
    assert "questions.nova: is no term" in str(refused.value)


def test_cards_have_a_section_of_their_own() -> None:
    card = replace(NEBULA.glossary[-1], section="")
    with pytest.raises(GlossaryError, match=r"sections\.cards: missing"):
        terms_from_data(RIGHT, lambda data: Galaxy(data["stars"]), [card])
    data = {**RIGHT, "sections": {**RIGHT["sections"], "cards": SAID}}
    *_terms, last = terms_from_data(data, lambda data: Galaxy(data["stars"]), [card])
    assert (last.id, str(last.section)) == (card.id, SAID["en"])


def test_its_examples_can_be_drawn_and_its_rules_are_rules(game: Game[Any, Any, Any]) -> None:
    board = game.standard_board
    places = {*board.spaces} | {f"{link.a}-{link.b}" for link in board.links}
    for term in game.glossary:
        assert {*term.rules} <= RULES[game.id], term.id
        assert {*term.lit} <= places, term.id
        assert term.example is None or not game.rule_breaks(term.example) or term.lit, term.id


def test_a_rule_is_explained_by_a_single_term(game: Game[Any, Any, Any]) -> None:
    """A refusal links to it."""
    rules = [rule for term in game.glossary for rule in term.rules]
    assert len(rules) == len({*rules})


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
    terms = [*TERMS.values()]
    assert first in [terms[at].id for at in Index(terms, language).ask(wanted)][:2]


def test_nothing_is_found_for_what_is_no_word() -> None:
    assert not Index([*TERMS.values()], "en").ask("zzz")


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
    ("key", "value", "message"),
    [
        ("name", {"en": "a", "es": "b"}, "terms.core.name.cs: missing"),
        ("text", None, "terms.core.text: missing"),
        ("section", "turns", "terms.core.section: turns is no section"),
        ("also", {"en": [60]}, "terms.core.also.en: must be words, not 60"),
        ("see", ["orbit"], "terms.core.see: orbit is no term"),
        ("example", {"stars": {"x9": "red"}}, "terms.core.example: the board has no space x9"),
        ("colour", "red", "terms.core.colour: is no key"),
    ],
)
def test_a_wrong_glossary_is_refused_by_key_and_reason(key: str, value: Any, message: str) -> None:
    def position(data: Any) -> Galaxy:
        return Galaxy(data["stars"])

    assert [term.id for term in terms_from_data(RIGHT, position)] == ["core"]
    data = copy.deepcopy(RIGHT)
    data["terms"]["core"][key] = value
    with pytest.raises(GlossaryError) as refused:
        terms_from_data(data, position)
    assert message in str(refused.value)
