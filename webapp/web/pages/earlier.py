"""A game's earlier states, each of which can be restored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.boards.known_boards import BoardGoneError
from webapp.app.game_pages import pages_of
from webapp.app.live.entry import LeftGame, left_games
from webapp.app.live.service import restarted
from webapp.app.session import flow, scoring
from webapp.app.session.revisions import BROUGHT_BACK, EarlierState
from webapp.app.session.saved_games import SavedGame
from webapp.server.guard import browser
from webapp.web.changes import Right, Seen, changes, seen_revision
from webapp.web.context import live_service, services
from webapp.web.pages import steps
from webapp.web.pages.owners import Owner, owners_of, step_of

blueprint = Blueprint("earlier", __name__, url_prefix="/games/<game_id>/earlier")

REPLACED = "replaced"
"""The step that replaces a board that somebody had worked on."""
FROM_THE_TABLE = "live"
"""The step that takes over a game's boards from the live table."""
COUNTED_ANEW = "anew"
"""The step that scores a finished game with the current board and program."""
SHOWN = 20
"""States per page."""


@dataclass(frozen=True)
class State:
    """An earlier state on the page: `what` was done, by `who`, and the boards.

    Consecutive equal steps are shown as one.
    """

    number: int
    at: datetime
    what: str
    who: str
    owners: Sequence[Owner]
    drawn_pieces: Sequence[DrawnPieces]
    is_present: bool


@blueprint.get("")
def show(game_id: str) -> ResponseReturnValue:
    """Show the game's earlier states, the latest first."""
    game = steps.opened(game_id)
    runs = list(_runs(services().games.earlier_states(game_id)))
    skip = max(0, request.args.get("skip", 0, type=int))
    return render_template(
        "earlier.html",
        game=game,
        step=flow.next_step(game.document),
        states=[_state(game, run) for run in runs[skip : skip + SHOWN]],
        games_before=() if skip else _left(game),
        older=skip + SHOWN if len(runs) > skip + SHOWN else None,
    )


@blueprint.post("/<int:number>")
@changes(Right.TABLE, Seen.REVISION)
def bring_back(game_id: str, number: int) -> ResponseReturnValue:
    """Make an earlier state the current one, which can be undone like any step."""
    services().games.bring_back(game_id, number, browser(), seen_revision())
    return redirect(url_for("games.resume", game_id=game_id), 303)


@blueprint.post("/games/<int:number>")
@changes(Right.TABLE)
def go_back_to(game_id: str, number: int) -> ResponseReturnValue:
    """Resume an abandoned game at the table, by its last entry; this is a step, too."""
    game = steps.opened(game_id)
    if not flow.is_live(game.document) or number not in {one.number for one in _left(game)}:
        abort(404)
    live_service().append_with(game_id, restarted(number))
    flash(_("An earlier game continues"))
    return redirect(url_for("games.resume", game_id=game_id), 303)


def _left(game: SavedGame) -> Sequence[LeftGame]:
    """Return the abandoned games at the table of a live game."""
    return left_games(live_service().entries(game.id)) if flow.is_live(game.document) else ()


def overwritten(step: str | None, game: SavedGame) -> str:
    """Return a message if a step replaced boards, "" for other steps."""
    guided = flow.has_been_guided(game.document)
    return {
        REPLACED: _("The board in the photograph counts now."),
        FROM_THE_TABLE: _("The boards are those of the guided game.")
        if guided
        else _("The boards are those of the table that was followed live."),
        COUNTED_ANEW: _("The points were counted again."),
        BROUGHT_BACK: _("An earlier state of the game is back."),
    }.get(step or "", "")


def undo_words(step: str | None, game: SavedGame) -> str:
    """Return the button that undoes such a step, saying where that leads if it is elsewhere."""
    if step != FROM_THE_TABLE:
        return _("Undo")
    if flow.has_been_guided(game.document):
        return _("Back to the guided game")
    return _("Back to the table")


def _runs(states: Sequence[EarlierState]) -> Iterator[Sequence[EarlierState]]:
    """Group consecutive states with the same step and browser."""
    run: list[EarlierState] = []
    for state in states:
        if run and (state.step, state.browser) != (run[-1].step, run[-1].browser):
            yield run
            run = []
        run.append(state)
    if run:
        yield run


def _state(game: SavedGame, run: Sequence[EarlierState]) -> State:
    latest = run[0]
    return State(
        number=latest.number,
        at=latest.at,
        what=_what(latest.step, len(run), game),
        who=_who(latest, game),
        owners=owners_of(latest.document),
        drawn_pieces=_drawn_pieces(latest),
        is_present=game.revision in [one.number for one in run],
    )


def _drawn_pieces(state: EarlierState) -> Sequence[DrawnPieces]:
    """Return the players' boards, () if their board is gone."""
    try:
        board = services().boards.of(state.document).board
    except BoardGoneError:
        return ()
    return scoring.all_drawn_pieces(state.document, board)


def _what(step: str, times: int, game: SavedGame) -> str:
    """Return what a step did, repeated `times` in a row."""
    profile = services().boards.of(game.document)
    if step == "star" or step in profile.tracks:
        return ngettext("%(num)d correction", "%(num)d corrections", times)
    known = {
        "players": _("Players"),
        "photograph": _("A photograph was read"),
        "hand": _("Entry by hand"),
        "swap": _("Boards swapped"),
        "offer": _("The board was left as it is"),
    }
    said = overwritten(step, game) or known.get(step, "")
    return said or _step_said(step, game)


def _step_said(step: str, game: SavedGame) -> str:
    """Return the page that a step belongs to, and its player."""
    name, _dash, seat = step.partition("-")
    if name == "review":
        said = _("Review")
    elif name == "photographs":
        said = _("Photographs")
    else:
        try:
            pages = pages_of(game.document["game"])
            said = pages.words.step(name, game.document)
        except KeyError:  # a step of an older version of the game
            said = name
    whose = step_of(flow.Step(name, int(seat)), game.document) if seat.isdecimal() else ""
    return f"{said} · {whose}" if whose else said


def _who(state: EarlierState, game: SavedGame) -> str:
    if state.browser is None:
        return "Stargazer"
    if state.browser == browser():
        return _("This device")
    if state.seat is not None and state.seat < len(game.document["players"]):
        return _("The device of %(name)s", name=game.document["players"][state.seat]["name"])
    return _("Another device")
