"""Nebula's own pages: the cards, the Values board, the career markers, personal cards."""

from flask import Blueprint
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.nebula.card import CARDS, of_deck
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import CONSTELLATIONS
from webapp.app.session.saved_games import SavedGame
from webapp.games.nebula import card_pictures, proposals, words
from webapp.games.nebula.guide import secret, sentences
from webapp.web.changes import Right, Seen, changes
from webapp.web.context import current_profile
from webapp.web.game_blueprints import AssetsBlueprint
from webapp.web.pages import decks, questions
from webapp.web.pages import personal as secret_card

blueprint = Blueprint("nebula", __name__, template_folder="templates")
blueprint.add_app_template_filter(words.token_name, "token_title")
assets = AssetsBlueprint(
    "nebula_assets", __name__, lambda card: card_pictures.draw(CARDS[card], current_profile())
)

decks.page(blueprint, "/cards", photographed=True)
questions.page(blueprint, "values")
questions.page(blueprint, "markers")


@blueprint.app_context_processor
def _words() -> dict[str, object]:
    """Names for Nebula's templates."""
    return {
        "CONSTELLATIONS": CONSTELLATIONS,
        "CARDS": CARDS,
        "deck": of_deck,
        "nebula_words": words,
        "token_name": words.token_name,
        "value_tracks": TRACKS,
        "secret_cards": secret.secret_shown,
        "nebula_to_the_end": sentences.to_the_end,
    }


@blueprint.route("/players/<int:player>/personal", methods=["GET", "POST"])
@changes(Right.SEAT, Seen.STEP)
def personal(game_id: str, player: int) -> ResponseReturnValue:
    """Choose the player's personal card, with a single tap."""

    def groups(game: SavedGame) -> secret_card.Groups:
        """The cards that the player's board fulfils, and the others."""
        fulfilled = proposals.personal(game.document, player, current_profile().board)
        others = [card for card in of_deck("personal").values() if card not in fulfilled]
        found = (_("Fulfilled on this board"), fulfilled), (_("Not fulfilled"), others)
        return [(title, some) for title, some in found if some]

    return secret_card.choose(game_id, player, groups)
