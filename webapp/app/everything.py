"""A whole game to be printed: its boards, its cards and all that lies beside them."""

from calibration import Profile
from calibration.printing import Sheets, print_everything
from scorer import registry
from scorer.table_guide import guide_of
from webapp.app.game_pages import pages_of


def everything(profile: Profile, sheets: Sheets, players: int | None = None) -> bytes:
    """The PDF of a board's game for so many players, None for the most there may be."""
    game = registry.find_game(profile.layout.game)
    kind = game.table.kind(profile.layout.kind)
    copies = 1 if kind.owner == "all" else players or game.table.most_players
    cards = pages_of(game.id).cards(profile, sheets.language)
    return print_everything(profile, copies, cards, guide_of(game), sheets)
