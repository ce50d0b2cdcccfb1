"""Preferences stored on each device: language, appearance, help, and consent to keep examples."""

import re
from collections.abc import Collection, Mapping

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug import Response

from webapp.app.languages import LANGUAGES
from webapp.server.guard import serves
from webapp.web.changes import Right, changes
from webapp.web.language_choice import COOKIE

blueprint = Blueprint("preferences", __name__, url_prefix="/preferences")

APPEARANCES = ("system", "light", "dark")
COOKIES: Mapping[str, Collection[str]] = {
    COOKIE: LANGUAGES,
    "appearance": APPEARANCES,
    "examples": ("yes", "no"),
    "gains": ("yes", "no"),
}
"""The cookies' names and possible values."""
YEAR = 365 * 24 * 3600


@blueprint.get("")
def show() -> ResponseReturnValue:
    back = _back(request.args.get("back", "/"))
    return render_template(
        "preferences.html",
        keeps=keeps_examples(),
        gains=shows_gains(),
        back=back,
        guest=not serves(),
    )


@blueprint.post("")
@changes(Right.ANYBODY)
def save() -> ResponseReturnValue:
    response = redirect(_back(request.form.get("back", "/")), 303)
    # a checked box comes after the hidden field that says no
    keep(response, {name: last for name in COOKIES for last in request.form.getlist(name)[-1:]})
    return response


def keep(response: Response, chosen: Mapping[str, str]) -> None:
    """Set valid preferences as cookies of the response."""
    for name, value in chosen.items():
        if value in COOKIES.get(name, ()):
            _keep(response, name, value)


def appearance() -> str:
    """Return the appearance of pages on this device: light, dark or system."""
    kept = request.cookies.get("appearance", "")
    return kept if kept in APPEARANCES else "system"


def keeps_examples() -> bool:
    """Return whether this device's user agreed to keep confirmed boards as examples."""
    return request.cookies.get("examples") == "yes"


def shows_gains() -> bool:
    """Return whether a guided board shows what each choice brings."""
    return request.cookies.get("gains") != "no"


def _keep(response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )


def _back(wanted: str) -> str:
    """Return the page to go back to, which must be on this server."""
    return wanted if re.fullmatch(r"/(?!/)[\w/.\-]*(\?[\w.\-%&+=:;,]*)?", wanted) else "/"
