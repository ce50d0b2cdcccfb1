"""A game watched live: the table page, its news, what players tell it, and the way to the score."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import format_time
from flask_babel import gettext as _

from scorer.nebula import BLACK, COLOURS, SLOTS
from scorer.nebula.values_board import TRACKS
from webapp import flow, game_document
from webapp.companion import companion
from webapp.failures import wants_json
from webapp.games.nebula import cards
from webapp.games.nebula import document as nebula_document
from webapp.guard import serves
from webapp.live import outlook, recording, telling
from webapp.live.desk import live
from webapp.live.entry import BadEventError, checked_event
from webapp.live.fold import LiveTable
from webapp.live.outlook import Outlook
from webapp.pages import steps
from webapp.saved_games import SavedGame

blueprint = Blueprint("live", __name__, url_prefix="/games/<game_id>/live")


@blueprint.app_template_filter("clock")
def clock(at: datetime) -> str:
    """Return a moment kept in UTC as this computer's clock shows it, to the second."""
    return format_time(at.replace(tzinfo=UTC).astimezone(), "HH:mm:ss", rebase=False)


MOST_STEPS = 100
"""That a page shows of the time line."""
TOKENS = frozenset(token for tokens in TRACKS.values() for token in tokens)


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show the table as it is now, or as it was after an entry."""
    return render_template("live.html", **_context(steps.opened(game_id)))


@blueprint.get("/table")
def table(game_id: str) -> ResponseReturnValue:
    """Show the part of the page that changes as the game goes on."""
    return render_template("_live_table.html", **_context(steps.opened(game_id)))


@blueprint.post("/star")
def star(game_id: str) -> ResponseReturnValue:
    """Put a star on a space, or take one away: the camera missed it."""
    colour = request.form.get("star", "")
    kind = "placed" if colour else "removed"
    return _by_hand(game_id, {"kind": kind, "space": request.form.get("space"), "star": colour})


@blueprint.post("/black")
def black(game_id: str) -> ResponseReturnValue:
    """Set how many black stars lie on a track."""
    count = request.form.get("count", type=int)
    return _by_hand(game_id, {"kind": "black", "count": count})


def _by_hand(game_id: str, event: Mapping[str, Any]) -> ResponseReturnValue:
    game = companion().games.open(game_id)
    seat = _seat(game)
    profile = companion().profile
    try:
        told = checked_event(event, profile)
    except BadEventError as error:
        abort(422, str(error))
    data = {"seat": seat, "event": {key: told[key] for key in event if key in told}}
    if request.form.get("after"):
        data["after"] = _entry(game, "after")
    return _tell(game, "hand", data)


@blueprint.post("/entries/<int:number>")
def amend(game_id: str, number: int) -> ResponseReturnValue:
    """Correct an entry: it did not happen, it was another star or space, or it did happen."""
    game = companion().games.open(game_id)
    found = live().log.entry(game_id, number)
    if found is None or found.kind == "amend":
        abort(422, "no such entry")
    what = request.form.get("what")
    if what == "nothing":
        return _tell(game, "amend", {"entry": number, "event": None})
    if what == "again":
        return _tell(game, "amend", {"entry": number})
    instead: dict[str, Any] = {}
    if request.form.get("space") in companion().profile.board.spaces:
        instead["space"] = request.form["space"]
    if request.form.get("star") in (*COLOURS, BLACK):
        instead["star"] = request.form["star"]
    if what != "instead" or not instead or "space" not in found.data.get("event", {}):
        abort(422, "no such correction")
    return _tell(game, "amend", {"entry": number, "event": instead})


@blueprint.post("/boards")
def assign(game_id: str) -> ResponseReturnValue:
    """Say whose a board is that a camera sees; the two players swap, so that each has one."""
    game = companion().games.open(game_id)
    seat = _seat(game) if request.form.get("seat") else None
    key = (request.form.get("source", ""), request.form.get("board", type=int))
    table = live().table(game)
    boards = table.boards or {}
    if key not in [one["key"] for one in _boards_seen(game, table)]:
        abort(422, "no such board")
    taken = [other for other, owner in boards.items() if owner == seat and other != key]
    for other in taken if seat is not None and boards.get(key) is not None else []:
        live().tell(game_id, "assign", _assigned(other, boards[key]))
    return _tell(game, "assign", _assigned(key, seat))


def _boards_seen(game: SavedGame, table: LiveTable) -> list[dict[str, Any]]:
    """Each board that a camera sees or has seen, what it is called, and whose it is."""
    cameras = [status.camera.name for status in live().workers.of(game.id)]
    now = [
        (status.camera.name, board["board"])
        for status in live().workers.of(game.id)
        for board in status.boards
    ]
    keys = dict.fromkeys([*now, *(table.boards or {})])
    sources = list(dict.fromkeys([*cameras, *(source for source, _ in keys)]))
    return [
        {
            "key": key,
            "said": _("%(camera)s, board %(number)s", camera=called, number=key[1] + 1),
            "owner": (table.boards or {}).get(key),
            "nobody": key in table.assigned and (table.boards or {}).get(key) is None,
        }
        for key in keys
        for called in [telling.camera_said(key[0], sources)]
    ]


def _assigned(key: tuple[str, int], seat: int | None) -> Mapping[str, Any]:
    return {"source": key[0], "board": key[1], "seat": seat}


@blueprint.post("/claim")
def claim(game_id: str) -> ResponseReturnValue:
    """Note that a player's marker lies on a career card."""
    game = companion().games.open(game_id)
    card = request.form.get("card")
    if card not in game.document["career"]:
        abort(422, "no such card on the table")
    return _tell(game, "claim", {"seat": _seat(game), "card": card})


@blueprint.post("/value")
def value(game_id: str) -> ResponseReturnValue:
    """Move a value token, as a black star asks for or by itself; or say that none moves."""
    game = companion().games.open(game_id)
    token = request.form.get("token") or None
    if token is not None and token not in TOKENS:
        abort(422, "no such token")
    due = _entry(game, "due") if request.form.get("due") else None
    return _tell(game, "value", {"token": token, "due": due, "by": _direction()})


@blueprint.post("/indicator")
def indicator(game_id: str) -> ResponseReturnValue:
    """Move the black indicator by hand."""
    return _tell(companion().games.open(game_id), "indicator", {"by": _direction()})


@blueprint.post("/bag")
def bag(game_id: str) -> ResponseReturnValue:
    """Say that the bag is empty, or not after all."""
    empty = request.form.get("empty") == "yes"
    return _tell(companion().games.open(game_id), "bag", {"empty": empty})


@blueprint.post("/restart")
def restart(game_id: str) -> ResponseReturnValue:
    """Begin anew: what the log has is of another game, and the boards are read afresh."""
    return _tell(companion().games.open(game_id), "restart", {})


@blueprint.post("/personal")
def personal(game_id: str) -> ResponseReturnValue:
    """Keep a player's personal card, hidden until its owner lays it open at the end."""
    game = companion().games.open(game_id)
    seat, card = _seat(game), request.form.get("card", "")
    if card not in cards.of_deck("personal"):
        abort(422, "no such personal card")
    step = flow.Step("personal", seat).key
    steps.changed(
        game_id,
        step,
        lambda document: game_document.without_confirmed(
            nebula_document.with_personal(document, seat, card), (step,)
        ),
    )
    return _told(game_id)


@blueprint.post("/finish")
def finish(game_id: str) -> ResponseReturnValue:
    """Take the table over into the game, lay one's own cards open, and go on to the score."""
    game = companion().games.open(game_id)
    final = live().table(game)
    changed = steps.changed(game_id, "live", lambda document: outlook.finished(document, final))
    for status in live().workers.of(game_id):
        live().workers.stop(game_id, status.camera.name)
    return steps.onward(changed)


@blueprint.get("/recording.jsonl")
def recorded(game_id: str) -> ResponseReturnValue:
    """Send what the cameras saw, as a recording that can be replayed."""
    companion().games.open(game_id)
    response = Response(
        recording.write(live().log.entries(game_id)), mimetype="application/x-ndjson"
    )
    response.headers["Content-Disposition"] = "attachment; filename=stargazer.jsonl"
    return response


def _tell(game: SavedGame, kind: str, data: Mapping[str, Any]) -> ResponseReturnValue:
    live().tell(game.id, kind, data)
    return _told(game.id)


def _told(game_id: str) -> ResponseReturnValue:
    """Answer a tap: a page with a script fetches the table itself."""
    if wants_json():
        return "", 204
    return redirect(url_for("live.show", game_id=game_id), 303)


def _seat(game: SavedGame) -> int:
    seat = request.form.get("seat", type=int)
    if seat is None or not 0 <= seat < len(game.document["players"]):
        abort(422, "no such player")
    return seat


def _entry(game: SavedGame, field: str) -> int:
    number = request.form.get(field, type=int)
    if number is None or not 0 < number <= live().log.last(game.id):
        abort(422, "no such entry")
    return number


def _direction() -> int:
    return -1 if request.form.get("by") == "-1" else 1


def _time_line(table: LiveTable, at: int | None) -> Mapping[str, Any]:
    """What the time line shows: the last steps, or those about the entry `at`.

    `earlier` is the entry to look back to for those before them.
    """
    steps = [step for step in table.steps if step.fate != "idle"]
    end = len(steps)
    if at is not None:
        here = [place for place, step in enumerate(steps) if step.entry.number <= at]
        end = max(here, key=lambda place: steps[place].entry.number, default=0) + MOST_STEPS // 2
    begin = max(0, min(end, len(steps)) - MOST_STEPS)
    earlier = steps[begin - 1].entry.number if begin else None
    return {"steps": steps[begin : begin + MOST_STEPS], "earlier": earlier}


def _context(game: SavedGame) -> Mapping[str, Any]:
    """What the page shows: `at`, a look back after that entry; `mine`, whose cards to reveal."""
    at = request.args.get("at", type=int)
    mine = request.args.get("mine", type=int)
    now = live().table(game)
    shown = now if at is None else live().table_at(game, at)
    players = game.document["players"]
    return {
        "game": game,
        "now": now,
        "at": at,
        "mine": mine if mine is not None and 0 <= mine < len(players) else None,
        "line": _time_line(now, at),
        "look": Outlook(game.document, shown, live().rules(game).edition),
        "cameras": live().workers.of(game.id),
        "boards_seen": _boards_seen(game, now),
        "serves": serves(),
        "replaying": live().replays.is_playing(game.id),
        "telling": telling,
        "tracks": TRACKS,
        "slots": SLOTS,
        "track_names": {
            "colours": _("Colours"),
            "constellations": _("Constellations"),
            "advanced": _("Advanced cards"),
        },
    }
