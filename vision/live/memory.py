"""Memory: how a board looks when nothing lies over it.

What is seen is compared with it, so it must be of the board alone: not of an arm, nor of a sleeve
as dark as the print, and all of it in one light. It is brought up to date place by place, as places
are read, and as a whole while nothing is over the board.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.live.glance import Difference, Glancer, Thing

_LIKE_PRINT = 0.5
"""What differs from the print by less than this share of what it differs from memory is print."""
_CHANGING = 10
"""Levels by which a pixel differs from a moment ago when something passes there."""


class Memory:
    """Of one board at one pose.

    ``picture`` is (h, w, 3) uint8, a glance at the board without anything over it.
    """

    def __init__(self, glancer: Glancer, glance: np.ndarray, t: float) -> None:
        """Begin with a first glance at the board, whatever lies over it."""
        self._glancer = glancer
        self.picture = glance.copy()
        self._earlier = glance
        self._lying_since = np.full(glance.shape[:2], t)

    def compare(self, glance: np.ndarray) -> Difference:
        """How a glance differs from what is remembered, change of light aside."""
        return self._glancer.compare(glance, self.picture)

    def drift(self, glance: np.ndarray) -> float:
        """How many mm the board seems to have moved."""
        return self._glancer.drift(glance, self.picture)

    def keep(self, glance: np.ndarray, places: np.ndarray) -> None:
        """Remember how the (P,) bool ``places`` look, and a little around them."""
        self.keep_pixels(glance, self._glancer.around(places))

    def keep_pixels(self, glance: np.ndarray, pixels: np.ndarray) -> None:
        """Remember the (h, w) bool ``pixels``, in the light of the rest of the memory.

        In that of a shadow that is just passing they would be dark islands when it has passed.
        """
        self.picture[pixels] = self._glancer.relit(glance, self.picture)[pixels]

    def renew(self, glance: np.ndarray, places: np.ndarray) -> None:
        """Remember all that is nearest to the (P,) bool ``places`` as it looks now."""
        self._renew_pixels(glance, self._glancer.nearest(places))

    def renew_rim(self, glance: np.ndarray) -> None:
        """Remember what is around the board: one that was pushed lies elsewhere on the table."""
        self._renew_pixels(glance, ~self._glancer.board)

    def notice(self, glance: np.ndarray, t: float) -> None:
        """Take down where anything has changed since it was last `watched`."""
        self._lying_since[self._changing(glance)] = t

    def watched(self, glance: np.ndarray, t: float, long: float) -> None:
        """Look out for changes since this glance from now on.

        What has lain around the board for ``long`` seconds is remembered: it covers nothing, but
        beside it a new star would look like a part of something larger.
        """
        self.notice(glance, t)
        self._earlier = glance
        self._renew_pixels(glance, (t - self._lying_since >= long) & ~self._glancer.board)

    def follow(
        self, glance: np.ndarray, t: float, seen: Difference, unread: np.ndarray, long: float
    ) -> None:
        """Take the whole of a glance that was just `watched`: so slow light is followed.

        Except where something lies over the board for less than ``long`` seconds or is passing, and
        except for the (P,) bool ``unread`` places: they stay as they were, in the new light.
        """
        passing = self._lying_since >= t
        passing |= seen.things & (t - self._lying_since < long)
        before = self.picture
        kept = self._glancer.relit(before, glance)
        self.picture = np.where(passing[..., None], kept, glance)
        self.keep(before, unread)

    def lying_for(self, thing: Thing, t: float) -> float:
        """For how many seconds nearly all of a thing has not changed."""
        return float(t - np.quantile(self._lying_since[thing.pixels], 0.9))

    def heal(self, glance: np.ndarray, things: Sequence[Thing]) -> list[Thing]:
        """Those of the ``things`` that look like the bare print, and so are none.

        Something that was remembered has gone; the board is remembered there instead.
        """
        if not things:
            return []
        to_print = self._glancer.differences(glance, self._glancer.print)
        to_memory = self._glancer.differences(glance, self.picture)
        healed = []
        for thing in things:
            bare = thing.pixels & self._glancer.bare
            if bare.any() and to_print[bare].mean() < _LIKE_PRINT * to_memory[bare].mean():
                self.keep_pixels(glance, thing.pixels)
                healed.append(thing)
        return healed

    def _renew_pixels(self, glance: np.ndarray, pixels: np.ndarray) -> None:
        self.picture[pixels] = glance[pixels]

    def _changing(self, glance: np.ndarray) -> np.ndarray:
        """(h, w) bool, the pixels at and beside whatever moved since the last `watched` glance."""
        blue, green, red = cv2.split(cv2.absdiff(glance, self._earlier))
        changed = (cv2.max(cv2.max(blue, green), red) > _CHANGING).astype(np.uint8)
        return cv2.dilate(changed, np.ones((5, 5))) > 0
