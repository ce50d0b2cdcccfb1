"""Cluster odds: the log odds of pieces, given how far bare and occupied places are apart.

On an unfamiliar board all places may look a little like pieces, or all pieces a little like the
print. But the board's bare places look alike, and so do its pieces, so their log odds form two
clusters: a mixture of two Student's t (expectation maximization; Peel and McLachlan, 2000). A
place is as uncertain as its distance to both says. That needs two clusters: where either holds
hardly a place, or no gap is seen, the log odds stay as they are.

Where one kind alone is admitted and no neighbours are weighed, both clusters of two log odds, by
all evidence and by the network, decide what is suggested of a place that is asked about, by linear
discriminant analysis: in poor light the clusters lie close together, but seldom on either side of
zero.

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
_UNDECIDED = 1.25
"""Log odds below which the discriminant decides, and the most that it gives: it is still asked."""
_FEWEST, _ON_ITS_SIDE = 4.0, 0.2
"""Least number of places in either cluster of the discriminant, and least share of it that was on
its side before."""
_SUREST, _ALIKE = 12.0, 2.0
"""Limit of the cues, and the number of standard deviations from a cluster up to which a place is
like it: seams of a glued print are like neither."""
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
        decided = _discriminant(after, np.stack([before, alone], axis=1))
        undecided, bare = np.abs(after) < _UNDECIDED, after < -_UNDECIDED
        after[undecided] = np.clip(decided[undecided], -_UNDECIDED, _UNDECIDED)
        if bare.any():
            spread = max(float(alone[bare].std()), _NARROWEST)
            after[bare & (alone > alone[bare].mean() + _OUTLIER * spread)] = -_UNDECIDED
    shifted = odds.copy()
    shifted[:, :-1] += (after - before)[:, None]
    return shifted


def _taken(odds: np.ndarray) -> np.ndarray:
    return np.asarray(np.logaddexp.reduce(odds[:, :-1], axis=1) - odds[:, -1])


def _discriminant(taken: np.ndarray, cues: np.ndarray) -> np.ndarray:
    """(N,) log odds of a piece by (N, C) ``cues``, whose clusters ``taken`` tell at first.

    What is like neither cluster stays as it is, as do all places where there are no two.
    """
    cues = np.clip(cues, -_SUREST, _SUREST)
    decided = taken
    for _ in range(_ROUNDS):
        chance = np.exp(-np.logaddexp(0, -(taken + decided) / 2))
        shares = np.stack([1 - chance, chance])
        count = shares.sum(axis=1)
        if count.min() < _FEWEST:
            return taken
        mean = shares @ cues / count[:, None]
        squares = (cues - mean[:, None]) ** 2
        variance = (shares[..., None] * squares).sum(axis=(0, 1)) / len(taken) + 1e-3
        far = (squares / variance).mean(axis=2)
        decided = cues.shape[1] * (far[0] - far[1]) / 4 + np.log(count[1] / count[0]) / 4
    on_its_side = np.array([(taken < 0).sum(), (taken > 0).sum()])
    if (on_its_side < _ON_ITS_SIDE * count).any():
        return taken
    return np.where(far.min(axis=0) < _ALIKE**2, decided, taken)


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
