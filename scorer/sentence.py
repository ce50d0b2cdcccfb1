"""Sentences that remember how they were built, so that a page can show them in another language.

A sentence is an English `str` wherever one is expected (JSON, a terminal) and keeps the key of its
phrase and the values in it. Phrases and words are data: a mapping of language to template.
Templates are those of `str.format` with three additions: a number picks a form, `{n:star|stars}`
(Czech has three) or `{n:2=a pair|3=a trio|several}`, a word has named forms, `{colour:many}`, and a
list is joined by "and", `{spaces:and}`. A value may itself be a sentence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from sys import modules
from typing import Any

from scorer.datafile import file_of, read_package_file

Word = str | Mapping[str, str]  # one form, or forms by name, the plain one named "one"
Value = str | int | tuple[str, ...]

LANGUAGES = ("en", "es", "cs")
WORDS_FILE = "words.yaml"
"""The file with a game's phrases, in its own package."""
AND = {"en": "and", "es": "y", "cs": "a"}
ANOTHER = {"en": "another", "es": "otra", "cs": "další"}


class Verbatim(str):
    """A value that is the same in all languages, such as a player's name, be it "red" or "core"."""


def plural_form(language: str, count: int) -> int:
    """The index of the plural form for a count: English and Spanish have two, Czech has three.

    >>> [plural_form("cs", n) for n in (1, 2, 4, 5)]
    [0, 1, 1, 2]
    """
    if count == 1:
        return 0
    if language == "cs" and not 2 <= count <= 4:
        return 2
    return 1


def minus(number: int | str) -> str:
    """A number with a minus sign rather than a hyphen.

    >>> minus(2), minus(-2)
    ('2', '−2')
    """
    return str(number).replace("-", "−")


def signed(number: int) -> str:
    """A number with its sign, as in `minus`.

    >>> signed(2), signed(-2)
    ('+2', '−2')
    """
    return minus(f"{number:+d}")


class Sentence(str):
    """An English sentence that can be rendered in the other languages of its phrasebook."""

    key: str
    values: Mapping[str, Value]
    _book: "Phrasebook"

    def __new__(cls, book: "Phrasebook", key: str, values: Mapping[str, Value]) -> "Sentence":
        """Render the phrase `key` of `book` with `values`. Raise KeyError for an unknown phrase."""
        sentence = super().__new__(cls, _in_english(book, key, tuple(values.items())))
        sentence.key, sentence.values, sentence._book = key, values, book
        return sentence

    def __getnewargs__(self) -> tuple[Any, ...]:
        """The arguments with which copy and pickle rebuild the sentence."""
        return (self._book, self.key, self.values)

    def with_values(self, **values: Value) -> "Sentence":
        """The same phrase with some other values."""
        return Sentence(self._book, self.key, {**self.values, **values})

    def in_language(self, language: str, named: Callable[[str], str] = str) -> str:
        """The sentence in another language (`en`, `es`, `cs`).

        `named` gives the text for a value that is not a word of the phrasebook, such as an id.
        """
        return self._book.render(self.key, self.values, language, named)


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """Phrases by key, and words for their values, each by language.

    >>> book = Phrasebook({"seen": {"en": "{n} {colour} {n:star|stars}",
    ...                             "es": "{n} {n:estrella|estrellas} {colour:many}"}},
    ...                   {"red": {"en": "red", "es": {"one": "roja", "many": "rojas"}}})
    >>> sentence = book.say("seen", n=2, colour="red")
    >>> print(sentence, "/", sentence.in_language("es"))
    2 red stars / 2 estrellas rojas
    """

    phrases: Mapping[str, Mapping[str, str]]
    words: Mapping[str, Mapping[str, Word]]
    file: str = "the phrasebook"
    """The file that the phrases are in, for messages."""

    @classmethod
    @cache
    def of_package(cls, package: str) -> "Phrasebook":
        """The `phrases` and `words` of `words.yaml` in a package."""
        data = read_package_file(package, WORDS_FILE)
        return cls(data["phrases"], data.get("words", {}), file_of(package, WORDS_FILE))

    @classmethod
    def of_class(cls, kind: type) -> "Phrasebook":
        """The phrasebook in the package of a class, or of the first base class that has one."""
        for one in kind.__mro__:
            package = getattr(modules.get(one.__module__), "__package__", "")
            if package and files(package).joinpath(WORDS_FILE).is_file():
                return cls.of_package(package)
        return cls({}, {})

    def say(self, key: str, **values: Value) -> Sentence:
        return Sentence(self, key, values)

    def of_kind(self, kind: str) -> dict[str, Sentence]:
        """The phrases `KIND_ID` without values, by their ids, in the order of the file."""
        keys = [key for key in self.phrases if key.startswith(f"{kind}_")]
        return {key.removeprefix(f"{kind}_"): self.say(key) for key in keys}

    def word(self, word: str, language: str = "en", count: int = 1) -> str:
        """A single word (a colour, a kind of link) in a language; unchanged if not known.

        For another `count` than one it is in its form "few" (2 to 4 in Czech) or "many", if any.

        >>> tile = {"en": {"one": "tile", "many": "tiles"}, "cs": {"one": "dílek", "few": "dílky"}}
        >>> words = Phrasebook({}, {"tile": tile})
        >>> [words.word("tile", "en", n) for n in (1, 2)], words.word("tile", "cs", 2)
        (['tile', 'tiles'], 'dílky')
        """
        form = ("one", "few" if language == "cs" else "many", "many")[plural_form(language, count)]
        spoken = self._spoken(word, language)
        return format(spoken, form) if isinstance(spoken, _Forms) else str(spoken)

    def render(
        self,
        key: str,
        values: Mapping[str, Value],
        language: str,
        named: Callable[[str], str] = str,
    ) -> str:
        """The text of a phrase in a language, in English if it is not translated."""
        if key not in self.phrases:
            raise KeyError(f"{self.file} has no phrase {key!r}")
        templates = self.phrases[key]
        spoken_in = language if language in templates else "en"
        spoken = {name: self._spoken(value, spoken_in, named) for name, value in values.items()}
        return templates[spoken_in].format(**spoken)

    def _spoken(self, value: Value, language: str, named: Callable[[str], str] = str) -> object:
        if isinstance(value, int):
            return _Count(value, language)
        if isinstance(value, Verbatim):
            return value
        if isinstance(value, Sentence):
            return value.in_language(language, named)
        if isinstance(value, tuple):
            words = [f"{self._spoken(word, language, named)}" for word in value]
            return _List(words, language, are_two=len({*value}) == 2 == len(words))
        forms = self.words.get(value)
        if forms is None:
            return named(value)
        return _Forms(forms[language if language in forms else "en"])


# Cached, as simulated games check their cards thousands of times with much the same sentences.
# English only: a sentence among the values hashes by its English text.
@lru_cache(maxsize=4096)
def _in_english(book: Phrasebook, key: str, values: tuple[tuple[str, Value], ...]) -> str:
    return book.render(key, dict(values), "en")


class _List(str):
    """A list in a template: `{spaces}` with commas, `{spaces:and}` with "and" before the last.

    With `:and` two equal words become one "and another".
    """

    def __new__(cls, words: list[str], language: str, are_two: bool = False) -> "_List":
        listed = super().__new__(cls, ", ".join(words))
        *others, last = words or [""]
        if are_two and others == [last]:
            last = ANOTHER[language]
        listed._spoken = f"{', '.join(others)} {AND[language]} {last}" if others else last
        return listed

    _spoken: str

    def __format__(self, form: str) -> str:
        return self._spoken if form == "and" else str(self)


class _Count:
    """A number in a template: `{n}` is in digits, `{n:star|stars}` the plural form for it.

    `{n:2=both|all}` has texts for single numbers, and the last one for all others.

    >>> [f"{_Count(n, 'en'):2=both|all}" for n in (2, 3)]
    ['both', 'all']
    """

    def __init__(self, count: int, language: str) -> None:
        self.count, self.language = count, language

    def __format__(self, forms: str) -> str:
        if not forms:
            return str(self.count)
        choices = forms.split("|")
        if "=" in forms:
            return dict(one.split("=", 1) for one in choices[:-1]).get(str(self.count), choices[-1])
        return choices[min(plural_form(self.language, self.count), len(choices) - 1)]


class _Forms:
    """A word in a template: `{colour}` is plain, `{colour:many}` a named form.

    The forms `capital` and `a` (with the English article) are derived.
    """

    def __init__(self, word: Word) -> None:
        self.word = word

    def __format__(self, form: str) -> str:
        plain = self.word if isinstance(self.word, str) else self.word["one"]
        if form == "capital":
            return plain[:1].upper() + plain[1:]
        if form == "a":
            return f"{'an' if plain[0] in 'aeiou' else 'a'} {plain}"
        return plain if isinstance(self.word, str) else self.word.get(form or "one", plain)
