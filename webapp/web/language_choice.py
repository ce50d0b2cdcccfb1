"""The language of a request: chosen by the player, or requested by the browser."""

import inspect
from pathlib import Path
from typing import Any

from flask import Flask, request
from flask_babel import Babel, Domain
from markupsafe import Markup

from scorer import registry
from webapp.app.game_pages import GROUP, pages_of
from webapp.app.languages import LANGUAGES, language

COOKIE = "language"


def init_babel(app: Flask) -> None:
    """Set up translation, with the catalogues of the pages and the games."""
    of_games = (Path(inspect.getfile(type(pages_of(name)))) for name in registry.names(GROUP))
    folders = ["translations", *(str(file.with_name("translations")) for file in of_games)]
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = ";".join(folders)
    catalogues = _Catalogues()  # type: ignore[no-untyped-call]
    Babel(app, default_locale="en", locale_selector=chosen).domain_instance = catalogues
    app.jinja_env.globals["_"] = catalogues.in_template


class _Catalogues(Domain):
    """Catalogues cached by language: a page looks its own up a hundred times."""

    def get_translations(self) -> Any:
        """Return the catalogue of the current request."""
        key = language()
        if key not in self.cache:
            self.cache[key] = super().get_translations()  # type: ignore[no-untyped-call]
        return self.cache[key]

    def in_template(self, text: str, **values: object) -> Markup:
        """Translate like Jinja in a fifth of the time: most texts have no placeholders."""
        found: str = self.get_translations().ugettext(text)
        filled = Markup(found)  # noqa: S704 - a catalogue's
        return filled % values if "%" in found else filled


def chosen() -> str:
    """Return the request's language; English includes the country, for dates."""
    kept = request.cookies.get(COOKIE)
    asked = request.accept_languages
    known = kept if kept in LANGUAGES else asked.best_match(list(LANGUAGES), "en")
    if known != "en":
        return known or "en"
    countries = (one.lower() for one in asked.values() if one.lower().startswith("en-"))
    return "en" if next(countries, "en-us") == "en-us" else "en_GB"
