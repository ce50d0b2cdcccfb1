"""What the formats have in common: how a file can be broken, and the EXIF data of a turned one."""

import struct

MOST_PARTS = 65_536
"""Segments, chunks or boxes of a file; the largest photographs have a tenth of it."""

EMPTY_TIFF = b"MM\0*\0\0\0\x08" + bytes(6)
"""EXIF data, which are a TIFF file, that say nothing."""


_ZEROS = bytes(32)
"""More than a photograph's coded data have in a row."""


class BrokenFileError(ValueError):
    """A file that breaks the layout of its own format."""


class CutOffError(BrokenFileError):
    """A file whose end is missing."""


def orientation_tiff(orientation: int) -> bytes:
    """EXIF data that say how to turn a picture upright, 1 to 8, and nothing else."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*\0\0\0\x08" + struct.pack(">H", 1) + entry + bytes(4)


def has_zeros(data: bytes, start: int, end: int) -> bool:
    """Whether so many zero bytes lie there as copies and cards put in the place of what is lost."""
    return data.find(_ZEROS, start, end) >= 0
