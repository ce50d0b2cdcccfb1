"""Match a photograph of an empty board with the known print that it is another version of.

Boards of areas have no circles to look for. Each candidate outline is rectified instead, and its
gradients are correlated with those of the known print, so that other colours do not matter.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image
from calibration.calibrate import rectify
from calibration.lens import straighten_sides
from calibration.profile import Profile
from calibration.proposal.propose import outlines_of

SIDE_PX = 240  # of the pictures that are compared
SMOOTHED_PX = 2.0
LEAST_CORRELATION = 0.4  # of a board that counts as found
EDGE, FAINT = 40.0, 25.0  # the Lab gradient of an edge, and the most where none is printed
AROUND_MM, RIM_MM = 1.0, 0.75  # how far from a printed edge, and inside its area, others count
OCCUPIED, EMPTY, LEAST_EMPTY = 0.01, 0.002, 0.2  # shares of edges, and of areas that are empty


@dataclass(frozen=True, eq=False)
class BoardMatch:
    """`corners` (4, 2) px of the photograph without its lens's bend, from the printed top-left on.

    `correlation` is that of its gradients with those of the known print.
    """

    corners: Floats
    distortion: float
    correlation: float

    @property
    def is_board(self) -> bool:
        """Whether the known board's print shows there."""
        return self.correlation >= LEAST_CORRELATION


def match_board(
    image: Image, profile: Profile, corners: Floats | None = None, beginnings: Iterable[Floats] = ()
) -> BoardMatch:
    """Find the board of a profile in a photograph, (H, W, 3) uint8 BGR.

    `corners` (4, 2) px are believed where they are given; `beginnings` as for `propose_layout`.
    """
    if corners is not None:
        believed = straighten_sides(image, np.asarray(corners, float), None)
        return BoardMatch(believed.corners, believed.distortion, 1.0)
    wanted = _gradients(profile.require_reference())

    def correlation(photo: Image, turned: Floats) -> float:
        shown = _gradients(rectify(photo, turned, profile.layout))
        spread = float(shown.std())  # nothing shows on an evenly white or black surface
        return float(np.corrcoef(shown.ravel(), wanted.ravel())[0, 1]) if spread else 0.0

    found = (
        BoardMatch(turned, sides.distortion, correlation(sides.photo, turned))
        for sides in outlines_of(image, beginnings)
        for turned in (np.roll(sides.corners, -turn, axis=0) for turn in range(4))
    )
    return max(found, key=lambda one: one.correlation)


def occupied_areas(image: Image, corners: Floats, profile: Profile) -> tuple[str, ...]:
    """The areas where a photograph shows edges that the known print lacks: pieces, most likely.

    None where too few areas show the print alone: then the drawing is another one, not just its
    colours. `image` is (H, W, 3) uint8 BGR without its lens's bend, `corners` (4, 2) px.
    """
    print_ = profile.require_reference()
    scale = print_.shape[1] / profile.size_mm[0]
    board = rectify(image, corners, profile.layout)
    board = np.asarray(cv2.resize(board, print_.shape[1::-1]), np.uint8)
    printed = cv2.dilate(_edges(print_), _square(AROUND_MM * scale))
    strange = (_edges(board) > EDGE) & (printed < FAINT)
    shares = {}
    for place, shape in profile.places.items():
        if place.kind == "region":
            area = np.zeros(strange.shape, np.uint8)
            cv2.fillPoly(area, [np.round(np.array(shape.outline) * scale).astype(np.int32)], 1)
            inner = cv2.erode(area, _square(RIM_MM * scale)) > 0
            shares[place.id] = float(strange[inner].mean()) if inner.any() else 0.0
    if sum(share < EMPTY for share in shares.values()) < LEAST_EMPTY * len(shares):
        return ()
    return tuple(area for area, share in shares.items() if share > OCCUPIED)


def _edges(board: Image) -> npt.NDArray[np.float32]:
    """(H, W) the steepest gradient of a picture's Lab channels, from 0 to 255."""
    lab = cv2.cvtColor(cv2.GaussianBlur(board, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    steep = [
        cv2.magnitude(cv2.Sobel(one, cv2.CV_32F, 1, 0), cv2.Sobel(one, cv2.CV_32F, 0, 1))
        for one in cv2.split(lab)
    ]
    return np.asarray(np.max(steep, axis=0), np.float32)


def _square(reach: float) -> npt.NDArray[np.uint8]:
    return np.ones((2 * round(reach) + 1,) * 2, np.uint8)


def _gradients(board: Image) -> Floats:
    """(SIDE_PX, SIDE_PX) the smoothed logarithm of how steep a board's grey levels are."""
    grey = cv2.cvtColor(board, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    across, down = cv2.Sobel(small, cv2.CV_32F, 1, 0), cv2.Sobel(small, cv2.CV_32F, 0, 1)
    gradients = np.log1p(cv2.magnitude(across, down))
    return np.asarray(cv2.GaussianBlur(gradients, (0, 0), SMOOTHED_PX), np.float64)
