"""Questions about what photographs of galaxies do not show: cards and the Values board."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from scorer.game import Option, Question
from scorer.nebula.card import Deck, of_deck
from scorer.nebula.result import CARDS_ON_TABLE
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import WORDS, say


def questions(data: Mapping[str, Any]) -> tuple[Question, ...]:
    """The questions for a game file of which `data` is known; fewer in the introductory game.

    >>> [question.id for question in questions({"mode": "intro"})]
    ['mode', 'career', 'personal']
    """
    return _questions(data.get("mode", "full") == "full")


@cache
def _questions(is_full: bool) -> tuple[Question, ...]:
    return tuple(_each(is_full))


def _each(is_full: bool) -> Iterator[Question]:
    modes = (Option("full", say("mode_full")), Option("intro", say("mode_intro")))
    yield Question("mode", say("ask_mode"), "one", modes)
    yield _cards("career", say("ask_career"), CARDS_ON_TABLE)
    if is_full:
        yield _cards("advanced", say("ask_advanced"), CARDS_ON_TABLE, "order")
        for track, tokens in TRACKS.items():
            options = tuple(Option(token, WORDS.word(token)) for token in tokens)
            most = len(tokens)
            yield Question(f"values.{track}", say("ask_values"), "order", options, 0, most)
    yield Question(
        "personal",
        say("ask_personal"),
        "one",
        _options("personal"),
        of_each_player=True,
        secret=True,
    )


def _cards(deck: Deck, text: str, count: int, kind: Any = "some") -> Question:
    return Question(deck, text, kind, _options(deck), count, count)


def _options(deck: Deck) -> tuple[Option, ...]:
    return tuple(Option(card.id, card.name) for card in of_deck(deck).values())
