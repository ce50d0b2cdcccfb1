"""The frame worker with the tracker of the vision room."""

from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import cv2
import numpy as np

from calibration import load_profile
from scorer.places import Place
from scorer.referee import Referee
from vision import PhotoError, inspect_picture
from vision.live import (
    Frame,
    ModelFrameReader,
    Notice,
    Silence,
    SourceError,
    Tracker,
    open_source,
)
from webapp.live.worker import Correction, UnusableSourceError, keep_pace

PICTURE_WIDTH = 640
_OUTLINE = {True: (176, 233, 255), False: (140, 140, 140)}
"""BGR, of a board that is surely there, and of one that is not."""
LARGEST_FRAME = 16_000_000
"""Pixels of a frame that a browser may send; a header that claims more is not decoded."""

Events = Sequence[Mapping[str, Any]]


class VisionFrameWorker:
    """Follows boards with the shipped models."""

    def __init__(self, profile: str, memory: Mapping[str, Any] | None) -> None:
        """Load the models; begin anew or with what `memory` gave before."""
        known = load_profile(profile)
        referee = Referee(known.game, known.board)
        self._tracker = Tracker(ModelFrameReader(known), referee.news, memory)
        self._places = {str(place): place for place in known.places}
        self._profile = known
        self._latest: np.ndarray | None = None
        self._receiving = False

    def process(self, jpeg: bytes, t: float) -> Events:
        """Return the events of a frame; one that is no picture has none."""
        image = decoded(jpeg)
        self._receiving = image is not None
        return [] if image is None else self._track(Frame(t, image))

    def follow(self, address: str, proven: bool) -> Iterator[Events]:
        """Give the events of each frame of a source, none while it is away.

        One that is `proven` has worked before, and is waited for if it is away at first. Raises
        UnusableSourceError.
        """
        begun = monotonic()
        try:
            source = open_source(address, proven)
            for moment in source.moments():
                self._receiving = isinstance(moment, Frame)
                if isinstance(moment, Notice):
                    yield [{"kind": moment.kind, "t": moment.t}]
                    continue
                if isinstance(moment, Silence):
                    yield []
                    continue
                if source.recorded:
                    keep_pace(begun, moment.t)
                yield self._track(moment)
        except SourceError as error:
            raise UnusableSourceError(str(error)) from error
        yield [event.to_data() for event in self._tracker.finish()]

    def correct(self, told: Correction) -> None:
        """Take the players' word for what lies on a board."""
        if told.board >= len(self._tracker.boards):
            return
        for place, piece in told.pieces.items():
            self._tracker.correct(told.board, self._places[place], piece)
        for track, count in told.counts.items():
            if count == self._tracker.boards[told.board].counts[track]:
                continue
            for slot in range(len(self._profile.tracks[track])):
                at = Place(track, "track", slot)
                (kind,) = self._profile.game.admits(at)
                self._tracker.correct(told.board, at, kind if slot < count else None)

    def receiving(self) -> bool:
        """Say whether the latest frame was a picture, and its source is not away since."""
        return self._receiving

    def picture(self) -> bytes | None:
        """Return the latest frame, small, with the boards' outlines and numbers, JPEG."""
        if self._latest is None:
            return None
        height, width = self._latest.shape[:2]
        scale = min(1.0, PICTURE_WIDTH / width)
        size = (round(scale * width), round(scale * height))
        small = cv2.resize(self._latest, size, interpolation=cv2.INTER_AREA)
        for board in self._tracker.boards:
            outline = (board.corners() * scale).round().astype(np.int32)
            colour = _OUTLINE[not board.lost]
            cv2.polylines(small, [outline], True, colour, 2, cv2.LINE_AA)
            at = outline.mean(axis=0).round().astype(int).tolist()
            cv2.putText(small, str(board.number + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 1, colour, 2)
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()

    def memory(self) -> Mapping[str, Any]:
        """Return where the boards lie and what is on them."""
        return self._tracker.to_data()

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return where the boards lie, as shares of the frame."""
        if self._latest is None:
            return []
        height, width = self._latest.shape[:2]
        return [
            {
                "board": board.number,
                "sure": not board.lost,
                "corners": (board.corners() / (width, height)).round(4).tolist(),
            }
            for board in self._tracker.boards
        ]

    def _track(self, frame: Frame) -> Events:
        self._latest = frame.image
        return [event.to_data() for event in self._tracker.see(frame)]


def decoded(jpeg: bytes) -> np.ndarray | None:
    """Return a picture, (H, W, 3) uint8 BGR; None where it is none or claims to be huge."""
    try:
        frame = inspect_picture(jpeg, LARGEST_FRAME)
    except PhotoError:
        return None
    if frame.kind not in ("JPEG", "WebP"):
        return None
    found: np.ndarray | None = cv2.imdecode(np.frombuffer(frame.data, np.uint8), cv2.IMREAD_COLOR)
    return found
