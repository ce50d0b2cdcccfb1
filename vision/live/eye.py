"""The eye of the live tracker: the reader's steps, a board and a frame at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration import Profile
from vision.detect import detect
from vision.reader import Reader
from vision.rectify import board_corners, transform

MOST_BOARDS = 4
_TOO_SMALL = 0.6  # px per mm


@dataclass(frozen=True, eq=False)
class Look:
    """What one frame says of each place of one board, spaces first, then the track.

    ``scores`` (N, 7) are the detector's, in ``vision.detect.CLASSES`` order; ``change`` (N,) is how
    much the place differs from the empty board, 0 to 1.
    """

    scores: np.ndarray
    change: np.ndarray


class Eye(Protocol):
    """What the tracker needs to see. A pose is (3, 3), from mm on the board to px in the frame."""

    profile: Profile

    def locate(self, image: np.ndarray) -> list[np.ndarray]:
        """The poses of the boards in the picture."""

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Where the board that lay at ``pose`` lies now, None where it is not seen near there."""

    def look(self, image: np.ndarray, pose: np.ndarray) -> Look:
        """Read every place."""


class ReaderEye:
    """The eye of the shipped models."""

    def __init__(self, profile: Profile) -> None:
        """Prepare to see a calibrated profile's boards. ValueError where it is not calibrated."""
        self.profile = profile
        self._reader = Reader(profile)

    def locate(self, image: np.ndarray) -> list[np.ndarray]:
        """Find and register every board, the surest first."""
        poses = []
        for found in self._reader.locate(image)[:MOST_BOARDS]:
            pose = self._reader.register(image, found.corners)
            if pose is not None and self._large_enough(pose):
                poses.append(pose)
        return poses

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Look near the old pose first, then as far as its corners may have gone."""
        near = self._reader.follow(image, pose)
        if near is not None:
            return near
        return self._reader.register(image, transform(pose, board_corners(self.profile.size_mm)))

    def look(self, image: np.ndarray, pose: np.ndarray) -> Look:
        """Even out the light, detect, and weigh."""
        evened = self._reader.evened(image, pose)
        detections = detect(evened, self._reader.reference, self._reader.canvas)
        return Look(*self._reader.weigh(evened, detections))

    def _large_enough(self, pose: np.ndarray) -> bool:
        corners = transform(pose, board_corners(self.profile.size_mm))
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        return float(sides.min()) > _TOO_SMALL * min(self.profile.size_mm)
