"""A picture's file, before a pixel is decoded: what it is, how large, how it is to be turned.

A file is hostile until it is decoded: what it is is judged by its content, and its limits are
checked here. The same checks refuse a photograph when it arrives at a server and when it is read.
"""

from __future__ import annotations

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
"""libheif holds several copies as it decodes: 48 megapixels, a phone's most, take some 500 MB."""
MAX_SCANS = 64
"""How often a JPEG may go over its picture: encoders do so ten times, and each costs the decoder
up to 50 ms where the picture is large."""

Kind = Literal["JPEG", "PNG", "WebP", "HEIC"]
Reason = Literal["missing", "unknown", "bytes", "pixels", "cut_off", "damaged"]

_ORIENTATION = 0x0112  # the EXIF tag
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"hevc", b"hevx"}
_KINDS_WANTED = "use a JPEG, PNG, WebP or HEIC picture"
MALFORMED = (OSError, SyntaxError, ValueError, IndexError, KeyError, TypeError, struct.error)
"""What Pillow and libheif raise over a header that breaks its own format."""


class PhotoError(Exception):
    """A file that is not a usable photograph; one line: what is wrong and what to do.

    `reason` says what is wrong in one word, for a page to put in the player's language.
    """

    def __init__(self, message: str, reason: Reason = "damaged") -> None:
        """Give what is wrong as a line and as a word."""
        super().__init__(message)
        self.reason: Reason = reason


@dataclass(frozen=True)
class PictureFile:
    """A file within the limits.

    `size` is (width, height) in pixels as stored; `orientation` the EXIF one, 1 (upright) to 8, by
    which the picture is to be turned. libheif turns and crops a HEIC as it decodes. `header` is
    Pillow's, and None for HEIC.
    """

    kind: Kind
    data: bytes
    size: tuple[int, int]
    orientation: int = 1
    header: ImageFile | None = None

    def without_metadata(self) -> bytes:
        """The same picture to the bit, without where, when, with what and by whom it was taken.

        How it is to be turned stays.
        """
        if self.kind == "HEIC":
            return heic.without_metadata(self.data)
        strip = {"JPEG": jpeg, "PNG": png, "WebP": webp}[self.kind].without_metadata
        stripped: bytes = strip(self.data, self.orientation)
        return stripped


def inspect_picture(
    data: bytes, max_pixels: int = MAX_PIXELS, max_bytes: int = MAX_BYTES
) -> PictureFile:
    """Say what a file is. Raises PhotoError over one that is no picture, broken or too large."""
    if not data:
        raise PhotoError(f"is an empty file: {_KINDS_WANTED}", "unknown")
    if len(data) > max_bytes:
        raise PhotoError(too_many_bytes(len(data), max_bytes), "bytes")
    try:
        if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
            return _inspect_heic(data, min(max_pixels, MAX_HEIC_PIXELS))
        return _inspect(data, max_pixels)
    except CutOffError as error:
        raise PhotoError(
            "is cut off (the end of the file is missing): copy the file again", "cut_off"
        ) from error
    except BrokenFileError as error:
        raise PhotoError("is damaged: copy the file again, or take another photograph") from error


def too_many_bytes(count: int, limit: int = MAX_BYTES) -> str:
    """The words for a file of so many bytes."""
    return f"has {count / 1e6:.0f} MB, more than {limit // 1_000_000} MB: save it smaller, as JPEG"


def _inspect(data: bytes, max_pixels: int) -> PictureFile:
    kind: Kind
    # The formats' own classes rather than Image.open: that one would take many more formats,
    # and warn about large pictures on standard error.
    parse: Callable[[io.BytesIO], ImageFile]
    if data.startswith(b"\xff\xd8\xff"):
        kind, parse = "JPEG", JpegImageFile
    elif data.startswith(png.SIGNATURE):
        kind, parse = "PNG", PngImageFile
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        kind, parse = "WebP", WebPImageFile
    else:
        raise PhotoError(f"is not a picture of a known kind: {_KINDS_WANTED}", "unknown")
    _check_parts(kind, data)
    try:
        header = parse(io.BytesIO(data))
    except Image.DecompressionBombError as error:
        raise PhotoError("has far too many pixels: save it smaller", "pixels") from error
    except MALFORMED as error:
        raise PhotoError("is damaged: copy the file again, or take another photograph") from error
    _check_pixels(header.size, max_pixels)
    return PictureFile(kind, data, header.size, _orientation(header), header)


def _inspect_heic(data: bytes, max_pixels: int) -> PictureFile:
    heic.check(data)
    size = heic.size(data)
    _check_pixels(size, max_pixels)
    return PictureFile("HEIC", data, size)


def _check_pixels(size: tuple[int, int], limit: int) -> None:
    width, height = size
    if width * height > limit:
        raise PhotoError(
            f"has {width} x {height} pixels, more than {limit // 1_000_000} megapixels: "
            "save it smaller",
            "pixels",
        )


def _check_parts(kind: Kind, data: bytes) -> None:
    """Raise over a picture that is not whole: decoders fill it with grey, and some say nothing."""
    if kind == "PNG":
        list(png.chunks(data))
    elif kind == "WebP":
        list(webp.chunks(data))
    elif (scans := jpeg.count_scans(data)) > MAX_SCANS:
        raise PhotoError(
            f"goes over its picture {scans} times, more than {MAX_SCANS}: save it as ordinary JPEG"
        )


def _orientation(header: ImageFile) -> int:
    """Read the EXIF orientation, 1 (upright) to 8; upright where the EXIF data is broken."""
    exif = Image.Exif()  # not header.getexif(), which decodes a whole PNG to look behind it
    try:
        exif.load(header.info.get("exif", b""))
        orientation = int(exif.get(_ORIENTATION, 1))
    except MALFORMED:
        return 1
    return orientation if 1 <= orientation <= 8 else 1
