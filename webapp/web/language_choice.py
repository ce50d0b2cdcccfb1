"""The language of a request: the one that the player chose, or that the browser asks for."""

from flask import Flask, request
from flask_babel import Babel

from webapp.app.languages import LANGUAGES

COOKIE = "language"


def init_babel(app: Flask) -> None:
    """Have every request answered in its language."""
    Babel(app, default_locale="en", locale_selector=chosen)


def chosen() -> str:
    """Return the language of the current request."""
    kept = request.cookies.get(COOKIE)
    if kept is not None and kept in LANGUAGES:
        return kept
    return request.accept_languages.best_match(list(LANGUAGES), "en") or "en"
