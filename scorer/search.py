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

NAME, ALIAS, TEXT = 6.0, 6.0, 1.0
"""What a word weighs in a term's name, among its aliases, in its text."""
OF_A_CARD = 0.5
"""What a card's words weigh beside those of a rule, where it is not asked for by its number."""
ALL_OF_IT = 4.0
"""Added where a question has every word of a name or an alias."""
CLOSE = 84.0
"""How alike, of 100, a word must be to one that a glossary has, to be taken for it."""
COVERED = 0.55
"""The part of a question's words, weighed by how rare they are, that an answer must have.

What is only in a term's text answers where more than half of the question's words are there.
"""
COVERED_BY_NAME = 0.2
"""The same where the question has every word of the term's name, or of an alias."""
STRANGE = 0.7
"""What a word that the glossary lacks weighs in a question, beside one that a single term has."""
_SHORTEST_SLIP = 6
_STEMMERS = {"en": "english", "es": "spanish", "cs": "czech"}
_STOP: Mapping[str, str] = read_package_file(__package__, "stop_words.yaml")


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(folded(_STOP[language]).split())


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
        named = term.name.in_language(self.language)
        others = " ".join((term.also or {}).get(self.language, ()))
        text = term.text.in_language(self.language)
        for weight, said in ((NAME, named), (ALIAS, others), (TEXT, text)):
            for stem in stems(said, self.language, every=weight > TEXT):
                found[stem] = max(found.get(stem, 0.0), weight)
        if term.number:
            found = {stem: weight * OF_A_CARD for stem, weight in found.items()}
            found[_stem(term.number, self.language)] = 2 * NAME
        return found

    @cached_property
    def _called(self) -> Sequence[Sequence[frozenset[str]]]:
        """The stems of each name and alias of each term, words of a question included."""
        return [
            [
                frozenset(stems(one, self.language, every=True))
                for one in (
                    term.name.in_language(self.language),
                    *(term.also or {}).get(self.language, ()),
                )
            ]
            for term in self.terms
        ]

    @cached_property
    def _named(self) -> Sequence[frozenset[str]]:
        """The stems of each term's name."""
        return [
            frozenset(stems(term.name.in_language(self.language), self.language, every=True))
            for term in self.terms
        ]

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
        if stem in self._rarity:
            return {stem: 1.0}
        begun = {one: 0.9 for one in self._rarity if len(stem) > 3 and one.startswith(stem)}
        if begun or len(stem) < _SHORTEST_SLIP:
            return begun
        near = process.extract(
            stem, self._rarity.keys(), scorer=fuzz.ratio, score_cutoff=CLOSE, limit=3
        )
        return {one: score / 100 for one, score, _ in near}

    def ask(self, question: str) -> list[int]:
        """The numbers of the terms that answer, the best first; none where nothing does."""
        every = [*dict.fromkeys(stems(question, self.language, every=True))]
        asked = [*dict.fromkeys(stems(question, self.language))] or every
        strange = STRANGE * log(1 + len(self.terms))
        known = [self._known(stem) for stem in asked]
        whole = sum(max((self._rarity[one] for one in near), default=strange) for near in known)
        ranked = []
        for number, own in enumerate(self._words):
            points, covered, had = 0.0, 0.0, set[str]()
            for near in known:
                shared = {one: alike for one, alike in near.items() if one in own}
                if shared:
                    best = max(shared, key=lambda one: own[one] * shared[one])
                    points += self._rarity[best] * own[best] * shared[best]
                    covered += self._rarity[best]
                    had.add(best)
            by_name = any(own[one] > TEXT for one in had)
            called = [
                name for name in self._called[number] if name & had and name <= had.union(every)
            ]
            needed = COVERED_BY_NAME if called else COVERED
            if covered < needed * whole or not (by_name or len(had) > len(known) / 2):
                continue
            if len(had) < min(2, len(known)) and not called and had.isdisjoint(self._named[number]):
                continue  # a word of a longer alias, such as "buy a card", is no question about it
            points += ALL_OF_IT * max((len(name) for name in called), default=0)
            ranked.append((-points, number))
        return [number for _, number in sorted(ranked)]
