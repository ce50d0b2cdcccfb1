"""Questions that people put are answered by the word that a rulebook's reader would look up."""

from collections import defaultdict
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
NONSENSE = [row for row in ROWS if not row[0]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nine_of_ten_are_answered_at_the_first_place(language: str) -> None:
    at = LANGUAGES.index(language)
    in_three = [(game, answers, questions[at]) for game, answers, *questions in ASKED]
    in_one = [row for spoken, *row in IN_ONE_LANGUAGE if spoken == language]
    found_in = cache(lambda game: Index(registry.find_game(game).glossary, language))
    for asked in (in_three, in_one):
        wrong = []
        for game, answers, question in asked:
            index = found_in(game)
            found = index.ask(question)
            first = index.terms[found[0]].id if found else "nothing"
            if first not in answers.split(","):
                wrong.append(f"{game}: {question} -> {first}, not {answers}")
        assert len(asked) >= 60
        assert len(wrong) <= 0.1 * len(asked), "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_no_game_knows_has_no_answer(language: str) -> None:
    answered = defaultdict(list)
    for game in ("nebula", "polaris", "ptolemaeus", "via_nebula"):
        terms = registry.find_game(game).glossary
        for _, _, *questions in NONSENSE:
            question = questions[LANGUAGES.index(language)]
            answered[question] += [terms[at].id for at in Index(terms, language).ask(question)[:1]]
    assert not {question: ids for question, ids in answered.items() if ids}


def test_a_slip_of_a_key_and_half_a_word_are_understood() -> None:
    terms = registry.find_game("nebula").glossary
    for question, answer in (
        ("boostd star", "boosted"),
        ("constel", "constellation"),
        ("O19", "O19"),
    ):
        found = Index(terms, "en").ask(question)
        assert found and terms[found[0]].id == answer
