"""Refine: register the profile's reference exactly with the located board, by image features.

Features of the reference are matched with those of the roughly rectified board, each only near its
expected position; a homography is fitted by MAGSAC++ (Barath et al., 2020). Stars hide some
features and add others, which are outliers to the fit. If the position is nearly known, corners are
tracked instead (Lucas and Kanade, 1981): as exact, for a fifth of the cost, but weaker evidence
that it is that board.

Every length here is in px of the picture in which the two are compared, which has the same area for
every board: the same values serve a board of 100 mm and one of 1,200.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.features import Features, even_contrast, extract
from vision.rectify import homography, runs_clockwise, side_scales, transform, warp

AREA_PX = 75_000
"""Area of a board when it is compared with the reference, 250 x 300 for the standard board.

Finer pictures cost more and align no better: SIFT doubles its picture itself."""
MARGIN_PX = 10.0
"""Width of table beside the board that is included."""
REACH_PX = (20.0, 6.25)
"""Search radius for a feature: at first, and once the board is nearly aligned."""
TOLERANCE_PX = 1.0
MOST_MOVED_PX = 50.0
MOST_FORESHORTENED = 6.0
"""Largest ratio of scales between a board's nearest and farthest side."""
MIN_INLIERS = 14
ENOUGH_AT_A_GLANCE = 40
"""Number of inliers at half the size that suffices to proceed at the whole size."""
_SEARCHED_PX = 300
"""Side of the rough board when its surroundings are searched: one picture for all known boards."""
PLENTY = 120
"""Number of inliers beyond doubt; with fewer, rings and links may match the wrong ones."""
MOST_FEATURES = 1200
_REPEATED_PX = 2.0
"""How far from its place a print may repeat a feature: a photograph of it is a little bent."""
_ALIKE = 0.75
_BENT = 2.5
"""How far bent cardboard may move a feature from its position on a flat board, in tolerances."""
_REFITS = 2
_MOST_TRACKED = {True: 200, False: 400}
_APART_PX = 5
_QUALITY = 0.02
_WINDOW_PX = {True: 21, False: 15}
"""Side of the tracking window about each corner, at a glance and at the whole size."""
_UNTIL = {True: (10, 0.03), False: (30, 0.01)}
"""Largest number of steps and the px of the last: narrow places need a tenth of a px."""
_RETURNED_PX = 0.5
"""Largest error of a corner that is tracked forth and back, at the whole size."""
_TRACKED = {True: 14, False: 60}
"""Number of corners that have to agree."""


@dataclass(frozen=True)
class Alignment:
    """``to_image`` (3, 3) maps mm on the board to px; ``inliers`` features agree on it."""

    to_image: np.ndarray
    inliers: int


class ReferenceMatcher:
    """Finds one profile's reference in photographs."""

    def __init__(self, profile: Profile, area_px: int = AREA_PX) -> None:
        self._profile = profile
        self.size_mm = profile.size_mm
        profile.require_calibrated()
        scale = float(np.sqrt(area_px / np.prod(profile.size_mm)))
        self._to_canvas = np.array([[scale, 0, MARGIN_PX], [0, scale, MARGIN_PX], [0, 0, 1.0]])
        width, height = (round(side * scale + 2 * MARGIN_PX) for side in self.size_mm)
        self._canvas_size = (width, height)

    @cached_property
    def known(self) -> Features:
        """The reference's features on the canvas."""
        return extract(self._picture(), MOST_FEATURES)

    def repeated(self, turn: np.ndarray) -> float:
        """The share of the reference's features that it shows again after a (3, 3) ``turn``, mm."""
        known, to_canvas = self.known, self._to_canvas
        moved = transform(to_canvas @ turn @ np.linalg.inv(to_canvas), known.at)
        far = _apart(known.at, moved) > _REPEATED_PX**2
        pairs = _mutual_matches(np.where(far, np.float32(-1), self._alike(known)))
        return len(pairs) / max(1, len(known))

    def _picture(self) -> np.ndarray:
        """The reference on the canvas."""
        to_mm = np.diag([1 / self._profile.px_per_mm, 1 / self._profile.px_per_mm, 1.0])
        grey, reference = (128, 128, 128), self._profile.require_reference()
        return warp(reference, self._to_canvas @ to_mm, self._canvas_size, border=grey)

    @cached_property
    def _corners(self) -> tuple[np.ndarray, np.ndarray]:
        """The reference with even contrast, and (N, 1, 2) px of its corners to track."""
        even = even_contrast(self._picture())
        found = cv2.goodFeaturesToTrack(even, max(_MOST_TRACKED.values()), _QUALITY, _APART_PX)
        return even, np.empty((0, 1, 2), np.float32) if found is None else found

    def align(self, image: np.ndarray, corners: np.ndarray) -> Alignment | None:
        """Refine rough ``corners`` (4, 2) px; None if the reference is not recognised there.

        If they are too far off, or in another printed order, the reference is searched for in that
        part of the picture, then in the quarter turn that matches best.
        """
        best: Alignment | None = None
        roughly = homography(corners, self.size_mm)
        for rough in chain((roughly,), self._search(image, corners)):
            found = self.refine(image, rough, faint=False)
            if found and (best is None or found.inliers > best.inliers):
                best = found
            if best and best.inliers >= PLENTY:
                break
        return best

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> Alignment | None:
        """Refine a (3, 3) homography, mm to px, that is off by a few mm at most."""
        return self._fit(image, to_image, REACH_PX[1])

    def refine(
        self, image: np.ndarray, to_image: np.ndarray, faint: bool = True
    ) -> Alignment | None:
        """Refine a rough (3, 3) homography, mm to px; None if the board is not recognised.

        Unless it may be ``faint``, one that is not seen at half the size is not there.
        """
        scales = side_scales(to_image, self.size_mm)
        flat = runs_clockwise(transform(to_image, board_corners(self.size_mm)))
        if not flat or scales.max() > MOST_FORESHORTENED * scales.min():
            return None
        rough = self._glance._fit(image, to_image, REACH_PX[0] / 2)
        if rough is None and not faint:
            return None
        if rough is None or rough.inliers < ENOUGH_AT_A_GLANCE:
            rough = self._fit(image, to_image, REACH_PX[0])
        if rough is None:
            return None
        return self._fit(image, rough.to_image, REACH_PX[1]) or rough

    @cached_property
    def _glance(self) -> "ReferenceMatcher":
        """A matcher at half the size: a rough position for a quarter of the cost."""
        return ReferenceMatcher(self._profile, AREA_PX // 4)

    def track(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """Refine a rough (3, 3) homography, mm to px, by the reference's corners; None if lost.

        Does not verify that it is this board.
        """
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        rough = self._glance._tracked(grey, to_image, glance=True)
        return None if rough is None else self._tracked(grey, rough, glance=False)

    def _tracked(
        self, grey: np.ndarray, to_image: np.ndarray, *, glance: bool
    ) -> np.ndarray | None:
        even, corners = self._corners
        if len(corners) < _TRACKED[glance]:
            return None
        to_canvas = self._to_canvas @ np.linalg.inv(to_image)
        seen = even_contrast(warp(grey, to_canvas, even.shape[::-1]))
        corners = corners[: _MOST_TRACKED[glance]]
        there, chosen = _flow(even, seen, corners, glance)
        if chosen.sum() < _TRACKED[glance]:
            return None
        if not glance:
            corners, there = corners[chosen], there[chosen]
            back, came = _flow(seen, even, there, glance)
            chosen = came & (np.abs(back - corners).max(axis=(1, 2)) < _RETURNED_PX)
        source, target = corners[chosen, 0], there[chosen, 0]
        if len(source) < _TRACKED[glance]:
            return None
        fitted, inliers = _fitted(source, target, TOLERANCE_PX)
        if fitted is None or inliers < _TRACKED[glance]:
            return None
        result = to_image @ np.linalg.inv(self._to_canvas) @ fitted @ self._to_canvas
        return np.asarray(result / result[2, 2])

    def _search(self, image: np.ndarray, corners: np.ndarray) -> Iterator[np.ndarray]:
        """(3, 3) from mm to px of rough positions of the reference around ``corners``."""
        middle, reach = corners.mean(axis=0), np.ptp(corners, axis=0).max() * 0.8
        scale = _SEARCHED_PX / (reach / 0.8)
        to_part = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]]) @ np.array(
            [[1, 0, reach - middle[0]], [0, 1, reach - middle[1]], [0, 0, 1.0]]
        )
        side = round(2 * reach * scale)
        seen = extract(warp(image, to_part, (side, side)), MOST_FEATURES)
        to_image = np.linalg.inv(to_part)
        alike = self._alike(seen)
        anywhere, _ = self._matched(alike, seen.at, np.inf, 3 * TOLERANCE_PX)
        if anywhere is not None:
            yield to_image @ anywhere @ self._to_canvas
        turns = []
        for turn in range(4 if len(seen) else 0):
            turned = homography(np.roll(corners, turn, axis=0), self.size_mm)
            there = transform(self._to_canvas @ np.linalg.inv(turned) @ to_image, seen.at)
            fitted, inliers = self._matched(alike, there, REACH_PX[0], 3 * TOLERANCE_PX)
            if fitted is not None:
                turns.append((inliers, turned @ np.linalg.inv(self._to_canvas) @ fitted))
        if turns:
            yield max(turns, key=lambda one: one[0])[1] @ self._to_canvas

    def clarity(self, image: np.ndarray, to_image: np.ndarray) -> float:
        """Features seen at ``to_image``, (3, 3) mm to px, per feature of the reference."""
        return len(self._seen(image, to_image)) / max(1, len(self.known))

    def _seen(self, image: np.ndarray, to_image: np.ndarray) -> Features:
        picture = warp(image, self._to_canvas @ np.linalg.inv(to_image), self._canvas_size)
        return extract(picture, MOST_FEATURES)

    def _fit(self, image: np.ndarray, to_image: np.ndarray, reach: float) -> Alignment | None:
        seen = self._seen(image, to_image)
        fitted, inliers = self._matched(self._alike(seen), seen.at, reach, TOLERANCE_PX)
        if fitted is None:
            return None
        corners = transform(self._to_canvas, board_corners(self.size_mm))
        if np.abs(transform(fitted, corners) - corners).max() > MOST_MOVED_PX:
            return None
        result = to_image @ np.linalg.inv(self._to_canvas) @ fitted @ self._to_canvas
        return Alignment(result / result[2, 2], inliers)

    def _alike(self, seen: Features) -> np.ndarray:
        """(N, M) likeness of the reference's features to ``seen`` ones."""
        return np.asarray(self.known.descriptors @ seen.descriptors.T)

    def _matched(
        self, alike: np.ndarray, at: np.ndarray, reach: float, tolerance: float
    ) -> tuple[np.ndarray | None, int]:
        """A (3, 3) homography from the reference to features seen ``at`` (M, 2) px, and inliers.

        Features with an (N, M) likeness match within ``reach`` px. None if there are fewer inliers
        than MIN_INLIERS.
        """
        if min(alike.shape) < MIN_INLIERS:
            return None, 0
        if np.isfinite(reach):
            alike = np.where(_apart(self.known.at, at) > reach * reach, np.float32(-1), alike)
        pairs = _mutual_matches(alike)
        if len(pairs) < MIN_INLIERS:
            return None, 0
        return _fitted(self.known.at[pairs[:, 0]], at[pairs[:, 1]], tolerance)


def _flow(
    one: np.ndarray, other: np.ndarray, points: np.ndarray, glance: bool
) -> tuple[np.ndarray, np.ndarray]:
    """(N, 1, 2) px of the points of a picture in another one, and (N,) bool, which were found."""
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        *(one, other, points, np.empty_like(points)),
        winSize=(_WINDOW_PX[glance], _WINDOW_PX[glance]),
        maxLevel=2,
        criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, *_UNTIL[glance]),
    )
    return found, status[:, 0] > 0


def _fitted(
    source: np.ndarray, target: np.ndarray, tolerance: float
) -> tuple[np.ndarray | None, int]:
    """A (3, 3) homography of (N, 2) points to others, and its inliers; None for too few."""
    fitted, mask = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, tolerance, maxIters=2000, confidence=0.999
    )
    if fitted is None or mask.sum() < MIN_INLIERS:
        return None, 0
    # Cardboard is never quite flat: fit the whole board, not just its flattest part.
    for _ in range(_REFITS):
        near = np.linalg.norm(transform(fitted, source) - target, axis=1) < _BENT * tolerance
        refitted, _ = cv2.findHomography(source[near], target[near], 0)
        if refitted is None:
            break
        fitted = refitted
    return fitted, int(mask.sum())


def _mutual_matches(alike: np.ndarray) -> np.ndarray:
    """(K, 2) index pairs of features, of (N, M) likeness, that are each other's best match."""
    best_seen, best_known = alike.argmax(axis=1), alike.argmax(axis=0)
    rows = np.arange(len(alike))
    mutual = (best_known[best_seen] == rows) & (alike[rows, best_seen] > _ALIKE)
    return np.column_stack([rows[mutual], best_seen[mutual]])


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(N, M) float32 squared distances of (N, 2) points from (M, 2) others."""
    x = np.subtract.outer(np.float32(one[:, 0]), np.float32(other[:, 0]))
    y = np.subtract.outer(np.float32(one[:, 1]), np.float32(other[:, 1]))
    return np.asarray(x * x + y * y)
