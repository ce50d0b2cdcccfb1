"""Everything to print for a game: its boards, cards and player aids."""

from calibration import Profile, load_profile
from calibration.printing import Sheets, WholeGame, print_everything
from calibration.summary import Aids
from scorer import registry
from scorer.table_guide import guide_of
from webapp.app.game_pages import pages_of


def whole_game(profile: Profile, language: str, players: int | None = None) -> WholeGame:
    """Return the game of a board for `players`, None for the most that can play.

    The beginners' board, if the game has a separate one, comes last.
    """
    game = registry.find_game(profile.layout.game)
    kind = game.table.kind(profile.layout.kind)
    seats = players or game.table.most_players
    boards = [profile] * (1 if kind.owner == "all" else seats)
    cards = pages_of(game.id).cards(profile, language)
    guide = guide_of(game)
    aids = None if guide is None else Aids(game.title, guide, seats)
    beginners = None if guide is None else guide.first_game.get("profile")
    if beginners is not None and beginners != profile.name:
        boards.append(load_profile(beginners))
    return WholeGame(boards, cards, aids)


def everything(profile: Profile, sheets: Sheets, players: int | None = None) -> bytes:
    """Return the PDF of what `whole_game` returns."""
    return print_everything(whole_game(profile, sheets.language, players), sheets)
