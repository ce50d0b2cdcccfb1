"""The Parquet files of an archive, written atomically, with one row per photograph."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from vision import BoardReading, Reading
from webapp.app import atomic
from webapp.app.reading.read_version import ReadVersion

PIECES = pa.struct(
    [
        ("place", pa.string()),
        ("kind", pa.string()),  # spot, edge, dial, track or region
        ("piece", pa.string()),  # null if empty
        ("count", pa.int32()),
        ("confidence", pa.float32()),
    ]
)
BOARDS = pa.struct(
    [
        ("profile", pa.string()),
        ("game", pa.string()),
        ("kind", pa.string()),
        ("corners", pa.list_(pa.float32())),  # x, y in px, clockwise from the printed top left
        ("pieces", pa.list_(PIECES)),
        ("flags", pa.list_(pa.string())),
    ]
)
SCHEMA = pa.schema(
    [
        ("photograph", pa.string()),  # sha256 of the file
        ("reader", pa.string()),
        ("profiles", pa.string()),
        ("path", pa.string()),
        ("size", pa.int64()),
        ("modified", pa.int64()),  # ns since 1970
        ("problem", pa.string()),  # null if it was read
        ("message", pa.string()),
        ("milliseconds", pa.float32()),
        ("boards", pa.list_(BOARDS)),
    ]
)
"""Photograph, reader and profiles are the key."""

Row = Mapping[str, Any]


class DamagedPartError(Exception):
    """A file of the archive is corrupt; the one-line message names it and says what to do."""


@dataclass
class ArchiveContents:
    """The contents of an archive for one reader version and choice of profiles."""

    photographs: set[bytes] = field(default_factory=set)
    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    """File size and modification time (ns since 1970) by path."""


class Parts:
    """The Parquet files in a folder; only one process may write at a time."""

    def __init__(self, folder: Path) -> None:
        """Use `folder`, which is created with the first file."""
        self._folder = folder
        numbers = [int(file.stem.removeprefix("part-")) for file in self._files()]
        self._next = max(numbers, default=0) + 1

    def kept(self, version: ReadVersion) -> ArchiveContents:
        """Return what was read with the same versions before. Raises DamagedPartError."""
        found = ArchiveContents()
        columns = ["photograph", "path", "size", "modified", *version._fields]
        for file in self._files():
            for row in _rows(file, columns):
                if (row["reader"], row["profiles"]) == version:
                    found.photographs.add(bytes.fromhex(row["photograph"]))
                    found.files[row["path"]] = (row["size"], row["modified"])
        return found

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows to a new file, synced. On OSError no file is left."""
        table = pa.Table.from_pylist(list(rows), SCHEMA)
        with atomic.replacing(self._folder / f"part-{self._next:06}.parquet") as file:
            pq.write_table(table, file, compression="zstd")
        self._next += 1

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("part-??????.parquet"))


def _rows(file: Path, columns: list[str]) -> Iterator[Row]:
    """Yield the given columns of a file by row. Raises DamagedPartError."""
    try:
        with pq.ParquetFile(file) as opened:
            for batch in opened.iter_batches(columns=columns):
                yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise DamagedPartError(
            f"{file} is damaged: delete it, and its photographs are read again"
        ) from error


def boards_of(reading: Reading) -> list[dict[str, Any]]:
    """Return the boards of a reading in the archive's format."""
    return [
        {
            "profile": board.profile,
            "game": board.game,
            "kind": board.kind,
            "corners": board.corners.ravel().tolist(),
            "pieces": list(_pieces(board)),
            "flags": [flag.kind for flag in board.flags],
        }
        for board in reading.boards
    ]


def _pieces(board: BoardReading) -> Iterator[dict[str, Any]]:
    def row(place: str, kind: str, piece: str | None, count: int, sure: float) -> dict[str, Any]:
        return {
            "place": place,
            "kind": kind,
            "piece": piece,
            "count": count,
            "confidence": sure,
        }

    for place, read in board.places.items():
        count = int(read.piece is not None)
        yield row(place.id, place.kind, read.piece, count, read.confidence)
    for track, held in board.tracks.items():
        for piece in dict.fromkeys(held.pieces) or (None,):
            yield row(track, "track", piece, held.pieces.count(piece), held.confidence)
    for region, counted in board.regions.items():
        for piece, count in counted.pieces.items():
            yield row(region, "region", piece, count, counted.confidence)
