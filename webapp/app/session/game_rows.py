"""The rows of a game and its states in the database, whether or not they can be read."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from webapp.app.database import GameRow, RevisionRow
from webapp.app.session.document_check import is_readable

Document = Mapping[str, Any]


class NoSuchGameError(LookupError):
    """There is no game of this id, or it has been deleted; or no such state of it is kept."""


class BrokenGameError(NoSuchGameError):
    """What is kept of a game cannot be read: the database was damaged, or its game is gone."""


def row(session: Session, game_id: str, locked: bool = True) -> GameRow:
    """Return a game's own row, `locked` for what writes. Raises NoSuchGameError."""
    found = session.get(GameRow, game_id, with_for_update=locked)
    if found is None or found.deleted_at is not None:
        raise NoSuchGameError(game_id)
    return found


def amend(session: Session, game_id: str, change: Callable[[Document], Document]) -> None:
    """Change every state of a game that can be read."""
    for revision in session.scalars(select(RevisionRow).where(RevisionRow.game_id == game_id)):
        if not is_readable(revision.document):
            continue
        changed = dict(change(revision.document))
        if changed != revision.document:
            revision.document = changed


def revision(session: Session, game_id: str, number: int) -> RevisionRow:
    """Return one state of a game."""
    return session.get_one(RevisionRow, (game_id, number))


def document(session: Session, game_id: str, number: int) -> Document:
    """Return a state's document. Raises BrokenGameError."""
    return readable(revision(session, game_id, number))


def readable(revision: RevisionRow) -> Document:
    """Return a state's document. Raises BrokenGameError where it is none."""
    if not is_readable(revision.document):
        raise BrokenGameError(revision.game_id)
    return revision.document
