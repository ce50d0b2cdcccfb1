"""A game in the history: its picture and note, and a rematch."""

from contextlib import suppress
from functools import lru_cache

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.datafile import LARGEST_FILE, DataFileError
from webapp.app.boards import board_drawing
from webapp.app.guide.service import AlreadyBegunError
from webapp.app.history.results import Result
from webapp.app.languages import language
from webapp.app.session import flow, game_document, game_import
from webapp.app.session.board_slots import board_shown, has_moments, owners
from webapp.app.session.game_document import Document
from webapp.app.session.names import note as tidy_note
from webapp.app.session.saved_games import GAME_BYTES, SavedGame
from webapp.server.guard import browser
from webapp.web.changes import Right, changes
from webapp.web.context import current_profile, guide_service, services
from webapp.web.failures import wants_json
from webapp.web.membership import join
from webapp.web.pages import guide, guide_screen, steps
from webapp.web.pages.games import chosen_id
from webapp.web.pages.owners import Owner, owners_of
from webapp.web.score_picture.board_picture import board_png

blueprint = Blueprint("history", __name__, url_prefix="/games")

PICTURE_WIDTH = 220


@blueprint.get("/<game_id>/about")
def about(game_id: str) -> ResponseReturnValue:
    """Show a game, finished or not: boards, photographs and note."""
    return _about(services().games.open(game_id))


def _about(game: SavedGame, unkept: str | None = None) -> ResponseReturnValue:
    services().history.look()
    page = render_template(
        "about.html",
        game=game,
        result=services().history.results.of([game.id]).get(game.id),
        next=flow.next_step(game.document),
        photographed=photographed(game),
        unkept=unkept,
    )
    return page, 200 if unkept is None else 409


def photographed(game: SavedGame) -> list[tuple[Owner, str, int]]:
    """Return the boards seen in photographs: owner, photograph id and index."""
    of_owners = [(owner, owner.board) for owner in owners_of(game.document)]
    known = {one.id for one in services().photographs.of(game.id) if one.has_boards}
    return [
        (owner, board["photograph"], board["index"])
        for owner, board in of_owners
        if board and board["photograph"] in known
    ]


@blueprint.post("/<game_id>/note")
@changes(Right.TABLE)
def note(game_id: str) -> ResponseReturnValue:
    """Save the note, unless somebody else has changed it meanwhile."""
    written, was = (tidy_note(request.form.get(key, "")) for key in ("note", "was"))
    kept: list[str] = []

    def change(document: Document) -> Document:
        there = document.get(game_document.NOTE, "")
        kept[:] = [there]
        is_same = there in (was, written)
        return game_document.with_note(document, written) if is_same else document

    services().games.amend(game_id, change)
    if kept and kept[-1] not in (was, written):
        if wants_json():
            message = _("Somebody else has written: “%(note)s”", note=kept[-1])
            return jsonify(message=message), 409
        return _about(services().games.open(game_id), written)
    flash(_("The note is kept."))
    return redirect(_back(game_id), 303)


def _back(game_id: str) -> str:
    """Return the page with a note that the form came from."""
    score = url_for("score.leaderboard", game_id=game_id)
    return score if request.form.get("back") == score else url_for(".about", game_id=game_id)


@blueprint.post("/<game_id>/rematch")
@changes(Right.TABLE)
def rematch(game_id: str) -> ResponseReturnValue:
    """Begin another game with the same players, board and edition, guided like the last one."""
    last = services().games.open(game_id)
    before = last.document
    services().storage.take(GAME_BYTES)
    players = [(player["name"], player["marker"]) for player in before["players"]]
    board = services().boards.current_name(before)
    begun = game_document.new_game(players, before.get("mode", ""), before["game"], board)
    kept = {key: before[key] for key in ("edition",) if key in before}
    if before.get(flow.GUIDED):
        kept |= {flow.LIVE: True, flow.GUIDED: True}
    game = services().games.create({**begun, **kept}, browser(), chosen_id())
    join(game.id)
    history = guide_service().history(last) if flow.is_guided(game.document) else None
    if history is None:
        return steps.redirect_to_next(game)
    draws, computers = history.set_up["draws"], history.set_up["computers"]
    after = flow.next_step(game.document)
    if draws == "hand" or after.name != flow.LIVE:  # the table may be set up first
        by = ",".join(one or guide_screen.PERSON for one in computers)
        return redirect(steps.url_of(game, after, draft=f"{draws}:{by}"), 303)
    with suppress(AlreadyBegunError):  # tapped twice
        guide_service().begin(game.id, computers, draws, language())
        guide.sit_alone(game.id, computers)
    return redirect(url_for("guide.show", game_id=game.id), 303)


@blueprint.route("/import", methods=["GET", "POST"])
@changes(Right.ANYBODY)
def take_in() -> ResponseReturnValue:
    """Import an exported game file."""
    if request.method == "GET":
        return render_template("import.html", problems=())
    file = request.files.get("game")
    raw = file.stream.read(LARGEST_FILE + 1) if file else b""
    try:
        if not raw:
            raise DataFileError(())
        is_json = str(file and file.filename).lower().endswith(".json")
        document = game_import.game_file_document(raw, is_json, services().boards)
    except DataFileError as error:
        problems = list(error.problems)
        if not any(key for key, _reason in problems):  # it is no game file at all
            problems.insert(0, ("", _("Choose a game file, one that was exported here.")))
        return render_template("import.html", problems=problems), 422
    services().storage.take(GAME_BYTES)
    game = services().games.create(document, browser())
    join(game.id)
    flash(_("The game was imported."))
    return steps.redirect_to_next(game)


@blueprint.get("/<game_id>/board.png")
def picture(game_id: str) -> ResponseReturnValue:
    """Return a small picture of the winner's board, or of the first known one."""
    game = services().games.open(game_id)
    result = services().history.results.of([game_id]).get(game_id)
    png = _picture(game_id, game.changed_at.isoformat(), _board_shown(game, result))
    response = Response(png, mimetype="image/png")
    # The URL identifies the state of the game.
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


def _board_shown(game: SavedGame, result: Result | None) -> int:
    if result is not None and result.endings:
        return board_shown(game.document, result.endings[0].seat)
    boards = [number for number, own in enumerate(owners(game.document)) if own["board"]]
    if not boards:
        abort(404)
    return boards[-1] if has_moments(game.document) else boards[0]


@lru_cache(256)
def _picture(game_id: str, _changed: str, board: int) -> bytes:
    profile = current_profile()
    document = services().games.open(game_id).document
    pieces = game_document.pieces_of(document, board, profile.board)
    return board_png(board_drawing.draw(profile), pieces, PICTURE_WIDTH)
