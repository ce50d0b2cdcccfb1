"""Region discs: what discs of a size cover of what lies in regions, the fullest first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

SMEARED = 1.05
"""A piece is seen up to so many times its radius."""
_SIDES = 1.4
"""Radii from a piece's middle within which what has its colour is its side or corner."""


def covering_discs(
    mask: np.ndarray, radius: float, least: float
) -> Iterator[tuple[tuple[int, int], float]]:
    """Where discs of that radius in px cover an (H, W) float32 mask, and the share that it fills.

    The fullest first, down to the least; what one covers counts for no other. The mask is used up.
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
    part: np.ndarray, likest: np.ndarray, own: Sequence[int], radius: float, least: float
) -> list[tuple[tuple[int, int], float]]:
    """Discs of that radius in px which one colour of some fills, and by how much, at least so much.

    `part` (H, W) is what lies there, `likest` (H, W) which colour it has: smaller pieces of several
    colours beside each other are no larger one.
    """
    found = [
        disc
        for one in own
        for disc in covering_discs((part * (likest == one)).astype(np.float32), radius, least)
    ]
    kept: list[tuple[tuple[int, int], float]] = []
    for at, full in sorted(found, key=lambda disc: -disc[1]):
        if all(math.dist(at, other) > radius for other, _ in kept):
            kept.append((at, full))
    return kept


def clear_sides(loose: np.ndarray, likest: np.ndarray, at: tuple[int, int], radius: float) -> None:
    """Take away what is seen of a thick piece's sides and corners: they have its colour."""
    (x, y), reach = at, round(_SIDES * radius)
    rows, columns = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    around = likest[rows, columns]
    near = np.zeros(around.shape, np.uint8)
    cv2.circle(near, (x - columns.start, y - rows.start), reach, (1,), -1)
    middle = np.zeros(around.shape, np.uint8)
    cv2.circle(middle, (x - columns.start, y - rows.start), round(radius), (1,), -1)
    own = np.bincount(around[middle > 0]).argmax()
    loose[rows, columns][(near > 0) & (around == own)] = 0.0


def disc_kernel(radius: float) -> np.ndarray:
    """(D, D) float32, even on a disc and 0 around it; their sum is 1."""
    reach = int(np.ceil(radius))
    ys, xs = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = (np.hypot(xs, ys) <= radius).astype(np.float32)
    return np.asarray(disc / disc.sum())
