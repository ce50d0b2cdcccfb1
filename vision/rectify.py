"""Rectify: the board as seen from straight above, on the token detector's canvas."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import PX_PER_MM, board_corners

CANVAS_PX = 384
"""Side in px of the square canvas, unless a board's places need a finer one.

The board's longer edge fills it; the rest shows the table."""
_FOCAL = (0.7, 1.3)
"""Range of phones' focal lengths, in long sides of the picture."""


@dataclass(frozen=True)
class Canvas:
    """The canvas of a board of ``size_mm`` (width, height), centred and upright."""

    size_mm: tuple[float, float]
    side_px: int = CANVAS_PX

    @property
    def px_per_mm(self) -> float:
        """The scale: 1.6 for the standard board."""
        return self.side_px / max(self.size_mm)

    @property
    def origin(self) -> np.ndarray:
        """(2,) px of the printed top-left corner."""
        return (self.side_px - np.array(self.size_mm) * self.px_per_mm) / 2

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3) from mm on the board to px on the canvas."""
        scale, (x, y) = self.px_per_mm, self.origin
        return np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]])

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return np.asarray(np.asarray(points_mm, float) * self.px_per_mm + self.origin)

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return np.asarray((np.asarray(points_px, float) - self.origin) / self.px_per_mm)

    def board_mask(self) -> np.ndarray:
        """(S, S) bool, true on the board."""
        (x0, y0), (x1, y1) = self.to_px(np.array([[0, 0], self.size_mm])).round().astype(int)
        mask = np.zeros((self.side_px, self.side_px), bool)
        mask[y0:y1, x0:x1] = True
        return mask

    def place_reference(self, reference: np.ndarray) -> np.ndarray:
        """A reference, (H, W, 3) uint8 at ``PX_PER_MM``, on the canvas; grey around it."""
        to_canvas = self.matrix @ np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])
        return warp(reference, to_canvas, (self.side_px, self.side_px), border=(128, 128, 128))


def homography(corners: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """(3, 3) from mm on the board to px in the photograph, from its (4, 2) ``corners`` in px."""
    return cv2.getPerspectiveTransform(
        board_corners(size_mm).astype(np.float32), np.asarray(corners, np.float32)
    )


def transform(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Apply a (3, 3) homography to (N, 2) points."""
    return cv2.perspectiveTransform(
        np.asarray(points, np.float64).reshape(-1, 1, 2), matrix
    ).reshape(-1, 2)


def nearest(points: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """(H, W) int: the index of the nearest of (N, 2) px ``points`` to each pixel.

    >>> nearest(np.array([[0, 0], [3, 0]]), (1, 4)).tolist()
    [[0, 0, 1, 1]]
    """
    ys, xs = np.ogrid[: shape[0], : shape[1]]
    found, least = np.zeros(shape, int), np.full(shape, np.inf)
    for number, (x, y) in enumerate(points):
        away = (xs - x) ** 2 + (ys - y) ** 2
        nearer = away < least
        found[nearer], least[nearer] = number, away[nearer]
    return found


@dataclass(frozen=True)
class CameraPosition:
    """A camera's position relative to a board, in mm: ``up`` above the point ``below``."""

    below: np.ndarray
    up: float

    @classmethod
    def over(cls, to_image: np.ndarray, size: tuple[int, int]) -> "CameraPosition":
        """From a picture of that (width, height) in px with a board at (3, 3) mm to px.

        The picture is assumed to be uncropped. From straight above the focal length is
        undetermined: a long lens is assumed then.
        """
        width, height = size
        seen = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, max(size)]]) @ to_image
        seen /= np.linalg.norm(seen)
        (a, b), (c, d), (e, f) = seen[:, :2]
        flat = np.array([a * b + c * d, a * a + c * c - b * b - d * d])
        deep = np.array([e * f, e * e - f * f])
        inverse = -float(flat @ deep) / float(flat @ flat or 1.0)
        focal = min(max(inverse**-0.5 if inverse > 0 else _FOCAL[1], _FOCAL[0]), _FOCAL[1])
        right, down, there = (np.diag([1 / focal, 1 / focal, 1.0]) @ seen).T
        scale = math.sqrt(np.linalg.norm(right) * np.linalg.norm(down))
        right = right / np.linalg.norm(right)
        down = down - right * (right @ down)
        down /= np.linalg.norm(down)
        turn = np.column_stack([right, down, np.cross(right, down)])
        at = -turn.T @ there / scale
        return cls(at[:2], abs(float(at[2])))

    def parallax_shift(self, at: np.ndarray, height: float) -> np.ndarray:
        """Apparent shift, in mm on the board, of a point at ``height`` mm above (2,) mm ``at``.

        The camera is assumed to be at least twice as high as the point.
        """
        return np.asarray((at - self.below) * height / max(self.up - height, height, 1.0))


def runs_clockwise(corners: np.ndarray) -> bool:
    """Whether (4, 2) corners are a convex outline in clockwise order: a board's printed side."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all())


def side_scales(to_image: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """(4,) px per mm along each side of a board at ``to_image``, (3, 3) from mm to px."""
    corners = transform(to_image, board_corners(size_mm))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return np.asarray(sides / np.tile(size_mm, 2))


def rectify(image: np.ndarray, board_to_image: np.ndarray, canvas: Canvas) -> np.ndarray:
    """The board of an (H, W, 3) picture on the canvas, (S, S, 3) uint8.

    ``board_to_image`` is (3, 3), mm to px.
    """
    side = (canvas.side_px, canvas.side_px)
    return warp(image, canvas.matrix @ np.linalg.inv(board_to_image), side)


def straighten(image: np.ndarray, corners: np.ndarray, size_mm: tuple[float, float]) -> np.ndarray:
    """A board of an (H, W, 3) uint8 picture from straight above, at ``PX_PER_MM``.

    ``corners`` are (4, 2) px of the picture, clockwise from the printed top-left.
    """
    width, height = (round(side * PX_PER_MM) for side in size_mm)
    to_px = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
    return warp(image, to_px @ np.linalg.inv(homography(corners, size_mm)), (width, height))


def shrunk(image: np.ndarray, longest_px: int) -> tuple[np.ndarray, np.ndarray]:
    """An (H, W, 3) picture of at most ``longest_px``, and (3, 3) from its px to the original's."""
    share = longest_px / max(image.shape[:2])
    if share >= 1:
        return image, np.eye(3)
    width, height = (max(1, round(side * share)) for side in image.shape[1::-1])
    small = resize_by_area(image, (width, height))
    x, y = np.array(image.shape[1::-1]) / small.shape[1::-1]
    return small, np.array([[x, 0, (x - 1) / 2], [0, y, (y - 1) / 2], [0, 0, 1.0]])


def resize_by_area(image: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Shrink an (H, W) or (H, W, C) picture to a (width, height) in px by area averaging.

    A much larger one is halved first: OpenCV halves some ten times as fast as it shrinks by any
    other factor.
    """
    small = image
    while small.shape[1] >= 4 * size[0] and small.shape[0] >= 4 * size[1]:
        even = small[: small.shape[0] // 2 * 2, : small.shape[1] // 2 * 2]
        small = cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, size, interpolation=cv2.INTER_AREA)


def warp(
    image: np.ndarray,
    matrix: np.ndarray,
    size: tuple[int, int],
    border: tuple[int, int, int] | None = None,
) -> np.ndarray:
    """Warp by a (3, 3) ``matrix``, source px to target px, without aliasing in a smaller target.

    ``image`` is (H, W) or (H, W, C), ``size`` the target's (width, height) in px. The required part
    of the source is first shrunk by area, then warped. Pixels outside the source repeat its edge,
    or are ``border``.
    """
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], float)
    seen = transform(np.linalg.inv(matrix), target)
    height, width = image.shape[:2]
    left, top = seen.min(axis=0).tolist()
    right, bottom = seen.max(axis=0).tolist()
    shrink = _shrink(seen, size)
    whole = 2 ** int(math.log2(max(shrink, 1)))  # a multiple of this loses no px by halving
    (x0, x1), (y0, y1) = _within(left, right, width, whole), _within(top, bottom, height, whole)
    region = image[y0:y1, x0:x1]
    across, down = 1.0, 1.0
    if shrink > 1.3:
        new = (max(1, round((x1 - x0) / shrink)), max(1, round((y1 - y0) / shrink)))
        across, down = (x1 - x0) / new[0], (y1 - y0) / new[1]
        region = resize_by_area(region, new)
    to_image = np.diag([across, down, 1.0])
    to_image[:2, 2] = x0 + (across - 1) / 2, y0 + (down - 1) / 2
    mode = cv2.BORDER_REPLICATE if border is None else cv2.BORDER_CONSTANT
    return cv2.warpPerspective(
        region,
        matrix @ to_image,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=mode,
        borderValue=border or 0,
    )


def _within(first: float, last: float, side: int, whole: int) -> tuple[int, int]:
    """The span of px around [first, last], clipped to the side, and a multiple of `whole`."""
    begin = int(min(max(math.floor(first) - 2, 0), side - 1))
    end = int(min(max(math.ceil(last) + 2, 1), side))
    return begin, begin + max((end - begin) // whole * whole, 1)


def _shrink(seen: np.ndarray, size: tuple[int, int]) -> float:
    """Source px per target px along a side, where the picture is finest."""
    sides = np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1)
    along = np.array([size[0], size[1], size[0], size[1]], float)
    return float((sides / along).min())
