"""Colour likelihoods: combine swatches of the owner's pieces with the set classifier.

The classifier knows pieces in general. A swatch shows one kind of this set, in the light in which
it was calibrated; the other pieces of a board show it in the light at hand. So each piece is
compared with both: kinds are likely whose swatches and whose other pieces look like it. The mapping
from the calibrated light to that at hand is estimated together with the kinds (expectation
maximization; Dempster, Laird and Rubin, 1977). If there is none, swatches look like nothing on the
board and carry almost no weight.

Whether there is a piece on a place at all is left to the classifier; swatches say which one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.colour_profile import BRIGHTNESS, ColourProfile, log_opponents
from vision.set_classifier import is_washed_out, middle_colours, vivid_colours

_SPREAD = 0.13
"""Scale, in `_coordinates`, of the distance between two views of one piece in the same light."""
_FREEDOM = 2.0
"""Degrees of freedom of that distribution, Student's t: gloss and shade make long tails."""
_SHIFT, _BEND = 0.3, 0.3
"""Standard deviations of the shift of all colours by another light, and of their stretch and
rotation, as by haze and a camera's vividness."""
_SHARPNESS = 5.0
"""Log density of a view at its own piece's colour, relative to pieces in general."""
_WORLD, _SWATCH = 1.0, 2.0
"""Weights of a kind's general looks, and of a swatch, in pieces of the same board."""
_STRAY = 0.2
"""Share of pieces that look like none of their kind: a reflected lamp, a shaded side."""
_DISPUTED = 0.15
"""Probability that the classifier is right against all swatches, and vice versa.

So a piece is doubtful if one of them, however certain, disagrees."""
_HALF = 0.5
"""Weight of the classifier's log odds against the swatches alone: it is overconfident about
unfamiliar sets."""
_SUREST = 1e-3
"""Least probability that the classifier leaves to any kind, before swatches are used."""
_UNEVEN = 0.5
"""Share of the difference between a piece's middle and its most vivid part that counts as
uncertainty."""
_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class PieceColours:
    """The colours of N pieces: (N, 3) ``bgr`` in the reference's light, and (N,) how ``uneven``.

    The latter is the distance between parts of one piece, in hue and brightness.
    """

    bgr: np.ndarray
    uneven: np.ndarray

    @classmethod
    def of(cls, described: np.ndarray) -> "PieceColours":
        """From (N, F) `vision.set_classifier.features`.

        A washed-out piece is infinitely uneven: it shows a lamp.
        """
        vivid, middle = vivid_colours(described), middle_colours(described)
        apart = _coordinates(np.maximum(vivid, 0)) - _coordinates(np.maximum(middle, 0))
        uneven = np.linalg.norm(apart, axis=1)
        return cls(vivid, np.where(is_washed_out(described), np.inf, uneven))


@dataclass(frozen=True, eq=False)
class _Swatches:
    """S swatches' (S, 3) coordinates, and their kinds as (S, K) 0 or 1.

    ``light`` (4, 3) is what the light at hand adds: a stretch about their mean, and a shift.
    """

    at: np.ndarray
    of_kind: np.ndarray
    light: np.ndarray

    @property
    def _terms(self) -> np.ndarray:
        """(S, 4) the coordinates relative to the kinds' mean, and 1."""
        counts = self.of_kind.sum(axis=0)
        of_each = (self.of_kind.T @ self.at)[counts > 0] / counts[counts > 0, None]
        return np.hstack([self.at - of_each.mean(axis=0), np.ones((len(self.at), 1))])

    def off(self, colours: np.ndarray) -> np.ndarray:
        """(N, S, 3) differences of pieces' (N, 3) coordinates from each swatch in that light."""
        return np.asarray(colours[:, None] - (self.at + self._terms @ self.light))

    def in_light_of(
        self, colours: np.ndarray, variance: np.ndarray, kinds: np.ndarray
    ) -> "_Swatches":
        """The same in the light in which pieces look like swatches of the (N, K) ``kinds``.

        ``kinds`` are the probabilities of each kind, ``variance`` (N,) those of the colours.
        Weighted least squares, regularised towards the light of calibration.
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
    """(N, C + 1) log probabilities of each class and of "empty", given a colour profile.

    ``odds`` (N, C + 1) are the classifier's for the places of one board, ``colours`` those shown
    there. Unchanged without swatches of these classes.
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
    """(N, K) log probabilities of kinds, from log odds and likelihoods."""
    log_odds = odds + np.log((1 - _STRAY) * likeness + _STRAY)
    return np.asarray(log_odds - _log_sum(log_odds))


def _density(off: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """(N, M) likelihoods of views that differ by (N, M, 3), relative to pieces in general."""
    distance = (off**2).sum(axis=-1) / variance
    log_density = _SHARPNESS - 1.5 * np.log(variance / _SPREAD**2)
    return np.asarray(np.exp(log_density - (_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM)))


def _coordinates(bgr: np.ndarray) -> np.ndarray:
    """(N, 3) `log_opponents`, scaled so that hue and brightness weigh equally."""
    return np.asarray(log_opponents(bgr) / (1, 1, BRIGHTNESS))


def _log_sum(values: np.ndarray) -> np.ndarray:
    """(N, 1) log-sum-exp of (N, M)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1, keepdims=True))
