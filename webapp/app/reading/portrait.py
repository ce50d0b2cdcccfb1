"""Portraits of players, made in the process that decodes photographs."""

from pathlib import Path

import cv2

from vision import PhotoError, load_photo
from webapp.app.reading.photograph_reader import jpeg
from webapp.app.reading.read_photograph import UnusablePhotographError

SIDE = 256


def portrait(path: Path) -> bytes:
    """Return the middle of a photograph as a square JPEG of `SIDE` px, without metadata.

    Raises UnusablePhotographError.
    """
    try:
        image = load_photo(path).image
    except PhotoError as error:
        raise UnusablePhotographError("not_a_photograph", str(error)) from error
    height, width = image.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = image[top : top + side, left : left + side]
    return jpeg(cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA))
