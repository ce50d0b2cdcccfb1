"""Nebula's words in the language of the page."""

from scorer.nebula import COLOURS, CONSTELLATIONS, WORDS
from webapp.app.languages import language


def token_name(token: str) -> str:
    """Return what a token of the Values board is called."""
    if token in COLOURS or token in CONSTELLATIONS:
        return WORDS.word(token, language())
    return token
