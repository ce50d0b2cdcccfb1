"""The words of questions: forms that are one word, and words that are not."""

import pytest

from scorer.datafile import read_package_file
from scorer.sentence import LANGUAGES
from scorer.word_features import stems


def test_to_take_is_not_a_brother_without_an_accent() -> None:
    """Words that only form a question are compared without accents."""
    assert stems("brát", "cs") == stems("vzít", "cs") == {"vzit": 1.0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_irregular_forms_are_one_word(language: str) -> None:
    lines = read_package_file("scorer", "word_forms.yaml")[language].splitlines()
    words = [word for line in lines for word in line.split()]
    assert len({*words}) == len(words), "each in one line"
    for line in lines:
        first, *others = line.split()
        assert others and all(
            stems(one, language).keys() == stems(first, language).keys() for one in others
        )
