"""The score: the ranking, and each player's score sheet."""

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorer.datafile import DataFileError
from scorer.scoresheet import Line
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import pages_of
from webapp.app.session import flow, scoring
from webapp.app.session.board_slots import board_shown, has_moments
from webapp.app.session.game_document import Document
from webapp.app.session.scoring import scoring_blockers
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile, services
from webapp.web.pages import history, steps
from webapp.web.pages.earlier import COUNTED_ANEW
from webapp.web.pages.owners import owner_of

blueprint = Blueprint("score", __name__, url_prefix="/games/<game_id>/score")

STEP = flow.Step("score")


@blueprint.get("")
def leaderboard(game_id: str) -> ResponseReturnValue:
    """Show the ranking with tie-breaks explained, and what can be done with the score."""
    game = services().games.open(game_id)
    missing = flow.next_step(game.document)
    if missing != STEP:
        return redirect(steps.url_of(game, missing), 303)
    try:
        score = services().counting.score(game)
    except DataFileError as error:
        if scoring_blockers(game.document, current_profile()):
            return redirect(url_for("scoring_blockers.show", game_id=game_id), 303)
        return render_template(
            "file_mistakes.html", game=game, step=STEP, problems=error.problems
        ), 422
    standings = scoring.standings(score)
    return render_template(
        "score.html",
        game=game,
        step=STEP,
        score=score,
        standings=standings,
        owner=owner_of(game.document, board_shown(game.document, standings[0].seat)),
        drawn_pieces=_drawn_pieces(game.document, board_shown(game.document, standings[0].seat)),
        photographed=history.photographed(game),
        anew=services().counting.recount(game, score),
        pages=pages_of(game.document["game"]),
    )


def _board_of(document: Document, line: Line, shown: int) -> int:
    """Return the number of the board that a line is about: that of its phase (from 1), if any."""
    phase = line.subject.get("phase") if has_moments(document) else None
    return shown if phase is None else int(phase) - 1


def _drawn_pieces(document: Document, number: int) -> DrawnPieces:
    return scoring.drawn_pieces(document, number, current_profile().board)


@blueprint.post("/anew")
@changes(Right.TABLE, Seen.REVISION)
def count_again(game_id: str) -> ResponseReturnValue:
    """Score a finished game again with the current board and program."""
    game = services().games.open(game_id)
    if flow.next_step(game.document) == STEP:
        steps.changed(game_id, COUNTED_ANEW, services().counting.anew)
    return redirect(url_for(".leaderboard", game_id=game_id), 303)


@blueprint.get("/<int:player>")
def sheet(game_id: str, player: int) -> ResponseReturnValue:
    """Show a player's score lines; tapping one highlights the pieces that earn it."""
    game = services().games.open(game_id)
    seat = steps.seat(game, player)
    if flow.next_step(game.document) != STEP:
        return redirect(url_for(".leaderboard", game_id=game_id), 303)
    try:
        score = services().counting.score(game)
    except DataFileError:
        return redirect(url_for(".leaderboard", game_id=game_id), 303)
    own, pages = score.players[player], pages_of(game.document["game"])
    shown = board_shown(game.document, player)
    board_of = {id(line): _board_of(game.document, line, shown) for line in own.lines}
    numbers = sorted({shown, *board_of.values()})
    return render_template(
        "sheet.html",
        game=game,
        step=STEP,
        player=player,
        seat=seat,
        own=own,
        parts=scoring.by_category(own.lines, pages.game.categories),
        boards={n: (owner_of(game.document, n), _drawn_pieces(game.document, n)) for n in numbers},
        shown=shown,
        board_of=lambda line: board_of.get(id(line), shown),
        pages=pages,
    )
