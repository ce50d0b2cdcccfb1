"""Region solids: how many pieces make up an area of one colour, and where each stands.

A thick piece is seen as its disc swept away from below the camera: the area of its colour is larger
than the disc, and its top is not where it stands. The height of a set's pieces is estimated over
the whole board: at the right height the fewest pieces explain the most.
"""

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
"""Heights in mm that are tried, and the step about the best of them."""
_HIGHER = 0.97
"""Largest unexplained share, relative to no height, for a height to be accepted."""
_PIECE, _DOUBT = 0.3, 0.08
"""Cost of one more piece, in discs that it must explain, and the difference in cost per factor e
of probability."""
_COVERED, _REST = 1.8, 5.0
"""Radii to a piece that may cover a part of another one, and the factor on the odds of this one, if
the rest of it cannot be a part of the first."""
_FEWER, _MORE = 0.75, (1.5, 1.2)
"""Range of counts tried, relative to the count by area."""
_SLIVER, _BRUSH = 0.05, 0.25
"""Smallest area of a part, in discs, and the narrowest, in radii."""
_SURE, _TOP, _SIDE, _WIDER = 0.9, 0.6, 0.65, 1.15
"""Probability of a certain piece, and the least share of its top in its colour. Another colour
of which this share is within this many radii of it is its dark sides."""
_STEPS = (0.24, 0.11)
"""Steps by which pieces are shifted to fit, in radii."""
_SHIFTS = 3
_SEEN = 0.5
"""Least shift of the view in px by a height; below, it is treated as flat."""
_MOST, _UNCOUNTED = 12, 0.5
"""Discs in one part from which it may be a hand or a shadow and is not counted, and the
probability of each piece that would fit."""
_POINTS = 20_000
"""Largest number of px used to place the centres of pieces."""
_REMAINDER, _EITHER = 0.12, 0.8
"""Largest probability of a piece that may be the side of one of another colour, and that of a piece
between two colours, where each of them may be the other's sides: it is of the one with more of its
top."""

_End = PixelPoint | np.ndarray
ParallaxShift = Callable[[np.ndarray, float], np.ndarray]
"""Apparent shift, in px, of a point that many mm above a point in px."""


@dataclass(frozen=True)
class Solid:
    """A piece: the index of its colour, its foot and the visible position of its top, in px."""

    colour: int
    foot: PixelPoint
    top: PixelPoint
    chance: float


@dataclass(frozen=True)
class _Fit:
    """Candidate pieces at (N, 2) px, and their cost: what they leave unexplained, in discs."""

    at: np.ndarray
    cost: float


def solids(
    colours: Sequence[np.ndarray],
    heights: Sequence[int],
    bare: np.ndarray,
    radius: float,
    parallax_shift: ParallaxShift,
    parts: np.ndarray | None = None,
) -> list[Solid]:
    """The pieces of a radius in px, from (H, W) masks of each colour.

    Colours with the same number in `heights` share a height. ``bare`` (H, W) is where the print is
    visible: no piece is there. ``parts`` (C, C) bool is whether each colour may be that of a part
    of a piece of another one; by default all may be.
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
    tops = [part.share_of_disc(solid) for part, solid in found]
    sure = {n for n, (_, solid) in enumerate(found) if solid.chance > _SURE and tops[n] > _TOP}

    def may_be_part(solid: Solid, other: Solid) -> bool:
        return parts is None or bool(parts[solid.colour, other.colour])

    def is_side(n: int, of: int) -> bool:
        (part, solid), (_, other) = found[n], found[of]
        differs = other.colour != solid.colour
        return differs and may_be_part(solid, other) and part.is_side(solid, other)

    def is_beneath(n: int, of: int) -> bool:
        (_, solid), (_, other) = found[n], found[of]
        return not may_be_part(solid, other) and math.dist(solid.top, other.top) < _COVERED * radius

    def is_either(n: int, other: int) -> bool:
        return n in sure and tops[n] > tops[other] and is_side(other, n)

    weighed = list[Solid]()
    for n, (_, solid) in enumerate(found):
        chance = solid.chance
        if others := [m for m in sure if is_side(n, m)]:
            most = _EITHER if all(is_either(n, m) for m in others) else _REMAINDER
            chance = min(chance, most)
        elif any(is_beneath(n, m) for m in sure):
            chance = _REST * chance / (_REST * chance + 1 - chance)
        weighed.append(replace(solid, chance=chance))
    return weighed


def _as_high(
    parts: "Sequence[tuple[int, _Part]]", parallax_shift: ParallaxShift
) -> "Iterator[tuple[_Part, Solid]]":
    """The pieces in parts of some colours, all of one height."""
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
    """Each piece of the best fit and one more, with probabilities by count."""
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
    """A connected area of one colour: (H, W) masks of a crop, and the crop's corner in px."""

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
        return np.asarray(self.points.mean(axis=0) + self.corner)

    def share_of_disc(self, solid: Solid) -> float:
        """The share of a piece's top that has the colour."""
        top = self._swept(solid.top, solid.top, self.radius)
        return float((self.own & top).sum() / max(1, top.sum()))

    def is_side(self, solid: Solid, other: Solid) -> bool:
        """Whether most of a piece's area in this colour is where another one is seen."""
        reach = math.dist(solid.foot, solid.top) + math.dist(other.foot, other.top)
        if math.dist(solid.top, other.top) > reach + (1 + _WIDER) * self.radius:
            return False
        its = self.own & self._swept(solid.foot, solid.top, self.radius)
        within = its & self._swept(other.foot, other.top, _WIDER * self.radius)
        return float(within.sum() / max(1, its.sum())) > _SIDE

    @property
    def is_crowded(self) -> bool:
        """Whether it is too large for its pieces to be counted."""
        return len(self.points) > _MOST * self.disc

    def room(self) -> np.ndarray:
        """(N, 2) px, the centres of as many pieces as have the area."""
        return self._among(round(len(self.points) / self.disc)) + self.corner

    def fits(self, shift: np.ndarray) -> list[_Fit]:
        """Fits for each plausible number of pieces."""
        area = self.disc + 2 * self.radius * float(np.linalg.norm(shift))
        full = len(self.points) / area
        fewest, most = int(full * _FEWER), int(full * _MORE[0] + _MORE[1])
        return [self._fit(count, shift) for count in range(fewest, most + 1)]

    def _fit(self, count: int, shift: np.ndarray) -> _Fit:
        at = self._among(count).copy()
        worth = self.bare.astype(np.int32) - self.own  # of a px covered by a piece
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
        """(count, 2) px, the centres of that many even shares (k-means)."""
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
        """(H, W) uint8, the visible area of a piece with its centre at that px of the crop."""
        middle = middle + self.corner
        return self._swept(middle - shift / 2, middle + shift / 2, self.radius)


def _parts(mask: np.ndarray, bare: np.ndarray, radius: float) -> Iterator[_Part]:
    """The areas of a colour, separated where no piece could connect them."""
    brush = disc_kernel(_BRUSH * radius) > 0
    own = mask
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):  # print on a piece is a part of it
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
