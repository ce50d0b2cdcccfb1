"""The languages: English in the source, Spanish and Czech in the catalogues."""

from collections.abc import Mapping

from flask import Flask, request
from flask_babel import Babel, get_locale

LANGUAGES: Mapping[str, str] = {"en": "English", "es": "Español", "cs": "Čeština"}
COOKIE = "language"


def init_babel(app: Flask) -> None:
    """Have requests answered in the language that the player chose, or the browser asks for."""
    Babel(app, default_locale="en", locale_selector=chosen)


def chosen() -> str:
    """Return the language of the current request."""
    kept = request.cookies.get(COOKIE)
    if kept is not None and kept in LANGUAGES:
        return kept
    return request.accept_languages.best_match(list(LANGUAGES), "en") or "en"


def language() -> str:
    """Return the language that texts are in now, as the scorer's sentences want it."""
    locale = get_locale()
    return "en" if locale is None else locale.language
