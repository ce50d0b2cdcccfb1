"""Responses to decisions based on an outdated page: the page as it is now."""

from urllib.parse import urlsplit

from flask import current_app, flash, g, jsonify, request, url_for
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from webapp.app.session.saved_games import ChangedMeanwhileError
from webapp.web.failures import wants_json
from webapp.web.pages import steps
from webapp.web.pages.steps import StaleConfirmationError

UNTYPED = frozenset({"csrf_token", "shown", "together", "revision", "back", "delivery"})
"""Form fields that are not typed by anybody."""
MOST_HOPS = 4
"""The most redirects followed to find the page."""


def show_anew(error: StaleConfirmationError) -> ResponseReturnValue:
    """Return 409 with the current page of the step, and with what was typed.

    Scripts get the message only, and show the rest themselves.
    """
    g.typed = [[key, value] for key, value in request.form.items(True) if key not in UNTYPED]
    return _answer(steps.url_of(steps.opened(error.game_id), error.step))


def show_changed(error: ChangedMeanwhileError) -> ResponseReturnValue:
    """Return 409 with the page decided on: the form's `back`, or the nearest page above."""
    game = url_for("games.resume", game_id=str(error))
    back = request.form.get("back", "")
    return _answer(back if back.startswith(f"{game}/") else request.path)


def _answer(path: str) -> ResponseReturnValue:
    message = _("Somebody else has just changed this. Look at it again.")
    if wants_json():
        return jsonify(error=409, message=message), 409
    flash(message)
    response = _page(path)
    for _hop in range(MOST_HOPS):
        if response.status_code not in (302, 303):
            break
        response = _page(response.headers["Location"])
    if response.status_code == 200:
        response.status_code = 409
    return response


def _page(path: str) -> Response:
    """Return the page at a URL, or the nearest existing one above it."""
    adapter = request_ctx.url_adapter
    assert adapter is not None, "the request was routed"
    path = urlsplit(path).path
    while True:
        try:
            rule, arguments = adapter.match(path, method="GET", return_rule=True)
            break
        except (HTTPException, RequestRedirect):
            path = path.rpartition("/")[0] or "/"
    request.method, request.url_rule, request.view_args = "GET", rule, dict(arguments)
    g.here = path  # the form's own address may not be one to come back to
    g.pop("asked_for", None)
    page = current_app.ensure_sync(current_app.view_functions[rule.endpoint])(**arguments)
    return current_app.make_response(page)
