"""The snapshots of a shared table, classified jointly if pieces stay in place.

Until somebody confirms a snapshot, its reading is corrected by the other snapshots' photographs and
by people's confirmations of them (`reading_fusion.agreed`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from calibration import Profile
from scorer.board_state import BoardState
from scorer.registry import find_game
from webapp.app.reading.photographs import Photographs
from webapp.app.reading.reading_fusion import ONE_PIECE, UserAnswers, agreed
from webapp.app.session import board_order, game_document
from webapp.app.session.board_slots import BY_HAND, is_shared, owners, with_owner
from webapp.app.session.game_document import Document, is_confirmed, pieces_of

Boards = Sequence[Mapping[str, Any]]
"""The boards read in a photograph, as JSON data."""
Readings = list[BoardState | None]
"""The reading of each owner's board; None without a photograph."""
JUST_READ: Mapping[str, Boards] = {}
"""Readings that are not stored yet, by photograph id."""


class SnapshotReadings:
    """The snapshots of games whose photographs are in `photographs`."""

    def __init__(self, photographs: Photographs) -> None:
        self._photographs = photographs

    def readings(
        self,
        game_id: str,
        document: Document,
        profile: Profile,
        just_read: Mapping[str, Boards] = JUST_READ,
    ) -> Readings:
        """Return the reading of each owner's board, classified jointly for a shared board.

        They are not combined while another order of the photographs would fit better. `profile` is
        that of the game's board.
        """
        reads = self._alone(game_id, document, just_read)
        if not is_shared(document) or not profile.game.table.pieces_stay:
            return reads
        doubt = board_order.doubt(_as_read(document, reads, profile), profile.board)
        if doubt is not None and doubt.order is not None:
            return reads
        user_answers = [_user_answers(document, number, profile) for number in range(len(reads))]
        return agreed(reads, user_answers, profile.places, profile.game)

    def readings_alone(
        self,
        game_id: str,
        document: Document,
        profile: Profile,
        just_read: Mapping[str, Boards] = JUST_READ,
    ) -> Document:
        """Return the document with each photograph's own reading, which determines their order.

        Confirmed boards, and places that somebody has checked, stay as they are.
        """
        if not is_shared(document):
            return document
        return _as_read(document, self._alone(game_id, document, just_read), profile)

    def fuse_readings(
        self,
        game_id: str,
        document: Document,
        profile: Profile,
        just_read: Mapping[str, Boards] = JUST_READ,
    ) -> Document:
        """Return the document with the joint reading of its photographs."""
        if not is_shared(document):
            return document
        return _as_read(document, self.readings(game_id, document, profile, just_read), profile)

    def _alone(self, game_id: str, document: Document, just_read: Mapping[str, Boards]) -> Readings:
        known = {one.id: one.boards for one in self._photographs.of(game_id)} | dict(just_read)
        sources = [owner["board"] or BY_HAND for owner in owners(document)]
        game = find_game(document["game"])
        found = (
            dict(enumerate(known.get(source["photograph"], ()))).get(source["index"])
            for source in sources
        )
        return [None if data is None else BoardState.from_data(data, game) for data in found]


def _as_read(document: Document, reads: Readings, profile: Profile) -> Document:
    """Return the document with `reads` applied to places that nobody has checked."""
    for number, read in enumerate(reads):
        if read is None or is_confirmed(document, number):
            continue
        checked = owners(document)[number]["checked"]
        lies = pieces_of(document, number, profile.board)
        shown = read.pieces
        kept = {at: own for at, own in lies.items() if not _is_open(at.kind, at.id, checked)}
        updated = {at: own for at, own in shown.items() if _is_open(at.kind, at.id, checked)}
        if kept | updated != lies:
            written = game_document.written(document, kept | updated, profile.board)
            document = with_owner(document, number, **written)
    return document


def _is_open(kind: str, place: str, checked: Sequence[str]) -> bool:
    return kind in ONE_PIECE and place not in checked


def _user_answers(document: Document, number: int, profile: Profile) -> UserAnswers:
    """Return what people say of a board: all of it if confirmed, else the checked places."""
    lies = pieces_of(document, number, profile.board)
    checked = owners(document)[number]["checked"]
    return {
        place: lies.get(place)
        for place in profile.places
        if place.kind in ONE_PIECE and (is_confirmed(document, number) or place.id in checked)
    }
