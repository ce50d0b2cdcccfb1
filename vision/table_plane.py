"""A table's plane, by the cards and boards that lie on it, and a photograph of it from above."""

from collections.abc import Callable, Sequence
from itertools import product

import cv2
import numpy as np

from vision.rectify import transform

_FOCAL, _FOCAL_SPREAD = 0.85, 0.25
"""Usual focal length of a phone, in long sides of its picture, and the spread of its logarithm."""
_TILTS, _DIRECTIONS = (0.0, 0.35, 0.7, 1.0, 1.2), 12
"""Tilts of the camera, in radians, and number of their directions, that the search begins at."""
_STEPS, _EPSILON, _DAMPED = 12, 1e-5, (1e-3, 4.0, 8.0)
"""Steps of Levenberg and Marquardt, the difference that gives their slopes, and their damping:
the first, and the factors by which it falls and rises."""
_CORNER, _OUTLIER = 0.03, 3.0
"""Usual error of a corner, in widths of a card; errors, in median ones, of what lies elsewhere."""
_HORIZON = 0.05
_BESIDE, _LEAST_PX, _GRID, _MOST_PX = 4.0, 15.0, 41, 5_000_000
"""How far a view reaches beyond what is known, in widths of a card; the width in px of the smallest
card that it shows; the number of points a side by which it is bounded; and its largest area."""


def fit_plane(
    size: tuple[int, int],
    cards: Sequence[np.ndarray],
    aspect: float,
    rectangles: Sequence[np.ndarray] = (),
) -> np.ndarray:
    """(3, 3) from px of a picture of (width, height) to a table, in widths of the cards on it.

    There is at least one of `cards`, (4, 2) px clockwise from the top left, all `aspect` times as
    high as wide. `rectangles` on the same table are of any size. Some may be misplaced.
    """
    outlines = np.array([*cards, *rectangles], float)
    is_card = np.arange(len(outlines)) < len(cards)
    middle, long = np.array(size) / 2, max(size)
    points = (outlines - middle) / long

    def to_table(values: np.ndarray) -> np.ndarray:
        focal, tilt, slant, scale = values
        turn = cv2.Rodrigues(np.array([tilt, slant, 0.0]))[0]
        return np.asarray(
            np.diag([*np.exp([scale, scale]), 1.0]) @ turn @ np.diag([*np.exp([-focal] * 2), 1.0])
        )

    def off(values: np.ndarray) -> np.ndarray:
        return _off_rectangles(_seen_from_above(points, to_table(values)), is_card, aspect)

    best, least = np.zeros(4), np.inf
    for tilt, number in product(_TILTS, range(_DIRECTIONS)):
        way = 2 * np.pi * number / _DIRECTIONS
        begin = np.array([np.log(_FOCAL), tilt * np.cos(way), tilt * np.sin(way), 0.0])
        flat = _seen_from_above(points[is_card], to_table(begin))
        begin[3] = -np.log(np.median(np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1)))
        error = np.median(np.abs(off(begin)).max(axis=1))
        if error < least:
            best, least = begin, error
    for _ in range(3):
        error = np.abs(off(best)).max(axis=1)
        kept = error <= max(_OUTLIER * float(np.median(error)), 2 * _CORNER)

        def rest(values: np.ndarray, kept: np.ndarray = kept) -> np.ndarray:
            unusual = (values[0] - np.log(_FOCAL)) / _FOCAL_SPREAD
            return np.asarray(np.r_[off(values)[kept].ravel() / _CORNER, unusual])

        best = _least_squares(rest, best)
    to_unit = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, long]]) / long
    return np.asarray(to_table(best) @ to_unit)


def top_view(
    image: np.ndarray, to_table: np.ndarray, known: Sequence[np.ndarray], width_px: float
) -> tuple[np.ndarray, np.ndarray]:
    """A table from above, at most `width_px` for the width of a card, and (3, 3) to px of it.

    It shows what is about `known` outlines, (4, 2) px of an (H, W, 3) image each.
    """
    height, width = image.shape[:2]
    grid = np.meshgrid(np.linspace(0, width - 1, _GRID), np.linspace(0, height - 1, _GRID))
    points = np.column_stack([*map(np.ravel, grid)])
    depth = points @ to_table[2, :2] + to_table[2, 2]
    usual = np.sqrt(np.maximum(depth, 0.0) ** 3 / abs(np.linalg.det(to_table)))
    there = transform(to_table, np.concatenate(known))
    near = points[usual > _LEAST_PX]
    seen = transform(to_table, near) if len(near) else there
    low = np.maximum(seen.min(axis=0), there.min(axis=0) - _BESIDE)
    high = np.minimum(seen.max(axis=0), there.max(axis=0) + _BESIDE)
    if (low >= high).any():  # all that is known lies far away
        low, high = there.min(axis=0), there.max(axis=0)
    width_px = min(width_px, float(np.sqrt(_MOST_PX / np.prod(high - low))))
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1 / width_px]]) * width_px
    to_view = shift @ to_table
    across, down = np.ceil((high - low) * width_px).astype(int).tolist()
    return np.asarray(cv2.warpPerspective(image, to_view, (across, down))), to_view


def _seen_from_above(points: np.ndarray, to_table: np.ndarray) -> np.ndarray:
    """(N, 4, 2) points on the table; what is beyond its horizon is far away."""
    flat = points @ to_table[:, :2].T + to_table[:, 2]
    return np.asarray(flat[..., :2] / np.maximum(flat[..., 2:], _HORIZON))


def _off_rectangles(flat: np.ndarray, is_card: np.ndarray, aspect: float) -> np.ndarray:
    """(N, 8) the errors of corners, in widths, as cards or as rectangles of any size."""
    x, y = np.moveaxis(flat - flat.mean(axis=1, keepdims=True), -1, 0)
    at = x + 1j * y
    across, down = (
        at[:, 1] - at[:, 0] + at[:, 2] - at[:, 3],
        at[:, 3] - at[:, 0] + at[:, 2] - at[:, 1],
    )
    wide = np.where(is_card, 1.0, np.maximum(np.abs(across) / 2, 1e-9))
    high = np.where(is_card, aspect, np.abs(down) / 2)
    corners = (wide[:, None] * [-1, 1, 1, -1] + 1j * high[:, None] * [-1, -1, 1, 1]) / 2
    turn = (corners.conj() * at).sum(axis=1)
    turn /= np.maximum(np.abs(turn), 1e-9)
    off = (at - turn[:, None] * corners) / wide[:, None]
    return np.concatenate([off.real, off.imag], axis=1)


def _least_squares(rest: Callable[[np.ndarray], np.ndarray], values: np.ndarray) -> np.ndarray:
    """The values, near these, at which the squares of the rest sum to least."""
    now = rest(values)
    damping, falls, rises = _DAMPED
    for _ in range(_STEPS):
        each = _EPSILON * np.eye(len(values))
        slopes = np.stack([rest(values + step) - now for step in each], axis=1) / _EPSILON
        square = slopes.T @ slopes
        damped = square + damping * np.diag(square.diagonal() + 1e-9)
        step = np.linalg.solve(damped, -slopes.T @ now)
        new = rest(values + step)
        if new @ new < now @ now:
            values, now, damping = values + step, new, damping / falls
        else:
            damping *= rises
    return values
