"""Augment: a board's patches as another printer, light, lens and sensor would have made them.

What the reader is shown of a photograph is in the reference's light, so far as one gain and one
veil for each channel can bring it there. What they cannot is drawn here, alike for a whole board:
inks that do not print as drawn, colours that the camera mixes, channels at full, blur, noise, and
places that lie a little beside where they were looked for.
"""

import cv2
import numpy as np

from models.synthesis.texture import Rng
from vision.illumination import colour_terms, fit_colours

_ROUNDS = 3
_FITTED = 4000
"""So many pixels tell gain and veil."""


def seen_otherwise(
    rng: Rng, photo: np.ndarray, raw: np.ndarray, reference: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(N, P, P, 3) ``photo`` and (N, P, P) ``raw``, uint8 both, as they might have been as well.

    ``reference`` (N, P, P, 3) uint8 is what the photograph was and is again in the light of.
    """
    shown = photo.astype(np.float32) / 255
    bright = raw.astype(np.float32) / 255
    if rng.random() < 0.75:
        shown = _lit_like(_developed(rng, shown), reference.astype(np.float32) / 255)
    if rng.random() < 0.3:
        shown, bright = _clipped(rng, shown, bright)
    if rng.random() < 0.3:
        shown, bright = _moved(rng, shown, bright)
    if rng.random() < 0.35:
        sigma = float(rng.uniform(0.4, 2.2))
        shown, bright = _smoothed(shown, sigma), _smoothed(bright, sigma)
    noise = rng.standard_normal(shown.shape, np.float32) * rng.uniform(0, 0.05) ** 1.3
    if rng.random() < 0.5:
        noise = 2 * _smoothed(noise, 0.8)
    shown = shown + noise
    return (255 * np.clip(shown, 0, 1)).astype(np.uint8), (255 * bright).astype(np.uint8)


def _developed(rng: Rng, shown: np.ndarray) -> np.ndarray:
    """Another tone curve of each channel, other primaries, more or less vivid."""
    curve = np.exp(rng.normal(0, 0.16) + rng.normal(0, 0.09, 3)).astype(np.float32)
    mixed = np.eye(3) + rng.normal(0, 0.06, (3, 3)) * (1 - np.eye(3))
    mixed /= mixed.sum(axis=1, keepdims=True)
    vivid = rng.uniform(0.7, 1.3)
    to_grey = np.full((3, 3), 1 / 3)
    mixed = vivid * mixed + (1 - vivid) * to_grey
    return np.asarray(np.clip(shown**curve @ mixed.T.astype(np.float32), 0, 1))


def _lit_like(shown: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """With the gain, the veil and the colours by which most of the board is as printed."""
    step = max(1, shown[..., 0].size // _FITTED)
    lit = np.empty_like(shown)
    for c in range(3):
        known, seen = reference[..., c].ravel()[::step], shown[..., c].ravel()[::step]
        weights = np.ones(len(known), np.float32)
        gain, veil = 1.0, 0.0
        for _ in range(_ROUNDS):
            total = weights.sum() + 1e-6
            x, y = (weights @ known) / total, (weights @ seen) / total
            spread = weights @ (known - x) ** 2 + 1e-3 * len(known)
            gain = max(0.2, (weights @ ((known - x) * (seen - y)) + 1e-3 * len(known)) / spread)
            veil = y - gain * x
            off = np.abs(gain * known + veil - seen)
            cut = 4 * max(float(np.median(off)), 0.01)
            weights = np.where(off < cut, (1 - (off / cut) ** 2) ** 2, 0).astype(np.float32)
        lit[..., c] = (shown[..., c] - veil) / gain
    lit = np.clip(lit, 0, 1)
    colours = fit_colours(lit.reshape(-1, 3)[::step], reference.reshape(-1, 3)[::step])
    agreed = colour_terms(lit.reshape(-1, 3)) @ colours.astype(np.float32)
    return np.asarray(np.clip(agreed.reshape(lit.shape), 0, 1))


def _clipped(rng: Rng, shown: np.ndarray, bright: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One to three channels are at full from some level on, above that of most of the board."""
    full = np.ones(3, np.float32)
    chosen = rng.permutation(3)[: int(rng.integers(1, 4))]
    most = np.percentile(shown.reshape(-1, 3)[::17], 70, axis=0)[chosen] + 0.08
    full[chosen] = np.maximum(rng.uniform(0.4, 0.95, len(chosen)), most)
    over = shown >= full
    shown = np.minimum(shown, full)
    bright = np.where(over.any(axis=-1), np.float32(1), bright)
    return np.where(over, shown.max(axis=-1, keepdims=True), shown), bright


def _moved(rng: Rng, shown: np.ndarray, bright: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each place lies up to two px beside where it was looked for."""
    moved, brighter = shown.copy(), bright.copy()
    off = np.clip(np.rint(rng.normal(0, 0.8, (len(shown), 2))), -2, 2).astype(int)
    for n, (down, right) in enumerate(off):
        if down or right:
            moved[n] = np.roll(shown[n], (down, right), (0, 1))
            brighter[n] = np.roll(bright[n], (down, right), (0, 1))
    return moved, brighter


def _smoothed(patches: np.ndarray, sigma: float) -> np.ndarray:
    """All (N, P, P, ...) one below another, in one go: at their rims they run into each other."""
    column = patches.reshape(-1, *patches.shape[2:])
    return np.asarray(cv2.GaussianBlur(column, (0, 0), sigma).reshape(patches.shape))
