"""The photographs of games, written to disk before anything refers to them."""

import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import case, delete, func, select
from sqlalchemy.orm import Session, sessionmaker

from webapp.app import atomic, read_view
from webapp.app.database import GameRow, PhotographRow, reading
from webapp.app.reading.read_photograph import mark_in_hand
from webapp.app.storage import NoRoomError

MOST_OF_GAME = 60
"""The most photographs of one game: four players, and each board photographed repeatedly."""
MOST_BYTES_OF_GAME = 500_000_000
"""The most bytes of one game's photographs, as uploaded."""

PHONES_BYTES = 10_000_000
"""The size expected of a phone's photograph, in bytes."""

PARTLY_READ = "partly"
"""The state of a whole table's photograph of which only the boards are read so far."""

WaitingSeats = Sequence[int | None]
"""The seats of photographs waiting to be read; None if not assigned yet."""
ChooseSeat = Callable[[WaitingSeats], int | None]
"""Returns the seat for a photograph, None if unknown."""


class NoSuchPhotographError(LookupError):
    """The game has no photograph of this id."""


@dataclass(frozen=True)
class Photograph:
    """A photograph of a game.

    `state` is "waiting", `PARTLY_READ`, "read" or "failed"; `problem` is the reason in one word;
    `reading` is the result in the format of readings; `player` is the seat it was taken for, None
    until it is assigned when its turn comes.
    """

    id: str
    game_id: str
    player: int | None
    state: str
    problem: str | None
    reading: Mapping[str, Any] | None

    @property
    def has_boards(self) -> bool:
        return self.state in (PARTLY_READ, "read")

    @property
    def boards(self) -> list[Mapping[str, Any]]:
        """The boards in the photograph, in the order of the reading."""
        return list(self.reading["boards"]) if self.reading else []

    def board(self, number: int) -> Mapping[str, Any]:
        """Return one of the boards. Raises NoSuchPhotographError."""
        if not 0 <= number < len(self.boards):
            raise NoSuchPhotographError(f"{self.id}, board {number}")
        return self.boards[number]


class Photographs:
    """The photographs: rows in the database, and files in one folder per game, named by id."""

    def __init__(self, sessions: sessionmaker[Session], folder: Path) -> None:
        """Store files in `folder`, which is created if necessary."""
        self._sessions = sessions
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def arrived(self, game_id: str, delivery: str) -> Photograph | None:
        """Return the photograph with a phone's delivery id; None if there is none."""
        with reading(self._sessions) as session:
            return _of_delivery(session, game_id, delivery)

    def add(
        self, game_id: str, data: bytes, choose: ChooseSeat, delivery: str | None = None
    ) -> Photograph:
        """Store an upload: synced to disk first, then in the database.

        A repeated `delivery` is stored once. Concurrent uploads of a game choose seats one after
        the other. Nothing is stored if `choose` raises.
        """
        photograph_id = secrets.token_hex(8)
        path = self._folder(game_id) / f"{photograph_id}.photo"
        atomic.write(path, data)
        try:
            with self._sessions.begin() as session:
                session.get(GameRow, game_id, with_for_update=True)  # lock out concurrent uploads
                if delivery and (known := _of_delivery(session, game_id, delivery)):
                    path.unlink(missing_ok=True)
                    return known
                seat = choose(_waiting_seats(session, game_id))
                row = PhotographRow(
                    id=photograph_id, game_id=game_id, player=seat, delivery=delivery
                )
                session.add(row)
                session.flush()
                return _photograph(row)
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def waiting_seats(self, game_id: str) -> WaitingSeats:
        """Return the seats of a game's waiting photographs, which may change at any time."""
        with reading(self._sessions) as session:
            return _waiting_seats(session, game_id)

    def make_sure_of(self, game_id: str, more: int, size: int = 0) -> None:
        """Raise NoRoomError if a game has no room for `more` photographs of `size` bytes in all."""
        of_game = select(func.count()).where(PhotographRow.game_id == game_id)
        with reading(self._sessions) as session:
            if (session.scalar(of_game) or 0) + more > MOST_OF_GAME:
                raise NoRoomError("photographs")
        if self._bytes_of(game_id) + size > MOST_BYTES_OF_GAME:
            raise NoRoomError("large_photographs")

    def is_full(self, game_id: str) -> bool:
        """Return whether a game has no room for another photograph of a phone."""
        try:
            self.make_sure_of(game_id, 1, PHONES_BYTES)
        except NoRoomError:
            return True
        return False

    def _bytes_of(self, game_id: str) -> int:
        found = 0
        for file in self._folder(game_id).glob("*.photo"):
            with suppress(OSError):  # gone meanwhile
                found += file.stat().st_size
        return found

    @contextmanager
    def passing(self, data: bytes) -> Iterator[Path]:
        """Store a file that belongs to no game while it is being read."""
        with TemporaryDirectory(dir=self.folder, prefix="passing-") as folder:
            path = Path(folder, "photo")
            atomic.write(path, data)
            yield path

    def get(self, game_id: str, photograph_id: str) -> Photograph:
        """Return a photograph of a game. Raises NoSuchPhotographError."""
        with reading(self._sessions) as session:
            row = session.get(PhotographRow, photograph_id)
            if row is None or row.game_id != game_id:
                raise NoSuchPhotographError(photograph_id)
            return _photograph(row)

    def of(self, game_id: str) -> Sequence[Photograph]:
        """Return a game's photographs, the oldest first."""
        query = (
            select(PhotographRow)
            .where(PhotographRow.game_id == game_id)
            .order_by(PhotographRow.added_at, PhotographRow.id)
        )
        return read_view.cached((self, game_id), lambda: self._all(query))

    def waiting(self) -> list[Photograph]:
        """Return all photographs that are still to be read, at least in part, the oldest first.

        Those being read when a server and its reading process ended come last, as they may have
        been the cause.
        """
        return self._all(
            select(PhotographRow)
            .where(PhotographRow.state.in_(("waiting", PARTLY_READ)))
            .order_by(case((PhotographRow.begun > 1, PhotographRow.begun), else_=0))
            .order_by(PhotographRow.added_at)
        )

    def _all(self, query: Any) -> list[Photograph]:
        with reading(self._sessions) as session:
            return [_photograph(row) for row in session.scalars(query)]

    def begin(self, photograph_id: str) -> int:
        """Record that a server starts to read; return how many have, 0 if the photograph is gone.

        Earlier starts count only if the mark in hand was left behind, that is, if the reading
        process ended with the server.
        """
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is None:
                return 0
            mark = mark_in_hand(self._folder(row.game_id) / f"{photograph_id}.photo")
            if row.begun == 0 or mark.exists():
                row.begun += 1
            mark.unlink(missing_ok=True)
            return row.begun

    def give_to(self, photograph: Photograph, player: int) -> Photograph:
        """Record the seat of a photograph."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph.id)
            if row is not None:
                row.player = player
        return replace(photograph, player=player)

    def read_again(self, photograph: Photograph) -> Photograph:
        """Have a photograph read again, as if new."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph.id)
            if row is not None:
                row.begun, row.state, row.problem = 0, "waiting", None
        return replace(photograph, state="waiting", problem=None)

    def put_back(self, photograph_id: str) -> None:
        """Undo `begin`, as the server stopped for other reasons."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None:
                row.begun -= 1

    def record(
        self, photograph_id: str, reading: Mapping[str, Any] | None, problem: str | None
    ) -> None:
        """Record the reading, or why there is none; ignore a deleted photograph."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None:
                row.state = "failed" if problem else "read"
                row.reading = dict(reading) if reading else None
                row.problem = problem

    def give_up(self, photograph_id: str) -> None:
        """Record that a photograph cannot be read; its boards stay if those were."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None and row.state == PARTLY_READ:
                row.state = "read"
            elif row is not None:
                row.state, row.reading, row.problem = "failed", None, "failed"

    def state_of(self, game_id: str, photograph_id: str) -> str:
        """Return a photograph's state, "" if it is gone, without its reading."""
        query = select(PhotographRow.state).where(
            PhotographRow.id == photograph_id, PhotographRow.game_id == game_id
        )
        with reading(self._sessions) as session:
            return session.scalar(query) or ""

    def record_boards(self, photograph_id: str, boards: Mapping[str, Any]) -> None:
        """Record a reading of boards alone: what is beside them is read next."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None:
                row.state, row.reading, row.problem = PARTLY_READ, dict(boards), None

    def record_rest(self, photograph_id: str, rest: Mapping[str, Any]) -> None:
        """Complete such a reading, unless the photograph is to be read again from the beginning."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id, with_for_update=True)
            if row is not None and row.state == PARTLY_READ:
                row.state, row.reading = "read", {**(row.reading or {}), **rest}

    def remove(self, game_id: str, photograph_id: str) -> None:
        """Delete a photograph, its row first. Raises NoSuchPhotographError."""
        photograph = self.get(game_id, photograph_id)
        with self._sessions.begin() as session:
            session.execute(delete(PhotographRow).where(PhotographRow.id == photograph_id))
        for file in self._folder(game_id).glob(f"{photograph.id}.*"):
            file.unlink(missing_ok=True)

    def forget(self, game_id: str) -> None:
        """Delete the files of a deleted game."""
        shutil.rmtree(self._folder(game_id), ignore_errors=True)

    def sweep(self) -> None:
        """Delete files without a photograph, left by interrupted uploads and deleted games.

        Only call this while no server accepts uploads, whose files are written first.
        """
        with reading(self._sessions) as session:
            known = set(session.scalars(select(PhotographRow.id)))
        for file in self.folder.glob("*/*"):
            if file.name.split(".")[0] not in known:
                file.unlink(missing_ok=True)
        for folder in self.folder.iterdir():
            with suppress(OSError):  # fails for folders that are not empty
                folder.rmdir()

    def path(self, photograph: Photograph) -> Path:
        """Return the path of the photograph's original file."""
        return self._folder(photograph.game_id) / f"{photograph.id}.photo"

    def board_path(self, photograph: Photograph, board: int) -> Path:
        """Return the path of the rectified picture of one of its boards."""
        return self._folder(photograph.game_id) / f"{photograph.id}.board{board}.jpg"

    def preview_path(self, photograph: Photograph) -> Path:
        """Return the path of the photograph's small JPEG for pages."""
        return self._folder(photograph.game_id) / f"{photograph.id}.preview.jpg"

    def _folder(self, game_id: str) -> Path:
        return self.folder / game_id


def _waiting_seats(session: Session, game_id: str) -> WaitingSeats:
    waiting = select(PhotographRow.player).where(
        PhotographRow.game_id == game_id, PhotographRow.state == "waiting"
    )
    return session.scalars(waiting).all()


def _of_delivery(session: Session, game_id: str, delivery: str) -> Photograph | None:
    row = session.scalars(
        select(PhotographRow).where(
            PhotographRow.game_id == game_id, PhotographRow.delivery == delivery
        )
    ).first()
    return None if row is None else _photograph(row)


def _photograph(row: PhotographRow) -> Photograph:
    return Photograph(row.id, row.game_id, row.player, row.state, row.problem, row.reading)
