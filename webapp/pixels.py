"""What is known of an uploaded picture before a pixel of it is decoded."""

import warnings
from typing import IO

import pi_heif
from flask_babel import gettext as _
from PIL import Image, UnidentifiedImageError

KINDS = ("JPEG", "PNG", "WEBP", "HEIF")

pi_heif.register_heif_opener()


def problem(stream: IO[bytes], most_pixels: int) -> str | None:
    """Return what is wrong with an uploaded picture, in the player's language, or None.

    Only the header is read; the stream is back at its start afterwards.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(stream, formats=KINDS) as picture:
                width, height = picture.size
    except Image.DecompressionBombError:
        return _too_many(most_pixels)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return _("This file is not a photograph. Choose a JPEG, PNG, WebP or HEIC picture.")
    finally:
        stream.seek(0)
    if width * height > most_pixels:
        return _too_many(most_pixels)
    return None


def _too_many(most_pixels: int) -> str:
    return _(
        "This picture has too many pixels. Choose one of at most %(most)s megapixels.",
        most=most_pixels // 1_000_000,
    )
