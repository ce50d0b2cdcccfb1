"""Questions about what photographs of the night sky do not show."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.game import Option, Question
from scorer.polaris.card import COMMON, PERSONAL
from scorer.polaris.game import PHASES
from scorer.polaris.score import SHOOTING_STARS
from scorer.polaris.words import COLOURS, WORDS, say


def questions(data: Mapping[str, Any]) -> tuple[Question, ...]:
    """The questions for a game file of which `data` is known; its players may hold the telescope.

    >>> [question.id for question in questions({})][:3]
    ['colour', 'phases[0].card', 'phases[0].telescope']
    """
    return tuple(_questions(data))


def _questions(data: Mapping[str, Any]) -> Iterator[Question]:
    colours = tuple(Option(colour, WORDS.say("colour", colour=colour)) for colour in COLOURS)
    yield Question("colour", say("ask_colour"), "one", colours, of_each_player=True)
    names = [player.get("name", "") for player in data.get("players", ())]
    for place in range(PHASES):
        key, phase = f"phases[{place}]", place + 1
        cards = tuple(Option(card.id, card.name) for card in COMMON.values())
        yield Question(f"{key}.card", say("ask_card", phase=phase), "one", cards)
        players = tuple(Option(name, name) for name in names)
        yield Question(f"{key}.telescope", say("ask_telescope", phase=phase), "one", players)
    personal = tuple(Option(card.id, card.name) for card in PERSONAL.values())
    text = say("ask_personal")
    yield Question("personal", text, "one", personal, of_each_player=True, secret=True)
    text = say("ask_shooting")
    yield Question("shooting", text, "number", most=SHOOTING_STARS, of_each_player=True)
