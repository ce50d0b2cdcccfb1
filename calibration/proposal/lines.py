"""Evidence of printed lines between places: how much of a way is lined, and with gaps or without.

A way is looked at across: where something narrow runs along it that differs from what lies on
both sides in one and the same manner, it is lined.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

SAMPLES = 48  # along a way
SHIFTS = np.arange(-4.0, 4.5, 1.0)  # px beside the way that the line may run
BESIDE = (5.5, 8.0)  # px from the line's middle that is certainly not line
CLEAR = 0.3  # radii beside a circle's rim that are not looked at, at most
ON = 0.4  # of the line's own contrast that still is line
LEAST = 3.0  # levels of contrast, of Lab, that can be a line


@dataclass(frozen=True, eq=False)
class Lining:
    """How ways are lined, an entry a way, each (N,).

    `contrast` is the line's, in times the noise about it; `covered` the share of the way that is
    line; `gaps` how often it stops and goes on.
    """

    contrast: Floats
    covered: Floats
    gaps: Floats

    @property
    def solid(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line without gaps."""
        return _rise(self.contrast, 2.0, 5.0) * _rise(self.covered, 0.72, 0.9)

    @property
    def dashed(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line of dashes."""
        parts = _rise(self.covered, 0.25, 0.4) * _rise(1 - self.covered, 0.12, 0.25)
        return _rise(self.contrast, 2.0, 5.0) * parts * _rise(self.gaps, 1.0, 3.0)

    @property
    def any(self) -> Floats:
        """(N,) 0 to 1, how surely there is a line of either sort."""
        return np.maximum(self.solid, self.dashed)


def _rise(value: Floats, low: float, high: float) -> Floats:
    return np.asarray(np.clip((value - low) / (high - low), 0, 1), float)


class Lines:
    """A picture in which to look for lines."""

    def __init__(self, picture: Image) -> None:
        """`picture` is (H, W, 3) uint8 BGR, of a board as from straight above."""
        smooth = cv2.GaussianBlur(picture, (0, 0), 0.8)
        self.lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB).astype(np.float32)

    def along(self, ways: Floats) -> Lining:
        """How ways (N, SAMPLES, 2) px are lined."""
        if not len(ways):
            return Lining(np.empty(0), np.empty(0), np.empty(0))
        step = np.gradient(ways, axis=1)
        step /= np.linalg.norm(step, axis=2, keepdims=True) + 1e-9
        beside = np.stack([-step[..., 1], step[..., 0]], axis=2)
        reach = BESIDE[1] + SHIFTS[-1]
        offsets = np.arange(-reach, reach + 0.1, 0.5)
        spots = ways[:, :, None, :] + offsets[:, None] * beside[:, :, None, :]
        flat = spots.reshape(len(ways), -1, 2).astype(np.float32)
        seen = cv2.remap(
            self.lab,
            flat[..., 0].copy(),
            flat[..., 1].copy(),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ).reshape(len(ways), SAMPLES, len(offsets), 3)
        best: list[tuple[Floats, Floats, Floats]] = []
        for shift in SHIFTS:
            off = np.abs(offsets - shift)
            line = seen[:, :, off <= 0.6].mean(axis=2)
            left = seen[:, :, (off >= BESIDE[0]) & (off <= BESIDE[1]) & (offsets < shift)]
            right = seen[:, :, (off >= BESIDE[0]) & (off <= BESIDE[1]) & (offsets > shift)]
            best.append(_judged(line, left.mean(axis=2), right.mean(axis=2)))
        score = np.array([contrast * np.maximum(covered, 0.3) for contrast, covered, _ in best])
        chosen = score.argmax(axis=0)
        parts = np.array(best)[chosen, :, np.arange(len(ways))]  # (N, 3)
        return Lining(*parts.T)


def _judged(
    line: npt.NDArray[np.float32], left: npt.NDArray[np.float32], right: npt.NDArray[np.float32]
) -> tuple[Floats, Floats, Floats]:
    """Contrast, cover and gaps of lines (N, S, 3) between their two sides, each (N, S, 3)."""
    apart = line - (left + right) / 2
    # The line's own colour against its ground: the direction in which it differs the most.
    scatter = np.einsum("nsi,nsj->nij", apart, apart)
    way = np.linalg.eigh(scatter)[1][..., -1]
    along = np.einsum("nsi,ni->ns", apart, way)
    along *= np.sign(np.where(np.abs(along) > LEAST, along, 0).sum(axis=1) + 1e-9)[:, None]
    uneven = np.abs(np.einsum("nsi,ni->ns", left - right, way))
    level = np.percentile(along, 75, axis=1)
    noise = np.median(uneven, axis=1) + 1.0
    on = along > np.maximum(ON * level, LEAST)[:, None]
    # A way on which one side differs from the other as much as the line from both is an edge.
    changes = (on[:, 1:] != on[:, :-1]).sum(axis=1) / 2
    return level / noise, on.mean(axis=1), np.asarray(changes, float)


def straight(start: Floats, end: Floats, radius: float) -> Floats:
    """Ways (N, SAMPLES, 2) between circles of one radius about (N, 2) and (N, 2) px."""
    length = np.linalg.norm(end - start, axis=1)
    part = np.linspace(0, 1, SAMPLES)[None, :, None]
    share = _rim(length, radius)[:, None, None]
    part = share + part * (1 - 2 * share)
    ways: Floats = start[:, None] + part * (end - start)[:, None]
    return ways


def _rim(length: Floats, radius: float) -> Floats:
    """(N,) the share of ways between two middles that lies on or right beside a circle."""
    gap = np.maximum(length - 2 * radius, 0)
    clear = radius + np.minimum(0.35 * gap, CLEAR * radius)
    return np.asarray(np.minimum(clear / np.maximum(length, 1e-9), 0.45), float)


def arcs(start: Floats, end: Floats, hub: Floats, radius: float) -> Floats:
    """The same round a hub (2,) px, the shorter way round."""
    one, other = start - hub, end - hub
    near, far = np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)
    angle = np.arctan2(one[:, 1], one[:, 0])
    turn = np.arctan2(other[:, 1], other[:, 0]) - angle
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    share = _rim(np.abs(turn) * (near + far) / 2, radius)[:, None]
    part = share + np.linspace(0, 1, SAMPLES)[None] * (1 - 2 * share)
    reach = near[:, None] + part * (far - near)[:, None]
    at = angle[:, None] + part * turn[:, None]
    ways: Floats = hub + reach[..., None] * np.stack([np.cos(at), np.sin(at)], axis=2)
    return ways
