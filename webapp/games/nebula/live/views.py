"""Endpoints for taps of Nebula's players: markers, value tokens, the indicator, the bag."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from scorer.nebula.values_board import TOKENS, TRACKS
from webapp.games.nebula import words
from webapp.web.changes import Right, changes
from webapp.web.context import services
from webapp.web.pages import live_taps

blueprint = Blueprint("nebula_live", __name__, url_prefix="/live", template_folder="../templates")


@blueprint.app_context_processor
def _words() -> dict[str, object]:
    """Names for the templates of Nebula's part of the table page."""
    return {"nebula_words": words, "value_tracks": TRACKS}


@blueprint.post("/claim")
@changes(Right.TABLE)
def claim(game_id: str) -> ResponseReturnValue:
    """Record a player's marker on a career card."""
    game = services().games.open(game_id)
    card = request.form.get("card")
    if card not in game.document["career"]:
        abort(422, "no such card on the table")
    return live_taps.tell(game, "claim", {"seat": live_taps.seat(game), "card": card})


@blueprint.post("/value")
@changes(Right.TABLE)
def value(game_id: str) -> ResponseReturnValue:
    """Move a value token, for a black star or on its own; or record that none moves."""
    game = services().games.open(game_id)
    token = request.form.get("token") or None
    if token is not None and token not in TOKENS:
        abort(422, "no such token")
    due = live_taps.entry(game, "due") if request.form.get("due") else None
    return live_taps.tell(game, "value", {"token": token, "due": due, "by": _direction()})


@blueprint.post("/indicator")
@changes(Right.TABLE)
def indicator(game_id: str) -> ResponseReturnValue:
    """Move the black indicator by hand."""
    return live_taps.tell(services().games.open(game_id), "indicator", {"by": _direction()})


@blueprint.post("/bag")
@changes(Right.TABLE)
def bag(game_id: str) -> ResponseReturnValue:
    """Record whether the bag is empty."""
    empty = request.form.get("empty") == "yes"
    return live_taps.tell(services().games.open(game_id), "bag", {"empty": empty})


def _direction() -> int:
    return -1 if request.form.get("by") == "-1" else 1
