"""Neighbours: what the places beside a place say of it, as this board's own pieces show it.

Carriages of one railway lie end to end, a long car covers several squares, and stones of one
colour touch. How often neighbours agree is estimated on each board from the odds of all its places,
separately for places end to end, side by side and any others, as the ratio of the joint to the
independent probabilities. Where neighbours do not depend on one another, as on a chessboard,
nothing changes.
"""

from collections.abc import Sequence

import numpy as np

from scorer.places import Bar, Shape

_NEAR = 1.25
"""Distance of neighbours, in distances of the nearest ones."""
_TOUCHING = 0.3
"""Distance of the ends of bars end to end, in widths, however near others are."""
_ABREAST, _ACROSS = 1.5, 0.3
"""Distance of bars side by side, in widths, and the cosine of its angle to either bar."""
_UNKNOWN = 20.0
"""Number of pairs that count as much as independence."""
_WEIGHT, _MOST = 0.5, 3.0
"""Weight of what a neighbour says, and the most that it changes a place's log odds."""

_TURNED = 1.0
"""Most log odds of a reading that neighbours alone suggest: it is asked about."""


def neighbours(shapes: Sequence[Shape]) -> list[np.ndarray]:
    """(P, 2) pairs of indices of neighbouring places, for each way of lying side by side."""
    if len(shapes) < 2:
        return []
    at = np.array([shape.at for shape in shapes], float)
    away = at[None] - at[:, None]
    far = np.hypot(away[..., 0], away[..., 1])
    np.fill_diagonal(far, np.inf)
    bars = [shape for shape in shapes if isinstance(shape, Bar)]
    if len(bars) < len(shapes):
        return [_pairs(far < _nearest(far))]
    turns = np.radians([bar.turn for bar in bars])
    axes = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    length, width = np.array([bar.size for bar in bars], float).T
    widths = (width[:, None] + width) / 2
    half = axes * length[:, None] / 2
    ends = np.stack([at - half, at + half])
    apart = np.linalg.norm(ends[:, None, :, None] - ends[None, :, None], axis=-1).min(axis=(0, 1))
    along = np.abs((away * axes[:, None]).sum(axis=2)) / far
    np.fill_diagonal(apart, np.inf)
    in_line = apart < np.maximum(_nearest(apart), _TOUCHING * widths)
    abreast = (np.maximum(along, along.T) < _ACROSS) & (far < _ABREAST * widths)
    return [_pairs(in_line), _pairs(abreast)]


def _nearest(far: np.ndarray) -> np.ndarray:
    """(N, N) distances up to which two places are the nearest of each other."""
    nearest = far.min(axis=1)
    return np.asarray(_NEAR * np.minimum(nearest[:, None], nearest))


def _pairs(which: np.ndarray) -> np.ndarray:
    return np.argwhere(np.triu(which, 1))


def weigh_neighbours(odds: np.ndarray, pairs: Sequence[np.ndarray]) -> np.ndarray:
    """(N, K + 1) log odds of places, the last of a bare one, given those of their neighbours.

    Where neighbours contradict what a place itself shows, it stays in doubt.
    """
    shown = odds - np.logaddexp.reduce(odds, axis=1, keepdims=True)
    chances = np.exp(shown)
    said = np.zeros_like(odds)
    for ends in pairs:
        if len(ends):
            agree = _agreement(chances, ends)
            for one, other in (ends.T, ends.T[::-1]):
                np.add.at(said, one, np.log(chances[other] @ agree))
    said -= said[np.arange(len(odds)), shown.argmax(axis=1)][:, None]
    weighed = shown + np.clip(_WEIGHT * said, -_MOST, _MOST)
    best, turned = weighed.argmax(axis=1), weighed.argmax(axis=1) != shown.argmax(axis=1)
    others = weighed.copy()
    others[np.arange(len(odds)), best] = -np.inf
    least = np.logaddexp.reduce(others, axis=1)[:, None] + _TURNED
    return np.asarray(np.where(turned[:, None], np.minimum(weighed, least), weighed))


def _agreement(chances: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(K + 1, K + 1) ratios of the joint probabilities of neighbours to independent ones.

    Kinds are not told apart: two neighbours are bare, or one is, or both hold pieces, of the same
    kind or of two.
    """
    usual = chances.mean(axis=0)
    one, other = chances[ends[:, 0]], chances[ends[:, 1]]
    kinds = chances.shape[1] - 1

    def cases(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        both, same = first[..., -1] * second[..., -1], (first * second)[..., :-1].sum(axis=-1)
        either = first[..., -1] + second[..., -1] - 2 * both
        return np.stack([both, either, same, 1 - both - either - same], axis=-1)

    alone = np.maximum(cases(usual, usual), 1e-9)
    found = cases(one, other).sum(axis=0)
    bare, mixed, same, other_kind = (found + _UNKNOWN * alone) / ((len(ends) + _UNKNOWN) * alone)
    agree = np.full((kinds + 1, kinds + 1), other_kind)
    np.fill_diagonal(agree, same)
    agree[-1], agree[:, -1] = mixed, mixed
    agree[-1, -1] = bare
    return agree
