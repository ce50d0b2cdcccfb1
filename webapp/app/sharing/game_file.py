"""A game as a game file, which `stargazer score` scores equally."""

import yaml

from webapp.app.game_pages import pages_of
from webapp.app.session.board_slots import owners, with_owner
from webapp.app.session.game_document import NOTE, game_data, is_confirmed, is_work
from webapp.app.session.saved_games import Document


def game_file(document: Document) -> str:
    """Return the game as the YAML of a game file with its pieces.

    Boards that nobody has confirmed or worked on are given as photographs still to be taken.
    """
    note = {NOTE: document[NOTE]} if NOTE in document else {}
    nothing = dict.fromkeys(pages_of(document["game"]).game.pieces_data({}))
    for number in range(len(owners(document))):
        if not (is_confirmed(document, number) or is_work(document, number)):
            photo = f"board-{number + 1}.jpg"
            document = with_owner(document, number, **nothing, photo=photo)
    return yaml.safe_dump(
        {**game_data(document), **note},
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=None,
    )
