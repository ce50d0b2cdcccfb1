"""Where a board whose layout is known lies in a photograph of another print of it, empty.

Boards of areas have no circles to be found: their outline is compared with the known print
instead, by where something is printed rather than by its colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.calibrate import rectify
from calibration.lens import straighten_sides
from calibration.profile import Profile
from calibration.proposal.propose import outlines_of

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SIDE_PX = 240  # of the pictures that are compared
SMOOTHED_PX = 2.0
ALIKE = 0.4  # the correlation of contours from which a board counts as found


@dataclass(frozen=True, eq=False)
class FoundKnown:
    """`corners` (4, 2) px of the photograph without its lens's bend, from the printed top-left on.

    `alike` is the correlation of its contours with those of the known print.
    """

    corners: Floats
    distortion: float
    alike: float

    @property
    def is_board(self) -> bool:
        """Whether the known board's print shows there."""
        return self.alike >= ALIKE


def find_known(
    image: Image,
    profile: Profile,
    corners: Floats | None = None,
    beginnings: Iterable[Floats] = (),
) -> FoundKnown:
    """Find the board of a profile in a photograph, (H, W, 3) uint8 BGR.

    `corners` (4, 2) px are believed where they are given; `beginnings` as for `propose_layout`.
    """
    if corners is not None:
        believed = straighten_sides(image, np.asarray(corners, float), None)
        return FoundKnown(believed.corners, believed.distortion, 1.0)
    wanted = _contours(profile.require_reference())

    def alike(photo: Image, turned: Floats) -> float:
        shown = _contours(rectify(photo, turned, profile.layout))
        spread = float(shown.std())  # nothing shows on an evenly white or black surface
        return float(np.corrcoef(shown.ravel(), wanted.ravel())[0, 1]) if spread else 0.0

    found = (
        FoundKnown(turned, sides.distortion, alike(sides.photo, turned))
        for sides in outlines_of(image, beginnings)
        for turned in (np.roll(sides.corners, -turn, axis=0) for turn in range(4))
    )
    return max(found, key=lambda one: one.alike)


def _contours(board: Image) -> Floats:
    """How much a board's grey levels change, about each of (SIDE_PX, SIDE_PX) points."""
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    across, down = cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)
    contours = np.log1p(cv2.magnitude(across, down))
    return np.asarray(cv2.GaussianBlur(contours, (0, 0), SMOOTHED_PX), np.float64)
