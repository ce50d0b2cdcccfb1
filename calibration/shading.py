"""Shading correction: even out the light on a board, without knowing what it ought to look like.

The board brings its own grey cards: all spaces of a region are printed alike, and so are all slots
of a track. Where like spaces look different, light differs:
`seen = gain(place) * print + veil(place)`, gain and veil smooth. The gain is the light that
falls on the board, told by bright print; the veil is what its surface mirrors, told by dark.
"""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from calibration.layout import Layout
from scorer.places import Shape

GROUND, INK = 0.5, 0.96  # quantiles of a space's pixels
MOST_GAIN = 2.0
WHITEST = 0.995  # the share of pixels below what is taken for paper white
WHITE = 235.0
BALANCE = 1.25  # the most that one colour is raised against another
ROUNDS = 20
GRID = 25  # gain and veil bend slowly: a coarse grid says them


def correct_shading(
    board: npt.NDArray[np.uint8], layout: Layout, px_per_mm: float
) -> npt.NDArray[np.uint8]:
    """Remove slow changes of light and of its colour from a board, (H, W, 3) uint8 BGR.

    Without places that are printed alike, only the white balance is corrected.
    """
    height, width = board.shape[:2]
    places, groups, seen = _like_spaces(board, layout, px_per_mm)
    if not len(places):
        as_seen = board.astype(np.float32)
        return np.asarray(np.clip(np.rint(as_seen * _balance(as_seen)), 0, 255), np.uint8)
    gain_shape, veil_shape = _fit(_bends(places / (width, height)), groups, seen)
    ys, xs = np.mgrid[0:GRID, 0:GRID] / (GRID - 1)
    grid = _bends(np.stack([xs.ravel(), ys.ravel()], axis=1))
    light = grid @ gain_shape
    gain = np.clip(np.exp(light - light.mean(axis=0)), 1 / MOST_GAIN, MOST_GAIN)
    veil = grid @ veil_shape
    veil -= veil.min(axis=0)
    lit = (board.astype(np.float32) - _spread(veil, width, height)) / _spread(gain, width, height)
    return np.asarray(np.clip(np.rint(lit * _balance(lit)), 0, 255), np.uint8)


def _spread(values: Floats, width: int, height: int) -> npt.NDArray[np.float32]:
    grid = values.reshape(GRID, GRID, 3).astype(np.float32)
    wide = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(wide, np.float32)


def _like_spaces(
    board: npt.NDArray[np.uint8], layout: Layout, px_per_mm: float
) -> tuple[Floats, npt.NDArray[np.int_], Floats]:
    """Places (N, 2) px, the number of the group printed alike (N,), and colours (N, 3).

    Each space is seen twice: its ground, and the bright ink on it.
    """
    regions: list[Sequence[Shape]] = [
        [layout.spaces[name] for name in members] for members in layout.board.regions.values()
    ]
    regions += layout.tracks.values()
    places, groups, seen = [], [], []
    for number, region in enumerate(regions):
        for space in region:
            mask = np.zeros(board.shape[:2], np.uint8)
            at = np.array(space.at) * px_per_mm
            centre = (round(at[0]), round(at[1]))
            cv2.circle(mask, centre, round(space.radius * 0.8 * px_per_mm), 1, -1)
            shown = board[mask > 0]
            for i, share in enumerate((GROUND, INK)):
                places.append(at)
                groups.append(2 * number + i)
                seen.append(np.quantile(shown, share, axis=0) + 1.0)
    return np.array(places), np.array(groups), np.array(seen, np.float64)


def _bends(places: Floats) -> Floats:
    """The slow shapes that light may have over the board, (N, 5); `places` run from 0 to 1."""
    x, y = (places - 0.5).T
    return np.stack([x, y, x * x, x * y, y * y], axis=1)


def _fit(bends: Floats, groups: npt.NDArray[np.int_], seen: Floats) -> tuple[Floats, Floats]:
    """How much of each shape there is in the gain's logarithm and in the veil, (5, 3) each.

    The two are fitted in turn, each group with a level of its own; outliers weigh less.
    """
    level = np.eye(int(groups.max()) + 1)[groups]
    basis = np.hstack([bends, level])
    # Weak evidence for a bend is no evidence: the priors pull towards even light.
    prior = np.diag([0.02, 0.02, 0.2, 0.2, 0.2] + [1e-6] * level.shape[1])
    veil_prior = np.diag([0.2, 0.2, 1.0, 1.0, 1.0])
    veil = np.zeros((5, 3))
    solution = np.zeros((basis.shape[1], 3))
    for _ in range(ROUNDS):
        clear = np.maximum(seen - bends @ veil, 0.3 * seen)
        logs = np.log(clear)
        trust = np.exp(logs.mean(axis=1)) / 255
        error = np.linalg.norm(basis @ solution - logs, axis=1)
        weighted = basis * (trust * _less_for_outliers(error))[:, None]
        solution = np.linalg.solve(basis.T @ weighted + prior, weighted.T @ logs)
        left = seen - np.exp(basis @ solution)
        doubt = _less_for_outliers(np.linalg.norm(left - bends @ veil, axis=1))
        weighted = bends * ((1 - trust) * doubt)[:, None]
        veil = np.linalg.solve(bends.T @ weighted + veil_prior, weighted.T @ left)
    return solution[:5], veil


def _less_for_outliers(error: Floats) -> Floats:
    """Huber's weights, his limit set at twice the median error."""
    weights: Floats = 1 / np.maximum(1.0, error / (2 * np.median(error) + 1e-6))
    return weights


def _balance(lit: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """One factor a channel that makes the board's brightest print white, within bounds."""
    white = np.quantile(lit.reshape(-1, 3), WHITEST, axis=0)
    factor = WHITE / np.maximum(white, 1.0)
    middle = float(np.clip(np.median(factor), 0.5, 3.0))
    bounded = np.clip(factor, middle / BALANCE, middle * BALANCE)
    return np.asarray(bounded, np.float32)
