"""How alike two rectified pictures are in any light, or in the light that others lie in."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

_OUTLIER = 1.2
"""Residual, in standard deviations of the picture, beyond which something lies on the card."""
_SHARPNESS = 11.0
"""How much likelier a card is than another, as a power of e, where it looks wholly like itself."""
_FINE, _SMOOTH = 0.02, 0.05
"""How far pictures are blurred to compare two cards, and to compare channels, as a share of the
side: a photograph out of focus mixes what is fine, which takes a yellow star for an orange one."""
_TOLD_APART = 3.0
"""By so many grey levels of a photograph two cards differ somewhere where it tells them apart."""
_LIT, _OF_ONE_LIGHT, _LEAST_CONTRAST = 4, 0.1, 20.0
"""So many cards show the light's colour, where their channels' logarithms vary by no more; the
standard deviation of each channel of a picture that shows it."""
_LIT_ALIKE = 0.8
"""The share of them that have to lie in one light: others may be laid wrong, or in a reflection."""


def standardised(picture: np.ndarray) -> np.ndarray:
    """A picture with a mean of 0 in each channel, and a standard deviation of 1 in all."""
    even = picture.astype(np.float32)
    even -= even.mean(axis=(0, 1))
    return even / max(float(even.std()), 4.0)


def explained(seen: np.ndarray, known: np.ndarray) -> float:
    """The share of a picture that a known one explains, each channel as bright as it may be.

    What does not fit at all, such as a marker on the card, does no more harm than its area.
    """
    _, kept, apart = _fitted(seen, known)
    if kept.mean() < 0.3:
        return 0.0
    return float(1 - (np.minimum(apart, _OUTLIER) ** 2).mean())


def odds_of_other(
    seen: np.ndarray, known: np.ndarray, other: np.ndarray, light: np.ndarray | None = None
) -> float:
    """How likely a picture shows another card, to the known one: by where the two differ.

    What looks like neither lies under something else.
    """
    seen, known, other = (_smooth(one, _FINE) for one in (seen, known, other))
    (one, is_one, _), (two, is_two, _) = (_fitted(seen, own, light) for own in (known, other))
    kept, differs = is_one | is_two, two - one
    energy = float((differs[kept] ** 2).sum())
    if np.abs(differs[kept]).max(initial=0.0) < _TOLD_APART:
        return 1.0
    off = (seen.reshape(-1, 3) - (one + two) / 2)[kept]
    leaning = 2 * float((off * differs[kept]).sum()) / energy
    shown = energy / float((differs**2).sum())
    return float(np.exp(_SHARPNESS * np.clip(leaning, -1, 1) * min(1.0, 2 * shown)))


def common_light(pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> np.ndarray | None:
    """(3,) how bright each channel is beside the others, where pictures seen and known agree."""
    colours = []
    for seen, known in pairs:
        shown, basis = (_smooth(one, _SMOOTH).reshape(-1, 3).astype(float) for one in (seen, known))
        _, kept, _ = _fitted(shown, basis)
        slopes, _ = _lines(basis[kept], shown[kept])
        if basis.std(axis=0).min() > _LEAST_CONTRAST and slopes.min() > 1e-3:
            colours.append(np.log(slopes / slopes.mean()))
    if len(colours) < _LIT:
        return None
    usual = np.median(colours, axis=0)
    off = np.abs(colours - usual).max(axis=1)
    return np.asarray(np.exp(usual)) if np.quantile(off, _LIT_ALIKE) < _OF_ONE_LIGHT else None


def _smooth(picture: np.ndarray, share: float) -> np.ndarray:
    return cv2.GaussianBlur(picture, (0, 0), share * len(picture))


def _fitted(
    seen: np.ndarray, known: np.ndarray, light: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(N, 3) a known picture in a seen one's light, (N,) bool what fits, (N,) the misfit."""
    basis, shown = (one.reshape(-1, 3).astype(float) for one in (known, seen))
    kept = np.ones(len(shown), bool)
    for _ in range(3):
        slopes, offsets = _lines(basis[kept], shown[kept], light)
        fitted = basis * slopes + offsets
        spread = max(float(shown[kept].std()), 4.0)
        apart = np.sqrt(((fitted - shown) ** 2).mean(axis=1)) / spread
        kept = apart < _OUTLIER
        if kept.mean() < 0.3:
            break
    return fitted, kept, apart


def _lines(
    x: np.ndarray, y: np.ndarray, light: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(3,) slopes, not below 0, and offsets of the lines through (N, 3) points, a channel each.

    In a known (3,) light the slopes are to one another as it is.
    """
    away = x - x.mean(axis=0)
    common, spread = (away * (y - y.mean(axis=0))).sum(axis=0), (away**2).sum(axis=0)
    if light is None:
        slopes = np.maximum(common / np.maximum(spread, 1e-6), 0.0)
    else:
        slopes = light * max(float(light @ common / max(float(light**2 @ spread), 1e-6)), 0.0)
    return slopes, y.mean(axis=0) - slopes * x.mean(axis=0)
