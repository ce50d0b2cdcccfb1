"""Texture: whether the print of a place is still visible, whatever colour is on it.

A black piece on a black print has its colour, but not its texture: there are ridges, edges and
gloss where the print has its own marks. The fine structure that the print does not explain
distinguishes a piece from a bare place; how much that is for either is estimated from the board's
own places.
"""

from itertools import product

import cv2
import numpy as np

from vision.fine_patches import FINE_PX

_DARKEST = 12.0
_FINE, _COARSE = 0.8, 4.0
"""Standard deviations, in px of the fine patches, of the band of fine structure."""
_STEPS = range(-3, 4)
"""Offsets in px at which the print is searched for."""
_NOISE = 1e-5
_GAIN = 0.3, 1.5
"""Bounds of a print's contrast relative to the reference's."""
_SURE = 0.9
_CERTAIN = 0.99
_FEWEST = 4
_APART, _VARIANCE = 2.0, 0.4
"""How much more is unexplained on pieces, as a logarithm, and the variance of either, if a board
has too few of them for an estimate."""
_BY_THEM = 5, 20
"""Numbers of pieces and of places that weigh as much as these defaults."""
_WEIGHT, _MOST, _ROUNDS = 0.7, 6.0, 3
"""Weight of the log odds, their limit, and the number of rounds in which they are estimated."""
_ASIDE, _FAINT = 3, 1.0
"""Offset in px of halved patches up to which a print's outlines are searched for, and the gradient,
in levels, above which their contrast counts as its square root."""
_COVERED, _OF_PIECES = (0.25, 0.12), 5
"""Usual mean and standard deviation of Fisher's z of the correlation of outlines beneath a piece,
and the number of pieces that weigh as much."""
_VISIBLE, _MOST_VISIBLE = 2.0, 3.0
"""Standard deviations above that mean from which outlines are the print's, and the most log odds
that this counts against a piece."""
_TO_BE_SEEN, _OF_PRINTS = (1.55, 0.3), 5
"""As `_COVERED`, of bare places, and their number."""
_MOST_COVERED = 3.0
"""Most log odds that covered outlines count for a piece."""


def unexplained(
    photo: np.ndarray, print_: np.ndarray, on: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N,) logarithms of the fine structure of a place that its print does not explain.

    Also (N,) its correlation with the print's, lower where it has more contrast than light could
    give the print. ``photo`` and ``print_`` are (N, F, F, 3) uint8 patches, ``on`` (F, F) bool the
    mask of a place.
    """
    rows, columns = (np.flatnonzero(on.any(axis=axis)) for axis in (1, 0))
    (top, bottom), (first, last) = ((one[0], one[-1] + 1) for one in (rows, columns))
    aside = max(_STEPS)
    seen = _fine(photo)[:, top:bottom, first:last]
    known = np.pad(_fine(print_), ((0, 0), (aside, aside), (aside, aside)), "wrap")
    weights = (on / on.sum()).astype(np.float32)[top:bottom, first:last].ravel()
    mean, spread = _moments(seen, weights)
    best, left = np.full(len(seen), -np.inf), np.zeros(len(seen))
    for down, right in product(_STEPS, _STEPS):
        y, x = aside - down, aside - right
        moved = known[:, top + y : bottom + y, first + x : last + x]
        printed, contrast = _moments(moved, weights)
        flat = (len(seen), -1)
        shared = (seen * moved).reshape(flat) @ weights - mean * printed
        alike = shared / np.sqrt((spread + _NOISE) * (contrast + _NOISE))
        gain = np.clip(shared / (contrast + _NOISE), *_GAIN)
        off = spread - 2 * gain * shared + gain**2 * contrast
        better = alike > best
        best[better], left[better] = alike[better], off[better]
    like_print = np.sqrt(np.clip(1 - (left + _NOISE) / (spread + _NOISE), 0, 1))
    return np.log(np.maximum(left, 0) + _NOISE), like_print


def texture_odds(left: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """(N,) log odds of pieces, given what is `unexplained` (N,).

    ``taken`` (N,) are the probabilities of a piece from other evidence.
    """
    textured, odds = taken, np.zeros(len(left))
    logit = np.log(np.clip(taken, 1e-4, 1 - 1e-4)) - np.log(np.clip(1 - taken, 1e-4, 1 - 1e-4))
    pieces, places = _BY_THEM
    for _ in range(_ROUNDS):
        bare, there = left[textured < 1 - _SURE], left[textured > _SURE]
        if len(bare) < _FEWEST and len(there) < _FEWEST:
            return odds
        low = bare.mean() if len(bare) >= _FEWEST else there.mean() - _APART
        high = (there.sum() + pieces * (low + _APART)) / (len(there) + pieces)
        squares = ((bare - low) ** 2).sum() + ((there - high) ** 2).sum()
        variance = (squares + places * _VARIANCE) / (len(bare) + len(there) + places)
        odds = (left - (low + high) / 2) * max(0.0, high - low) / variance
        odds = np.clip(odds, -_MOST, _MOST)
        textured = 1 / (1 + np.exp(-(logit / 2 + odds)))
    return np.asarray(_WEIGHT * odds)


def outlines(patches: np.ndarray) -> np.ndarray:
    """(N, C, C, 2) float32 gradients of (N, C, C, 3) patches, faint ones nearly as long as others.

    So a print in other contrast, or partly covered, has nearly the same outlines.
    """
    grey = patches.astype(np.float32).mean(axis=3)
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    for n, one in enumerate(grey):
        across[n], down[n] = (cv2.Sobel(one, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    length = np.sqrt(np.hypot(across, down) + _FAINT)
    return np.stack([across / length, down / length], axis=-1)


def visible_print(seen: np.ndarray, known: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """(N,) log odds against pieces where outlines ``known`` of the print are ``seen``.

    Both are (N, C, C, 2) `outlines`. They are negative where the print of the board's bare places
    is visible and this one's is not. How well outlines fit on either is estimated from the board's
    own places: ``taken`` (N,) are the probabilities of a piece from other evidence.
    """
    inner = np.s_[_ASIDE:-_ASIDE, _ASIDE:-_ASIDE]
    fits = np.array(
        [
            cv2.matchTemplate(one, print_[inner].copy(), cv2.TM_CCORR_NORMED).max()
            for one, print_ in zip(seen, known, strict=True)
        ]
    )
    z = np.arctanh(np.clip(fits, -_CERTAIN, _CERTAIN))
    mean, deviation = _like(z[taken > _SURE], _COVERED, _OF_PIECES)
    visible = np.clip((z - mean) / deviation - _VISIBLE, 0, _MOST_VISIBLE)
    bare = z[taken < 1 - _SURE]
    usual, spread = _like(bare, _TO_BE_SEEN, _OF_PRINTS)
    if len(bare) < _FEWEST or usual < mean:
        return np.asarray(visible)
    between = np.clip(z, mean, usual)
    surprise = ((between - usual) / spread) ** 2 - ((between - mean) / deviation) ** 2
    covered = np.clip(surprise / 2 + np.log(spread / deviation), 0, _MOST_COVERED)
    return np.asarray(visible - covered)


def _like(of: np.ndarray, usual: tuple[float, float], weight: float) -> tuple[float, float]:
    """Mean and standard deviation of (N,) values, of which ``weight`` more were as ``usual``."""
    count, (mean, deviation) = len(of) + weight, usual
    centre = (of.sum() + weight * mean) / count
    squares = ((of - centre) ** 2).sum() + weight * deviation**2
    return float(centre), float(np.sqrt(squares / count))


def _fine(patches: np.ndarray) -> np.ndarray:
    """(N, F, F) float32: the fine structure, independent of the light."""
    dark = np.log(patches.astype(np.float32) + _DARKEST).mean(axis=3)
    tall = np.ascontiguousarray(dark.reshape(-1, FINE_PX))
    fine = cv2.GaussianBlur(tall, (0, 0), _FINE) - cv2.GaussianBlur(tall, (0, 0), _COARSE)
    return np.asarray(fine.reshape(dark.shape))


def _moments(patches: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(N,) weighted means and variances."""
    flat = patches.reshape(len(patches), -1)
    mean = flat @ weights
    return mean, np.maximum((flat * flat) @ weights - mean**2, 0)
