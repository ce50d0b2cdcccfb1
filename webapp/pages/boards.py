"""One player's board: the review of what was read, star by star, and their personal card."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scorer.nebula import COLOURS
from webapp import cards, examples, flow, proposals, reviewing, sheet
from webapp.companion import companion
from webapp.failures import wants_json
from webapp.games import SavedGame
from webapp.pages import preferences, steps

blueprint = Blueprint("boards", __name__, url_prefix="/games/<game_id>/players/<int:player>")


@blueprint.get("/review")
def review(game_id: str, player: int) -> ResponseReturnValue:
    """Show the photograph beside the drawn board, doubtful spaces first."""
    game = companion().games.open(game_id)
    steps.seat(game, player)
    return render_template("review.html", **_context(game, player))


@blueprint.post("/star")
def star(game_id: str, player: int) -> ResponseReturnValue:
    """Put a star on a space, or none; both say that the space was looked at."""
    game = companion().games.open(game_id)
    seat = steps.seat(game, player)
    space, colour = request.form.get("space", ""), request.form.get("star", "")
    if space not in companion().profile.board.spaces or colour not in {*COLOURS, ""}:
        abort(422, "no such space or colour")
    if preferences.keeps_examples():
        examples.keep(companion(), game, player, space, colour or None, seat["stars"].get(space))
    changed = companion().games.change(
        game_id, "star", lambda doc: sheet.with_star(doc, player, space, colour or None)
    )
    return _reviewed(changed, player)


@blueprint.post("/black")
def black(game_id: str, player: int) -> ResponseReturnValue:
    """Set how many black stars lie on the track."""
    steps.seat(companion().games.open(game_id), player)
    count = request.form.get("count", type=int)
    if count is None or not 0 <= count <= len(companion().profile.track.at):
        abort(422, "no such number of black stars")
    changed = companion().games.change(
        game_id, "black", lambda document: sheet.with_black(document, player, count)
    )
    return _reviewed(changed, player)


@blueprint.post("/review/undo")
def undo(game_id: str, player: int) -> ResponseReturnValue:
    """Take the last correction back."""
    return _reviewed(companion().games.undo(game_id), player)


@blueprint.post("/review/redo")
def redo(game_id: str, player: int) -> ResponseReturnValue:
    """Make the correction that was taken back last again."""
    return _reviewed(companion().games.redo(game_id), player)


@blueprint.post("/review")
def confirm(game_id: str, player: int) -> ResponseReturnValue:
    """Confirm the board as it stands; with a personal card, both in one step."""
    steps.seat(companion().games.open(game_id), player)
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
            lambda document: sheet.confirm(sheet.with_personal(document, player, card), chosen),
        )
    )


@blueprint.route("/personal", methods=["GET", "POST"])
def personal(game_id: str, player: int) -> ResponseReturnValue:
    """Choose the player's personal card; one tap chooses and goes on."""
    game = companion().games.open(game_id)
    steps.seat(game, player)
    step = flow.Step("personal", player)
    card = request.form.get("card", "")
    if request.method == "POST" and card in cards.of_deck("personal"):
        return steps.onward(
            steps.confirm(
                game_id, step, lambda document: sheet.with_personal(document, player, card)
            )
        )
    page = render_template(
        "personal.html",
        game=game,
        step=step,
        player=player,
        seat=game.document["players"][player],
        choices=proposals.personal(game.document, player),
        refused=request.method == "POST",
    )
    return page, 422 if request.method == "POST" else 200


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
        "choices": () if seat["personal"] else proposals.personal(game.document, player),
    }
