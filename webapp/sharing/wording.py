"""The words of a score's parts, in the language of whoever shares it."""

from scorer.scoresheet import Line
from scorer.sentence import Sentence
from webapp.companion import companion
from webapp.games import pages_of
from webapp.languages import language


def category_title(category: str) -> str:
    """Return what a part of the score sheet is called."""
    return pages_of(companion().profile.layout.game).category_title(category, language())


def line_title(line: Line) -> str:
    """Return what a line is about."""
    return pages_of(companion().profile.layout.game).line_title(line, language())


def spoken(text: Sentence | str) -> str:
    """Return a sentence of the game in the language of whoever shares it."""
    return text.in_language(language()) if isinstance(text, Sentence) else text


def calculation(line: Line) -> str:
    """Return how a line comes to its points."""
    return line.calculation.in_language(language())
