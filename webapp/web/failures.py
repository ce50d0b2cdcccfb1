"""Error responses: a page, or JSON for programs."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException

from scorer.datafile import DataFileError
from webapp.app.backup.archive import BackupError
from webapp.app.backup.restores import RestoreUnderWayError
from webapp.app.boards.drafts import NoSuchDraftError
from webapp.app.boards.known_boards import BoardGoneError
from webapp.app.database import is_damaged, is_held_up, is_temporary, is_unreachable
from webapp.app.game_pages import pages_of
from webapp.app.history.people import NoSuchPersonError
from webapp.app.live.entry import NotAdmittedError
from webapp.app.live.projection import BusyError
from webapp.app.reading.colour_calibrations import NoSuchCalibrationError
from webapp.app.reading.photographs import NoSuchPhotographError
from webapp.app.reading.uploads import too_large
from webapp.app.session import game_document
from webapp.app.session.board_slots import NoSuchSeatError, owners
from webapp.app.session.saved_games import BrokenGameError, NoSuchGameError
from webapp.app.session.seats import NotYourSeatError
from webapp.app.storage import NoRoomError
from webapp.server.guard import NotTheHostError
from webapp.web.context import forget_what_is_asked_for, services
from webapp.web.membership import NotJoinedError
from webapp.web.words import piece_name, spoken_name

SENT_TOO_MUCH = "bytes"
"""The description of a refusal due to the amount of uploads, not the rate of requests."""
Failure = tuple[int, str, str]
"""A status, a heading and what to do."""


def _gone() -> Failure:
    return (
        404,
        _("This is not here"),
        _("The game or page does not exist, or was deleted. Start again from the list of games."),
    )


FAILURES: Mapping[type[Exception], Callable[[], Failure]] = {
    NoSuchGameError: _gone,
    NoSuchPhotographError: _gone,
    NoSuchDraftError: _gone,
    NoSuchPersonError: _gone,
    NoSuchCalibrationError: _gone,
    BrokenGameError: lambda: (
        409,
        _("This game cannot be read"),
        _(
            "Its saved data are damaged; the other games are not. The list of games shows "
            "what can be done with it."
        ),
    ),
    NoSuchSeatError: lambda: (
        404,
        _("This player is not in the game"),
        _(
            "Another device may have removed them. Open the game again from the list; "
            "what they had is among its earlier states."
        ),
    ),
    CSRFError: lambda: (
        400,
        _("This page was open for too long"),
        _("Go back, reload the page and try again. Every step confirmed before is saved."),
    ),
    NotYourSeatError: lambda: (
        403,
        _("This seat belongs to another device"),
        _("That device, or the computer that runs Stargazer, can give the seat back."),
    ),
    NotTheHostError: lambda: (
        403,
        _("Only whoever runs Stargazer can do this"),
        _(
            "Open this page on the computer that runs it. Boards can also be changed on a "
            "phone that was given access there."
        ),
    ),
    RestoreUnderWayError: lambda: (
        409,
        _("A backup is being brought back"),
        _("Wait until it is done, then look at the list of games. Nothing else was changed."),
    ),
    BusyError: lambda: (
        503,
        _("The server is busy"),
        _("Wait a moment, then try again."),
    ),
}
"""What is said of errors that need no detail of theirs."""


def register_error_handlers(app: Flask) -> None:
    """Register handlers that answer errors in the caller's terms."""
    app.register_error_handler(HTTPException, _refused)
    for error, failure in FAILURES.items():
        app.register_error_handler(error, partial(_answer, failure))
    app.register_error_handler(BoardGoneError, _board_gone)
    app.register_error_handler(NotJoinedError, _not_joined)
    app.register_error_handler(NoRoomError, _no_room)
    app.register_error_handler(NotAdmittedError, _not_admitted)
    app.register_error_handler(BackupError, _no_backup)
    app.register_error_handler(Exception, _broken)


def _answer(failure: Callable[[], Failure], _error: Exception) -> ResponseReturnValue:
    return _failure(*failure())


def wants_json() -> bool:
    """Return whether the caller is a program or a page's script."""
    return _is_program() or "X-Partial" in request.headers


def _is_program() -> bool:
    return request.path.startswith(("/api/", "/healthz"))


def _board_gone(error: BoardGoneError) -> ResponseReturnValue:
    advice = _(
        "The game is kept. Bring the board %(name)s back on My boards, where a board's "
        "file can be imported too, and open the game again.",
        name=str(error),
    )
    return _failure(409, _("The board of this game is gone"), advice)


def _not_joined(error: NotJoinedError) -> ResponseReturnValue:
    return _failure(
        403,
        _("This table belongs to those who joined it"),
        _("Others can only watch. If you play here, join the table, and then try again."),
        join=error.game_id,
    )


def _not_admitted(error: NotAdmittedError) -> ResponseReturnValue:
    admitted = ", ".join(map(piece_name, error.admitted)) or piece_name("")
    advice = _(
        "On %(space)s there can be: %(pieces)s. Nothing was changed.",
        space=spoken_name(error.space),
        pieces=admitted,
    )
    return _failure(422, _("This piece cannot lie there"), advice)


def _no_room(error: NoRoomError) -> ResponseReturnValue:
    advice = {
        "disk": _(
            "The disk of the computer that runs Stargazer is nearly full. Free some room there,"
            " then try again. Everything saved before is safe."
        ),
        "storage": _(
            "Stargazer has used all the room that it may. Delete games that you no longer "
            "need, or allow it more (stargazer serve --storage), then try again. "
            "Everything saved before is safe."
        ),
        "photographs": _(
            "This game has as many photographs as a game can have. Remove those that are not"
            " needed, then send this one again."
        ),
        "large_photographs": _(
            "The photographs of this game take as much room as a game's can. Remove those that are"
            " not needed on its page Photographs, or take a smaller one, then try again."
        ),
        "drafts": _(
            "As many boards are being added as can be. Finish one of them on My boards, or delete"
            " it, then try again."
        ),
        "log": _(
            "This game's record is full. Everything in it is safe; begin a new game for "
            "what comes next."
        ),
    }
    return _failure(507, _("No room left"), advice[error.reason])


def _no_backup(error: BackupError) -> ResponseReturnValue:
    advice = _("Nothing was lost here. Choose another backup. (%(reason)s)", reason=str(error))
    return _failure(422, _("This backup cannot be brought back"), advice, restore=True)


def _refused(error: HTTPException) -> ResponseReturnValue:
    code = error.code or 500
    words = {
        401: (
            _("An invitation is needed"),
            _("Scan the QR code that the computer at your table shows, then this page opens."),
        ),
        404: _gone()[1:],
        413: (_("This cannot be accepted"), too_large(services().settings)),
        421: (
            _("This address is not the right one"),
            _("Use the address that the computer at your table shows."),
        ),
        429: (
            _("Too many requests"),
            _("Wait a minute, then try again."),
        ),
    }
    if request.endpoint in {"invitations.join", "invitations.let_in"}:
        words[401] = (
            _("That invitation is no longer valid"),
            _("Ask for a new one: scan the QR code that the computer at your table shows now."),
        )
    if error.description == SENT_TOO_MUCH:
        words[429] = (
            _("This phone has reached its limit for today"),
            _(
                "What it sent is kept. Send the photograph from another phone or from the "
                "computer that runs Stargazer, or wait until tomorrow."
            ),
        )
    if code in words:
        return _failure(code, *words[code])
    if _is_program():  # its developer needs the exact reason
        return _failure(code, error.name, error.description or error.name)
    current_app.logger.info("%s %s: %s", request.method, request.path, error.description)
    return _failure(
        code,
        _("This cannot be done"),
        _("The page may be out of date. Go back, reload it and try again; nothing is lost."),
    )


def _broken(error: Exception) -> ResponseReturnValue:
    if is_unreachable(error):
        current_app.logger.error("%s %s: %s", request.method, request.path, error)
        forget_what_is_asked_for()
        return _failure(
            503,
            _("The database is not responding"),
            _("What was saved before is safe. Wait a moment, then try again."),
        )
    if is_temporary(error):
        current_app.logger.warning("%s %s: %s", request.method, request.path, error)
        busy = is_held_up(error)
        return _failure(*FAILURES[BusyError]()) if busy else _no_room(NoRoomError("disk"))
    if is_damaged(error):
        current_app.logger.error("the database is damaged: %s", getattr(error, "orig", error))
        return _failure(
            500,
            _("The database is damaged"),
            _("Stop Stargazer on its computer and start it again there: it will say what to do."),
        )
    current_app.logger.exception("%s %s failed", request.method, request.path, exc_info=error)
    if _is_about_damaged_game():
        return _failure(*FAILURES[BrokenGameError]())
    return _failure(
        500,
        _("Something went wrong here"),
        _("The error is in the log. Every step confirmed before is saved: go back and carry on."),
    )


def _is_about_damaged_game() -> bool:
    """Whether the request is about a game whose data do not fit its board or rules."""
    game_id = (request.view_args or {}).get("game_id", "")
    try:
        document = services().games.open(game_id).document
        board = services().boards.of(document).board
        for number in range(len(owners(document))):
            game_document.pieces_of(document, number, board)
        data = game_document.game_data(document)
        pages_of(document["game"]).game.game_from_data(data, board)
    except (NoSuchGameError, BoardGoneError):
        return False
    except DataFileError as error:  # missing answers are still to be asked
        return any(_has_key(data, key) for key, _reason in error.problems)
    except ValueError:
        return True
    return False


def _has_key(data: Any, key: str) -> bool:
    """Whether data has a value at a key, such as `players[0].name`."""
    for part in re.findall(r"[^.\[\]]+", key):
        try:
            data = data[int(part) if isinstance(data, Sequence) else part]
        except (LookupError, TypeError, ValueError):
            return False
    return data is not None


def _failure(
    code: int, heading: str, advice: str, join: str = "", restore: bool = False
) -> tuple[Response | str, int]:
    if wants_json():
        return jsonify(error=code, message=f"{heading}. {advice}"), code
    if request_ctx.url_adapter is None:  # invalid host: no links possible
        return Response(f"{heading}. {advice}\n", mimetype="text/plain"), code
    values = {"code": code, "heading": heading, "advice": advice, "join": join, "restore": restore}
    return render_template("failure.html", **values), code
