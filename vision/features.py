"""Local features: repeatable points of a picture with descriptors.

SIFT (Lowe, 2004) with RootSIFT descriptors (Arandjelovic and Zisserman, 2012): a dot product near 1
is a match. Contrast is first equalised in tiles, since half a board may be in shadow.
"""

import hashlib
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from threading import Lock

import cv2
import numpy as np

from vision.rectify import resize_by_area

_CONTRAST = 0.015
_EDGE = 20
_TILE_PX = 45
_CLIP = 4.0
_AT_ONCE, _TILE, _OVERLAP, _MOST_IN_TILE = 2**20, 448, 48, 3000
"""The px of a picture up to which it is searched at once, for SIFT needs about 240 bytes for each;
else the side in px of the squares that are searched one by one, how far a search reaches beyond a
square, for most features to have their surroundings, and the most features of each. SIFT halves
both lengths several times."""
_DETAIL_PX, _CORNER, _NEAR_PX, _CORNERS, _EDGE_PX = 1000, 2e-4, 31, 4, 9
"""Longer side of the picture in which detail is noticed, least eigenvalue of the gradients at a
corner, the side of the square in px in which corners are counted, how many it needs, and the width
of the edge of what is no part of the search."""
MOST_KEPT = 4
"""Features of so many pictures are kept: trackers of several kinds of board search each frame."""


@dataclass(frozen=True, eq=False)
class Features:
    """``at`` (N, 2) px; ``sizes`` (N,) px and ``angles`` (N,) degrees; ``descriptors`` (N, 128)."""

    at: np.ndarray
    sizes: np.ndarray
    angles: np.ndarray
    descriptors: np.ndarray

    def __len__(self) -> int:
        return len(self.at)

    def __getitem__(self, chosen: np.ndarray | slice) -> "Features":
        """The features selected by (N,) bool, by indices or by a slice."""
        return Features(
            self.at[chosen], self.sizes[chosen], self.angles[chosen], self.descriptors[chosen]
        )


def even_contrast(picture: np.ndarray) -> np.ndarray:
    """(H, W) uint8 brightness with equalised contrast, of an (H, W) or (H, W, 3) picture."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    tiles = (max(1, round(grey.shape[1] / _TILE_PX)), max(1, round(grey.shape[0] / _TILE_PX)))
    return cv2.createCLAHE(_CLIP, tiles).apply(grey)


_kept: dict[object, Features] = {}
"""The latest ones, by picture and how many were wanted."""
_lock = Lock()
_one_part = Lock()
"""Held while a part of a large picture is searched: two parts at once need 100 MB more."""


def extract(picture: np.ndarray, most: int, where: np.ndarray | None = None) -> Features:
    """The ``most`` clearest features of an (H, W, 3) uint8 picture, the clearest first.

    With an (H, W) uint8 mask, only those where it is not 0.
    """
    pixels = hashlib.blake2b(picture.tobytes(), digest_size=16)
    pixels.update(b"" if where is None else where.tobytes())
    key = (pixels.digest(), picture.shape, most)
    with _lock:
        found = _kept.pop(key, None)
    if found is None:
        found = detect(even_contrast(picture), most, _CONTRAST, _EDGE, where)
        for part in (found.at, found.sizes, found.angles, found.descriptors):
            part.flags.writeable = False
    with _lock:
        _kept[key] = found
        for old in list(_kept)[:-MOST_KEPT]:
            del _kept[old]
    return found


def detect(
    grey: np.ndarray, most: int, contrast: float, edge: float, where: np.ndarray | None = None
) -> Features:
    """The ``most`` clearest features of an (H, W) uint8 picture, the clearest first.

    ``contrast`` and ``edge`` are SIFT's thresholds. With an (H, W) uint8 mask, only those where it
    is not 0.
    """
    points, descriptors = np.empty((0, 5)), np.empty((0, 128), np.float32)
    height, width = grey.shape
    at_once = grey.size <= _AT_ONCE
    side = max(height, width) if at_once else _TILE
    sift = cv2.SIFT.create(
        nfeatures=most if at_once else min(most, _MOST_IN_TILE),
        contrastThreshold=contrast,
        edgeThreshold=edge,
    )
    for top, left in product(range(0, height, side), range(0, width, side)):
        across, down, wide, high = 0, 0, side, side
        if where is not None:
            across, down, wide, high = cv2.boundingRect(where[top : top + side, left : left + side])
        if not wide:
            continue
        y, x = max(top + down - _OVERLAP, 0), max(left + across - _OVERLAP, 0)
        tile = np.s_[y : top + down + high + _OVERLAP, x : left + across + wide + _OVERLAP]
        within = None if where is None else where[tile]
        with nullcontext() if at_once else _one_part:
            own, of_own = sift.detectAndCompute(grey[tile], within)
        if not own:
            continue
        # Of each feature x, y, size, angle and response.
        rows = np.array([(*one.pt, one.size, one.angle, one.response) for one in own])
        rows[:, :2] += x, y
        away = rows[:, :2] - (left, top)
        inside = ((away >= 0) & (away < side)).all(axis=1)
        points = np.concatenate([points, rows[inside]])
        descriptors = np.concatenate([descriptors, of_own[inside]])
        clearest = np.argsort(-points[:, 4], kind="stable")[:most]
        points, descriptors = points[clearest], descriptors[clearest]
    return Features(points[:, :2], points[:, 2], points[:, 3], root_sift(descriptors))


def with_detail(picture: np.ndarray, taken: Iterable[np.ndarray]) -> np.ndarray:
    """(H, W) uint8, 255 where corners lie near, as on any print; not on the grain of wood.

    Nor within the areas `taken`, (4, 2) px each, or on their edges.
    """
    size = picture.shape[1::-1]
    share = min(1.0, _DETAIL_PX / max(size))
    small = resize_by_area(picture, (round(share * size[0]), round(share * size[1])))
    grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    corners = (cv2.cornerMinEigenVal(grey, 3) > _CORNER).astype(np.float32)
    outlines = [np.rint(share * one).astype(np.int32) for one in taken]
    for outline in outlines:
        cv2.fillConvexPoly(corners, outline, 0)
        cv2.polylines(corners, [outline], True, 0, _EDGE_PX)
    near = cv2.boxFilter(corners, -1, (_NEAR_PX, _NEAR_PX), normalize=False) >= _CORNERS
    found = near.astype(np.uint8) * 255
    for outline in outlines:
        cv2.fillConvexPoly(found, outline, 0)
    return cv2.resize(found, size, interpolation=cv2.INTER_NEAREST)


def root_sift(descriptors: np.ndarray) -> np.ndarray:
    """(N, 128) SIFT descriptors as RootSIFT."""
    return np.asarray(
        np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    )
