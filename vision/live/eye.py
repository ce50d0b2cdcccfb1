"""The eye of the live tracker: the reader's steps, a board and a frame at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from calibration import Profile
from vision.decode import Weighing, fitted_weighing
from vision.detect import detect
from vision.network import weights
from vision.reader import Look, Reader
from vision.rectify import board_corners, transform

MOST_BOARDS = 4
_TOO_SMALL = 0.6  # px per mm


def corners_of(profile: Profile, pose: np.ndarray) -> np.ndarray:
    """(4, 2) px, clockwise from the printed top-left."""
    return transform(pose, board_corners(profile.size_mm))


class Eye(Protocol):
    """What the tracker needs to see. A pose is (3, 3), from mm on the board to px in the frame."""

    profile: Profile
    weighing: Weighing

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """The poses of the boards in the picture that are not at ``known`` poses already."""

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Where the board that lay at ``pose`` lies now, None where it is not seen near there."""

    def look(self, image: np.ndarray, pose: np.ndarray, visible: np.ndarray) -> Look:
        """Read every place; what lies on those not ``visible``, (P,) bool, means nothing."""


class ReaderEye:
    """The eye of the shipped models."""

    def __init__(self, profile: Profile) -> None:
        """Prepare to see a calibrated profile's boards. ValueError where it is not calibrated."""
        self.profile = profile
        self.weighing = fitted_weighing(weights())
        self._reader = Reader(profile)

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """Find every board, and register those that lie on no known one."""
        quads = [corners_of(self.profile, pose).astype(np.float32) for pose in known]
        poses: list[np.ndarray] = []
        for found in self._reader.locate(image)[:MOST_BOARDS]:
            x, y = found.corners.mean(axis=0).tolist()
            if any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for quad in quads):
                continue
            pose = self._reader.register(image, found.corners)
            if pose is not None and self._large_enough(pose):
                poses.append(pose)
        return poses

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Look near the old pose first, then as far as its corners may have gone."""
        near = self._reader.follow(image, pose)
        if near is not None:
            return near
        return self._reader.register(image, corners_of(self.profile, pose))

    def look(self, image: np.ndarray, pose: np.ndarray, visible: np.ndarray) -> Look:
        """Even out the light, detect, and judge as in a photograph."""
        evened = self._reader.evened(image, pose)
        detections = detect(evened, self._reader.reference, self._reader.canvas)
        return self._reader.judge(evened, detections, visible)

    def _large_enough(self, pose: np.ndarray) -> bool:
        corners = corners_of(self.profile, pose)
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        return float(sides.min()) > _TOO_SMALL * min(self.profile.size_mm)
