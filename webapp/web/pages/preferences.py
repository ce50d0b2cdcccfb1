"""What each device keeps for itself: language, appearance, whether examples are kept."""

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
}
"""What a browser keeps, by the cookies' names, and what it may be."""
YEAR = 365 * 24 * 3600


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show the preferences."""
    back = _back(request.args.get("back", "/"))
    return render_template(
        "preferences.html", keeps=keeps_examples(), back=back, guest=not serves()
    )


@blueprint.post("")
@changes(Right.ANYBODY)
def save() -> ResponseReturnValue:
    """Keep what was chosen on this device."""
    response = redirect(_back(request.form.get("back", "/")), 303)
    chosen = {name: request.form[name] for name in COOKIES if name in request.form}
    if "yes" in request.form.getlist("examples"):
        chosen["examples"] = "yes"
    keep(response, chosen)
    return response


def keep(response: Response, chosen: Mapping[str, str]) -> None:
    """Have the browser that is answered keep what was chosen, and nothing that cannot be."""
    for name, value in chosen.items():
        if value in COOKIES.get(name, ()):
            _keep(response, name, value)


def appearance() -> str:
    """Return how pages look on this device: light, dark, or as its system does."""
    kept = request.cookies.get("appearance", "")
    return kept if kept in APPEARANCES else "system"


def keeps_examples() -> bool:
    """Say whether this device's player agreed that confirmed boards are kept as examples."""
    return request.cookies.get("examples") == "yes"


def _keep(response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


def _back(wanted: str) -> str:
    """Return the page of this server that asked, never another server's."""
    return wanted if re.fullmatch(r"/(?!/)[\w/.\-]*", wanted) else "/"
