"""The ink of a board's links, estimated from clear ones and recognised on the others.

Where glare or a shadow makes a line faint, its own contrast says little; how close it is to that
ink's contrast here says more. Other print along a way is not mistaken for a link: its ink differs.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.proposal.lines import FINE_PX, SAMPLES, Lines, rise

LEAST_PX = 12.0  # a way that is long enough for its ink to be seen
LEAST_WAYS = 4  # from which the ink is learnt
TRIMMED = 5  # samples at each end of a way, where ornaments of a rim may lie
EVERY = 3  # samples, one is kept
AROUND = 3.0  # radii within which the light is much the same
NOISE = 3.0  # levels of Lab
PLAINEST = 30.0  # levels from its ground from which ink is not plainer any more
HALF = 0.5  # of the way from the ground to the ink: what is farther is inked
SMOOTH = 5.0  # samples over which a line's own shade changes; faster is a wave
WAVY = (0.08, 0.13)  # of the ink's contrast that fine gaps make it wave, faintly and clearly


@dataclass(frozen=True, eq=False)
class Inking:
    """How ways are inked, an entry a way, each (N,).

    `length` is the ways' in px; `likeness` how far they are from their ground to the ink, 0 to 1
    and a little over; `share` is the part of the way that is inked, `gaps` how often it stops.
    `wave` is how much its shade goes up and down, as a share of the ink's contrast, `waves` how
    often: gaps too fine to be seen each are seen so.
    """

    length: Floats
    likeness: Floats
    share: Floats
    gaps: Floats
    wave: Floats
    waves: Floats

    @property
    def judged(self) -> npt.NDArray[np.bool_]:
        """(N,) whether a way is long enough."""
        return np.asarray(self.length > LEAST_PX)

    @property
    def wavy(self) -> Floats:
        """(N,) 0 to 1, how surely a line has gaps, as fine as may be."""
        return rise(self.likeness, 0.45, 0.6) * rise(self.wave, *WAVY) * rise(self.waves, 1.0, 1.5)

    @property
    def solid(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line without gaps."""
        return rise(self.likeness, 0.5, 0.8) * rise(self.share, 0.7, 0.9)

    @property
    def dashed(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line of dashes."""
        gaps = rise(1 - self.share, 0.02, 0.1) * rise(self.gaps, 0.5, 2.0)
        # In a short one the gaps may be too fine to be seen.
        fine = np.where(self.length < FINE_PX, 0.6 * self.solid, 0.0)
        return np.maximum(np.maximum(rise(self.likeness, 0.3, 0.45) * gaps, fine), self.wavy)


@dataclass(frozen=True, eq=False)
class Ink:
    """An ink's local appearance: colours (P, 3), Lab, at places (P, 2) px."""

    lines: Lines
    at: Floats
    colours: Floats
    around: float

    @classmethod
    def of(cls, lines: Lines, ways: Floats, radius: float) -> "Ink | None":
        """The ink of ways (N, SAMPLES, 2) px that are certain lines; None if there are too few."""
        length = np.linalg.norm(np.diff(ways, axis=1), axis=2).sum(axis=1)
        ways = ways[length > LEAST_PX]
        if len(ways) < LEAST_WAYS:
            return None
        centre, left, right = lines.across(ways)
        plain = np.linalg.norm(centre - (left + right) / 2, axis=3).mean(axis=2).argmax(axis=0)
        kept = slice(TRIMMED, -TRIMMED, EVERY)
        colours = centre[plain, np.arange(len(ways))][:, kept].reshape(-1, 3)
        return cls(lines, ways[:, kept].reshape(-1, 2), colours, AROUND * radius)

    def along(self, ways: Floats) -> Inking:
        """How ways (N, SAMPLES, 2) px are inked."""
        length = np.linalg.norm(np.diff(ways, axis=1), axis=2).sum(axis=1)
        if not len(ways):
            return Inking(*np.empty((6, 0)))
        centre, left, right = (side[:, :, TRIMMED:-TRIMMED] for side in self.lines.across(ways))
        ground = (left + right) / 2
        ink = self._expected(ways)[:, TRIMMED:-TRIMMED] - ground  # (shifts, N, S, 3)
        plain = (ink**2).sum(axis=3)
        likeness = ((centre - ground) * ink).sum(axis=3) / (plain + NOISE**2)
        weight = np.minimum(plain, PLAINEST**2) + 1e-9
        total = (np.clip(likeness, -0.5, 1.2) * weight).sum(axis=2) / weight.sum(axis=2)
        best, number = total.argmax(axis=0), np.arange(len(ways))
        inked, weight = likeness[best, number] > HALF, weight[best, number]
        wave, waves = _waves(centre[best, number], ink[best, number])
        return Inking(
            length=length,
            likeness=total[best, number],
            share=(inked * weight).sum(axis=1) / weight.sum(axis=1),
            gaps=(inked[:, 1:] != inked[:, :-1]).sum(axis=1) / 2,
            wave=wave,
            waves=waves,
        )

    def _expected(self, ways: Floats) -> Floats:
        """(N, SAMPLES, 3), the expected colour of the ink on ways, from its colours nearby."""
        middles = ways[:, EVERY // 2 :: EVERY]
        apart = np.linalg.norm(middles[:, :, None] - self.at, axis=3)
        weight = np.exp(-((apart / self.around) ** 2) / 2) + 1e-4
        there = weight @ self.colours / weight.sum(axis=2, keepdims=True)
        return np.asarray(np.repeat(there, EVERY, axis=1)[:, :SAMPLES], float)


def _waves(shade: Floats, ink: Floats) -> tuple[Floats, Floats]:
    """How much ways (N, S, 3) wave, (N,) as a share of the ink's contrast (N, S, 3); how often."""
    across = ink.mean(axis=1, keepdims=True)
    across /= np.linalg.norm(across, axis=2, keepdims=True) + 1e-9
    along = (shade * across).sum(axis=2)
    fast = along - cv2.GaussianBlur(along, (0, 0), sigmaX=SMOOTH, sigmaY=1e-6)
    swing = np.sqrt(np.maximum(fast.var(axis=1) - NOISE**2, 0))
    contrast = np.linalg.norm(ink, axis=2).mean(axis=1)
    turns = ((fast[:, 1:] > 0) != (fast[:, :-1] > 0)).sum(axis=1)
    return swing / np.maximum(contrast, 2 * NOISE), turns / 2
