"""Kit evidence: what swatches of the owner's pieces add to what the set classifier says.

The classifier knows pieces as they are in the world at large. A swatch says what one kind of this
set looks like. Both speak of the same stars in the light of the reference, but what is left of the
lamp after `illumination` shifts all colours of a board alike: that shift is found together with the
kinds (expectation maximization; Dempster, Laird and Rubin, 1977).

Whether a piece lies on a place at all is left to the classifier; swatches say which one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.token_kit import BRIGHTNESS, TokenKit, log_opponents

_SPREAD = 0.1 * np.array([1, 1, BRIGHTNESS])
"""How far two sights of one piece in the same light lie apart, a scale in `log_opponents`."""
_FREEDOM = 2.0
"""Degrees of freedom of that distribution, Student's t: gloss and shade make for long tails."""
_SHIFT = 0.15 * np.array([1, 1, BRIGHTNESS])
"""Standard deviation of what a board's light shifts all colours by."""
_UNTAUGHT = -8.0
"""Log likelihood, relative to a swatch's own colour, of any other colour of the kind."""
_SILENT = 0.25
"""The share of pieces of which swatches say nothing: what shows is a mirrored lamp, a shaded side.

So a piece is doubtful of which the swatches, however surely, say something else.
"""
_ROUNDS = 10


def weigh_kit(
    odds: np.ndarray, colours: np.ndarray, classes: Sequence[str], kit: TokenKit
) -> np.ndarray:
    """(N, C + 1) log probabilities of each class and of "empty" in the light of a kit.

    ``odds`` (N, C + 1) are the classifier's of the places of one board; ``colours`` (N, 3) BGR what
    shows there under the reference's light. Without swatches of these classes it stays as it is.
    """
    swatches = [swatch for swatch in kit.swatches if swatch.piece in classes]
    if not swatches:
        return odds
    kind = np.array([list(classes).index(swatch.piece) for swatch in swatches])
    off = log_opponents(colours)[:, None] - log_opponents(np.array([s.bgr for s in swatches]))
    log_odds = odds - _log_sum(odds)
    taken = _log_sum(log_odds[:, :-1])
    alone = log_odds[:, :-1] - taken
    of_kind = kind == np.arange(len(classes))[:, None]
    counts = np.maximum(of_kind.sum(axis=1), 1)
    shift = np.zeros(3)
    for _ in range(_ROUNDS):
        distance = (((off - shift) / _SPREAD) ** 2).sum(axis=-1)
        seen = -(_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM) - np.log(counts[kind])
        likely = np.exp(_UNTAUGHT) + np.exp(seen) @ of_kind.T
        among = alone + np.log(likely)
        among -= _log_sum(among)
        # How much each piece has to say of the shift: the surer it is this swatch, the more.
        weights = np.exp(taken + among[:, kind] + seen - np.log(likely[:, kind]))
        weights *= (_FREEDOM + 3) / (_FREEDOM + distance)
        pulled = np.einsum("nk,nkd->d", weights, off)
        shift = pulled / (weights.sum() + (_SPREAD / _SHIFT) ** 2)
    pooled = np.logaddexp(np.log(1 - _SILENT) + among, np.log(_SILENT) + alone)
    return np.hstack([pooled + taken, log_odds[:, -1:]])


def _log_sum(values: np.ndarray) -> np.ndarray:
    """(N, 1) logarithms of the sums of exponentials of (N, M)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1, keepdims=True))
