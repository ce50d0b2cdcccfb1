"""The cameras of a live game: a phone's frames, sources of this computer, and recordings."""

import re
from pathlib import Path

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from webapp.failures import wants_json
from webapp.guard import is_local
from webapp.live import messages, recording
from webapp.live.log import Camera
from webapp.live.service import live
from webapp.live.supervisor import (
    MOST_WORKERS,
    TooManyAtThisGameError,
    TooManyCamerasError,
)
from webapp.services import services

blueprint = Blueprint("live_cameras", __name__, url_prefix="/games/<game_id>/live")

LARGEST_FRAME = 4 * 1024 * 1024
LARGEST_RECORDING = 4 * 1024 * 1024
SPEEDS = {"1": 1.0, "4": 4.0, "16": 16.0, "all": None}
STREAM = re.compile(r"(?:rtsps?|https?)://[^\s/]+\S*", re.IGNORECASE)


@blueprint.get("/cameras")
def cameras(game_id: str) -> ResponseReturnValue:
    """Choose what watches the table, and see how each camera is doing."""
    return _page(game_id)


@blueprint.get("/cameras/list")
def listed(game_id: str) -> ResponseReturnValue:
    """Show the part of the page that changes: how each camera is doing."""
    game = services().games.open(game_id)
    return render_template(
        "_live_cameras.html",
        game=game,
        cameras=live().workers.of(game.id),
        messages=messages,
    )


@blueprint.get("/cameras/picture")
def picture(game_id: str) -> ResponseReturnValue:
    """Show what a camera sees at this moment, with the outlines of its boards."""
    game = services().games.open(game_id)
    jpeg = live().workers.picture(game.id, request.args.get("name", ""))
    if jpeg is None:
        return "", 404
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@blueprint.post("/frames")
def frame(game_id: str) -> ResponseReturnValue:
    """Take a frame from a browser's camera; the answer comes when there is room for the next.

    202: taken. 503: the worker is not ready, the same browser tries again in a moment.
    """
    name = request.args.get("camera", "")
    if not re.fullmatch(r"[a-z0-9-]{1,40}", name):
        abort(422, "no such name of a camera")
    if (request.content_length or 0) > LARGEST_FRAME:
        abort(413)
    game = services().games.open(game_id)
    try:
        worker = live().workers.start(Camera(game.id, f"camera-{name}"[:40], ""))
    except TooManyCamerasError as error:
        return jsonify(error=409, message=_too_many(error)), 409
    taken = worker.push(request.get_data())
    status = worker.status
    answer = {
        "state": status.state,
        "boards": list(status.boards),
        "said": messages.format_status(status),
    }
    return jsonify(answer), 202 if taken else 503


@blueprint.post("/sources")
def start(game_id: str) -> ResponseReturnValue:
    """Watch through a camera of this computer, a stream or a video file."""
    game = services().games.open(game_id)
    if not is_local(request.remote_addr):
        abort(403, "only the computer itself starts its cameras")
    address = request.form.get("address", "").strip()
    problem = _problem(address)
    if problem is None:
        try:
            live().workers.start(Camera(game.id, live().log.addresses.name(address), address))
        except TooManyCamerasError as error:
            problem = _too_many(error)
    if problem is not None:
        return _page(game_id, {"address": problem}, 422)
    return redirect(url_for(".cameras", game_id=game_id), 303)


def _too_many(error: TooManyCamerasError) -> str:
    if isinstance(error, TooManyAtThisGameError):
        return _("Four cameras watch this game already.")
    return _(
        "%(count)s cameras are watched already, here and at other games: stop one of them first.",
        count=MOST_WORKERS,
    )


def _problem(address: str) -> str | None:
    """Say what is wrong with the address of a source, None where nothing is."""
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
    except OSError:  # a name that is too long for any file
        there = False
    return None if there else _("There is no such file on this computer.")


@blueprint.post("/sources/stop")
def stop(game_id: str) -> ResponseReturnValue:
    """Let a camera watch no longer."""
    services().games.open(game_id)
    live().workers.stop(game_id, request.form.get("name", ""))
    if wants_json():
        return "", 204
    return redirect(url_for(".cameras", game_id=game_id), 303)


@blueprint.post("/replay")
def replay(game_id: str) -> ResponseReturnValue:
    """Play a recording of events to the table, at the speed that was chosen."""
    game = services().games.open(game_id)
    file, speed = request.files.get("recording"), request.form.get("speed", "1")
    if file is None or not file.filename or speed not in SPEEDS:
        return _page(game_id, {"recording": _("Choose a recording.")}, 422)
    data = file.stream.read(LARGEST_RECORDING + 1)
    if len(data) > LARGEST_RECORDING:
        return _page(game_id, {"recording": _("A recording has at most 4 MB.")}, 422)
    try:
        found = recording.read(data.decode("utf-8", errors="replace"), services().profile)
    except recording.RecordingError as error:
        words = _("This is no recording; line %(problem)s", problem=error)
        return _page(game_id, {"recording": words}, 422)
    try:
        live().replays.play(game.id, found, SPEEDS[speed])
    except recording.TooManyReplaysError:
        words = _("Other games play recordings already: stop one of them, or wait for its end.")
        return _page(game_id, {"recording": words}, 422)
    return redirect(url_for("live.show", game_id=game_id), 303)


@blueprint.post("/replay/stop")
def stop_replay(game_id: str) -> ResponseReturnValue:
    """Stop playing the recording."""
    services().games.open(game_id)
    live().replays.stop(game_id)
    if wants_json():
        return "", 204
    return redirect(url_for("live.show", game_id=game_id), 303)


def _page(game_id: str, errors: dict[str, str] | None = None, code: int = 200) -> tuple[str, int]:
    game = services().games.open(game_id)
    typed = request.form.get("address", "")
    page = render_template(
        "live_cameras.html",
        game=game,
        cameras=live().workers.of(game_id),
        messages=messages,
        replaying=live().replays.is_playing(game_id),
        errors=errors or {},
        entered="" if re.search("[:@?]", typed) else typed,  # not what may have a password in it
        local=is_local(request.remote_addr),
        secure=services().settings.https or is_local(request.remote_addr),
    )
    return page, code
