"""The saved games: each confirmed step is one transaction, and can be undone."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session, aliased, sessionmaker

from webapp.database import GameRow, RevisionRow, now

Document = Mapping[str, Any]
Change = Callable[[Document], Document]

REVISIONS_KEPT = 200
PAGE = 40
"""How many games one page of the list has."""
GRACE = timedelta(seconds=60)
"""How long a deleted game can be brought back."""


class NoSuchGameError(LookupError):
    """There is no game of this id, or it has been deleted."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it stands; `undo` and `redo` name the steps that can be taken back or again."""

    id: str
    document: Document
    revision: int
    undo: str | None
    redo: str | None
    created_at: datetime
    changed_at: datetime


class Games:
    """The games in the database."""

    def __init__(self, sessions: sessionmaker[Session]) -> None:
        """Keep the games in the database that `sessions` opens."""
        self._sessions = sessions

    def create(self, document: Document) -> SavedGame:
        """Save a new game under an id that cannot be guessed."""
        game_id = secrets.token_hex(8)
        with self._sessions.begin() as session:
            session.add(GameRow(id=game_id, revision=0))
            session.flush()
            session.add(
                RevisionRow(game_id=game_id, number=0, step="players", document=dict(document))
            )
        return self.open(game_id)

    def open(self, game_id: str) -> SavedGame:
        """Return the game as it stands. Raises NoSuchGameError."""
        with self._sessions.begin() as session:
            return _as_it_stands(session, _row(session, game_id))

    def change(self, game_id: str, step: str, change: Change) -> SavedGame:
        """Apply one confirmed step to the game as it stands now, whoever changed it last.

        A step that changes nothing leaves no revision. What `change` raises comes back
        and leaves the game as it was.
        """
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            before = _revision(session, row.id, row.revision).document
            after = dict(change(before))
            if after != before:
                session.execute(
                    delete(RevisionRow).where(
                        RevisionRow.game_id == row.id,
                        (RevisionRow.number > row.revision)
                        | (RevisionRow.number < row.revision - REVISIONS_KEPT),
                    )
                )
                row.revision += 1
                row.changed_at = now()
                session.add(
                    RevisionRow(game_id=row.id, number=row.revision, step=step, document=after)
                )
            return _as_it_stands(session, row)

    def undo(self, game_id: str) -> SavedGame:
        """Take the last step back, where there is one."""
        return self._move(game_id, -1)

    def redo(self, game_id: str) -> SavedGame:
        """Take the step that was undone last again, where there is one."""
        return self._move(game_id, +1)

    def _move(self, game_id: str, by: int) -> SavedGame:
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            if session.get(RevisionRow, (row.id, row.revision + by)) is not None:
                row.revision += by
                row.changed_at = now()
            return _as_it_stands(session, row)

    def recent(self, limit: int = PAGE, skip: int = 0) -> list[SavedGame]:
        """Return games that are not deleted, the one changed last first, after the first `skip`."""
        with self._sessions.begin() as session:
            rows = session.execute(
                _standing()
                .where(GameRow.deleted_at.is_(None))
                .order_by(GameRow.changed_at.desc(), GameRow.id)
                .limit(limit)
                .offset(skip)
            ).all()
            return [_saved(*row) for row in rows]

    def delete(self, game_id: str) -> None:
        """Take a game out of the list; `restore` brings it back until it is purged."""
        with self._sessions.begin() as session:
            _row(session, game_id).deleted_at = now()

    def restore(self, game_id: str) -> None:
        """Bring a deleted game back. Raises NoSuchGameError once it has been purged."""
        with self._sessions.begin() as session:
            found = session.scalars(
                update(GameRow)
                .where(GameRow.id == game_id)
                .values(deleted_at=None)
                .returning(GameRow.id)
            ).first()
        if found is None:
            raise NoSuchGameError(game_id)

    def purge(self, grace: timedelta = GRACE) -> list[str]:
        """Remove for good what was deleted longer ago than `grace`; return the ids."""
        with self._sessions.begin() as session:
            return list(
                session.scalars(
                    delete(GameRow)
                    .where(GameRow.deleted_at.is_not(None), GameRow.deleted_at <= now() - grace)
                    .returning(GameRow.id)
                )
            )


def _row(session: Session, game_id: str) -> GameRow:
    row = session.get(GameRow, game_id, with_for_update=True)
    if row is None or row.deleted_at is not None:
        raise NoSuchGameError(game_id)
    return row


def _revision(session: Session, game_id: str, number: int) -> RevisionRow:
    return session.get_one(RevisionRow, (game_id, number))


def _standing() -> Select[Any]:
    """Ask for all that `_saved` takes, in one query however many games there are."""
    current, after, kept = aliased(RevisionRow), aliased(RevisionRow), aliased(RevisionRow)
    first = (
        select(func.min(kept.number))
        .where(kept.game_id == GameRow.id)
        .correlate(GameRow)
        .scalar_subquery()
    )
    return (
        select(GameRow, current, after.step, first)
        .join(current, (current.game_id == GameRow.id) & (current.number == GameRow.revision))
        .outerjoin(after, (after.game_id == GameRow.id) & (after.number == GameRow.revision + 1))
    )


def _as_it_stands(session: Session, row: GameRow) -> SavedGame:
    return _saved(*session.execute(_standing().where(GameRow.id == row.id)).one())


def _saved(row: GameRow, current: RevisionRow, after: str | None, first: int) -> SavedGame:
    """Put a game together; `after` is the step to redo, `first` its first kept revision."""
    return SavedGame(
        id=row.id,
        document=current.document,
        revision=row.revision,
        undo=current.step if row.revision != first else None,
        redo=after,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )
