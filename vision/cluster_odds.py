"""Cluster odds: the log odds of pieces, given how far bare and occupied places are apart.

On an unfamiliar board all places may look a little like pieces, or all pieces a little like the
print. But the board's bare places look alike, and so do its pieces, so their log odds form two
clusters: a mixture of two Student's t (expectation maximization; Peel and McLachlan, 2000). A
place is as uncertain as its distance to both says. That needs two clusters: where either holds
hardly a place, or no gap is seen, the log odds stay as they are.

Where one kind alone is admitted and no neighbours are weighed, the clusters are those of the
network's log odds: within a board they tell bare places from pieces better than any other evidence
does, to which blurred outlines look like pieces, but seldom on either side of zero. A reading that
all evidence together does not support is asked about.

The constants were tuned on photographs of draughts, chess, othello, qwirkle, mathable, Catan,
Blokus, backgammon and railway boards.
"""

import numpy as np

_USUAL = np.array([-6.0, 4.0])
"""Usual log odds of bare places and of pieces."""
_USUAL_SD, _LEAST_SD = 2.0, 0.5
"""Usual standard deviation of either, and the least."""
_AS_MANY = 2.0, 4.0
"""Numbers of places that count as much as the usual mean, and as the usual standard deviation."""
_FREEDOM = 2.0
"""Degrees of freedom: pieces beside their place and gloss make long tails."""
_MOST, _HALF_OF_IT = 2.0, 5.0
"""Most by which log odds change, and the size of the smaller cluster that allows half of it."""
_APART = 2.5, 3.5
"""Distances of the means, in standard deviations of both, between which that limit rises from 0."""
_ROUNDS = 30
_BY_NETWORK = np.array([-4.5, 5.0])
"""Usual log odds of bare places and of pieces by the network where one kind is admitted."""
_LIKE_USUAL, _AS_WIDE, _EITHER_SD = 6.0, 40.0, 1.5
"""Numbers of places that count as much as these and as their usual standard deviation."""
_TEMPERED, _SUREST = 0.25, 3.5
"""Weight of the mixture's log odds, as what misleads the network misleads it at many places of a
board, and their limit."""
_BEYOND, _UNDECIDED = (1.5, 0.5), 1.0
"""How much surer the network's clusters make a bare place, or a piece, than all evidence does, and
the log odds that they may always give: it is still asked about. Seams of a glued print and decoys
are like pieces to the network alone."""
_OUTLIER, _NARROWEST = 3.6, 0.5
"""Number of standard deviations by which the network's log odds of a bare place exceed the others'
if it is asked about, and the least such deviation: in the dark a piece is hardly seen."""


def fit_to_clusters(odds: np.ndarray, network: np.ndarray | None = None) -> np.ndarray:
    """(N, K + 1) log odds of N places of a board, shifted towards the mixture's log odds.

    ``network`` (N, K + 1) are those by the network alone, of places that admit one kind.
    """
    before = _taken(odds)
    after = before + _shift(before)
    if network is not None:
        alone = _taken(network)
        after = _by_network(alone)
        bare, piece = _BEYOND
        least = np.minimum(before - bare, -_UNDECIDED)
        after = np.clip(after, least, np.maximum(before + piece, _UNDECIDED))
        empty = after < -_UNDECIDED
        if empty.any():
            spread = max(float(alone[empty].std()), _NARROWEST)
            after[empty & (alone > alone[empty].mean() + _OUTLIER * spread)] = -_UNDECIDED
    shifted = odds.copy()
    shifted[:, :-1] += (after - before)[:, None]
    return shifted


def _taken(odds: np.ndarray) -> np.ndarray:
    return np.asarray(np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1])


def _by_network(alone: np.ndarray) -> np.ndarray:
    """(N,) log odds of a piece, given the (N,) by the network ``alone``, as a normal mixture's."""
    chance = np.exp(-np.logaddexp(0, -alone))
    shares = np.stack([1 - chance, chance], axis=1)
    for _ in range(_ROUNDS):
        count = shares.sum(axis=0)
        mean = (shares.T @ alone + _LIKE_USUAL * _BY_NETWORK) / (count + _LIKE_USUAL)
        squares = (shares * (alone[:, None] - mean) ** 2).sum(axis=0) + _AS_WIDE * _EITHER_SD**2
        off = np.clip(alone, *np.sort(mean))[:, None] - mean
        variance = squares / (count + _AS_WIDE)
        likes = np.log(count + 2) - np.log(variance) / 2 - off**2 / variance / 2
        shares = np.exp(likes - np.logaddexp.reduce(likes, axis=1, keepdims=True))
    return np.asarray(np.clip(_TEMPERED * (likes[:, 1] - likes[:, 0]), -_SUREST, _SUREST))


def _shift(taken: np.ndarray) -> np.ndarray:
    """(N,) changes of the (N,) log odds of a piece."""
    chance = np.exp(-np.logaddexp(0, -taken))
    shares, near = np.stack([1 - chance, chance], axis=1), np.ones((len(taken), 2))
    for _ in range(_ROUNDS):
        count, weights = shares.sum(axis=0), shares * near
        like_usual, as_wide = _AS_MANY
        mean = (weights.T @ taken + like_usual * _USUAL) / (weights.sum(axis=0) + like_usual)
        squares = (weights * (taken[:, None] - mean) ** 2).sum(axis=0) + as_wide * _USUAL_SD**2
        spread = np.maximum(np.sqrt(squares / (count + as_wide)), _LEAST_SD)
        # A place beyond a cluster is at least as sure as one in its middle.
        off = (np.clip(taken, *mean)[:, None] - mean) / spread
        rarity = (_FREEDOM + 1) / 2 * np.log1p(off**2 / _FREEDOM)
        likes = np.log(count + like_usual) - np.log(spread) - rarity
        shares = np.exp(likes - np.logaddexp.reduce(likes, axis=1, keepdims=True))
        near = (_FREEDOM + 1) / (_FREEDOM + ((taken[:, None] - mean) / spread) ** 2)
    fewer, apart = count.min(), (mean[1] - mean[0]) / spread.sum()
    most = _MOST * fewer / (fewer + _HALF_OF_IT) * np.interp(apart, _APART, (0, 1))
    return np.asarray(np.clip(likes[:, 1] - likes[:, 0] - taken, -most, most))
