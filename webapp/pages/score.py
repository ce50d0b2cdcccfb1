"""The end: who won and why, and each player's sheet line by line."""

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorer.datafile import DataFileError
from scorer.game import Score
from scorer.topology import Topology
from webapp import flow, game_document, scoring
from webapp.board_owners import board_shown
from webapp.drawn_pieces import DrawnPieces
from webapp.game_document import Document
from webapp.games import pages_of
from webapp.pages import shelf, steps
from webapp.pages.earlier import COUNTED_ANEW
from webapp.pages.owners import owner_of
from webapp.services import services
from webapp.unscorable import hindrances

blueprint = Blueprint("score", __name__, url_prefix="/games/<game_id>/score")

STEP = flow.Step("score")


@blueprint.get("")
def leaderboard(game_id: str) -> ResponseReturnValue:
    """Show who won, with the tie-break explained, and what can be done with the score."""
    game = services().games.open(game_id)
    missing = flow.next_step(game.document)
    if missing != STEP:
        return redirect(steps.url_of(game, missing), 303)
    try:
        score = scoring.of(game.document, services().profile.board)
    except DataFileError as error:
        if hindrances(game.document, services().profile):
            return redirect(url_for("unscorable.show", game_id=game_id), 303)
        return render_template(
            "file_mistakes.html", game=game, step=STEP, problems=error.problems
        ), 422
    standings = scoring.standings(score)
    mended = services().boards.mended(game.document)
    return render_template(
        "score.html",
        game=game,
        step=STEP,
        score=score,
        standings=standings,
        owner=owner_of(game.document, board_shown(game.document, standings[0].seat)),
        lying=_lying(game.document, board_shown(game.document, standings[0].seat)),
        photographed=shelf.photographed(game),
        anew=None if mended is None else _scored(game.document, mended[1].board),
    )


def _scored(document: Document, board: Topology) -> Score | None:
    """A game's score on a board; None where it cannot be scored on that."""
    try:
        return scoring.of(document, board)
    except DataFileError:
        return None


def _lying(document: Document, number: int) -> DrawnPieces:
    return scoring.lying(document, number, services().profile.board)


@blueprint.post("/anew")
def count_anew(game_id: str) -> ResponseReturnValue:
    """Count a finished game with the numbers that its board has now."""

    def change(document: Document) -> Document:
        mended = services().boards.mended(document)
        return document if mended is None else {**document, game_document.PROFILE: mended[0]}

    steps.changed(game_id, COUNTED_ANEW, change)
    return redirect(url_for(".leaderboard", game_id=game_id), 303)


@blueprint.get("/<int:player>")
def sheet(game_id: str, player: int) -> ResponseReturnValue:
    """Show a player's lines; tapping one lights the stars that earn it."""
    game = services().games.open(game_id)
    seat = steps.seat(game, player)
    if flow.next_step(game.document) != STEP:
        return redirect(url_for(".leaderboard", game_id=game_id), 303)
    score = _scored(game.document, services().profile.board)
    if score is None:
        return redirect(url_for(".leaderboard", game_id=game_id), 303)
    own, pages = score.players[player], pages_of(game.document["game"])
    shown = board_shown(game.document, player)
    board_of = {id(line): pages.board_of_line(game.document, line, shown) for line in own.lines}
    numbers = sorted({shown, *board_of.values()})
    return render_template(
        "sheet.html",
        game=game,
        step=STEP,
        player=player,
        seat=seat,
        own=own,
        parts=scoring.by_category(own.lines, pages.game.categories),
        boards={n: (owner_of(game.document, n), _lying(game.document, n)) for n in numbers},
        shown=shown,
        board_of=lambda line: board_of.get(id(line), shown),
        pages=pages,
    )
