"""The append-only log of each live game, in the database."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    BindParameter,
    CompoundSelect,
    DateTime,
    Index,
    Integer,
    String,
    Text,
    bindparam,
    func,
    select,
    union,
)
from sqlalchemy.orm import Mapped, Session, mapped_column, sessionmaker

from webapp.app.database import Base, GameRow, OfGame, now, reading
from webapp.app.live.entry import Entry
from webapp.app.live.source_address import SourceAddresses
from webapp.app.session.saved_games import NoSuchGameError
from webapp.app.storage import NoRoomError

log = logging.getLogger(__name__)

MOST_ENTRIES = 25_000
"""The limit of a game. An evening has some hundred entries; a recording may have any number."""


class LogFullError(NoRoomError):
    """A game's log is full."""

    def __init__(self) -> None:
        super().__init__("log")


class AppendedMeanwhileError(Exception):
    """Another server has appended to a game's log since it was read."""


class LiveEntryRow(Base):
    """An entry of a game's log; `tap` is the id that a page gave the tap that caused it."""

    __tablename__ = "live_entries"
    __table_args__ = (Index("ix_live_entries_tap", "game_id", "tap", unique=True),)

    game_id: Mapped[OfGame]
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    kind: Mapped[str] = mapped_column(String(12))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)
    tap: Mapped[str | None] = mapped_column(String(32), default=None)


class LiveSourceRow(Base):
    """A camera that watches a game; `memory` is its tracker's state at the last entry.

    `address` is encrypted, and "" once it is no longer needed.
    """

    __tablename__ = "live_sources"

    game_id: Mapped[OfGame]
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    address: Mapped[str] = mapped_column(Text)
    running: Mapped[bool] = mapped_column(default=True)
    memory: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)


@dataclass(frozen=True)
class Camera:
    """A camera that watches a game.

    `name` identifies it within the game; `address` is a camera's number, a stream's URL or a file's
    path, or "" if a browser sends the frames. It may contain a password and must not appear in
    messages.
    """

    game_id: str
    name: str
    address: str = field(repr=False)


class Log:
    def __init__(self, sessions: sessionmaker[Session], addresses: SourceAddresses) -> None:
        """Use the database that `sessions` opens."""
        self._sessions, self.addresses = sessions, addresses

    def entries(self, game_id: str, after: int = 0) -> list[Entry]:
        """Return a game's entries after a number, in order."""
        with reading(self._sessions) as session:
            rows = session.scalars(
                select(LiveEntryRow)
                .where(LiveEntryRow.game_id == game_id, LiveEntryRow.number > after)
                .order_by(LiveEntryRow.number)
            )
            return [_entry(row) for row in rows]

    def entry(self, game_id: str, number: int) -> Entry | None:
        """Return an entry of a game, None if there is none of this number."""
        if not 0 < number <= MOST_ENTRIES:
            return None  # out of the column's range
        with reading(self._sessions) as session:
            row = session.get(LiveEntryRow, (game_id, number))
            return None if row is None else _entry(row)

    def of_tap(self, game_id: str, tap: str) -> Entry | None:
        """Return the first entry that a tap caused, None if there is none."""
        with reading(self._sessions) as session:
            return _of_tap(session, game_id, tap)

    def last(self, game_id: str) -> int:
        """Return the number of a game's last entry, 0 if there is none."""
        with reading(self._sessions) as session:
            return _last(session, game_id)

    def followed(self, game_ids: Sequence[str]) -> set[str]:
        """Return those games that have entries or a running camera."""
        if not game_ids:
            return set()
        with reading(self._sessions) as session:
            return set(session.scalars(_followed(), {"game_ids": list(game_ids)}))

    def append(
        self,
        game_id: str,
        written: Iterable[tuple[str, Mapping[str, Any]]],
        source: str | None = None,
        memory: Mapping[str, Any] | None = None,
        tap: str | None = None,
        after: int | None = None,
    ) -> Sequence[Entry]:
        """Append entries, given as kind and data, and save the memory of the source's tracker.

        Both happen in one transaction, so that a tracker restarted from its memory neither repeats
        nor omits events. Pages give each tap a unique `tap` id; a repeated delivery is logged once.
        Raises NoSuchGameError, LogFullError, and AppendedMeanwhileError if the last entry is not
        `after`; nothing is appended then.
        """
        added: list[Entry] = []
        with self._sessions.begin() as session:
            game = session.get(GameRow, game_id, with_for_update=True)
            if game is None or game.deleted_at is not None:
                raise NoSuchGameError(game_id)
            if tap is not None and (known := _of_tap(session, game_id, tap)):
                return [known]
            number = _last(session, game_id)
            if after is not None and number != after:
                raise AppendedMeanwhileError
            for kind, data in written:
                number += 1
                if number > MOST_ENTRIES:
                    raise LogFullError
                row = LiveEntryRow(
                    game_id=game_id, number=number, kind=kind, data=dict(data), at=now()
                )
                row.tap = None if added else tap
                session.add(row)
                added.append(_entry(row))
            if added:
                game.changed_at = now()
            if source is not None and memory is not None:
                kept = session.get(LiveSourceRow, (game_id, source))
                if kept is not None:
                    kept.memory = dict(memory)
        return added

    def start(self, camera: Camera) -> None:
        """Record that a camera is running, so that it resumes after a restart of the server."""
        with self._sessions.begin() as session:
            row = session.get(LiveSourceRow, (camera.game_id, camera.name))
            if row is None:
                row = LiveSourceRow(game_id=camera.game_id, name=camera.name)
                session.add(row)
            row.address = self.addresses.seal(camera.address) if camera.address else ""
            row.running = True

    def stop(self, game_id: str, name: str) -> None:
        """Record that a camera has stopped.

        Its address is deleted, and the whole row if it saw no board.
        """
        with self._sessions.begin() as session:
            row = session.get(LiveSourceRow, (game_id, name))
            if row is None:
                return
            row.address, row.running = "", False
            if row.memory is None:
                session.delete(row)

    def forget_memories(self, game_id: str) -> None:
        """Have the trackers of a game start without memory."""
        with self._sessions.begin() as session:
            rows = select(LiveSourceRow).where(LiveSourceRow.game_id == game_id)
            for row in session.scalars(rows):
                row.memory = None

    def memory(self, game_id: str, name: str) -> Mapping[str, Any] | None:
        """Return a camera's memory at the last entry, None if there is none."""
        with reading(self._sessions) as session:
            row = session.get(LiveSourceRow, (game_id, name))
            return None if row is None else row.memory

    def running(self) -> list[Camera]:
        """Return the cameras that were running when the server stopped.

        Those whose addresses were encrypted with another key are marked as stopped.
        """
        found = []
        with self._sessions.begin() as session:
            rows = session.scalars(
                select(LiveSourceRow)
                .join(GameRow)
                .where(LiveSourceRow.running, GameRow.deleted_at.is_(None))
            )
            for row in rows:
                address = self.addresses.unseal(row.address) if row.address else ""
                row.running = address is not None
                if address is None:
                    log.warning("%s has to be started again: the key is another one", row.name)
                else:
                    found.append(Camera(row.game_id, row.name, address))
        return found


@cache
def _followed() -> CompoundSelect[tuple[str]]:
    """Return the query for followed games among the parameter `game_ids`."""
    asked: BindParameter[list[str]] = bindparam("game_ids", expanding=True)
    entries = select(LiveEntryRow.game_id).where(LiveEntryRow.game_id.in_(asked))
    watched = select(LiveSourceRow.game_id).where(
        LiveSourceRow.game_id.in_(asked), LiveSourceRow.running
    )
    return union(entries, watched)


def _entry(row: LiveEntryRow) -> Entry:
    return Entry(row.number, row.kind, row.data, row.at)


def _of_tap(session: Session, game_id: str, tap: str) -> Entry | None:
    of_tap = LiveEntryRow.game_id == game_id, LiveEntryRow.tap == tap
    row = session.scalar(select(LiveEntryRow).where(*of_tap))
    return None if row is None else _entry(row)


def _last(session: Session, game_id: str) -> int:
    found = session.scalar(
        select(func.max(LiveEntryRow.number)).where(LiveEntryRow.game_id == game_id)
    )
    return found or 0
