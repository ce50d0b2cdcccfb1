"""Photographs: taking and choosing them, their progress, and assigning them to players."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from flask import Blueprint, abort, jsonify, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.board_state import BoardState
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.reading.photographs import NoSuchPhotographError, Photograph, WaitingSeats
from webapp.app.reading.uploads import UnwantedPictureError, arriving
from webapp.app.session import board_order, flow, game_document, reviewing, scoring
from webapp.app.session.board_slots import KIND, has_moments, is_shared, owner, owners, with_owner
from webapp.app.session.game_document import Document
from webapp.app.session.photographed_boards import (
    PhotographedBoard,
    swap_board,
    with_assigned,
    with_board,
)
from webapp.app.session.saved_games import ChangedMeanwhileError, SavedGame
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile, live_service, services
from webapp.web.failures import wants_json
from webapp.web.pages import stars, steps
from webapp.web.pages.earlier import REPLACED
from webapp.web.pages.owners import owners_of
from webapp.web.words import board_title

blueprint = Blueprint("photographs", __name__, url_prefix="/games/<game_id>/photographs")

STEP = flow.Step("photographs")


MOST_WAITING = 3
"""The most photographs of one board waiting to be read; the last one counts."""


UNUSABLE = frozenset({"unknown", "pixels", "bytes"})
"""Why a file is rejected that would be rejected again, however it arrives."""


class UnassignedPhotographError(Exception):
    """The photograph could not be assigned to anybody; str() says why."""


@blueprint.get("")
def show(game_id: str, problem: str | None = None) -> str:
    """Show each player with their photograph, and the progress of reading."""
    context = _context(game_id)
    board = services().boards.name_of(context["game"].document)
    return render_template("photographs.html", problem=problem, **context, **stars.of_board(board))


@blueprint.get("/list")
def listed(game_id: str) -> ResponseReturnValue:
    """Return the fragment of the page that changes while photographs are read."""
    return render_template("_photographs.html", **_context(game_id))


@blueprint.post("")
@changes(Right.TABLE)
def add(game_id: str) -> ResponseReturnValue:
    """Store photographs and queue them for reading."""
    document = services().games.open(game_id).document  # raises if it is gone
    services().photographs.make_sure_of(game_id, 1, request.content_length or 0)
    files = [file for file in request.files.getlist("photo") if file.filename]
    problem: str | Exception | None = None
    delivery = steps.delivery()
    known = services().photographs.arrived(game_id, delivery) if delivery else None
    if known:
        files = []
        _begin(known, "whole" in request.form)
    elif not files:
        problem = _("Choose a photograph.")
    services().storage.take(request.content_length or 0)
    services().photographs.make_sure_of(game_id, len(files))
    asked = request.form.get("player", type=int)
    if files and "whole" in request.form:
        return _add_whole(game_id, files[0].stream, delivery)
    if (
        asked is not None and board_order.mark_order_confirmed(document) != document
    ):  # they say which snapshot it is
        steps.changed(game_id, "photograph", board_order.mark_order_confirmed)
    for file in files:
        problem = problem or _take(game_id, file.stream, asked, delivery)
        asked = delivery = None  # only single photographs have a delivery id
    return _added(game_id, problem, url_for(".show", game_id=game_id))


def _add_whole(game_id: str, stream: IO[bytes], delivery: str | None) -> ResponseReturnValue:
    """Store a photograph of the whole table, which is also read for cards."""
    document = services().games.open(game_id).document
    anybody = None if game_document.free_seats(document, ()) else 0
    problem = _take(game_id, stream, anybody, delivery, whole=True)
    return _added(game_id, problem, url_for("whole_table.show", game_id=game_id))


def _added(game_id: str, problem: str | Exception | None, onward: str) -> ResponseReturnValue:
    """Redirect, or report a problem; to scripts with 415 for a file that can never be read."""
    live_service().notifier.notify(game_id)  # for everybody who sees the list
    if problem is None:
        return (jsonify(message=None), 201) if wants_json() else redirect(onward, 303)
    if not wants_json():
        return show(game_id, str(problem)), 422
    is_final = isinstance(problem, UnwantedPictureError) and problem.reason in UNUSABLE
    return jsonify(message=str(problem)), 415 if is_final else 422


def _take(
    game_id: str, stream: IO[bytes], asked: int | None, delivery: str | None, whole: bool = False
) -> Exception | None:
    """Store and queue a file for the seat `asked`; return what is wrong with it, if anything.

    `whole`: it shows the whole table. A photograph that nobody needs is refused before it is
    checked, and again when it is stored.
    """
    try:
        _owner(game_id, asked, services().photographs.waiting_seats(game_id))
        with arriving(stream, services().settings) as picture:
            photograph = services().photographs.add(
                game_id, picture, lambda waiting: _owner(game_id, asked, waiting), delivery
            )
    except (UnwantedPictureError, UnassignedPhotographError) as error:
        return error
    _begin(photograph, whole)
    return None


def _begin(photograph: Photograph, whole: bool) -> None:
    """Queue a stored photograph; one of the `whole` table is read for cards, too.

    Repeated deliveries are not processed again.
    """
    if photograph.state != "waiting":
        return
    if whole:
        key = {game_document.TABLE_PHOTOGRAPH: photograph.id}
        services().games.change(photograph.game_id, "photograph", lambda kept: {**kept, **key})
    services().reading_queue.add_once(photograph, request.remote_addr or "")


def _owner(game_id: str, asked: int | None, waiting: WaitingSeats) -> int | None:
    """Return the seat of a photograph: the one asked for, else the first without a board.

    None if there are more photographs than seats: it replaces one that cannot be read. Raises
    UnassignedPhotographError if no board can remain for it.
    """
    document = services().games.open(game_id).document
    if asked is not None and asked in range(len(owners(document))):
        if waiting.count(asked) >= MOST_WAITING:
            raise UnassignedPhotographError(
                _("Photographs of this board wait to be read. Send another one after that.")
            )
        return asked
    free = game_document.free_seats(document, waiting)
    if free:
        return free[0]
    if not waiting:
        raise UnassignedPhotographError(
            _("Every player has a board. Choose whose photograph to take again.")
        )
    if 2 * waiting.count(None) >= len(waiting):
        raise UnassignedPhotographError(
            _("There are enough photographs for every board. Wait until they are read.")
        )
    return None


@blueprint.post("/done")
@changes(Right.TABLE, Seen.STEP)
def done(game_id: str) -> ResponseReturnValue:
    """Continue to the review once every player has a board."""
    game = services().games.open(game_id)
    if not game_document.has_all_boards(game.document):
        return show(game_id, _("Each board needs a photograph, or to be entered by hand.")), 422
    if game_document.offers(game.document):
        return show(game_id, _("Choose first which of the two boards counts.")), 422
    if reviewing.being_read(game.document, services().photographs.of(game_id)):
        return show(game_id, _("A photograph is still being read. Wait a moment.")), 422
    return steps.redirect_to_next(steps.confirm(game_id, STEP))


@blueprint.post("/players/<int:player>/hand")
@changes(Right.TABLE)
def by_hand(game_id: str, player: int) -> ResponseReturnValue:
    """Start entry of a player's board by hand, and open its page."""
    steps.owner(services().games.open(game_id), player)
    settled, instead = _last(game_id), "instead" in request.form
    steps.changed(
        game_id, "hand", lambda kept: game_document.with_hand_entry(kept, player, settled, instead)
    )
    return redirect(url_for("boards.review", game_id=game_id, player=player), 303)


def _last(game_id: str) -> str | None:
    """Return the id of a game's last photograph, None if there is none."""
    of_game = services().photographs.of(game_id)
    return of_game[-1].id if of_game else None


@blueprint.post("/players/<int:player>/board")
@changes(Right.TABLE, Seen.REVISION)
def choose_board(game_id: str, player: int) -> ResponseReturnValue:
    """Assign one of the photographed boards to a player."""
    game = services().games.open(game_id)
    steps.owner(game, player)
    photograph_id, _dot, index = request.form.get("board", "").partition(".")
    photograph = services().photographs.get(game_id, photograph_id)
    number = int(index) if re.fullmatch("[0-9]{1,3}", index) else len(photograph.boards)
    board = PhotographedBoard(photograph_id, number, photograph.board(number))
    if board.read["profile"] not in services().boards.folders_for(game.document):
        abort(422, "this board is another edition's")
    kind = owners(game.document)[player].get(KIND)
    if kind not in (None, services().boards.kind_shown(board.read["profile"], game.document)):
        abort(422, "this board is of another kind")

    def changed(kept: Document) -> Document:
        return with_assigned(swap_board(kept, player, board), player)

    steps.changed(game_id, "photograph", changed)
    return steps.redirect_back(game_id, url_for(".show", game_id=game_id))


@blueprint.post("/players/<int:player>/swap")
@changes(Right.TABLE, Seen.REVISION)
def swap(game_id: str, player: int) -> ResponseReturnValue:
    """Swap two players' boards, as they were when the page was drawn."""
    game = services().games.open(game_id)
    steps.owner(game, player)
    other = request.form.get("other", -1, type=int)
    seats = owners(game.document)
    if not 0 <= other < len(seats) or other == player:
        abort(422, "no such player")
    if seats[player].get(KIND) != seats[other].get(KIND):
        abort(422, "these boards are of two kinds")

    def changed(kept: Document) -> Document:
        exchanged = game_document.exchange_boards(kept, player, other)
        return with_assigned(exchanged, player, other)

    _arrange(game_id, changed)
    return steps.redirect_back(game_id, url_for(".show", game_id=game_id))


def _arrange(game_id: str, change: Callable[[Document], Document]) -> None:
    """Reorder boards as a person says; a shared table is then classified again."""

    def changed(kept: Document) -> Document:
        ordered = board_order.mark_order_confirmed(change(kept))
        return services().snapshot_readings.fuse_readings(game_id, ordered, current_profile())

    steps.changed(game_id, "swap", changed)


@blueprint.post("/order")
@changes(Right.TABLE, Seen.REVISION)
def reorder(game_id: str) -> ResponseReturnValue:
    """Reorder the snapshots of a shared table, as they were when the page was drawn."""
    game = services().games.open(game_id)
    wanted = request.form.get("order", "").split(",")
    order = [int(number) for number in wanted if re.fullmatch("[0-9]{1,3}", number)]
    if not has_moments(game.document) or sorted(order) != [*range(len(owners(game.document)))]:
        abort(422, "no such order")
    _arrange(game_id, lambda kept: game_document.rearranged(kept, order))
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/players/<int:player>/offered")
@changes(Right.TABLE)
def answer_offer(game_id: str, player: int) -> ResponseReturnValue:
    """Accept or decline the board that is offered to a player."""
    source = steps.owner(services().games.open(game_id), player).get("offered")
    if source is None or request.form.get("offered") != f"{source['photograph']}.{source['index']}":
        raise ChangedMeanwhileError(game_id)  # already answered on another phone
    taken = request.form.get("take") == "yes"
    if not taken:
        steps.changed(game_id, "offer", lambda kept: with_owner(kept, player, offered=None))
        return redirect(url_for(".show", game_id=game_id), 303)
    read = services().photographs.get(game_id, source["photograph"]).board(source["index"])
    board = PhotographedBoard(source["photograph"], source["index"], read)

    def take(kept: Mapping[str, Any]) -> Mapping[str, Any]:
        if owner(kept, player).get("offered") != source:
            return kept
        given = with_board(kept, player, board)
        return services().snapshot_readings.fuse_readings(game_id, given, current_profile())

    steps.changed(game_id, REPLACED, take)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/<photograph_id>/again")
@changes(Right.TABLE)
def read_again(game_id: str, photograph_id: str) -> ResponseReturnValue:
    """Read a failed photograph again: its board may have been added since."""
    photograph = services().photographs.get(game_id, photograph_id)
    if photograph.state == "failed":
        again = services().photographs.read_again(photograph)
        services().reading_queue.add(again, request.remote_addr or "")
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/<photograph_id>/remove")
@changes(Right.TABLE)
def remove(game_id: str, photograph_id: str) -> ResponseReturnValue:
    """Delete a failed photograph, and the same player's earlier failed ones.

    Photographs that were read stay.
    """
    photograph = services().photographs.get(game_id, photograph_id)
    kept = services().photographs.of(game_id)
    for before in kept[: [one.id for one in kept].index(photograph_id) + 1]:
        if before.state == photograph.state == "failed" and before.player == photograph.player:
            services().photographs.remove(game_id, before.id)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.post("/unused/remove")
@changes(Right.TABLE)
def remove_unused(game_id: str) -> ResponseReturnValue:
    """Delete the photographs that no player's board comes from, except unread ones."""
    kept = services().photographs
    read = [photograph for photograph in kept.of(game_id) if photograph.state != "waiting"]
    players = owners(services().games.open(game_id).document)
    sources = [source for own in players for source in (own["board"], own.get("offered"))]
    used = {source["photograph"] for source in sources if source}
    for photograph in read:
        if photograph.id not in used:
            kept.remove(game_id, photograph.id)
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.get("/<photograph_id>.jpg")
def preview(game_id: str, photograph_id: str) -> ResponseReturnValue:
    photograph = services().photographs.get(game_id, photograph_id)
    return _picture(services().photographs.preview_path(photograph))


@blueprint.get("/<photograph_id>/boards/<int:board>.jpg")
def board_picture(game_id: str, photograph_id: str, board: int) -> ResponseReturnValue:
    photograph = services().photographs.get(game_id, photograph_id)
    photograph.board(board)
    return _picture(services().photographs.board_path(photograph, board))


def _picture(path: Path) -> ResponseReturnValue:
    if not path.is_file():
        raise NoSuchPhotographError
    response = send_file(path, mimetype="image/jpeg", conditional=True)
    response.headers["Cache-Control"] = "private, max-age=86400, immutable"
    return response


def _failed(
    photographs: Sequence[Photograph], seat: int, player: Mapping[str, Any]
) -> Photograph | None:
    """Return a seat's last photograph if it failed and nothing has settled it since."""
    settled = {player.get("settled"), (player["board"] or {}).get("photograph")}
    since = max((at for at, taken in enumerate(photographs, 1) if taken.id in settled), default=0)
    failed = [
        taken for taken in photographs[since:] if taken.player == seat and taken.state == "failed"
    ]
    return failed[-1] if failed else None


def _waiting(
    photographs: Sequence[Photograph], seat: int, player: Mapping[str, Any]
) -> list[Photograph]:
    """Return a seat's waiting photographs: taken for it, or the source of its board."""
    source = (player["board"] or {}).get("photograph")
    return [
        taken
        for taken in photographs
        if taken.state == "waiting" and (taken.player == seat or taken.id == source)
    ]


def _offered(
    photographs: Sequence[Photograph], player: Mapping[str, Any]
) -> tuple[str, DrawnPieces | None]:
    """Return the form value of the board offered to a player, and its pieces.

    The pieces are None until the photograph is recorded as read, or if it is gone.
    """
    photograph, index = player["offered"]["photograph"], player["offered"]["index"]
    for taken in photographs:
        if taken.id == photograph and index < len(taken.boards):
            pieces = BoardState.from_data(taken.board(index), current_profile().game).pieces
            return f"{photograph}.{index}", DrawnPieces.of(pieces)
    return f"{photograph}.{index}", None


ALONE = 0.2
"""The fraction of a photograph above which a single board was meant to be the only one."""


def _lacking(photographs: Sequence[Photograph], document: Mapping[str, Any]) -> list[Photograph]:
    """Return photographs with fewer boards than may have been meant, while players lack boards."""
    players = owners(document)
    if is_shared(document) or all(player["board"] for player in players):
        return []
    return [
        taken
        for taken in photographs
        if taken.reading
        and (1 if _leaves_room(taken.reading) else 2) <= len(taken.boards) < len(players)
    ]


def _leaves_room(reading: Mapping[str, Any]) -> bool:
    """Whether the boards of a photograph are so small in it that more were probably meant."""
    width, height = reading["size"]
    return all(_area(board["corners"]) < ALONE * width * height for board in reading["boards"])


def _area(corners: Sequence[tuple[float, float]]) -> float:
    sides = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in sides)) / 2


def _other_boards(
    photographs: Sequence[Photograph], document: Mapping[str, Any]
) -> dict[str, object]:
    """Return the profile folders of the game's boards, and titles of other boards found.

    `played_on` is the title of the game's own board, `looks_like` those of boards that look the
    same.
    """
    boards = services().boards
    folders = boards.folders_for(document)
    read = {board["profile"] for taken in photographs for board in taken.boards}
    others = [boards.in_folder(folder, document) for folder in sorted(read - folders)]
    return {
        "folders": folders,
        "left_out": [board_title(profile.title) for profile in others if profile is not None],
        "played_on": board_title(current_profile().title),
        "looks_like": [board_title(profile.title) for profile in boards.lookalikes(document)]
        if read
        else [],
    }


def _context(game_id: str) -> dict[str, Any]:
    # The photographs first: those recorded as read have already been assigned in the game.
    photographs = services().photographs.of(game_id)
    return context_of(steps.opened(game_id), photographs)


def context_of(game: SavedGame, photographs: Sequence[Photograph]) -> dict[str, Any]:
    """Return the values of the page of a game and its photographs."""
    seats = range(len(owners(game.document)))
    return {
        "game": game,
        "step": STEP,
        "drawn_pieces": scoring.all_drawn_pieces(game.document, current_profile().board),
        "photographs": photographs,
        "failed": [
            _failed(photographs, seat, player) for seat, player in enumerate(owners(game.document))
        ],
        "pictured": {
            taken.id
            for taken in photographs
            if services().photographs.preview_path(taken).is_file()
        },
        "unseated": [taken for taken in photographs if taken.player is None],
        "full": bool(photographs) and services().photographs.is_full(game.id),
        "places": services().reading_queue.places(),
        "waiting": [
            _waiting(photographs, seat, player) for seat, player in enumerate(owners(game.document))
        ],
        "no_room": services().reading_queue.waits_for_room,
        "busy": any(photograph.state == "waiting" for photograph in photographs),
        "has_board": [game_document.has_board(game.document, seat) for seat in seats],
        "boardless": [
            owner.name
            for seat, owner in enumerate(owners_of(game.document))
            if not game_document.has_board(game.document, seat)
        ],
        "offered": {
            seat: _offered(photographs, owners(game.document)[seat])
            for seat in game_document.offers(game.document)
        },
        "lacking": _lacking(photographs, game.document),
        "doubt": board_order.doubt(
            services().snapshot_readings.readings_alone(game.id, game.document, current_profile()),
            current_profile().board,
        ),
        "put_in_order": game.document.get(game_document.ORDER) == board_order.FOUND,
        **_other_boards(photographs, game.document),
        "ready": game_document.has_all_boards(game.document)
        and not game_document.offers(game.document)
        and not reviewing.being_read(game.document, photographs),
    }
