"""A whole game to be printed: its boards, its cards and all that lies beside them."""

from calibration import Profile, ProfileError, load_profile
from calibration.printing import Sheets, print_everything
from scorer import registry
from scorer.table_guide import guide_of
from webapp.app.game_pages import pages_of


def everything(profile: Profile, sheets: Sheets, players: int | None = None) -> bytes:
    """The PDF of the game that a board is of, for so many players: None for the most there may be.

    A further kind of board comes from the profile NAME-KIND; one that there is none of is left out.
    """
    game = registry.find_game(profile.layout.game)
    boards = []
    for kind in game.table.boards:
        own = _of_kind(profile, kind.id)
        if own is not None:
            copies = 1 if kind.owner == "all" else players or game.table.most_players
            boards.append((own, copies))
    cards = pages_of(game.id).cards(profile, sheets.language)
    return print_everything(boards, cards, guide_of(game), sheets)


def _of_kind(profile: Profile, kind: str) -> Profile | None:
    if kind == profile.layout.kind:
        return profile
    name = f"{profile.name}-{kind}"
    try:
        return load_profile(f"{profile.layout.game}/{name}" if profile.built_in else name)
    except ProfileError:
        return None
