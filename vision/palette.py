"""Palette: judge each star's colour among the other stars of its own photograph.

One maker's golden yellow is nearly another's orange, and a lamp shifts both. The detector knows
colours as they are in the world at large; but the stars of one photograph come from one set, under
one light. So the seven colours' places in that photograph, its palette, are one unknown vector
with a Gaussian prior (``weights/palette.json``), every star observes it, and each star is then
judged by the palette that the others imply (leave-one-out posterior of a linear Gaussian model).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from vision.detect import CLASSES

_SWEEPS = 3
_OUTLIER = 0.2
"""The share of stars whose colour says nothing, because a window is mirrored in them, say."""
_MOST = 2.5
"""The most that the palette may speak for a colour, in log odds."""
_RADIUS_PX = 4
_DULL = 0.25
"""The saturation from which a colour counts as no longer dull."""


@dataclass(frozen=True, eq=False)
class Palette:
    """The prior: (7, 2) mean places, their (14, 14) covariance, (2, 2) scatter within a set."""

    mean: np.ndarray
    covariance: np.ndarray
    within: np.ndarray


@lru_cache(4)
def fitted_palette(weights: Path) -> Palette:
    """The palette that belongs to the networks of that folder."""
    data = json.loads((weights / "palette.json").read_text())
    return Palette(*(np.array(data[key]) for key in ("mean", "covariance", "within")))


def star_colours(lifted: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """(N, 2) colours around (N, 2) ``centres`` in px of a board after ``light.lift_clipped``.

    A colour is a point of the hue circle, red at (1, 0), yellow at (1/2, 3/4); dull ones lie
    further in. Mirrored light whitens a star but leaves its hue.
    """
    height, width = lifted.shape[:2]
    ys, xs = np.mgrid[-_RADIUS_PX : _RADIUS_PX + 1, -_RADIUS_PX : _RADIUS_PX + 1]
    disc = np.stack([xs, ys], -1)[np.hypot(xs, ys) <= _RADIUS_PX]
    at = np.round(centres).astype(int)[:, None] + disc
    at = np.clip(at, 0, (width - 1, height - 1))
    b, g, r = np.median(lifted[at[..., 1], at[..., 0]], axis=1).T
    across, up = r - (g + b) / 2, np.sqrt(3) / 2 * (g - b)
    chroma = np.hypot(across, up) + 1e-6
    strength = np.tanh(chroma / (np.max([b, g, r], axis=0) + 8) / _DULL)
    return np.stack([across, up], axis=1) * (strength / chroma)[:, None]


def judge_together(odds: np.ndarray, colours: np.ndarray, palette: Palette) -> np.ndarray:
    """(N, 8) log odds with the colours judged by the photograph's own palette.

    ``colours`` is (N, 2). How likely a space holds any star at all stays as it was.
    """
    count = len(CLASSES)
    stars = odds[:, :count]
    mass = _log_sum(stars)
    present = 1 / (1 + np.exp(np.clip(odds[:, count] - mass, -50, 50)))
    judged = stars.copy()
    precision = np.linalg.inv(palette.within)
    prior = np.linalg.inv(palette.covariance)
    for _ in range(_SWEEPS):
        share = np.exp(judged - _log_sum(judged)[:, None]) * present[:, None]
        for i in np.flatnonzero(present > 0.5):
            others = share.copy()
            others[i] = 0
            ratio = _ratio(others, colours, i, palette, prior, precision)
            tinted = stars[i] + ratio
            judged[i] = tinted - _log_sum(tinted[None])[0] + mass[i]
    return np.column_stack([judged, odds[:, count]])


def _ratio(
    others: np.ndarray,
    colours: np.ndarray,
    i: int,
    palette: Palette,
    prior: np.ndarray,
    precision: np.ndarray,
) -> np.ndarray:
    """(7,) log of how much better the others' palette explains star ``i`` than the prior does."""
    count = len(CLASSES)
    information = prior.copy()
    vector = prior @ palette.mean.ravel()
    weights, sums = others.sum(axis=0), others.T @ colours
    for c in range(count):
        part = slice(2 * c, 2 * c + 2)
        information[part, part] += weights[c] * precision
        vector[part] += precision @ sums[c]
    covariance = np.linalg.inv(information)
    places = (covariance @ vector).reshape(count, 2)
    ratio = np.empty(count)
    for c in range(count):
        part = slice(2 * c, 2 * c + 2)
        here = _log_normal(colours[i] - places[c], covariance[part, part] + palette.within)
        at_large = _log_normal(
            colours[i] - palette.mean[c], palette.covariance[part, part] + palette.within
        )
        gain = np.exp(np.clip(here - at_large, -30, _MOST))
        ratio[c] = np.log((1 - _OUTLIER) * gain + _OUTLIER)
    return ratio


def _log_normal(offset: np.ndarray, covariance: np.ndarray) -> float:
    return float(
        -0.5 * offset @ np.linalg.solve(covariance, offset)
        - 0.5 * np.log(np.linalg.det(covariance))
    )


def _log_sum(z: np.ndarray) -> np.ndarray:
    top = z.max(axis=1)
    return top + np.log(np.exp(z - top[:, None]).sum(axis=1))
