"""The background model: how a board looks when nothing lies over it.

What is seen is compared with it, so it must be of the board alone: not of an arm, nor of a sleeve
as dark as the print, and all of it in one light. It is brought up to date place by place, as places
are read, and as a whole while nothing is over the board.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.change_detector import ChangeDetector, Difference, Occluder

_LIKE_PRINT = 0.5
"""What differs from the print by less than this share of its difference from the model is print."""
_MOVED = 10
"""Levels by which a pixel differs from a moment ago when something passes there."""


class BackgroundModel:
    """Of one board at one pose.

    ``picture`` is (h, w, 3) uint8, a thumbnail of the board without anything over it; every
    ``thumbnail`` that is handed in is one as the `ChangeDetector` rectifies it, of the same shape.
    """

    def __init__(self, detector: ChangeDetector, thumbnail: np.ndarray, t: float) -> None:
        """Begin with a first thumbnail of the board, whatever lies over it."""
        self._detector = detector
        self.picture = thumbnail.copy()
        self._reference = thumbnail
        self._static_since = np.full(thumbnail.shape[:2], t)

    def compare(self, thumbnail: np.ndarray) -> Difference:
        """How a thumbnail differs from the model, change of light aside."""
        return self._detector.compare(thumbnail, self.picture)

    def recoloured(self, thumbnail: np.ndarray) -> np.ndarray:
        """(P,) how different (CIE 1976) the places' colours are as a whole, change of light aside.

        Where a board was found a little beside where it lies, edges differ; whole colours hardly.
        """
        now = self._detector.relit(thumbnail, self.picture)
        shown = [self._detector.patches(one) for one in (now, self.picture)]
        means = np.array([one.reshape(len(one), -1, 3).mean(axis=1) for one in shown])
        lab = cv2.cvtColor((means / 255).astype(np.float32), cv2.COLOR_BGR2LAB)
        return self._detector.most(np.linalg.norm(lab[0] - lab[1], axis=1))

    def drift(self, thumbnail: np.ndarray) -> float:
        """How many mm the board seems to have moved."""
        return self._detector.drift(thumbnail, self.picture)

    def update_places(self, thumbnail: np.ndarray, places: np.ndarray) -> None:
        """Take over how the (P,) bool ``places`` look, and a little around them."""
        self.update_pixels(thumbnail, self._detector.around(places))

    def update_pixels(self, thumbnail: np.ndarray, pixels: np.ndarray) -> None:
        """Take over the (h, w) bool ``pixels``, in the light of the rest of the model.

        In that of a shadow that is just passing they would be dark islands when it has passed.
        """
        self.picture[pixels] = self._detector.relit(thumbnail, self.picture)[pixels]

    def reset_places(self, thumbnail: np.ndarray, places: np.ndarray) -> None:
        """Take over all that is nearest to the (P,) bool ``places``, as it looks now."""
        self._reset_pixels(thumbnail, self._detector.nearest(places))

    def reset_surroundings(self, thumbnail: np.ndarray) -> None:
        """Take over what is around the board: one that was pushed lies elsewhere on the table."""
        self._reset_pixels(thumbnail, ~self._detector.board)

    def update_motion(self, thumbnail: np.ndarray, t: float) -> None:
        """Take down where anything has changed since the last `advance_motion`."""
        self._static_since[self._moved(thumbnail)] = t

    def advance_motion(self, thumbnail: np.ndarray, t: float, absorb_after: float) -> None:
        """Take down what has changed, and look out for changes since this thumbnail from now on.

        What has lain around the board for ``absorb_after`` seconds is taken over: it covers
        nothing, but beside it a new star would look like a part of something larger.
        """
        self.update_motion(thumbnail, t)
        self._reference = thumbnail
        self._reset_pixels(
            thumbnail, (t - self._static_since >= absorb_after) & ~self._detector.board
        )

    def update(
        self,
        thumbnail: np.ndarray,
        t: float,
        seen: Difference,
        unread: np.ndarray,
        absorb_after: float,
    ) -> None:
        """Take over the whole of a thumbnail, after `advance_motion`: so slow light is followed.

        Except where something lies over the board for less than ``absorb_after`` seconds or is
        passing, and except for the (P,) bool ``unread`` places: they stay as they were, in the new
        light.
        """
        passing = self._static_since >= t
        passing |= seen.occluders & (t - self._static_since < absorb_after)
        before = self.picture
        kept = self._detector.relit(before, thumbnail)
        self.picture = np.where(passing[..., None], kept, thumbnail)
        self.update_places(before, unread)

    def static_seconds(self, occluder: Occluder, t: float) -> float:
        """For how many seconds nearly all of an occluder has not changed."""
        return float(t - np.quantile(self._static_since[occluder.pixels], 0.9))

    def clear_ghosts(self, thumbnail: np.ndarray, occluders: Sequence[Occluder]) -> list[Occluder]:
        """Those of the ``occluders`` that look like the bare print, and so are none.

        Something that the model shows has gone; the board takes its place there.
        """
        if not occluders:
            return []
        to_print = self._detector.differences(thumbnail, self._detector.print)
        to_model = self._detector.differences(thumbnail, self.picture)
        ghosts = []
        for occluder in occluders:
            bare = occluder.pixels & self._detector.bare
            if bare.any() and to_print[bare].mean() < _LIKE_PRINT * to_model[bare].mean():
                self.update_pixels(thumbnail, occluder.pixels)
                ghosts.append(occluder)
        return ghosts

    def _reset_pixels(self, thumbnail: np.ndarray, pixels: np.ndarray) -> None:
        self.picture[pixels] = thumbnail[pixels]

    def _moved(self, thumbnail: np.ndarray) -> np.ndarray:
        """(h, w) bool, the pixels at and beside whatever moved since the last `advance_motion`."""
        blue, green, red = cv2.split(cv2.absdiff(thumbnail, self._reference))
        changed = (cv2.max(cv2.max(blue, green), red) > _MOVED).astype(np.uint8)
        return cv2.dilate(changed, np.ones((5, 5))) > 0
