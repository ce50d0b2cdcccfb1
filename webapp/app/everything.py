"""A whole game to be printed: its boards, its cards and all that lies beside them."""

from calibration import Profile, load_profile
from calibration.printing import Sheets, print_everything
from calibration.summary import Aids
from scorer import registry
from scorer.table_guide import guide_of
from webapp.app.game_pages import pages_of


def everything(profile: Profile, sheets: Sheets, players: int | None = None) -> bytes:
    """The PDF of a board's game for so many players, None for the most there may be.

    Beginners' own board, where the game has one, comes after it.
    """
    game = registry.find_game(profile.layout.game)
    kind = game.table.kind(profile.layout.kind)
    seats = players or game.table.most_players
    boards = [profile] * (1 if kind.owner == "all" else seats)
    cards = pages_of(game.id).cards(profile, sheets.language)
    guide = guide_of(game)
    aids = None if guide is None else Aids(game.title, guide, seats)
    beginners = None if guide is None else guide.first_game.get("profile")
    if beginners is not None and beginners != profile.name:
        boards.append(load_profile(beginners))
    return print_everything(boards, cards, aids, sheets)
