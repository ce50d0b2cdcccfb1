"""The background model: a board's appearance when nothing is over it.

Frames are compared with it, so it must show the board alone, without an arm or a sleeve as dark as
the print, and all of it in one light. It is updated place by place as places are read, and as a
whole while nothing is over the board.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.change_detector import ChangeDetector, Difference, Occluder

_LIKE_PRINT = 0.5
"""Largest difference of bare print from the print, relative to that from the model."""
_MOVED = 10
"""Levels by which a pixel differs from a moment ago if something moves there."""


class BackgroundModel:
    """The background of one board at one pose.

    ``picture`` is (h, w, 3) uint8, a thumbnail of the board without anything over it; every
    ``thumbnail`` passed in is rectified by the `ChangeDetector`, with the same shape.
    """

    def __init__(self, detector: ChangeDetector, thumbnail: np.ndarray, t: float) -> None:
        """Start with a first thumbnail of the board, whatever is over it."""
        self._detector = detector
        self.picture = thumbnail.copy()
        self._reference = thumbnail
        self._static_since = np.full(thumbnail.shape[:2], t)

    def compare(self, thumbnail: np.ndarray) -> Difference:
        """The difference of a thumbnail from the model, apart from light."""
        return self._detector.compare(thumbnail, self.picture)

    def recoloured(self, thumbnail: np.ndarray) -> np.ndarray:
        """(P,) difference (CIE 1976) of the places' mean colours, apart from light.

        If a board was registered slightly off, edges differ; mean colours hardly do.
        """
        now = self._detector.relit(thumbnail, self.picture)
        shown = [self._detector.patches(one) for one in (now, self.picture)]
        means = np.array([one.reshape(len(one), -1, 3).mean(axis=1) for one in shown])
        lab = cv2.cvtColor((means / 255).astype(np.float32), cv2.COLOR_BGR2LAB)
        return self._detector.most(np.linalg.norm(lab[0] - lab[1], axis=1))

    def drift(self, thumbnail: np.ndarray) -> float:
        """Estimated movement of the board in mm."""
        return self._detector.drift(thumbnail, self.picture)

    def update_places(self, thumbnail: np.ndarray, places: np.ndarray) -> None:
        """Adopt the appearance of the (P,) bool ``places``, and a little around them."""
        self.update_pixels(thumbnail, self._detector.around(places))

    def update_pixels(self, thumbnail: np.ndarray, pixels: np.ndarray) -> None:
        """Adopt the (h, w) bool ``pixels``, in the light of the rest of the model.

        In that of a passing shadow they would be dark islands once it has passed.
        """
        self.picture[pixels] = self._detector.relit(thumbnail, self.picture)[pixels]

    def reset_places(self, thumbnail: np.ndarray, places: np.ndarray) -> None:
        """Adopt everything that is nearest to the (P,) bool ``places``, in its present light."""
        self._reset_pixels(thumbnail, self._detector.nearest(places))

    def reset_surroundings(self, thumbnail: np.ndarray) -> None:
        """Adopt the surroundings: a board that was pushed is elsewhere on the table."""
        self._reset_pixels(thumbnail, ~self._detector.board)

    def update_motion(self, thumbnail: np.ndarray, t: float) -> None:
        """Record where anything has changed since the last `advance_motion`."""
        self._static_since[self._moved(thumbnail)] = t

    def advance_motion(self, thumbnail: np.ndarray, t: float, absorb_after: float) -> None:
        """Record changes, and compare with this thumbnail from now on.

        Objects that have been around the board for ``absorb_after`` seconds are adopted: they cover
        nothing, but a new star beside one would look like part of something larger.
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
        """Adopt a whole thumbnail, after `advance_motion`, to follow slow changes of light.

        Except where something is moving or has been over the board for less than ``absorb_after``
        seconds, and except for the (P,) bool ``unread`` places: these are kept, in the new light.
        """
        passing = self._static_since >= t
        passing |= seen.occluders & (t - self._static_since < absorb_after)
        before = self.picture
        kept = self._detector.relit(before, thumbnail)
        self.picture = np.where(passing[..., None], kept, thumbnail)
        self.update_places(before, unread)

    def static_seconds(self, occluder: Occluder, t: float) -> float:
        """Seconds for which nearly all of an occluder has been unchanged."""
        return float(t - np.quantile(self._static_since[occluder.pixels], 0.9))

    def clear_ghosts(self, thumbnail: np.ndarray, occluders: Sequence[Occluder]) -> list[Occluder]:
        """Remove, and return, those of the ``occluders`` that look like the bare print.

        Something in the model has gone; the board replaces it there.
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
        """(h, w) bool, the pixels at and next to anything that moved since `advance_motion`."""
        blue, green, red = cv2.split(cv2.absdiff(thumbnail, self._reference))
        changed = (cv2.max(cv2.max(blue, green), red) > _MOVED).astype(np.uint8)
        return cv2.dilate(changed, np.ones((5, 5))) > 0
