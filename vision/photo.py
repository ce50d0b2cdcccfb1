"""Decode a photograph's file to pixels, within the limits of `vision.picture_file`."""

import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from PIL import Image
from PIL.ImageFile import ImageFile

from vision.containers import jpeg, webp
from vision.picture_file import (
    MALFORMED,
    MAX_BYTES,
    PhotoError,
    PictureFile,
    inspect_picture,
    too_many_bytes,
)

HALVED_ABOVE = 24_000_000
"""Number of pixels above which the image is kept at half size.

A 12-megapixel photograph stays whole: halving it would save some 25 ms and cost small boards half
their pixels. Beyond 24 megapixels memory decides (80 megapixels take 240 MB a copy)."""
GLANCE_PX = 1000
"""Least longer side of a JPEG that is first decoded at a reduced size."""
_SHRUNK = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_LONGEST_NAME = 200
"""Number of characters of a path that a message repeats."""
_ZEROS = "is damaged (zeros stand for a part of the picture): copy the file again"


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photograph, upright as its EXIF orientation says.

    `image` is (H, W, 3) uint8 BGR. `size` is (width, height) of the whole photograph in px, the
    unit of every result. `scale` is image pixels per photograph pixel: 1.0, or 0.5 for a photograph
    so large that it was decoded at half size.
    """

    image: np.ndarray
    size: tuple[int, int]
    name: str
    scale: float = 1.0

    @property
    def glance(self) -> "Photo | None":
        """The same at a lower resolution, if `image` is decoded lazily; else None."""
        return None

    def showing(self, image: np.ndarray) -> "Photo":
        """The photograph with its image replaced by one of the same size."""
        return Photo(image, self.size, self.name, self.scale)


class LargePhoto(Photo):
    """A JPEG that is decoded at reduced size (`glance`) until its `image` is needed.

    The decoder shrinks as it decodes: a third of the cost, and enough to read most boards.
    """

    def __init__(self, file: PictureFile, glance: Photo) -> None:
        for name, value in (("_file", file), ("_glance", glance), ("size", glance.size)):
            object.__setattr__(self, name, value)
        width, height = file.size
        object.__setattr__(self, "name", glance.name)
        object.__setattr__(self, "scale", 0.5 if width * height > HALVED_ABOVE else 1.0)

    _file: PictureFile
    _glance: Photo

    @property
    def glance(self) -> Photo:
        """The photograph at a lower resolution, enough for a board that fills most of it."""
        return self._glance

    @cached_property
    def image(self) -> np.ndarray:
        """(H, W, 3) uint8 BGR, upright, decoded on first access."""
        return _upright(_decode_with_opencv(self._file.data, round(1 / self.scale)), self._file)


def load_photo(source: str | Path | bytes, name: str = "photo") -> Photo:
    """Decode a JPEG, PNG, WebP or HEIC photograph from a path or from bytes.

    A photograph from bytes takes `name`, one from a path its file's name. Raises PhotoError for
    anything else, and for damaged, oversized or missing files.
    """
    if isinstance(source, bytes):
        data = source
    else:
        name = Path(source).name
        data = _read_file(Path(source))
    try:
        return _decode(inspect_picture(data), name)
    except PhotoError as error:
        raise PhotoError(f"{name} {error}", error.reason) from error.__cause__


def _read_file(path: Path) -> bytes:
    """Read a file, unless its size exceeds the limit."""
    shown = str(path)
    if len(shown) > _LONGEST_NAME:
        shown = f"{shown[:_LONGEST_NAME]}…"
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise PhotoError(f"{shown} is a folder: name the photographs in it", "missing")
        if not stat.S_ISREG(about.st_mode):
            raise PhotoError(f"{shown} is not a file: name a picture", "missing")
        if about.st_size > MAX_BYTES:
            raise PhotoError(f"{shown} {too_many_bytes(about.st_size)}", "bytes")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PhotoError(f"{shown} does not exist: check the path", "missing") from error
    except PermissionError as error:
        raise PhotoError(
            f"{shown} cannot be read ({error.strerror}): check its permissions", "missing"
        ) from error
    except (OSError, ValueError) as error:  # name too long, or with a NUL in it
        reason = error.strerror if isinstance(error, OSError) else error
        raise PhotoError(f"{shown} cannot be read ({reason}): check the path", "missing") from error


def _decode(file: PictureFile, name: str) -> Photo:
    """Decode within the limits; messages lack the file's name, which the caller prepends."""
    width, height = file.size
    halve = width * height > HALVED_ABOVE
    shrink = _glance_of(file)
    if file.header is None:
        image = _decode_heic(file.data)
        height, width = image.shape[:2]
        if halve:
            image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    elif file.header.has_transparency_data:
        image = _decode_on_white(file.header, halve)
    else:
        image = _decode_with_opencv(file.data, shrink or (2 if halve else 1))
    if file.kind == "JPEG" and jpeg.has_zero_run(file.data):
        _check_entropy(file.data)
    elif file.kind == "WebP" and (shortened := webp.shortened(file.data)):
        _check_needed(shortened)
    upright = _upright(image, file)
    if (upright.shape[0] > upright.shape[1]) != (image.shape[0] > image.shape[1]):
        width, height = height, width
    if shrink:
        return LargePhoto(file, Photo(upright, (width, height), name, 1 / shrink))
    return Photo(upright, (width, height), name, 0.5 if halve else 1.0)


def _glance_of(file: PictureFile) -> int:
    """Divisor of the sides for a reduced first decoding; 0 for none."""
    if file.kind != "JPEG":
        return 0
    for by in (8, 4, 2):
        if max(file.size) >= by * GLANCE_PX and all(side % by == 0 for side in file.size):
            return by
    return 0


def _upright(image: np.ndarray, file: PictureFile) -> np.ndarray:
    turn = _TURNS.get(file.orientation)
    return image if turn is None else turn(image)


def _check_needed(shortened: bytes) -> None:
    """Raise PhotoError if a WebP decodes without its last bytes."""
    try:
        _decode_with_opencv(shortened, 2)
    except PhotoError:
        return
    raise PhotoError(_ZEROS, "cut_off")


def _check_entropy(data: bytes) -> None:
    """Raise PhotoError if libjpeg warns of a JPEG's data: excess, missing or invalid codes.

    OpenCV and Pillow suppress these warnings.
    """
    import simplejpeg  # only needed for the few suspect files

    def decode(strict: bool) -> None:
        simplejpeg.decode_jpeg(data, "GRAY", fastdct=True, min_factor=8, strict=strict)

    try:
        decode(strict=True)
    except ValueError as warning:
        with suppress(ValueError):  # a JPEG variant that simplejpeg does not support
            decode(strict=False)
            raise PhotoError(_ZEROS, "cut_off") from warning


def _decode_with_opencv(data: bytes, shrink: int) -> np.ndarray:
    """Decode to 8-bit BGR, with the sides divided by ``shrink``: 1, 2, 4 or 8."""
    # JPEG decoders shrink as they decode, which is faster as well.
    how = _SHRUNK[shrink] | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error as error:
        raise PhotoError("cannot be decoded: save it again as JPEG") from error
    if image is None:
        raise PhotoError("is damaged or cut off: copy the file again, or take another photograph")
    return image


def _decode_on_white(header: ImageFile, halve: bool) -> np.ndarray:
    """Decode a picture with transparency, which OpenCV would drop, on a white background."""
    try:
        picture = header.convert("RGBA")
        header.close()
        if halve:
            picture = picture.reduce(2)
        white = Image.new("RGBA", picture.size, "white")
        white.alpha_composite(picture)
        return _to_bgr(white.convert("RGB"))
    except MALFORMED as error:
        raise PhotoError(
            "is damaged or cut off: copy the file again, or take another photograph"
        ) from error


def _decode_heic(data: bytes) -> np.ndarray:
    """Decode HEIC; libheif turns the picture upright itself and clears its EXIF orientation.

    Metadata are stripped beforehand: malformed text in them would abort the whole process.
    """
    import pi_heif  # only here, as few photographs need it

    try:
        image = np.array(pi_heif.open_heif(data, bgr_mode=True))  # copy: the decoder's is freed
    except (*MALFORMED, EOFError, RuntimeError) as error:
        raise PhotoError(
            "is a damaged HEIC picture: copy the file again, or save it as JPEG"
        ) from error
    if image.dtype == np.uint16:  # libheif decodes colours to 8 bits, but grey to 16
        image = (image >> 8).astype(np.uint8)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    elif image.shape[2] == 4:
        image = cv2.cvtColor(image, cv2.COLOR_BGRA2BGR)
    return image


def _to_bgr(picture: Image.Image) -> np.ndarray:
    return cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)


_TURNS: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    2: lambda image: cv2.flip(image, 1),
    3: lambda image: cv2.rotate(image, cv2.ROTATE_180),
    4: lambda image: cv2.flip(image, 0),
    5: cv2.transpose,
    6: lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
    7: lambda image: cv2.flip(cv2.transpose(image), -1),
    8: lambda image: cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""Transforms to upright, by EXIF orientation."""
