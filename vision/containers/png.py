"""PNG: chunks, each with its length, name and checksum."""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vision.containers.parts import MOST_PARTS, BrokenFileError, CutOffError, orientation_tiff

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS bKGD pHYs acTL fcTL fdAT"
    b" cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI".split()
)
"""The picture, an animation's frames, and the interpretation of their colours."""


@dataclass(frozen=True)
class PngChunk:
    """A chunk's name, start and end."""

    name: bytes
    start: int
    end: int


def parts(data: bytes) -> Iterator[PngChunk]:
    """The chunks up to the last, IEND; anything after it is left out.

    Raises CutOffError if it is missing, and BrokenFileError.
    """
    at = len(SIGNATURE)
    for _ in range(MOST_PARTS):
        name = data[at + 4 : at + 8]
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            raise CutOffError
        if not name.isalpha():
            raise BrokenFileError("a chunk without a name")
        yield PngChunk(name, at, end)
        if name == b"IEND":
            return
        at = end
    raise BrokenFileError("too many chunks")


def exif(data: bytes, chunks: Iterable[PngChunk]) -> bytes:
    """The EXIF data, a TIFF file, if they precede the picture; empty otherwise."""
    for chunk in chunks:
        if chunk.name == b"eXIf":
            return data[chunk.start + 8 : chunk.end - 4]
        if chunk.name == b"IDAT":
            break
    return b""


def without_metadata(data: bytes, chunks: Iterable[PngChunk], orientation: int) -> bytes:
    """The same picture with its colour profile, and no metadata but its orientation."""
    kept = [SIGNATURE]
    for chunk in chunks:
        if chunk.name in _KEPT:
            kept.append(data[chunk.start : chunk.end])
        if chunk.name == b"IHDR" and orientation != 1:
            kept.append(_chunk(b"eXIf", orientation_tiff(orientation)))
    return b"".join(kept)


def _chunk(name: bytes, body: bytes) -> bytes:
    check = zlib.crc32(name + body)
    return len(body).to_bytes(4, "big") + name + body + check.to_bytes(4, "big")
