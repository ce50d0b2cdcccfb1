"""Outlines of cards of which only a corner is seen, beside known cards on the same table."""

from collections.abc import Iterator, Sequence
from itertools import islice

import cv2
import numpy as np

from vision.card_geometry import corner_distances
from vision.rectify import transform

_SEGMENT, _MEETS, _RIGHT_ANGLE, _LONGER = 0.25, 0.2, 0.15, 1.1
"""Least length of a line along a card's edge and largest distance from its corner, in the card's
widths; largest cosine of two edges; and largest length of a line, in lengths of its edge."""
_PAIRS = 1_000_000
"""Number of pairs of lines' ends that are compared at a time, about 40 MB."""
_FLATTEST, _SLANT = 0.05, 0.999
"""Least squared extent of a card's shape along either axis, and largest correlation of the two."""
_FITTED, _STEADY, _BEYOND, _MOST_CORNERS = 4, 0.15, 0.3, 400
"""Number of cards from which their size varies across a picture, how steady it is then (the weight
of a slope, per 1000 px), how far it goes beyond that of known ones as its logarithm, and number of
outlines from corners."""

_BAND_PX, _OVERLAP_PX = 480, 80
"""Height of the parts of a picture in which edges are searched, as that needs 25 bytes a px; how
far the search reaches beyond each, for edges of cards to be whole."""


def is_outside(points: np.ndarray, taken: Sequence[np.ndarray]) -> np.ndarray:
    """(N,) bool, which of (N, 2) points are in none of the (4, 2) areas `taken`."""
    is_free = np.ones(len(points), bool)
    for own in taken:
        sides = np.roll(own, -1, axis=0) - own
        turns = _cross(sides[:, None], points - own[:, None])
        is_free &= (turns < 0).any(axis=0) & (turns > 0).any(axis=0)
    return is_free


def outside(outlines: np.ndarray, taken: Sequence[np.ndarray]) -> np.ndarray:
    """Those of (N, 4, 2) outlines whose centre is in none of the (4, 2) areas `taken`."""
    return np.asarray(outlines[is_outside(outlines.mean(axis=1), taken)])


def line_segments(image: np.ndarray) -> np.ndarray:
    """(N, 2, 2) px, the ends of straight edges in an (H, W, 3) uint8 picture."""
    grey, found = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), [np.empty((0, 2, 2))]
    for top in range(0, len(grey), _BAND_PX):
        above = max(top - _OVERLAP_PX, 0)
        band = grey[above : top + _BAND_PX + _OVERLAP_PX]
        lines = cv2.createLineSegmentDetector().detect(band)[0]
        if lines is not None:
            each = lines.reshape(-1, 2, 2) + np.array([0.0, above])
            middle = each[..., 1].mean(axis=1)
            found.append(each[(middle >= top) & (middle < top + _BAND_PX)])
    return np.concatenate(found)


def corner_outlines(
    segments: np.ndarray,
    cards: Sequence[np.ndarray],
    aspect: float,
    taken: Sequence[np.ndarray] = (),
    shapes: Sequence[tuple[float, float]] = (),
) -> list[np.ndarray]:
    """(4, 2) px each, clockwise: where cards may be of which only a corner's two edges are seen.

    `segments` are those of a picture, (N, 2, 2) in the px of `cards`, which are (4, 2) corners of
    known ones, clockwise from the top left, `aspect` times as high as wide: others lie flat on the
    same table. They touch other cards, lie below them, or are hardly brighter than what is around
    them. What is searched may also have other `shapes`, widths and heights in widths of the cards.
    The best supported are first; those with their centre within one of `taken` are left out.
    """
    shapes = shapes or [(1.0, aspect)]
    if not len(segments) or not cards:
        return []
    table = TableMetric(np.array(cards, float), aspect)
    length = table.length(segments.mean(axis=1), segments[:, 1] - segments[:, 0])
    ends = segments[(length > _SEGMENT) & (length < _LONGER * max(map(max, shapes)))]
    # Each line may start at either of its ends.
    starts, stops = np.concatenate([ends, ends[:, ::-1]]).transpose(1, 0, 2)
    ways = stops - starts
    usual = float(np.median([np.linalg.norm(own[1] - own[0]) for own in cards]))
    one, other = _close_pairs(starts, 2 * _MEETS * usual)
    crossing = _cross(ways[one], ways[other])
    one, other, crossing = (own[crossing > 0] for own in (one, other, crossing))
    share = _cross(starts[other] - starts[one], ways[other]) / crossing
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
    for sides in dict.fromkeys([*shapes, *(shape[::-1] for shape in shapes)]):
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


class TableMetric:
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
        size, across, both, down = np.clip(self._terms(points) @ self._fit, *self._range).T
        across, down = np.maximum(across, _FLATTEST), np.maximum(down, _FLATTEST)
        most = _SLANT * np.sqrt(across * down)
        both = np.clip(both, -most, most)  # far from the known cards the fit may be no ellipse
        square = np.stack([across, both, both, down], axis=1).reshape(-1, 2, 2)
        return np.asarray(np.linalg.inv(square * np.exp(size)[:, None, None]))

    def even(self, at: np.ndarray) -> np.ndarray:
        """(2, 2) to coordinates in which lengths at a (2,) point are the same in all directions."""
        return np.asarray(np.linalg.cholesky(self.at(at[None])[0]).T)

    def _terms(self, points: np.ndarray) -> np.ndarray:
        return np.column_stack([np.ones(len(points)), (points - self._middle) / 1000])

    def side(self, points: np.ndarray) -> np.ndarray:
        """(N,) px, the sides of squares with the width of a card at (N, 2) points."""
        return np.asarray(np.linalg.det(self.at(points)) ** -0.25)

    def length(self, points: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """The lengths of (N, 2) px vectors at points."""
        return _length(vectors, self.at(points))


def flat_on(table: TableMetric, corners: np.ndarray) -> np.ndarray:
    """An upright picture, (4, 2) px, as it looks lying on a table: as large, and turned alike."""
    middle, across = corners.mean(axis=0), corners[1] - corners[0]
    aspect = np.linalg.norm(corners[2] - corners[1]) / np.linalg.norm(across)
    to_table = table.even(middle)
    x, y = to_table @ across
    axes = np.linalg.inv(to_table) @ np.array([[x, -y * aspect], [y, x * aspect]])
    size = np.sqrt(cv2.contourArea(corners.astype(np.float32)) / abs(np.linalg.det(axes)))
    half = size * axes.T / 2
    return np.asarray(middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ half)


def from_above(
    table: TableMetric, corners: np.ndarray, side: int
) -> tuple[np.ndarray, tuple[int, int]]:
    """(3, 3) to a view in which a table is even in the middle of a picture, and its size in px.

    `corners` are those of the picture, (4, 2) px; the view's longer side has `side` px.
    """
    to_view = np.eye(3)
    to_view[:2, :2] = table.even(corners.mean(axis=0))
    reach = np.ptp(transform(to_view, corners), axis=0)
    to_view[:2] *= side / reach.max()
    to_view[:2, 2] = -transform(to_view, corners).min(axis=0)
    width, height = np.ceil(reach * side / reach.max()).astype(int).tolist()
    return to_view, (width, height)


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
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
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for rows in np.array_split(np.arange(len(x)), 1 + int(many.sum()) // _PAIRS):
        one = np.repeat(rows, many[rows])
        before = many[rows].cumsum() - many[rows]
        other = np.arange(len(one)) - np.repeat(before - begin[rows], many[rows])
        one, other = order[one], order[other]
        near = np.abs(points[one, 1] - points[other, 1]) < reach
        pairs.append((one[near], other[near]))
    first, second = (np.concatenate(own) for own in zip(*pairs, strict=True))
    return first, second


def _distinct(outlines: np.ndarray, reach: float) -> Iterator[np.ndarray]:
    """Those of (N, 4, 2) outlines that no earlier one is like, whatever its first corner."""
    middles = outlines.mean(axis=1)
    is_new = np.ones(len(outlines), bool)
    for number in range(len(outlines)):
        if is_new[number]:
            yield outlines[number]
            later = number + 1 + np.flatnonzero(is_new[number + 1 :])
            near = later[np.abs(middles[later] - middles[number]).max(axis=1) < reach]
            is_new[near] = corner_distances(outlines[number], outlines[near]) > reach
