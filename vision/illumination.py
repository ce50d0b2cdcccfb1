"""Normalize the illumination: what the photograph would show under the reference's own light.

Every pixel of the empty board is known from the reference, so the board is its own colour card.
Photograph and reference are tied by ``photo = gain(x, y) * reference + veil(x, y)`` for each
channel, gain and veil smooth over the board; stars are outliers to the fit, which is a robust one
(iteratively reweighted least squares, Tukey's biweight). Where pieces cover most of a board, they
are no outliers: then the fit begins from the largest set of px that are lit alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

_STEPS = 77
"""So many pixels across the board tell the light."""
_ROUNDS = 6
_SAME_COURSE = 30.0, 30.0, 10.0, 3.0, 1.0, 0.0
"""How much all channels are taken to fade alike across the board, beside what each of them shows:
pieces that fill an edge would else pass for light of their colour. By the last round they are known
for outliers, and a lamp may well be warmer on one side than a window on the other."""
_VEIL = 40.0
"""Levels of the veil that a gain of one is as likely as."""
_LOWEST_GAIN = 0.06
_FAINTEST = 0.4
"""A channel of so small a share of the usual gain is tried without a veil: on a plain board the two
are hardly told apart, and what is divided by next to nothing is noise."""
_AS_WELL = 3.0
"""What it may fit worse without."""
_ALIKE = 0.3
"""So near to each other, as logarithms, gains of one light lie, of whatever px of a board."""
_TRIED = 64
"""So many px are tried for whether most others are lit like them."""
_DARKEST = 16.0
"""Levels added to both before gains are compared: those of dark px are noise."""
_NOISE = 8.0
"""Levels by which px of the print differ from what their light makes of it."""
_WELL = 0.4
"""The fit of all px that explains such a share of them is not one of pieces: it needs no other."""
_CLEARLY = 1.2
"""How many times as many px the fit from px lit alike has to explain, to replace the fit of all."""
_FULL = 247
_COLOURS_STAY = 0.015
"""How much colours are taken to be the same in both cameras: the variance that outweighs it."""


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
            lit = (picture[..., c] - veil_px) / gain_px
            channels.append(np.clip(lit, 0, 255, out=lit).astype(np.uint8))
        return np.asarray(cv2.merge(channels))

    def normalize_paler(self, patches: np.ndarray, at: np.ndarray) -> np.ndarray:
        """(N, P, Q, 3) uint8 patches with half of the veil left, and white as white as without it.

        They lie about (N, 2) ``at``, 0 to 1 across and down the canvas. Faint ink looks like a veil
        on the board, but pieces are not printed: without it they are more vivid than they are.
        """
        x, y = at.T - 0.5
        smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
        gain = np.maximum(smooth @ np.array(self.gains).T, _LOWEST_GAIN)
        left = smooth[:, :3] @ np.array(self.veils).T / 2
        white = np.maximum(255 * gain + left, _DARKEST)
        lit = (patches - left[:, None, None]) / white[:, None, None] * 255
        return np.asarray(np.clip(lit, 0, 255).astype(np.uint8))


def normalize_illumination(
    board: np.ndarray, reference: np.ndarray, mask: np.ndarray
) -> np.ndarray:
    """``board`` under the light of ``reference``, both (H, W, 3) uint8 on the same canvas.

    ``mask`` is (H, W) bool, true where the printed board lies.
    """
    return tell_illumination(board, reference, mask).normalize(board)


def tell_illumination(board: np.ndarray, reference: np.ndarray, mask: np.ndarray) -> Illumination:
    """The light on ``board``, arguments as for `normalize_illumination`."""
    return ReferenceLight(reference, mask).tell(board)


class ReferenceLight:
    """Knows one reference and tells the light on boards beside it."""

    def __init__(self, reference: np.ndarray, mask: np.ndarray) -> None:
        """Both as for `normalize_illumination`."""
        height, width = mask.shape
        self._step = step = max(1, round(max(height, width) / _STEPS))
        ys, xs = np.mgrid[:height:step, :width:step]
        self._inside = inside = (
            cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8))[::step, ::step] > 0
        )
        x, y = xs[inside] / width - 0.5, ys[inside] / height - 0.5
        self._smooth = smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
        veil = smooth[:, :3] * _VEIL
        self._bases = np.array(
            [np.hstack([smooth * known[:, None], veil]) for known in self._sampled(reference)]
        )

    def _sampled(self, picture: np.ndarray) -> np.ndarray:
        """(3, N) levels of a picture where the light is told from."""
        blurred = cv2.GaussianBlur(picture, (0, 0), 2)[:: self._step, :: self._step]
        return np.ascontiguousarray(blurred[self._inside].T.astype(np.float64))

    def tell(self, board: np.ndarray) -> Illumination:
        """The light on a ``board``, as for `normalize_illumination`."""
        bases, shown = self._bases, self._sampled(board)
        coefficients, weights, explains = self._fit(shown)
        if explains < _WELL * shown.shape[1]:
            other, rest, more = self._fit(shown, self._most_alike(shown))
            if more > _CLEARLY * explains:
                coefficients, weights = other, rest
        fields = coefficients[:, :6] @ self._smooth.T
        faint = (fields < _FAINTEST * np.median(fields, axis=0)).any(axis=1)
        for c in np.flatnonzero(faint):
            lit, target = bases[c, :, :6], shown[c]
            plain = _ridge(lit, target, weights)
            off = weights @ (lit @ plain - target) ** 2
            if off < _AS_WELL * (weights @ (bases[c] @ coefficients[c] - target) ** 2):
                coefficients[c] = [*plain, 0, 0, 0]
        return Illumination(tuple(coefficients[:, :6]), tuple(coefficients[:, 6:] * _VEIL))

    def _fit(
        self, shown: np.ndarray, bare: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """(3, 9) gains and veils, (N,) how much each px tells of them and how many they explain.

        ``bare`` (N,) bool are the px to begin from, or else most are taken to be.
        """
        weights, coefficients = np.ones(shown.shape[1]), np.zeros((3, 9))
        if bare is not None:
            weights = bare.astype(float)
        for tie in _SAME_COURSE:
            coefficients = _tied(self._bases, shown, weights, tie)
            off = (self._bases @ coefficients[..., None])[..., 0] - shown
            distance = np.sqrt((off**2).sum(axis=0))
            usual = np.median(distance if bare is None else distance[weights > 0])
            weights = _biweight(distance, max(float(usual), 2.0))
        return coefficients, weights, float(np.exp(-((distance / _NOISE) ** 2) / 2).sum())

    def _most_alike(self, shown: np.ndarray) -> np.ndarray:
        """(N,) bool: those px that are lit alike, the most that are."""
        known = self._bases[:, :, 0]
        gains = np.log(np.maximum(shown, 0) + _DARKEST) - np.log(np.maximum(known, 0) + _DARKEST)
        tried = gains[:, :: max(1, gains.shape[1] // _TRIED)]
        near = ((gains[:, :, None] - tried[:, None]) ** 2).sum(axis=0) < _ALIKE**2
        return np.asarray(near[:, near.sum(axis=0).argmax()])


def _biweight(distance: np.ndarray, usual: float) -> np.ndarray:
    """(N,) Tukey's weights of what lies (N,) off a fit, where it ``usual``ly does so far."""
    return np.where(distance < 4 * usual, (1 - (distance / (4 * usual)) ** 2) ** 2, 0.0)


def agree_on_colours(board: np.ndarray, reference: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """``board``, (H, W, 3) uint8 in the reference's light, as the reference's camera shows colours.

    Two cameras differ in their tone curves and primaries, of which gain and veil know nothing: an
    empty orange place becomes a yellow one. ``reference`` and ``mask`` are as for
    `normalize_illumination`, and the two pictures lie exactly upon one another.
    """
    step = max(1, round(max(mask.shape) / _STEPS))
    inside = cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8))[::step, ::step] > 0
    seen, known = (cv2.blur(one, (3, 3))[::step, ::step][inside] for one in (board, reference))
    colours = tell_colours(seen / np.float32(255), known / np.float32(255))
    levels = np.arange(256, dtype=np.float32)
    bent = cv2.LUT(board, np.repeat((levels * (1 - levels / 255))[:, None, None], 3, axis=2))
    linear, offset = colours[1:4].T, 255 * colours[:1].T
    shown = cv2.transform(board.astype(np.float32), np.hstack([linear, offset]))
    shown = cv2.add(shown, cv2.transform(bent, np.ascontiguousarray(colours[4:].T)))
    return np.asarray(np.clip(shown, 0, 255).astype(np.uint8))


def colour_terms(seen: np.ndarray) -> np.ndarray:
    """(N, 7) what colours are told from, of (N, 3) of 0 to 1: 1, each channel, each one's bend."""
    return np.hstack([np.ones((len(seen), 1), seen.dtype), seen, seen * (1 - seen)])


def tell_colours(seen: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(7, 3) that take `colour_terms` of ``seen`` to ``known``, both (N, 3) of 0 to 1, robustly."""
    same = np.vstack([np.zeros((1, 3)), np.eye(3), np.zeros((3, 3))])
    if not len(seen):
        return same
    terms, away = colour_terms(seen.astype(np.float64)), known.astype(np.float64) - seen
    prior = len(seen) * np.diag([2e-3] + 6 * [_COLOURS_STAY])
    weights, coefficients = None, np.zeros((7, 3))
    for _ in range(_ROUNDS):
        off = np.linalg.norm(away - terms @ coefficients, axis=1)
        bare = off[weights > 0] if weights is not None else off[off < _ALIKE]
        weights = _biweight(off, max(float(np.median(bare)) if len(bare) else 0.0, 0.012))
        weighted = terms * weights[:, None]
        coefficients = np.linalg.solve(weighted.T @ terms + prior, weighted.T @ away)
    return np.asarray(same + coefficients)


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
    return np.where(full, brightest(normalized)[..., None], normalized)


def brightest(picture: np.ndarray) -> np.ndarray:
    """(H, W) the brightest of the channels of an (H, W, 3) uint8 picture."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(first, second), third))


def _tied(bases: np.ndarray, targets: np.ndarray, weights: np.ndarray, tie: float) -> np.ndarray:
    """(3, 9) gains and veils of the channels, each of which is drawn to fade as all of them do.

    ``bases`` are (3, N, 9), ``targets`` (3, N).
    """
    normal, pulled = _sums(bases, targets, weights)
    alone = np.linalg.solve(normal, pulled)[..., 0]
    course = alone.sum(axis=0) / max(alone[:, 0].sum(), _LOWEST_GAIN)
    held = tie * np.diagonal(normal, axis1=1, axis2=2).copy()
    held[:, [0, 6]] = 0
    drawn = normal + held[:, None] * np.eye(9)
    course = held * course * alone[:, :1]
    return np.asarray(np.linalg.solve(drawn, pulled + course[..., None])[..., 0])


def _ridge(basis: np.ndarray, target: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted least squares, drawn a little to "no bend in the gain, no veil"."""
    return np.asarray(np.linalg.solve(*_sums(basis, target, weights))[..., 0])


def _sums(
    basis: np.ndarray, target: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The normal equations of `_ridge`, of (..., N, T) bases: (..., T, T) and (..., T, 1)."""
    prior = np.full(basis.shape[-1], 2e3)
    prior[0] = 1.0
    weighted = (basis * weights[:, None]).swapaxes(-1, -2)
    return weighted @ basis + np.diag(prior), weighted @ target[..., None]
