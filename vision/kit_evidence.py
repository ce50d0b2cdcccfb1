"""Kit evidence: what swatches of the owner's pieces add to what the set classifier says.

The classifier knows pieces as they are in the world at large. A swatch says what one kind of this
set looks like. Both speak of the same stars in the light of the reference, but what is left of the
lamp after `illumination` shifts all colours of a board alike: that shift is found together with the
kinds (expectation maximization; Dempster, Laird and Rubin, 1977).

Whether a piece lies on a place at all is left to the classifier; swatches say which one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.token_kit import BRIGHTNESS, TokenKit, log_opponents

_SPREAD = 0.1 * np.array([1, 1, BRIGHTNESS])
"""How far two sights of one piece in the same light lie apart, a scale in `log_opponents`."""
_FREEDOM = 2.0
"""Degrees of freedom of that distribution, Student's t: gloss and shade make for long tails."""
_SHIFT = 0.3 * np.array([1, 1, BRIGHTNESS])
"""Standard deviation of what a board's light shifts all colours by."""
_UNTAUGHT = -8.0
"""Log likelihood, relative to a swatch's own colour, of any other colour of the kind."""
_SILENT = 0.4
"""The share of pieces of which swatches say nothing: what shows is a mirrored lamp, a shaded side.

So a piece is doubtful of which the swatches, however surely, say something else.
"""
_ANYTHING = -3.0
"""Log likelihood of a colour of such a piece."""
_TRUST = ((1.0, 0.8), (0.5, 0.2))
"""What the classifier's log odds of the kinds may count for, and how likely that is beforehand.

It learnt how sure to be from other sets; of a strange one it is surer than it has reason to be.
"""
_ROUNDS = 10


@dataclass(frozen=True, eq=False)
class _Swatches:
    """Swatches of K kinds beside N pieces of one board.

    ``off`` (N, S, 3) is how far each piece's colour lies from each swatch's, in `log_opponents`;
    ``of_kind`` (K, S) bool says which kind a swatch is of.
    """

    off: np.ndarray
    of_kind: np.ndarray

    def weigh(self, odds: np.ndarray, taken: np.ndarray) -> tuple[np.ndarray, float]:
        """(N, K) log probabilities of the kinds beside swatches, and the log evidence for ``odds``.

        ``odds`` (N, K) are the kinds' without swatches, ``taken`` (N, 1) whether a piece lies there
        at all, both as log probabilities.
        """
        kind = self.of_kind.argmax(axis=0)
        share = np.log(np.maximum(self.of_kind.sum(axis=1), 1))[kind]
        shift = np.zeros(3)
        for _ in range(_ROUNDS):
            distance = (((self.off - shift) / _SPREAD) ** 2).sum(axis=-1)
            seen = -(_FREEDOM + 3) / 2 * np.log1p(distance / _FREEDOM) - share
            likely = np.exp(_UNTAUGHT) + np.exp(seen) @ self.of_kind.T
            among = odds + np.log(likely)
            shown = _log_sum(among)
            among = among - shown
            # How much each piece has to say of the shift: the surer it is this swatch, the more.
            weights = np.exp(taken + among[:, kind] + seen - np.log(likely[:, kind]))
            weights *= (_FREEDOM + 3) / (_FREEDOM + distance)
            pulled = np.einsum("nk,nkd->d", weights, self.off)
            shift = pulled / (weights.sum() + (_SPREAD / _SHIFT) ** 2)
        shown = np.logaddexp(np.log(1 - _SILENT) + shown, np.log(_SILENT) + _ANYTHING)
        evidence = (np.exp(taken) * shown).sum() - ((shift / _SHIFT) ** 2).sum() / 2
        return among, float(evidence)


def weigh_kit(
    odds: np.ndarray, colours: np.ndarray, classes: Sequence[str], kit: TokenKit
) -> np.ndarray:
    """(N, C + 1) log probabilities of each class and of "empty" in the light of a kit.

    ``odds`` (N, C + 1) are the classifier's of the places of one board; ``colours`` (N, 3) BGR what
    shows there under the reference's light. Without swatches of these classes it stays as it is.

    How far the classifier is to be trusted is told from the board as well: what the swatches see on
    all of it is likelier or less likely if it is right (Bayesian model averaging).
    """
    known = [swatch for swatch in kit.swatches if swatch.piece in classes]
    if not known:
        return odds
    kind = np.array([list(classes).index(swatch.piece) for swatch in known])
    off = log_opponents(colours)[:, None] - log_opponents(np.array([s.bgr for s in known]))
    swatches = _Swatches(off, kind == np.arange(len(classes))[:, None])
    log_odds = odds - _log_sum(odds)
    taken = _log_sum(log_odds[:, :-1])
    alone = log_odds[:, :-1] - taken
    weighed, evidence = [], []
    for trust, beforehand in _TRUST:
        trusted = trust * alone
        among, told = swatches.weigh(trusted - _log_sum(trusted), taken)
        weighed.append(np.logaddexp(np.log(1 - _SILENT) + among, np.log(_SILENT) + alone))
        evidence.append(np.log(beforehand) + told)
    shares = np.array(evidence) - np.logaddexp.reduce(evidence)
    pooled = np.logaddexp.reduce(shares[:, None, None] + np.array(weighed), axis=0)
    return np.hstack([pooled + taken, log_odds[:, -1:]])


def _log_sum(values: np.ndarray) -> np.ndarray:
    """(N, 1) logarithms of the sums of exponentials of (N, M)."""
    return np.asarray(np.logaddexp.reduce(values, axis=1, keepdims=True))
