"""The review of one player's board, piece by piece."""

import re
from collections.abc import Callable, Sequence

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.places import Place
from webapp.app.boards import board_drawing
from webapp.app.game_pages import pages_of
from webapp.app.reading import examples
from webapp.app.reading.uncertainties import Question
from webapp.app.session import flow, game_document, reviewing
from webapp.app.session.board_slots import is_followed
from webapp.app.session.saved_games import Document, SavedGame
from webapp.server.guard import browser, serves
from webapp.web.changes import Right, Seen, changes, seen_revision
from webapp.web.context import current_profile, services
from webapp.web.failures import wants_json
from webapp.web.pages import preferences, steps, whole_table
from webapp.web.pages.owners import owner_of, owners_of
from webapp.web.refusals import OF_PLACE, refused_at, refused_on
from webapp.web.words import letter_keys, piece_name

blueprint = Blueprint("boards", __name__, url_prefix="/games/<game_id>/players/<int:player>")


@blueprint.before_request
def ask_for_owner() -> ResponseReturnValue | None:
    """Redirect to the question whose a board is, before it is shown or corrected as somebody's.

    What a script sends is refused instead: a redirect would be taken for delivered.
    """
    game_id, player = (request.view_args or {})["game_id"], (request.view_args or {})["player"]
    if request.endpoint == "boards.give_back":
        return None
    if whole_table.is_owner_unsure(steps.opened(game_id), player):
        if request.method == "POST" and wants_json():
            return jsonify(error=409, message=_("First say whose board this is.")), 409
        return redirect(url_for("whole_table.show", game_id=game_id), 303)
    return None


@blueprint.get("/review")
def review(game_id: str, player: int) -> ResponseReturnValue:
    """Show the photograph beside the drawn board; without one, the page for entry by hand."""
    game = steps.opened(game_id)
    if wants_json():
        return _reviewed(game, player)
    if _is_being_read(game, player):
        return redirect(url_for("photographs.show", game_id=game_id), 303)
    if _is_by_hand(game, player):
        return hand_page(game, player)
    return render_template("review.html", **_context(game, player))


def hand_page(game: SavedGame, player: int, **more: object) -> str:
    """Return the page for entering a board by hand."""
    return render_template("hand.html", **_context(game, player), **_to_enter(game), **more)


@blueprint.get("/refused")
def refused(game_id: str, player: int) -> ResponseReturnValue:
    """Return, for each space of the board, the pieces that the rules forbid there, and why."""
    game = steps.opened(game_id)
    steps.owner(game, player)
    profile = services().boards.of(game.document, player)
    pieces = game_document.pieces_of(game.document, player, profile.board)
    return jsonify(refused_on(profile, pieces))


@blueprint.post("/star")
@changes(Right.TABLE)
def star(game_id: str, player: int) -> ResponseReturnValue:
    """Put a piece, or none, on a space or link, and mark it as checked."""
    game = steps.opened(game_id)
    steps.owner(game, player)
    space, colour = request.form.get("space", ""), request.form.get("star", "")
    profile = current_profile()
    by_id = {place.id: place for place in profile.places if place.kind != "track"}
    place = by_id.get(space)
    if place is None or colour not in {*profile.game.admits(place), ""}:
        abort(422, "no such place or piece")
    changed = steps.changed(
        game_id,
        "star",
        lambda kept: game_document.with_piece(kept, player, place, colour or None, profile.board),
    )
    return _reviewed(changed, player)


@blueprint.post("/alike")
@changes(Right.TABLE, Seen.REVISION)
def alike(game_id: str, player: int) -> ResponseReturnValue:
    """Put the same piece, or none, on all places that were asked about together."""
    game = steps.opened(game_id)
    steps.owner(game, player)
    spaces, piece = {*request.form.getlist("spaces")}, request.form.get("star", "")
    profile = current_profile()
    places = [at for at in profile.places if at.id in spaces and at.kind in ("spot", "edge")]
    admitted = all(piece in {*profile.game.admits(place), ""} for place in places)
    if spaces != {place.id for place in places} or not admitted:
        abort(422, "no such places or piece")
    if not spaces:  # all were deselected
        return _reviewed(game, player)

    def laid(kept: Document) -> Document:
        for place in places:
            kept = game_document.with_piece(kept, player, place, piece or None, profile.board)
        return kept

    return _reviewed(steps.changed(game_id, "star", laid), player)


@blueprint.post("/tracks/<track>")
@changes(Right.TABLE)
def count(game_id: str, player: int, track: str) -> ResponseReturnValue:
    """Set the count of a track, or of a kind, `star`, in a region.

    Fields named `answer...` are the counts of several kinds, as a reading's candidates: "2 red".
    """
    game = steps.opened(game_id)
    steps.owner(game, player)
    profile, form = current_profile(), request.form
    answers = [text.partition(" ") for name, text in form.items() if name.startswith("answer")]
    sent = answers or [(form.get("count", ""), "", form.get("star", ""))]
    if Place(track, "region") in profile.places:
        admitted = profile.game.admits(Place(track, "region"))
        most = {one.id: one.supply for one in profile.game.pieces if one.id in admitted}
    else:
        most = {"": len(profile.tracks.get(track, ()))}
    if not all(
        re.fullmatch("[0-9]{1,3}", number) and int(number) <= most.get(kind, 0) > 0
        for number, _space, kind in sent
    ):
        abort(422, "no such number of pieces")
    asked = reviewing.of(services(), game, player).questions if answers else ()
    doubtful = {kind for one in asked if one.place == track for kind in one.counts}
    if not doubtful <= {kind for _number, _space, kind in sent}:
        abort(422, "a doubtful kind without a number")

    def counted(kept: Document) -> Document:
        for number, _space, kind in sent:
            kept = game_document.with_count(kept, player, track, int(number), profile.board, kind)
        return kept

    return _reviewed(steps.changed(game_id, track, counted), player)


@blueprint.post("/review/undo")
@changes(Right.TABLE, Seen.REVISION)
def undo(game_id: str, player: int) -> ResponseReturnValue:
    """Undo the last correction that the page shows."""
    return _moved(game_id, player, services().games.undo)


@blueprint.post("/review/redo")
@changes(Right.TABLE, Seen.REVISION)
def redo(game_id: str, player: int) -> ResponseReturnValue:
    """Redo the last undone correction."""
    return _moved(game_id, player, services().games.redo)


def _moved(game_id: str, player: int, move: Callable[..., SavedGame]) -> ResponseReturnValue:
    return _reviewed(move(game_id, browser(), seen_revision()), player)


@blueprint.post("/review")
@changes(Right.TABLE, Seen.STEP)
def confirm(game_id: str, player: int) -> ResponseReturnValue:
    """Confirm the board, and the others that the page showed with it as clear."""
    game = steps.opened(game_id)
    steps.owner(game, player)
    if _is_being_read(game, player):
        return redirect(url_for("photographs.show", game_id=game_id), 303)
    is_empty = not game_document.has_pieces(game.document, player)
    if is_empty and not _is_photographed(game, player) and "empty" not in request.form:
        return hand_page(game, player, asks_whether_empty=True), 422
    together = {
        int(seat) for seat in request.form.get("together", "").split(",") if seat.isdecimal()
    }
    also = sorted(together - {player})
    if also and not set(also).issubset(reviewing.clear_others(services(), game, player)):
        raise steps.StaleConfirmationError(game_id, flow.Step(flow.REVIEW, player))
    seats = (player, *also)

    def confirmed(kept: Document) -> Document:
        for seat in seats:
            kept = game_document.with_board_confirmed(kept, seat)
        return services().snapshot_readings.fuse_readings(game_id, kept, services().boards.of(kept))

    step, *others = (flow.Step(flow.REVIEW, seat) for seat in seats)
    game = steps.confirm(game_id, step, confirmed, also=others)
    for seat in seats:
        reviewing.learn(services(), game, seat)
        if preferences.keeps_examples():
            examples.keep(services(), game, seat)
    return steps.redirect_to_next(game)


@blueprint.post("/give-back")
@changes(Right.SEAT_OR_HOST)
def give_back(game_id: str, player: int) -> ResponseReturnValue:
    """Give a seat back: its card is deleted, and whoever holds it can enter it again."""
    steps.seat(steps.opened(game_id), player)
    services().games.give_back(game_id, player, browser(), serves())
    if wants_json():
        return "", 204
    game = steps.opened(game_id)
    asked = (one for one in flow.steps(game.document) if one.player == player)
    step = next((one for one in asked if one.name != flow.REVIEW), None)
    if step is None:  # a game without secret cards
        return redirect(url_for("games.resume", game_id=game_id), 303)
    return redirect(steps.url_of(game, step), 303)


def _reviewed(game: SavedGame, player: int) -> ResponseReturnValue:
    if not wants_json():
        return steps.redirect_back(game.id, url_for(".review", game_id=game.id, player=player))
    if _is_by_hand(game, player):
        return render_template("_hand.html", **_context(game, player), **_to_enter(game))
    return render_template("_reviewed.html", **_context(game, player))


def _is_being_read(game: SavedGame, player: int) -> bool:
    return player in reviewing.being_read(game.document, services().photographs.of(game.id))


def _is_by_hand(game: SavedGame, player: int) -> bool:
    followed = is_followed(game.document, player)
    return not followed and not _is_photographed(game, player)


def _is_photographed(game: SavedGame, player: int) -> bool:
    board = steps.owner(game, player)["board"]
    return board is not None and board["photograph"] is not None


def _in_play(game: SavedGame) -> Sequence[str]:
    return pages_of(game.document["game"]).pieces_in_play(game.document)


def _instead(game: SavedGame, question: Question) -> Sequence[str]:
    """Return the pieces besides the likely ones that may lie on all places of a question."""
    played = current_profile().game
    admitted = [played.admits(one.at) for one in question.each if one.at is not None]
    return [
        piece
        for piece in _in_play(game)
        if piece not in question.candidates and all(piece in one for one in admitted)
    ]


def _to_enter(game: SavedGame) -> dict[str, object]:
    """Return the template values for entry by hand: pieces with shortcuts, undo and redo."""
    profile, pieces = current_profile(), _in_play(game)
    keys = letter_keys([piece_name(piece) for piece in pieces])
    entered = {"star", *profile.tracks, *(at.id for at in profile.places if at.kind == "region")}
    return {
        "counted": all(place.kind == "region" for place in profile.places),
        "paints": [{"id": piece, "key": key} for piece, key in zip(pieces, keys, strict=True)],
        "undoes": game.undo in entered,
        "redoes": game.redo in entered,
    }


def _refused(game: SavedGame, player: int, question: Question) -> dict[str, str]:
    """Return why the rules forbid the pieces that a question offers."""
    profile = services().boards.of(game.document, player)
    if question.place not in profile.board.spaces:
        return {}
    pieces = game_document.pieces_of(game.document, player, profile.board)
    why = refused_at(profile, pieces, question.place)
    reasons = {piece: why.get(piece) or why.get(OF_PLACE) for piece in question.candidates if piece}
    return {piece: reason for piece, reason in reasons.items() if reason}


def _context(game: SavedGame, player: int) -> dict[str, object]:
    steps.owner(game, player)
    review = reviewing.of(services(), game, player)
    alone = request.args.get("alone")
    others = (
        reviewing.clear_others(services(), game, player) if review.is_clear and not alone else {}
    )
    asked = review.number(request.args.get("ask", type=int))
    return {
        "game": game,
        "step": flow.Step("review", player),
        "player": player,
        "owner": owner_of(game.document, player),
        "owners": owners_of(game.document),
        "review": review,
        "photo_drawing": board_drawing.draw(review.photographed or current_profile()),
        "alone": alone,
        "twins": reviewing.similar_boards(game.document, current_profile().board),
        "together": dict(sorted({player: review, **others}.items())) if others else {},
        "asked": asked,
        "refused": {} if asked is None else _refused(game, player, review.questions[asked]),
        "palette": _in_play(game),
        "instead": [] if asked is None else _instead(game, review.questions[asked]),
        "in_play": {*pages_of(game.document["game"]).piece_roles(game.document).values()},
    }
