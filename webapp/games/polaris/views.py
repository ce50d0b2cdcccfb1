"""Polaris' own pages: cards, telescopes, a phase's points, what is left over at the end."""

from collections.abc import Sequence

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.polaris.board import SkyBoard
from scorer.polaris.card import COMMON, PERSONAL
from scorer.polaris.edition import load_edition
from scorer.polaris.game import PHASES
from scorer.polaris.table_state import HAND_LIMIT
from scorer.polaris.turn_inference import can_join
from webapp.app.session import flow, scoring
from webapp.app.session.board_slots import owners
from webapp.app.session.saved_games import Document
from webapp.games.polaris import action_pictures, card_pictures, document
from webapp.games.polaris.guide import sentences, table
from webapp.games.polaris.phase_lines import PhaseLine, lines_of
from webapp.web.changes import Right, changes
from webapp.web.context import current_profile
from webapp.web.game_blueprints import AssetsBlueprint, of_step, svg_picture
from webapp.web.pages import decks, personal, questions, steps
from webapp.web.pages.owners import owner_of

blueprint = Blueprint("polaris", __name__, template_folder="templates")
assets = AssetsBlueprint("polaris_assets", __name__, card_pictures.drawn)
decks.page(blueprint, "/objectives")
questions.page(blueprint, "telescopes")
questions.page(blueprint, "stock")
personal.page(
    blueprint,
    "objective",
    lambda game, player: [(_("Personal objectives"), list(PERSONAL.values()))],
)


def sky_board() -> SkyBoard:
    """The board of the request's game."""
    board = current_profile().board
    assert isinstance(board, SkyBoard)
    return board


@blueprint.app_context_processor
def _words() -> dict[str, object]:
    return {
        "COMMON": COMMON,
        "telescope_of": document.telescope,
        "is_sky_known": document.is_known,
        "guided_moons": table.moons_shown,
        "guided_orbits": table.orbits_shown,
        "guided_cards": table.cards_shown,
        "guided_stars": table.stars_shown,
        "guided_sizes": table.sizes_shown,
        "guided_fillers": table.fillers_shown,
        "guided_suns": table.suns_played,
        "guided_tags": table.tags_shown,
        "guided_hand_limit": HAND_LIMIT,
        "guided_hand": table.hand_shown,
        "guided_missed": sentences.most_missed,
        "lesson_count": table.lesson_count,
        "can_join": can_join,
    }


@assets.get("/moons/<moon>.svg")
def moon_picture(moon: str) -> ResponseReturnValue:
    return svg_picture(lambda: action_pictures.draw_moon(moon))


@assets.get("/actions/<card>.svg")
def action_card_picture(card: str) -> ResponseReturnValue:
    """Draw a whole action card, with its choices side by side."""
    known = load_edition("standard").actions
    return svg_picture(lambda: action_pictures.draw_card(known[card]))


@assets.get("/actions/<card>/<int:choice>.svg")
def action_picture(card: str, choice: int) -> ResponseReturnValue:
    known = load_edition("standard").actions
    return svg_picture(lambda: action_pictures.draw_action(known[card], choice))


@blueprint.post("/phases/<int:phase>/telescope")
@of_step("telescopes")
@changes(Right.TABLE)
def telescope(game_id: str, phase: int) -> ResponseReturnValue:
    """Set the telescope's holder in a phase, numbered from 1."""
    game = steps.opened(game_id)
    seat = request.form.get("telescope", -1, type=int)
    if not 1 <= phase <= PHASES or not 0 <= seat < len(game.document["players"]):
        abort(422, "no such phase or player")
    steps.changed(
        game_id, "telescopes", lambda kept: document.with_telescope(kept, phase - 1, seat)
    )
    shown = url_for("photographs.show", game_id=game_id)
    return steps.redirect_back(game_id, f"{shown}#phase-{phase}")


@blueprint.get("/phases/<int:phase>")
@of_step("cards")
def phase_points(game_id: str, phase: int) -> ResponseReturnValue:
    """Show each player's points in a phase, numbered from 1; a tap highlights what earns them."""
    game = steps.opened(game_id)
    number, cards = phase - 1, game.document["cards"]
    if not 0 <= number < min(len(cards), len(owners(game.document))):
        abort(404)
    if not document.is_known(game.document, number):
        return redirect(url_for("photographs.show", game_id=game_id), 303)
    return render_template(
        "polaris/phase.html",
        game=game,
        step=flow.Step("photographs"),
        phase=phase,
        card=COMMON[cards[number]],
        owner=owner_of(game.document, number),
        drawn_pieces=scoring.drawn_pieces(game.document, number, sky_board()),
        lines=phase_lines(game.document, number, sky_board()),
    )


def phase_lines(kept: Document, number: int, board: SkyBoard) -> Sequence[PhaseLine]:
    """The players' points in a phase, most first."""
    phases = [
        (
            card,
            document.sky_of(kept, phase, board) if document.is_known(kept, phase) else None,
            document.name_of(kept, document.telescope(kept, phase)),
        )
        for phase, card in enumerate(kept["cards"][: number + 1])
    ]
    lines = lines_of(phases, document.colours(kept), load_edition(kept["edition"]))[number]
    return sorted(lines, key=lambda line: -line.score.points)
