"""Broken rules that prevent scoring, each of which can be corrected with a tap."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp.app.game_pages import pages_of
from webapp.app.session import flow, game_document, scoring
from webapp.app.session.saved_games import Document
from webapp.app.session.scoring import scoring_blockers
from webapp.web.changes import Right, changes
from webapp.web.context import current_profile
from webapp.web.pages import steps
from webapp.web.pages.owners import owners_of

blueprint = Blueprint("scoring_blockers", __name__, url_prefix="/games/<game_id>/unscorable")


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show what must be corrected, on the first board concerned; continue if there is nothing."""
    game, profile = steps.opened(game_id), current_profile()
    found = scoring_blockers(game.document, profile)
    if not found:
        return redirect(url_for("games.resume", game_id=game_id), 303)
    return render_template(
        "scoring_blockers.html",
        game=game,
        step=flow.next_step(game.document),
        found=found,
        owners=owners_of(game.document),
        palette=pages_of(game.document["game"]).pieces_in_play(game.document),
        admits={place.id: profile.game.admits(place) for place in profile.places},
        drawn_pieces=lambda number: scoring.drawn_pieces(game.document, number, profile.board),
    )


@blueprint.post("")
@changes(Right.TABLE)
def put_right(game_id: str) -> ResponseReturnValue:
    """Put another piece, or none, on a space of each board where it breaks such a rule."""
    game, profile = steps.opened(game_id), current_profile()
    space, piece = request.form.get("space", ""), request.form.get("star", "")
    place = next((one for one in profile.places if one.id == space), None)
    if place is None or piece not in {*profile.game.admits(place), ""}:
        abort(422, "no such place or piece")

    def change(kept: Document) -> Document:
        boards = {
            number
            for one in scoring_blockers(kept, profile)
            if space in one.broken.places
            for number in one.boards
        }
        for number in boards:
            kept = game_document.with_piece(kept, number, place, piece or None, profile.board)
            kept = game_document.with_board_confirmed(kept, number)
        return kept

    return steps.redirect_to_next(steps.changed(game.id, "star", change))
