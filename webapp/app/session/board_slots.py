"""Whose the boards of a game are: each player's own, or everybody's at one moment after another.

At a shared table the document has `boards`, one for each moment of which a picture is wanted, with
what a player's seat has elsewhere: `board`, `checked`, `offered`, `settled` and what lies there.
Whoever has a board is an owner, a player or a moment; pages and photographs know them by number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]

BOARDS = "boards"
"""The key of the boards that are everybody's."""
MOMENT = "moment"
"""The key by which such a board says of which of the table's snapshots it is."""

KIND, SEAT = "kind", "seat"
"""The keys by which a listed board says its kind, where there are several, and whose it is."""

BY_HAND: Mapping[str, Any] = {"photograph": None, "index": 0}
"""Where a board is from that somebody entered, as an owner has it under `board`."""
FOLLOWED: Mapping[str, Any] = {**BY_HAND, "followed": True}
"""Where a board is from that was taken over from a table that was followed live."""
DOUBTFUL = "doubtful"
"""The key by which that has the regions that nobody counted, and counts that may be: "2 plum"."""


def is_shared(document: Document) -> bool:
    """Say whether boards are listed apart from the players."""
    return BOARDS in document


def has_moments(document: Document) -> bool:
    """Say whether the boards are everybody's one board, at one moment after another."""
    return BOARDS in document and not any(KIND in board for board in document[BOARDS])


def owners(document: Document) -> Sequence[Mapping[str, Any]]:
    """Return who has a board, in their order: the players, or the moments of the one board."""
    found: Sequence[Mapping[str, Any]] = document[BOARDS if BOARDS in document else "players"]
    return found


class NoSuchSeatError(LookupError):
    """A game has no player, or no board, of this number, or has none any more."""


def numbered(seats: Sequence[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    """Return one of a game's players or owners. Raises NoSuchSeatError."""
    if not 0 <= number < len(seats):
        raise NoSuchSeatError(number)
    return seats[number]


def owner(document: Document, number: int) -> Mapping[str, Any]:
    """Return who has a board, by their number. Raises NoSuchSeatError."""
    return numbered(owners(document), number)


def is_followed(document: Document, number: int) -> bool:
    """Say whether an owner's board is from a table that was followed live."""
    return bool((owner(document, number)["board"] or BY_HAND).get("followed"))


def with_owners(document: Document, changed: Sequence[Mapping[str, Any]]) -> Document:
    """Return a document with other owners in the place of those it has."""
    return {**document, BOARDS if BOARDS in document else "players": list(changed)}


def with_owner(document: Document, number: int, **changes: Any) -> Document:
    """Return a document in which something of one owner's is changed. Raises NoSuchSeatError."""
    changed = list(owners(document))
    changed[number] = {**owner(document, number), **changes}
    return with_owners(document, changed)


def board_shown(document: Document, player: int) -> int:
    """Return the number of the board that a player's score is seen on: their own, or the last."""
    if not is_shared(document):
        return player
    return len(owners(document)) - 1 if has_moments(document) else 0
