"""The owners of a game's boards: the players, or the snapshots of a shared board.

At a shared table the document has `boards`, one per snapshot needed, with the keys that players'
seats have otherwise: `board`, `checked`, `offered`, `settled` and the pieces. An owner is a player
or a snapshot; pages and photographs refer to owners by number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]

BOARDS = "boards"
"""The key of the shared boards."""
MOMENT = "moment"
"""The key of a shared board's snapshot."""

KIND, SEAT = "kind", "seat"
"""The keys of a listed board's kind, if there are several, and of its player's seat."""

BY_HAND: Mapping[str, Any] = {"photograph": None, "index": 0}
"""The value of an owner's `board` for a board entered by hand."""
FOLLOWED: Mapping[str, Any] = {**BY_HAND, "followed": True}
"""The value of an owner's `board` for a board taken over from a live table."""
DOUBTFUL = "doubtful"
"""The key there of regions that nobody counted, with their possible counts, such as "2 plum"."""


def is_shared(document: Document) -> bool:
    """Return whether boards are listed separately from the players."""
    return BOARDS in document


def has_moments(document: Document) -> bool:
    """Return whether the boards are snapshots of one shared board."""
    return BOARDS in document and not any(KIND in board for board in document[BOARDS])


def owners(document: Document) -> Sequence[Mapping[str, Any]]:
    """Return the owners of boards in order: the players, or the listed boards."""
    found: Sequence[Mapping[str, Any]] = document[BOARDS if BOARDS in document else "players"]
    return found


def seat_of(document: Document, number: int) -> int | None:
    """Return the player of an owner's board; None if it is shared."""
    seat: int | None = owners(document)[number].get(SEAT) if BOARDS in document else number
    return seat


def marker_of(document: Document, number: int) -> str:
    """Return the colour of an owner's player; "" if the board is shared."""
    seat = seat_of(document, number)
    return "" if seat is None else str(document["players"][seat]["marker"])


class NoSuchSeatError(LookupError):
    """The game does not have a player or board of this number."""


def numbered(seats: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    """Return one of a game's players or owners. Raises NoSuchSeatError."""
    if not 0 <= number < len(seats):
        raise NoSuchSeatError(number)
    return seats[number]


def owner(document: Document, number: int) -> Mapping[str, Any]:
    """Return the owner of a board by number. Raises NoSuchSeatError."""
    return numbered(owners(document), number)


def is_followed(document: Document, number: int) -> bool:
    """Return whether an owner's board comes from a live table."""
    return bool((owner(document, number)["board"] or BY_HAND).get("followed"))


def with_owners(document: Document, changed: Sequence[Mapping[str, Any]]) -> Document:
    return {**document, BOARDS if BOARDS in document else "players": list(changed)}


def with_owner(document: Document, number: int, **changes: Any) -> Document:
    """Return a document with changes to one owner. Raises NoSuchSeatError."""
    changed = list(owners(document))
    changed[number] = {**owner(document, number), **changes}
    return with_owners(document, changed)


def board_shown(document: Document, player: int) -> int:
    """Return the number of the board shown with a player's score: their own, or the last."""
    if not is_shared(document):
        return player
    return len(owners(document)) - 1 if has_moments(document) else 0
