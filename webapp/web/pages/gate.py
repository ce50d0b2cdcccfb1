"""The gate for all requests: which pages a game has, and who may change what.

Closed by default: a route that changes something without declaring a right (`webapp.web.changes`)
is refused.
"""

from contextlib import ExitStack
from typing import Any

from flask import Flask, Response, abort, g, request
from werkzeug.routing import IntegerConverter, Map

from webapp.app.game_pages import pages_of
from webapp.app.read_view import one_view
from webapp.app.session import seats
from webapp.app.session.saved_games import ChangedMeanwhileError, SavedGame
from webapp.app.session.seats import NotYourSeatError
from webapp.server import guard
from webapp.web.changes import Change, Right, Seen, change_of, seen_revision
from webapp.web.context import hold_opened
from webapp.web.game_blueprints import game_of, step_served_by
from webapp.web.membership import NotJoinedError, has_joined
from webapp.web.pages import steps
from webapp.web.pages.unchanged import not_modified

LARGEST_NUMBER = 2**31 - 1
"""The largest integer in any database."""
OF_BROKEN_GAMES = frozenset({"games.as_it_is"})
"""Pages about unreadable games."""


class Number(IntegerConverter):
    """An integer in a URL: at most ten digits, and 404 if it is too large."""

    regex = r"\d{1,10}"

    def __init__(self, url_map: Map, **more: Any) -> None:
        super().__init__(url_map, **{"max": LARGEST_NUMBER, **more})


def guard_changes(app: Flask) -> None:
    """Run `check` before each request."""
    app.before_request(_begin_view)
    app.before_request(check)
    app.after_request(_answered)
    app.teardown_request(_end_view)


def _begin_view() -> None:
    """Give safe requests one read view, except event streams, which need the latest data."""
    is_event_stream = request.blueprint == "live_events"
    if request.method in guard.SAFE_METHODS and not is_event_stream:
        g.one_view = ExitStack()
        g.one_view.enter_context(one_view())


def _answered(response: Response) -> Response:
    _end_view()
    return response


def _end_view(_: BaseException | None = None) -> None:
    begun: ExitStack | None = g.pop("one_view", None)
    if begun is not None:
        begun.close()


def check() -> Response | None:
    """Let a request pass, raise, or return a response for an unchanged page.

    In this order: 403 for a change by a route that declares no right. 404 for a page that the game
    in the URL's `game_id` lacks: the game is gone, the page belongs to another kind of game, or to
    a step that its mode does not have. NotTheHostError, NotJoinedError and NotYourSeatError if the
    caller lacks the right. 400 for a form without the required revision, and ChangedMeanwhileError
    if that is not current, which the store checks again on writing.
    """
    change = None if request.method in guard.SAFE_METHODS else change_of(request.endpoint)
    if request.endpoint and request.method not in guard.SAFE_METHODS and change is None:
        abort(403, "nobody has the right to change this")
    game_id = (request.view_args or {}).get("game_id")
    is_closed = change is not None and change.right in (Right.CLOSED, Right.CLOSED_MEMBER)
    game = None
    if game_id is not None and not is_closed and request.endpoint not in OF_BROKEN_GAMES:
        game = steps.opened(game_id)
        _check_page(game)
    if change is not None:
        _check_right(change, game)
        belongs = change.right in (Right.MEMBER, Right.CLOSED_MEMBER)
        if belongs and game_id is not None and not has_joined(game_id):
            raise NotJoinedError(game_id)
    if game is not None:
        hold_opened(game)
    if game is not None and request.method in guard.SAFE_METHODS:
        return not_modified(game)
    if game is not None and change is not None and change.seen is Seen.REVISION:
        if seen_revision() is None:
            abort(400, "the form does not say which revision it was made of")
        if seen_revision() != game.revision:
            raise ChangedMeanwhileError(game.id)
    return None


def _check_page(game: SavedGame) -> None:
    owner = game_of(request.blueprint)
    if not owner:
        return
    step = step_served_by(str(request.endpoint))
    if owner != game.document["game"] or (
        step is not None and step not in pages_of(owner).steps(game.document).every
    ):
        abort(404)


def _check_right(change: Change, game: SavedGame | None) -> None:
    if change.right is Right.HOST:
        guard.require_host()
    if change.right is Right.KEEPER:
        guard.require_keeper()
    if change.right is Right.SEAT_OR_HOST and guard.serves():
        return
    if game is not None and change.right in (Right.SEAT, Right.SEAT_OR_HOST):
        named: dict[str, int | None] = request.view_args or {}
        number = named.get("player", request.form.get("seat", type=int))
        seat = None if number not in range(len(game.seats)) else game.seats[number or 0]
        if seat is not None and seat.other and not seats.is_over(game.document):
            raise NotYourSeatError
