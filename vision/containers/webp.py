"""WebP: chunks in a RIFF file, each with its name and length; a frame's chunks are nested."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vision.containers.parts import (
    MOST_PARTS,
    BrokenFileError,
    CutOffError,
    has_zeros,
    orientation_tiff,
)

_HEADER = 12
_FRAME_HEADER = 16
_PICTURE = frozenset({b"VP8 ", b"VP8L"})
_KEPT = _PICTURE | {b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"}
_SAYS_EXIF, _SAYS_XMP = 0x08, 0x04
"""Bits of VP8X's first byte."""
_UNNEEDED = 64
"""More bytes than encoders pad by: an intact picture does not decode without them."""


@dataclass(frozen=True)
class RiffChunk:
    """A chunk's name, and the start and end of its content."""

    name: bytes
    start: int
    end: int


def parts(data: bytes, start: int = _HEADER, end: int | None = None) -> Iterator[RiffChunk]:
    """The chunks of a file, or of a part of it; anything after the file's own end is left out.

    Raises CutOffError if the end is missing, and BrokenFileError.
    """
    if end is None:
        end = 8 + int.from_bytes(data[4:8], "little")
        if end > len(data):
            raise CutOffError
    for _ in range(MOST_PARTS):
        if start >= end - 1:  # some writers omit the padding to even lengths
            return
        name, length = (
            data[start : start + 4],
            int.from_bytes(data[start + 4 : start + 8], "little"),
        )
        start += 8
        if start + length > end:
            raise CutOffError
        if not name.isascii() or not name.decode().isprintable():
            raise BrokenFileError("a chunk without a name")
        yield RiffChunk(name, start, start + length)
        start += length + length % 2
    raise BrokenFileError("too many chunks")


def exif(data: bytes, chunks: Iterable[RiffChunk]) -> bytes:
    """The EXIF data, a TIFF file; empty if there are none."""
    for chunk in chunks:
        if chunk.name == b"EXIF":
            return data[chunk.start : chunk.end].removeprefix(b"Exif\0\0")
    return b""


def without_metadata(data: bytes, chunks: Iterable[RiffChunk], orientation: int) -> bytes:
    """The same picture with its colour profile, and no metadata but its orientation."""
    return _file(_kept(data, chunks, orientation))


def _kept(data: bytes, chunks: Iterable[RiffChunk], orientation: int) -> Iterator[bytes]:
    turned = False
    for chunk in chunks:
        body = data[chunk.start : chunk.end]
        if chunk.name == b"VP8X" and body:
            turned = orientation != 1
            says = body[0] & ~(_SAYS_EXIF | _SAYS_XMP) | _SAYS_EXIF * turned
            body = bytes([says]) + body[1:]
        elif chunk.name == b"ANMF":
            inside = parts(data, chunk.start + _FRAME_HEADER, chunk.end)
            body = body[:_FRAME_HEADER] + b"".join(_kept(data, inside, 1))
        if chunk.name in _KEPT:
            yield _chunk(chunk.name, body)
    if turned:
        yield _chunk(b"EXIF", orientation_tiff(orientation))


def shortened(data: bytes) -> bytes | None:
    """The file without its picture's last bytes, if zeros may have replaced part of it; else None.

    The coding has no checksum, and no end that a decoder would miss: zeros decode, into more pixels
    than the data they replaced. So a file that decodes without its last bytes is damaged; a valid
    one with as many zeros, as of a single colour, needs all of them.
    """
    found = [chunk for chunk in parts(data) if chunk.name in _PICTURE]
    if not any(has_zeros(data, chunk.start, chunk.end) for chunk in found):
        return None
    last = found[-1]
    kept = data[last.start : max(last.start, last.end - _UNNEEDED)]
    return _file(
        _chunk(chunk.name, kept if chunk == last else data[chunk.start : chunk.end])
        for chunk in parts(data)
    )


def _file(written: Iterator[bytes]) -> bytes:
    body = b"WEBP" + b"".join(written)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + len(body).to_bytes(4, "little") + body + bytes(len(body) % 2)
