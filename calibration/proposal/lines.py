"""Evidence of printed lines between places: how much of a way is lined, and with gaps or without.

A way is looked at across: where something narrow runs along it that differs from what lies on
both sides in one and the same manner, it is lined.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image

SAMPLES = 48  # along a way
SHIFTS = np.arange(-4.0, 4.5, 1.0)  # px beside the way that the line may run
BESIDE = (5.5, 8.0)  # px from the line's middle that is certainly not line
CLEAR = 0.3  # radii beside a circle's rim that are not looked at, at most
ON = 0.4  # of the line's own contrast that still is line
ORNAMENT_PX, MOST_TRIMMED = 10.0, 0.3  # of a way's ends; ornaments of a rim reach so far
SHORT_PX = 9.0  # a way between circles that all but touch
FINE_PX, LONG_PX = 60.0, 90.0  # a way with room for few dashes, a long one
LEAST = 3.0  # levels of contrast, of Lab, that can be a line


@dataclass(frozen=True, eq=False)
class LineMeasures:
    """How ways are lined, an entry a way, each (N,).

    `length` is the ways' in px; `contrast` is the line's, in times the noise about it;
    `solid_share` the share of the way that is line, `dash_share` the same by what its darkest or
    brightest parts are; `gaps` how often the line stops and goes on.
    """

    length: Floats
    contrast: Floats
    solid_share: Floats
    dash_share: Floats
    gaps: Floats

    @property
    def solid(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line without gaps."""
        share = self.solid_share
        clear = rise(self.contrast, 0.8, 2.2) * rise(share, 0.72, 0.9)
        # Hardly anything else runs from rim to rim where two circles all but touch,
        short = rise(self.contrast, 0.2, 0.5) * rise(share, 0.72, 0.9)
        # nor is chance as even over a long way.
        long_ = rise(self.contrast, 0.2, 0.6) * rise(share, 0.88, 0.96)
        return np.select(
            [self.length < SHORT_PX, self.length > LONG_PX],
            [np.maximum(clear, short), np.maximum(clear, long_)],
            clear,
        )

    @property
    def dashed(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line of dashes."""
        return self._dashed(1.4, 3.0)

    @property
    def dashed_like_others(self) -> Floats:
        """The same where it is known that other such lines are dashed: less will do."""
        # In a short one the gaps may be too fine to be seen.
        fine = np.where(self.length < FINE_PX, 0.6 * self.solid, 0.0)
        return np.maximum(self._dashed(0.9, 2.2), fine)

    def _dashed(self, faint: float, clear: float) -> Floats:
        parts = rise(self.dash_share, 0.25, 0.4) * rise(1 - self.dash_share, 0.03, 0.1)
        return rise(self.contrast, faint, clear) * parts * rise(self.gaps, 1.0, 3.0)


def rise(value: Floats, low: float, high: float) -> Floats:
    """0 up to `low`, 1 from `high` on, linear in between."""
    return np.asarray(np.clip((value - low) / (high - low), 0, 1), float)


class Lines:
    """A picture that is searched for lines."""

    def __init__(self, picture: Image) -> None:
        """`picture` is (H, W, 3) uint8 BGR, of a board as from straight above."""
        smooth = cv2.GaussianBlur(picture, (0, 0), 0.8)
        self.lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)

    def along(self, ways: Floats) -> LineMeasures:
        """How ways (N, SAMPLES, 2) px are lined."""
        if not len(ways):
            return LineMeasures(*np.empty((5, 0)))
        centre, left, right = self.across(ways)
        apart, uneven = centre - (left + right) / 2, left - right
        return _measured_lines(
            apart, uneven, np.linalg.norm(np.diff(ways, axis=1), axis=2).sum(axis=1)
        )

    def across(self, ways: Floats) -> tuple[Floats, Floats, Floats]:
        """The colours, Lab, on ways (N, SAMPLES, 2) px and on their left and right.

        Each is (shifts, N, SAMPLES, 3): the line may run a little beside the way.
        """
        step = np.gradient(ways, axis=1)
        step /= np.linalg.norm(step, axis=2, keepdims=True) + 1e-9
        outward = np.stack([-step[..., 1], step[..., 0]], axis=2)
        reach = BESIDE[1] + SHIFTS[-1]
        offsets = np.arange(-reach, reach + 0.1, 0.5)
        spots = ways[:, :, None, :] + offsets[:, None] * outward[:, :, None, :]
        flat = spots.reshape(len(ways), -1, 2).astype(np.float32)
        seen = cv2.remap(
            self.lab,
            flat[..., 0].copy(),
            flat[..., 1].copy(),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ).reshape(len(ways), SAMPLES, len(offsets), 3)
        found = np.empty((3, len(SHIFTS), len(ways), SAMPLES, 3))
        for i, shift in enumerate(SHIFTS):
            off = offsets - shift
            beside = (np.abs(off) >= BESIDE[0]) & (np.abs(off) <= BESIDE[1])
            for part, chosen in enumerate(
                (np.abs(off) <= 0.6, beside & (off < 0), beside & (off > 0))
            ):
                found[part, i] = seen[:, :, chosen].mean(axis=2)
        return found[0], found[1], found[2]


def _measured_lines(apart: Floats, uneven: Floats, length: Floats) -> LineMeasures:
    """How ways are lined that differ from their sides by `apart`, the sides by `uneven`.

    Both are (shifts, N, SAMPLES, 3) in Lab; `length` is the ways' in px, (N,).
    """
    # The line's own colour against its ground: the direction in which it differs the most.
    scatter = np.einsum("knsi,knsj->knij", apart, apart)
    colour = np.linalg.eigh(scatter)[1][..., -1]
    along = np.einsum("knsi,kni->kns", apart, colour)
    along *= np.sign(np.where(np.abs(along) > LEAST, along, 0).sum(axis=2) + 1e-9)[..., None]
    level = np.percentile(along, 75, axis=2)
    on = along > np.maximum(ON * level, LEAST)[..., None]
    chosen = (level * np.maximum(on.mean(axis=2), 0.3)).argmax(axis=0)
    ways = np.arange(along.shape[1])
    colour = colour[chosen, ways]
    sides = np.abs(np.einsum("nsi,ni->ns", uneven[chosen, ways], colour))
    inner = sides[:, SAMPLES // 3 : -(SAMPLES // 3)]
    noise = np.minimum(np.median(sides, axis=1), np.median(inner, axis=1)) + 1.0
    # A line that is a little bent leaves the way by a pixel here and there.
    sign = np.sign(
        (np.einsum("nsi,ni->ns", apart[chosen, ways], colour) * along[chosen, ways]).sum(1)
    )
    beside = np.clip(chosen[None] + np.array([-1, 0, 1])[:, None], 0, len(apart) - 1)
    line = (np.einsum("knsi,ni->kns", apart[beside, ways], colour) * sign[:, None]).max(axis=0)
    usual, best = np.median(line, axis=1), np.percentile(line, 75, axis=1)
    solid = line > np.maximum(ON * usual, LEAST)[:, None]
    parts = line > np.maximum(ON * best, LEAST)[:, None]
    changes = (parts[:, 1:] != parts[:, :-1]).sum(axis=1) / 2
    return LineMeasures(
        length=length,
        contrast=np.maximum(usual, 0.7 * best) / noise,
        solid_share=_trimmed(solid, length),
        dash_share=parts.mean(axis=1),
        gaps=np.asarray(changes, float),
    )


def _trimmed(on: npt.NDArray[np.bool_], length: Floats) -> Floats:
    """(N,) the share of each way that is on, without ends that ornaments of a rim may cover."""
    most = np.minimum(ORNAMENT_PX / np.maximum(length, 1e-9), MOST_TRIMMED)
    total = np.concatenate([np.zeros((len(on), 1)), np.cumsum(on, axis=1)], axis=1)
    ways = np.arange(len(on))
    shares = []
    for first in (0.0, 0.5, 1.0):
        for last in (0.0, 0.5, 1.0):
            begin = np.rint(first * most * SAMPLES).astype(int)
            end = SAMPLES - np.rint(last * most * SAMPLES).astype(int)
            shares.append((total[ways, end] - total[ways, begin]) / (end - begin))
    return np.asarray(np.max(shares, axis=0), float)


def straight(
    start: Floats, end: Floats, radius: float | Floats, other: Floats | None = None
) -> Floats:
    """Ways (N, SAMPLES, 2) between circles about (N, 2) and (N, 2) px.

    `radius` is theirs, one for all or (N,) that of the first, where `other` (N,) is the second's.
    """
    length = np.linalg.norm(end - start, axis=1)
    part = np.linspace(0, 1, SAMPLES)[None, :, None]
    first = _rim(length, radius)[:, None, None]
    last = first if other is None else _rim(length, other)[:, None, None]
    part = first + part * (1 - first - last)
    ways: Floats = start[:, None] + part * (end - start)[:, None]
    return ways


def _rim(length: Floats, radius: float | Floats) -> Floats:
    """(N,) the share of ways between two middles that lies on or right beside a circle."""
    gap = np.maximum(length - 2 * radius, 0)
    clear = radius + np.minimum(0.35 * gap, CLEAR * radius)
    return np.asarray(np.minimum(clear / np.maximum(length, 1e-9), 0.45), float)


def arcs(
    start: Floats, end: Floats, hub: Floats, radius: float, reach: Floats | None = None
) -> Floats:
    """Arcs (N, SAMPLES, 2) around `hub` (2,) px between circles, the shorter way round.

    `reach` (N,) is each arc's distance from the hub; by default it goes from that of its start to
    that of its end.
    """
    one, other = start - hub, end - hub
    near, far = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    angle = np.arctan2(one[:, 1], one[:, 0])
    turn = np.arctan2(other[:, 1], other[:, 0]) - angle
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    share = _rim(np.abs(turn) * (near + far) / 2, radius)[:, None]
    part = share + np.linspace(0, 1, SAMPLES)[None] * (1 - 2 * share)
    away = near[:, None] + part * (far - near)[:, None] if reach is None else reach[:, None]
    at = angle[:, None] + part * turn[:, None]
    ways: Floats = hub + away[..., None] * np.stack([np.cos(at), np.sin(at)], axis=2)
    return ways
