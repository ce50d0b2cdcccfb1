"""How the live tracker reads frames: the reader's steps, one board and one frame at a time."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from calibration import Profile, board_corners
from calibration.colour_profile import ColourProfile
from scorer.table import BOARDS_OF_A_KIND
from vision.observer import BoardObservation
from vision.reader import Reader
from vision.recognise import PARTS, Recogniser
from vision.rectify import side_scales, transform
from vision.refusals import MIN_SCALE
from vision.region_colours import LastViews


def corners_of(profile: Profile, pose: np.ndarray) -> np.ndarray:
    """(4, 2) px, clockwise from the printed top-left."""
    return transform(pose, board_corners(profile.size_mm))


class FrameReader(Protocol):
    """What the tracker needs for reading frames.

    A pose is (3, 3), from mm on the board to px in the frame, which is (H, W, 3) uint8 BGR.
    """

    profile: Profile

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """The poses of the boards in the picture, except those at ``known`` poses."""

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """The new pose of the board that was at ``pose``; None if it is not seen near there."""

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        wanted: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """Read at least the ``wanted`` places of those that are ``visible``, (P,) bool both.

        The observation marks the places that were read; the others mean nothing. ``beside`` (M, F)
        are the features of further stars of the same set.
        """


class ModelFrameReader:
    """Reads frames with the models of the profile's game."""

    def __init__(self, profile: Profile) -> None:
        """Prepare a calibrated profile. Raises ValueError for one that is not calibrated."""
        self.profile = profile
        self._reader = Reader.of(profile)
        self._reader.last_views = LastViews()
        self._recogniser = Recogniser([self._reader.board], [self._reader.finder])
        self._turn = 0
        self.sees_unknown = False
        """Whether the latest search found no board of this profile, but another one."""

    def use(self, colour_profile: ColourProfile) -> None:
        """Use these colours of the pieces from now on."""
        self._reader.colour_profile = colour_profile

    def locate(self, image: np.ndarray, known: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
        """Find boards in the whole picture and in a part of it, the next one at each call.

        The first call searches every part. Small boards side by side may look like one from afar.
        """
        boards = [corners_of(self.profile, pose) for pose in known]
        parts = PARTS if self._turn == 0 else (PARTS[self._turn % len(PARTS)],)
        self._turn += 1
        is_searched = not boards or self._reader.finder is None
        finds = self._recogniser.recognise(image, boards, int(is_searched), parts)
        poses = [find.to_image for find in finds if find.to_image is not None]
        self.sees_unknown = bool(finds) and not poses
        return [pose for pose in poses if self._large_enough(pose)][
            : BOARDS_OF_A_KIND - len(boards)
        ]

    def follow(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray | None:
        """Search near the old pose first, then as far as its corners may have gone."""
        return self._reader.board.follow(image, pose)

    def observe(
        self,
        image: np.ndarray,
        pose: np.ndarray,
        visible: np.ndarray,
        wanted: np.ndarray,
        beside: np.ndarray | None = None,
    ) -> BoardObservation:
        """As in a photograph: normalize the illumination, detect, classify."""
        board = self._reader.rectify(image, pose, visible)
        read = self._reader.readable(visible, wanted)
        return self._reader.observe(board, self._reader.detect(board), read, beside)

    def shown_colours(self, features: np.ndarray) -> np.ndarray:
        """(N, 3) BGR levels under the reference's light, of places with (N, F) features."""
        return self._reader.shown_colours(features)

    def _large_enough(self, pose: np.ndarray) -> bool:
        scales = side_scales(pose, self.profile.size_mm)
        return float(scales.min()) > MIN_SCALE * self._reader.canvas.px_per_mm
