"""Shared by the formats: errors of broken files, and EXIF data for an orientation."""

import struct

MOST_PARTS = 65_536
"""Limit of segments, chunks or boxes per file; the largest photographs have a tenth of it."""

EMPTY_TIFF = b"MM\0*\0\0\0\x08" + bytes(6)
"""EXIF data, which are a TIFF file, without entries."""


_ZEROS = bytes(32)
"""A longer run than in any photograph's coded data."""


class BrokenFileError(ValueError):
    """A file that violates its own format."""


class CutOffError(BrokenFileError):
    """A truncated file."""


def orientation_tiff(orientation: int) -> bytes:
    """EXIF data with an orientation, 1 to 8, and nothing else."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0*\0\0\0\x08" + struct.pack(">H", 1) + entry + bytes(4)


def has_zeros(data: bytes, start: int, end: int) -> bool:
    """Whether there is a run of zero bytes as left by failed copies and damaged memory cards."""
    return data.find(_ZEROS, start, end) >= 0
