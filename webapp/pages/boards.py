"""One player's board: the review of what was read, star by star, and their personal card."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.places import Place
from webapp import examples, flow, game_document, reviewing
from webapp.failures import wants_json
from webapp.games import pages_of
from webapp.guard import browser, serves
from webapp.live.service import live
from webapp.pages import preferences, steps
from webapp.saved_games import SavedGame
from webapp.services import services

blueprint = Blueprint("boards", __name__, url_prefix="/games/<game_id>/players/<int:player>")


@blueprint.get("/review")
def review(game_id: str, player: int) -> ResponseReturnValue:
    """Show the photograph beside the drawn board, doubtful spaces first."""
    game = steps.opened(game_id)
    steps.seat(game, player)
    return render_template("review.html", **_context(game, player))


@blueprint.post("/star")
def star(game_id: str, player: int) -> ResponseReturnValue:
    """Put a star on a space, or none; both say that the space was looked at."""
    game = steps.opened(game_id)
    steps.seat(game, player)
    space, colour = request.form.get("space", ""), request.form.get("star", "")
    profile, place = services().profile, Place(space)
    if place not in profile.places or colour not in {*(p.id for p in profile.game.pieces), ""}:
        abort(422, "no such space or colour")
    if preferences.keeps_examples():
        lay = game_document.pieces_of(game.document, player, profile.board).get(place)
        examples.keep(services(), game, player, space, colour or None, lay)
    changed = steps.changed(
        game_id,
        "star",
        lambda kept: game_document.with_piece(kept, player, place, colour or None, profile.board),
    )
    return _reviewed(changed, player)


@blueprint.post("/tracks/<track>")
def count(game_id: str, player: int, track: str) -> ResponseReturnValue:
    """Set how many pieces lie on a track."""
    steps.seat(steps.opened(game_id), player)
    profile, number = services().profile, request.form.get("count", type=int)
    slots = len(profile.tracks.get(track, ()))
    if number is None or not slots or not 0 <= number <= slots:
        abort(422, "no such number of pieces")
    changed = steps.changed(
        game_id,
        track,
        lambda kept: game_document.with_count(kept, player, track, number, profile.board),
    )
    return _reviewed(changed, player)


@blueprint.post("/review/undo")
def undo(game_id: str, player: int) -> ResponseReturnValue:
    """Take the last correction back."""
    return _reviewed(services().games.undo(game_id, browser()), player)


@blueprint.post("/review/redo")
def redo(game_id: str, player: int) -> ResponseReturnValue:
    """Make the correction that was taken back last again."""
    return _reviewed(services().games.redo(game_id, browser()), player)


@blueprint.post("/review")
def confirm(game_id: str, player: int) -> ResponseReturnValue:
    """Confirm the board as it stands; with an answer that goes with it, both in one step."""
    game = steps.opened(game_id)
    steps.seat(game, player)
    step, answer = flow.Step("review", player), request.form.get("card")
    reviewing.learn(services(), game, player)
    if answer is None:
        return steps.redirect_to_next(steps.confirm(game_id, step))
    try:
        change, answered = pages_of(game.document["game"]).with_review_answer(player, answer)
    except ValueError as error:
        abort(422, str(error))
    chosen = flow.Step(answered, player).key
    return steps.redirect_to_next(
        steps.confirm(game_id, step, lambda kept: game_document.confirm(change(kept), chosen))
    )


@blueprint.post("/give-back")
def give_back(game_id: str, player: int) -> ResponseReturnValue:
    """Give a seat back: its card is forgotten, and whoever has it in hand can enter it."""
    steps.seat(steps.opened(game_id), player)
    services().games.give_back(game_id, player, browser(), serves())
    live().notifier.notify(game_id)
    if wants_json():
        return "", 204
    return redirect(steps.url_of(steps.opened(game_id), flow.Step("personal", player)), 303)


def _reviewed(game: SavedGame, player: int) -> ResponseReturnValue:
    if wants_json():
        return render_template("_reviewed.html", **_context(game, player))
    return redirect(url_for(".review", game_id=game.id, player=player), 303)


def _context(game: SavedGame, player: int) -> dict[str, object]:
    seat = steps.seat(game, player)
    return {
        "game": game,
        "step": flow.Step("review", player),
        "player": player,
        "seat": seat,
        "review": reviewing.of(services(), game, player),
        "choices": ()
        if seat.get("personal") or game.seats[player].hidden
        else pages_of(game.document["game"]).review_answers(game.document, player),
    }
