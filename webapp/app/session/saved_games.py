"""Saved games: each confirmed step is a transaction, can be undone, and is kept.

Games are opened and changed as a browser, which limits the hidden cards it can see and change
(seats.py); without a browser, none of them.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session, sessionmaker

from scorer.identity import Same
from webapp.app.database import GameRow, RevisionRow, SeatRow, WholeJSON, now, reading
from webapp.app.session import game_rows, revisions, seats
from webapp.app.session.board_slots import Document as Document
from webapp.app.session.game_document import LESSONS, PROFILE
from webapp.app.session.game_document import BrokenGameError as BrokenGameError
from webapp.app.session.game_document import NoSuchGameError as NoSuchGameError
from webapp.app.session.revisions import EarlierState, Standing
from webapp.app.session.seats import Browser, Seat, Seats, SeatState

Change = Callable[[Document], Document]

GAME_BYTES = 1_000_000
"""The bytes reserved for a game with all its revisions, without photographs."""
HIGHEST_REVISION = 2**31 - 1
"""The largest revision number accepted from forms; larger ones do not fit the database column."""
PAGE = 40
"""The number of games on one page of the list."""
GRACE = timedelta(seconds=60)
"""How long a deleted game can be restored."""


class ChangedMeanwhileError(Exception):
    """A game has changed since somebody decided on a step."""


class NotAsShownError(ChangedMeanwhileError):
    """What somebody confirms has changed since their page was drawn."""


@dataclass(frozen=True)
class Shown:
    """The revision that a page was drawn from, and a function for what it shows of a document."""

    revision: int
    of: Callable[[Document], Any]


@dataclass(frozen=True)
class SavedGame:
    """The current state of a game as a browser may see it.

    `undo` and `redo` name the steps that can be undone or redone; `seats` are as the browser sees
    them.
    """

    id: str
    document: Document
    revision: int
    undo: str | None
    redo: str | None
    created_at: datetime
    changed_at: datetime
    seats: Sequence[SeatState] = ()


@dataclass(frozen=True)
class BrokenGame:
    """A stored game whose current revision is unreadable."""

    id: str
    created_at: datetime
    changed_at: datetime


class Games:
    def __init__(self, sessions: sessionmaker[Session]) -> None:
        """Use the database that `sessions` opens."""
        self._sessions = sessions
        self.listeners: list[Callable[[str], None]] = []
        """Called with a game's id after each write."""

    def close(self) -> None:
        self._sessions.kw["bind"].dispose()

    @contextmanager
    def _writing(self, game_id: str) -> Iterator[Session]:
        """Yield a session in a transaction, and notify listeners after the commit."""
        with self._sessions.begin() as session:
            yield session
        for listener in self.listeners:
            listener(game_id)

    def create(
        self, document: Document, browser: Browser = None, game_id: str | None = None
    ) -> SavedGame:
        """Save a new game under an unguessable id; `browser` began it.

        A client that may send it twice, by a second tap or after being offline, chooses the
        `game_id`, and it is created once. Raises NoSuchGameError if that game has been deleted
        since.
        """
        game_id = game_id or new_game_id()
        with self._sessions.begin() as session:
            if session.get(GameRow, game_id, with_for_update=True) is not None:
                return _as_it_stands(session, game_rows.row(session, game_id), browser)
            row = GameRow(id=game_id, revision=0)
            session.add(row)
            session.flush()
            kept = dict(seats.kept(document))
            revisions.add(session, row, "players", kept, browser)
            without_cards = seats.view(kept, {}, None)
            game_rows.keep_seats(session, row, {}, seats.entered(without_cards, document, {}, None))
        return self.open(game_id)

    def ping(self) -> None:
        """Check that the database answers. Raises SQLAlchemyError."""
        with reading(self._sessions):
            pass

    def open(self, game_id: str, browser: Browser = None) -> SavedGame:
        """Return a game's current state as a browser may see it. Raises NoSuchGameError."""
        with reading(self._sessions) as session:
            found = session.execute(revisions.standing_of_one(), {"game_id": game_id}).one_or_none()
            if found is None or found[0].deleted_at is not None:
                raise NoSuchGameError(game_id)
            return _saved(*found, game_rows.seats_of_games(session, [game_id])[game_id], browser)

    def change(
        self,
        game_id: str,
        step: str,
        change: Change,
        browser: Browser = None,
        seen: int | None = None,
        as_shown: Shown | None = None,
        delivery: str | None = None,
        over: bool = False,
    ) -> SavedGame:
        """Apply a confirmed step to the current state of a game.

        A step that changes nothing leaves no revision, and a repeated `delivery` is ignored. Errors
        of `change` are raised with the game unchanged. Raises NoSuchGameError, NotYourSeatError if
        the step changes another browser's hidden card (unless the game is `over` by its rules),
        NotAsShownError if what `as_shown` covers has changed, and ChangedMeanwhileError if the
        current revision is not `seen`.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            if delivery is not None and revisions.has_arrived(session, row.id, delivery):
                return _as_it_stands(session, row, browser)
            _check_shown(session, row, as_shown)
            _check_seen(row, seen)
            taken = game_rows.seats_of_games(session, [row.id])[row.id]
            kept = game_rows.document(session, row.id, row.revision)
            before, before_seats = seats.separated(kept, taken)
            shown = seats.view(before, before_seats, browser)
            changed = change(shown)
            after_seats = seats.entered(shown, changed, before_seats, browser, over)
            game_rows.keep_seats(session, row, taken, after_seats)
            after = dict(seats.kept(changed))
            if after != before:
                revisions.add(session, row, step, after, browser, delivery)
            return _as_it_stands(session, row, browser)

    def amend(self, game_id: str, change: Change) -> None:
        """Change all revisions of a game; this is no step and cannot be undone.

        Raises NoSuchGameError.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            game_rows.amend(session, game_id, change)
            row.changed_at = now()

    def keep_board(self, game_id: str, change: Change) -> None:
        """Rename the board in all revisions of a game, even a deleted one.

        Nothing changes for its players, so listeners are not notified.
        """
        with self._sessions.begin() as session:
            game_rows.amend(session, game_id, change)

    def played_on(self, profile: str | None) -> list[str]:
        """Return the ids of games with a revision played on a board.

        `profile` is the name in their documents, None for documents without one.
        """
        named = WholeJSON(RevisionRow.document)[PROFILE].as_string()
        query = select(RevisionRow.game_id).where(named == profile).distinct()
        with reading(self._sessions) as session:
            return list(session.scalars(query))

    def played_last(self, boards: Collection[str]) -> str | None:
        """Return which of these boards is that of the last changed game; None if there is none."""
        named = WholeJSON(RevisionRow.document)[PROFILE].as_string()
        query = (
            select(named)
            .join(GameRow, GameRow.id == RevisionRow.game_id)
            .where(GameRow.revision == RevisionRow.number, GameRow.deleted_at.is_(None))
            .where(named.in_(boards))
            .order_by(GameRow.changed_at.desc(), GameRow.id)
            .limit(1)
        )
        with reading(self._sessions) as session:
            return session.scalars(query).first()

    def undo(self, game_id: str, browser: Browser = None, seen: int | None = None) -> SavedGame:
        """Undo the last step, if there is one; hidden cards stay.

        Raises NoSuchGameError, NotYourSeatError, and ChangedMeanwhileError if the current revision
        is not `seen`.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            _check_seen(row, seen)
            before = game_rows.revision(session, row.id, row.revision).parent
            if before is not None:
                self._stand_at(session, row, game_rows.document(session, row.id, before), browser)
                row.revision, row.changed_at = before, now()
            return _as_it_stands(session, row, browser)

    def redo(self, game_id: str, browser: Browser = None, seen: int | None = None) -> SavedGame:
        """Redo the last undone step, if there is one. Raises the errors of `undo`."""
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            _check_seen(row, seen)
            after = session.scalars(
                select(RevisionRow)
                .where(RevisionRow.game_id == row.id, RevisionRow.parent == row.revision)
                .order_by(RevisionRow.number.desc())
            ).first()
            if after is not None:
                self._stand_at(session, row, game_rows.readable(after), browser)
                row.revision, row.changed_at = after.number, now()
            return _as_it_stands(session, row, browser)

    def earlier_states(self, game_id: str) -> Sequence[EarlierState]:
        """Return all readable revisions of a game, the latest first. Raises NoSuchGameError."""
        with reading(self._sessions) as session:
            row = game_rows.row(session, game_id, locked=False)
            taken = game_rows.seats_of_games(session, [row.id])[row.id]
            owned = Counter(seat.owner for seat in taken.values())  # one phone may have all seats
            seat_of = {
                seat.owner: number for number, seat in taken.items() if owned[seat.owner] == 1
            }
            states = revisions.every(session, row.id)
            return [replace(state, seat=seat_of.get(state.browser or "")) for state in states]

    def bring_back(
        self, game_id: str, number: int, browser: Browser = None, seen: int | None = None
    ) -> SavedGame:
        """Make an earlier revision the current one, as a new step.

        Hidden cards stay. Raises the errors of `undo`, and NoSuchGameError for an unknown revision.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            _check_seen(row, seen)
            found = session.get(RevisionRow, (row.id, number))
            if found is None:
                raise NoSuchGameError(f"{game_id}, state {number}")
            if found.document != game_rows.document(session, row.id, row.revision):
                self._stand_at(session, row, game_rows.readable(found), browser)
                revisions.add(session, row, revisions.BROUGHT_BACK, found.document, browser)
            return _as_it_stands(session, row, browser)

    def _stand_at(
        self, session: Session, row: GameRow, document: Document, browser: Browser
    ) -> None:
        """Adapt the seats to the number of players in a document. Raises NotYourSeatError."""
        taken = game_rows.seats_of_games(session, [row.id])[row.id]
        shown = seats.view(game_rows.document(session, row.id, row.revision), taken, None)
        players, over = len(document["players"]), seats.is_over(shown)
        game_rows.keep_seats(session, row, taken, seats.staying(taken, players, browser, over))

    def take_seat(self, game_id: str, number: int, browser: Browser) -> None:
        """Give a browser a seat. Raises NoSuchGameError and NotYourSeatError."""
        with self._sessions.begin() as session:
            row = game_rows.row(session, game_id)
            before = game_rows.seats_of_games(session, [row.id])[row.id]
            seat = seats.taken(before.get(number, Seat()), browser)
            game_rows.keep_seats(session, row, before, {**before, number: seat})

    def give_back(self, game_id: str, number: int, browser: Browser, serves: bool) -> None:
        """Free a seat and delete its card, as its owner or as the computer that `serves`.

        Raises NoSuchGameError and NotYourSeatError.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            taken = game_rows.seats_of_games(session, [row.id])[row.id]
            free = seats.given_back(taken.get(number, Seat()), browser, serves)
            # Older revisions may hold the card from before its question became secret.
            game_rows.amend(session, row.id, lambda state: seats.without_card(state, number))
            game_rows.keep_seats(session, row, taken, {**taken, number: free})

    def mend(self, game_id: str) -> SavedGame:
        """Return a broken game to its latest readable revision.

        Raises NoSuchGameError, and BrokenGameError if there is none.
        """
        with self._writing(game_id) as session:
            row = game_rows.row(session, game_id)
            states = revisions.every(session, row.id)
            if row.revision not in [state.number for state in states]:
                if not states:
                    raise BrokenGameError(game_id)
                row.revision, row.changed_at = states[0].number, now()
                session.flush()
            return _as_it_stands(session, row, None)

    def raw(self, game_id: str) -> dict[str, Any]:
        """Return all revisions of a game with their documents as text, valid or not.

        Raises NoSuchGameError.
        """
        with reading(self._sessions) as session:
            row = game_rows.row(session, game_id, locked=False)
            return revisions.raw(session, row)

    def recent(self, limit: int = PAGE, lessons: bool = False) -> list[SavedGame]:
        """Return the readable games of the first `page`."""
        found = self.page(limit, lessons=lessons)
        return [game for game in found if isinstance(game, SavedGame)]

    def page(
        self, limit: int = PAGE, skip: int = 0, lessons: bool = False
    ) -> list[SavedGame | BrokenGame]:
        """Return games that are not deleted, the last changed first, after skipping `skip`.

        With `lessons`, tables for lessons are included.
        """
        query, current = revisions.standing()
        if not lessons:
            is_lesson = WholeJSON(current.document)[LESSONS].as_boolean()
            query = query.where(is_lesson.is_not(True))
        query = query.order_by(GameRow.changed_at.desc(), GameRow.id).limit(limit).offset(skip)
        return self._all(query)

    def listed(self, game_ids: Sequence[str]) -> list[SavedGame | BrokenGame]:
        """Return games by id, in the given order, without deleted ones."""
        query, _ = revisions.standing()
        found = {game.id: game for game in self._all(query.where(GameRow.id.in_(game_ids)))}
        return [found[game_id] for game_id in game_ids if game_id in found]

    def seated(self, browser: Browser, game_ids: Collection[str]) -> Collection[str]:
        """Return the games in which a browser has a seat; none for a program."""
        if browser is None:
            return ()
        own = select(SeatRow.game_id).where(SeatRow.owner == browser, SeatRow.game_id.in_(game_ids))
        with reading(self._sessions) as session:
            return set(session.scalars(own))

    def _all(self, query: Standing) -> list[SavedGame | BrokenGame]:
        with reading(self._sessions) as session:
            rows = session.execute(query.where(GameRow.deleted_at.is_(None))).all()
            taken = game_rows.seats_of_games(session, [game.id for game, *_ in rows])
        found: list[SavedGame | BrokenGame] = []
        for row, current, after in rows:
            try:
                found.append(_saved(row, current, after, taken[row.id], None))
            except BrokenGameError:
                found.append(BrokenGame(row.id, row.created_at, row.changed_at))
        return found

    def delete(self, game_id: str) -> None:
        """Mark a game as deleted; `restore` can undo this until it is purged."""
        with self._writing(game_id) as session:
            game_rows.row(session, game_id).deleted_at = now()

    def restore(self, game_id: str) -> None:
        """Restore a deleted game. Raises NoSuchGameError once it has been purged."""
        with self._writing(game_id) as session:
            found = session.scalars(
                update(GameRow)
                .where(GameRow.id == game_id)
                .values(deleted_at=None)
                .returning(GameRow.id)
            ).first()
        if found is None:
            raise NoSuchGameError(game_id)

    def purge(self, grace: timedelta = GRACE) -> list[str]:
        """Delete games for good that were deleted longer ago than `grace`; return their ids.

        Includes deletion times in the future, as after the clock was set back.
        """
        lately = GameRow.deleted_at.between(now() - grace, now() + grace)
        is_over = GameRow.deleted_at.is_not(None) & ~lately
        with reading(self._sessions) as session:  # usually there are none: take no write lock
            if session.scalars(select(GameRow.id).where(is_over)).first() is None:
                return []
        with self._sessions.begin() as session:
            return list(session.scalars(delete(GameRow).where(is_over).returning(GameRow.id)))


def new_game_id() -> str:
    return secrets.token_hex(8)


def _check_seen(row: GameRow, seen: int | None) -> None:
    if seen is not None and seen != row.revision:
        raise ChangedMeanwhileError(row.id)


def _check_shown(session: Session, row: GameRow, shown: Shown | None) -> None:
    if shown is None or shown.revision == row.revision:
        return
    is_number = 0 <= shown.revision <= HIGHEST_REVISION
    kept = session.get(RevisionRow, (row.id, shown.revision)) if is_number else None
    current = game_rows.revision(session, row.id, row.revision).document
    if kept is None or shown.of(kept.document) != shown.of(current):
        raise NotAsShownError(row.id)


def _as_it_stands(session: Session, row: GameRow, browser: Browser) -> SavedGame:
    found = session.execute(revisions.standing_of_one(), {"game_id": row.id}).one()
    return _saved(*found, game_rows.seats_of_games(session, [row.id])[row.id], browser)


def _saved(
    row: GameRow, current: RevisionRow, after: str | None, taken: Seats, browser: Browser
) -> SavedGame:
    """Return a saved game from its rows; `after` is the step to redo."""
    kept = Same(game_rows.readable(current))
    document, states = _seen(kept, tuple(sorted(taken.items())), browser)
    return SavedGame(
        id=row.id,
        document=document,
        revision=row.revision,
        undo=None if current.parent is None else current.step,
        redo=after,
        created_at=row.created_at,
        changed_at=row.changed_at,
        seats=states,
    )


@lru_cache(maxsize=512)
def _seen(
    kept: Same[Document], taken: tuple[tuple[int, Seat], ...], browser: Browser
) -> tuple[Document, Sequence[SeatState]]:
    """Return a document and its seats as a browser sees them."""
    own = dict(taken)
    document = seats.view(kept.it, own, browser)
    return document, seats.states(document, own, browser)
