"""Find a board's outline by its layout: match the printed circles with it.

A board finder's corners are off by up to a tenth of the board. Starting from several of them, the
printed circles, found by a Hough vote, are aligned with the layout's by enhanced correlation
(Evangelidis and Psarakis, 2008), from coarse to fine; the edges of the best alignment give the
corners.
"""

from collections.abc import Iterable, Iterator

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image
from calibration.edges import snap_corners
from calibration.layout import Layout, board_corners
from calibration.orientation import CLEARLY as CLEARLY_TURNED
from calibration.orientation import contrast_by_turn, rim_contrast
from scorer.places import Bar, Shape

Grey = npt.NDArray[np.float32]

AROUND_MM = 30  # of table beside the board; one pixel per mm
SCALES = (1.0, 0.9, 1.1)  # of each start about its centre
# Smoothing in mm, and motion model: by the circles' centres, then their rims.
MIDDLES = (
    (8.0, cv2.MOTION_AFFINE),
    (5.0, cv2.MOTION_AFFINE),
    (5.0, cv2.MOTION_HOMOGRAPHY),
    (3.0, cv2.MOTION_HOMOGRAPHY),
    (2.0, cv2.MOTION_HOMOGRAPHY),
)
RIMS = (1.5, cv2.MOTION_HOMOGRAPHY)
ITERATIONS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
RADII = (0.85, 1.12, 8)  # range of a circle's radius relative to the layout's, and steps
EDGE = 0.3  # least gradient of a voting edge, relative to the steepest
BESIDE_MM = 5.0
CLEARLY = 5.0  # least contrast relative to shifted circles, on other print


def find_outline(photo: Image, beginnings: Iterable[Floats], layout: Layout) -> Floats | None:
    """(4, 2) px, the corners clockwise from the printed top-left; None if it is not certain.

    `photo` is (H, W, 3) uint8 BGR of the empty board; each of the `beginnings` is a rough estimate
    of its corners, (4, 2) px.
    """
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), np.uint8)
    given = [np.asarray(corners, float) for corners in beginnings]
    for turn in range(4):
        for scale in SCALES:
            tried = [
                _aligned(photo, _scaled(np.roll(corners, -turn, axis=0), scale), layout)
                for corners in given
            ]
            tried = [snap_corners(photo, corners) for corners in tried]
            best = max(tried, key=lambda corners: rim_contrast(grey, corners, layout), default=None)
            if best is not None and _is_sure(grey, best, layout):
                return _right_way_up(grey, best, layout)
    return None


def _right_way_up(grey: Image, corners: Floats, layout: Layout) -> Floats | None:
    """The corners starting with the printed top-left; None if that is not certain.

    Unchanged if all of the layout's places coincide in every turn.
    """
    clear = contrast_by_turn(grey, corners, layout)
    if np.ptp(clear) == 0:
        return corners
    best, *others = np.argsort(-clear)
    if clear[best] <= CLEARLY_TURNED * clear[others[0]]:
        return None
    return np.roll(corners, -int(best), axis=0)


def _scaled(corners: Floats, scale: float) -> Floats:
    middle = corners.mean(axis=0)
    scaled: Floats = middle + scale * (corners - middle)
    return scaled


def _aligned(photo: Image, corners: Floats, layout: Layout) -> Floats:
    """The corners with the printed circles aligned with the layout's."""
    board = board_corners(layout.size_mm) + AROUND_MM
    to_photo: Floats = np.asarray(
        cv2.getPerspectiveTransform(board.astype(np.float32), corners.astype(np.float32)), float
    )
    middles, drawn = _drawn(layout)
    radius = float(np.median([place.radius for place in _circles(layout)]))
    for sigma, motion in MIDDLES:
        seen = _middles(_flat(photo, to_photo, drawn), radius)
        goal, now = (cv2.GaussianBlur(picture, (0, 0), sigma) for picture in (middles, seen))
        to_photo = to_photo @ _step(goal, now, motion)
    sigma, motion = RIMS
    goal, now = (_band(p, sigma) for p in (drawn, _slopes(_flat(photo, to_photo, drawn))[1]))
    moved = cv2.perspectiveTransform(board[None], to_photo @ _step(goal, now, motion))[0]
    return np.asarray(moved, float)


def _flat(photo: Image, to_photo: Floats, like: Grey) -> Image:
    """The board from straight above, on a canvas of the size of `like`."""
    size = (like.shape[1], like.shape[0])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(photo, to_photo, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _step(drawn: cv2.typing.MatLike, seen: cv2.typing.MatLike, motion: int) -> Floats:
    """(3, 3) from the drawn picture's px to the seen one's; the identity if nothing matches."""
    inside = np.zeros(drawn.shape, np.uint8)
    inside[AROUND_MM:-AROUND_MM, AROUND_MM:-AROUND_MM] = 255
    step, rows = np.eye(3), 2 if motion == cv2.MOTION_AFFINE else 3
    try:
        _, found = cv2.findTransformECC(
            drawn, seen, step[:rows].astype(np.float32), motion, ITERATIONS, inside, 1
        )
    except cv2.error:
        return step
    step[:rows] = found
    return step


def _circles(layout: Layout) -> list[Shape]:
    """The places with a round rim; all if there are none."""
    places = list(layout.places.values())
    return [place for place in places if not isinstance(place, Bar)] or places


def _drawn(layout: Layout) -> tuple[Grey, Grey]:
    """The layout's circles as white points and as white lines on black, one pixel per mm."""
    width, height = layout.size_mm
    points, lines = np.zeros(
        (2, round(height) + 2 * AROUND_MM, round(width) + 2 * AROUND_MM), np.float32
    )
    for place in _circles(layout):
        x, y = np.add(place.at, AROUND_MM)
        points[round(y), round(x)] = 100
        at = (round(x * 8), round(y * 8))
        cv2.circle(lines, at, round(place.radius * 8), (1.0,), 2, cv2.LINE_AA, 3)
    return points, lines


def _middles(picture: Image, radius: float) -> Grey:
    """Votes for centres of circles of about that radius: every edge votes to both sides."""
    slope, weight = _slopes(picture)
    height, width = weight.shape
    rows, columns = np.nonzero(weight > EDGE)
    (x, y), weight = slope[:, rows, columns], weight[rows, columns]
    votes = np.zeros(height * width)
    for reach in np.linspace(*RADII) * radius:
        for way in (reach, -reach):
            across, down = (np.rint(columns + way * x), np.rint(rows + way * y))
            there = (across >= 0) & (across < width) & (down >= 0) & (down < height)
            at = (down[there] * width + across[there]).astype(int)
            votes += np.bincount(at, weights=weight[there], minlength=votes.size)
    gathered = cv2.GaussianBlur(votes.reshape(height, width).astype(np.float32), (0, 0), 1.5)
    return np.asarray(np.maximum(gathered - np.percentile(gathered, 90), 0), np.float32)


def _slopes(picture: Image) -> tuple[Grey, Grey]:
    """(2, H, W) direction across each edge; (H, W) its gradient, 1 for the steepest twentieth.

    Both from the channel in which it is steepest.
    """
    smooth = cv2.GaussianBlur(picture, (0, 0), 1).astype(np.float32)
    slopes = np.stack([cv2.Sobel(smooth, cv2.CV_32F, across, 1 - across) for across in (1, 0)])
    channel = np.hypot(*slopes).argmax(axis=2)
    slope = np.take_along_axis(slopes, channel[None, ..., None], axis=3)[..., 0]
    steep = np.hypot(*slope) + 1e-3
    return slope / steep, np.asarray(np.minimum(steep / np.percentile(steep, 95), 1), np.float32)


def _band(picture: Grey, sigma: float) -> Grey:
    """A band-pass of detail neither finer than `sigma` nor far coarser."""
    fine = cv2.GaussianBlur(picture, (0, 0), sigma)
    return np.asarray(fine - cv2.GaussianBlur(picture, (0, 0), 4 * sigma), np.float32)


def _is_sure(grey: Image, corners: Floats, layout: Layout) -> bool:
    """Whether circles are far clearer there than slightly shifted, unlike on other print."""
    beside = np.mean([rim_contrast(grey, corners, layout, shift) for shift in _shifts()])
    return rim_contrast(grey, corners, layout) > CLEARLY * float(beside)


def _shifts() -> Iterator[tuple[float, float]]:
    for angle in np.arange(6) * np.pi / 3:
        yield BESIDE_MM * float(np.cos(angle)), BESIDE_MM * float(np.sin(angle))
