"""The words of a score's parts, in the language of whoever shares it."""

from flask_babel import gettext as _

from scorer.nebula import WORDS
from scorer.scoresheet import Line
from webapp import cards
from webapp.languages import language


def category_title(category: str) -> str:
    """Return what a part of the score sheet is called."""
    return {
        "personal": _("Personal card"),
        "career": _("Career cards"),
        "black": _("Black stars"),
        "constellation": _("Constellations"),
        "colour": _("Star colours"),
        "advanced": _("Advanced cards"),
    }[category]


def line_title(line: Line) -> str:
    """Return what a line is about: its card's name, its colour or its constellation."""
    card = line.subject.get("card")
    if card:
        return cards.find(card).name.in_language(language())
    word = line.subject.get("colour") or line.subject.get("constellation")
    return WORDS.word(word, language()) if word else _("Black-star track")


def calculation(line: Line) -> str:
    """Return how a line comes to its points."""
    return line.calculation.in_language(language())
