"""Questions as people put them, answered by the terms of a glossary.

A question is compared with what players ask of each term, and with its names: with the nearest of
these phrases, and with all of a term's together (Rocchio's classifier), both by the stems of
words, weighed by how few phrases or terms have them (TF-IDF), and the cosine. One most of whose
words are in no phrase has no answer.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import log, sqrt

import snowballstemmer
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Prefix

from scorer.datafile import read_package_file
from scorer.glossary import Term, folded

QUESTION_WORD = 0.5
"""What a word that only makes a question weighs, such as "how", beside one that is asked about."""
TEXT = 0.5
"""What a term's explanation weighs among the phrases of the term."""
TOGETHER = 3.0
"""What all phrases of a term weigh beside the nearest one."""
COMMON_WORD = 0.6
"""The power of how often a term's phrases have a word."""
OF_A_CARD = 0.5
"""What is like a card, beside what is like a rule: cards are asked for by their numbers."""
OFF_TOPIC = 1.3
"""What is like no game's question, beside what is like one: it is like many different things."""
NAMED, CALLED = 0.5, 0.2
"""Added where a question has every word of a term's name, or of an alias."""
ENOUGH, ENOUGH_OF_QUESTION_WORDS = 1.0, 2.0
"""The least of an answer, of 1 + `TOGETHER` and what is added; of "Who is it?", more."""
KNOWN = 0.6
"""The part of the words asked about that the phrases must have, where no name is whole."""
BEGUN, SLIP = 0.8, 0.5
"""How alike a word is to one that begins as it does; what one mistyped counts as known."""
SAME_BEGINNING, SHORTEST_BEGINNING = 0.7, 4
"""The part of the longer of two stems, and of how many letters, that must be the same."""
CLOSE, SHORTEST_SLIP = 84.0, 5
"""How alike, of 100, a mistyped word must be to another, and how long."""
SUGGESTED = 3

Weights = Mapping[str, float]

_STEMMERS = {"en": "english", "es": "spanish", "cs": "czech"}
_STOP: Mapping[str, str] = read_package_file(__package__, "stop_words.yaml")
_OFF_TOPIC: Mapping[str, str] = read_package_file(__package__, "off_topic.yaml")


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(folded(_STOP[language]).split())


@lru_cache(maxsize=4096)
def _stem(word: str, language: str) -> str:
    """A word's stem, then without accents: a stemmer goes by them."""
    return folded(snowballstemmer.stemmer(_STEMMERS[language]).stemWord(word))


def stems(text: str, language: str) -> dict[str, float]:
    """The stems of a text's words, and what each weighs.

    >>> stems("How many black stars?", "en")
    {'how': 0.5, 'mani': 0.5, 'black': 1.0, 'star': 1.0}
    """
    stop, found = _stop_words(language), dict[str, float]()
    for word in _words(text):
        stem = _stem(word, language)
        found[stem] = max(found.get(stem, 0), QUESTION_WORD if folded(word) in stop else 1.0)
    return found


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+|★", text.casefold())


def _unit(weights: Weights) -> dict[str, float]:
    """Weights as a vector of length 1."""
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {stem: weight / length for stem, weight in weights.items()}


@dataclass(frozen=True)
class _Rarity:
    """How few of some documents have a stem: inverse document frequency."""

    by_stem: Weights
    of_none: float

    @classmethod
    def of(cls, documents: Sequence[Weights]) -> "_Rarity":
        counts, whole = Counter(stem for own in documents for stem in own), len(documents)
        by_stem = {stem: log(1 + whole / count) for stem, count in counts.items()}
        return cls(by_stem, log(1 + whole))

    def weigh(self, weights: Weights) -> dict[str, float]:
        return _unit(
            {
                stem: weight * self.by_stem.get(stem, self.of_none)
                for stem, weight in weights.items()
            }
        )


def _by_stem(documents: Iterable[Weights]) -> Mapping[str, Sequence[tuple[int, float]]]:
    """The numbers of the documents that have a stem, and what it weighs in each."""
    found = defaultdict[str, list[tuple[int, float]]](list)
    for number, document in enumerate(documents):
        for stem, weight in document.items():
            found[stem].append((number, weight))
    return found


@dataclass(frozen=True)
class _Question:
    asked: Weights
    """The stems of the phrases that its own are taken for; its own where it is like none."""
    known: float
    """The part of the words asked about that the phrases have; 1 of question words alone."""
    enough: float

    def is_part_of(self, name: frozenset[str]) -> bool:
        """Whether its words, more than those of any question, are all in a name."""
        return max(self.asked.values(), default=0) > QUESTION_WORD and self.asked.keys() <= name


@dataclass(frozen=True, eq=False)
class Index:
    """The terms of some glossaries in a language, ready to be asked."""

    terms: Sequence[Term]
    language: str

    def _called(self, term: Term) -> list[str]:
        """A term's name, its aliases and its number."""
        also = (term.also or {}).get(self.language, ())
        return [
            term.name.in_language(self.language),
            *also,
            *([term.number] if term.number else []),
        ]

    @cached_property
    def _names(self) -> Sequence[Sequence[frozenset[str]]]:
        """The stems of each name of each term."""
        names = [
            [frozenset(stems(called, self.language)) for called in self._called(term)]
            for term in self.terms
        ]
        return [*names, [frozenset()]]

    @cached_property
    def _phrases(self) -> Sequence[tuple[int, Weights]]:
        """The names of each term and what is asked of it, with the term's number.

        What is asked of no game comes last, with the number after the terms'.
        """
        asked = [
            (*self._called(term), *(term.asked or {}).get(self.language, ())) for term in self.terms
        ]
        return [
            (number, stems(phrase, self.language))
            for number, own in enumerate((*asked, _OFF_TOPIC[self.language].split("; ")))
            for phrase in own
        ]

    @cached_property
    def _phrase_rarity(self) -> _Rarity:
        return _Rarity.of([weights for _, weights in self._phrases])

    @cached_property
    def _phrases_with(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        return _by_stem(self._phrase_rarity.weigh(weights) for _, weights in self._phrases)

    @cached_property
    def _together(self) -> Sequence[Weights]:
        """The words of all phrases of each term."""
        texts = [stems(term.text.in_language(self.language), self.language) for term in self.terms]
        found = [
            defaultdict[str, float](float, {stem: TEXT * own for stem, own in _unit(text).items()})
            for text in (*texts, {})
        ]
        for term, weights in self._phrases:
            for stem, weight in _unit(weights).items():
                found[term][stem] += weight
        return [{stem: weight**COMMON_WORD for stem, weight in own.items()} for own in found]

    @cached_property
    def _rarity(self) -> _Rarity:
        return _Rarity.of(self._together)

    @cached_property
    def _of_games(self) -> frozenset[str]:
        """The stems that the terms have."""
        return frozenset(stem for own in self._together[:-1] for stem in own)

    @cached_property
    def _terms_with(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        return _by_stem(self._rarity.weigh(own) for own in self._together)

    @cached_property
    def _without_accents(self) -> Mapping[str, str]:
        """The stems of words by what is left of them where they are typed without accents."""
        return {
            _stem(folded(word), self.language): _stem(word, self.language)
            for term in self.terms
            for said in (
                *self._called(term),
                *(term.asked or {}).get(self.language, ()),
                term.text.in_language(self.language),
            )
            for word in _words(said)
        }

    def _known(self, stem: str) -> Weights:
        """The stems of the phrases that one is taken for, and how alike each is, up to 1."""
        known = self._rarity.by_stem
        stem = stem if stem in known else self._without_accents.get(stem, stem)
        if stem in known:
            return {stem: 1.0}
        begun = {one: BEGUN for one in known if _begin_alike(one, stem)}
        if begun or len(stem) < SHORTEST_SLIP:
            return begun
        first = [one for one in known if one[0] == stem[0]]
        near = process.extract(stem, first, scorer=fuzz.ratio, score_cutoff=CLOSE, limit=3)
        return {one: score / 100 for one, score, _ in near}

    def ask(self, question: str) -> list[int]:
        """The numbers of the terms that answer, the best first; none where nothing does."""
        asked = self._understood(question)
        scores, named = self._scores(asked.asked)
        order = sorted(scores, key=lambda one: (-scores[one], one))
        if not asked.known or (asked.known < KNOWN and not named):
            return []
        if not order or order[0] == len(self.terms):  # of no word that a phrase has, or off topic
            return []
        return [
            one
            for one in order
            if one < len(self.terms)
            and (scores[one] >= asked.enough or asked.is_part_of(self._names[one][0]))
        ]

    def suggest(self, question: str) -> list[int]:
        """The terms that have a word of a question in their names, for one without an answer."""
        words = {
            stem
            for stem, weight in self._understood(question).asked.items()
            if weight > QUESTION_WORD
        }
        scores, _ = self._scores(dict.fromkeys(words, 1.0))
        found = [one for one in scores if not words.isdisjoint(self._names[one][0])]
        return sorted(found, key=lambda one: (-scores[one], one))[:SUGGESTED]

    def _understood(self, question: str) -> _Question:
        asked: dict[str, float] = {}
        known = whole = 0.0
        for stem, weight in stems(question, self.language).items():
            taken_for = self._known(stem) or {stem: 0.0}
            best = max(taken_for.values())
            if weight > QUESTION_WORD:
                whole += 1
                if not self._of_games.isdisjoint(taken_for):
                    known += 1 if best >= BEGUN else SLIP
            for one, alike in taken_for.items():
                own = weight * alike / sqrt(len(taken_for)) if best else weight
                asked[one] = max(asked.get(one, 0), own)
        if not whole:
            return _Question(asked, 1, ENOUGH_OF_QUESTION_WORDS)
        return _Question(asked, known / whole, ENOUGH)

    def _scores(self, asked: Weights) -> tuple[dict[int, float], bool]:
        """How near each term is, and whether a name of a term is whole in what is asked."""
        near = defaultdict[int, float](float)
        for stem, weight in self._phrase_rarity.weigh(asked).items():
            for phrase, own in self._phrases_with.get(stem, ()):
                near[phrase] += weight * own
        scores = defaultdict[int, float](float)
        for phrase, cosine in near.items():
            term = self._phrases[phrase][0]
            scores[term] = max(scores[term], cosine)
        for stem, weight in self._rarity.weigh(asked).items():
            for number, own in self._terms_with.get(stem, ()):
                scores[number] += TOGETHER * weight * own
        named = False
        for number in scores:
            name, *others = self._names[number]
            if number == len(self.terms):
                scores[number] *= OFF_TOPIC
            elif self.terms[number].number:
                scores[number] *= 1 if len(asked) == 1 else OF_A_CARD
            elif name and name <= asked.keys():
                scores[number] += NAMED
                named = True
            elif any(other <= asked.keys() for other in others):
                scores[number] += CALLED
        return scores, named


def _begin_alike(one: str, other: str) -> bool:
    same = Prefix.similarity(one, other)
    longer = max(len(one), len(other))
    return same >= SHORTEST_BEGINNING and (same == len(other) or same >= SAME_BEGINNING * longer)
