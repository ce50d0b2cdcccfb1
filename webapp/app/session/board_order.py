"""The order of a shared table's snapshots: photographs chosen together are sorted to fit.

The document's key `order` says who set it: missing if nobody has, the companion, or a person, whose
order is only questioned, not changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.game import Inconsistency
from scorer.temporal_fusion import first_inconsistency, fitting_order
from scorer.topology import Topology
from webapp.app.game_pages import pages_of
from webapp.app.session.board_slots import has_moments, owners
from webapp.app.session.game_document import (
    ORDER,
    Document,
    has_board,
    has_pieces,
    is_work,
    offers,
    rearranged,
)

FOUND, CONFIRMED = "found", "told"  # as saved documents have it


@dataclass(frozen=True)
class Doubt:
    """A snapshot that is unlikely to follow those before it, by number, and the reason.

    `order` is one that fits better, None if there is none: for each snapshot, the number of the
    board that belongs there.
    """

    number: int
    inconsistency: Inconsistency
    order: tuple[int, ...] | None = None

    @property
    def moved(self) -> tuple[int, ...]:
        """The numbers of the snapshots that the other order changes."""
        return tuple(at for at, one in enumerate(self.order or ()) if at != one)


def doubt(document: Document, board: Topology) -> Doubt | None:
    """Return an inconsistency in the order of the snapshots; None if there is none."""
    positions = _positions(document, board)
    game = pages_of(document["game"]).game
    found = first_inconsistency(game, positions)
    if found is None:
        return None
    order = fitting_order(game, positions)
    return Doubt(*found, None if order == tuple(range(len(positions))) else order)


def put_in_order(document: Document, board: Topology) -> Document:
    """Sort boards that were only read into the order that fits, unless a person has set it."""
    if document.get(ORDER) == CONFIRMED or not has_moments(document) or offers(document):
        return document
    positions = _positions(document, board)
    order = fitting_order(pages_of(document["game"]).game, positions, onto_free=False)
    moved = [at for at, one in enumerate(order) if at != one]
    if not moved or any(is_work(document, number) for number in moved):
        return document
    return {**rearranged(document, order), ORDER: FOUND}


def mark_order_confirmed(document: Document) -> Document:
    """Mark the order of the snapshots as set by a person."""
    return {**document, ORDER: CONFIRMED} if has_moments(document) else document


def _positions(document: Document, board: Topology) -> Sequence[Any]:
    """Return each snapshot's position, None if unknown; () if boards belong to players."""
    if not has_moments(document):
        return ()
    game = pages_of(document["game"]).game
    return [
        game.position_from_data(board, own)
        if has_board(document, number) and has_pieces(document, number)
        else None
        for number, own in enumerate(owners(document))
    ]
