"""Sharing a finished game as a game file, a table, a picture or a logged play."""

from contextlib import suppress

from flask import Blueprint, Response, abort, redirect, url_for
from flask.typing import ResponseReturnValue

from scorer.datafile import DataFileError
from scorer.scoresheet import Score
from webapp.app.game_pages import pages_of
from webapp.app.session import flow
from webapp.app.session.saved_games import SavedGame
from webapp.app.sharing import bgstats_link, csv_table, game_file
from webapp.web.context import current_profile, services
from webapp.web.score_picture import picture

blueprint = Blueprint("sharing", __name__, url_prefix="/games/<game_id>/share")

BYTE_ORDER_MARK = "\ufeff"
"""Makes spreadsheets read CSV as UTF-8."""


@blueprint.get("/game.yaml")
def as_game_file(game_id: str) -> ResponseReturnValue:
    game = services().games.open(game_id)
    return _file(game, game_file(game.document).encode(), "application/yaml", "yaml")


@blueprint.get("/score.csv")
def as_table(game_id: str) -> ResponseReturnValue:
    game = services().games.open(game_id)
    content = (BYTE_ORDER_MARK + csv_table(_score(game), pages_of(game.document["game"]))).encode()
    return _file(game, content, "text/csv; charset=utf-8", "csv")


@blueprint.get("/score.png")
def as_picture(game_id: str) -> ResponseReturnValue:
    game = services().games.open(game_id)
    return _file(game, picture.picture(game, _score(game), current_profile()), "image/png", "png")


@blueprint.get("/bgstats")
def to_bgstats(game_id: str) -> ResponseReturnValue:
    """Redirect to the BG Stats app with the play filled in."""
    game = services().games.open(game_id)
    return redirect(bgstats_link(game, _score(game)), 303)


def _score(game: SavedGame) -> Score:
    """Return the game's score; without one, redirect to its page, which says why."""
    with suppress(DataFileError):
        if flow.next_step(game.document).name == "score":
            return services().counting.score(game)
    abort(redirect(url_for("score.leaderboard", game_id=game.id), 303))


def _file(game: SavedGame, content: bytes, mimetype: str, ending: str) -> Response:
    response = Response(content, content_type=mimetype)
    name = f"{game.document['game']}-{game.created_at:%Y-%m-%d}.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response
