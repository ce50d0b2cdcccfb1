"""The frame worker with the tracker of the vision room."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import cv2
import numpy as np

from calibration import Profile, ProfileError, load_profile
from calibration.colour_profile import Swatch, as_colour
from calibration.profile import colour_profile_of, profile_version
from scorer.places import Place
from scorer.referee import Referee
from vision import PhotoError, Recogniser, inspect_picture
from vision.live import (
    Frame,
    ModelFrameReader,
    Notice,
    Silence,
    SourceError,
    Tracker,
    open_source,
)
from vision.live.board_tracker import BoardTracker
from webapp.app.live.worker import Correction, UnusableSourceError, keep_pace
from webapp.app.reading.colour_samples import ColourSamples

log = logging.getLogger(__name__)

PICTURE_WIDTH = 640
_OUTLINE = {True: (176, 233, 255), False: (140, 140, 140)}
"""BGR, of a board that is surely there, and of one that is not."""
LOOKS_EVERY = 0.5
"""Seconds between looks for a board of any of several profiles."""
KIT_EVERY = 2.0
"""Seconds between looks whether more is known of the stars."""
LARGEST_FRAME = 16_000_000
"""Pixels of a frame that a browser may send; a header that claims more is not decoded."""

Events = Sequence[Mapping[str, Any]]


class VisionFrameWorker:
    """Follows boards with the shipped models."""

    def __init__(
        self,
        profiles: Sequence[str],
        memory: Mapping[str, Any] | None,
        seen: ColourSamples | None = None,
    ) -> None:
        """Load the models; begin anew or with what `memory` gave before.

        Of several profiles the one whose board is seen first is followed. `seen` are the stars that
        corrected boards have shown this evening. Raises ProfileError.
        """
        self._seen = seen
        found = {name: load_profile(name) for name in profiles}
        self._latest: np.ndarray | None = None
        self._receiving = self._unknown = False
        self._tracker: Tracker | None = None
        self._piece_roles: Mapping[str, str] | None = None
        self._name: str | None = None
        self._names = {profile: name for name, profile in found.items()}
        self._next_look = -np.inf
        if len(found) == 1 or memory:
            self._begin(found[profiles[0]], memory)
        else:
            self._recogniser = Recogniser.of(list(found.values()))

    def _begin(self, profile: Profile, memory: Mapping[str, Any] | None) -> Tracker:
        """Follow the boards of a profile from now on."""
        referee = Referee(profile.game, profile.board)
        self._name, self._profile = self._names[profile], profile
        self._reader = ModelFrameReader(profile)
        self._tracker = Tracker(self._reader, referee.news, memory)
        if self._piece_roles is not None:
            self._tracker.play(self._piece_roles)
        self._places = {str(place): place for place in profile.places}
        self._profile_version, self._next_profile = (0.0, 0.0), 0.0
        self._refresh_colour_profile()
        return self._tracker

    def _refresh_colour_profile(self) -> None:
        """Read by the stars that are known by now: those of the profile, and this evening's."""
        assert self._name is not None
        self._next_profile = monotonic() + KIT_EVERY
        seen = 0.0 if self._seen is None else self._seen.version(self._profile)
        version = (profile_version(self._name), seen)
        if version == self._profile_version:
            return
        self._profile_version = version
        with suppress(ProfileError):  # that file is not whole just now
            colours = colour_profile_of(self._name)
            self._reader.use(
                colours
                if self._seen is None
                else colours + self._seen.colour_profile(self._profile)
            )

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
        if self._tracker is not None:
            yield [event.to_data() for event in self._tracker.finish()]

    def correct(self, correction: Correction) -> None:
        """Take the players' word for what lies on a board."""
        if self._tracker is None or correction.board >= len(self._tracker.boards):
            return
        board = self._tracker.boards[correction.board]
        before = board.pieces
        for place, piece in correction.pieces.items():
            self._tracker.correct(correction.board, self._places[place], piece)
        for track, count in correction.counts.items():
            if count == self._tracker.boards[correction.board].counts[track]:
                continue
            for slot in range(len(self._profile.tracks[track])):
                at = Place(track, "track", slot)
                (kind,) = self._profile.game.admits(at)
                self._tracker.correct(correction.board, at, kind if slot < count else None)
        self._learn(board, before)

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Tell from now on no other pieces than are in play, each as what it counts."""
        self._piece_roles = piece_roles
        if self._tracker is not None:
            self._tracker.play(piece_roles)

    def _learn(self, board: BoardTracker, before: Mapping[Place, str]) -> None:
        """Keep what a board's pieces look like if one of them was taken for another kind."""
        pieces = {place: piece for place, piece in board.pieces.items() if place in board.features}
        if self._seen is None or all(before.get(at) in (None, pieces[at]) for at in pieces):
            return
        features = np.array([board.features[place] for place in pieces])
        colours = self._reader.shown_colours(features)
        swatches = zip(pieces.values(), colours, strict=True)
        try:
            self._seen.keep(
                self._profile, (Swatch(piece, as_colour(bgr)) for piece, bgr in swatches)
            )
        except OSError as error:
            log.warning("the stars of a corrected board were not kept: %s", error)
        self._next_profile = 0.0

    def receiving(self) -> bool:
        """Say whether the latest frame was a picture, and its source is not away since."""
        return self._receiving

    def recognised(self) -> str | None:
        """Return the profile that is followed, "" while only an unknown board is in view."""
        if self._tracker is None:
            return "" if self._unknown else None
        return "" if self._reader.sees_unknown and not self._tracker.boards else self._name

    def picture(self) -> bytes | None:
        """Return the latest frame, small, with the boards' outlines and numbers, JPEG."""
        if self._latest is None:
            return None
        height, width = self._latest.shape[:2]
        scale = min(1.0, PICTURE_WIDTH / width)
        size = (round(scale * width), round(scale * height))
        small = cv2.resize(self._latest, size, interpolation=cv2.INTER_AREA)
        for board in self._tracker.boards if self._tracker else ():
            outline = (board.corners() * scale).round().astype(np.int32)
            colour = _OUTLINE[not board.lost]
            cv2.polylines(small, [outline], True, colour, 2, cv2.LINE_AA)
            at = outline.mean(axis=0).round().astype(int).tolist()
            cv2.putText(small, str(board.number + 1), at, cv2.FONT_HERSHEY_SIMPLEX, 1, colour, 2)
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()

    def memory(self) -> Mapping[str, Any]:
        """Return where the boards lie and what is on them."""
        return self._tracker.to_data() if self._tracker else {}

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
            for board in (self._tracker.boards if self._tracker else ())
        ]

    def _track(self, frame: Frame) -> Events:
        self._latest = frame.image
        if self._tracker is not None and monotonic() >= self._next_profile:
            self._refresh_colour_profile()
        tracker = self._tracker or self._recognise(frame)
        return [] if tracker is None else [event.to_data() for event in tracker.see(frame)]

    def _recognise(self, frame: Frame) -> Tracker | None:
        """See which profile's board is in view; from then on its boards are followed."""
        if frame.t < self._next_look:
            return None
        self._next_look = frame.t + LOOKS_EVERY
        finds = self._recogniser.recognise(frame.image)
        known = [find for find in finds if find.profile is not None]
        self._unknown = bool(finds) and not known
        if not known:
            return None
        profile = max(known, key=lambda find: find.confidence).profile
        assert profile is not None
        return self._begin(profile, None)


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
