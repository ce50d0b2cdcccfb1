"""The cameras of a live game: browsers' frames, this computer's sources, and recordings."""

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp.app.live import recording
from webapp.app.live.log import Camera
from webapp.app.live.projection import BusyError
from webapp.app.live.reducer import BoardKey, LiveTable, Rules
from webapp.app.live.supervisor import MOST_WORKERS, TooManyAtThisGameError, TooManyCamerasError
from webapp.app.reading.card_jobs import find_held
from webapp.app.session.saved_games import SavedGame
from webapp.server.guard import is_local
from webapp.web import live_messages
from webapp.web.changes import Right, changes
from webapp.web.context import live_service, services
from webapp.web.failures import wants_json
from webapp.web.pages import live_taps, personal, steps
from webapp.web.pages.sent_photograph import UnreadPhotographError, read_sent
from webapp.web.words import board_title

blueprint = Blueprint("live_cameras", __name__, url_prefix="/games/<game_id>/live")

LARGEST_FRAME = 4 * 1024 * 1024
LARGEST_RECORDING = 4 * 1024 * 1024
_recognising = BoundedSemaphore()
"""Held during card recognition, as pictures keep coming while a dialog is open."""
SPEEDS = {"1": 1.0, "4": 4.0, "16": 16.0, "all": None}
STREAM = re.compile(r"(?:rtsps?|https?)://[^\s/]+\S*", re.IGNORECASE)


@blueprint.get("/cameras")
def cameras(
    game_id: str, errors: Mapping[str, str] | None = None, code: int = 200
) -> ResponseReturnValue:
    """Show the cameras and their status, and choose more."""
    if errors and wants_json():
        return jsonify(error=code, message=" ".join(errors.values())), code
    game = services().games.open(game_id)
    context = camera_context(game, errors=errors)
    return render_template("live_cameras.html", game=game, **context), code


@blueprint.get("/cameras/list")
def listed(game_id: str) -> ResponseReturnValue:
    """Return the fragment of the page that changes."""
    game = services().games.open(game_id)
    return render_template("_live_cameras.html", game=game, **camera_context(game))


@blueprint.get("/cameras/picture")
def picture(game_id: str) -> ResponseReturnValue:
    """Return a camera's current picture with the outlines of its boards."""
    game = services().games.open(game_id)
    return _picture(live_service().workers.picture(game.id, request.args.get("name", "")))


@blueprint.get("/cameras/close-up")
def close_up(game_id: str) -> ResponseReturnValue:
    """Return the picture of a doubtful region from when the question arose."""
    game = services().games.open(game_id)
    at = live_taps.board(game), request.args.get("region", "")
    doubt = live_service().table(game).doubts.get(at)
    if doubt is None:
        return "", 404
    return _picture(live_service().close_ups.get((game.id, *doubt.seen_by, at[1])))


def _picture(jpeg: bytes | None) -> ResponseReturnValue:
    if jpeg is None:
        return "", 404
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/frames")
@changes(Right.TABLE)
def frame(game_id: str) -> ResponseReturnValue:
    """Receive a frame of a browser's camera; respond when the worker can take the next.

    Returns 202 if accepted, 200 if skipped, and the browser sends another soon: the worker is still
    starting or slow, or another frame of this camera is waiting. This is normal on a busy computer.
    """
    name = request.args.get("camera", "")
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name):
        abort(422, "no such name of a camera")
    if (request.content_length or 0) > LARGEST_FRAME:
        abort(413)
    game = services().games.open(game_id)
    try:
        worker = live_service().workers.start(Camera(game.id, f"camera-{name}"[:40], ""))
        live_service().follow(game)
    except TooManyCamerasError as error:
        return jsonify(error=409, message=_too_many(error)), 409
    taken = worker.push(request.get_data())
    status = worker.status
    seats: Mapping[BoardKey, int | None] = {}
    if status.boards:
        with suppress(BusyError):  # a later response has the seats
            seats = live_service().table(game).boards
    answer = {
        "state": status.state,
        "boards": [
            {**board, "seat": seats.get((status.camera.name, board["board"]))}
            for board in status.boards
        ],
        "said": live_messages.format_status(status),
    }
    return jsonify(answer), 202 if taken else 200


@blueprint.post("/held")
@changes(Right.SEAT)
def held(game_id: str) -> ResponseReturnValue:
    """Return the secret card held up to a camera if it is certain; nothing is stored."""
    if (request.content_length or 0) > LARGEST_FRAME:
        abort(413)
    game = services().games.open(game_id)
    live_taps.seat(game)
    known = personal.known(game)
    if not known:
        abort(404)
    if not _recognising.acquire(blocking=False):
        return jsonify(card=None)  # the page sends another picture soon
    try:
        cards = read_sent(find_held, services().boards.name_of(game.document), [*known])
    except UnreadPhotographError as error:
        return jsonify(message=str(error)), 422
    finally:
        _recognising.release()
    return jsonify(card=cards.pop() if len(cards) == 1 else None)


@blueprint.post("/sources")
@changes(Right.HOST)
def start(game_id: str) -> ResponseReturnValue:
    """Watch a camera of this computer, a stream or a video file."""
    game = services().games.open(game_id)
    address = request.form.get("address", "").strip()
    problem = _problem(address)
    if problem is None:
        try:
            live_service().workers.start(
                Camera(game.id, live_service().log.addresses.name(address), address)
            )
            live_service().follow(game)
        except TooManyCamerasError as error:
            problem = _too_many(error)
    if problem is not None:
        return cameras(game_id, {"address": problem}, 422)
    return _done(game_id)


def _too_many(error: TooManyCamerasError) -> str:
    if isinstance(error, TooManyAtThisGameError):
        return _("Four cameras are already watching this game.")
    return _(
        "%(count)s cameras are already in use, here and at other games: stop one of them first.",
        count=MOST_WORKERS,
    )


def _problem(address: str) -> str | None:
    """Return what is wrong with a source's address, None if it is valid."""
    if not address:
        return _("Enter a camera's number, a stream's address, or a video file.")
    if len(address) > 500:
        return _("This address is too long.")
    if address.isdecimal() and len(address) < 4:
        return None
    if "://" in address:
        return None if STREAM.fullmatch(address) else _("A stream begins with rtsp:// or http://.")
    try:
        there = Path(address).is_file()
    except OSError:  # longer than any file name
        there = False
    return None if there else _("There is no such file on this computer.")


@blueprint.post("/sources/stop")
@changes(Right.TABLE)
def stop(game_id: str) -> ResponseReturnValue:
    services().games.open(game_id)
    live_service().workers.stop(game_id, request.form.get("name", ""))
    return _done(game_id)


@blueprint.post("/replay")
@changes(Right.TABLE)
def replay(game_id: str) -> ResponseReturnValue:
    """Replay a recording at the chosen speed."""
    game = services().games.open(game_id)
    file, speed = request.files.get("recording"), request.form.get("speed", "1")
    if file is None or not file.filename or speed not in SPEEDS:
        return cameras(game_id, {"recording": _("Choose a recording.")}, 422)
    data = file.stream.read(LARGEST_RECORDING + 1)
    if len(data) > LARGEST_RECORDING:
        return cameras(game_id, {"recording": _("A recording can have at most 4 MB.")}, 422)
    try:
        found = recording.read(
            data.decode("utf-8", errors="replace"), *live_service().rules(game).profiles
        )
    except recording.RecordingError as error:
        words = _("This is not a recording; line %(problem)s", problem=error)
        return cameras(game_id, {"recording": words}, 422)
    try:
        live_service().replays.play(game.id, found, SPEEDS[speed])
    except recording.TooManyReplaysError:
        words = _(
            "Other games are already playing recordings: stop one of them, or wait until it ends."
        )
        return cameras(game_id, {"recording": words}, 422)
    return live_taps.answer(game_id)


@blueprint.post("/replay/stop")
@changes(Right.TABLE)
def stop_replay(game_id: str) -> ResponseReturnValue:
    services().games.open(game_id)
    live_service().replays.stop(game_id)
    return live_taps.answer(game_id)


@blueprint.post("/cameras/board")
@changes(Right.TABLE)
def board(game_id: str) -> ResponseReturnValue:
    """Choose the board instead of recognising it, before anything has been seen."""
    game = services().games.open(game_id)
    name = request.form.get("profile", "")
    if name and name not in services().boards.choices(game.document["game"]):
        abort(422, "no such board")
    if live_service().entries(game_id):
        words = _("This game was followed live on its board. Begin a new game for another board.")
        return cameras(game_id, {"profile": words}, 422)
    steps.changed(game_id, "live", lambda document: services().boards.changed(document, name))
    services().reading_queue.read_again(game_id)
    live_service().workers.begin_anew(game_id)
    return _done(game_id)


def boards_seen(rules: Rules, game: SavedGame, table: LiveTable) -> list[dict[str, Any]]:
    """Return the boards that cameras see or have seen, with names and (possible) owners."""
    cameras = [status.camera.name for status in live_service().workers.of(game.id)]
    now = [
        (status.camera.name, board["board"])
        for status in live_service().workers.of(game.id)
        for board in status.boards
    ]
    keys = dict.fromkeys([*now, *table.boards])
    sources = list(dict.fromkeys([*cameras, *(source for source, _ in keys)]))
    return [
        {
            "key": key,
            "said": _board_of_camera(rules, called, key[1]),
            "may_be": sorted({*rules.possible_boards(key[1])}),
            "owner": table.boards.get(key),
            "nobody": key in table.assigned and table.boards.get(key) is None,
        }
        for key in keys
        for called in [live_messages.format_camera(key[0], sources)]
    ]


def _board_of_camera(rules: Rules, camera: str, number: int) -> str:
    """Return a camera board's name: the kind, if there are several, and the number."""
    table = rules.profile.game.table
    kind = table.kind_numbered(number)
    nth = number - table.first_number(kind.id) + 1
    if len(table.boards) == 1:
        return _("%(camera)s, board %(number)s", camera=camera, number=nth)
    return f"{camera}, {rules.live.pages.words.kind(kind.id)} {nth}"


def camera_context(
    game: SavedGame, table: LiveTable | None = None, errors: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """Return the values of the camera templates, with any errors."""
    typed = request.form.get("address", "")
    rules = live_service().rules(game)
    words = rules.live.pages.words
    return {
        "boards": [words.owner_of(game.document, own) for own in range(rules.boards)],
        "cameras": live_service().workers.of(game.id),
        "boards_seen": boards_seen(rules, game, table or live_service().table(game)),
        "choices": partial(_choices, game),
        "bound": bool(live_service().log.last(game.id)),
        "local": is_local(request.remote_addr),
        "messages": live_messages,
        "errors": errors or {},
        "entered": "" if re.search("[:@?]", typed) else typed,  # may contain a password
    }


def _choices(game: SavedGame) -> Mapping[str, str]:
    """Return the titles of the boards a game can be played on, by name."""
    found = services().boards.choices(game.document["game"])
    return {name: board_title(profile.title) for name, profile in found.items()}


def _done(game_id: str) -> ResponseReturnValue:
    """Respond to an action; pages with a script stay as they are."""
    if wants_json():
        return "", 204
    return redirect(url_for(".cameras", game_id=game_id), 303)
