"""A game as a game file, which `stargazer score` counts to the same score."""

import yaml

from webapp import game_document
from webapp.board_owners import is_shared
from webapp.games import pages_of
from webapp.saved_games import Document


def game_file(document: Document) -> str:
    """Return the game as the YAML of a game file, its stars written out.

    A player whose board is not known yet has a photograph that is still to be taken.
    """
    note = {key: document[key] for key in (game_document.NOTE,) if key in document}
    data = game_document.game_data(document)
    if not is_shared(document):
        lying = pages_of(document["game"]).game.pieces_data({})
        data["players"] = [
            player
            if game_document.has_board(document, seat) or game_document.has_pieces(document, seat)
            else {key: told for key, told in player.items() if key not in lying}
            | {"photo": f"board-{seat + 1}.jpg"}
            for seat, player in enumerate(data["players"])
        ]
    return yaml.safe_dump(
        {**data, **note},
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None,
    )
