"""The first step: a photograph's file becomes pixels, within limits.

A file is hostile until decoded: what it is is judged by its content, its size in
bytes and in pixels is checked before a pixel is decoded, and a damaged file is refused.
"""

import io
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pi_heif
from PIL import Image
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

MAX_BYTES = 64_000_000
MAX_PIXELS = 80_000_000
MAX_HEIC_PIXELS = 50_000_000
"""libheif holds several copies as it decodes: 48 megapixels, a phone's most, take some 500 MB."""
HALVED_ABOVE = 24_000_000
"""Pixels above which the image is kept at half size. A 12-megapixel photograph stays whole:
halving it would save some 25 ms, and cost small boards half their pixels. Beyond 24 megapixels
memory decides (80 megapixels are 240 MB a copy)."""

_ORIENTATION = 0x0112  # the EXIF tag
_HEIC_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1", b"hevc", b"hevx"}
_KINDS_WANTED = "use a JPEG, PNG, WebP or HEIC picture"
_MALFORMED = (OSError, SyntaxError, ValueError, IndexError, KeyError, TypeError, struct.error)
"""What Pillow and libheif raise over a header that breaks its own format."""


class PhotoError(Exception):
    """A file that is not a usable photograph; one line: what is wrong and what to do."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photograph, upright as its EXIF orientation says.

    `image` is (H, W, 3) uint8 BGR. `size` is (width, height) of the whole photograph in
    pixels, in which every result is given; `scale` is image pixels per photograph pixel:
    1.0, or 0.5 where the photograph is so large that it was decoded at half size.
    """

    image: np.ndarray
    size: tuple[int, int]
    name: str
    scale: float = 1.0


def load_photo(source: str | Path | bytes, name: str = "photo") -> Photo:
    """Decode a JPEG, PNG, WebP or HEIC photograph from a path or from its bytes.

    A path's photograph takes the file's name, one from bytes takes `name`.
    Raises PhotoError over anything else, however damaged, oversized or missing.
    """
    if isinstance(source, bytes):
        data = source
    else:
        name = Path(source).name
        data = _read_file(Path(source))
    try:
        return _decode(data, name)
    except PhotoError as error:
        raise PhotoError(f"{name} {error}") from error.__cause__


def _read_file(path: Path) -> bytes:
    """Read a file, unless its size alone refuses it."""
    if path.is_dir():
        raise PhotoError(f"{path} is a folder: name the photographs in it")
    if not path.exists():
        raise PhotoError(f"{path} does not exist: check the path")
    if not path.is_file():
        raise PhotoError(f"{path} is not a file: name a picture")
    if path.stat().st_size > MAX_BYTES:
        raise PhotoError(f"{path} {_too_many_bytes(path.stat().st_size)}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise PhotoError(
            f"{path} cannot be read ({error.strerror}): check its permissions"
        ) from error


def _too_many_bytes(count: int) -> str:
    return (
        f"has {count / 1e6:.0f} MB, more than {MAX_BYTES // 1_000_000} MB: save it smaller, as JPEG"
    )


def _decode(data: bytes, name: str) -> Photo:
    """Decode within limits; the messages lack the file's name, which the caller puts first."""
    if not data:
        raise PhotoError(f"is an empty file: {_KINDS_WANTED}")
    if len(data) > MAX_BYTES:
        raise PhotoError(_too_many_bytes(len(data)))
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return _decode_heic(data, name)
    header = _read_header(data)
    halve = _is_halved(header.size)
    if _is_cut_off(header, data):
        raise PhotoError("is cut off (the end of the file is missing): copy the file again")
    if header.has_transparency_data:
        image = _decode_on_white(header, halve)
    else:
        image = _decode_with_opencv(data, halve)
    turn = _TURNS.get(_orientation(header))
    width, height = header.size
    if turn is not None:
        upright = turn(image)
        if (upright.shape[0] > upright.shape[1]) != (image.shape[0] > image.shape[1]):
            width, height = height, width
        image = upright
    return Photo(image, (width, height), name, 0.5 if halve else 1.0)


def _read_header(data: bytes) -> ImageFile:
    """Parse the header of a JPEG, PNG or WebP file; no pixel is decoded.

    The format's own class rather than Image.open: that one would take many more formats,
    and warn about large pictures on standard error.
    """
    kind: Callable[[io.BytesIO], ImageFile]
    if data.startswith(b"\xff\xd8\xff"):
        kind = JpegImageFile
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        kind = PngImageFile
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        kind = WebPImageFile
    else:
        raise PhotoError(f"is not a picture of a known kind: {_KINDS_WANTED}")
    try:
        return kind(io.BytesIO(data))
    except Image.DecompressionBombError as error:
        raise PhotoError("has far too many pixels: save it smaller") from error
    except _MALFORMED as error:
        raise PhotoError("is damaged: copy the file again, or take another photograph") from error


def _is_halved(size: tuple[int, int], limit: int = MAX_PIXELS) -> bool:
    """Whether a picture of this size is to be halved; PhotoError if it is beyond the limit."""
    width, height = size
    if width * height > limit:
        raise PhotoError(
            f"has {width} x {height} pixels, more than {limit // 1_000_000} megapixels: "
            "save it smaller"
        )
    return width * height > HALVED_ABOVE


def _is_cut_off(header: ImageFile, data: bytes) -> bool:
    """Whether a picture's end is missing; decoders fill it with grey, and some say nothing."""
    if isinstance(header, JpegImageFile):
        return not _has_end_of_image(data)
    if isinstance(header, PngImageFile):
        return b"IEND" not in data[-4096:]  # a few programs append something after it
    return len(data) < 8 + int.from_bytes(data[4:8], "little")  # WebP: the RIFF length


def _has_end_of_image(data: bytes) -> bool:
    """Whether a JPEG's picture has its end marker.

    The marker is looked for after the header's segments, because a thumbnail in them has
    an end marker of its own; in the picture's own data FF D9 cannot occur otherwise.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        at += 2 + length
        if marker == 0xDA:  # start of scan
            return data.find(b"\xff\xd9", at) >= 0
    return False


def _decode_with_opencv(data: bytes, halve: bool) -> np.ndarray:
    """Decode to BGR, fast; depth, grey and palette are converted by the decoder."""
    # REDUCED is done by the JPEG decoder itself, which then also decodes faster.
    how = cv2.IMREAD_REDUCED_COLOR_2 if halve else cv2.IMREAD_COLOR
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error as error:
        raise PhotoError("cannot be decoded: save it again as JPEG") from error
    if image is None:
        raise PhotoError("is damaged or cut off: copy the file again, or take another photograph")
    return image


def _decode_on_white(header: ImageFile, halve: bool) -> np.ndarray:
    """Decode a picture with transparency, which OpenCV would drop, as it looks on white."""
    try:
        picture = header.convert("RGBA")
        header.close()
        if halve:
            picture = picture.reduce(2)
        white = Image.new("RGBA", picture.size, "white")
        white.alpha_composite(picture)
        return _to_bgr(white.convert("RGB"))
    except _MALFORMED as error:
        raise PhotoError(
            "is damaged or cut off: copy the file again, or take another photograph"
        ) from error


def _decode_heic(data: bytes, name: str) -> Photo:
    """Decode HEIC; libheif turns the picture upright itself, and its EXIF says so no more."""
    try:
        heif = pi_heif.open_heif(data, bgr_mode=True)
        halve = _is_halved(heif.size, MAX_HEIC_PIXELS)
        size = heif.size
        image = np.array(heif)  # a copy: the decoder's own memory goes with `heif`
    except (*_MALFORMED, EOFError, RuntimeError) as error:
        raise PhotoError(
            "is a damaged HEIC picture: copy the file again, or save it as JPEG"
        ) from error
    if halve:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
    return Photo(image, size, name, 0.5 if halve else 1.0)


def _to_bgr(picture: Image.Image) -> np.ndarray:
    return cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)


def _orientation(header: ImageFile) -> int:
    """Read the EXIF orientation, 1 (upright) to 8; upright where the EXIF data is broken."""
    exif = Image.Exif()  # not header.getexif(), which decodes a whole PNG to look behind it
    try:
        exif.load(header.info.get("exif", b""))
        return int(exif.get(_ORIENTATION, 1))
    except _MALFORMED:
        return 1


_TURNS: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    2: lambda image: cv2.flip(image, 1),
    3: lambda image: cv2.rotate(image, cv2.ROTATE_180),
    4: lambda image: cv2.flip(image, 0),
    5: cv2.transpose,
    6: lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
    7: lambda image: cv2.flip(cv2.transpose(image), -1),
    8: lambda image: cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""How the image is turned upright, for each EXIF orientation that asks for it."""
