"""Refine: lay the profile's reference exactly over the located board, by image features.

SIFT features (Lowe, 2004) of the reference are matched with those of the roughly rectified board,
each only near where it must lie; a homography is fitted by MAGSAC++ (Barath et al., 2020). Stars
hide some features and add others; the fit treats them as outliers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.rectify import homography, transform, warp

PX_PER_MM = 1.25
"""Scale at which photograph and reference are compared. Finer ones cost more and align no better:
SIFT doubles its picture itself."""
REACH_MM = (16.0, 5.0)
"""How far off a feature is looked for: at first, and once the board is nearly aligned."""
MIN_INLIERS = 14
PLENTY = 120
"""So many inliers leave no doubt; fewer may be rings and links laid over the wrong ones."""
MARGIN_MM = 8.0


@dataclass(frozen=True)
class Alignment:
    """``to_image`` (3, 3) takes mm on the board to px; ``inliers`` features agree on it."""

    to_image: np.ndarray
    inliers: int


class ReferenceMatcher:
    """Knows one profile's reference and finds it again in photographs."""

    def __init__(self, profile: Profile) -> None:
        """Take the profile's reference; its features are found when first needed."""
        self.size_mm = profile.size_mm
        self._reference = profile.require_reference()
        self._scale = profile.px_per_mm

    @cached_property
    def _sift(self) -> cv2.SIFT:
        return cv2.SIFT.create(nfeatures=1200, contrastThreshold=0.015, edgeThreshold=20)

    @cached_property
    def _known(self) -> tuple[np.ndarray, np.ndarray]:
        """The reference's features: (N, 2) mm and (N, 128) descriptors."""
        size = self._canvas_size
        matrix = self._to_canvas @ np.diag([1 / self._scale, 1 / self._scale, 1.0])
        picture = warp(self._reference, matrix, size, border=(128, 128, 128))
        return self._features(picture)

    @property
    def _canvas_size(self) -> tuple[int, int]:
        width, height = self.size_mm
        return (
            round((width + 2 * MARGIN_MM) * PX_PER_MM),
            round((height + 2 * MARGIN_MM) * PX_PER_MM),
        )

    @property
    def _to_canvas(self) -> np.ndarray:
        return np.array(
            [
                [PX_PER_MM, 0, MARGIN_MM * PX_PER_MM],
                [0, PX_PER_MM, MARGIN_MM * PX_PER_MM],
                [0, 0, 1.0],
            ]
        )

    def align(self, image: np.ndarray, corners: np.ndarray) -> Alignment | None:
        """Refine rough ``corners`` (4, 2) px; None where the reference is not recognised there.

        Where they are too far off, or in another printed order, the reference is searched for in
        that part of the picture, then held against it in each of the four turns.
        """
        attempts: tuple[Callable[[], Alignment | None], ...] = (
            lambda: self._attempt(image, homography(corners, self.size_mm)),
            lambda: self._search(image, corners),
            *(
                partial(self._attempt, image, homography(np.roll(corners, turn, 0), self.size_mm))
                for turn in (1, 2, 3)
            ),
        )
        best: Alignment | None = None
        for attempt in attempts:
            found = attempt()
            if found and (best is None or found.inliers > best.inliers):
                best = found
            if best and best.inliers >= PLENTY:
                break
        return best

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> Alignment | None:
        """Refine a (3, 3) homography, mm to px, that is off by a few mm at most."""
        return self._fit(image, to_image, REACH_MM[1])

    def _search(self, image: np.ndarray, corners: np.ndarray) -> Alignment | None:
        """Match the reference with all that lies around ``corners``, at any place and turn."""
        middle, reach = corners.mean(axis=0), np.ptp(corners, axis=0).max() * 0.8
        scale = PX_PER_MM * max(self.size_mm) / (reach / 0.8)
        to_part = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]]) @ np.array(
            [[1, 0, reach - middle[0]], [0, 1, reach - middle[1]], [0, 0, 1.0]]
        )
        side = round(2 * reach * scale)
        seen_at, seen = self._features(warp(image, to_part, (side, side)))
        known_at, known = self._known
        if min(len(seen_at), len(known_at)) < MIN_INLIERS:
            return None
        pairs = _mutual_matches(known_at, known, seen_at, seen, np.inf)
        if len(pairs) < MIN_INLIERS:
            return None
        rough, mask = _homography(known_at[pairs[:, 0]], seen_at[pairs[:, 1]], 3.0)
        if rough is None or mask.sum() < MIN_INLIERS:
            return None
        from_features = np.array(
            [
                [PX_PER_MM, 0, MARGIN_MM * PX_PER_MM],
                [0, PX_PER_MM, MARGIN_MM * PX_PER_MM],
                [0, 0, 1],
            ]
        )
        return self._attempt(image, np.linalg.inv(to_part) @ from_features @ rough)

    def _attempt(self, image: np.ndarray, to_image: np.ndarray) -> Alignment | None:
        if not _is_plausible(transform(to_image, board_corners(self.size_mm))):
            return None
        rough = self._fit(image, to_image, REACH_MM[0])
        if rough is None:
            return None
        return self._fit(image, rough.to_image, REACH_MM[1]) or rough

    def _fit(self, image: np.ndarray, to_image: np.ndarray, reach: float) -> Alignment | None:
        matrix = self._to_canvas @ np.linalg.inv(to_image)
        picture = warp(image, matrix, self._canvas_size)
        seen_at, seen = self._features(picture)
        known_at, known = self._known
        if len(seen_at) < MIN_INLIERS or len(known_at) < MIN_INLIERS:
            return None
        pairs = _mutual_matches(known_at, known, seen_at, seen, reach)
        if len(pairs) < MIN_INLIERS:
            return None
        source, target = known_at[pairs[:, 0]], seen_at[pairs[:, 1]]
        fitted, mask = _homography(source, target, 0.8)
        if fitted is None or mask.sum() < MIN_INLIERS:
            return None
        result = to_image @ fitted
        corners = transform(fitted, board_corners(self.size_mm))
        moved = np.abs(corners - board_corners(self.size_mm)).max()
        if moved > 2.5 * REACH_MM[0]:
            return None
        return Alignment(result / result[2, 2], int(mask.sum()))

    def _features(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        grey = cv2.createCLAHE(4.0, (6, 7)).apply(grey)
        points, descriptors = self._sift.detectAndCompute(grey, None)
        if not points:
            return np.empty((0, 2)), np.empty((0, 128), np.float32)
        at = np.array([p.pt for p in points]) / PX_PER_MM - MARGIN_MM
        return at, np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))


def _homography(
    source: np.ndarray, target: np.ndarray, tolerance: float
) -> tuple[np.ndarray | None, np.ndarray]:
    """A (3, 3) homography of most of (N, 2) ``source`` to ``target``, and which those are."""
    return cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, tolerance, maxIters=2000, confidence=0.999
    )


def _is_plausible(corners: np.ndarray) -> bool:
    """Whether a flat board, seen from its printed side, can have these (4, 2) corners."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return bool((turns > 0).all() and lengths.max() < 6 * lengths.min())


def _mutual_matches(
    known_at: np.ndarray, known: np.ndarray, seen_at: np.ndarray, seen: np.ndarray, reach: float
) -> np.ndarray:
    """(M, 2) index pairs of features within ``reach`` mm that are each other's best match."""
    likeness = known @ seen.T  # RootSIFT: a dot product near 1 is a match (Arandjelovic, 2012)
    squared = (
        (known_at**2).sum(axis=1)[:, None]
        + (seen_at**2).sum(axis=1)[None]
        - 2 * known_at @ seen_at.T
    )
    likeness[squared > reach * reach] = -1.0
    best_seen, best_known = likeness.argmax(axis=1), likeness.argmax(axis=0)
    rows = np.arange(len(known_at))
    mutual = (best_known[best_seen] == rows) & (likeness[rows, best_seen] > 0.75)
    return np.column_stack([rows[mutual], best_seen[mutual]])
