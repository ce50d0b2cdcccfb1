"""Glossaries: terms of a game from a data file, and its objectives as terms."""

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib.resources import files
from typing import Any

from scorer.datafile import DataFileError, Problem, read_package_file
from scorer.objective import Objective
from scorer.sentence import LANGUAGES, Phrasebook, Sentence

GLOSSARY, EXAMPLE_QUESTIONS = "glossary.yaml", "example_questions.yaml"
ANY_PLAYERS = {"players": 0}
"""The value of texts that a page says for the number of players of a game in progress."""
OF_CARDS = "cards"
"""The section of the terms of cards."""
KEYS = {
    "name",
    "also",
    "text",
    "section",
    "rules",
    "see",
    "example",
    "lit",
    "parts",
    "prints",
    "pieces",
}


class GlossaryError(DataFileError):
    """A glossary with mistakes; `.problems` has the key and reason of each."""


@dataclass(frozen=True)
class Term:
    """A term of the game, or a card, with its explanation and its section of the rulebook.

    `also` are synonyms by language, `asked` questions that players ask about it. `rules` are the
    ids of the rules that it explains, `see` other terms. `example` is a position to draw, with the
    spaces `lit` highlighted. `number` is printed on a card, "" for other terms. `parts` are the
    categories of score lines that it explains. `prints` and `pieces` are patterns of what it
    explains on a board: ids of places or of symbols printed there, and of pieces.
    """

    id: str
    name: Sentence
    text: Sentence
    section: Sentence | str = ""
    also: Mapping[str, tuple[str, ...]] | None = None
    rules: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    example: Any = None
    lit: tuple[str, ...] = ()
    number: str = ""
    parts: tuple[str, ...] = ()
    asked: Mapping[str, tuple[str, ...]] | None = None
    prints: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()

    def explains(self, printed: str = "", piece: str = "") -> bool:
        """Whether it explains a place or a printed symbol, or a piece, given by its id."""
        patterns = (self.id, *(self.pieces if piece else self.prints))
        return any(fnmatchcase(piece or printed, one) for one in patterns)


def folded(text: str) -> str:
    """A text without case and accents, for comparisons.

    >>> folded("Souhvězdí ÓRBITA")
    'souhvezdi orbita'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def read_terms(
    package: str, position_of: Callable[[Mapping[str, Any]], Any], cards: Sequence[Term] = ()
) -> Sequence[Term]:
    """The terms of a package's `glossary.yaml`, with its `example_questions.yaml` if it has one.

    Raise GlossaryError with every mistake. Arguments are those of `terms_from_data`.
    """
    has_questions = files(package).joinpath(EXAMPLE_QUESTIONS).is_file()
    questions = read_package_file(package, EXAMPLE_QUESTIONS) if has_questions else {}
    return terms_from_data(read_package_file(package, GLOSSARY), position_of, cards, questions)


def terms_from_data(
    data: Any,
    position_of: Callable[[Mapping[str, Any]], Any],
    cards: Sequence[Term] = (),
    questions: Mapping[str, Mapping[str, str]] | None = None,
) -> Sequence[Term]:
    """The terms of a glossary file's data, then `cards`. Raise GlossaryError with every mistake.

    `position_of` makes the position of an `example`, or raises ValueError. `questions` are example
    questions by term and language, separated by semicolons.
    """
    sections, written = data.get("sections", {}), data.get("terms", {})
    problems = [
        problem
        for key, said in sections.items()
        for problem in _missing_languages(f"sections.{key}", said)
    ]
    for id, own in written.items():
        problems += _mistakes(id, own, sections, {*written, *(card.id for card in cards)})
    if cards and OF_CARDS not in sections:
        problems.append((f"sections.{OF_CARDS}", "missing: the terms of cards stand there"))
    questions = questions or {}
    problems += [(f"questions.{id}", "is no term") for id in questions.keys() - written.keys()]
    for id, asked in questions.items():
        problems += _missing_languages(f"questions.{id}", asked)
    if problems:
        raise GlossaryError(problems)
    phrases = {f"section.{key}": said for key, said in sections.items()}
    phrases |= {f"{id}.{key}": own[key] for id, own in written.items() for key in ("name", "text")}
    book, terms = Phrasebook(phrases, {}), []
    for id, own in written.items():
        example = None
        if "example" in own:
            try:
                example = position_of(own["example"])
            except ValueError as error:
                problems.append((f"terms.{id}.example", str(error)))
        terms.append(
            Term(
                id,
                book.say(f"{id}.name"),
                book.say(f"{id}.text", **ANY_PLAYERS),
                book.say(f"section.{own['section']}"),
                {one: tuple(words) for one, words in own.get("also", {}).items()},
                tuple(own.get("rules", ())),
                tuple(own.get("see", ())),
                example,
                tuple(own.get("lit", ())),
                parts=tuple(own.get("parts", ())),
                prints=tuple(own.get("prints", ())),
                pieces=tuple(own.get("pieces", ())),
                asked={one: tuple(said.split("; ")) for one, said in questions.get(id, {}).items()},
            )
        )
    if problems:
        raise GlossaryError(problems)
    return terms + [replace(card, section=book.say(f"section.{OF_CARDS}")) for card in cards]


def card_term(objective: Objective, see: tuple[str, ...]) -> Term:
    return Term(objective.id, objective.name, objective.rule, see=see, number=objective.id)


def _mistakes(
    id: str, own: Any, sections: Mapping[str, Any], known: Collection[str]
) -> list[Problem]:
    if not isinstance(own, Mapping):
        return [(f"terms.{id}", "must hold keys and values")]
    problems: list[Problem] = [(f"terms.{id}.{key}", "is no key") for key in own.keys() - KEYS]
    problems += _missing_languages(f"terms.{id}.name", own.get("name"))
    problems += _missing_languages(f"terms.{id}.text", own.get("text"))
    if own.get("section") not in sections:
        problems.append((f"terms.{id}.section", f"{own.get('section')} is no section"))
    problems += [
        (f"terms.{id}.also.{one}", f"must be words, not {word!r}")
        for one, words in own.get("also", {}).items()
        for word in words
        if not isinstance(word, str)
    ]
    unknown = [other for other in own.get("see", ()) if other not in known]
    return problems + [(f"terms.{id}.see", f"{other} is no term") for other in unknown]


def _missing_languages(key: str, said: Any) -> list[Problem]:
    if not isinstance(said, Mapping):
        return [(key, "missing")]
    return [(f"{key}.{one}", "missing") for one in LANGUAGES if not said.get(one)]
