"""Ask: any word of the game and any card, explained; searched, or asked for where it stands."""

from typing import Any

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from scorer.game import Game
from scorer.glossary import Term, found
from webapp import board_drawing
from webapp.drawn_pieces import DrawnPieces
from webapp.failures import wants_json
from webapp.games import pages_of
from webapp.languages import language
from webapp.services import services

blueprint = Blueprint("ask", __name__, url_prefix="/ask")

LONGEST_QUESTION = 100


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show the words of the game, those that are searched for; for a script as a part of a page."""
    wanted = request.args.get("q", "")[:LONGEST_QUESTION]
    terms = found(services().boards.default.game.glossary, wanted, language())
    page = "_ask.html" if wants_json() else "ask.html"
    return render_template(page, terms=terms, wanted=wanted)


@blueprint.get("/<term_id>")
def term(term_id: str) -> ResponseReturnValue:
    """Explain one word, or one card."""
    game = services().boards.default.game
    terms = {one.id: one for one in game.glossary}
    if term_id not in terms:
        abort(404)
    one = terms[term_id]
    page = "_term.html" if wants_json() else "term.html"
    return render_template(
        page,
        term=one,
        see=[terms[other] for other in one.see],
        lying=_lying(game, one),
        picture=pages_of(game.id).term_picture(one.id),
        drawing=board_drawing.draw(services().boards.standard),
    )


def _lying(game: Game[Any, Any, Any], term: Term) -> DrawnPieces | None:
    return None if term.example is None else DrawnPieces.of(game.pieces_of(term.example))
