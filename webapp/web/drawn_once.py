"""Parts of pages that are drawn once for everybody to whom they look alike."""

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
"""Stands in what is kept for the token of whoever it is shown to."""


class DrawnOnce:
    """What was drawn of templates, the latest `MOST`, by all that they were drawn of.

    A template sees its values and the templates' globals, nothing of the request. It writes `token`
    where a form's token belongs.
    """

    def __init__(self) -> None:
        """Nothing is drawn yet."""
        self._drawn: OrderedDict[tuple[str, str, Hashable], str] = OrderedDict()
        self._lock = threading.Lock()

    def draw(self, template: str, of: Hashable, **values: Any) -> Markup:
        """Draw a template of values, of which `of` says all that it shows."""
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
            if "form_token" not in g:  # a page asks for as many parts as it lists games
                g.form_token = generate_csrf()
            drawn = drawn.replace(TOKEN, g.form_token)
        return Markup(drawn)  # noqa: S704 - a template's


def drawn_once() -> DrawnOnce:
    """Return what the application that answers the current request has drawn."""
    found: DrawnOnce = current_app.extensions["stargazer drawn once"]
    return found
