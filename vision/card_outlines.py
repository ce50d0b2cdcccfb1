"""Outlines with four straight sides in a picture, such as those of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import cv2
import numpy as np

_LEAST_SIDE, _MOST_SIDE = 20.0, 0.5
"""Least shorter side of an outline in px, and largest longer side as a share of the picture's."""
_MOST_OUTLINES = 400
_SEGMENT, _MEETS, _RIGHT_ANGLE, _LONGER = 0.25, 0.2, 0.15, 1.1
"""Least length of a line along a card's edge and largest distance from its corner, in the card's
widths; largest cosine of two edges; and largest length of a line, in lengths of its edge."""
_FITTED, _STEADY, _BEYOND, _MOST_CORNERS = 4, 0.15, 0.3, 400
"""Number of cards from which their size varies across a picture, how steady it is then (the weight
of a slope, per 1000 px), how far it goes beyond that of known ones as its logarithm, and number of
outlines from corners."""
_TURNS = (np.arange(4)[:, None] + np.arange(4)) % 4
"""(4, 4) the corners of an outline in order, starting at each of them."""


def find_outlines(image: np.ndarray, taken: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: the quadrilaterals in an (H, W, 3) uint8 picture.

    Without duplicates, the largest first; those with their centre within one of `taken` are left
    out.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: list[np.ndarray] = []
    for flat in _flattened(grey):
        contours, _ = cv2.findContours(flat, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = four_sides(contour, max(image.shape))
            if corners is not None and not any(
                contains(own, corners.mean(axis=0)) for own in taken
            ):
                found.append(corners)
    found.sort(key=lambda corners: -cv2.contourArea(corners.astype(np.float32)))
    kept: list[np.ndarray] = []
    for corners in found:
        reach = 0.04 * np.sqrt(cv2.contourArea(corners.astype(np.float32)))
        if all(corner_distance(corners, other) > reach for other in kept):
            kept.append(corners)
            if len(kept) == _MOST_OUTLINES:
                break
    return kept


def _flattened(grey: np.ndarray) -> Iterable[np.ndarray]:
    """Binary pictures in which areas darker or lighter than their surroundings are connected."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    for window, offset in ((25, 4), (101, 8)):
        level = cv2.blur(smooth, (window, window)).astype(np.int16)
        yield (smooth < level - offset).astype(np.uint8)
    edges = cv2.Canny(smooth, 30, 80)
    yield cv2.dilate(edges, np.ones((3, 3), np.uint8))


def four_sides(contour: np.ndarray, longest: int) -> np.ndarray | None:
    """(4, 2) px clockwise, where straight sides of a contour meet; None if it has no four."""
    if len(contour) < 3 * _LEAST_SIDE:
        return None
    (_, (width, height), _) = box = cv2.minAreaRect(contour)
    if min(width, height) < _LEAST_SIDE or max(width, height) > _MOST_SIDE * longest:
        return None
    points = contour.reshape(-1, 2).astype(float)
    hull = cv2.convexHull(contour)
    oblique = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True).reshape(-1, 2)
    for around in (cv2.boxPoints(box).astype(float), oblique.astype(float)):
        corners = _fit_sides(points, around, cv2.contourArea(contour))
        if corners is not None:
            return corners
    return None


def _fit_sides(points: np.ndarray, around: np.ndarray, area: float) -> np.ndarray | None:
    """(4, 2) px clockwise, where straight sides meet; None if they are not near `around`.

    `points` are the (N, 2) px of a contour that encloses `area` px².
    """
    lengths = np.linalg.norm(np.roll(around, -1, axis=0) - around, axis=1)
    if len(around) != 4 or lengths.min() < _LEAST_SIDE:
        return None
    if area < 0.75 * cv2.contourArea(around.astype(np.float32)):
        return None
    lines = []
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        along /= length
        across = np.array([-along[1], along[0]])
        at = (points - start) @ along
        off = (points - start) @ across
        near = (at > 0.2 * length) & (at < 0.8 * length) & (np.abs(off) < 0.2 * lengths.min())
        if near.sum() < 0.4 * length:
            return None
        fitted = np.polyfit(at[near], off[near], 1)
        rest = np.abs(np.polyval(fitted, at[near]) - off[near])
        if np.median(rest) > 1.5:
            return None
        ends = np.array([0.0, length])
        lines.append(start + np.outer(ends, along) + np.outer(np.polyval(fitted, ends), across))
    corners = np.array([_meeting(lines[side - 1], lines[side]) for side in range(4)])
    if not np.isfinite(corners).all():
        return None
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else corners[::-1]


def _meeting(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(2,) px, the intersection of two lines through (2, 2) points."""
    a, b = np.cross(_flat(one[0]), _flat(one[1])), np.cross(_flat(other[0]), _flat(other[1]))
    x, y, w = np.cross(a, b)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else np.full(2, np.nan)


def _flat(point: np.ndarray) -> np.ndarray:
    return np.array([point[0], point[1], 1.0])


def corner_distance(one: np.ndarray, other: np.ndarray) -> float:
    """Largest distance in px between corners of two (4, 2) outlines, at the best cyclic shift."""
    return float(np.linalg.norm(one - other[_TURNS], axis=2).max(axis=1).min())


def contains(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether a (2,) point is within (4, 2) corners or on their outline."""
    return cv2.pointPolygonTest(corners.astype(np.float32), tuple(map(float, point)), False) >= 0


def outside(outlines: np.ndarray, taken: Sequence[np.ndarray]) -> np.ndarray:
    """Those of (N, 4, 2) outlines whose centre is in none of the (4, 2) areas `taken`."""
    middles = outlines.mean(axis=1)
    is_free = np.ones(len(middles), bool)
    for own in taken:
        sides = np.roll(own, -1, axis=0) - own
        turns = _crossed(sides[:, None], middles - own[:, None])
        is_free &= (turns < 0).any(axis=0) & (turns > 0).any(axis=0)
    return np.asarray(outlines[is_free])


def corner_outlines(
    image: np.ndarray,
    cards: Sequence[np.ndarray],
    aspect: float,
    taken: Sequence[np.ndarray] = (),
) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: where cards may be of which only a corner's two edges are seen.

    They touch other cards, lie below them, or are hardly brighter than what is around them. `cards`
    are (4, 2) corners of known ones, clockwise from the top left, `aspect` times as high as wide:
    others lie flat on the same table. The best supported are first; those with their centre within
    one of `taken` are left out.
    """
    lines = cv2.createLineSegmentDetector().detect(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))[0]
    if lines is None or not cards:
        return []
    ends = np.asarray(lines, float).reshape(-1, 2, 2)
    table = _TableMetric(np.array(cards, float), aspect)
    length = table.length(ends.mean(axis=1), ends[:, 1] - ends[:, 0])
    ends = ends[(length > _SEGMENT) & (length < _LONGER * max(aspect, 1.0))]
    # Each line may start at either of its ends.
    starts, stops = np.concatenate([ends, ends[:, ::-1]]).transpose(1, 0, 2)
    ways = stops - starts
    usual = float(np.median([np.linalg.norm(own[1] - own[0]) for own in cards]))
    one, other = _close_pairs(starts, 2 * _MEETS * usual)
    crossing = _crossed(ways[one], ways[other])
    one, other, crossing = (own[crossing > 0] for own in (one, other, crossing))
    share = _crossed(starts[other] - starts[one], ways[other]) / crossing
    corner = starts[one] + share[:, None] * ways[one]
    off = np.abs(corner - starts[one]).max(axis=1), np.abs(corner - starts[other]).max(axis=1)
    meets = np.maximum(*off) < 2 * _MEETS * usual
    one, other, corner = one[meets], other[meets], corner[meets]
    metric = table.at(corner)

    first, second = stops[one] - corner, stops[other] - corner
    long = _length(first, metric), _length(second, metric)
    cosine = np.einsum("ni,nij,nj->n", first, metric, second) / np.maximum(long[0] * long[1], 1e-9)
    away = [_length(starts[own] - corner, metric) for own in (one, other)]
    meets = np.maximum(*away) < _MEETS
    found, support = [], []
    for sides in ((1.0, aspect), (aspect, 1.0)):
        shares = [own / side for own, side in zip(long, sides, strict=True)]
        fits = meets & (np.abs(cosine) < _RIGHT_ANGLE) & (np.maximum(*shares) < _LONGER)
        along, down = (
            way[fits] * (side / own[fits])[:, None]
            for way, own, side in zip((first, second), long, sides, strict=True)
        )
        at = corner[fits]
        found.append(np.stack([at, at + along, at + along + down, at + down], axis=1))
        support.append((shares[0] + shares[1])[fits])
    outlines, order = np.concatenate(found), np.argsort(-np.concatenate(support))
    distinct = _distinct(outside(outlines[order], taken), 0.05 * usual)
    return [*islice(distinct, _MOST_CORNERS)]


class _TableMetric:
    """Lengths along a table in widths of its cards, by (N, 4, 2) px corners of some."""

    def __init__(self, cards: np.ndarray, aspect: float) -> None:
        across = (cards[:, 1] - cards[:, 0] + cards[:, 2] - cards[:, 3]) / 2
        down = (cards[:, 3] - cards[:, 0] + cards[:, 2] - cards[:, 1]) / 2 / aspect
        square = np.einsum("ni,nj->nij", across, across) + np.einsum("ni,nj->nij", down, down)
        size = np.sqrt(np.linalg.det(square))
        shape = square / size[:, None, None]
        values = np.column_stack([np.log(size), shape[:, 0, 0], shape[:, 0, 1], shape[:, 1, 1]])
        self._range = values.min(axis=0) - _BEYOND, values.max(axis=0) + _BEYOND
        self._middle = cards.mean(axis=(0, 1))
        where = self._terms(cards.mean(axis=1))
        if len(cards) < _FITTED:
            self._fit = np.array([np.median(values, axis=0), *np.zeros((2, 4))])
            return
        kept = np.ones(len(cards), bool)
        for _ in range(3):
            steady = np.r_[where[kept], _STEADY * np.eye(3)[1:]]
            target = np.r_[values[kept], np.zeros((2, 4))]
            self._fit = np.linalg.lstsq(steady, target, rcond=None)[0]
            off = np.abs(where @ self._fit - values).max(axis=1)
            kept = off <= max(2.5 * float(np.median(off)), 0.05)

    def at(self, points: np.ndarray) -> np.ndarray:
        """(N, 2, 2) matrices M at (N, 2) px: a vector v has the squared length v' M v."""
        size, *shape = np.clip(self._terms(points) @ self._fit, *self._range).T
        square = np.stack([shape[0], shape[1], shape[1], shape[2]], axis=1).reshape(-1, 2, 2)
        return np.asarray(np.linalg.inv(square * np.exp(size)[:, None, None]))

    def _terms(self, points: np.ndarray) -> np.ndarray:
        return np.column_stack([np.ones(len(points)), (points - self._middle) / 1000])

    def length(self, points: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """The lengths of (N, 2) px vectors at points."""
        return _length(vectors, self.at(points))


def _crossed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cross products of (..., 2) vectors."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def _length(vectors: np.ndarray, metric: np.ndarray) -> np.ndarray:
    """The lengths of (N, 2) vectors by (N, 2, 2) matrices."""
    return np.asarray(np.sqrt(np.einsum("ni,nij,nj->n", vectors, metric, vectors)))


def _close_pairs(points: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Both indices of each pair of (N, 2) points that are within `reach` in x and in y."""
    order = np.argsort(points[:, 0])
    x = points[order, 0]
    begin, end = np.searchsorted(x, x - reach), np.searchsorted(x, x + reach, "right")
    many = end - begin
    one = np.repeat(np.arange(len(x)), many)
    other = np.arange(many.sum()) - np.repeat(many.cumsum() - many, many) + begin[one]
    one, other = order[one], order[other]
    near = np.abs(points[one, 1] - points[other, 1]) < reach
    return one[near], other[near]


def _distinct(outlines: np.ndarray, reach: float) -> Iterator[np.ndarray]:
    """Those of (N, 4, 2) outlines that no earlier one is like, whatever its first corner."""
    middles = outlines.mean(axis=1)
    is_new = np.ones(len(outlines), bool)
    for number in range(len(outlines)):
        if is_new[number]:
            yield outlines[number]
            later = number + 1 + np.flatnonzero(is_new[number + 1 :])
            near = later[np.abs(middles[later] - middles[number]).max(axis=1) < reach]
            off = outlines[near] - outlines[number][_TURNS][:, None]
            is_new[near] = np.linalg.norm(off, axis=3).max(axis=2).min(axis=0) > reach
