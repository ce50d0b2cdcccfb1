"""The language of a request: the one that the player chose, or that the browser asks for."""

import inspect
from pathlib import Path

from flask import Flask, request
from flask_babel import Babel

from scorer import registry
from webapp.app.game_pages import GROUP, pages_of
from webapp.app.languages import LANGUAGES

COOKIE = "language"


def init_babel(app: Flask) -> None:
    """Have every request answered in its language, by the catalogues of the pages and the games."""
    of_games = (Path(inspect.getfile(type(pages_of(name)))) for name in registry.names(GROUP))
    folders = ["translations", *(str(file.with_name("translations")) for file in of_games)]
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = ";".join(folders)
    Babel(app, default_locale="en", locale_selector=chosen)


def chosen() -> str:
    """Return the language of the current request."""
    kept = request.cookies.get(COOKIE)
    if kept is not None and kept in LANGUAGES:
        return kept
    return request.accept_languages.best_match(list(LANGUAGES), "en") or "en"
