"""Local features: repeatable points of a picture with descriptors.

SIFT (Lowe, 2004) with RootSIFT descriptors (Arandjelovic and Zisserman, 2012): a dot product near 1
is a match. Contrast is first equalised in tiles, since half a board may be in shadow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np

_CONTRAST = 0.015
_EDGE = 20
_TILE_PX = 45
_CLIP = 4.0
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

    def __getitem__(self, chosen: np.ndarray | slice) -> Features:
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


def extract(picture: np.ndarray, most: int) -> Features:
    """The ``most`` clearest features of an (H, W, 3) uint8 picture, the clearest first."""
    pixels = hashlib.blake2b(picture.tobytes(), digest_size=16).digest()
    key = (pixels, picture.shape, most)
    with _lock:
        found = _kept.pop(key, None)
    if found is None:
        sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=_CONTRAST, edgeThreshold=_EDGE)
        found = root_sift(*sift.detectAndCompute(even_contrast(picture), None))
        for part in (found.at, found.sizes, found.angles, found.descriptors):
            part.flags.writeable = False
    with _lock:
        _kept[key] = found
        for old in list(_kept)[:-MOST_KEPT]:
            del _kept[old]
    return found


def root_sift(points: Sequence[cv2.KeyPoint], descriptors: np.ndarray | None) -> Features:
    """OpenCV's detections as RootSIFT, the clearest first."""
    order = sorted(range(len(points)), key=lambda i: -points[i].response)
    if descriptors is None or not order:
        return Features(np.empty((0, 2)), np.empty(0), np.empty(0), np.empty((0, 128), np.float32))
    shares = descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6)
    return Features(
        np.array([points[i].pt for i in order]),
        np.array([points[i].size for i in order]),
        np.array([points[i].angle for i in order]),
        np.sqrt(shares)[order],
    )
