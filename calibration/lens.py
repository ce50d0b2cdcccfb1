"""Lens distortion: estimate and remove it from one photograph.

The division model (Fitzgibbon, 2001): a point at radius r from the picture's centre, in units of
half its diagonal, would be at r / (1 + k r^2) with an ideal lens. k is the distortion.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image
from calibration.edges import SAMPLES, edges_beside, snap_corners

MOST = 0.12  # largest distortion tried
STEPS = (0.01, 0.005, 0.0025, 0.00125, 0.0006)  # of the search, from coarse to fine
REACHES = (0.03, 0.01)  # share of a side that its edge may be off: at first, and then
NEAR_PX = (1.0, 0.6)  # distance of an edge from its line
LINES = 300  # tried per side
LONG = 0.4  # of a side, the least distance of the two edges that define a line
GAIN = 0.01  # of the edges, the least gain in straight ones


@dataclass(frozen=True, eq=False)
class StraightSides:
    """An undistorted photograph, the corners (4, 2) px in it, and the distortion."""

    photo: Image
    corners: Floats
    distortion: float


def straighten_sides(
    photo: Image, corners: Floats, reaches: tuple[float, ...] | None
) -> StraightSides:
    """A board's outline on its visible edges, in the undistorted photograph.

    `photo` is (H, W, 3) uint8 BGR; `corners` (4, 2) px of it, right to some px, clockwise;
    `reaches` are the successive search ranges for its edges, in shares of a side. Without them the
    corners are taken as exact, and only undistorted.
    """
    size = (photo.shape[1], photo.shape[0])
    distortion, flat, found = 0.0, photo, np.asarray(corners, float)
    for step, (reach, near) in enumerate(zip(REACHES, NEAR_PX, strict=True)):
        more = estimate_distortion(flat, found, reach, near)
        if more:
            bent = distort_points(found, distortion, size)
            distortion += more
            flat, found = undistort(photo, distortion), undistort_points(bent, distortion, size)
        if reaches is not None:
            found = snap_corners(flat, found, reaches[step:])
    return StraightSides(flat, found, distortion)


def estimate_distortion(photo: Image, corners: Floats, reach: float, near_px: float) -> float:
    """The distortion at which the sides of a board are straight; 0 if it makes no difference.

    `photo` is (H, W, 3) uint8 BGR; `corners` (4, 2) px of it, clockwise, right to the share `reach`
    of a side.
    """
    size = (photo.shape[1], photo.shape[0])
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        edges = edges_beside(photo, start, end, max(reach * length, 5.0))
        along = (end - start) / length
        outward = np.array([along[1], -along[0]])
        sides.append(start + edges[:, 1:2] * along + edges[:, 2:] * outward)

    def straight(distortion: float) -> float:
        flat = (undistort_points(side, distortion, size) for side in sides)
        return sum(_straight(side, near_px) for side in flat)

    best, most = 0.0, MOST
    for step in STEPS:
        tried = best + np.arange(-most, most + step / 2, step)
        best, most = float(tried[int(np.argmax([straight(value) for value in tried]))]), step
    gain = straight(best) - straight(0.0)
    return best if gain > GAIN * len(sides) * SAMPLES else 0.0


def _straight(edges: Floats, near_px: float) -> float:
    """The (soft) number of edges (N, 2) px on one straight line."""
    if len(edges) < SAMPLES // 4:
        return 0.0
    random = np.random.default_rng(0)
    one, other = edges[random.integers(len(edges), size=(2, LINES))]
    along = other - one
    length = np.linalg.norm(along, axis=1)
    far = length > LONG * np.linalg.norm(np.ptp(edges, axis=0))
    if not far.any():
        return 0.0
    normal = np.stack([-along[far, 1], along[far, 0]], axis=1) / length[far, None]
    off = edges @ normal.T - (normal * one[far]).sum(axis=1)
    return float(np.exp(-((off / near_px) ** 2)).sum(axis=0).max())


def undistort_points(points: Floats, distortion: float, size: tuple[int, int]) -> Floats:
    """Undistort points (N, 2) px of a photograph.

    `size` is the photograph's width and height in px.
    """
    offset, half = _from_middle(points, size)
    square = (offset**2).sum(axis=-1, keepdims=True) / half**2
    return np.asarray(np.array(size) / 2 + offset / (1 + distortion * square))


def distort_points(points: Floats, distortion: float, size: tuple[int, int]) -> Floats:
    """The inverse: from points (N, 2) px of an ideal lens to the photograph."""
    offset, half = _from_middle(points, size)
    square = (offset**2).sum(axis=-1, keepdims=True) / half**2
    # The root of k u r^2 - r + u = 0 that is u for k = 0.
    inside = np.sqrt(np.maximum(1 - 4 * distortion * square, 0))
    return np.asarray(np.array(size) / 2 + offset * 2 / (1 + inside))


def undistort(photo: Image, distortion: float) -> Image:
    """The photograph as taken with an ideal lens, of the same shape."""
    if not distortion:
        return photo
    height, width = photo.shape[:2]
    grid = np.stack(np.meshgrid(np.arange(width, dtype=float), np.arange(height)), axis=-1)
    x, y = np.moveaxis(distort_points(grid, distortion, (width, height)).astype(np.float32), -1, 0)
    flat = cv2.remap(photo, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def _from_middle(points: Floats, size: tuple[int, int]) -> tuple[Floats, float]:
    return np.asarray(points, float) - np.array(size) / 2, float(np.hypot(*size) / 2)
