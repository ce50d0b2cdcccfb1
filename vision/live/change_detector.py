"""Change detection: the board as a rectified thumbnail, cheap enough for every frame.

A place is compared in the light of its surroundings: lamps, exposure and soft shadows scale a whole
neighbourhood alike, so the gain of the neighbourhood is removed first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from calibration import PX_PER_MM as PRINT_PX_PER_MM
from calibration import Profile
from scorer.places import Bar, Circle, Place, Point, Shape, inside
from vision.dial import Dial
from vision.rectify import nearest, warp

PX_PER_MM = 0.8
MARGIN_MM = 4.0
_CELL_MM = 20.0
_DARK = 8.0
"""Added to all levels so that near black the gain is about 1."""
DIFFERENT = 20.0
"""Levels (of 255) by which a pixel differs where something new is."""
_STARS = 4.5
"""An island of change as large as this many stars is no star: three may be placed at once."""
_PIECES = 3.0
"""The same for the game's largest pieces, which may be larger than places."""
_ASKEW = 3.0
"""px by which a turned dial may be off, and its edge blurred."""
_APART = 1.6
"""Radii between the parts of a region, so that no piece in between goes unseen."""
_AT_RIM, _GAP = 1 / 3, 1.3
"""Radii between the rim of a region and the outermost pieces that belong to it, and the most
between the middle of such a piece and the nearest part."""
COVERED = 0.12
"""Share of a place under an arm from which it counts as covered."""


@dataclass(frozen=True, eq=False)
class Difference:
    """The difference of two thumbnails: (P,) levels of the places, and which are (P,) covered."""

    places: np.ndarray
    covered: np.ndarray
    share: float
    """The share of the board under arms and other occluders."""
    occluders: np.ndarray
    """(h, w) bool, the pixels at and next to occluders, and anything that reaches over the edge."""


@dataclass(frozen=True, eq=False)
class Occluder:
    """Something large over the board: its (h, w) bool pixels, and the (P,) bool places under it."""

    pixels: np.ndarray
    places: np.ndarray


def mean_levels(rows: np.ndarray) -> np.ndarray:
    """(P,) float32, the means of (P, M) levels; OpenCV is several times faster than NumPy."""
    return cv2.reduce(rows, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()


class ChangeDetector:
    """Takes and compares thumbnails of one profile's board."""

    def __init__(self, profile: Profile) -> None:
        width, height = profile.size_mm
        self.size = (
            round((width + 2 * MARGIN_MM) * PX_PER_MM),
            round((height + 2 * MARGIN_MM) * PX_PER_MM),
        )
        shift = MARGIN_MM * PX_PER_MM
        self._to_thumbnail = np.array([[PX_PER_MM, 0, shift], [0, PX_PER_MM, shift], [0, 0, 1.0]])
        self._radius = radius = _radius(profile)
        parts = [*enumerate(profile.places.items())]
        split = [
            (row, own) for row, (place, shape) in parts for own in _parts(place, shape, radius)
        ]
        self._owner = np.array([row for row, _ in split])
        """(Q,) the place of each part: a region has several, any other place one."""
        self._firsts = np.flatnonzero(np.diff(self._owner, prepend=-1))
        self._shapes = tuple(shape for _, shape in split)
        self._centres = np.array([shape.at for shape in self._shapes]) * PX_PER_MM + shift
        self._turned = self._lay_ring(Dial.of(profile))
        self._discs = self._lay_discs(1.05)
        self._around = self._lay_discs(1.4)
        self.print = self._blurred(
            warp(
                profile.require_reference(),
                self._to_thumbnail @ np.diag([1 / PRINT_PX_PER_MM, 1 / PRINT_PX_PER_MM, 1.0]),
                self.size,
            )
        )
        self._star_px = np.pi * (0.9 * radius * PX_PER_MM) ** 2
        widest = max((piece.diameter_mm or 0.0 for piece in profile.game.pieces), default=0.0)
        largest_px = np.pi * (widest / 2 * PX_PER_MM) ** 2
        self._large_px = max(_STARS * self._star_px, _PIECES * largest_px)
        self._cells = (round(width / _CELL_MM), round(height / _CELL_MM))

    def rectify(self, image: np.ndarray, pose: np.ndarray) -> np.ndarray:
        """(h, w, 3) uint8, the board of an (H, W, 3) frame from straight above."""
        return self._blurred(warp(image, self._to_thumbnail @ np.linalg.inv(pose), self.size))

    def inside(self, shape: tuple[int, ...], pose: np.ndarray) -> np.ndarray:
        """(P,) bool: the places whose disc is inside a picture of that (height, width)."""
        to_image = pose @ np.linalg.inv(self._to_thumbnail)
        ys, xs = np.divmod(self._discs, self.size[0])
        points = np.stack([xs, ys, np.ones_like(xs)], axis=-1) @ to_image.T
        seen = points[..., :2] / points[..., 2:]
        height, width = shape[:2]
        return self._all(((seen > 0) & (seen < (width, height))).all(axis=(1, 2)))

    def most(self, parts: np.ndarray) -> np.ndarray:
        """(P,) the maximum, or any, of each place's parts' (Q,) values."""
        return np.asarray(np.maximum.reduceat(parts, self._firsts))

    def _all(self, parts: np.ndarray) -> np.ndarray:
        """(P,) bool, true where it is for all parts of the place."""
        return np.asarray(np.logical_and.reduceat(parts, self._firsts))

    def parts(self, places: np.ndarray) -> np.ndarray:
        """(Q,) bool, the parts of (P,) bool places."""
        return np.asarray(places[self._owner])

    def patches(self, thumbnail: np.ndarray) -> np.ndarray:
        """(Q, 3 M) uint8, the pixels of every part."""
        return np.asarray(thumbnail.reshape(-1, 3)[self._discs].reshape(len(self._discs), -1))

    def compare(self, now: np.ndarray, before: np.ndarray) -> Difference:
        """The difference of ``now`` from ``before``, (h, w, 3) uint8 each, apart from light."""
        levels = self.differences(now, before)
        different = levels > DIFFERENT
        large, occluders = self._occluders(different)
        per_place = self.most(mean_levels(levels.ravel()[self._discs]))
        covered = self.most(large.ravel()[self._discs].mean(axis=1)) > COVERED
        return Difference(per_place, covered, float(large.mean()), occluders)

    def differences(self, now: np.ndarray, before: np.ndarray) -> np.ndarray:
        """(h, w) float32 levels, the maximum over the channels, apart from light."""
        a, b = self._above_dark(now, before)
        gain = self._gain(a, b)
        level = np.maximum(gain.mean(axis=2), 0.5)
        gain, level = cv2.resize(gain, self.size), cv2.resize(level, self.size)
        blue, green, red = cv2.split(cv2.absdiff(a, cv2.multiply(b, gain)))
        return cv2.divide(cv2.max(cv2.max(blue, green), red), level)

    def occluders(self, seen: Difference) -> list[Occluder]:
        """The individual occluders that cover any place."""
        count, islands = cv2.connectedComponents(seen.occluders.astype(np.uint8))
        under = islands.ravel()[self._discs]
        found = []
        for number in range(1, count):
            places = seen.covered & self.most((under == number).any(axis=1))
            if places.any():
                found.append(Occluder(islands == number, places))
        return found

    def around(self, places: np.ndarray) -> np.ndarray:
        """(h, w) bool, the pixels of the (P,) bool ``places``, and a little around them."""
        pixels = np.zeros(self.size[::-1], bool)
        pixels.ravel()[self._around[self.parts(places)].ravel()] = True
        return pixels

    def nearest(self, places: np.ndarray) -> np.ndarray:
        """(h, w) bool, the pixels that are nearest to one of the (P,) bool ``places``."""
        return np.asarray(places[self._nearest])

    def relit(self, picture: np.ndarray, like: np.ndarray) -> np.ndarray:
        """(h, w, 3) uint8, one thumbnail in the light of another."""
        a, b = self._above_dark(picture, like)
        lit = cv2.divide(a, cv2.resize(self._gain(a, b), self.size)) - _DARK
        return np.asarray(np.clip(lit, 0, 255).round().astype(np.uint8))

    def drift(self, now: np.ndarray, before: np.ndarray) -> float:
        """Estimated movement of the board in mm, by phase correlation of its quarters.

        ``now`` and ``before`` are thumbnails, (h, w, 3) uint8. Two quarters have to agree; a
        quarter under an arm is ignored.
        """
        grey = [cv2.cvtColor(g, cv2.COLOR_BGR2GRAY).astype(np.float32) for g in (before, now)]
        width, height = (side // 2 for side in self.size)
        shifts = []
        for x, y in ((0, 0), (width, 0), (0, height), (width, height)):
            tiles = [g[y : y + height, x : x + width] for g in grey]
            (x_off, y_off), response = cv2.phaseCorrelate(tiles[0], tiles[1], self._window)
            if response > 0.2:
                shifts.append(math.hypot(x_off, y_off) / PX_PER_MM)
        return sorted(shifts)[-2] if len(shifts) > 1 else 0.0

    @cached_property
    def board(self) -> np.ndarray:
        """(h, w) bool, the board without a narrow strip along the edge, where no place is."""
        inside = np.zeros((self.size[1], self.size[0]), bool)
        rim = round((MARGIN_MM + 2) * PX_PER_MM)
        inside[rim:-rim, rim:-rim] = True
        return inside

    @cached_property
    def bare(self) -> np.ndarray:
        """(h, w) bool, the board without the places, which may hold stars, and without a dial."""
        bare: np.ndarray = self.board & ~self._turned
        bare.ravel()[self._discs.ravel()] = False
        return bare

    @cached_property
    def _nearest(self) -> np.ndarray:
        """(h, w) int, the place nearest to each pixel."""
        return np.asarray(self._owner[nearest(self._centres, (self.size[1], self.size[0]))])

    @cached_property
    def _window(self) -> np.ndarray:
        return cv2.createHanningWindow((self.size[0] // 2, self.size[1] // 2), cv2.CV_32F)

    def _blurred(self, small: np.ndarray) -> np.ndarray:
        return cv2.GaussianBlur(small, (3, 3), 0)

    def _lay_discs(self, share: float) -> np.ndarray:
        """(Q, M) flat indices of the pixels within a ``share`` of each part's radius.

        On an oblong place they are squeezed to its width.
        """
        radius = share * self._radius
        reach = int(radius * PX_PER_MM)
        ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        inside = xs * xs + ys * ys <= (radius * PX_PER_MM) ** 2
        disc = np.column_stack([xs[inside], ys[inside]])
        offsets = np.array([_drawn_together(disc, shape, self._radius) for shape in self._shapes])
        at = self._centres.round().astype(int)[:, None] + offsets
        x, y = at[..., 0].clip(0, self.size[0] - 1), at[..., 1].clip(0, self.size[1] - 1)
        return np.asarray(y * self.size[0] + x)

    def _lay_ring(self, dial: Dial | None) -> np.ndarray:
        """(h, w) bool, the part of the print that hands turn, and a little beside it."""
        ring = np.zeros((self.size[1], self.size[0]), np.uint8)
        if dial is not None:
            x, y = (round((at + MARGIN_MM) * PX_PER_MM) for at in dial.middle)
            for radius, inside in (
                (dial.outer * PX_PER_MM + _ASKEW, 1),
                (dial.inner * PX_PER_MM - _ASKEW, 0),
            ):
                cv2.circle(ring, (x, y), round(radius), inside, -1)
        return ring > 0

    def _above_dark(self, *thumbnails: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(thumbnail.astype(np.float32) + np.float32(_DARK) for thumbnail in thumbnails)

    def _gain(self, now: np.ndarray, before: np.ndarray) -> np.ndarray:
        """The gain in brightness of each cell, of float32 thumbnails with `_DARK` added."""
        if self._turned.any():  # a dial that may have been turned says nothing about the light
            now, before = (g * ~self._turned[..., None] for g in (now, before))
        cells = [cv2.resize(g, self._cells, interpolation=cv2.INTER_AREA) for g in (now, before)]
        if self._turned.any():
            around = [cv2.blur(g, (3, 3)) for g in cells]
            cells = [g + 0.1 * wide for g, wide in zip(cells, around, strict=True)]
        return np.clip(cv2.medianBlur(cv2.divide(cells[0], cells[1]), 5), 0.3, 3.5)

    def _occluders(self, different: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(h, w) bool: large islands, and these with all others that reach over the edge.

        Large ones exceed pieces, or reach over the edge and are no specks.
        """
        closed = cv2.morphologyEx(different.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3)))
        _, islands, stats, _ = cv2.connectedComponentsWithStats(closed)
        width, height = self.size
        rim = round(MARGIN_MM * PX_PER_MM)  # a star may be within a few mm of the edge
        left, top, wide, high, area = stats.T
        if self._turned.any():  # a dial may look different from end to end
            area = np.bincount(islands[~self._turned], minlength=len(stats))
        at_edge = (left < rim) | (top < rim)
        at_edge |= (left + wide > width - rim) | (top + high > height - rim)
        large = (at_edge & (area > 0.5 * self._star_px)) | (area > self._large_px)
        large[0] = at_edge[0] = False
        masks = [kind[islands].astype(np.uint8) for kind in (large, large | at_edge)]
        thick = [cv2.dilate(mask, np.ones((5, 5))) > 0 for mask in masks]
        return thick[0], thick[1]


def _radius(profile: Profile) -> float:
    """In mm, of the smallest space; of the smallest piece on a board without spaces."""
    spaces = [space.radius for space in profile.spaces.values()]
    return min(spaces or (one.diameter_mm / 2 for one in profile.game.pieces if one.diameter_mm))


@lru_cache(1000)  # every camera of a table, and one that is started again, has its boards
def _parts(place: Place, shape: Shape, radius: float) -> Sequence[Shape]:
    """A place itself; for a region, circles of that radius all over it, one piece's size apart.

    Pieces at its rim, where the outline leaves the grid a gap, get circles of their own.
    """
    if place.kind != "region":
        return [shape]
    at = _grid(shape, radius, _APART * radius, radius / 2)
    for point in _grid(shape, 0.0, radius / 2, _AT_RIM * radius):
        if all(math.dist(point, other) > _GAP * radius for other in at):
            at.append(point)
    return [Circle(point, radius) for point in at] or [shape]


def _grid(shape: Shape, begin: float, apart: float, margin: float) -> list[Point]:
    """Points of a region, in mm, at least a ``margin`` inside it."""
    low, high = np.array(shape.outline).min(axis=0), np.array(shape.outline).max(axis=0)
    (xs, ys) = (np.arange(a + begin, b, apart) for a, b in zip(low, high, strict=True))
    return [(float(x), float(y)) for y in ys for x in xs if inside(shape, (x, y), margin)]


def _drawn_together(disc: np.ndarray, shape: Shape, radius: float) -> np.ndarray:
    """(M, 2) int px of a disc on a round place of ``radius`` mm, as many on an oblong one."""
    if not isinstance(shape, Bar):
        return disc
    c, s = math.cos(math.radians(shape.turn)), math.sin(math.radians(shape.turn))
    squeezed = disc * np.minimum(np.array(shape.size) / 2 / radius, 1.0)
    return np.asarray((squeezed @ np.array([[c, s], [-s, c]])).round().astype(int))
