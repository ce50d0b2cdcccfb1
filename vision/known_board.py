"""A known board: one profile's board, as it is told from others and laid exactly in a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration import Profile, board_corners
from vision.illumination import normalize_illumination
from vision.rectify import Canvas, homography, rectify, transform
from vision.refine import PLENTY, ReferenceMatcher
from vision.search import BoardSearch, Picture

CERTAIN_LIKENESS = 0.5
CLEAR_LIKENESS = 0.15
"""What is asked more of a board that is seen clearly. Of invented editions another one with its
circles at the same places reaches 0.55 then; blurred and full of stars, the right one has 0.6."""
FAINT_LIKENESS = 0.35


@dataclass(frozen=True, eq=False)
class RectifiedBoard:
    """A board on the canvas, (S, S, 3) uint8: as photographed, and in the reference's light."""

    raw: np.ndarray
    normalized: np.ndarray


@dataclass(frozen=True, eq=False)
class Registration:
    """Where a known board lies: ``to_image`` (3, 3) takes mm to px; ``confidence`` is 0 to 1."""

    to_image: np.ndarray
    confidence: float


class KnownBoard:
    """Knows one calibrated profile's reference and finds it again in pictures."""

    def __init__(self, profile: Profile) -> None:
        """Prepare the reference. ValueError for a profile that is not calibrated."""
        self.profile = profile
        self.canvas = Canvas(profile.size_mm)
        self.reference = self.canvas.place_reference(profile.require_reference())
        self.mask = self.canvas.board_mask()
        self.matcher = ReferenceMatcher(profile)

    @cached_property
    def _search(self) -> BoardSearch:
        return BoardSearch(self.profile)

    def corners(self, to_image: np.ndarray) -> np.ndarray:
        """(4, 2) px, clockwise from the printed top-left."""
        return transform(to_image, board_corners(self.profile.size_mm))

    def rectify(
        self, image: np.ndarray, to_image: np.ndarray, mask: np.ndarray | None = None
    ) -> RectifiedBoard:
        """The board rectified and in the reference's light, told from the (S, S) bool ``mask``."""
        raw = rectify(image, to_image, self.canvas)
        lit = self.mask if mask is None else mask
        return RectifiedBoard(raw, normalize_illumination(raw, self.reference, lit))

    def register(
        self, image: np.ndarray, corners: np.ndarray, among_its_like: bool = False
    ) -> Registration | None:
        """Where the board lies of which those are the rough corners; None if it is another.

        Where too few features are left by blur, the rough corners serve if what they frame is
        surely like the reference. ``among_its_like`` another edition need not be feared: boards of
        this one lie beside it.
        """
        alignment = self.matcher.align(image, corners)
        if alignment is not None:
            return self._judged(image, alignment.to_image, alignment.inliers, among_its_like)
        return self._judged(image, homography(corners, self.profile.size_mm), 0, among_its_like)

    def search(self, picture: Picture) -> Iterator[Registration]:
        """Where the board lies in a picture, however often, by nothing but its features."""
        for rough in self._search.find(picture):
            alignment = self.matcher.refine(picture.image, rough)
            if alignment is not None:
                sure = self._judged(picture.image, alignment.to_image, alignment.inliers)
                if sure is not None:
                    yield sure

    def follow(self, image: np.ndarray, to_image: np.ndarray) -> np.ndarray | None:
        """(3, 3) from mm to px of a board that lay at ``to_image`` and may have moved.

        It is known to be this board: an arm may lie over most of it.
        """
        alignment = self.matcher.follow(image, to_image)
        if alignment is None:
            alignment = self.matcher.align(image, self.corners(to_image))
        if alignment is not None:
            return alignment.to_image
        return to_image if self._likeness(image, to_image) > FAINT_LIKENESS else None

    def _judged(
        self, image: np.ndarray, to_image: np.ndarray, inliers: int, among_its_like: bool = False
    ) -> Registration | None:
        """Other editions agree in some circles and links: few inliers need a look at the whole."""
        if inliers >= PLENTY:
            return Registration(to_image, 1.0)
        likeness = self._likeness(image, to_image)
        if likeness <= CERTAIN_LIKENESS:
            return None
        if not among_its_like:
            clarity = min(1.0, self.matcher.clarity(image, to_image))
            if likeness <= CERTAIN_LIKENESS + CLEAR_LIKENESS * clarity:
                return None
        return Registration(to_image, likeness)

    def _likeness(self, image: np.ndarray, to_image: np.ndarray) -> float:
        """Correlation with the reference's fine structure, of what is in the picture; -1 to 1."""
        height, width = image.shape[:2]
        rows, columns = np.nonzero(self.mask)
        at = transform(to_image, self.canvas.to_mm(np.stack([columns, rows], axis=1)))
        inside = ((at >= 0) & (at < (width, height))).all(axis=1)
        if not inside.any():
            return -1.0
        seen = np.zeros_like(self.mask)
        seen[rows[inside], columns[inside]] = True
        pair = []
        for picture in (self.rectify(image, to_image, seen).normalized, self.reference):
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
            fine = cv2.GaussianBlur(grey, (0, 0), 2) - cv2.GaussianBlur(grey, (0, 0), 12)
            pair.append(np.clip(fine, -40, 40)[seen])
        if min(part.std() for part in pair) < 1e-6:
            return -1.0
        return float(np.corrcoef(pair[0], pair[1])[0, 1])
