"""Normalize the illumination: the photograph as it would be in the reference's light.

Every pixel of the empty board is known from the reference, so the board is its own colour card.
Photograph and reference are related by ``photo = gain(x, y) * reference + veil(x, y)`` for each
channel, gain and veil smooth over the board; stars are outliers to the fit, which is robust
(iteratively reweighted least squares, Tukey's biweight). Pieces that cover most of a board are no
outliers: then the fit starts from the largest set of px with similar gains.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

_STEPS = 77
"""Number of pixels across the board used to estimate the light."""
_ROUNDS = 6
_SAME_COURSE = 30.0, 30.0, 10.0, 3.0, 1.0, 0.0
"""Weights, per round, of a prior that all channels fade alike across the board.

Otherwise pieces that fill an edge would pass for light of their colour. By the last round they are
known to be outliers, and a lamp on one side may well be warmer than a window on the other."""
_VEIL = 40.0
"""Levels of veil that are as likely as a gain of one."""
_PRIOR, _ALIKE_OFF = 2e3, 200.0
"""Least weight of the prior for no bend in the gain and no veil, in squared levels; and the number
of px that differ from the model for one reason, a shadow or another printing. Where most do, a
plain print hardly tells gain from veil."""
_LEAST_VEIL = -2.0
"""Levels of veil below which a fit is mistaken: no haze takes light away."""
_UNEXPLAINED = 0.15
"""Share of the variance of bare px from which noise hides the print's contrast: least squares then
take a plain print for a faint one under haze."""
_LOWEST_GAIN = 0.06
_BLACK, _BLACKENED = 4.0, 0.03
"""Level up to which a channel is empty, and the share of px in which one may be."""
_FAINTEST = 0.4
"""Share of the usual gain below which a channel is tried without a veil.

On a plain board the two are hardly distinguishable, and dividing by next to nothing is noise."""
_AS_WELL = 3.0
"""Ratio by which the fit without a veil may be worse."""
_ALIKE = 0.3
"""Largest distance between gains of one light, as logarithms, anywhere on a board."""
_TRIED = 64
"""Number of px tried as centres of the largest set with similar gains."""
_DARKEST = 16.0
"""Levels added to both before gains are compared: dark px are noisy."""
_NOISE = 8.0
"""Levels by which px of the print differ from the model."""
_WELL = 0.4
"""Share of px explained from which the fit of all px is accepted."""
_CLEARLY = 1.2
"""Ratio of explained px by which the fit from similar px must be better, to replace it."""
_FULL = 247
_SATURATED, _OVEREXPOSED = 240, 0.25
"""Level from which a blurred px may be saturated, and the share of such px in a faint channel from
which a board is overexposed: white and pale print are the same then, which looks like a veil."""
_FLATTENED = 0.3
"""Gain below which the print of a board with saturated px is almost burnt out."""
_MORE_ROUNDS = 6 * (0.0,)
"""Weights of that prior in further rounds on overexposed boards."""
_COLOURS_STAY = 0.015
"""Prior that both cameras show the same colours: the variance that outweighs it."""
_BARE_DIFFERS = 0.012, 0.08
"""Least and most by which bare px usually differ: more, and pieces that cover a board pass for
its print, which bleaches them."""


@dataclass(frozen=True, eq=False)
class Illumination:
    """The light of a photograph relative to the reference's, over one board.

    ``gains`` are three channels' (6,) coefficients of a smooth field, ``veils`` their (3,) or (6,).
    """

    gains: Sequence[np.ndarray]
    veils: Sequence[np.ndarray]
    overexposed: bool = False

    def normalize(
        self, picture: np.ndarray, at: tuple[float, float] = (0.0, 0.0), removed: float = 1.0
    ) -> np.ndarray:
        """An (H, W, 3) uint8 picture in the reference's light, white unchanged.

        Its top-left is ``at`` (x, y) px from that of the canvas on which the light was estimated.
        Outside the board the light of its nearest edge is used. ``removed`` is a share of the veil.
        """
        channels = []
        fields = self.fields(picture.shape[:2], at)
        for channel, (gain, veil) in zip(cv2.split(picture), fields, strict=True):
            lit, white = channel - veil, gain
            if removed < 1:
                lit += (1 - removed) * veil
                white = np.maximum(gain + (1 - removed) * veil / 255, _LOWEST_GAIN)
            lit /= white
            channels.append(np.clip(lit, 0, 255, out=lit).astype(np.uint8))
        return np.asarray(cv2.merge(channels))

    def removable(self, picture: np.ndarray, where: np.ndarray) -> float:
        """The share of the veil, a half at least, that leaves something in all channels.

        That is in nearly all pixels of a picture, (H, W, 3) uint8, that are ``where`` (H, W) bool:
        the dark channel prior (He, Sun and Tang, 2009). On pieces the veil is often thinner than on
        a print, whose faint ink looks like one.
        """
        if not where.any():
            return 1.0
        shares = [
            (picture[..., c][where] - _BLACK * gain[where]) / np.maximum(veil[where], 1)
            for c, (gain, veil) in enumerate(self.fields(picture.shape[:2]))
        ]
        return float(np.clip(np.quantile(np.min(shares, axis=0), _BLACKENED), 0.5, 1.0))

    def is_burnt_out(self, seen: np.ndarray) -> bool:
        """Whether hardly any contrast of the print is left on a board of (N, 3) uint8 px."""
        over = (seen >= _SATURATED).mean(axis=0) > _OVEREXPOSED
        contrast = float(np.median([gain[0] for gain in self.gains]))
        return bool(over.any()) and contrast < _FLATTENED

    def fields(
        self, size: tuple[int, int], at: tuple[float, float] = (0.0, 0.0)
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The gain and the veil of each channel, (H, W) float32, as for `normalize`."""
        height, width = size
        ys, xs = np.mgrid[: height : height / 48, : width : width / 48][:, :48, :48]
        x = np.clip((xs.ravel() + at[0]) / width - 0.5, -0.5, 0.5)
        y = np.clip((ys.ravel() + at[1]) / height - 0.5, -0.5, 0.5)
        smooth = _terms(x, y)
        for c in range(3):
            gain = np.maximum(smooth @ self.gains[c], _LOWEST_GAIN).reshape(48, 48)
            veil = (smooth[:, : len(self.veils[c])] @ self.veils[c]).reshape(48, 48)
            gain_px, veil_px = (
                cv2.resize(field.astype(np.float32), (width, height)) for field in (gain, veil)
            )
            yield gain_px, veil_px

    def normalize_paler(self, patches: np.ndarray, at: np.ndarray) -> np.ndarray:
        """(N, P, Q, 3) uint8 patches with half of the veil kept, and white unchanged.

        They are about (N, 2) ``at``, 0 to 1 across and down the canvas. Faint ink looks like a veil
        on the board, but pieces are not printed: removing all of it makes them too vivid.
        """
        x, y = at.T - 0.5
        smooth = _terms(x, y)
        gain = np.maximum(smooth @ np.array(self.gains).T, _LOWEST_GAIN)
        veils = np.array(self.veils).T
        left = smooth[:, : len(veils)] @ veils / 2
        white = np.maximum(255 * gain + left, _DARKEST)
        lit = (patches - left[:, None, None]) / white[:, None, None] * 255
        return np.asarray(np.clip(lit, 0, 255).astype(np.uint8))


def normalize_illumination(
    board: np.ndarray, reference: np.ndarray, mask: np.ndarray
) -> np.ndarray:
    """``board`` in the light of ``reference``, both (H, W, 3) uint8 on the same canvas.

    ``mask`` is (H, W) bool, true on the printed board.
    """
    return estimate_illumination(board, reference, mask).normalize(board)


def estimate_illumination(
    board: np.ndarray, reference: np.ndarray, mask: np.ndarray
) -> Illumination:
    """The light on ``board``, arguments as for `normalize_illumination`."""
    return ReferenceLight(reference, mask).estimate(board)


class ReferenceLight:
    """Estimates the light on boards relative to one reference.

    The veil is a plane, or a quadratic field where ``glare_bends``: near a lamp or a window. If
    so many terms take one for the other, the prior for them weighs the more, the worse the print
    fits.
    """

    def __init__(self, reference: np.ndarray, mask: np.ndarray, glare_bends: bool = False) -> None:
        self._glare_bends = glare_bends
        height, width = mask.shape
        self._step = step = max(1, round(max(height, width) / _STEPS))
        ys, xs = np.mgrid[:height:step, :width:step]
        self._inside = inside = (
            cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8))[::step, ::step] > 0
        )
        x, y = xs[inside] / width - 0.5, ys[inside] / height - 0.5
        self._smooth = smooth = _terms(x, y)
        veil = smooth[:, : 6 if glare_bends else 3] * _VEIL
        self._bases = np.array(
            [np.vstack([smooth.T * known, veil.T]) for known in self._sampled(reference)]
        )
        """(3, T, N), the terms of each channel's model at the sample points."""

    def _sampled(self, picture: np.ndarray) -> np.ndarray:
        """(3, N) levels of a picture at the sample points."""
        blurred = cv2.GaussianBlur(picture, (0, 0), 2)[:: self._step, :: self._step]
        return np.ascontiguousarray(blurred[self._inside].T.astype(np.float64))

    def estimate(self, board: np.ndarray) -> Illumination:
        """The light on a ``board``, as for `normalize_illumination`."""
        bases, shown = self._bases, self._sampled(board)
        over = (shown >= _SATURATED).mean(axis=1) > _OVEREXPOSED
        coefficients, weights = self._robust_fit(shown)
        faint = self._faint(coefficients)
        if overexposed := bool((faint & over).any()):
            coefficients, weights, _ = self._fit(shown, over=over)
            faint[:] = False
        elif self._glare_bends and (
            faint.any()
            or _VEIL * coefficients[:, 6].min() < _LEAST_VEIL
            or self._hardly_explains(coefficients, shown, weights)
        ):
            coefficients, weights = self._robust_fit(shown, _ALIKE_OFF)
            faint = self._faint(coefficients)
        for c in np.flatnonzero(faint):
            lit, target = bases[c, :6], shown[c]
            plain = _ridge(lit, target, weights)
            off = weights @ (plain @ lit - target) ** 2
            if off < _AS_WELL * (weights @ (coefficients[c] @ bases[c] - target) ** 2):
                coefficients[c] = 0
                coefficients[c, :6] = plain
        veils = tuple(coefficients[:, 6:] * _VEIL)
        return Illumination(tuple(coefficients[:, :6]), veils, overexposed)

    def _faint(self, coefficients: np.ndarray) -> np.ndarray:
        """(3,) bool: the channels in which hardly any gain is left somewhere on the board."""
        fields = coefficients[:, :6] @ self._smooth.T
        return np.asarray((fields < _FAINTEST * np.median(fields, axis=0)).any(axis=1))

    def _hardly_explains(
        self, coefficients: np.ndarray, shown: np.ndarray, weights: np.ndarray
    ) -> bool:
        """Whether a fit leaves much of the variance of the px, (3, N), by ``weights`` (N,)."""
        off = shown - (coefficients[:, None] @ self._bases)[:, 0]
        mean = shown @ weights / max(weights.sum(), 1.0)
        apart = shown - mean[:, None]
        return bool((off**2 @ weights).sum() > _UNEXPLAINED * (apart**2 @ weights).sum())

    def _robust_fit(self, shown: np.ndarray, wary: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """(3, T) gains and veils, and (N,) weights of the px, by the better of two starts."""
        coefficients, weights, explains = self._fit(shown, wary=wary)
        if explains < _WELL * shown.shape[1]:
            other, rest, more = self._fit(shown, self._most_alike(shown), wary=wary)
            if more > _CLEARLY * explains:
                return other, rest
        return coefficients, weights

    def _fit(
        self,
        shown: np.ndarray,
        bare: np.ndarray | None = None,
        over: np.ndarray | None = None,
        wary: float = 0.0,
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """(3, T) gains and veils, (N,) weights of the px, and how many px are explained.

        ``bare`` (N,) bool marks the px to start from; by default all. From those, the usual
        residual never grows, lest pieces join them one after another. Of an overexposed board,
        saturated px were at least that bright, and channels that are ``over``, (3,) bool, have no
        veil. ``wary`` is a weight of the prior per squared level by which px usually differ.
        """
        weights, coefficients = np.ones(shown.shape[1]), np.zeros(self._bases.shape[:2])
        if bare is not None:
            weights = bare.astype(float)
        bases, target = self._bases, shown
        rounds: tuple[float, ...] = _SAME_COURSE
        prior, usual = _PRIOR, np.inf
        if over is not None:
            bases, rounds = bases.copy(), _SAME_COURSE + _MORE_ROUNDS
            bases[over, 6:] = 0
        for tie in rounds:
            coefficients = _tied(bases, target, weights, tie, prior)
            known = (coefficients[:, None] @ bases)[:, 0]
            if over is not None:
                target = np.where(shown >= _SATURATED, np.maximum(shown, known), shown)
            off = known - target
            distance = np.sqrt((off**2).sum(axis=0))
            counted = distance if bare is None else distance[weights > 0]
            spread = max(float(np.median(counted)), 2.0)
            usual = spread if bare is None else min(spread, usual)
            weights = _biweight(distance, usual)
            prior = max(_PRIOR, wary * usual**2)
        return coefficients, weights, float(np.exp(-((distance / _NOISE) ** 2) / 2).sum())

    def _most_alike(self, shown: np.ndarray) -> np.ndarray:
        """(N,) bool: the largest set of px with similar gains."""
        known = self._bases[:, 0]
        gains = np.log(np.maximum(shown, 0) + _DARKEST) - np.log(np.maximum(known, 0) + _DARKEST)
        tried = gains[:, :: max(1, gains.shape[1] // _TRIED)]
        near = ((gains[:, :, None] - tried[:, None]) ** 2).sum(axis=0) < _ALIKE**2
        return np.asarray(near[:, near.sum(axis=0).argmax()])


def _terms(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(N, 6) terms of a quadratic field at (N,) coordinates, -0.5 to 0.5 across the board."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _biweight(distance: np.ndarray, usual: float) -> np.ndarray:
    """(N,) Tukey weights of residuals (N,) whose ``usual`` size is given."""
    return np.where(distance < 4 * usual, (1 - (distance / (4 * usual)) ** 2) ** 2, 0.0)


def agree_on_colours(board: np.ndarray, reference: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """``board``, (H, W, 3) uint8 in the reference's light, with the reference camera's colours.

    Two cameras differ in their tone curves and primaries, which gain and veil do not model: an
    empty orange place becomes yellow. ``reference`` and ``mask`` are as for
    `normalize_illumination`, and the two pictures are exactly aligned.
    """
    step = max(1, round(max(mask.shape) / _STEPS))
    inside = cv2.erode(mask.astype(np.uint8), np.ones((9, 9), np.uint8))[::step, ::step] > 0
    seen, known = (cv2.blur(one, (3, 3))[::step, ::step][inside] for one in (board, reference))
    colours = fit_colours(seen / np.float32(255), known / np.float32(255))
    levels = np.arange(256, dtype=np.float32)
    bent = cv2.LUT(board, np.repeat((levels * (1 - levels / 255))[:, None, None], 3, axis=2))
    linear, offset = colours[1:4].T, 255 * colours[:1].T
    shown = cv2.transform(board.astype(np.float32), np.hstack([linear, offset]))
    shown = cv2.add(shown, cv2.transform(bent, np.ascontiguousarray(colours[4:].T)))
    return np.asarray(np.clip(shown, 0, 255).astype(np.uint8))


def colour_terms(seen: np.ndarray) -> np.ndarray:
    """(N, 7) regression terms of (N, 3) colours from 0 to 1: 1, each channel, each one's bend."""
    return np.hstack([np.ones((len(seen), 1), seen.dtype), seen, seen * (1 - seen)])


def fit_colours(seen: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(7, 3) that map `colour_terms` of ``seen`` to ``known``, both (N, 3) of 0 to 1, robustly."""
    same = np.vstack([np.zeros((1, 3)), np.eye(3), np.zeros((3, 3))])
    if not len(seen):
        return same
    terms, away = colour_terms(seen.astype(np.float64)), known.astype(np.float64) - seen
    prior = len(seen) * np.diag([2e-3] + 6 * [_COLOURS_STAY])
    weights, coefficients, usual = None, np.zeros((7, 3)), np.inf
    for _ in range(_ROUNDS):
        off = np.linalg.norm(away - terms @ coefficients, axis=1)
        bare = off[weights > 0] if weights is not None else off[off < _ALIKE]
        usual = min(float(np.median(bare)) if len(bare) else 0.0, usual)
        usual = float(np.clip(usual, *_BARE_DIFFERS))
        weights = _biweight(off, usual)
        weighted = terms * weights[:, None]
        coefficients = np.linalg.solve(weighted.T @ terms + prior, weighted.T @ away)
    return np.asarray(same + coefficients)


def restore_saturated(normalized: np.ndarray, board: np.ndarray) -> np.ndarray:
    """``normalized``, (H, W, 3) uint8, with each channel saturated where ``board`` is.

    A saturated channel was at least that bright. In even light an overexposed orange star is brown;
    so restored, it is orange.
    """
    _, full = cv2.threshold(board, _FULL - 1, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_or(normalized, full))


def restore_print(normalized: np.ndarray, board: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """``normalized``, (H, W, 3) uint8, with the print where ``board`` is saturated.

    A saturated channel was at least that bright: as bright as the print, if that is brighter.
    """
    return np.where(board >= _SATURATED, np.maximum(normalized, reference), normalized)


def level_saturated(normalized: np.ndarray, board: np.ndarray) -> np.ndarray:
    """``normalized``, (H, W, 3) uint8, without the hues due to overexposure of ``board``.

    A saturated channel was at least that bright: it is set to the brightest. In even light a white
    piece that was saturated in red and green only is blue; so levelled, it is white.
    """
    full = board >= _FULL
    if not full.any():
        return normalized
    return np.where(full, brightest(normalized)[..., None], normalized)


def brightest(picture: np.ndarray) -> np.ndarray:
    """(H, W) maximum of the channels of an (H, W, 3) uint8 picture."""
    first, second, third = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(first, second), third))


def _tied(
    bases: np.ndarray, targets: np.ndarray, weights: np.ndarray, tie: float, prior: float
) -> np.ndarray:
    """(3, T) gains and veils of the channels, each drawn to fade as all of them do.

    ``bases`` are (3, T, N), ``targets`` (3, N).
    """
    normal, pulled = _sums(bases, targets, weights, prior)
    alone = np.linalg.solve(normal, pulled)[..., 0]
    course = alone.sum(axis=0) / max(alone[:, 0].sum(), _LOWEST_GAIN)
    penalty = tie * np.diagonal(normal, axis1=1, axis2=2).copy()
    penalty[:, [0, 6]] = 0
    tied = normal + penalty[:, None] * np.eye(bases.shape[1])
    course = penalty * course * alone[:, :1]
    return np.asarray(np.linalg.solve(tied, pulled + course[..., None])[..., 0])


def _ridge(basis: np.ndarray, target: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted least squares with a weak prior for "no bend in the gain, no veil"."""
    return np.asarray(np.linalg.solve(*_sums(basis, target, weights))[..., 0])


def _sums(
    basis: np.ndarray, target: np.ndarray, weights: np.ndarray, prior: float = _PRIOR
) -> tuple[np.ndarray, np.ndarray]:
    """The normal equations of `_ridge`, of (..., T, N) bases: (..., T, T) and (..., T, 1)."""
    priors = np.full(basis.shape[-2], prior)
    priors[0] = 1.0
    weighted = basis * weights
    return weighted @ basis.swapaxes(-1, -2) + np.diag(priors), weighted @ target[..., None]
