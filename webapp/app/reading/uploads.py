"""Uploaded pictures: validation, and removal of metadata."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from flask_babel import gettext as _

from vision import PhotoError, inspect_picture
from webapp.app.settings import Settings

AT_ONCE = 2
"""The most pictures in memory at a time, each twice; others wait tens of milliseconds."""

_room = threading.Semaphore(AT_ONCE)


class UnwantedPictureError(ValueError):
    """A rejected file; str() says why in the user's language, `reason` in a word."""

    def __init__(self, reason: str, message: str) -> None:
        """`reason` is one of vision.PhotoError's: "unknown" if it is no picture."""
        super().__init__(message)
        self.reason = reason


@contextmanager
def arriving(stream: IO[bytes], settings: Settings) -> Iterator[bytes]:
    """Yield a picture for storage, without the metadata on where, when and by whom it was taken.

    Raises UnwantedPictureError for a file that is no picture, damaged or too large. It is not
    decoded.
    """
    with _room:
        data = stream.read(settings.max_upload_bytes + 1)
        try:
            file = inspect_picture(data, settings.max_upload_pixels, settings.max_upload_bytes)
        except PhotoError as error:
            raise UnwantedPictureError(error.reason, _in_words(error, settings)) from error
        yield file.data


def too_large(settings: Settings) -> str:
    """Return the message for a file that is too large."""
    most = settings.max_upload_bytes // 1024 // 1024
    return _("This file is too large. Choose one of at most %(most)s MB.", most=most)


def _in_words(error: PhotoError, settings: Settings) -> str:
    """Return what is wrong with a file, and what to do, in the user's language."""
    if error.reason == "bytes":
        return too_large(settings)
    if error.reason == "pixels":
        return _(
            "This picture has too many pixels. Choose one of at most %(most)s megapixels.",
            most=settings.max_upload_pixels // 1_000_000,
        )
    if error.reason == "cut_off":
        return _("The end of this file is missing. Send the photograph again.")
    if error.reason == "damaged":
        return _("This file is damaged. Send the photograph again, or take another one.")
    return _("This file is not a photograph. Choose a JPEG, PNG, WebP or HEIC picture.")
