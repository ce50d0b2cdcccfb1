"""Questions as people put them, answered by the terms of a glossary: stems, aliases, typing slips.

A term's words are weighed by where they stand, in its name, its aliases or its text, and by how few
other terms have them (inverse document frequency). A question whose words are mostly of no
term has no answer.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import log

import snowballstemmer
from rapidfuzz import fuzz, process

from scorer.datafile import read_package_file
from scorer.glossary import Term, folded

NAME, TEXT = 6.0, 1.0
"""What a word weighs in a term's name or among its aliases, and in its text."""
OF_A_CARD = 0.5
"""What a card's words weigh beside those of a rule, where it is not asked for by its number."""
ALL_OF_IT, OWN_NAME = 4.0, 4.0
"""Added for each word of a name or an alias that is whole in a question; of the name, both."""
CLOSE = 84.0
"""How alike, of 100, a word must be to one that a glossary has, to be taken for it."""
BEGUN, SYNONYM = 0.9, 0.8
"""How alike a word is to one that it begins, and to one that players use for it."""
GENERAL = 0.7
"""What a word that has synonyms, such as "finish", weighs beside one that is the game's own."""
COVERED, COVERED_BY_KNOWN, COVERED_BY_NAME = 0.55, 0.3, 0.2
"""The part of a question's words, weighed by how rare they are, that an answer must have:

where the glossary lacks some of them, where it has them all, and where the question has every
word of a name or an alias.
"""
STRANGE = 0.7
"""What a word that the glossary lacks weighs in a question, beside one that a single term has."""
SUGGESTED = 3
_SHORTEST_SLIP = 6
_STEMMERS = {"en": "english", "es": "spanish", "cs": "czech"}
_STOP: Mapping[str, str] = read_package_file(__package__, "stop_words.yaml")
_SYNONYMS: Mapping[str, str] = read_package_file(__package__, "synonyms.yaml")


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(folded(_STOP[language]).split())


@cache
def _synonyms(language: str) -> Mapping[str, frozenset[str]]:
    """The stems of the words that players use for one another, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for line in _SYNONYMS[language].splitlines():
        group = frozenset(stems(line, language, every=True))
        for stem in group:
            found[stem] = found.get(stem, frozenset()) | group
    return found


@lru_cache(maxsize=4096)
def _stem(word: str, language: str) -> str:
    """A word's stem, then without accents: a stemmer goes by them."""
    return folded(snowballstemmer.stemmer(_STEMMERS[language]).stemWord(word))


def stems(text: str, language: str, *, every: bool = False) -> list[str]:
    """The stems of a text's words, but for those that only make a question of it.

    >>> stems("How many black stars go in the bag?", "en")
    ['black', 'star', 'bag']
    """
    stop = frozenset[str]() if every else _stop_words(language)
    return [_stem(word, language) for word in _words(text) if folded(word) not in stop]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+|★", text.casefold())


@dataclass(frozen=True, eq=False)
class Index:
    """The terms of some glossaries in a language, ready to be asked."""

    terms: Sequence[Term]
    language: str

    @cached_property
    def _words(self) -> Sequence[Mapping[str, float]]:
        return [self._weighed(term) for term in self.terms]

    def _weighed(self, term: Term) -> Mapping[str, float]:
        found: dict[str, float] = {}
        for stem in stems(term.text.in_language(self.language), self.language):
            found[stem] = TEXT
        for called in self._calls(term):
            found.update(dict.fromkeys(stems(called, self.language, every=True), NAME))
        if term.number:
            found = {stem: weight * OF_A_CARD for stem, weight in found.items()}
            found[_stem(term.number, self.language)] = 2 * NAME
        return found

    def _calls(self, term: Term) -> Sequence[str]:
        """What a term is called: its name, then its aliases."""
        return [term.name.in_language(self.language), *(term.also or {}).get(self.language, ())]

    @cached_property
    def _called(self) -> Sequence[Sequence[frozenset[str]]]:
        """The stems of each name and alias of each term, words of a question included."""
        return [
            [frozenset(stems(called, self.language, every=True)) for called in self._calls(term)]
            for term in self.terms
        ]

    @cached_property
    def _named(self) -> Sequence[frozenset[str]]:
        """The stems of each term's name."""
        return [called[0] for called in self._called]

    @cached_property
    def _rarity(self) -> Mapping[str, float]:
        counts = Counter(stem for own in self._words for stem in own)
        return {stem: log(1 + len(self.terms) / count) for stem, count in counts.items()}

    @cached_property
    def _without_accents(self) -> Mapping[str, str]:
        """The stems of words by what is left of them where they are typed without accents."""
        return {
            _stem(folded(word), self.language): _stem(word, self.language)
            for term in self.terms
            for said in (term.name, term.text)
            for word in _words(said.in_language(self.language))
        }

    def _known(self, stem: str) -> Mapping[str, float]:
        """The stems of the glossary that one is taken for, and how alike each is, up to 1."""
        stem = stem if stem in self._rarity else self._without_accents.get(stem, stem)
        others = _synonyms(self.language).get(stem, frozenset())
        found = {one: SYNONYM for one in others if one in self._rarity}
        if stem in self._rarity:
            found[stem] = 1.0
        return found or self._alike(stem)

    def _alike(self, stem: str) -> Mapping[str, float]:
        """The stems of the glossary that a stem begins, or that a slip of a key makes of it."""
        begun = {one: BEGUN for one in self._rarity if len(stem) > 3 and one.startswith(stem)}
        if begun or len(stem) < _SHORTEST_SLIP:
            return begun
        near = process.extract(
            stem, self._rarity.keys(), scorer=fuzz.ratio, score_cutoff=CLOSE, limit=3
        )
        return {one: score / 100 for one, score, _ in near}

    def ask(self, question: str) -> list[int]:
        """The numbers of the terms that answer, the best first; none where nothing does."""
        asked = self._asked(question)
        near = [self._known(stem) for stem in asked]
        covered = COVERED_BY_KNOWN
        if not all(near):  # beside a strange word only what is surely of the game counts
            covered = COVERED
            near = [{one: how for one, how in known.items() if how > BEGUN} for known in near]
            if not any(
                known and self._weight(one) == 1 for one, known in zip(asked, near, strict=True)
            ):
                return []  # "What does a coffee cost?"
        return [
            match.number
            for match in self._matches(question, near)
            if match.share >= (COVERED_BY_NAME if match.called else covered) and match.is_about
        ]

    def suggest(self, question: str) -> list[int]:
        """The terms that have a word of a question in their names, for one without an answer."""
        near = [self._known(stem) for stem in self._asked(question)]
        matches = self._matches(question, near)
        return [match.number for match in matches if match.has_name][:SUGGESTED]

    def _asked(self, question: str) -> Sequence[str]:
        every = stems(question, self.language, every=True)
        return [*dict.fromkeys(stems(question, self.language) or every)]

    def _matches(self, question: str, near: Sequence[Mapping[str, float]]) -> Sequence["_Match"]:
        """The terms that have words of a question, the best first."""
        every = {*stems(question, self.language, every=True)}
        strange = STRANGE * log(1 + len(self.terms))
        whole = sum(max((self._rarity[one] for one in known), default=strange) for known in near)
        found = []
        for number, own in enumerate(self._words):
            best = {
                max(shared, key=lambda one: own[one] * known[one]): known
                for known in near
                if (shared := known.keys() & own.keys())
            }
            if not best:
                continue
            points = sum(
                self._rarity[one] * own[one] * known[one] * self._weight(one)
                for one, known in best.items()
            )
            called = [
                name
                for name in self._called[number]
                if name & best.keys() and name <= best.keys() | every
            ]
            size = {name: sum(map(self._weight, name)) for name in called}
            points += ALL_OF_IT * max(size.values(), default=0)
            points += OWN_NAME * size.get(self._named[number], 0)
            has_name = not self._named[number].isdisjoint(best)
            by_name = any(own[one] > TEXT for one in best)
            # a word of a longer alias, such as "buy a card", is no question about it
            is_about = (by_name or len(best) > len(near) / 2) and (
                len(best) >= min(2, len(near)) or bool(called) or has_name
            )
            share = sum(self._rarity[one] for one in best) / whole
            found.append(_Match(points, number, share, bool(called), is_about, has_name))
        return sorted(found, key=lambda match: (-match.points, match.number))

    def _weight(self, stem: str) -> float:
        return GENERAL if stem in _synonyms(self.language) else 1.0


@dataclass(frozen=True)
class _Match:
    points: float
    number: int
    share: float
    """The part of the question's words that the term has."""
    called: bool
    """Whether the question has every word of the term's name or of an alias."""
    is_about: bool
    has_name: bool
