"""Find a board anywhere in a picture by its reference's features.

Each match of a picture's feature with one of the reference predicts, from place, size and angle,
where the whole board would be (Lowe, 2004). Predictions that agree are one board; a homography is
fitted to them by MAGSAC++ (Barath et al., 2020).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from calibration import board_corners
from vision.features import Features, extract
from vision.rectify import transform

PICTURE_PX = 1000
"""Longer side of the picture that is searched; SIFT doubles it."""
MOST_SEEN = 4000
REFERENCE_PX = 600
MOST_KNOWN = 1500
_DISTINCT = 0.88
"""Largest distance of a feature's best match relative to the next elsewhere (Lowe, 2004)."""
_REPEATED, _CLEAREST = 4, 2000
"""Most matches of a feature in a print that repeats, as its quarters often do, and how many of a
picture's features are then matched."""
_LEAST = 8
"""Fewer matches than this may agree by chance."""
_APART = 0.15
"""Largest distance between two predictions of one board, as a share of its extent."""
_OTHER_SCALE, _OTHER_ANGLE = 1.8, 35.0
_TOLERANCE = 0.006
"""Largest distance of a feature from its predicted place, as a share of the board's extent."""
_MOST_TRIES = 12


@dataclass(frozen=True, eq=False)
class Picture:
    """An (H, W, 3) uint8 picture and its features, in its own px."""

    image: np.ndarray
    features: Features

    @staticmethod
    def of(image: np.ndarray, side: int = PICTURE_PX) -> "Picture":
        """Extract the features of a picture, shrunk to at most ``side`` px."""
        return Picture(image, _scaled(image, side, MOST_SEEN))


class BoardSearch:
    """Finds one reference in pictures."""

    def __init__(
        self, reference: np.ndarray, px_per_mm: float, size_mm: tuple[float, float]
    ) -> None:
        """Extract the features of an (H, W, 3) uint8 reference, in mm."""
        self._size_mm = size_mm
        found = _scaled(reference, REFERENCE_PX, MOST_KNOWN)
        scale = 1 / px_per_mm
        self._known = Features(
            found.at * scale, found.sizes * scale, found.angles, found.descriptors
        )

    def find(self, seen: Features, repeats: bool = False) -> Iterator[np.ndarray]:
        """(3, 3) from mm to px of possible boards, the clearest first; each must be refined.

        If the print ``repeats``, a feature may match several parts of it equally well.
        """
        if repeats:
            known, seen = self._matches(seen[:_CLEAREST], _REPEATED)
        else:
            known, seen = self._matches(seen, 1)
        middle = np.array(self._size_mm) / 2
        scale = seen.sizes / known.sizes
        turn = np.radians(seen.angles - known.angles)
        offset = middle - known.at
        cos, sin = np.cos(turn), np.sin(turn)
        x = cos * offset[:, 0] - sin * offset[:, 1]
        y = sin * offset[:, 0] + cos * offset[:, 1]
        centres = seen.at + scale[:, None] * np.stack([x, y], axis=1)
        extent = scale * float(np.linalg.norm(self._size_mm))
        free = np.ones(len(seen), bool)
        for _ in range(_MOST_TRIES):
            at = np.flatnonzero(free)
            if len(at) < _LEAST:
                return
            agree = _agreeing(centres[at], extent[at], turn[at])
            votes = agree.sum(axis=1)
            best = int(votes.argmax())
            if votes[best] < _LEAST:
                return
            chosen = at[agree[best]]
            to_image, inliers = cv2.findHomography(
                known.at[chosen],
                seen.at[chosen],
                cv2.USAC_MAGSAC,
                _TOLERANCE * extent[at[best]],
                maxIters=2000,
                confidence=0.999,
            )
            free[chosen] = False
            if to_image is None or inliers.sum() < _LEAST:
                continue
            yield to_image / to_image[2, 2]
            outline = transform(to_image, board_corners(self._size_mm)).astype(np.float32)
            free[at] &= np.array(
                [cv2.pointPolygonTest(outline, point, False) < 0 for point in seen.at[at]]
            )

    def _matches(self, seen: Features, most: int) -> tuple[Features, Features]:
        """Features of the reference and the matching ones of the picture, in pairs.

        A feature matches its nearest ones, ``most`` at most, if the next is clearly farther away.
        """
        known = self._known
        if not len(seen) or len(known) <= most:
            return known[:0], seen[:0]
        likeness = seen.descriptors @ known.descriptors.T
        rows = np.arange(len(seen))
        order, apart = [], []
        for _ in range(most + 1):
            nearest = likeness.argmax(axis=1)
            order.append(nearest)
            apart.append(np.sqrt(np.maximum(2 - 2 * likeness[rows, nearest], 0)))
            likeness[rows, nearest] = -1
        distinct = np.array(apart[:-1]) < _DISTINCT * np.array(apart[1:])
        ranks = np.arange(most)[:, None]
        of, rank = np.nonzero((distinct.any(axis=0) & (ranks <= distinct.argmax(axis=0))).T)
        return known[np.array(order)[rank, of]], seen[of]


def _agreeing(centres: np.ndarray, extents: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """(N, N) bool, which predictions agree in the board's centre, extent and angle."""
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    ratio = np.abs(np.log(extents[:, None] / extents[None]))
    turned = np.abs((turns[:, None] - turns[None] + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(
        (apart < _APART * extents[:, None])
        & (ratio < np.log(_OTHER_SCALE))
        & (turned < np.radians(_OTHER_ANGLE))
    )


def _scaled(image: np.ndarray, side: int, most: int) -> Features:
    """The features of an (H, W, 3) picture shrunk to ``side`` px, in px of the picture itself."""
    shrink = min(1.0, side / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found = extract(small, most)
    back = np.array(image.shape[1::-1]) / small.shape[1::-1]
    return Features(
        (found.at + 0.5) * back - 0.5, found.sizes * back.mean(), found.angles, found.descriptors
    )
