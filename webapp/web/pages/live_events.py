"""Event streams of live games: of one game, or of all that a browser shows."""

from collections.abc import Iterable, Mapping

from flask import (
    Blueprint,
    Response,
    abort,
    copy_current_request_context,
    request,
    stream_with_context,
)
from flask.typing import ResponseReturnValue

from webapp.server.channel import HOLD
from webapp.server.guard import serves
from webapp.web.context import opened
from webapp.web.event_streams import RETRY, Held, event_streams

blueprint = Blueprint("live_events", __name__)

MOST_GAMES = 16
"""Per stream."""


@blueprint.get("/games/<game_id>/live/events")
def of_game(game_id: str) -> ResponseReturnValue:
    """Stream the news of a game after the last entry that the page knows."""
    game = opened(game_id)
    return _stream(
        {game.id: _number(request.headers.get("Last-Event-ID") or request.args.get("after", "0"))}
    )


@blueprint.get("/live/events")
def of_games() -> ResponseReturnValue:
    """Stream the news of several games; each `game` is id, a dot, and the last known entry."""
    asked = [one.rpartition(".") for one in request.args.getlist("game")]
    if not 0 < len(asked) <= MOST_GAMES:
        abort(422, "no such number of games")
    return _stream({game_id: _number(after) for game_id, _dot, after in asked})


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        abort(422, "no such entry")
    return int(text)


def _stream(known: dict[str, int]) -> Response:
    streams, environ = event_streams(), request.environ
    address = None if serves() else request.remote_addr
    is_gone = environ.get("waitress.client_disconnected", lambda: False)
    if HOLD not in environ:
        lines = stream_with_context(streams.stream(known, is_gone, address=address))
        return _response(lines)
    listener = streams.admit(known, address=address)
    try:
        first = [RETRY, *streams.news(listener)]
    except BaseException:
        streams.leave(listener)
        raise
    if not listener.is_held:
        streams.leave(listener)
        return _response(first)

    @copy_current_request_context
    def news(latest: Mapping[str, int]) -> str:
        return "".join(streams.news(listener, latest))

    environ[HOLD](lambda send, end: streams.hold(Held(listener, news, send, end, is_gone)))
    return _response(iter(first))


def _response(lines: Iterable[str]) -> Response:
    return Response(lines, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
