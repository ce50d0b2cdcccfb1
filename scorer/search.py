"""Answer questions of players with the terms of a glossary.

What a question is about is learned from each term's names, example questions and explanation, and
from off-topic questions, by their stemmed words, pairs of words and groups of letters with TF-IDF
weights (`scorer.topics`). A question that names a game of others is not answered. One with the
words of a phrase is answered by its terms first. Any other is not answered if most of its words are
in no phrase, or if it is hardly more about the game than off topic and has other content words
than the name of the best term ("Where is the bag?" has not). An answer is sure if its term
has most of the question's content words, one of its phrases is like the question, and that does
not ask what is better.
"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise
from math import log, sqrt
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA, Prefix

from scorer.datafile import read_package_file
from scorer.glossary import Term, folded
from scorer.topics import Topics
from scorer.word_features import (
    QUESTION_WORD,
    features_of,
    first_forms,
    name_forms,
    sound_of,
    stem_of,
    stems,
    stop_words,
    weight_of,
    words_of,
)

WORDS, FEATURES = 0.5, 0.87
"""The weights of all words of a phrase, and of all its pairs of words and groups of letters."""
OF_A_CARD, NUMBERED = 0.5, 2.0
"""A factor for the scores of cards without their number, and what is added with it."""
NAMED = 0.05
"""Added if a question has every word of a term's name."""
ENOUGH, ENOUGH_OF_QUESTION_WORDS = 0.03, 0.3
"""The least score of an answer, and that for questions of question words alone ("Who is it?")."""
ENOUGH_OF_BEST = 0.3
"""The least score of an answer, relative to the best."""
KNOWN = 0.5
"""The share of content words that must be known."""
LEAST, SURE = 0.5, 0.95
"""The least evidence of an answer, and that of a sure one: how much the question is about the game,
times the root of the share of it that the best term's phrases have, weighted by rarity."""
ALIKE, SAID = 0.35, 0.8
"""The least similarity of a question to one phrase of the term that surely answers it, as words of
several phrases may ask for something else, and the share of content words that its phrases have."""
OFF_TOPIC = 2
"""How much the score of being off topic speaks against an answer."""
CLOSE = 0.7
"""From which score, relative to the best, the second term may be meant as well."""
BEGUN = 0.8
"""The similarity of words with the same beginning."""
SAME_BEGINNING, SHORTEST_BEGINNING = 0.7, 4
"""How much of the longer of two stems, and how many letters, must be the same."""
OTHER_ENDING = 1
"""How many letters of the shorter of two stems may differ, as in "recog" and "recoj"."""
SLIPS_FROM = (5, 9)
"""The lengths of a word from which one and two letters may be mistyped."""
UNSURELY_MEANT, SUGGESTED, MOST = 3, 3, 8
"""How many terms may be meant if none surely is, how many are suggested at most, and found."""

Weights = Mapping[str, float]

_OFF_TOPIC: Mapping[str, Sequence[str]] = read_package_file(__package__, "off_topic.yaml")
_OTHER_GAMES: Mapping[str, str] = read_package_file(__package__, "other_games.yaml")


@cache
def _other_games(language: str) -> frozenset[str]:
    names = f"{_OTHER_GAMES['all']}, {_OTHER_GAMES[language]}".split(", ")
    return frozenset(" ".join(name_forms(words_of(name), language)) for name in names)


_OPINION: Mapping[str, str] = {
    "en": r"\bis (it|that) (better|wise|good|bad|smart|risky|useful|too early|a mistake|worth)\b"
    r"|\b(better|rather)\b.* or |\b(best|worst|(strong|smart|clever|wis|easi|lucki)est)\b"
    r"|\bmost (useful|powerful|valuable)\b|\bworth it\b|\btoo strong\b|\bany good\b"
    r"|\bgood (idea|players?|for \w+|\w+ to (start|begin))\b|\bhow (good|important|early)\b"
    r"|\b(luck|tips?|tricks?|strateg\w+|favou?rite|prefer|overpowered|overrated)\b"
    r"|\b(when|which( \w+){1,3}) should (i|we) (use|keep|save|aim|take|play)\b"
    r"|\bshould (i|we) (use|keep|save)\b|\bshould (i|we)\b.* (or |first$)|\bshould a\b"
    r"|\bwould you\b|\bdoes it (pay|matter)\b|\bsecret (of|to) (a|win\w*)\b"
    r"|\brecommend",
    "es": r"\b(mejor|peor)(es)?\b|\bmas (fuerte|potente|util|facil|list[ao]|rentable|valios.)s?\b"
    r"|\b(vale|merece) la pena\b|\bconvienen?\b|\bes (bueno|malo|(buena|mala) idea|rentable|util)\b"
    r"|\b(suerte|consejos?|trucos?|estrategias?|favorit[ao]s?|expertos?)\b|\bel secreto de\b"
    r"|\b(haria|tomaria|elegiria)s\b|\bdeberia\b|\barriesgad|\bdemasiado fuerte"
    r"|\bganar sin\b|\bsirven? para ganar\b|\bhago primero con\b|\buna perdida\b|\bprefier"
    r"|\brecomiend",
    "cs": r"(?<!kdo )\bje lepsi\b|\b(lepsi|radsi)\b.* nebo |\bnej(lepsi|horsi|siln|chytr|leh|uzit)"
    r"|\bvyplati se\b|\bvyhodn|\bma (to )?smysl\b|\bstoji (to )?za to\b|\bdobry napad\b"
    r"|\bje (to )?(dobre|spatne|chytre|riskantni)\b|\b(stesti|strategi\w+|tip[yu]?|oblib\w+)\b"
    r"|\bmela? bych\b|\bco by(ste|s)\b|\bvzit prvni\b|\bvyhr\w+ (s|bez)\b|\btrik\w*\b"
    r"|\bdat pozor\b|\bnejcenn|\bdoporuc",
}
"""Patterns, without accents, of what asks for an opinion or advice rather than for a rule."""


def _unit(weights: Weights) -> dict[str, float]:
    """Scale weights to a vector of length 1."""
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {stem: weight / length for stem, weight in weights.items()}


@dataclass(frozen=True)
class _Rarity:
    """Inverse document frequency of stems; `of_none` is that of a stem in no document."""

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


class _Phrase(NamedTuple):
    """A phrase of a term or, with the number after the last term's, an off-topic question."""

    number: int
    stems: Weights
    features: Weights


@dataclass(frozen=True)
class _Word:
    """A word of a question."""

    stems: Weights
    """The known stems that it is matched to, with similarities up to 1; none if unknown."""
    weight: float
    meant: str = ""
    """The known word that it sounds like or is similar to, the first of several; "" if none."""
    mistyped: bool = False
    """Whether it was only matched to similar words."""


@dataclass(frozen=True)
class _Question:
    asked: Weights
    """The weights of the known stems that the question's are matched to; its own if unmatched."""
    features: Weights
    known: float
    """The share of the content words that the phrases have; 1 if there are only question words."""
    enough: float
    mistyped: bool
    """Whether a content word was only matched to a similar one."""
    of_another_game: bool
    """Whether it names a game of others."""
    of_opinion: bool
    """Whether it asks what is better, which no rule says."""

    def is_part_of(self, name: frozenset[str]) -> bool:
        """Whether the question has a content word, and all of its words are in a name."""
        return max(self.asked.values(), default=0) > QUESTION_WORD and self.asked.keys() <= name


@dataclass(frozen=True)
class _Answer:
    terms: list[int]
    is_sure: bool = False
    """Whether the best term surely answers the question, if all of its words are known."""
    is_close: bool = False
    """Whether the second term is nearly as good as the first."""


@dataclass(frozen=True, eq=False)
class Index:
    """A search index of the terms of some glossaries in a language.

    `starts` are the numbers of each glossary's first term.
    """

    terms: Sequence[Term]
    language: str
    starts: Sequence[int] = (0,)

    def _called(self, term: Term) -> list[str]:
        """The name, the aliases and the number of a term."""
        also = (term.also or {}).get(self.language, ())
        return [
            term.name.in_language(self.language),
            *also,
            *([term.number] if term.number else []),
        ]

    def _phrases_of(self, term: Term) -> list[str]:
        """The names, the example questions and the sentences of the explanation of a term."""
        asked = (term.asked or {}).get(self.language, ())
        sentences = re.split(r"[.:;] ", term.text.in_language(self.language))
        return [*self._called(term), *asked, *sentences]

    @cached_property
    def _names(self) -> Sequence[Sequence[frozenset[str]]]:
        """The stems of each name of each term."""
        return [
            [frozenset(stems(called, self.language)) for called in self._called(term)]
            for term in self.terms
        ]

    @cached_property
    def _phrases(self) -> Sequence[_Phrase]:
        """The phrases of each term, then the off-topic questions."""
        phrases = map(self._phrases_of, self.terms)
        off_topic = [one for topic in _OFF_TOPIC[self.language] for one in topic.split("; ")]
        return [
            _Phrase(number, stems(phrase, self.language), self._features_of(phrase))
            for number, own in enumerate((*phrases, off_topic))
            for phrase in own
        ]

    def _features_of(self, text: str) -> Weights:
        said = [(word, stem_of(word, self.language)) for word in words_of(text)]
        return features_of(said, self.language)

    @cached_property
    def _terms_of(self) -> Mapping[frozenset[str], Collection[int]]:
        """The terms with a phrase of exactly these stems."""
        found: dict[frozenset[str], set[int]] = {}
        for number, weights, _ in self._phrases:
            if number < len(self.terms):
                found.setdefault(frozenset(weights), set()).add(number)
        return found

    @cached_property
    def _rarity(self) -> _Rarity:
        return _Rarity.of([phrase.stems for phrase in self._phrases])

    @cached_property
    def _rarity_of_features(self) -> _Rarity:
        return _Rarity.of([phrase.features for phrase in self._phrases])

    def _vector(self, weights: Weights, features: Weights) -> dict[str, float]:
        parts = (
            (WORDS, self._rarity.weigh(weights)),
            (FEATURES, self._rarity_of_features.weigh(features)),
        )
        return {key: weight * own for weight, part in parts for key, own in part.items()}

    @cached_property
    def _topics(self) -> Topics:
        """Learned from each glossary with the off-topic questions."""
        vectors = [self._vector(phrase.stems, phrase.features) for phrase in self._phrases]
        numbers, last = [phrase.number for phrase in self._phrases], len(self.terms)
        groups = [
            [at for at, number in enumerate(numbers) if start <= number < end or number >= last]
            for start, end in pairwise((*self.starts, last))
        ]
        return Topics(vectors, numbers, groups)

    @cached_property
    def _stems_of_terms(self) -> Sequence[Collection[str]]:
        """The stems in the phrases of each term."""
        found: list[set[str]] = [set() for _ in self.terms]
        for number, weights, _ in self._phrases:
            if number < len(self.terms):
                found[number].update(weights)
        return found

    @cached_property
    def _of_games(self) -> frozenset[str]:
        """The stems in phrases of terms."""
        return frozenset().union(*self._stems_of_terms)

    @cached_property
    def _of_terms(self) -> Sequence[str]:
        return [phrase for term in self.terms for phrase in self._phrases_of(term)]

    @cached_property
    def _words_of_games(self) -> frozenset[str]:
        """The words of terms, without accents."""
        return frozenset(folded(word) for phrase in self._of_terms for word in words_of(phrase))

    @cached_property
    def _stems_of_words(self) -> Mapping[str, str]:
        """The stems of all known words and of their listed forms, by the words without accents."""
        phrases = (*_OFF_TOPIC[self.language], *self._of_terms)
        words = [*chain.from_iterable(map(words_of, phrases)), *first_forms(self.language)]
        found = {folded(word): stem_of(word, self.language) for word in words}
        known = self._rarity.by_stem
        return {word: stem for word, stem in found.items() if stem in known}

    @cached_property
    def _vocabulary(self) -> Sequence[str]:
        return list(self._stems_of_words.keys() - stop_words(self.language))

    @cached_property
    def _by_sound(self) -> Mapping[str, str]:
        """Known words by how they sound."""
        return {sound_of(word, self.language): word for word in sorted(self._vocabulary)}

    @cached_property
    def _without_accents(self) -> Mapping[str, str]:
        """Stems of words by their stems when typed without accents."""
        return {stem_of(word, self.language): stem for word, stem in self._stems_of_words.items()}

    def _known(self, word: str) -> _Word:
        weight, known = weight_of(word, self.language), self._rarity.by_stem
        stem, word = stem_of(word, self.language), folded(word)
        stem = stem if stem in known else self._without_accents.get(stem, stem)
        if stem in known or weight == QUESTION_WORD:
            return _Word({stem: 1.0}, weight)
        if same := self._by_sound.get(sound_of(word, self.language)):
            return _Word({self._stems_of_words[same]: 1.0}, weight, same)
        slips = bisect(SLIPS_FROM, len(word))
        near = process.extract(
            word, self._vocabulary, scorer=OSA.distance, score_cutoff=slips, limit=None
        )
        least = min((distance for _, distance, _ in near), default=0)
        alike = 1 - least / len(word)
        beginning = stem[:SHORTEST_BEGINNING]
        alike_stems = (one for one in known if one.startswith(beginning))
        begun = {one: BEGUN for one in alike_stems if _begin_alike(one, stem)}
        if not near or (begun and alike < BEGUN):
            return _Word(begun, weight)
        meant = [one for one, distance, _ in near if distance == least]
        stems_meant = {self._stems_of_words[one]: alike for one in meant}
        return _Word(stems_meant, weight, meant[0], mistyped=True)

    def learn(self) -> None:
        """Learn what questions are about, which takes up to a second; `ask` does it otherwise."""
        _ = self._topics

    def ask(self, question: str) -> list[int]:
        """The numbers of the terms that answer a question, best first."""
        return [*self._asked(question)[1].terms]

    def is_sure_of(self, question: str) -> bool:
        """Whether the terms have all content words of a question (it may have none), or words that
        begin alike, and the best term most of it, and much of it in one phrase."""
        asked, answer = self._asked(question)
        if asked.known < 1 or asked.mistyped or asked.of_another_game:
            return False
        return answer.is_sure or not answer.terms

    def meant(self, question: str) -> int:
        """How many of the terms found may be meant: two if the second is nearly as good as the
        first, three if that is not sure."""
        if not self.is_sure_of(question):
            return UNSURELY_MEANT
        return 2 if self._asked(question)[1].is_close else 1

    @cached_property
    def _asked(self) -> Callable[[str], tuple[_Question, _Answer]]:
        """What is understood of a question, and its answer.

        That of the last question is kept, as a page needs it thrice.
        """

        def asked(question: str) -> tuple[_Question, _Answer]:
            understood = self._understood(question)
            return understood, self._answer(understood)

        return lru_cache(maxsize=1)(asked)

    def _answer(self, asked: _Question) -> _Answer:
        if asked.of_another_game or not self.terms:
            return _Answer([])
        scores = self._scores(asked.asked, asked.features)
        same = () if asked.mistyped else self._terms_of.get(frozenset(asked.asked), ())
        order = sorted(range(len(self.terms)), key=lambda one: (one not in same, -scores[one], one))
        enough = max(asked.enough, ENOUGH_OF_BEST * max(scores[:-1]))
        found = [
            one
            for one in order
            if one in same or scores[one] >= enough or asked.is_part_of(self._names[one][0])
        ]
        if same:
            return _Answer(found[:MOST], is_sure=True)
        if asked.known < KNOWN:
            return _Answer([])
        best = order[0]
        evidence = self._of_game(scores, best) * sqrt(self._share(asked.asked, best))
        is_close = len(found) > 1 and scores[found[1]] >= CLOSE * scores[best]
        content = {stem: own for stem, own in asked.asked.items() if own > QUESTION_WORD}
        is_named = frozenset(content) == self._names[best][0]
        if evidence < LEAST and (asked.mistyped or not is_named):
            return _Answer([])
        is_said = not content or self._share(content, best) >= SAID
        is_sure = evidence >= SURE and is_said and self._alike(asked, best) >= ALIKE
        is_sure &= not asked.of_opinion
        return _Answer(found[:MOST], is_sure, is_close)

    def _of_game(self, scores: Sequence[float], term: int) -> float:
        """How much a question is about a term and its game, above what is off topic."""
        glossary = bisect(self.starts, term)
        end = [*self.starts, len(self.terms)][glossary]
        game, off_topic = scores[self.starts[glossary - 1] : end], scores[-1]
        return scores[term] + sum(game) - OFF_TOPIC * off_topic

    def _share(self, asked: Weights, term: int) -> float:
        """The share of a question that a term's phrases have, weighted by rarity."""
        weights = self._rarity.weigh(asked)
        own = sum(weights[stem] for stem in weights.keys() & self._stems_of_terms[term])
        return own / (sum(weights.values()) or 1)

    def _alike(self, asked: _Question, term: int) -> float:
        """The greatest similarity of a question and a phrase of a term, at most 1."""
        question = self._vector(asked.asked, asked.features)
        phrases = (
            self._vector(weights, features)
            for number, weights, features in self._phrases
            if number == term and not asked.asked.keys().isdisjoint(weights)
        )
        common = ((question.keys() & phrase.keys(), phrase) for phrase in phrases)
        found = (sum(question[key] * phrase[key] for key in keys) for keys, phrase in common)
        return max(found, default=0.0)

    def suggest(self, question: str) -> list[int]:
        """Suggest terms for an unanswered question: first those with a word of it in their name.

        If most of its words are known, those that are nearest to it follow.
        """
        asked = self._understood(question)
        words = {stem for stem, weight in asked.asked.items() if weight > QUESTION_WORD}
        scores = self._scores(dict.fromkeys(words, 1.0), {})
        named = {one for one, (name, *_) in enumerate(self._names) if not words.isdisjoint(name)}
        is_near = asked.known >= KNOWN and not asked.of_another_game
        near = {one for one in range(len(self.terms)) if is_near and scores[one] > 0}
        order = sorted(named | near, key=lambda one: (one not in named, -scores[one], one))
        return order[:SUGGESTED]

    def _understood(self, question: str) -> _Question:
        asked: dict[str, float] = {}
        known = whole = 0
        mistyped = False
        words, meant, spelt = words_of(question), dict[str, str](), dict[str, str]()
        for said in dict.fromkeys(words):
            word = self._known(said)
            if word.weight > QUESTION_WORD:
                whole += 1
                known += not self._of_games.isdisjoint(word.stems)
                mistyped |= word.mistyped
            matched = word.stems or {stem_of(said, self.language): 1.0}
            meant[said], spelt[said] = next(iter(matched)), word.meant or said
            for stem, alike in matched.items():
                own = word.weight * alike / sqrt(len(word.stems) or 1)
                asked[stem] = max(asked.get(stem, 0), own)
        share, enough = (known / whole, ENOUGH) if whole else (1.0, ENOUGH_OF_QUESTION_WORDS)
        features = features_of([(spelt[said], meant[said]) for said in words], self.language)
        of_another = self._name_another_game(words)
        of_opinion = bool(re.search(_OPINION[self.language], folded(question)))
        return _Question(asked, features, share, enough, mistyped, of_another, of_opinion)

    def _name_another_game(self, words: Sequence[str]) -> bool:
        """Whether words name a game of others, and not with a single word that is also ours."""
        names, forms = _other_games(self.language), name_forms(words, self.language)
        single = {
            form
            for word, form in zip(words, forms, strict=True)
            if folded(word) not in self._words_of_games
        }
        said = f" {' '.join(forms)} "
        return not names.isdisjoint(single) or any(
            " " in name and f" {name} " in said for name in names
        )

    def _scores(self, asked: Weights, features: Weights) -> list[float]:
        """The score of each term, then that of being off topic."""
        scores: list[float] = self._topics.scores(self._vector(asked, features)).tolist()
        for number, (term, (name, *others)) in enumerate(zip(self.terms, self._names, strict=True)):
            if term.number and others[-1] <= asked.keys():
                scores[number] += NUMBERED
            elif term.number and len(asked) > 1:
                scores[number] = min(scores[number], OF_A_CARD * scores[number])
            elif name and name <= asked.keys():
                scores[number] += NAMED
        return scores


def _begin_alike(one: str, other: str) -> bool:
    same = Prefix.similarity(one, other)
    shorter, longer = sorted((len(one), len(other)))
    are_forms = same >= SAME_BEGINNING * longer and shorter - same <= OTHER_ENDING
    return same >= SHORTEST_BEGINNING and (same == len(other) or are_forms)
