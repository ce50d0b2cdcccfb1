"""The photographs of the saved games: files that are whole before anything refers to them."""

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
"""Photographs of one game: four players, and each board taken again and again."""
MOST_BYTES_OF_GAME = 500_000_000
"""What the photographs of one game take at most, as they were sent."""

PHONES_BYTES = 10_000_000
"""What a phone's photograph may well take."""

WaitingSeats = Sequence[int | None]
"""The seats whose photographs wait to be read, one for each; None where that is not known yet."""
ChooseSeat = Callable[[WaitingSeats], int | None]
"""Says whose a photograph is; None where that is not known."""


class NoSuchPhotographError(LookupError):
    """There is no photograph of this id in this game."""


@dataclass(frozen=True)
class Photograph:
    """A photograph of a game.

    `state` is "waiting", "read" or "failed"; `problem` says in one word why it failed;
    `reading` is what was read, as the format of a reading has it; `player` is the seat
    for which it was taken, None where that is found out when its turn comes.
    """

    id: str
    game_id: str
    player: int | None
    state: str
    problem: str | None
    reading: Mapping[str, Any] | None

    @property
    def boards(self) -> list[Mapping[str, Any]]:
        """The boards found in it, in the order of the reading."""
        return list(self.reading["boards"]) if self.reading else []

    def board(self, number: int) -> Mapping[str, Any]:
        """Return one of the boards. Raises NoSuchPhotographError."""
        if not 0 <= number < len(self.boards):
            raise NoSuchPhotographError(f"{self.id}, board {number}")
        return self.boards[number]


class Photographs:
    """The photographs: rows in the database, files in `folder`, a folder a game, named by id."""

    def __init__(self, sessions: sessionmaker[Session], folder: Path) -> None:
        """Keep the files in `folder`, which is made where it is missing."""
        self._sessions = sessions
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def arrived(self, game_id: str, delivery: str) -> Photograph | None:
        """Return the photograph of a game that a phone calls so; None while there is none."""
        with reading(self._sessions) as session:
            return _of_delivery(session, game_id, delivery)

    def add(
        self, game_id: str, data: bytes, choose: ChooseSeat, delivery: str | None = None
    ) -> Photograph:
        """Keep an uploaded file: on the disk and synchronised first, then in the database.

        One whose `delivery` has arrived already is kept once.
        Of photographs that come at the same time each is chosen a seat for when those before it
        are known. Nothing is kept where `choose` raises.
        """
        photograph_id = secrets.token_hex(8)
        path = self._folder(game_id) / f"{photograph_id}.photo"
        atomic.write(path, data)
        try:
            with self._sessions.begin() as session:
                session.get(GameRow, game_id, with_for_update=True)  # others wait
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
        """Return the seats whose photographs are to be read, which may change at once."""
        with reading(self._sessions) as session:
            return _waiting_seats(session, game_id)

    def make_sure_of(self, game_id: str, more: int, size: int = 0) -> None:
        """Raise NoRoomError where a game cannot have so many photographs, or bytes, more."""
        of_game = select(func.count()).where(PhotographRow.game_id == game_id)
        with reading(self._sessions) as session:
            if (session.scalar(of_game) or 0) + more > MOST_OF_GAME:
                raise NoRoomError("photographs")
        if self._bytes_of(game_id) + size > MOST_BYTES_OF_GAME:
            raise NoRoomError("large_photographs")

    def is_full(self, game_id: str) -> bool:
        """Say whether a game can have no photograph of a phone more."""
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
        """Keep a file that belongs to no game for as long as it is read."""
        with TemporaryDirectory(dir=self.folder, prefix="passing-") as folder:
            path = Path(folder, "photo")
            atomic.write(path, data)
            yield path

    def get(self, game_id: str, photograph_id: str) -> Photograph:
        """Return a photograph of this game. Raises NoSuchPhotographError."""
        with reading(self._sessions) as session:
            row = session.get(PhotographRow, photograph_id)
            if row is None or row.game_id != game_id:
                raise NoSuchPhotographError(photograph_id)
            return _photograph(row)

    def of(self, game_id: str) -> Sequence[Photograph]:
        """Return a game's photographs, the first one first."""
        query = (
            select(PhotographRow)
            .where(PhotographRow.game_id == game_id)
            .order_by(PhotographRow.added_at, PhotographRow.id)
        )
        return read_view.cached((self, game_id), lambda: self._all(query))

    def waiting(self) -> list[Photograph]:
        """Return every photograph that is still to be read, the first one first.

        Those that were in hand when a server ended with its reading process come after the others,
        which would never be read if such a photograph were the reason.
        """
        return self._all(
            select(PhotographRow)
            .where(PhotographRow.state == "waiting")
            .order_by(case((PhotographRow.begun > 1, PhotographRow.begun), else_=0))
            .order_by(PhotographRow.added_at)
        )

    def _all(self, query: Any) -> list[Photograph]:
        with reading(self._sessions) as session:
            return [_photograph(row) for row in session.scalars(query)]

    def begin(self, photograph_id: str) -> int:
        """Write down that a server begins to read; return how many have, 0 for one that is gone.

        One that was ended while the photograph was not in hand, or whose reading process outlived
        it, does not count: it did not end for what it read.
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
        """Write down whose photograph it is, now that this is known."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph.id)
            if row is not None:
                row.player = player
        return replace(photograph, player=player)

    def read_again(self, photograph: Photograph) -> Photograph:
        """Let a photograph wait once more, as when it came."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph.id)
            if row is not None:
                row.begun, row.state, row.problem = 0, "waiting", None
        return replace(photograph, state="waiting", problem=None)

    def put_back(self, photograph_id: str) -> None:
        """Write down that the server stopped of its own accord, not for what it read."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None:
                row.begun -= 1

    def record(
        self, photograph_id: str, reading: Mapping[str, Any] | None, problem: str | None
    ) -> None:
        """Write down what was read, or why nothing could be; a photograph gone stays gone."""
        with self._sessions.begin() as session:
            row = session.get(PhotographRow, photograph_id)
            if row is not None:
                row.state = "failed" if problem else "read"
                row.reading = dict(reading) if reading else None
                row.problem = problem

    def remove(self, game_id: str, photograph_id: str) -> None:
        """Delete a photograph, its row first. Raises NoSuchPhotographError."""
        photograph = self.get(game_id, photograph_id)
        with self._sessions.begin() as session:
            session.execute(delete(PhotographRow).where(PhotographRow.id == photograph_id))
        for file in self._folder(game_id).glob(f"{photograph.id}.*"):
            file.unlink(missing_ok=True)

    def forget(self, game_id: str) -> None:
        """Delete the files of a game that is gone."""
        shutil.rmtree(self._folder(game_id), ignore_errors=True)

    def sweep(self) -> None:
        """Delete the files that no photograph refers to: of broken uploads and deleted games.

        Only where no server takes anything in: an upload's file is there first.
        """
        with reading(self._sessions) as session:
            known = set(session.scalars(select(PhotographRow.id)))
        for file in self.folder.glob("*/*"):
            if file.name.split(".")[0] not in known:
                file.unlink(missing_ok=True)
        for folder in self.folder.iterdir():
            with suppress(OSError):  # only an empty folder can be removed
                folder.rmdir()

    def path(self, photograph: Photograph) -> Path:
        """Return where the photograph's own file lies."""
        return self._folder(photograph.game_id) / f"{photograph.id}.photo"

    def board_path(self, photograph: Photograph, board: int) -> Path:
        """Return where the rectified picture of one of its boards lies."""
        return self._folder(photograph.game_id) / f"{photograph.id}.board{board}.jpg"

    def preview_path(self, photograph: Photograph) -> Path:
        """Return where the photograph lies as a small JPEG for pages."""
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
