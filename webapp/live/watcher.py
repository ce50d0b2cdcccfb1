"""The watcher of the vision room, as a worker process uses it."""

import io
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from calibration import load_profile
from vision.live import FileSource, Frame, Notice, ReaderEye, SourceError, Tracker, open_source
from webapp.live.worker import UnusableSourceError, keep_pace

LARGEST_FRAME = 16_000_000
"""Pixels of a frame that a browser may send; a header that claims more is not decoded."""

Events = Sequence[Mapping[str, Any]]


class VisionWatcher:
    """Watches with the shipped models."""

    def __init__(self, profile: str, memory: Mapping[str, Any] | None) -> None:
        """Load the models; begin anew or with what `memory` gave before."""
        self._tracker = Tracker(ReaderEye(load_profile(profile)), resumed=memory)
        self._size = (1, 1)

    def see(self, jpeg: bytes, t: float) -> Events:
        """Return the events of a frame; one that is no picture has none."""
        image = decoded(jpeg)
        return [] if image is None else self._see(Frame(t, image))

    def watch(self, address: str) -> Iterator[Events]:
        """Give the events of each frame of a source. Raises UnusableSourceError."""
        begun = monotonic()
        try:
            source = open_source(address)
            for moment in source.moments():
                if isinstance(moment, Notice):
                    yield [{"kind": moment.kind, "t": moment.t}]
                    continue
                if isinstance(source, FileSource):
                    keep_pace(begun, moment.t)
                yield self._see(moment)
        except SourceError as error:
            raise UnusableSourceError(str(error)) from error
        yield [event.to_data() for event in self._tracker.finish()]

    def memory(self) -> Mapping[str, Any]:
        """Return where the boards lie and what is on them."""
        return self._tracker.to_data()

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return where the boards lie, as shares of the frame."""
        width, height = self._size
        return [
            {
                "board": board.number,
                "sure": not board.lost,
                "corners": (board.corners() / (width, height)).round(4).tolist(),
            }
            for board in self._tracker.boards
        ]

    def _see(self, frame: Frame) -> Events:
        self._size = (frame.image.shape[1], frame.image.shape[0])
        return [event.to_data() for event in self._tracker.see(frame)]


def decoded(jpeg: bytes) -> np.ndarray | None:
    """Return a picture, (H, W, 3) uint8 BGR; None where it is none or claims to be huge."""
    try:
        with Image.open(io.BytesIO(jpeg), formats=("JPEG", "WEBP")) as header:
            width, height = header.size
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return None
    if width * height > LARGEST_FRAME:
        return None
    found: np.ndarray | None = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return found
