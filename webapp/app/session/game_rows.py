"""Database rows of games, revisions and seats, readable or not."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from webapp.app.database import GameRow, RevisionRow, SeatRow, now
from webapp.app.session.board_slots import Document
from webapp.app.session.document_check import is_readable
from webapp.app.session.game_document import BrokenGameError, NoSuchGameError
from webapp.app.session.seats import Seat, Seats

SEATS_OF_GAMES = select(SeatRow).where(SeatRow.game_id.in_(bindparam("game_ids", expanding=True)))


def row(session: Session, game_id: str, locked: bool = True) -> GameRow:
    """Return a game's own row, `locked` for writing. Raises NoSuchGameError."""
    found = session.get(GameRow, game_id, with_for_update=locked)
    if found is None or found.deleted_at is not None:
        raise NoSuchGameError(game_id)
    return found


def amend(session: Session, game_id: str, change: Callable[[Document], Document]) -> None:
    """Change all readable revisions of a game."""
    for revision in session.scalars(select(RevisionRow).where(RevisionRow.game_id == game_id)):
        if not is_readable(revision.document):
            continue
        changed = dict(change(revision.document))
        if changed != revision.document:
            revision.document = changed


def revision(session: Session, game_id: str, number: int) -> RevisionRow:
    return session.get_one(RevisionRow, (game_id, number))


def document(session: Session, game_id: str, number: int) -> Document:
    """Return a revision's document. Raises BrokenGameError."""
    return readable(revision(session, game_id, number))


def readable(revision: RevisionRow) -> Document:
    """Return a revision's document. Raises BrokenGameError if it is invalid."""
    if not is_readable(revision.document):
        raise BrokenGameError(revision.game_id)
    return revision.document


def seats_of_games(session: Session, game_ids: Iterable[str]) -> Mapping[str, Seats]:
    """Return the seats of games by game id, in one query."""
    found: dict[str, dict[int, Seat]] = defaultdict(dict)
    for row in session.scalars(SEATS_OF_GAMES, {"game_ids": list(game_ids)}):
        found[row.game_id][row.number] = Seat(row.owner, row.card, row.laid_open, row.lost_by)
    return found


def keep_seats(session: Session, row: GameRow, before: Seats, after: Seats) -> None:
    """Store changes of a game's seats."""
    for number in before.keys() - after.keys():
        session.delete(session.get_one(SeatRow, (row.id, number)))
    for number, seat in after.items():
        if seat != before.get(number):
            session.merge(SeatRow(game_id=row.id, number=number, **asdict(seat)))
    if after != before:
        row.changed_at = now()
