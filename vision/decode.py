"""Decode: from each space's evidence to the most probable galaxy, with calibrated confidences.

Each space has eight hypotheses: empty, or one of seven stars, with the log odds that the star judge
gives them (``vision.together``). Players seldom break a rule, so a break costs some odds: enough to
settle a tie, too little to tidy away what is plainly there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scorer.nebula import BLACK, GalaxyBoard
from vision.detect import CLASSES

EMPTY = len(CLASSES)
_BLACK = CLASSES.index(BLACK)
_SWEEPS = 4


@dataclass(frozen=True)
class RuleCosts:
    """The log odds that breaks of the rules cost.

    A star linked to its own colour, one with no star beside it, a black one on a space of the
    galaxy; and a black track that is not filled from the left (``gap``).
    """

    broken_link: float = -1.5
    apart: float = -2.0
    black_in_galaxy: float = -3.0
    gap: float = -5.0


_COSTS = RuleCosts()


@dataclass(frozen=True)
class Belief:
    """What lies on one space: (8,) probabilities in the order of ``CLASSES``, then empty."""

    probabilities: np.ndarray

    @property
    def star(self) -> str | None:
        """The most probable star, None for an empty space."""
        best = int(self.probabilities.argmax())
        return None if best == EMPTY else CLASSES[best]

    @property
    def confidence(self) -> float:
        """The probability of ``star``."""
        return float(self.probabilities.max())

    def alternatives(self, least: float = 0.02) -> dict[str, float]:
        """Every hypothesis of at least that probability, the likeliest first."""
        order = np.argsort(-self.probabilities)
        names = (*CLASSES, "empty")
        return {
            names[i]: round(float(self.probabilities[i]), 3)
            for i in order
            if self.probabilities[i] >= least
        }


def decode_galaxy(
    odds: Mapping[str, np.ndarray], board: GalaxyBoard, costs: RuleCosts = _COSTS
) -> dict[str, Belief]:
    """The galaxy's beliefs given each space's (8,) log odds.

    Iterated conditional modes (Besag, 1986): each space is decided in the light of its neighbours
    until nothing changes.
    """
    stars = {space: int(z.argmax()) for space, z in odds.items()}
    beliefs: dict[str, Belief] = {}
    for _ in range(_SWEEPS):
        before = dict(stars)
        for space, z in odds.items():
            total = z + _rule_cost(space, stars, board, costs)
            beliefs[space] = Belief(_softmax(total))
            stars[space] = int(total.argmax())
        if stars == before:
            break
    return beliefs


def _rule_cost(
    space: str, stars: dict[str, int], board: GalaxyBoard, costs: RuleCosts
) -> np.ndarray:
    """(8,) what the rules say against each hypothesis, the neighbours lying as they do."""
    cost = np.zeros(len(CLASSES) + 1)
    around = [stars[near] for near in board.neighbours(space)]
    # Once, however many neighbours: who errs with one star often breaks several links by it.
    for star in {*around} - {EMPTY, _BLACK}:
        cost[star] += costs.broken_link
    cost[_BLACK] += costs.black_in_galaxy
    if all(star == EMPTY for star in around) and space != board.core:
        cost[:EMPTY] += costs.apart
    return cost


@dataclass(frozen=True)
class BlackTrack:
    """The black stars on the track: how many, how sure, whether a place was left out before one."""

    count: int
    confidence: float
    gap: bool
    coloured: tuple[int, ...]


def decode_track(odds: np.ndarray, costs: RuleCosts = _COSTS) -> BlackTrack:
    """Read the track from its places' (N, 8) log odds, left to right.

    Weighs "the first n places are black" for each n against "any places may be".
    """
    places = len(odds)
    probabilities = np.array([_softmax(z) for z in odds])
    black = np.clip(probabilities[:, _BLACK], 1e-9, 1 - 1e-9)
    taken, free = np.log(black), np.log(1 - black)
    in_order = np.array([taken[:n].sum() + free[n:].sum() for n in range(places + 1)])
    in_order -= np.log(places + 1)
    anyhow = _count_distribution(black)
    # Unordered, each place has its own coin: 2^-N is the prior of every one arrangement.
    loose = costs.gap - places * np.log(2)
    evidence = np.concatenate([in_order, np.log(np.maximum(anyhow, 1e-300)) + loose])
    weights = _softmax(evidence)
    totals = weights[: places + 1] + weights[places + 1 :]
    count = int(totals.argmax())
    best = black > 0.5
    gap = bool(
        weights[places + 1 :].sum() > 0.5 and best.sum() > 0 and not best[: best.sum()].all()
    )
    coloured = tuple(i for i, p in enumerate(probabilities) if p.argmax() not in (_BLACK, EMPTY))
    return BlackTrack(count, float(totals[count]), gap, coloured)


def _count_distribution(chance: np.ndarray) -> np.ndarray:
    """(N + 1,) the distribution of how many of N independent events happen."""
    total = np.ones(1)
    for p in chance:
        total = np.convolve(total, [1 - p, p])
    return total


def _softmax(z: np.ndarray) -> np.ndarray:
    shifted = np.exp(z - z.max())
    return shifted / shifted.sum()
