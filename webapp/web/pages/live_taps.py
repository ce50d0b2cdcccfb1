"""What the taps of a table page share: whose they are, and how they are written and answered."""

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
    """Write down what a player told; a tap that is delivered again, as it went astray, once."""
    return tell_of(game, lambda *_: [(kind, data)])


def tell_of(game: SavedGame, tell_table: Tell) -> ResponseReturnValue:
    """As `tell`, with what `tell_table` makes of the table as it is."""
    live_service().tell_of(game.id, tell_table, _tap())
    return answer(game.id)


def _tap() -> str | None:
    """What the page calls this tap; None for a form that was sent without its script."""
    named = request.form.get("tap", "")
    if named and not TAP.fullmatch(named):
        abort(422, "no such tap")
    return named or None


def answer(game_id: str) -> ResponseReturnValue:
    """Answer a tap: a page with a script fetches the table itself."""
    if wants_json():
        return "", 204
    return redirect(url_for("live.show", game_id=game_id), 303)


def seat(game: SavedGame) -> int:
    """Return the player's seat that the form, or the address, names."""
    number = request.values.get("seat", type=int)
    if number is None or not 0 <= number < len(game.document["players"]):
        abort(422, "no such player")
    return number


def board(game: SavedGame) -> int:
    """Return the number of the board that the form, or the address, names as a `seat`'s."""
    number = request.values.get("seat", type=int)
    if number is None or not 0 <= number < live_service().rules(game).boards:
        abort(422, "no such board")
    return number


def entry(game: SavedGame, field: str) -> int:
    """Return the number of an entry that a field of the form names."""
    number = request.form.get(field, type=int)
    if number is None or not 0 < number <= live_service().log.last(game.id):
        abort(422, "no such entry")
    return number
