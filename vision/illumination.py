"""Normalize the illumination: what the photograph would show under the reference's own light.

Every pixel of the empty board is known from the reference, so the board is its own colour card.
Photograph and reference are tied by ``photo = gain(x, y) * reference + veil(x, y)`` for each
channel, gain and veil smooth over the board; stars are outliers to the fit, which is a robust one
(iteratively reweighted least squares, Tukey's biweight).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

_STEPS = 77
"""So many pixels across the board tell the light."""
_ROUNDS = 6
_LOWEST_GAIN = 0.06
_FULL = 247


@dataclass(frozen=True, eq=False)
class Illumination:
    """How the light of a photograph differs from the reference's over one board.

    ``gains`` are three channels' (6,) and ``veils`` their (3,) coefficients of a smooth field.
    """

    gains: Sequence[np.ndarray]
    veils: Sequence[np.ndarray]

    def normalize(self, picture: np.ndarray, at: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
        """An (H, W, 3) uint8 picture under the reference's light.

        Its top-left lies ``at`` (x, y) px from that of the canvas on which the light was told.
        Beside the board the light is taken to be that of its nearest edge.
        """
        height, width = picture.shape[:2]
        ys, xs = np.mgrid[: height : height / 48, : width : width / 48][:, :48, :48]
        x = np.clip((xs.ravel() + at[0]) / width - 0.5, -0.5, 0.5)
        y = np.clip((ys.ravel() + at[1]) / height - 0.5, -0.5, 0.5)
        smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
        channels = []
        for c in range(3):
            gain = np.maximum(smooth @ self.gains[c], _LOWEST_GAIN).reshape(48, 48)
            veil = (smooth[:, :3] @ self.veils[c]).reshape(48, 48)
            gain_px, veil_px = (
                cv2.resize(field.astype(np.float32), (width, height)) for field in (gain, veil)
            )
            channels.append((picture[..., c] - veil_px) / gain_px)
        return np.asarray(np.clip(np.stack(channels, axis=2), 0, 255).astype(np.uint8))


def normalize_illumination(
    board: np.ndarray, reference: np.ndarray, mask: np.ndarray
) -> np.ndarray:
    """``board`` under the light of ``reference``, both (H, W, 3) uint8 on the same canvas.

    ``mask`` is (H, W) bool, true where the printed board lies.
    """
    return tell_illumination(board, reference, mask).normalize(board)


def tell_illumination(board: np.ndarray, reference: np.ndarray, mask: np.ndarray) -> Illumination:
    """The light on ``board``, arguments as for `normalize_illumination`."""
    height, width = mask.shape
    step = max(1, round(max(height, width) / _STEPS))
    shown = cv2.GaussianBlur(board, (0, 0), 2)[::step, ::step].astype(np.float64)
    known = cv2.GaussianBlur(reference, (0, 0), 2)[::step, ::step].astype(np.float64)
    ys, xs = np.mgrid[:height:step, :width:step]
    inside = cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8))[::step, ::step] > 0
    x, y = xs[inside] / width - 0.5, ys[inside] / height - 0.5
    smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    level = smooth[:, :3]
    weights = np.ones(len(x))
    gains = [np.zeros(6)] * 3
    veils = [np.zeros(3)] * 3
    for _ in range(_ROUNDS):
        errors = np.zeros(len(x))
        for c in range(3):
            target = shown[..., c][inside]
            basis = np.hstack([smooth * known[..., c][inside][:, None], level * 40.0])
            solution = _ridge(basis, target, weights)
            gains[c], veils[c] = solution[:6], solution[6:] * 40.0
            errors += (np.einsum("ni,i->n", basis, solution) - target) ** 2
        distance = np.sqrt(errors)
        cut = 4.0 * max(float(np.median(distance)), 2.0)
        weights = np.where(distance < cut, (1 - (distance / cut) ** 2) ** 2, 0.0)
    return Illumination(tuple(gains), tuple(veils))


def restore_saturated(normalized: np.ndarray, board: np.ndarray) -> np.ndarray:
    """``normalized``, (H, W, 3) uint8, with each channel at full where ``board`` has it at full.

    Where the camera saw no difference any more the channel is at least that bright. In
    even light an overexposed orange star is a brown one; so restored, it is orange.
    """
    return np.where(board >= _FULL, np.uint8(255), normalized)


def level_saturated(normalized: np.ndarray, board: np.ndarray) -> np.ndarray:
    """``normalized``, (H, W, 3) uint8, without the hues that ``board`` has for being overexposed.

    A channel at full was at least that bright: it is taken to be as bright as the brightest. In
    even light a white piece that was at full in red and green only is a blue one; so it is white.
    """
    full = board >= _FULL
    if not full.any():
        return normalized
    return np.where(full, normalized.max(axis=2, keepdims=True), normalized)


def _ridge(basis: np.ndarray, target: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted least squares, drawn a little to "no bend in the gain, no veil".

    ``einsum``, not ``@``: on matrices this small the BLAS threads wait longer than they work.
    """
    size = basis.shape[1]
    prior = np.full(size, 2e3)
    prior[0] = 1.0
    weighted = basis * weights[:, None]
    normal = np.einsum("ni,nj->ij", basis, weighted) + np.diag(prior)
    return np.linalg.solve(normal, np.einsum("ni,n->i", weighted, target))
