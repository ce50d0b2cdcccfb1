"""Region solids: how many pieces make up what has one colour, and where each of them stands.

A thick piece is seen as its disc swept away from below the camera, so what has its colour is larger
than the disc, and its top is not where it stands. How high the pieces of a kit are is told from all
of a board at once: with the right height the fewest pieces explain the most of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import cv2
import numpy as np

from vision.decode import LEAST
from vision.region_discs import PixelPoint, disc_kernel

_HEIGHTS, _FINER = (0.0, 4.0, 8.0, 12.0), 2.0
"""The heights that are tried, in mm, and by how much more and less about the best of them."""
_HIGHER = 0.97
"""Another height than none must leave so much less of a board unexplained."""
_PIECE, _DOUBT = 0.3, 0.08
"""What one more piece weighs, in discs that it must explain, and by how much counts differ that are
e times as likely as one another."""
_FEWER, _MORE = 0.75, (1.5, 1.2)
"""How many pieces are tried at least and at most, of as many as have the area."""
_SLIVER, _BRUSH = 0.05, 0.25
"""What is less of a disc, or narrower than this brush in radii, is no piece's."""
_SURE, _TOP, _SIDE, _WIDER = 0.9, 0.6, 0.65, 1.15
"""How likely a piece is that is surely there, and how much of its top has its colour then. What of
another colour is so much within so many radii of it are its sides, which are dark."""
_STEPS = (0.24, 0.11)
"""How far pieces are shifted to where they fit, in radii."""
_SHIFTS = 3
_SEEN = 0.5
"""So many px, at least, a height must shift what is seen, or it is as good as none."""
_MOST, _UNCOUNTED = 12, 0.5
"""More discs than these in one place may as well be a hand or a shadow: they are not counted, and
each piece that there would be room for is so likely."""
_POINTS = 20_000
"""So many px, at most, tell the middles of pieces."""
_REMAINDER = 0.12
"""How likely a piece is, at most, that may be the side of one of another colour."""

_End = PixelPoint | np.ndarray
ParallaxShift = Callable[[np.ndarray, float], np.ndarray]
"""How far, in px, what is so many mm above a point in px is seen from there."""


@dataclass(frozen=True)
class Solid:
    """A piece of the colour of that number: where it stands and its top is seen, in px."""

    colour: int
    foot: PixelPoint
    top: PixelPoint
    chance: float


@dataclass(frozen=True)
class _Fit:
    """Pieces that may be there, at (N, 2) px, and what they leave unexplained, in discs."""

    at: np.ndarray
    cost: float


def solids(
    colours: Sequence[np.ndarray],
    heights: Sequence[int],
    bare: np.ndarray,
    radius: float,
    parallax_shift: ParallaxShift,
) -> list[Solid]:
    """The pieces of a radius in px of each colour, of which (H, W) masks show what has it.

    Those whose colours have the same number among `heights` are as high as one another. ``bare``
    (H, W) is where the print is seen: no piece is there.
    """
    found: list[tuple[_Part, Solid]] = []
    for one in sorted({*heights}):
        found += _as_high(
            [
                (number, part)
                for number, mask in enumerate(colours)
                if heights[number] == one
                for part in _parts(mask, bare, radius)
            ],
            parallax_shift,
        )
    sure = [one for part, one in found if one.chance > _SURE and part.share_of_disc(one) > _TOP]
    return [
        replace(one, chance=min(one.chance, _REMAINDER))
        if any(other.colour != one.colour and part.is_side(one, other) for other in sure)
        else one
        for part, one in found
    ]


def _as_high(
    parts: Sequence[tuple[int, _Part]], parallax_shift: ParallaxShift
) -> Iterator[tuple[_Part, Solid]]:
    """The pieces of parts of some colours, all of one height."""
    for number, part in parts:
        if part.is_crowded:
            for at in part.room():
                yield part, Solid(number, _px(at), _px(at), _UNCOUNTED)
    counted = [one for one in parts if not one[1].is_crowded]
    flat = [part.fits(np.zeros(2)) for _, part in counted]
    found = {0.0: ([np.zeros(2)] * len(counted), flat)}

    def unexplained(height: float) -> float:
        if height not in found:
            shifts = [parallax_shift(part.middle, height) for _, part in counted]
            fits = [
                part.fits(shift) if np.linalg.norm(shift) >= _SEEN else as_flat
                for (_, part), shift, as_flat in zip(counted, shifts, flat, strict=True)
            ]
            found[height] = shifts, fits
        return sum(min(fit.cost for fit in own) for own in found[height][1])

    near = min(_HEIGHTS, key=unexplained)
    best = min((near, max(near - _FINER, 0.0), min(near + _FINER, _HEIGHTS[-1])), key=unexplained)
    height = best if unexplained(best) < _HIGHER * unexplained(0.0) else 0.0
    for (number, part), shift, fits in zip(counted, *found[height], strict=True):
        for solid in _likely(number, fits, shift):
            yield part, solid


def _likely(colour: int, fits: Sequence[_Fit], shift: np.ndarray) -> Iterator[Solid]:
    """Each piece of the best fit and one more, as likely as there are so many."""
    best = min(fits, key=lambda fit: fit.cost)
    weights = np.exp((best.cost - np.array([fit.cost for fit in fits])) / _DOUBT)
    weights /= weights.sum()
    counts = np.array([len(fit.at) for fit in fits])
    at = best.at
    more = [fit.at for fit in fits if len(fit.at) == len(at) + 1]
    if more and len(at):
        away = np.linalg.norm(more[0][:, None] - at, axis=2).min(axis=1)
        at = np.vstack([at, more[0][away.argmax()]])
    elif more:
        at = more[0]
    for number, middle in enumerate(at, start=1):
        chance = float(weights[counts >= number].sum())
        if chance >= LEAST:
            yield Solid(colour, _px(middle - shift / 2), _px(middle + shift / 2), chance)


def _px(at: np.ndarray) -> PixelPoint:
    return round(float(at[0])), round(float(at[1]))


@dataclass(frozen=True, eq=False)
class _Part:
    """What has one colour in one place: (H, W) masks of a crop whose corner is at that px."""

    own: np.ndarray
    bare: np.ndarray
    corner: tuple[int, int]
    radius: float

    @property
    def disc(self) -> float:
        """The area of a piece's top, in px."""
        return math.pi * self.radius**2

    @cached_property
    def points(self) -> np.ndarray:
        """(N, 2) float32 px in the crop."""
        ys, xs = np.nonzero(self.own)
        return np.column_stack([xs, ys]).astype(np.float32)

    @property
    def middle(self) -> np.ndarray:
        """(2,) px."""
        return np.asarray(self.points.mean(axis=0) + self.corner)

    def share_of_disc(self, solid: Solid) -> float:
        """How much of a piece's top has the colour."""
        top = self._swept(solid.top, solid.top, self.radius)
        return float((self.own & top).sum() / max(1, top.sum()))

    def is_side(self, solid: Solid, other: Solid) -> bool:
        """Whether what a piece has of the colour is mostly where another one is seen."""
        reach = math.dist(solid.foot, solid.top) + math.dist(other.foot, other.top)
        if math.dist(solid.top, other.top) > reach + (1 + _WIDER) * self.radius:
            return False
        its = self.own & self._swept(solid.foot, solid.top, self.radius)
        within = its & self._swept(other.foot, other.top, _WIDER * self.radius)
        return float(within.sum() / max(1, its.sum())) > _SIDE

    @property
    def is_crowded(self) -> bool:
        """Whether it is larger than pieces that can be counted."""
        return len(self.points) > _MOST * self.disc

    def room(self) -> np.ndarray:
        """(N, 2) px, the middles of as many pieces as have the area."""
        return self._among(round(len(self.points) / self.disc)) + self.corner

    def fits(self, shift: np.ndarray) -> list[_Fit]:
        """As many pieces as may be there, each with what it costs."""
        area = self.disc + 2 * self.radius * float(np.linalg.norm(shift))
        full = len(self.points) / area
        fewest, most = int(full * _FEWER), int(full * _MORE[0] + _MORE[1])
        return [self._fit(count, shift) for count in range(fewest, most + 1)]

    def _fit(self, count: int, shift: np.ndarray) -> _Fit:
        at = self._among(count).copy()
        worth = self.bare.astype(np.int32) - self.own  # of a px that is seen as a piece's
        discs = [self._disc(middle, shift) for middle in at]
        covered = np.sum(discs, axis=0, dtype=np.uint8) if discs else np.zeros_like(self.own)
        for step, one in product(_STEPS, range(count)):
            covered -= discs[one]
            alone = np.where(covered, 0, worth)
            least = alone[discs[one] > 0].sum()
            for _ in range(_SHIFTS):
                was = least
                for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    there = at[one] + np.array(way) * step * self.radius
                    disc = self._disc(there, shift)
                    if (left := alone[disc > 0].sum()) < least:
                        least, at[one], discs[one] = left, there, disc
                if least == was:
                    break
            covered += discs[one]
        cost = int(self.own.sum()) + int(worth[covered > 0].sum())
        return _Fit(at + self.corner, cost / self.disc + _PIECE * count)

    @cached_property
    def _grouped(self) -> dict[int, np.ndarray]:
        return {0: np.zeros((0, 2))}

    def _among(self, count: int) -> np.ndarray:
        """(count, 2) px, the middles of so many even shares."""
        if count not in self._grouped:
            cv2.setRNGSeed(1)
            until = cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.3
            points = self.points[:: 1 + len(self.points) // _POINTS]
            labels = np.zeros((len(points), 1), np.int32)
            tries = 1 if self.is_crowded else 3
            _, _, at = cv2.kmeans(points, count, labels, until, tries, cv2.KMEANS_PP_CENTERS)
            self._grouped[count] = np.asarray(at, float)
        return self._grouped[count]

    def _swept(self, start: _End, end: _End, radius: float) -> np.ndarray:
        swept = np.zeros(self.own.shape, np.uint8)
        ends = ((np.array([start, end], float) - self.corner) * 8).round().astype(int)
        first, last = ends.tolist()
        cv2.line(swept, first, last, 1, round(2 * radius), cv2.LINE_8, 3)
        return swept

    def _disc(self, middle: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """(H, W) uint8, where a piece is seen that has its middle there in the crop, in px."""
        middle = middle + self.corner
        return self._swept(middle - shift / 2, middle + shift / 2, self.radius)


def _parts(mask: np.ndarray, bare: np.ndarray, radius: float) -> Iterator[_Part]:
    """What has a colour, parted where no piece could join it."""
    brush = disc_kernel(_BRUSH * radius) > 0
    own = mask
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):  # what is printed on a piece is a part of it
        own = cv2.morphologyEx(own, way, brush.astype(np.uint8))
    joined = cv2.dilate(own, (disc_kernel(radius / 2) > 0).astype(np.uint8))
    number, labels, boxes, _ = cv2.connectedComponentsWithStats(joined)
    around = round(3 * radius)
    for label in range(1, number):
        x, y, width, height = boxes[label, :4].tolist()
        left, top = max(0, x - around), max(0, y - around)
        rows, columns = slice(top, y + height + around), slice(left, x + width + around)
        part = ((labels[rows, columns] == label) & (own[rows, columns] > 0)).astype(np.uint8)
        if part.sum() >= _SLIVER * math.pi * radius**2:
            print_ = bare[rows, columns] & ~part
            yield _Part(part, print_, (left, top), radius)
