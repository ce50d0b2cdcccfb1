"""Tracks a table's boards of one kind with the shipped models."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

import cv2
import numpy as np

from calibration import Profile, ProfileError
from calibration.colour_profile import Swatch, as_colour
from calibration.profile import colour_profile_of, profile_version
from scorer.places import Place
from scorer.referee import Referee
from vision.live import Frame, LiveEvent, ModelFrameReader, Tracker
from vision.live.board_tracker import BoardTracker
from vision.live.observations import Held
from vision.rectify import warp
from webapp.app.live.worker import Correction
from webapp.app.reading.colour_samples import ColourSamples

log = logging.getLogger(__name__)

CLOSE_UP = 240, 1.4
"""The side of a region's picture in px, and its field of view relative to the region."""
OUTLINE = (0, 191, 255)
"""The BGR colour of the region's outline."""
KIT_EVERY = 2.0
"""Seconds between checks for new colour samples."""


class KindTracker:
    """Tracks the boards of one profile; a table has one such tracker for each kind of board."""

    def __init__(
        self,
        name: str,
        profile: Profile,
        memory: Mapping[str, Any] | None,
        seen: ColourSamples | None,
        table: "Sequence[KindTracker]",
    ) -> None:
        """Start, from `memory` if given; `name` is the profile's, `table` has all trackers."""
        self.profile, self._name, self._seen, self._table = profile, name, seen, table
        self._reader = ModelFrameReader(profile)
        first = profile.game.table.first_number(profile.layout.kind)
        news = Referee(profile.game, profile.board).news
        self._tracker = Tracker(self._reader, news, memory, first, self._elsewhere)
        self._places = {str(place): place for place in profile.places}
        self._profile_version, self._next_profile = (0.0, 0.0), 0.0
        self._refresh_colour_profile()
        self.play, self.finish = self._tracker.play, self._tracker.finish
        self.memory = self._tracker.to_data

    @property
    def boards(self) -> list[BoardTracker]:
        """The boards seen so far."""
        return self._tracker.boards

    def _elsewhere(self) -> Iterator[Held]:
        """Yield what boards of other kinds hold."""
        for kind in self._table:
            if kind is not self:
                for board in kind.boards:
                    yield from board.state.occupancy.values()

    @property
    def sees_unknown(self) -> bool:
        """Whether an unknown board is in view and none of its own has been seen."""
        return self._reader.sees_unknown and not self.boards

    def see(self, frame: Frame) -> list[LiveEvent]:
        if monotonic() >= self._next_profile:
            self._refresh_colour_profile()
        return self._tracker.see(frame)

    def close_up(self, image: np.ndarray, number: int, region: str) -> np.ndarray | None:
        """Return a rectified crop of a region with its outline; None if not available.

        Both images are (H, W, 3) uint8 BGR.
        """
        board = next((one for one in self.boards if one.number == number), None)
        place = Place(region, "region")
        if board is None or place not in self.profile.places:
            return None
        outline = np.array(self.profile.places[place].outline)
        low, high = outline.min(axis=0), outline.max(axis=0)
        side = CLOSE_UP[1] * float((high - low).max())
        left, top = (low + high) / 2 - side / 2
        scale = CLOSE_UP[0] / side
        to_picture = np.array([[scale, 0, -scale * left], [0, scale, -scale * top], [0, 0, 1.0]])
        size = (CLOSE_UP[0], CLOSE_UP[0])
        shown = warp(image, to_picture @ np.linalg.inv(board.pose), size)
        corners = np.round((outline - (left, top)) * scale).astype(np.int32)
        cv2.polylines(shown, [corners], True, OUTLINE, 2, cv2.LINE_AA)
        return shown

    def correct(self, correction: Correction) -> None:
        """Apply the players' corrections to a board, if it has been seen."""
        board = next((one for one in self.boards if one.number == correction.board), None)
        if board is None:
            return
        before = board.pieces
        for place, piece in correction.pieces.items():
            self._tracker.correct(board.number, self._places[place], piece)
        for region, held in correction.regions.items():
            self._tracker.correct(board.number, self._places[region], tuple(held) or None)
        for region, held in correction.reopened.items():
            self._tracker.reopen(board.number, self._places[region], tuple(held) or None)
        for track, count in correction.counts.items():
            if count == board.counts[track]:
                continue
            for slot in range(len(self.profile.tracks[track])):
                at = Place(track, "track", slot)
                (kind,) = self.profile.game.admits(at)
                self._tracker.correct(board.number, at, kind if slot < count else None)
        self._learn(board, before)

    def _learn(self, board: BoardTracker, before: Mapping[Place, str]) -> None:
        """Save the colours of a board's pieces if one of them was misclassified."""
        pieces = {place: piece for place, piece in board.pieces.items() if place in board.features}
        if self._seen is None or all(before.get(at) in (None, pieces[at]) for at in pieces):
            return
        features = np.array([board.features[place] for place in pieces])
        colours = self._reader.shown_colours(features)
        swatches = zip(pieces.values(), colours, strict=True)
        try:
            self._seen.keep(
                self.profile, (Swatch(piece, as_colour(bgr)) for piece, bgr in swatches)
            )
        except OSError as error:
            log.warning("the stars of a corrected board were not kept: %s", error)
        self._next_profile = 0.0

    def _refresh_colour_profile(self) -> None:
        """Update the colour profile from the profile's calibration and recent samples."""
        self._next_profile = monotonic() + KIT_EVERY
        seen = 0.0 if self._seen is None else self._seen.version(self.profile)
        version = (profile_version(self._name), seen)
        if version == self._profile_version:
            return
        self._profile_version = version
        with suppress(ProfileError):  # the file is being written
            colours = colour_profile_of(self._name)
            self._reader.use(
                colours if self._seen is None else colours + self._seen.colour_profile(self.profile)
            )
            for board in self.boards:
                board.samples_left_out = False  # until it is read by these
