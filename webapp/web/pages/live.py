"""Live games: the table page, and what players enter there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_time

from calibration import Profile
from scorer.places import Place
from webapp.app.boards import board_drawing
from webapp.app.boards.board_drawing import DrawnLink
from webapp.app.game_pages import pages_of
from webapp.app.live import recording
from webapp.app.live.entry import (
    NO_STEPS,
    PIECE_CHANGES,
    SETTLED,
    BadEventError,
    Entry,
    NotAdmittedError,
    answered,
    checked_event,
)
from webapp.app.live.reducer import LiveTable, Rules
from webapp.app.live.service import restarted
from webapp.app.live.view_model import TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.app.session import flow
from webapp.app.session.saved_games import ChangedMeanwhileError, SavedGame
from webapp.server.guard import serves
from webapp.web.changes import Right, changes
from webapp.web.context import live_service, services
from webapp.web.pages import live_taps, personal, steps
from webapp.web.pages.live_cameras import boards_seen, camera_context
from webapp.web.refusals import refused_on

blueprint = Blueprint("live", __name__, url_prefix="/games/<game_id>/live")


@blueprint.app_template_filter("clock")
def clock(at: datetime) -> str:
    """Return a UTC time in this computer's time zone, to the second."""
    return str(format_time(at.replace(tzinfo=UTC).astimezone(), "HH:mm:ss", rebase=False))


NewEntries = Iterator[tuple[str, Mapping[str, Any]]]
"""Entries to be logged, as kind and data."""

_NONE = ("0", "00")
"""The form values of a count of none."""
MOST_STEPS = 100
"""The most steps of the timeline on a page."""


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show the current table, or the one after an entry."""
    return render_template("live.html", **_context(steps.opened(game_id)))


@blueprint.post("")
@changes(Right.TABLE)
def begin(game_id: str) -> ResponseReturnValue:
    """Start following a game live, before the steps at its end."""
    live_service().follow(services().games.open(game_id))
    return redirect(url_for(".show", game_id=game_id), 303)


@blueprint.get("/table")
def table(game_id: str) -> ResponseReturnValue:
    """Return the fragment of the page that changes."""
    return render_template("_live_table.html", **_context(steps.opened(game_id)))


@blueprint.post("/personal")
@changes(Right.SEAT)
def keep_personal(game_id: str) -> ResponseReturnValue:
    """Save a player's secret card, hidden until its owner lays it open at the end."""
    return personal.keep(game_id)


@blueprint.get("/refused")
def refused(game_id: str) -> ResponseReturnValue:
    """Return, for each space of a seat's board, the pieces that the rules forbid there, and why.

    The piece on the space `without` is ignored, as it is being moved.
    """
    game = steps.opened(game_id)
    board, without = live_taps.board(game), request.args.get("without", "")
    rules, now = live_service().rules(game), live_service().table(game)
    profile = rules.slots[board].profile
    played = rules.live.view_model(game.document, now, rules).played
    pieces = rules.profile.game.pieces_of(now.positions[board])
    pieces = {place: piece for place, piece in pieces.items() if place.id != without}
    return jsonify(refused_on(profile, pieces, played))


@blueprint.post("/star")
@changes(Right.TABLE)
def star(game_id: str) -> ResponseReturnValue:
    """Put a piece on a space, or remove one, that the camera missed.

    In a region, `count` is the number of that kind.
    """
    colour, count = request.form.get("star", ""), request.form.get("count", type=int)
    kind = "placed" if colour else "removed"
    counted = {} if count is None else {"count": count}
    event = {"kind": kind, "space": request.form.get("space"), "star": colour, **counted}
    return _by_hand(game_id, event)


@blueprint.post("/<track>")
@changes(Right.TABLE)
def count(game_id: str, track: str) -> ResponseReturnValue:
    """Set the number of pieces on a track."""
    rules = live_service().rules(services().games.open(game_id))
    if not any(track in profile.tracks for profile in rules.profiles):
        abort(404)
    return _by_hand(game_id, {"kind": track, "count": request.form.get("count", type=int)})


def _by_hand(game_id: str, event: Mapping[str, Any]) -> ResponseReturnValue:
    game = services().games.open(game_id)
    seat = live_taps.board(game)
    profile = live_service().rules(game).slots[seat].profile
    checked = _checked(event, profile)
    data = {"seat": seat, "event": {key: checked[key] for key in event if key in checked}}
    if request.form.get("after"):
        data["after"] = live_taps.entry(game, "after")
    return live_taps.tell(game, "hand", data)


@blueprint.post("/regions")
@changes(Right.TABLE)
def answer(game_id: str) -> ResponseReturnValue:
    """Enter the contents of a region that a camera could not count.

    `held` has the counts, as "2 plum,1 pear"; or each `kind` has a `count`. `entry` is that of the
    doubt, so that a newer question or answer is not overwritten.
    """
    game = services().games.open(game_id)
    board, asked = live_taps.board(game), live_taps.entry(game, "entry")
    profile = live_service().rules(game).slots[board].profile
    region = Place(request.form.get("region", ""), "region")
    if region not in profile.places:
        abort(422, "no such region")
    kinds, counts = request.form.getlist("kind"), request.form.getlist("count")
    named = [kind for kind in kinds if kind]
    if "held" not in request.form and not kinds:
        abort(422, "nothing is said")
    if len(counts) != len(kinds) or len({*named}) != len(named):
        abort(422, "each kind is counted once")
    said = [one for one in request.form.get("held", "").split(",") if one]
    both = zip(counts, kinds, strict=True)
    said += [f"{count} {kind}" for count, kind in both if kind and count not in _NONE]
    try:
        held = answered(said, profile, region)
    except BadEventError as error:
        abort(422, str(error))

    def entries(
        game: SavedGame, rules: Rules, table: LiveTable, _entries: Sequence[Entry]
    ) -> NewEntries:
        doubt = table.doubts.get((board, region.id))
        if doubt is None or doubt.entry != asked:
            raise ChangedMeanwhileError(game.id)
        view = rules.live.view_model(game.document, table, rules)
        if not held.keys() <= {*view.may_be_in(board, region.id)}:
            abort(422, "a kind that is not in play")
        event = {"kind": SETTLED, "space": region.id, "held": held}
        yield "hand", {"seat": board, "event": event}

    return live_taps.tell_of(game, entries)


@blueprint.post("/entries")
@changes(Right.TABLE)
def enter(game_id: str) -> ResponseReturnValue:
    """Log an entry of the game's own `kind`, with a value for each of its fields."""
    game = services().games.open(game_id)
    rules, kind = live_service().rules(game), request.form.get("kind", "")
    view = rules.live.view_model(game.document, live_service().table(game), rules)
    fields = rules.live.entries(view).get(kind)
    if fields is None:
        abort(422, "no such entry")
    data = {}
    for field, known in fields.items():
        texts = {"" if one is None else str(one): one for one in known}
        values = known if isinstance(known, Mapping) else texts
        sent = request.form.get(field, "")
        if sent not in values:
            abort(422, f"no such {field}")
        data[field] = values[sent]
    return live_taps.tell(game, kind, data)


@blueprint.post("/entries/<int:number>")
@changes(Right.TABLE)
def amend(game_id: str, number: int) -> ResponseReturnValue:
    """Correct an entry: it did not happen, had another piece or space, or did happen."""
    game = services().games.open(game_id)
    found = live_service().log.entry(game_id, number)
    if found is None or found.kind in NO_STEPS:
        abort(422, "no such entry")
    what = request.form.get("what")
    if what == "nothing":
        return live_taps.tell(game, "amend", {"entry": number, "event": None})
    if what == "again":
        return live_taps.tell(game, "amend", {"entry": number})
    instead: dict[str, Any] = {}
    profile = live_service().rules(game).profile_of_entry(found)
    if request.form.get("space") in _correctable(profile):
        instead["space"] = request.form["space"]
    if request.form.get("star") in [piece.id for piece in profile.game.pieces]:
        instead["star"] = request.form["star"]
    kind = found.data.get("event", {}).get("kind")
    if what != "instead" or not instead or kind not in PIECE_CHANGES:
        abort(422, "no such correction")
    _checked({**found.data["event"], **instead, "board": 0}, profile)
    return live_taps.tell(game, "amend", {"entry": number, "event": instead})


def _checked(event: Mapping[str, Any], profile: Profile) -> Mapping[str, Any]:
    try:
        return checked_event(event, profile)
    except NotAdmittedError:
        raise  # it says what can lie there
    except BadEventError as error:
        abort(422, str(error))


def _correctable(profile: Profile) -> Collection[str]:
    """Return the ids of places that entries can refer to."""
    return {place.id for place in profile.places if place.kind != "track"}


@blueprint.post("/boards")
@changes(Right.TABLE)
def assign(game_id: str) -> ResponseReturnValue:
    """Assign a camera's board; two players swap, so that each has one."""
    game = services().games.open(game_id)
    seat = live_taps.board(game) if request.form.get("seat") else None
    key = (request.form.get("source", ""), request.form.get("board", -1, type=int))
    rules = live_service().rules(game)
    if key not in [one["key"] for one in boards_seen(rules, game, live_service().table(game))]:
        abort(422, "no such board")
    if seat is not None and seat not in rules.possible_boards(key[1]):
        abort(422, "a board of another kind")

    def entries(
        _game: SavedGame, _rules: Rules, table: LiveTable, _entries: Sequence[Entry]
    ) -> NewEntries:
        before = table.boards.get(key)
        if seat is not None and before is not None:
            for other, owner in table.boards.items():
                if owner == seat and other != key:
                    yield "assign", _assigned(other, before)
        yield "assign", _assigned(key, seat)

    return live_taps.tell_of(game, entries)


def _assigned(key: tuple[str, int], seat: int | None) -> Mapping[str, Any]:
    return {"source": key[0], "board": key[1], "seat": seat}


@blueprint.post("/playing")
@changes(Right.TABLE)
def playing(game_id: str) -> ResponseReturnValue:
    """Say that the game goes on, although many pieces were removed."""
    return live_taps.tell(services().games.open(game_id), "playing", {})


@blueprint.post("/restart")
@changes(Right.TABLE)
def restart(game_id: str) -> ResponseReturnValue:
    """Restart: earlier entries belong to another game, and boards are read again."""
    return live_taps.tell_of(services().games.open(game_id), restarted())


@blueprint.get("/recording.jsonl")
def recorded(game_id: str) -> ResponseReturnValue:
    """Return what the cameras saw as a recording."""
    services().games.open(game_id)
    response = Response(
        recording.write(live_service().log.entries(game_id)), mimetype="application/x-ndjson"
    )
    response.headers["Content-Disposition"] = "attachment; filename=stargazer.jsonl"
    return response


def _time_line(table: LiveTable, at: int | None) -> Mapping[str, Any]:
    """Return the timeline: the last steps, or those around the entry `at`.

    `earlier` is the entry with which to look at the steps before these.
    """
    steps = [step for step in table.steps if step.status != "idle"]
    end = len(steps)
    if at is not None:
        here = [place for place, step in enumerate(steps) if step.entry.number <= at]
        end = max(here, key=lambda place: steps[place].entry.number, default=0) + MOST_STEPS // 2
    begin = max(0, min(end, len(steps)) - MOST_STEPS)
    earlier = steps[begin - 1].entry.number if begin else None
    return {"steps": steps[begin : begin + MOST_STEPS], "earlier": earlier}


def _asks(now: LiveTable, view: TableViewModel, of_game: LiveGame) -> Sequence[Ask]:
    """Return what the table has to do, the most urgent first.

    Nothing is asked about pieces missing while boards are being cleared.
    """
    words = of_game.pages.words
    impossible = [step for step in now.steps if step.status == "impossible"]
    unseen = [words.owner_of(view.document, board) for board in view.unseen]
    if now.full_until is None:
        first = [Ask("_live_break.html", broken) for broken in view.breaks]
        first += [Ask("_live_doubt.html", question) for question in view.questions]
    else:
        first = [Ask("_live_clearing.html", now.full_until)]
    return [
        *(Ask("_live_impossible.html", step) for step in impossible),
        *first,
        *(Ask("_live_ownerless.html", key) for key in now.ownerless),
        *([Ask("_live_unseen.html", unseen)] if unseen and now.steps else []),
        *of_game.asks(view),
    ]


def _clashes(view: TableViewModel, board: int) -> Sequence[DrawnLink]:
    """Return the lines on a board between pieces in conflict."""
    links = (link for number, broken in view.breaks if number == board for link in broken.links)
    return board_drawing.lines(view.rules.slots[board].profile, links)


def _guidance(game: SavedGame, table: LiveTable) -> str:
    """Return the link to guidance: `begin`, start `again`, go `back` there, or "".

    A game that began without guidance cannot switch to it, as the contents of its bag are unknown.
    """
    part = pages_of(game.document["game"]).guided
    if part is None or not part.fits(game.document) or not flow.is_live(game.document):
        return ""
    if flow.has_been_guided(game.document):
        return "back" if flow.is_guided(game.document) else "again"
    return "" if any(map(part.game.pieces_of, table.positions)) else "begin"


def _context(game: SavedGame) -> Mapping[str, Any]:
    """Return the page's values: `at`, a look back to that entry; `mine`, whose cards to show."""
    at = request.args.get("at", type=int)
    mine = request.args.get("mine", type=int)
    now = live_service().table(game)
    shown = now if at is None else live_service().table_at(game, at)
    rules, players = live_service().rules(game), game.document["players"]
    view = rules.live.view_model(game.document, shown, rules)
    return {
        "game": game,
        "now": now,
        "at": at,
        "mine": mine if mine is not None and 0 <= mine < len(players) else None,
        "live": rules.live,
        "pages": rules.live.pages,
        "line": _time_line(now, at),
        "drawings": [board_drawing.draw(slot.profile) for slot in rules.slots],
        "view": view,
        "asks": _asks(now, view, rules.live),
        "clashes": [_clashes(view, board) for board in range(rules.boards)],
        "breaks": view.breaks if shown.full_until is None else (),
        "close_ups": live_service().close_ups,
        "serves": serves(),
        "replaying": live_service().replays.is_playing(game.id),
        "guidance": _guidance(game, shown),
        "personal_cards": personal.known(game).values(),
        **camera_context(game, now),
    }
