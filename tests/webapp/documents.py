"""Changes of a document on the standard board, as tests make them."""

from calibration import load_profile
from scorer.places import Place
from webapp.app.session.game_document import Document, with_count, with_piece

BOARD = load_profile("standard").board


def with_star(document: Document, player: int, space: str, colour: str | None) -> Document:
    return with_piece(document, player, Place(space), colour, BOARD)


def with_black(document: Document, player: int, count: int) -> Document:
    return with_count(document, player, "black", count, BOARD)
