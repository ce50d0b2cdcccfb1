"""A picture's file before decoding: its format, size and orientation.

Files are untrusted until decoded: the format is determined by content, and limits are checked here.
The same checks apply when a photograph is uploaded and when it is read.
"""

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from vision.containers import heic, jpeg, png, webp
from vision.containers.parts import BrokenFileError, CutOffError

MAX_BYTES = 64_000_000
MAX_PIXELS = 80_000_000
MAX_HEIC_PIXELS = 50_000_000
"""libheif holds several copies while decoding: 48 megapixels, the most of a phone, take some 500
MB."""
MAX_SCANS = 64
"""Largest number of scans of a JPEG: encoders write ten, and each costs the decoder up to 50 ms
for a large picture."""

Kind = Literal["JPEG", "PNG", "WebP", "HEIC"]
Reason = Literal["missing", "unknown", "bytes", "pixels", "cut_off", "damaged"]

_ORIENTATION = 0x0112  # the EXIF tag
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"hevc", b"hevx"}
_KINDS_WANTED = "use a JPEG, PNG, WebP or HEIC picture"
MALFORMED = (OSError, SyntaxError, ValueError, IndexError, KeyError, TypeError, struct.error)
"""The exceptions of Pillow and libheif for malformed headers."""


class PhotoError(Exception):
    """A file that is not a usable photograph; one line: what is wrong and what to do.

    `reason` is a key for the problem, which pages translate.
    """

    def __init__(self, message: str, reason: Reason = "damaged") -> None:
        super().__init__(message)
        self.reason: Reason = reason


@dataclass(frozen=True)
class PictureFile:
    """A file within the limits, stripped of everything but the picture.

    `data` is the same picture bit by bit, without where, when, with what and by whom it was taken.
    `size` is (width, height) in pixels as stored; `orientation` is the EXIF orientation, 1
    (upright) to 8. libheif turns and crops a HEIC as it decodes. `header` is Pillow's, and None for
    HEIC.
    """

    kind: Kind
    data: bytes
    size: tuple[int, int]
    orientation: int = 1
    header: ImageFile | None = None


def inspect_picture(
    data: bytes, max_pixels: int = MAX_PIXELS, max_bytes: int = MAX_BYTES
) -> PictureFile:
    """Identify a file. Raises PhotoError for one that is no picture, broken or too large."""
    if not data:
        raise PhotoError(f"is an empty file: {_KINDS_WANTED}", "unknown")
    if len(data) > max_bytes:
        raise PhotoError(too_many_bytes(len(data), max_bytes), "bytes")
    try:
        if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
            file = _inspect_heic(data)
        else:
            file = _inspect(data)
    except CutOffError as error:
        raise PhotoError(
            "is cut off (the end of the file is missing): copy the file again", "cut_off"
        ) from error
    except BrokenFileError as error:
        raise PhotoError("is damaged: copy the file again, or take another photograph") from error
    most = min(max_pixels, MAX_HEIC_PIXELS) if file.kind == "HEIC" else max_pixels
    width, height = file.size
    if width * height > most:
        raise PhotoError(
            f"has {width} x {height} pixels, more than {most // 1_000_000} megapixels: "
            "save it smaller",
            "pixels",
        )
    return file


def too_many_bytes(count: int, limit: int = MAX_BYTES) -> str:
    """The message for a file of ``count`` bytes."""
    return f"has {count / 1e6:.0f} MB, more than {limit // 1_000_000} MB: save it smaller, as JPEG"


def _inspect(data: bytes) -> PictureFile:
    kind: Kind
    # The formats' own classes rather than Image.open, which would accept many more formats and warn
    # about large pictures on standard error.
    parse: Callable[[io.BytesIO], ImageFile]
    if data.startswith(b"\xff\xd8\xff"):
        kind, parse = "JPEG", JpegImageFile
    elif data.startswith(png.SIGNATURE):
        kind, parse = "PNG", PngImageFile
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        kind, parse = "WebP", WebPImageFile
    else:
        raise PhotoError(f"is not a picture of a known kind: {_KINDS_WANTED}", "unknown")
    container = {"JPEG": jpeg, "PNG": png, "WebP": webp}[kind]
    parts = tuple(container.parts(data))
    if kind == "JPEG":
        _check_scans(jpeg.count_scans(parts))
    orientation = _orientation(container.exif(data, parts))
    picture = container.without_metadata(data, parts, orientation)
    try:
        header = parse(io.BytesIO(picture))
    except Image.DecompressionBombError as error:
        raise PhotoError("has far too many pixels: save it smaller", "pixels") from error
    except MALFORMED as error:
        raise PhotoError("is damaged: copy the file again, or take another photograph") from error
    return PictureFile(kind, picture, header.size, orientation, header)


def _inspect_heic(data: bytes) -> PictureFile:
    heic.check(data)
    return PictureFile("HEIC", heic.without_metadata(data), heic.size(data))


def _check_scans(scans: int) -> None:
    if scans > MAX_SCANS:
        raise PhotoError(
            f"goes over its picture {scans} times, more than {MAX_SCANS}: save it as ordinary JPEG"
        )


def _orientation(exif: bytes) -> int:
    """Read the EXIF orientation, 1 (upright) to 8; upright if the EXIF data is broken."""
    read = Image.Exif()
    try:
        read.load(exif)
        orientation = int(read.get(_ORIENTATION, 1))
    except MALFORMED:
        return 1
    return orientation if 1 <= orientation <= 8 else 1
