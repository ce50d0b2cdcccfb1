"""Common parts of the table page's taps: parameters, logging and responses."""

import re
from collections.abc import Mapping
from typing import Any

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.app.live.service import Tell
from webapp.app.session.saved_games import SavedGame
from webapp.web.context import live_service
from webapp.web.failures import wants_json

TAP = re.compile("[0-9a-f]{32}")


def tell(game: SavedGame, kind: str, data: Mapping[str, Any]) -> ResponseReturnValue:
    """Log what a player entered; a repeated delivery is logged once."""
    return tell_of(game, lambda *_: [(kind, data)])


def tell_of(game: SavedGame, tell_table: Tell) -> ResponseReturnValue:
    """Do the same with what `tell_table` returns for the current table."""
    live_service().tell_of(game.id, tell_table, _tap())
    return answer(game.id)


def _tap() -> str | None:
    """Return the page's id of this tap; None for a form sent without a script."""
    named = request.form.get("tap", "")
    if named and not TAP.fullmatch(named):
        abort(422, "no such tap")
    return named or None


def answer(game_id: str) -> ResponseReturnValue:
    """Respond to a tap; pages with a script load the table themselves."""
    if wants_json():
        return "", 204
    return redirect(url_for("live.show", game_id=game_id), 303)


def seat(game: SavedGame) -> int:
    """Return the seat in the form or the URL."""
    number = request.values.get("seat", type=int)
    if number is None or not 0 <= number < len(game.document["players"]):
        abort(422, "no such player")
    return number


def board(game: SavedGame) -> int:
    """Return the board number in the form's or URL's `seat`."""
    number = request.values.get("seat", type=int)
    if number is None or not 0 <= number < live_service().rules(game).boards:
        abort(422, "no such board")
    return number


def entry(game: SavedGame, field: str) -> int:
    """Return the number of an entry in a field of the form."""
    number = request.form.get(field, type=int)
    if number is None or not 0 < number <= live_service().log.last(game.id):
        abort(422, "no such entry")
    return number
