"""How the live tracker reads frames: the reader's steps, a board and a frame at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Protocol

import numpy as np

from calibration import Profile, board_corners
from vision.locate import SAME_BOARD, overlap
from vision.reader import MIN_PX_PER_MM, PARTS, BoardObservation, Reader
from vision.rectify import transform

MOST_BOARDS = 4


def corners_of(profile: Profile, pose: np.ndarray) -> np.ndarray:
    """(4, 2) px, clockwise from the printed top-left."""
    return transform(pose, board_corners(profile.size_mm))


class FrameReader(Protocol):
    """What the tracker needs to see.

    A pose is (3, 3), from mm on the board to px in the frame, which is (H, W, 3) uint8 BGR.
    """

    profile: Profile

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """The poses of the boards in the picture that are not at ``known`` poses already."""

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Where the board that lay at ``pose`` lies now, None where it is not seen near there."""

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """Read every place; what lies on those not ``visible``, (P,) bool, means nothing.

        ``beside`` (M, F) are the features of further stars of the same set.
        """


class ModelFrameReader:
    """Reads frames with the models of the profile's game."""

    def __init__(self, profile: Profile) -> None:
        """Prepare to see a calibrated profile's boards. ValueError where it is not calibrated."""
        self.profile = profile
        self._reader = Reader.of(profile)
        self._turn = 0

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """Find boards in the whole picture and in a part of it, the next one at each call.

        At first every part is looked at. Small boards side by side may look like one from afar.
        """
        boards = [corners_of(self.profile, pose) for pose in known]
        parts = PARTS if self._turn == 0 else (PARTS[self._turn % len(PARTS)],)
        self._turn += 1
        poses: list[np.ndarray] = []
        for found in chain(self._reader.locate(image), self._reader.look_closer(image, parts)):
            if len(boards) >= MOST_BOARDS:
                break
            pose = self._register_new(image, found.corners, boards)
            if pose is not None:
                poses.append(pose)
                boards.append(corners_of(self.profile, pose))
        return poses

    def _register_new(
        self, image: np.ndarray, corners: np.ndarray, boards: Sequence[np.ndarray]
    ) -> np.ndarray | None:
        """A pose that is none of the ``boards``; registering may slide onto one of them."""
        if any(overlap(corners, board) >= SAME_BOARD for board in boards):
            return None
        pose = self._reader.register(image, corners)
        if pose is None or not self._large_enough(pose):
            return None
        there = corners_of(self.profile, pose)
        return None if any(overlap(there, board) >= SAME_BOARD for board in boards) else pose

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Look near the old pose first, then as far as its corners may have gone."""
        near = self._reader.follow(image, pose)
        if near is not None:
            return near
        return self._reader.register(image, corners_of(self.profile, pose))

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """As in a photograph: normalize the illumination, detect, classify."""
        board = self._reader.rectify(image, pose, visible)
        return self._reader.observe(board, self._reader.detect(board), visible, beside)

    def _large_enough(self, pose: np.ndarray) -> bool:
        corners = corners_of(self.profile, pose)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        return float(sides.min()) > MIN_PX_PER_MM * min(self.profile.size_mm)
