"""Questions that people put are answered by the word that a rulebook's reader would look up."""

from functools import cache
from pathlib import Path

import pytest

from scorer import registry
from scorer.search import Index
from scorer.sentence import LANGUAGES

DATA = Path(__file__).with_name("data")


def rows(file: str) -> list[list[str]]:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


ROWS = rows("questions.txt")
ASKED = [row for row in ROWS if row[0]]
IN_ONE_LANGUAGE = rows("questions_in_one_language.txt")
NEVER_SEEN = rows("questions_never_seen.txt")
NONSENSE = {
    language: [questions[at] for game, _, *questions in ROWS if not game]
    + [row[-1] for row in NEVER_SEEN if row[:2] == [language, ""]]
    for at, language in enumerate(LANGUAGES)
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_most_are_answered_at_the_first_place(language: str) -> None:
    at = LANGUAGES.index(language)
    in_three = [(game, answers, questions[at]) for game, answers, *questions in ASKED]
    in_one = [row for spoken, *row in IN_ONE_LANGUAGE if spoken == language]
    never_seen = [row for spoken, *row in NEVER_SEEN if spoken == language and row[0]]
    found_in = cache(lambda game: Index(registry.find_game(game).glossary, language))
    for asked, most in ((in_three, 0.08), (in_one, 0.1), (never_seen, 0.13)):
        wrong = []
        for game, answers, question in asked:
            index = found_in(game)
            found = index.ask(question)
            first = index.terms[found[0]].id if found else "nothing"
            if first not in answers.split(","):
                wrong.append(f"{game}: {question} -> {first}, not {answers}")
        assert len(asked) >= 60
        assert len(wrong) <= most * len(asked), "\n".join(wrong)


def test_what_no_game_knows_has_almost_never_an_answer() -> None:
    answered, asked = set(), 0
    for language in LANGUAGES:
        asked += len(NONSENSE[language])
        for game in ("nebula", "polaris", "ptolemaeus", "via_nebula"):
            index = Index(registry.find_game(game).glossary, language)
            answered |= {
                (language, one)
                for one in NONSENSE[language]
                if index.ask(one) and index.is_sure_of(one)
            }
    assert asked >= 420
    assert len(answered) <= 0.07 * asked, answered  # such as "my cards are in my other bag"


def test_a_question_without_an_answer_gets_the_words_that_it_may_be_about() -> None:
    index = Index(registry.find_game("nebula").glossary, "en")
    question = "which constellation does grandma prefer on sundays"
    assert not index.ask(question)
    assert [index.terms[at].id for at in index.suggest(question)][:1] == ["constellation"]
    assert not index.suggest("what about grandma")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_holds_no_word_of_any_phrase_has_no_answer(language: str) -> None:
    index = Index(registry.find_game("via_nebula").glossary, language)
    for question in ("?", "…", "blorf", {"en": "just", "es": "muy", "cs": "ano"}[language]):
        assert not index.ask(question) and not index.suggest(question)


def test_a_part_of_a_cards_name_finds_the_card_after_the_rule() -> None:
    index = Index(registry.find_game("nebula").glossary, "en")
    assert [index.terms[at].id for at in index.ask("ORBIT 2")] == ["orbit", "V7"]


def test_a_slip_of_a_key_and_half_a_word_are_understood() -> None:
    terms = registry.find_game("nebula").glossary
    for question, answer in (
        ("boostd star", "boosted"),
        ("constel", "constellation"),
        ("O19", "O19"),
    ):
        found = Index(terms, "en").ask(question)
        assert found and terms[found[0]].id == answer


def test_an_answer_to_a_similar_word_is_unsure() -> None:
    index = Index(registry.find_game("nebula").glossary, "es")
    castle = "cuánto vale un castillo"  # taken for "casilla"
    assert index.ask(castle) and not index.is_sure_of(castle)
    for question in ("cuánto vale una casilla", "conste", "quién es"):
        assert index.is_sure_of(question), question
