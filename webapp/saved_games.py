"""The saved games: each confirmed step is one transaction, and can be undone.

Whoever opens or changes a game does so as a browser, and sees and changes of the hidden cards what
seats.py lets that browser see and change: without one, none of them.
"""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session, aliased, sessionmaker

from webapp import seats
from webapp.database import GameRow, RevisionRow, SeatRow, now, reading
from webapp.game_document import PROFILE
from webapp.seats import Browser, Seat, Seats, SeatState

Document = Mapping[str, Any]
Change = Callable[[Document], Document]

REVISIONS_KEPT = 200
GAME_BYTES = 1_000_000
"""What a game may come to take with all its revisions, its photographs left out."""
PAGE = 40
"""How many games one page of the list has."""
GRACE = timedelta(seconds=60)
"""How long a deleted game can be brought back."""


class NoSuchGameError(LookupError):
    """There is no game of this id, or it has been deleted."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it stands, as whoever opened it may see it.

    `undo` and `redo` name the steps that can be taken back or again; `seats` are as the viewer is
    told of them.
    """

    id: str
    document: Document
    revision: int
    undo: str | None
    redo: str | None
    created_at: datetime
    changed_at: datetime
    seats: Sequence[SeatState] = ()


class Games:
    """The games in the database."""

    def __init__(self, sessions: sessionmaker[Session]) -> None:
        """Keep the games in the database that `sessions` opens."""
        self._sessions = sessions

    def create(self, document: Document) -> SavedGame:
        """Save a new game under an id that cannot be guessed."""
        game_id = secrets.token_hex(8)
        with self._sessions.begin() as session:
            row = GameRow(id=game_id, revision=0)
            session.add(row)
            session.flush()
            kept = dict(seats.kept(document))
            session.add(RevisionRow(game_id=game_id, number=0, step="players", document=kept))
            without_cards = seats.view(kept, {}, None)
            _keep_seats(session, row, {}, seats.entered(without_cards, document, {}, None))
        return self.open(game_id)

    def open(self, game_id: str, browser: Browser = None) -> SavedGame:
        """Return the game as it stands and a browser may see it. Raises NoSuchGameError."""
        with reading(self._sessions) as session:
            return _as_it_stands(session, _row(session, game_id, locked=False), browser)

    def change(self, game_id: str, step: str, change: Change, browser: Browser = None) -> SavedGame:
        """Apply one confirmed step to the game as it stands now, whoever changed it last.

        A step that changes nothing leaves no revision. What `change` raises comes back
        and leaves the game as it was. Raises NoSuchGameError, and NotYourSeatError where the
        step changes a hidden card that is not the browser's.
        """
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            before = _revision(session, row.id, row.revision).document
            taken = _seats(session, [row.id])[row.id]
            shown = seats.view(before, taken, browser)
            changed = change(shown)
            _keep_seats(session, row, taken, seats.entered(shown, changed, taken, browser))
            after = dict(seats.kept(changed))
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
            return _as_it_stands(session, row, browser)

    def amend(self, game_id: str, change: Change) -> None:
        """Change what is no step, and is not undone: in the game as it stands and as it was.

        Raises NoSuchGameError.
        """
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            for revision in session.scalars(
                select(RevisionRow).where(RevisionRow.game_id == row.id)
            ):
                revision.document = dict(change(revision.document))
            row.changed_at = now()

    def played_on(self, profile: str | None) -> list[str]:
        """The ids of the games that a step of is kept in which they were played on a board.

        It is named as their documents name it, None where they do not.
        """
        named = RevisionRow.document[PROFILE].as_string()
        query = select(RevisionRow.game_id).where(named == profile).distinct()
        with reading(self._sessions) as session:
            return list(session.scalars(query))

    def undo(self, game_id: str, browser: Browser = None) -> SavedGame:
        """Take the last step back, where there is one; hidden cards stay as they are."""
        return self._move(game_id, -1, browser)

    def redo(self, game_id: str, browser: Browser = None) -> SavedGame:
        """Take the step that was undone last again, where there is one."""
        return self._move(game_id, +1, browser)

    def _move(self, game_id: str, by: int, browser: Browser) -> SavedGame:
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            other = session.get(RevisionRow, (row.id, row.revision + by))
            if other is not None:
                taken = _seats(session, [row.id])[row.id]
                shown = seats.view(_revision(session, row.id, row.revision).document, taken, None)
                players, over = len(other.document["players"]), seats.is_over(shown)
                _keep_seats(session, row, taken, seats.staying(taken, players, browser, over))
                row.revision += by
                row.changed_at = now()
            return _as_it_stands(session, row, browser)

    def give_back(self, game_id: str, number: int, browser: Browser, serves: bool) -> None:
        """Free a seat and forget its card, as its owner or as the computer that `serves`.

        Raises NoSuchGameError and NotYourSeatError.
        """
        with self._sessions.begin() as session:
            row = _row(session, game_id)
            taken = _seats(session, [row.id])[row.id]
            free = seats.given_back(taken.get(number, Seat()), browser, serves)
            _keep_seats(session, row, taken, {**taken, number: free})

    def recent(self, limit: int = PAGE, skip: int = 0) -> list[SavedGame]:
        """Return games that are not deleted, the one changed last first, after the first `skip`."""
        with reading(self._sessions) as session:
            rows = session.execute(
                _standing()
                .where(GameRow.deleted_at.is_(None))
                .order_by(GameRow.changed_at.desc(), GameRow.id)
                .limit(limit)
                .offset(skip)
            ).all()
            taken = _seats(session, [game.id for game, *_ in rows])
            return [_saved(*row, taken[row[0].id], None) for row in rows]

    def listed(self, game_ids: Sequence[str]) -> list[SavedGame]:
        """Return games by their ids, in that order, those that are deleted left out."""
        with reading(self._sessions) as session:
            rows = session.execute(
                _standing().where(GameRow.deleted_at.is_(None), GameRow.id.in_(game_ids))
            ).all()
            taken = _seats(session, game_ids)
            found = {row[0].id: _saved(*row, taken[row[0].id], None) for row in rows}
        return [found[game_id] for game_id in game_ids if game_id in found]

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
        """Remove for good what was deleted longer ago than `grace`; return the ids.

        What was deleted long after now, as when the clock was set back since, goes as well.
        """
        lately = GameRow.deleted_at.between(now() - grace, now() + grace)
        is_over = GameRow.deleted_at.is_not(None) & ~lately
        with reading(self._sessions) as session:  # mostly there is none, and nothing to wait for
            if session.scalars(select(GameRow.id).where(is_over)).first() is None:
                return []
        with self._sessions.begin() as session:
            return list(session.scalars(delete(GameRow).where(is_over).returning(GameRow.id)))


def _row(session: Session, game_id: str, locked: bool = True) -> GameRow:
    row = session.get(GameRow, game_id, with_for_update=locked)
    if row is None or row.deleted_at is not None:
        raise NoSuchGameError(game_id)
    return row


def _revision(session: Session, game_id: str, number: int) -> RevisionRow:
    return session.get_one(RevisionRow, (game_id, number))


def _standing() -> "Select[GameRow, RevisionRow, str | None, int]":
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


def _seats(session: Session, game_ids: Iterable[str]) -> Mapping[str, Seats]:
    """Return the seats of games by the game's id, in one query."""
    found: dict[str, dict[int, Seat]] = defaultdict(dict)
    for row in session.scalars(select(SeatRow).where(SeatRow.game_id.in_(game_ids))):
        found[row.game_id][row.number] = Seat(row.owner, row.card, row.laid_open, row.lost_by)
    return found


def _keep_seats(session: Session, row: GameRow, before: Seats, after: Seats) -> None:
    for number in before.keys() - after.keys():
        session.delete(session.get_one(SeatRow, (row.id, number)))
    for number, seat in after.items():
        if seat != before.get(number):
            session.merge(SeatRow(game_id=row.id, number=number, **asdict(seat)))
    if after != before:
        row.changed_at = now()


def _as_it_stands(session: Session, row: GameRow, browser: Browser) -> SavedGame:
    found = session.execute(_standing().where(GameRow.id == row.id)).one()
    return _saved(*found, _seats(session, [row.id])[row.id], browser)


def _saved(
    row: GameRow,
    current: RevisionRow,
    after: str | None,
    first: int,
    taken: Seats,
    browser: Browser,
) -> SavedGame:
    """Put a game together; `after` is the step to redo, `first` its first kept revision."""
    document = seats.view(current.document, taken, browser)
    return SavedGame(
        id=row.id,
        document=document,
        revision=row.revision,
        undo=current.step if row.revision != first else None,
        redo=after,
        created_at=row.created_at,
        changed_at=row.changed_at,
        seats=seats.states(document, taken, browser),
    )
