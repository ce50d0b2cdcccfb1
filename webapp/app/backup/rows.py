"""Games as JSON data: serialisation of their rows and validated parsing."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import inspect, select
from sqlalchemy.orm import Session

from vision.live.board_state import BoardState
from webapp.app.backup.archive import BackupError
from webapp.app.database import CountRow, GameRow, LessonRow, PhotographRow, RevisionRow, SeatRow
from webapp.app.game_pages import pages_of
from webapp.app.guide import history
from webapp.app.live.log import MOST_ENTRIES, LiveEntryRow, LiveSourceRow
from webapp.app.reading.photographs import MOST_OF_GAME, PARTLY_READ
from webapp.app.session import seats
from webapp.app.session.counting import KEPT
from webapp.app.session.document_check import is_readable
from webapp.app.session.seats import Seat

ID = re.compile("[0-9a-f]{16}")
Seal = Callable[[str], str]
Unseal = Callable[[str], str | None]

PARTS: Mapping[str, Any] = {
    "revisions": RevisionRow,
    "seats": SeatRow,
    "photographs": PhotographRow,
    "live": LiveEntryRow,
    "counts": CountRow,
}
"""The tables with a game's rows, other than its own."""
CAMERAS = "cameras"
"""What a game's cameras remember since the last entry: the boards' positions and contents."""
MOST_CAMERAS = 64
MOST = {
    "revisions": 1000,
    "seats": 4,
    "photographs": MOST_OF_GAME,
    "live": MOST_ENTRIES,
    "counts": KEPT,
}


@dataclass(frozen=True)
class GameData:
    """A game's own row and its rows in each of `PARTS`, as dicts."""

    id: str
    own: Mapping[str, Any]
    parts: Mapping[str, Sequence[Mapping[str, Any]]]

    @property
    def document(self) -> Mapping[str, Any]:
        number = self.own["revision"]
        found = next(one for one in self.parts["revisions"] if one["number"] == number)
        document: Mapping[str, Any] = found["document"]
        return document


def game_of(session: Session, game_id: str) -> GameData | None:
    """Return the readable data of a game.

    None if it is gone, deleted or entirely unreadable.
    """
    row = session.get(GameRow, game_id)
    if row is None or row.deleted_at is not None:
        return None
    parts = {
        name: [_values(one) for one in session.scalars(_of_game(kind, game_id))]
        for name, kind in PARTS.items()
    }
    of_game = LiveSourceRow.game_id == game_id, LiveSourceRow.memory.is_not(None)
    cameras = session.scalars(select(LiveSourceRow).where(*of_game).order_by(LiveSourceRow.name))
    parts[CAMERAS] = [{"name": one.name, "memory": one.memory} for one in cameras if one.memory]
    own = _values(row)
    parts["revisions"] = _readable(parts["revisions"])
    numbers = [one["number"] for one in parts["revisions"]]
    if not numbers:
        return None
    if own["revision"] not in numbers:
        own["revision"] = numbers[-1]
    return GameData(game_id, own, parts)


def _readable(revisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the readable revisions; unreadable parents become the nearest readable one."""
    parents: dict[int, int | None] = {one["number"]: one["parent"] for one in revisions}
    kept = {one["number"] for one in revisions if is_readable(one["document"])}

    def parent_of(number: int) -> int | None:
        parent = parents[number]
        while parent is not None and parent not in kept:
            parent = parents.get(parent)
        return parent

    return [
        {**one, "parent": parent_of(one["number"])} for one in revisions if one["number"] in kept
    ]


def lessons_of(session: Session) -> list[dict[str, Any]]:
    """Return all completed lessons as JSON data."""
    found = session.scalars(select(LessonRow).order_by(LessonRow.at))
    return [{key: _written(own) for key, own in _values(row).items()} for row in found]


def lessons_from_data(data: Any, name: str) -> list[LessonRow]:
    """Parse completed lessons. Raises BackupError."""
    try:
        if not isinstance(data, list):
            raise ValueError("no list")
        return [LessonRow(**_row(LessonRow, one)) for one in data]
    except ValueError as error:
        raise BackupError(f"{name}: is no list of lessons ({error})") from error


def _of_game(kind: Any, game_id: str) -> Any:
    order = {PhotographRow: "added_at", CountRow: "at"}.get(kind, "number")
    return select(kind).where(kind.game_id == game_id).order_by(getattr(kind, order))


def _values(row: Any) -> dict[str, Any]:
    return {column.key: getattr(row, column.key) for column in inspect(type(row)).columns}


MOST_SECRET = 2000
"""The longest secret of a seat, in characters."""


def to_data(game: GameData, seal: Seal) -> dict[str, Any]:
    """Return a game as JSON data, with hidden cards of seats and of the log encrypted."""
    taken = {one["number"]: _seat(one) for one in game.parts["seats"]}
    over = seats.is_over(seats.view(game.document, taken, None))
    parts = {
        name: [{key: _written(own) for key, own in row.items() if key != "game_id"} for row in rows]
        for name, rows in game.parts.items()
    }
    if not over:
        for row in parts["seats"]:
            card = row.pop("card")
            row["sealed"] = None if card is None else seal(card)
        guided = pages_of(game.document["game"]).guided
        if guided is not None:
            for row in parts["live"]:
                row["data"] = history.sealed(guided, row["kind"], row["data"], seal)
    return {**{key: _written(own) for key, own in game.own.items()}, **parts}


def _seat(row: Mapping[str, Any]) -> Seat:
    return Seat(row["owner"], row["card"], row["laid_open"], row["lost_by"])


def _written(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def from_data(data: Any, name: str, unseal: Unseal) -> GameData:
    """Parse a game; a seat whose card was encrypted by another server is freed.

    Raises BackupError.
    """
    try:
        own = _row(GameRow, data)
        parts = {
            part: _rows(kind, data[part], MOST[part], own["id"])
            for part, kind in PARTS.items()
            if part != "counts"
        }
        parts["counts"] = _rows(CountRow, data.get("counts", []), KEPT, own["id"])
        sealed = {one["number"]: one.get("sealed") for one in data["seats"]}
        parts["seats"] = [_opened(seat, sealed[seat["number"]], unseal) for seat in parts["seats"]]
        for entry in parts["live"]:
            entry["data"] = history.unsealed(entry["data"], unseal)
        parts[CAMERAS] = _cameras(data.get(CAMERAS, []))
        game = GameData(own["id"], own, parts)
        _check(game)
    except (AttributeError, KeyError, TypeError, ValueError, StopIteration) as error:
        raise BackupError(f"{name}: is not a game ({error})") from error
    return game


def _cameras(data: Any) -> list[dict[str, Any]]:
    """Parse the cameras and what they remember, validated for use by a tracker."""
    if not isinstance(data, list) or len(data) > MOST_CAMERAS:
        raise ValueError("too many cameras")
    found = []
    for one in data:
        name, memory = one["name"], one["memory"]
        if not isinstance(name, str) or not 0 < len(name) <= 40 or not isinstance(memory, dict):
            raise ValueError("a camera that cannot be")
        for board in memory.get("boards", ()):
            BoardState.from_data(board, ())
            if np.array(board["pose"], dtype=float).shape != (3, 3):
                raise ValueError("a camera that saw no board")
        found.append({"name": name, "memory": memory})
    return found


def _rows(kind: Any, data: Any, most: int, game_id: str) -> list[dict[str, Any]]:
    if not isinstance(data, list) or len(data) > most:
        raise ValueError("too many parts")
    return [_row(kind, {**one, "game_id": game_id}) for one in data]


def _row(kind: Any, data: Any) -> dict[str, Any]:
    """Return a row's values with checked types; missing nullable values become None."""
    if not isinstance(data, Mapping):
        raise ValueError("no keys")
    found: dict[str, Any] = {}
    for column in inspect(kind).columns:
        value = data.get(column.key)
        if value is None:
            if not column.nullable and column.key not in ("card",):
                raise ValueError(f"{column.key} is missing")
        elif column.type.python_type is datetime:
            value = datetime.fromisoformat(value)
            if value.tzinfo is not None:
                raise ValueError(f"{column.key} has a zone")
        elif not isinstance(value, column.type.python_type):
            raise ValueError(f"{column.key} is no {column.type.python_type.__name__}")
        length = getattr(column.type, "length", None)
        if length is not None and isinstance(value, str) and len(value) > length:
            raise ValueError(f"{column.key} is too long")
        if isinstance(value, int) and not 0 <= value < 2**31:
            raise ValueError(f"{column.key} is out of range")
        found[column.key] = value
    return found


def _opened(seat: dict[str, Any], sealed: Any, unseal: Unseal) -> dict[str, Any]:
    """Return a seat with its card decrypted; if that fails, with the seat given up."""
    if sealed is None:
        return seat
    card = unseal(sealed) if isinstance(sealed, str) else None
    if card is None or len(card) > MOST_SECRET:
        return {**seat, "owner": None, "card": None, "laid_open": False, "lost_by": seat["owner"]}
    return {**seat, "card": card}


def _check(game: GameData) -> None:
    """Raise ValueError for an inconsistent game."""
    numbers = [one["number"] for one in game.parts["revisions"]]
    entries = [one["number"] for one in game.parts["live"]]
    ids = [game.id, *(one["id"] for one in game.parts["photographs"])]
    if numbers != sorted(set(numbers)) or game.own["revision"] not in numbers:
        raise ValueError("its steps are out of order")
    parents = {one["parent"] for one in game.parts["revisions"]} - {None}
    if not parents <= set(numbers) or any(
        one["parent"] is not None and one["parent"] >= one["number"]
        for one in game.parts["revisions"]
    ):
        raise ValueError("its steps are out of order")
    if entries != list(range(1, len(entries) + 1)):
        raise ValueError("its log is out of order")
    if not all(ID.fullmatch(id) for id in ids) or len(ids) != len(set(ids)):
        raise ValueError("an id that is none")
    if game.own["deleted_at"] is not None:
        raise ValueError("it was deleted")
    for photograph in game.parts["photographs"]:
        if photograph["state"] not in ("waiting", PARTLY_READ, "read", "failed"):
            raise ValueError("a photograph in an unknown state")
        if photograph["state"] in (PARTLY_READ, "read") and not photograph["reading"]:
            raise ValueError("a photograph that was read without a reading")
