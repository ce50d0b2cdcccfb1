"""A cache of rendered parts of pages that look the same to everybody."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from flask import current_app, g
from flask_babel import get_locale
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

MOST = 1000
TOKEN = secrets.token_hex(16)
"""The placeholder of the CSRF token in cached parts."""


class DrawnOnce:
    """The last `MOST` rendered templates, by all their inputs.

    A template sees its values and the templates' globals, not the request. It writes `token` in
    place of a form's token.
    """

    def __init__(self) -> None:
        self._drawn: OrderedDict[tuple[str, str, Hashable], str] = OrderedDict()
        self._lock = threading.Lock()

    def draw(self, template: str, of: Hashable, **values: Any) -> Markup:
        """Render a template; `of` must identify everything that it shows."""
        key = template, str(get_locale()), of
        with self._lock:
            drawn = self._drawn.get(key)
            if drawn is not None:
                self._drawn.move_to_end(key)
        if drawn is None:
            found = current_app.jinja_env.get_template(template)
            drawn = found.render(**values, token=TOKEN)
            with self._lock:
                self._drawn[key] = drawn
                while len(self._drawn) > MOST:
                    self._drawn.popitem(last=False)
        if TOKEN in drawn:
            if "form_token" not in g:  # a page has one part per listed game
                g.form_token = generate_csrf()
            drawn = drawn.replace(TOKEN, g.form_token)
        return Markup(drawn)  # noqa: S704 - a template's


def drawn_once() -> DrawnOnce:
    """Return the cache of the current application."""
    found: DrawnOnce = current_app.extensions["stargazer drawn once"]
    return found
