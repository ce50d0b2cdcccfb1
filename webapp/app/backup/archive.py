"""The backup's file format: a zip, streamed when written and treated as untrusted when read.

    backup.json                        format, program version and date
    games/ID.json                      a game: revisions, seats, readings, log
    unreadable/ID.json                 a damaged game's revisions as text, for manual repair
    photographs/ID/PHOTOGRAPH.photo    as uploaded; also .preview.jpg and .board0.jpg
    examples/ID/NAME.jpg .json         crops that players agreed to keep
    boards/NAME.zip                    an owner's board, as exported by "My boards"
    stars/GAME/NAME.yaml               the owner's star colours for a built-in board
    decks/GAME/NAME.zip                the owner's cards for a built-in board
    drafts/ID/draft.json photo         a draft of a board, with its photograph
    drafts/ID/preview.jpg board.jpg    and pictures derived from it
    seen-stars.json                    colour samples from corrected boards
    persons.json, persons/NAME.jpg     the players and their pictures
    lessons.json                       completed lessons
    preferences.json                   those of the browser that saved the backup

It contains no keys, invitations or camera addresses. Names are never used as paths: each must match
one of these patterns, which determine where its content goes.
"""

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from calibration.own_deck import DECK_BYTES
from scorer.datafile import LARGEST_FILE

FORMAT = 1
ABOUT, PERSONS, PREFERENCES = "backup.json", "persons.json", "preferences.json"
LESSONS = "lessons.json"
MB = 1024 * 1024
PICTURE_BYTES = 32 * MB
LARGEST: Mapping[str, int] = {
    r"backup\.json": LARGEST_FILE,
    r"preferences\.json": LARGEST_FILE,
    r"persons\.json": 16 * MB,
    r"lessons\.json": 16 * MB,
    r"persons/[0-9a-f]{16}\.jpg": 1 * MB,
    r"games/[0-9a-f]{16}\.json": 128 * MB,
    r"unreadable/[0-9a-f]{16}\.json": 128 * MB,
    r"photographs/[0-9a-f]{16}/[0-9a-f]{16}\.(photo|preview\.jpg|board\d{1,3}\.jpg)": PICTURE_BYTES,
    r"examples/[0-9a-f]{16}/[0-9a-f]{12}\.(jpg|json)": 1 * MB,
    r"boards/\w[\w-]{0,63}(\.\d{1,20})?\.zip": PICTURE_BYTES + DECK_BYTES + MB,
    r"drafts/[0-9a-f]{16}/draft\.json": LARGEST_FILE,
    r"drafts/[0-9a-f]{16}/(photo|preview\.jpg|board\.jpg)": PICTURE_BYTES,
    r"seen-stars\.json": LARGEST_FILE,
    r"stars/[\w-]{1,64}/[\w-]{1,64}\.yaml": LARGEST_FILE,
    r"decks/[\w-]{1,64}/[\w-]{1,64}\.zip": DECK_BYTES,
}
"""The patterns of allowed names, with the maximum unpacked size in bytes."""
MOST_FILES = 200_000
LONGEST_DIRECTORY = 64 * MB
_BROKEN = (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, EOFError, zlib.error)


class BackupError(ValueError):
    """The file is not a complete backup; the one-line message says which part is wrong."""


class ZipBuffer:
    """A write-only buffer for streaming a zip: written data is taken out as it arrives."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._at += len(data)
        return len(data)

    def tell(self) -> int:
        return self._at

    def flush(self) -> None:
        """Do nothing; `zipfile` requires it."""

    def taken(self) -> bytes:
        """Return and remove what was written since the last call."""
        data = b"".join(self._parts)
        self._parts.clear()
        return data


class Archive:
    """An uploaded backup: its parts by name, each within its size limit."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        """Check the names and declared sizes. Raises BackupError."""
        self._packed = packed
        found = packed.infolist()
        if len(found) > MOST_FILES:
            raise BackupError(f"over {MOST_FILES:,} files, far too many")
        self._sizes = {info.filename: info.file_size for info in found}
        if len(self._sizes) != len(found):
            raise BackupError("it contains a file twice")
        for info in found:
            most = check_name(info.filename)
            if info.file_size > most:
                raise BackupError(f"{info.filename}: over {most:,} bytes, far too many")
            if info.flag_bits & 1 or info.compress_type not in (0, zipfile.ZIP_DEFLATED):
                raise BackupError(f"{info.filename}: encrypted, or of an unsupported compression")
        if ABOUT not in self._sizes:
            raise BackupError(f"no backup of Stargazer: {ABOUT} is missing")

    @property
    def size(self) -> int:
        """The total unpacked size as declared; no part is unpacked beyond its declared size."""
        return sum(self._sizes.values())

    def names(self, pattern: str) -> list[tuple[str, ...]]:
        """Return a pattern's groups for each matching name, in alphabetical order."""
        found = (re.fullmatch(pattern, name) for name in sorted(self._sizes))
        return [match.groups() for match in found if match]

    def __contains__(self, name: str) -> bool:
        return name in self._sizes

    def read(self, name: str) -> bytes:
        """Return the content of a part. Raises BackupError."""
        size = self._sizes[name]
        try:
            with self._packed.open(name) as file:
                data = file.read(size + 1)
        except (*_BROKEN, NotImplementedError, RuntimeError, ValueError) as error:
            raise BackupError(f"{name}: is damaged; choose a whole backup") from error
        if len(data) != size:
            raise BackupError(f"{name}: is not as large as it says")
        return data

    def json(self, name: str, otherwise: Any = None) -> Any:
        """Return the parsed JSON of a part, `otherwise` without it. Raises BackupError."""
        if name not in self:
            return otherwise
        try:
            return json.loads(self.read(name), parse_constant=_no_number)
        except BackupError:
            raise
        except (ValueError, RecursionError) as error:
            raise BackupError(f"{name}: is not JSON") from error
        except MemoryError as error:
            raise BackupError(f"{name}: has far too much in it") from error


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Open a backup. Raises BackupError."""
    try:
        with path.open("rb") as file:
            _check_directory(file)
            with zipfile.ZipFile(file) as packed:
                archive = Archive(packed)
                about = archive.json(ABOUT)
                if not isinstance(about, dict) or about.get("format") != FORMAT:
                    raise BackupError("a newer Stargazer has made this backup: update this one")
                yield archive
    except (*_BROKEN, NotImplementedError) as error:
        raise BackupError("is no zip, or not a whole one; choose a backup") from error


def _check_directory(file: IO[bytes]) -> None:
    """Refuse a zip whose directory is large enough to exhaust memory. Raises BackupError."""
    file.seek(0, 2)
    file.seek(max(0, file.tell() - 66_000))
    tail = file.read()
    file.seek(0)
    at, larger = tail.rfind(b"PK\x05\x06"), tail.rfind(b"PK\x06\x06")
    sizes = [struct.unpack_from("<L", tail, at + 12)] if 0 <= at <= len(tail) - 22 else []
    sizes += [struct.unpack_from("<Q", tail, larger + 40)] if 0 <= larger <= len(tail) - 56 else []
    known = [size for (size,) in sizes if size != 0xFFFFFFFF]
    if not known:
        raise BackupError("is no zip, or not a whole one; choose a backup")
    if max(known) > LONGEST_DIRECTORY:
        raise BackupError(f"over {MOST_FILES:,} files, far too many")


def check_name(name: str) -> int:
    """Return the size limit of a part by name. Raises BackupError for unknown names."""
    for pattern, most in LARGEST.items():
        if re.fullmatch(pattern, name):
            return most
    raise BackupError(f"{name[:80]!r}: nothing that a backup has")


def _no_number(name: str) -> None:
    raise ValueError(name)
