"""Endpoints for taps of Polaris' players: the turn's end, the New Moon, the telescope."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from scorer.places import Place
from scorer.polaris.contract import NEW_MOON
from scorer.polaris.game import PHASES
from scorer.polaris.turn_inference import can_join
from scorer.polaris.words import WORDS
from webapp.app.languages import language
from webapp.app.session.saved_games import SavedGame
from webapp.games.polaris.live import state
from webapp.games.polaris.live.view_model import PolarisViewModel
from webapp.games.polaris.views import sky_board
from webapp.web.changes import Right, changes
from webapp.web.context import current_profile, live_service
from webapp.web.pages import live_taps, steps

blueprint = Blueprint("polaris_live", __name__, url_prefix="/live", template_folder="../templates")


@blueprint.app_context_processor
def _words() -> dict[str, object]:
    """Names for the templates of Polaris' part of the table page."""
    return {
        "can_join": can_join,
        "moon_name": lambda moon: WORDS.word(moon, language()),
        "moon_names": lambda moons: ", ".join(WORDS.word(moon, language()) for moon in moons),
    }


@blueprint.post("/turn")
@changes(Right.TABLE)
def turn(game_id: str) -> ResponseReturnValue:
    """End the turn in progress."""
    return live_taps.tell(steps.opened(game_id), "turn", {})


@blueprint.post("/turns/<int:number>")
@changes(Right.TABLE)
def turn_was(game_id: str, number: int) -> ResponseReturnValue:
    """Join the turn in progress to the one before, or record that its pieces were there before."""
    game, what = steps.opened(game_id), request.form.get("what", "")
    if what not in state.OF_A_TURN or not 0 < number <= len(_view(game).followed.turns):
        abort(422, "no such turn")
    return live_taps.tell(game, what, {"turn": number})


@blueprint.post("/moon")
@changes(Right.TABLE)
def moon(game_id: str) -> ResponseReturnValue:
    """Set the sector that the New Moon faces; advancing the frame ends a phase.

    On a board whose moons a camera sees it is entered like any other piece.
    """
    game, sector = steps.opened(game_id), request.form.get("sector", type=int)
    if sector not in sky_board().sectors:
        abort(422, "no such sector")
    place = Place(str(sector), "dial")
    if place not in current_profile().places:
        return live_taps.tell(game, "moon", {"sector": sector})
    event = {"kind": "placed", "space": place.id, "star": NEW_MOON}
    return live_taps.tell(game, "hand", {"seat": 0, "event": event})


@blueprint.post("/telescope")
@changes(Right.TABLE)
def telescope(game_id: str) -> ResponseReturnValue:
    """Set the telescope's holder in a phase, numbered from 1."""
    game, phase = steps.opened(game_id), request.form.get("phase", 0, type=int)
    if not 1 <= phase <= PHASES:
        abort(422, "no such phase")
    data = {"phase": phase - 1, "seat": live_taps.seat(game)}
    return live_taps.tell(game, "telescope", data)


@blueprint.post("/leave")
@changes(Right.TABLE)
def leave(game_id: str) -> ResponseReturnValue:
    """Accept a rule break, given by `rule` and `places`."""
    game = steps.opened(game_id)
    view = _view(game)
    rule, places = request.form.get("rule", ""), request.form.get("places", "")
    wanted = state.left(rule, tuple(places.split()))
    broken = {state.left(one.kind, one.places) for _board, one in view.breaks if not one.unscorable}
    if wanted not in broken | view.state.left:
        abort(422, "no such rule is broken")
    return live_taps.tell(game, "leave", {"rule": wanted[0], "places": list(wanted[1])})


def _view(game: SavedGame) -> PolarisViewModel:
    return PolarisViewModel(game.document, live_service().table(game), live_service().rules(game))
