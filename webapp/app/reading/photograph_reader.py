"""Reads a photograph, and makes the pictures of it that pages show."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

import vision
from calibration import load_profile
from calibration.profile import profile_version
from scorer.table import UNKNOWN_TABLE, RolesByGame
from vision import profile_of
from vision.rectify import straighten
from vision.refusals import is_dark
from webapp.app.reading.board_reader import BoardReader
from webapp.app.reading.colour_samples import ColourSamples
from webapp.app.reading.read_photograph import ReadPhotograph, UnusablePhotographError
from webapp.app.reading.readings import reading_data

PREVIEW_SIDE = 1280
JPEG_QUALITY = 82
MOST_READERS = 6
"""The most readers kept for different boards; each holds its board in several sizes."""


class PhotographReader:
    """Reads files with whichever profile matches; caches a reader for each choice of profiles."""

    def __init__(self, seen: ColourSamples | None = None) -> None:
        """Load nothing yet; models are loaded with the first photograph.

        `seen` are colour samples of recently corrected boards.
        """
        self._seen = seen
        self._readers: dict[tuple[tuple[str, float], ...], BoardReader] = {}

    def __call__(
        self,
        path: Path,
        name: str,
        profiles: Sequence[str],
        expected: int = 1,
        piece_roles: RolesByGame = UNKNOWN_TABLE,
    ) -> ReadPhotograph:
        """Read the photograph at `path`. Raises UnusablePhotographError and ProfileError."""
        reader = self.reader(profiles)
        if self._seen is not None:
            reader.use(self._seen.colour_profile)
        try:
            photo, reading = reader.read(path, expected, piece_roles)
        except UnusablePhotographError as error:
            with suppress(vision.PhotoError):
                error.preview = jpeg(shrunk(vision.load_photo(path).image))
            raise
        data = reading_data(reading, reader.profiles, colours=True)
        pictures = [
            straighten(photo.image, board.corners * photo.scale, profile.size_mm)
            for board in reading.boards
            for profile in [profile_of(board, reader.profiles)]
        ]
        return ReadPhotograph(
            reading={**data, "photo": name},
            preview=jpeg(shrunk(photo.image)),
            boards=tuple(map(jpeg, pictures)),
            dark=tuple(map(is_dark, pictures)),
        )

    def reader(self, names: Sequence[str]) -> BoardReader:
        """Return the reader for some profiles. Raises ProfileError."""
        key = tuple((name, profile_version(name)) for name in names)
        if key not in self._readers:
            if len(self._readers) >= MOST_READERS:
                del self._readers[next(iter(self._readers))]
            self._readers[key] = BoardReader(*map(load_profile, names))
        return self._readers[key]


def shrunk(image: np.ndarray) -> np.ndarray:
    """Return a (H, W, 3) BGR picture reduced for pages."""
    factor = PREVIEW_SIDE / max(image.shape[:2])
    if factor >= 1:
        return image
    return cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def jpeg(image: np.ndarray) -> bytes:
    """Return a (H, W, 3) BGR picture as a JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done, "an image in memory is always encoded"
    return data.tobytes()
