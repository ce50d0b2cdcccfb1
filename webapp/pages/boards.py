"""One player's board: the review of what was read, star by star, and their personal card."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.nebula import COLOURS
from webapp import cards, examples, flow, game_document, proposals, reviewing
from webapp.companion import companion
from webapp.failures import wants_json
from webapp.guard import browser, serves
from webapp.live.desk import live
from webapp.pages import preferences, steps
from webapp.saved_games import SavedGame

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
    seat = steps.seat(game, player)
    space, colour = request.form.get("space", ""), request.form.get("star", "")
    if space not in companion().profile.board.spaces or colour not in {*COLOURS, ""}:
        abort(422, "no such space or colour")
    if preferences.keeps_examples():
        examples.keep(companion(), game, player, space, colour or None, seat["stars"].get(space))
    changed = steps.changed(
        game_id, "star", lambda doc: game_document.with_star(doc, player, space, colour or None)
    )
    return _reviewed(changed, player)


@blueprint.post("/black")
def black(game_id: str, player: int) -> ResponseReturnValue:
    """Set how many black stars lie on the track."""
    steps.seat(steps.opened(game_id), player)
    count = request.form.get("count", type=int)
    if count is None or not 0 <= count <= len(companion().profile.track.at):
        abort(422, "no such number of black stars")
    changed = steps.changed(
        game_id, "black", lambda document: game_document.with_black(document, player, count)
    )
    return _reviewed(changed, player)


@blueprint.post("/review/undo")
def undo(game_id: str, player: int) -> ResponseReturnValue:
    """Take the last correction back."""
    return _reviewed(companion().games.undo(game_id, browser()), player)


@blueprint.post("/review/redo")
def redo(game_id: str, player: int) -> ResponseReturnValue:
    """Make the correction that was taken back last again."""
    return _reviewed(companion().games.redo(game_id, browser()), player)


@blueprint.post("/review")
def confirm(game_id: str, player: int) -> ResponseReturnValue:
    """Confirm the board as it stands; with a personal card, both in one step."""
    steps.seat(steps.opened(game_id), player)
    card = request.form.get("card")
    if card is None:
        return steps.onward(steps.confirm(game_id, flow.Step("review", player)))
    if card not in cards.of_deck("personal"):
        abort(422, "no such personal card")
    chosen = flow.Step("personal", player).key
    return steps.onward(
        steps.confirm(
            game_id,
            flow.Step("review", player),
            lambda document: game_document.confirm(
                game_document.with_personal(document, player, card), chosen
            ),
        )
    )


@blueprint.route("/personal", methods=["GET", "POST"])
def personal(game_id: str, player: int) -> ResponseReturnValue:
    """Choose the player's personal card; one tap chooses and goes on."""
    game = steps.opened(game_id)
    steps.seat(game, player)
    step = flow.Step("personal", player)
    card = request.form.get("card", "")
    if request.method == "POST" and card in cards.of_deck("personal"):
        return steps.onward(
            steps.confirm(
                game_id, step, lambda document: game_document.with_personal(document, player, card)
            )
        )
    hidden = game.seats[player].hidden
    page = render_template(
        "hidden.html" if hidden else "personal.html",
        game=game,
        step=step,
        player=player,
        seat=game.document["players"][player],
        choices=() if hidden else proposals.personal(game.document, player),
        serves=serves(),
        refused=request.method == "POST",
    )
    return page, 422 if request.method == "POST" else 200


@blueprint.post("/give-back")
def give_back(game_id: str, player: int) -> ResponseReturnValue:
    """Give a seat back: its card is forgotten, and whoever has it in hand can enter it."""
    steps.seat(steps.opened(game_id), player)
    companion().games.give_back(game_id, player, browser(), serves())
    live().feed.ring(game_id)
    if wants_json():
        return "", 204
    return redirect(url_for(".personal", game_id=game_id, player=player), 303)


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
        "review": reviewing.of(companion(), game, player),
        "choices": ()
        if seat["personal"] or game.seats[player].hidden
        else proposals.personal(game.document, player),
    }
