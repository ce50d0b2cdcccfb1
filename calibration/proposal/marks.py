"""What spaces look like beside one another: those that stand out, and groups that are alike.

Nothing is known of how an edition marks its spaces. A few whose rims or surroundings differ from
most others' by far more than those differ among themselves stand out; a group is seen where each
of its spaces is filled most like another of its own.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats, Image

ANGLES = 64
RIM = np.arange(0.8, 1.5, 0.06)  # radii from a space's middle that its mark may lie at
FILL = np.array([0.55, 0.65, 0.75])  # radii between its symbol and its rim
WORST = 3  # of the rim's radii that differ the most are counted
FEWEST, MOST = 2, 0.35  # spaces that stand out; and the share of all that may
GAP = 1.4  # times as far from the usual as the farthest of those that do not stand out
CLEARLY = 1.1  # the same of spaces that are known to be marked
LEAST = 6.0  # levels of Lab


class SpaceLooks:
    """How spaces, at (S, 2) px and of one radius in px, look in a picture."""

    def __init__(self, picture: Image, at: Floats, radius: float) -> None:
        """`picture` is (H, W, 3) uint8 BGR, of a board as from straight above."""
        smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
        self._lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)
        self._at, self._radius = at, radius

    def standing_out(self) -> frozenset[int]:
        """The numbers of the spaces that are marked; none where that is not plain."""
        unlike = self._unlike
        order = np.argsort(-unlike)
        ranked = unlike[order]
        counts = np.arange(FEWEST, int(MOST * len(ranked)) + 1)
        gaps = ranked[counts - 1] / ranked[counts]
        best = int(gaps.argmax())
        if gaps[best] < GAP or ranked[counts[best] - 1] < LEAST:
            return frozenset()
        return frozenset(order[: counts[best]].tolist())

    def stand_out(self, marked: frozenset[int]) -> bool:
        """Whether just these spaces stand out, and no other does."""
        chosen = np.isin(np.arange(len(self._at)), list(marked))
        if not marked or chosen.all():
            return not marked
        least = float(self._unlike[chosen].min())
        return least > LEAST and least > CLEARLY * float(self._unlike[~chosen].max())

    @cached_property
    def _unlike(self) -> Floats:
        """(S,) levels of Lab that the rim and surroundings of each differ from the usual ones."""
        rims = self._rings(RIM)
        apart = np.linalg.norm(rims - np.median(rims, axis=0), axis=2)
        worst = np.sort(apart, axis=1)[:, -WORST:].mean(axis=1)
        return np.asarray(np.maximum(worst, 1e-6), float)

    def alike_in(self, groups: Iterable[Sequence[int]]) -> bool:
        """Whether each space of the groups is filled most like another one of its group."""
        fill = np.median(self._rings(FILL), axis=1)
        group = np.full(len(fill), -1)
        for number, members in enumerate(groups):
            group[list(members)] = number
        grouped = group >= 0
        apart = np.linalg.norm(fill[:, None] - fill, axis=2)
        apart[np.eye(len(fill), dtype=bool) | ~grouped] = np.inf
        return bool((group[apart.argmin(axis=1)] == group)[grouped].all())

    def _rings(self, radii: Floats) -> Floats:
        """(S, R, 3), the usual colour of each space at each of (R,) of its radii."""
        turns = np.arange(ANGLES) * 2 * np.pi / ANGLES
        ray = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        spots = self._at[:, None, None] + self._radius * radii[:, None, None] * ray
        flat = spots.reshape(len(self._at), -1, 2).astype(np.float32)
        x, y = (np.ascontiguousarray(flat[..., i]) for i in (0, 1))
        seen = cv2.remap(self._lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(np.median(seen.reshape(len(flat), len(radii), ANGLES, 3), axis=2), float)
