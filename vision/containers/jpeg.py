"""JPEG: a sequence of segments with markers; the data of a scan follow its segment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from vision.containers.parts import (
    MOST_PARTS,
    BrokenFileError,
    CutOffError,
    has_zeros,
    orientation_tiff,
)

START_OF_SCAN = 0xDA
_END_OF_IMAGE = 0xD9
_MARKER = re.compile(rb"\xff[\xc0-\xcf\xd9-\xfe]")
"""Excludes FF 00 and FF D0 to D7, which occur in a scan's data, and fill bytes."""
_JFIF, _ICC, _ADOBE = (0xE0, b"JFIF\0"), (0xE2, b"ICC_PROFILE\0"), (0xEE, b"Adobe")
_EXIF = (0xE1, b"Exif\0\0")


@dataclass(frozen=True)
class Segment:
    """A marker's second byte, and the segment's start and end; a scan's includes its data."""

    marker: int
    start: int
    end: int


def parts(data: bytes) -> Iterator[Segment]:
    """The segments up to the end of the picture; data appended by a phone are left out.

    Raises CutOffError if that end is missing, and BrokenFileError.
    """
    at = 2
    for _ in range(MOST_PARTS):
        at = _next_marker(data, at)
        marker = data[at + 1]
        if marker == _END_OF_IMAGE:
            return
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        end = at + 2 + length
        if max(at + 4, end) > len(data):
            raise CutOffError
        if length < 2:
            raise BrokenFileError("a segment without a length")
        if marker == START_OF_SCAN:
            end = _next_marker(data, end)
        yield Segment(marker, at, end)
        at = end
    raise BrokenFileError("too many segments")


def _next_marker(data: bytes, at: int) -> int:
    found = _MARKER.search(data, at)
    if found is None:
        raise CutOffError
    return found.start()


def count_scans(segments: Iterable[Segment]) -> int:
    """The number of scans among the `parts` of a file."""
    return sum(segment.marker == START_OF_SCAN for segment in segments)


def has_zero_run(data: bytes) -> bool:
    """Whether zeros may have replaced part of the picture. Raises as `parts` does.

    Encoders write as many for a picture of a single colour.
    """
    if not has_zeros(data, 0, len(data)):
        return False
    scans = (segment for segment in parts(data) if segment.marker == START_OF_SCAN)
    return any(has_zeros(data, scan.start, scan.end) for scan in scans)


def exif(data: bytes, segments: Iterable[Segment]) -> bytes:
    """The first EXIF data, a TIFF file; empty if there are none."""
    for segment in segments:
        if _is(segment, data, _EXIF):
            return data[segment.start + 10 : segment.end]
    return b""


def without_metadata(data: bytes, segments: Iterable[Segment], orientation: int) -> bytes:
    """The same picture with its colour profile, and no metadata but its orientation."""
    kept: list[bytes | memoryview] = [b"\xff\xd8"]
    if orientation != 1:
        says = b"Exif\0\0" + orientation_tiff(orientation)
        kept.append(b"\xff\xe1" + (len(says) + 2).to_bytes(2, "big") + says)
    view = memoryview(data)  # its slices are no copies
    for segment in segments:
        if _is(segment, data, _JFIF):  # without its thumbnail
            kept.append(b"\xff\xe0\0\x10" + data[segment.start + 4 : segment.start + 16] + b"\0\0")
        elif segment.marker <= 0xDF or _is(segment, data, _ICC) or _is(segment, data, _ADOBE):
            kept.append(view[segment.start : segment.end])
    return b"".join([*kept, b"\xff\xd9"])


def _is(segment: Segment, data: bytes, kind: tuple[int, bytes]) -> bool:
    marker, begins = kind
    return segment.marker == marker and data.startswith(begins, segment.start + 4, segment.end)
