"""Kit evidence: what swatches of the owner's pieces add to what the set classifier says.

The classifier knows pieces as they are in the world at large. A swatch says what one kind of this
set looks like, in the light in which it was taught; the other pieces of a board say it in the light
at hand. So each piece is held against both: kinds are likely whose swatches and whose other pieces
look like it. How the taught light becomes the one at hand is found together with the kinds
(expectation maximization; Dempster, Laird and Rubin, 1977). Where it does not, swatches look like
nothing on the board and say nearly nothing.

Whether a piece lies on a place at all is left to the classifier; swatches say which one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.colour_profile import BRIGHTNESS, ColourProfile, log_opponents
from vision.set_classifier import is_washed_out, middle_colours, vivid_colours

_SPREAD = 0.13
"""How far two sights of one piece in the same light lie apart, a scale of `_coordinates`."""
_FREEDOM = 2.0
"""Degrees of freedom of that distribution, Student's t: gloss and shade make for long tails."""
_SHIFT, _BEND = 0.3, 0.3
"""Standard deviations of what another light shifts all colours by, and of how much it stretches and
turns them among one another: haze and a camera's vividness do that."""
_SHARPNESS = 5.0
"""Log density of a sight at its own piece's colour, where that of the world's pieces is 0."""
_WORLD, _SWATCH = 1.0, 2.0
"""What a kind's looks in the world, and a swatch, count for, in pieces of the same board."""
_STRAY = 0.2
"""The share of pieces that look like none of their kind: a mirrored lamp, a shaded side."""
_DISPUTED = 0.15
"""How likely the classifier is right against all swatches, and the swatches against it.

So a piece is doubtful of which one of them, however surely, says something else.
"""
_HALF = 0.5
"""What the classifier's log odds count for beside the swatches alone: of strange sets it is surer
than it has reason to be."""
_SUREST = 1e-3
"""The least chance that the classifier leaves any kind, before swatches are asked."""
_UNEVEN = 0.5
"""How much of the difference between a piece's middle and its most vivid part is doubt of both."""
_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class PieceColours:
    """What N pieces show: (N, 3) ``bgr`` under the reference's light, and (N,) how ``uneven``.

    That is how far parts of one piece lie apart, a scale in hue and brightness.
    """

    bgr: np.ndarray
    uneven: np.ndarray

    @classmethod
    def of(cls, described: np.ndarray) -> PieceColours:
        """Of pieces with (N, F) `vision.set_classifier.features`.

        A piece that is washed out is as uneven as can be: it shows a lamp.
        """
        vivid, middle = vivid_colours(described), middle_colours(described)
        apart = _coordinates(np.maximum(vivid, 0)) - _coordinates(np.maximum(middle, 0))
        uneven = np.linalg.norm(apart, axis=1)
        return cls(vivid, np.where(is_washed_out(described), np.inf, uneven))


@dataclass(frozen=True, eq=False)
class _Swatches:
    """S swatches' (S, 3) coordinates, and of which of K kinds each is, (S, K) 0 or 1.

    ``light`` (4, 3) is what the light at hand adds to them: a stretch about their middle, a shift.
    """

    at: np.ndarray
    of_kind: np.ndarray
    light: np.ndarray

    @property
    def _terms(self) -> np.ndarray:
        """(S, 4) the coordinates from the kinds' middle, and 1."""
        counts = self.of_kind.sum(axis=0)
        of_each = (self.of_kind.T @ self.at)[counts > 0] / counts[counts > 0, None]
        return np.hstack([self.at - of_each.mean(axis=0), np.ones((len(self.at), 1))])

    def off(self, colours: np.ndarray) -> np.ndarray:
        """(N, S, 3) how far pieces of (N, 3) coordinates are from each swatch in that light."""
        return np.asarray(colours[:, None] - (self.at + self._terms @ self.light))

    def in_light_of(
        self, colours: np.ndarray, variance: np.ndarray, kinds: np.ndarray
    ) -> _Swatches:
        """The same in the light in which the pieces look like swatches of the (N, K) ``kinds``.

        ``kinds`` are how surely each piece is there and of each kind, ``variance`` (N,) that of its
        colour. Weighted least squares, drawn to the light in which they were taught.
        """
        off, terms = self.off(colours), self._terms
        distance = (off**2).sum(axis=-1) / variance[:, None]
        seen = _density(off, variance[:, None])
        weights = kinds @ self.of_kind.T * seen / (seen + 1)
        weights *= (_FREEDOM + 3) / (_FREEDOM + distance) / variance[:, None]
        pulled = np.einsum("ns,nsd->sd", weights, colours[:, None] - self.at)
        normal = terms.T @ (terms * weights.sum(axis=0)[:, None])
        prior = np.diag([_BEND**-2] * 3 + [_SHIFT**-2])
        return _Swatches(self.at, self.of_kind, np.linalg.solve(normal + prior, terms.T @ pulled))


def weigh_colours(
    odds: np.ndarray, colours: PieceColours, classes: Sequence[str], colour_profile: ColourProfile
) -> np.ndarray:
    """(N, C + 1) log probabilities of each class and of "empty" in the light of a colour profile.

    ``odds`` (N, C + 1) are the classifier's of the places of one board, ``colours`` what shows
    there. Without swatches of these classes it stays as it is.
    """
    known = [swatch for swatch in colour_profile.swatches if swatch.piece in classes]
    if not known:
        return odds
    kind = np.array([list(classes).index(swatch.piece) for swatch in known])
    of_kind = (kind[:, None] == np.arange(len(classes))).astype(float)
    at = _coordinates(np.array([swatch.bgr for swatch in known]))
    swatches = _Swatches(at, of_kind, np.zeros((4, 3)))
    log_odds = odds - _log_sum(odds)
    taken = _log_sum(log_odds[:, :-1])
    alone = log_odds[:, :-1] - taken
    at_most = np.logaddexp(alone, np.log(_SUREST))
    seen, noise = _coordinates(colours.bgr), (_UNEVEN * np.minimum(colours.uneven, 100)) ** 2
    variance = _SPREAD**2 + noise
    alike = _density(seen[:, None] - seen, variance[:, None] + noise)
    np.fill_diagonal(alike, 0)
    there, among = np.exp(taken), alone
    for _ in range(_ROUNDS):
        lying = np.exp(among) * there
        by_swatches = _WORLD + _SWATCH * _density(swatches.off(seen), variance[:, None]) @ of_kind
        taught = _WORLD + _SWATCH * of_kind.sum(axis=0)
        others = lying.sum(axis=0) - lying
        among = _log_posterior(at_most, (by_swatches + alike @ lying) / (taught + others))
        swatches = swatches.in_light_of(seen, variance, np.exp(among) * there)
    by_swatches_alone = _log_posterior(_HALF * at_most, by_swatches / taught)
    opinions = np.array([among, alone, by_swatches_alone])
    shares = np.log([1 - 2 * _DISPUTED, _DISPUTED, _DISPUTED])
    pooled = np.logaddexp.reduce(opinions + shares[:, None, None], axis=0)
    return np.hstack([pooled + taken, log_odds[:, -1:]])


def _log_posterior(odds: np.ndarray, likeness: np.ndarray) -> np.ndarray:
    """(N, K) log probabilities of kinds with log odds that look so much like each piece."""
    log_odds = odds + np.log((1 - _STRAY) * likeness + _STRAY)
    return np.asarray(log_odds - _log_sum(log_odds))


def _density(off: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """(N, M) how likely sights are so far (N, M, 3) from one another, beside the world's."""
    distance = (off**2).sum(axis=-1) / variance
    log_density = _SHARPNESS - 1.5 * np.log(variance / _SPREAD**2)
    return np.asarray(np.exp(log_density - (_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM)))


def _coordinates(bgr: np.ndarray) -> np.ndarray:
    """(N, 3) `log_opponents` in which hue and brightness tell as much."""
    return np.asarray(log_opponents(bgr) / (1, 1, BRIGHTNESS))


def _log_sum(values: np.ndarray) -> np.ndarray:
    """(N, 1) logarithms of the sums of exponentials of (N, M)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1, keepdims=True))
