"""Nebula's own pages: the cards, the Values board, the career markers, personal cards."""

from collections.abc import Sequence

from flask import Blueprint
from flask_babel import gettext as _

from scorer.nebula.card import CARDS, Card, of_deck
from scorer.nebula.fulfillable import with_lack
from scorer.nebula.result import Table
from scorer.nebula.turns.state import CARD_BACK, State
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import CONSTELLATIONS, say
from scorer.objective import CardResult
from webapp.app.session.saved_games import SavedGame
from webapp.games.nebula import card_pictures, proposals, words
from webapp.games.nebula.guide import questions as guide_questions
from webapp.games.nebula.guide import sentences
from webapp.web.context import current_profile
from webapp.web.game_blueprints import AssetsBlueprint
from webapp.web.pages import decks, personal, questions

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
    return {
        "CONSTELLATIONS": CONSTELLATIONS,
        "CARDS": CARDS,
        "nebula_say": say,
        "nebula_words": words,
        "value_tracks": TRACKS,
        "secret_cards": secret_cards,
        "nebula_to_claim": sentences.to_claim,
        "nebula_boosted": sentences.boosted,
        "nebula_career_worth": sentences.career_worth,
        "nebula_one_lacks": sentences.one_lacks,
        "nebula_to_the_end": sentences.to_the_end,
        "nebula_refilled_after": sentences.refilled_after,
        "nebula_clusters": guide_questions.clusters_of,
        "nebula_missed": sentences.most_missed,
    }


def secret_cards(state: State, seat: int) -> Sequence[tuple[Card, CardResult]]:
    """The personal card that was kept, otherwise those dealt, in a state as the player knows it."""
    hand, galaxies = state.hands[seat], [one.galaxy for one in state.seats]
    table = Table.of(galaxies, seat, len(state.claims_of(seat)))
    cards = (hand.personal,) if hand.personal else hand.dealt
    known = [state.rules.edition.cards[card] for card in cards if card != CARD_BACK]
    return [(card, with_lack(card, galaxies[seat], table)) for card in known]


def personal_cards(game: SavedGame, player: int) -> personal.Groups:
    """The cards that the player's board fulfils, and the others."""
    fulfilled = proposals.personal(game.document, player, current_profile().board)
    others = [card for card in of_deck("personal").values() if card not in fulfilled]
    found = (_("Fulfilled on this board"), fulfilled), (_("Not fulfilled"), others)
    return [(title, some) for title, some in found if some]


personal.page(blueprint, "personal", personal_cards)
