"""The words of a question: their stems, how they sound, and groups of their letters."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, pairwise

from scorer.datafile import read_package_file
from scorer.glossary import folded

QUESTION_WORD = 0.7
"""The weight of words that only form a question, such as "how"; others have 1."""
LETTERS = 4
"""The length of a group of letters."""
SHORT_STEM = 5
"""Stems up to this length are not those of other forms: too many words have them."""

_STEMMERS = {"en": "english", "es": "spanish", "cs": "czech"}
_STOP: Mapping[str, str] = read_package_file(__package__, "stop_words.yaml")
_FORMS: Mapping[str, str] = read_package_file(__package__, "word_forms.yaml")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; a ★ is one."""
    return re.findall(r"[^\W_]+|★", text.casefold())


@cache
def stop_words(language: str) -> frozenset[str]:
    """The words that only form a question, without accents."""
    return frozenset(folded(_STOP[language]).split())


@cache
def first_forms(language: str) -> Mapping[str, str]:
    """The form that each listed word, without accents, is looked up as."""
    lines = [line.split() for line in _FORMS[language].splitlines()]
    return {folded(word): first for first, *others in lines for word in (first, *others)}


@cache
def _first_stems(language: str) -> Mapping[str, str]:
    """By the stem of each listed form, the stem of its first one; unlisted forms may share it."""
    return {
        _snowball(word, language): _snowball(first, language)
        for word, first in first_forms(language).items()
    }


@lru_cache(maxsize=4096)
def _snowball(word: str, language: str) -> str:
    """A word's stem without accents, which are removed last as stemmers rely on them."""
    import snowballstemmer

    return folded(snowballstemmer.stemmer(_STEMMERS[language]).stemWord(word))


@lru_cache(maxsize=4096)
def stem_of(word: str, language: str) -> str:
    first = first_forms(language).get(folded(word))
    if first:
        return _snowball(first, language)
    stem = _snowball(word, language)
    return _first_stems(language).get(stem, stem) if len(stem) > SHORT_STEM else stem


@lru_cache(maxsize=4096)
def weight_of(word: str, language: str) -> float:
    return QUESTION_WORD if folded(word) in stop_words(language) else 1.0


def stems(text: str, language: str) -> dict[str, float]:
    """The stems of a text's words with their weights.

    >>> stems("How many black stars?", "en")
    {'how': 0.7, 'mani': 0.7, 'black': 1.0, 'star': 1.0}
    """
    found = dict[str, float]()
    for word in words_of(text):
        stem = stem_of(word, language)
        found[stem] = max(found.get(stem, 0), weight_of(word, language))
    return found


def features_of(said: Sequence[tuple[str, str]], language: str) -> dict[str, float]:
    """The pairs of neighbours and of content words, and groups of letters, of words with stems."""
    content = {stem for word, stem in said if weight_of(word, language) > QUESTION_WORD}
    neighbours = (f"{one} {two}" for (_, one), (_, two) in pairwise(said))
    anywhere = (f"{one}+{two}" for one, two in combinations(sorted(content), 2))
    return dict.fromkeys(
        chain(neighbours, anywhere, chain.from_iterable(_letters(word) for word, _ in said)), 1.0
    )


@lru_cache(maxsize=4096)
def _letters(word: str) -> Sequence[str]:
    """The groups of letters of a word between its ends, without accents.

    >>> _letters("duží")
    ['-^duz', '-duzi', '-uzi$']
    """
    marked = f"^{folded(word)}$"
    return [f"-{marked[at : at + LETTERS]}" for at in range(max(1, len(marked) - LETTERS + 1))]


_SOUNDS: Mapping[str, Sequence[tuple[str, str]]] = {
    "es": (
        ("h", ""),
        ("ll", "y"),
        ("v", "b"),
        ("qu(?=[ei])|c(?![ei])", "k"),
        ("c(?=[ei])|z", "s"),
        ("g(?=[ei])", "j"),
        ("gu(?=[ei])", "g"),
    ),
    "cs": (
        ("ej$", "y"),
        ("y", "i"),
        ("(?<=[bfmpv])n?j(?=e)", ""),
        ("^z(?=[kpt])", "s"),
        ("(?<=[aeiou])v$", "f"),
    ),
}
"""What sounds the same, or is the same in colloquial speech, without accents."""


@lru_cache(maxsize=4096)
def sound_of(word: str, language: str) -> str:
    """A word as it sounds, to find it however it is spelt.

    >>> sound_of("yegar", "es"), sound_of("hvjezd", "cs")
    ('yegar', 'hvezd')
    """
    for spelt, sound in _SOUNDS.get(language, ()):
        word = re.sub(spelt, sound, word)
    return word


def name_forms(words: Iterable[str], language: str) -> list[str]:
    """Words without accents, and without the endings of their cases if enough is left."""
    plain = [folded(word) for word in words]
    cut = [_snowball(word, language) for word in plain]
    return [two if len(two) >= SHORT_STEM else one for one, two in zip(plain, cut, strict=True)]
