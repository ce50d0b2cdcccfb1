"""The HTTP API for scripts; openapi.json describes it."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import RequestEntityTooLarge

from scorer.datafile import LARGEST_FILE, DataFileError, parse_json
from scorer.registry import find_game
from scorer.scoresheet import Score
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.reading.reading_queue import QueueFullError
from webapp.app.reading.readings import without_colours
from webapp.app.reading.uploads import UnwantedPictureError, arriving
from webapp.app.session.score_game import score_game
from webapp.web.changes import Right, changes
from webapp.web.context import services

blueprint = Blueprint("api", __name__)

DESCRIPTION = Path(__file__).with_name("openapi.json")
PROBLEM_CODES = {
    "not_a_photograph": 400,
    "no_board": 422,
    "unknown_board": 422,
    "no_colours": 422,
    "unreadable": 422,
    "too_slow": 422,
    "failed": 422,
}


@blueprint.get("/healthz")
@blueprint.get("/healthz/invited", endpoint="invited")
def healthz() -> ResponseReturnValue:
    """Return 200 if the server runs and its database answers; `invited` needs the invitation."""
    services().games.ping()
    return jsonify(status="ok")


@blueprint.get("/api/openapi.json")
def openapi() -> ResponseReturnValue:
    """Return the description of this API."""
    return Response(DESCRIPTION.read_text(encoding="utf-8"), mimetype="application/json")


@blueprint.get("/api")
def described() -> ResponseReturnValue:
    """Show the description of this API as a page."""
    return render_template("api.html", api=json.loads(DESCRIPTION.read_text(encoding="utf-8")))


@blueprint.post("/api/read")
@changes(Right.ANYBODY)
def read() -> ResponseReturnValue:
    file = request.files.get("photo")
    if file is None:
        return _refused(400, "no_photo", "Send the picture as the multipart field photo.")
    boards = services().boards
    known, profile = boards.names(), request.form.get("profile")
    if profile is not None and profile not in known:
        message = f"There is no such profile; there are: {', '.join(known)}."
        return _refused(400, "unknown_profile", message)
    asked = known if profile is None else [profile]
    services().storage.take(request.content_length or 0)
    name = Path(file.filename or "photo").name[:100]
    try:
        with ExitStack() as kept:
            with arriving(file.stream, services().settings) as picture:
                path = kept.enter_context(services().photographs.passing(picture))
            found = services().reading_queue.read_file(path, name, asked, request.remote_addr or "")
    except UnwantedPictureError as error:
        if error.reason == "bytes":
            return _refused(413, "too_large", str(error))
        return _refused(400, "not_a_photograph", str(error))
    except QueueFullError:
        busy, code = _refused(503, "busy", "Many photographs are waiting; try again soon.")
        busy.headers["Retry-After"] = "5"
        return busy, code
    except UnusablePhotographError as error:
        return _refused(PROBLEM_CODES[error.problem], error.problem, str(error))
    return jsonify(without_colours(found.reading))


@blueprint.post("/api/score")
@changes(Right.ANYBODY)
def score() -> ResponseReturnValue:
    """Score a game file sent as JSON, which must contain the boards' pieces."""
    if not request.is_json:
        return _refused(415, "not_json", "Send a game file as application/json.")
    request.max_content_length = LARGEST_FILE
    try:
        data = parse_json(request.get_data())
    except RequestEntityTooLarge:
        return _refused(413, "too_large", f"Send a game file of at most {LARGEST_FILE:,} bytes.")
    except DataFileError as error:
        return _refused(400, "not_json", str(error))
    try:
        return jsonify(_scored(data).to_data())
    except ValueError as error:  # mistakes, or photographs, which are not read here
        return _refused(422, "game_file", str(error))


def _scored(data: Any) -> Score:
    """Score a game file's data. Raises ValueError with a message."""
    profile = services().boards.default
    named = data.get("game", profile.game.id) if isinstance(data, Mapping) else profile.game.id
    if named == profile.game.id:
        game, board = profile.game, profile.board
    else:
        game = find_game(str(named))
        board = game.standard_board
    return score_game(data, game, board).score


def _refused(code: int, error: str, message: str) -> tuple[Response, int]:
    return jsonify(error=error, message=message), code
