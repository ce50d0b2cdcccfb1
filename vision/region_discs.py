"""Region discs: cover occupied areas of regions with discs of one size, the fullest first."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np

_OWN, _OWN_LEAST = (0.71, 0.03), 0.45
"""Where smaller pieces may be, too: share of a disc in a piece's own colour at which it is as
likely as not, the spread, and the least share considered."""
SEED = 0.15
"""Least filled share of a disc for a piece to be considered."""
WHOLE = 0.75
"""The same where smaller pieces may be, too: several of them fill a disc in part."""
_FILLED = 0.915, 0.01
"""Filled share at which one piece is as likely as smaller ones that touch, and the spread."""
_RING = 1.15, 1.3
"""Radii of a ring that is empty around a piece, but not around touching smaller ones."""
_CROWDED = 0.25, 0.03
"""Filled share of that ring at which one piece is as likely as smaller ones that touch, and the
spread."""
_EVEN, _SLOPE = (0.25, 0.5), 0.05
"""Bounds of the filled share of a disc at which a piece is as likely as not, and the spread:
higher where more of the pieces' sides is visible."""
_MORE = 0.15
"""Excess of that share over the sides' share, within those bounds."""
_SURE, _ENOUGH = 0.8, 3
"""Filled share of a disc with a certain piece; number of them for an estimate of their sides."""
_FLAT = 0.1
"""Largest share attributed to sides if fewer pieces are certain."""
_BESIDE = 1.6
"""Radii from a piece's centre to that of a disc that its sides may fill."""
_HEAPED = 1.7
"""Largest distance between the centres of pieces that overlap, in radii."""
SMEARED = 1.05
"""Visible radius of a piece, relative to its own."""
_SIDES = 1.4
"""Radii from a piece's centre within which its colour belongs to its side or corner."""


PixelPoint = tuple[int, int]
"""(x, y) in px."""
WeightedPoint = tuple[PixelPoint, float]
"""A point, and the filled share of the disc about it, or the probability of a piece."""


def covering_discs(mask: np.ndarray, radius: float, least: float) -> Iterator[WeightedPoint]:
    """Discs of that radius in px that cover an (H, W) float32 mask, and their filled shares.

    The fullest first, down to ``least``; each pixel counts for one disc only. Consumes the mask.
    """
    kernel, reach = disc_kernel(radius), round(2 * radius) + 2
    filled = cv2.filter2D(mask, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    while True:
        _, full, _, (x, y) = cv2.minMaxLoc(filled)
        if full < least:
            return
        yield (x, y), float(full)
        cv2.circle(mask, (x, y), round(SMEARED * radius), (0.0,), -1)
        x0, y0 = max(0, x - reach), max(0, y - reach)
        x1, y1 = max(0, x0 - reach), max(0, y0 - reach)
        wider = mask[y1 : y + 2 * reach, x1 : x + 2 * reach]
        anew = cv2.filter2D(wider, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        part = anew[y0 - y1 :, x0 - x1 :][: y + reach - y0, : x + reach - x0]
        filled[y0 : y + reach, x0 : x + reach] = part


def of_one_colour(
    part: np.ndarray,
    nearest: np.ndarray,
    own: Mapping[int, np.ndarray],
    radius: float,
    least: float,
) -> list[tuple[PixelPoint, float, int]]:
    """Discs of that radius in px filled by one colour, their filled share, and the colour.

    `part` (H, W) is the covered area, `nearest` (H, W) its colour by index: smaller pieces of
    several colours side by side do not make a larger one. ``own`` maps each colour to (H, W) bool:
    visible print of that colour, which does not count.
    """
    found = [
        (at, share / max(1 - share_of_disc(alike, at, radius), share), one)
        for one, alike in own.items()
        for at, share in covering_discs((part * (nearest == one)).astype(np.float32), radius, least)
    ]
    kept: list[tuple[PixelPoint, float, int]] = []
    for disc in sorted(found, key=lambda disc: -disc[1]):
        if all(math.dist(disc[0], other[0]) > radius for other in kept):
            kept.append(disc)
    return kept


def share_of_disc(mask: np.ndarray, at: PixelPoint, radius: float) -> float:
    """The share of a disc that an (H, W) mask fills."""
    (x, y), reach = at, math.ceil(radius)
    rows, columns = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    if not mask[rows, columns].any():
        return 0.0
    disc = np.zeros(mask[rows, columns].shape, np.uint8)
    cv2.circle(disc, (x - columns.start, y - rows.start), round(radius), (1,), -1)
    return float(mask[rows, columns][disc > 0].sum() / max(1, disc.sum()))


def candidate_discs(
    part: np.ndarray,
    nearest: np.ndarray,
    own: Mapping[int, np.ndarray],
    radius: float,
    least: float,
) -> tuple[list[WeightedPoint], list[int]]:
    """Candidate pieces of that radius in px, and the index of each one's colour in `own`."""
    if not own:
        return list(covering_discs(part, radius, least)), []
    found, numbers = of_one_colour(part, nearest, own, radius, _OWN_LEAST), [*own]
    return [(at, full) for at, full, _ in found], [numbers.index(colour) for *_, colour in found]


def weigh_whole(discs: Sequence[WeightedPoint], own: bool) -> np.ndarray:
    """(M,) probabilities of one piece rather than smaller ones, by fill or by own colour."""
    even, slope = _OWN if own else _FILLED
    full = np.array([share for _, share in discs])
    return np.asarray(1 / (1 + np.exp((even - full) / slope)))


def weigh_alone(
    loose: np.ndarray, regions: np.ndarray, discs: Sequence[WeightedPoint], radius: float
) -> np.ndarray:
    """(M,) probabilities of one piece, by the fill of a ring around it within its region.

    Smaller pieces that fill a disc together reach over its rim. ``loose`` (H, W) is the covered
    area, ``regions`` (H, W) the numbers of regions.
    """
    inner, outer = (disc_kernel(times * radius) > 0 for times in _RING)
    more = (len(outer) - len(inner)) // 2
    ring = outer & ~np.pad(inner, more)
    reach = len(ring) // 2
    lying, numbers = (np.pad(one, reach) for one in (loose, regions))
    filled = []
    for (x, y), _ in discs:
        crop = np.s_[y : y + len(ring), x : x + len(ring)]
        around = ring & (numbers[crop] == regions[y, x])
        filled.append(float((lying[crop][around] > 0).mean()) if around.any() else 0.0)
    even, slope = _CROWDED
    return np.asarray(1 / (1 + np.exp((np.array(filled) - even) / slope)))


def weigh_beside_sides(discs: Sequence[WeightedPoint], radius: float) -> np.ndarray:
    """(M,) probabilities of a piece of any kind rather than the sides of others."""
    at = np.array([one for one, _ in discs], float).reshape(-1, 2)
    full = np.array([share for _, share in discs])
    sure, rest = np.flatnonzero(full >= _SURE), np.flatnonzero(full < _SURE)
    away = np.hypot(*(at[sure][:, None] - at[rest][None]).transpose(2, 0, 1))
    beside = np.where(away < _BESIDE * radius, full[rest], 0).max(axis=1, initial=0)
    sides = float(np.median(beside)) if len(sure) else 0.0
    even = np.clip((sides if len(sure) >= _ENOUGH else min(sides, _FLAT)) + _MORE, *_EVEN)
    return np.asarray(1 / (1 + np.exp((even - full) / _SLOPE)))


def heaps(likely: Sequence[WeightedPoint], radius: float) -> list[PixelPoint]:
    """Points between overlapping pieces where they may hide another one."""
    there = [at for at, chance in likely if chance > 0.5]
    return [
        ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)
        for a, b in combinations(there, 2)
        if math.dist(a, b) < _HEAPED * radius
    ]


def clear_sides(loose: np.ndarray, nearest: np.ndarray, at: PixelPoint, radius: float) -> None:
    """Remove the visible sides and corners of a thick piece, which have its colour."""
    (x, y), reach = at, round(_SIDES * radius)
    rows, columns = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    around = nearest[rows, columns]
    near = np.zeros(around.shape, np.uint8)
    cv2.circle(near, (x - columns.start, y - rows.start), reach, (1,), -1)
    middle = np.zeros(around.shape, np.uint8)
    cv2.circle(middle, (x - columns.start, y - rows.start), round(radius), (1,), -1)
    own = np.bincount(around[middle > 0]).argmax()
    loose[rows, columns][(near > 0) & (around == own)] = 0.0


def disc_kernel(radius: float) -> np.ndarray:
    """(D, D) float32, constant on a disc and 0 around it; it sums to 1."""
    reach = int(np.ceil(radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(xs, ys) <= radius).astype(np.float32)
    return np.asarray(disc / disc.sum())
