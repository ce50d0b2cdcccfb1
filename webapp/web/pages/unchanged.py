"""Checking whether a step's page has changed, without drawing it."""

import hmac
import json

from flask import Response, current_app, request

from webapp.app.session import flow
from webapp.app.session.saved_games import SavedGame
from webapp.web.pages import steps

REVISION = "X-Revision"
"""The header with the revision at which the page is unchanged."""


def shown_digest(game: SavedGame, step: flow.Step) -> str:
    """Return a digest of what a step's page shows of a game.

    It is keyed, so that hidden content cannot be guessed by trial.
    """
    shown = json.dumps(flow.shown(game.document, step), sort_keys=True)
    key: bytes = current_app.config["SECRET_KEY"]
    return hmac.digest(key, shown.encode(), "sha256").hex()[:16]


def not_modified(game: SavedGame) -> Response | None:
    """Return 304 if the requested page still shows what `If-None-Match` names.

    That is a `shown_digest` as a weak tag, since other parts of the page, such as the progress, may
    have changed. HEAD always gets a response. None if the page must be drawn.
    """
    if request.method not in {"GET", "HEAD"} or not request.if_none_match:
        return None
    for step in (*flow.steps(game.document), flow.Step("score")):
        if steps.url_of(game, step) == request.path:
            digest = shown_digest(game, step)
            is_same = request.if_none_match.contains_weak(digest)
            if is_same or request.method == "HEAD":
                answer = Response(status=304 if is_same else 200)
                answer.headers[REVISION] = str(game.revision)
                answer.set_etag(digest, weak=True)
                return answer
    return None
