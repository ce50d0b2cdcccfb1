"""The end: who won and why, and each player's sheet line by line."""

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from scorer.datafile import DataFileError
from webapp import flow, scoring
from webapp.games import pages_of
from webapp.pages import shelf, steps
from webapp.services import services

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
        return render_template(
            "unscorable.html", game=game, step=STEP, problems=error.problems
        ), 422
    standings = scoring.standings(score)
    return render_template(
        "score.html",
        game=game,
        step=STEP,
        score=score,
        standings=standings,
        lying=scoring.lying(game.document, standings[0].seat, services().profile.board),
        photographed=shelf.photographed(game),
    )


@blueprint.get("/<int:player>")
def sheet(game_id: str, player: int) -> ResponseReturnValue:
    """Show a player's lines; tapping one lights the stars that earn it."""
    game = services().games.open(game_id)
    seat = steps.seat(game, player)
    if flow.next_step(game.document) != STEP:
        return redirect(url_for(".leaderboard", game_id=game_id), 303)
    score = scoring.of(game.document, services().profile.board)
    own, pages = score.players[player], pages_of(game.document["game"])
    return render_template(
        "sheet.html",
        game=game,
        step=STEP,
        player=player,
        seat=seat,
        own=own,
        parts=scoring.by_category(own.lines, pages.game.categories),
        lying=scoring.lying(game.document, player, services().profile.board),
        pages=pages,
    )
