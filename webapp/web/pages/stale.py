"""What somebody confirmed is not what their page showed: it is shown as it is now."""

from urllib.parse import urlsplit

from flask import current_app, flash, g, jsonify, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp.web.failures import wants_json
from webapp.web.pages import steps
from webapp.web.pages.steps import StaleConfirmationError

UNTYPED = frozenset({"csrf_token", "shown", "together", "revision", "back", "delivery"})
"""Fields of a form that nobody fills in."""


def show_anew(error: StaleConfirmationError) -> ResponseReturnValue:
    """Answer 409 with the page of the step as it is now, and with what was typed.

    A page's script is told why, and shows the rest itself.
    """
    told = error.told or _("Somebody else has just changed this. Look at it once more.")
    if wants_json():
        return jsonify(error=409, message=told), 409
    flash(told)
    if not error.told:
        g.typed = [[key, value] for key, value in request.form.items(True) if key not in UNTYPED]
    path = urlsplit(steps.url_of(steps.opened(error.game_id), error.step)).path
    adapter = request_ctx.url_adapter
    assert adapter is not None, "the request was routed"
    endpoint, arguments = adapter.match(path, method="GET")
    request.method = "GET"
    page = current_app.ensure_sync(current_app.view_functions[endpoint])(**arguments)
    response = current_app.make_response(page)
    if response.status_code == 200:
        response.status_code = 409
    return response
