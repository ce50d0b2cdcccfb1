"""Boards of photographs: who they are given to, and what a person said about that."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.board_state import BoardState
from scorer.game import Game
from webapp.app.session.board_slots import Document, owner, owners, with_owner
from webapp.app.session.game_document import (
    TABLE_PHOTOGRAPH,
    exchange_boards,
    game_of,
    is_confirmed,
    is_work,
    review,
    seat_pieces,
    without_confirmed,
)

ASSIGNED = "assigned"
"""The key of the photographed boards, as PHOTOGRAPH.INDEX, whose owners a person named."""


@dataclass(frozen=True)
class PhotographedBoard:
    """A board of a photograph by its index there, and its reading."""

    photograph: str
    index: int
    read: Mapping[str, Any]

    @property
    def source(self) -> dict[str, Any]:
        """The value of an owner's `board` for it."""
        return {"photograph": self.photograph, "index": self.index}

    def pieces_data(self, game: Game[Any, Any, Any]) -> dict[str, Any]:
        """The pieces as read, by game-file keys."""
        return game.pieces_data(BoardState.from_data(self.read, game).pieces)


def with_board(document: Document, player: int, board: PhotographedBoard) -> Document:
    """Set an owner's board to one from a photograph, with the pieces as read."""
    read = board.pieces_data(game_of(document))
    given = with_owner(document, player, board=board.source, checked=[], offered=None, **read)
    return without_confirmed(given, (review(player),))


def with_photographed(document: Document, player: int, board: PhotographedBoard) -> Document:
    """Set an owner's board to one from a photograph, or offer it if that would undo work."""
    if not is_work(document, player):
        return with_board(document, player, board)
    read = board.pieces_data(game_of(document))
    if seat_pieces(document, player) == read:
        return document
    return with_owner(document, player, offered=board.source)


def swap_board(document: Document, player: int, board: PhotographedBoard) -> Document:
    """Assign a photographed board to an owner; its previous owner gets theirs instead."""
    if owner(document, player)["board"] == board.source:
        return document
    for seat, other in enumerate(owners(document)):
        if other["board"] == board.source:
            return exchange_boards(document, player, seat)
    return with_photographed(document, player, board)


def with_assigned(document: Document, *numbers: int) -> Document:
    """Mark the owners of photographed boards as named by a person."""
    named = [_name(owner(document, number)["board"]) for number in numbers]
    known = [*document.get(ASSIGNED, ()), *filter(None, named)]
    return {**document, ASSIGNED: [*dict.fromkeys(known)]} if known else document


def is_assigned(document: Document, number: int) -> bool:
    """Return whether a person named, or confirmed, the owner of a board."""
    named = _name(owner(document, number)["board"]) in document.get(ASSIGNED, ())
    return named or is_confirmed(document, number)


def _name(source: Mapping[str, Any] | None) -> str:
    photographed = source and source["photograph"] is not None
    return f"{source['photograph']}.{source['index']}" if source and photographed else ""


def likeness(document: Document, number: int, board: PhotographedBoard) -> float:
    """Return the share of equal pieces of an owner's board and a photographed one, 0 to 1."""
    own = {*_entries(seat_pieces(document, number))}
    read = {*_entries(board.pieces_data(game_of(document)))}
    return len(own & read) / max(len(own | read), 1)


def _entries(data: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _entries(value, (*at, key))
    elif data:
        yield *at, str(data)


def table_board(document: Document, source: Mapping[str, Any] | None) -> int | None:
    """Return the index of an owner's `board` in the photograph of the whole table, or None."""
    whole = document.get(TABLE_PHOTOGRAPH)
    return source["index"] if whole and source and source["photograph"] == whole else None
