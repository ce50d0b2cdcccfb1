"""Before a game: what wins, how the table is set up, step by step, and the game to be printed."""

from dataclasses import replace
from functools import lru_cache

import cv2
from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from calibration.artwork import describe_board, further_sheets
from calibration.drawing import Fill, rasterise
from calibration.printing import PAPERS, Sheets
from calibration.profile import Profile
from scorer.table_guide import guide_of
from webapp.app.everything import everything
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.languages import language
from webapp.web.context import services

blueprint = Blueprint("table_setup", __name__, url_prefix="/table")

PICTURE_PX = 640
BOARD = "board"


@blueprint.get("/<game_name>")
def show(game_name: str) -> ResponseReturnValue:
    """Show what wins and the setup for so many players, in a mode of the game."""
    pages = _pages(game_name)
    guide = guide_of(pages.game)
    if guide is None:
        abort(404)
    table, turns, modes = pages.game.table, pages.game.turns, [*pages.modes]
    counts = turns.players if turns else range(table.fewest_players, table.most_players + 1)
    asked = request.args.get("players", 0, int)
    players = asked if asked in counts else counts[0]
    mode = request.args.get("mode", "")
    mode = mode if mode in modes else next(iter(modes), "")
    return render_template(
        "table_setup.html",
        pages=pages,
        guide=guide,
        steps=guide.setup(players, mode),
        counts=counts,
        players=players,
        modes=modes,
        mode=mode,
        pictures=_drawings(game_name),
        papers={"a4": "A4", "letter": "Letter", "a3": "A3"},
    )


@blueprint.get("/<game_name>/picture/<name>.jpg")
def picture(game_name: str, name: str) -> ResponseReturnValue:
    """Draw a printed thing by which a step of the setup is shown."""
    _pages(game_name)
    if name not in _drawings(game_name):
        abort(404)
    response = Response(_jpeg(game_name, name), mimetype="image/jpeg")
    response.cache_control.max_age = 86400
    return response


@blueprint.get("/<game_name>/print.pdf")
def printed(game_name: str) -> ResponseReturnValue:
    """Make the whole game as a PDF, in the language of the pages."""
    _pages(game_name)
    paper = request.args.get("paper", "a4")
    if paper not in PAPERS:
        abort(404)
    sheets = Sheets(paper, language(), saving="saving" in request.args)
    response = Response(_pdf(game_name, sheets), mimetype="application/pdf")
    name = f"{game_name}-{paper}.pdf"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _pages(game: str) -> GamePages:
    if game not in services().boards.games:
        abort(404)
    return pages_of(game)


def _standard(game: str) -> Profile:
    profile = services().boards.standard(game)
    if profile is None:
        abort(404)
    return profile


@lru_cache(maxsize=8)
def _drawings(game: str) -> frozenset[str]:
    sheets = further_sheets(_standard(game).layout)
    return frozenset({BOARD, *(sheet.name for sheet in sheets if sheet.name)})


@lru_cache(maxsize=32)
def _jpeg(game: str, name: str) -> bytes:
    layout = _standard(game).layout
    drawings = {sheet.name: sheet for sheet in further_sheets(layout)}
    drawing = describe_board(layout) if name == BOARD else drawings[name]
    width, height = drawing.size_mm
    paper = Fill((((0, 0), (width, 0), (width, height), (0, height)),), "#ffffff")
    drawn = replace(drawing, marks=(paper, *drawing.marks))
    pixels = rasterise(drawn, PICTURE_PX / max(drawing.size_mm))
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


@lru_cache(maxsize=4)
def _pdf(game: str, sheets: Sheets) -> bytes:
    """Printed again for the next who asks, without drawing it anew."""
    return everything(_standard(game), sheets)
