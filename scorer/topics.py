"""Which topic a phrase is about, learned from phrases of each by regularised least squares."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

REGULAR = 0.7
"""How much the weights of the learned phrases are held down, relative to a phrase's length of 1."""
STEPS = 8
"""Steps of the conjugate gradient method. More change hardly any first answer."""

Weights = Mapping[str, float]
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.intp]


class Topics:
    """Scores of topics for a phrase: about 1 for a learned one's own, about 0 for others.

    `phrases` are vectors of at most length 1, `topics` the number of each one's topic. Each of
    `groups` holds numbers of phrases that are learned together; a topic of several groups gets the
    mean of its scores.
    """

    def __init__(
        self, phrases: Sequence[Weights], topics: Sequence[int], groups: Iterable[Sequence[int]]
    ) -> None:
        self._groups = [
            _Group([(phrases[at], topics[at]) for at in group if phrases[at]]) for group in groups
        ]
        self._learned = np.zeros(max(topics) + 1, np.float32)
        for group in self._groups:
            self._learned[group.topics] += 1

    def scores(self, phrase: Weights) -> Floats:
        found = np.zeros_like(self._learned)
        for group in self._groups:
            found[group.topics] += group.scores(phrase)
        found /= np.maximum(self._learned, 1)
        return found


class _Group:
    """The weight of each feature for each topic, (F, T), learned from P phrases."""

    def __init__(self, learned: Sequence[tuple[Weights, int]]) -> None:
        self._features: dict[str, int] = {}
        entries = [
            (at, self._features.setdefault(feature, len(self._features)), weight)
            for at, (phrase, _) in enumerate(learned)
            for feature, weight in phrase.items()
        ]
        rows, columns = np.array([entry[:2] for entry in entries]).T
        weights = np.array([entry[2] for entry in entries], np.float32)
        phrases = _Sparse(rows, columns, weights)  # (P, F)
        features = _Sparse(columns, rows, weights)  # (F, P)
        own = np.array([topic for _, topic in learned])
        self.topics = np.unique(own)
        targets = (own[:, None] == self.topics).astype(np.float32)
        dual = _solve(lambda some: phrases @ (features @ some) + REGULAR * some, targets)
        self._weights = features @ dual

    def scores(self, phrase: Weights) -> Floats:
        found = np.zeros(len(self.topics), np.float32)
        for feature, weight in phrase.items():
            if feature in self._features:
                found += weight * self._weights[self._features[feature]]
        return found


class _Sparse:
    """A matrix of its entries other than 0, of which each row has some."""

    def __init__(self, rows: Numbers, columns: Numbers, entries: Floats) -> None:
        by_row = np.argsort(rows, kind="stable")
        starts = np.flatnonzero(np.diff(rows[by_row], prepend=-1))
        lengths = np.diff(starts, append=len(rows))
        self._rows = len(starts)
        self._alike = []  # rows with equally many entries, R of N: R, their columns (R, N), entries
        for length in np.unique(lengths):
            alike = np.flatnonzero(lengths == length)
            own = by_row[starts[alike, None] + np.arange(length)]
            self._alike.append((alike, columns[own], entries[own][:, None]))

    def __matmul__(self, other: Floats) -> Floats:
        product = np.empty((self._rows, other.shape[1]), np.float32)
        for rows, columns, entries in self._alike:
            product[rows] = (entries @ other[columns])[:, 0]
        return product


def _solve(product: Callable[[Floats], Floats], right: Floats) -> Floats:
    """Solve A x = b for each column b of `right` by conjugate gradients, with the product A x."""
    found, residual, direction = np.zeros_like(right), right.copy(), right.copy()
    square = (residual**2).sum(axis=0)
    for _ in range(STEPS):
        ahead = product(direction)
        step = square / np.maximum((direction * ahead).sum(axis=0), np.finfo(np.float32).tiny)
        found += step * direction
        residual -= step * ahead
        last, square = square, (residual**2).sum(axis=0)
        direction = residual + square / np.maximum(last, np.finfo(np.float32).tiny) * direction
    return found
