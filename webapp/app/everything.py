"""A whole game to be printed: its boards, its cards and all that lies beside them."""

from calibration import Profile
from calibration.printing import Sheets, print_everything
from calibration.summary import Aids
from scorer import registry
from scorer.table_guide import guide_of
from webapp.app.game_pages import pages_of


def everything(profile: Profile, sheets: Sheets, players: int | None = None) -> bytes:
    """The PDF of a board's game for so many players, None for the most there may be."""
    game = registry.find_game(profile.layout.game)
    kind = game.table.kind(profile.layout.kind)
    seats = players or game.table.most_players
    copies = 1 if kind.owner == "all" else seats
    cards = pages_of(game.id).cards(profile, sheets.language)
    guide = guide_of(game)
    aids = None if guide is None else Aids(game.title, guide, seats)
    return print_everything(profile, copies, cards, aids, sheets)
