"""Region chances: probabilities of piece counts in a region, and their weighting by the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.decode import LEAST

_WEIGHED, PER_BREAK = 64, 0.02
"""Number of hypotheses checked against the rules, and the factor per broken rule."""
SEEN = 0.12
"""Least probability of what was seen if the rules overrule it, and of nothing if it breaks them."""
_UNKNOWN, _CHANGED, _ANOTHER = (0.5, 0.05), (1.5, 0.25), (0.05, 0.05)
"""Likelihoods that one piece of a kind has come or gone, and several, relative to none: if its
looks say little, if it looks different from before, when its count was right, and if another
kind has changed."""
_RIGHTLY = 0.9
"""Least probability of a kind's known count by its earlier looks, for them to have been right."""
_OTHERWISE = 0.2
"""Change in the distribution of a kind's count from which its count has changed."""
_SURELY_NOT = 0.1
"""Probability of its old count below which a kind has changed; another is then unlikely to."""
_WELL = 0.1
"""Least probability of plausible contents of a region, relative to the likeliest."""
_LARGER = 0.025
"""Probability that small pieces are the visible parts of a larger one."""


@dataclass(frozen=True)
class RegionCount:
    """The pieces in a region: for each kind, the probabilities of none, one, two and so on.

    ``hidden``: something that is neither print nor piece covers it. ``larger`` maps smaller kinds
    to larger ones whose visible parts they may be. ``alike`` maps each kind with a printed face to
    the first one with the same face. ``is_pile``: only the top piece is visible.
    """

    chances: Mapping[str, np.ndarray]
    hidden: bool = False
    larger: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)
    is_pile: bool = False

    def on_one_another(self, heights: Sequence[int]) -> RegionCount:
        """The same for a pile of one kind whose top piece alone is visible.

        Each of the `heights` is equally likely.

        >>> pile = RegionCount({"a": np.array([0.2, 0.6, 0.2])}).on_one_another((2, 3))
        >>> pile.alternatives(), pile.carried({"a": 2}, pile) is pile
        ({'2 a': 0.4, '3 a': 0.4, '0 a': 0.2}, True)
        """
        ((kind, seen),) = self.chances.items()
        chances = np.zeros(max(heights) + 1)
        chances[[*heights]] = (1 - seen[0]) / len(heights)
        chances[0] = seen[0]
        return replace(self, chances={kind: chances}, is_pile=True)

    def to_data(self) -> dict[str, list[float]]:
        """The probabilities of the kinds that may be there, as JSON data."""
        return {
            kind: [round(float(one), 4) for one in chance]
            for kind, chance in self.chances.items()
            if chance[0] < 1
        }

    @staticmethod
    def from_data(data: Mapping[str, Sequence[float]]) -> RegionCount:
        """The inverse of `to_data`."""
        return RegionCount({kind: np.array(chance) for kind, chance in data.items()})

    @property
    def pieces(self) -> dict[str, int]:
        """The likeliest count of each kind, without zeros."""
        likeliest = {piece: int(chance.argmax()) for piece, chance in self.chances.items()}
        return {piece: count for piece, count in likeliest.items() if count}

    @property
    def confidence(self) -> float:
        """The probability that all counts are right."""
        return self.probability(self.pieces)

    def probability(self, pieces: Mapping[str, int]) -> float:
        """The probability that a region holds exactly ``pieces``, by kind."""
        if pieces.keys() - self.chances.keys():
            return 0.0
        each = (
            chance[pieces.get(piece, 0)] if pieces.get(piece, 0) < len(chance) else 0.0
            for piece, chance in self.chances.items()
        )
        return float(np.prod([*each]))

    def within(self, supply: Mapping[str, int]) -> RegionCount:
        """The same, limited to the number of pieces in the ``supply``."""
        chances = {}
        for kind, chance in self.chances.items():
            possible = chance[: supply[kind] + 1]
            total = possible.sum()
            if total < LEAST:  # more pieces were seen than there are
                possible, total = np.eye(len(possible))[-1], 1.0
            chances[kind] = chance if len(possible) == len(chance) else possible / total
        return replace(self, chances=chances)

    def doubted_beyond(self, left: Mapping[str, int]) -> RegionCount:
        """The same, in doubt where there seem to be more of a kind than are ``left`` of it.

        >>> RegionCount({"a": np.array([0.0, 0.0, 1.0])}).doubted_beyond({"a": 1}).alternatives()
        {'1 a': 0.5, '2 a': 0.5}
        """
        chances = {}
        for kind, chance in self.chances.items():
            most = max(left[kind], 0)
            chances[kind] = chance.copy()
            chances[kind][most + 1 :] /= 2
            chances[kind][most : most + 1] += chance[most + 1 :].sum() / 2
        return replace(self, chances=chances)

    def named_as(self, held: Collection[str], taken: Collection[str]) -> RegionCount:
        """The same with identical pieces named as those ``held`` here rather than those ``taken``.

        Pieces with the same face look alike: it is taken to be one not known to be elsewhere.

        >>> one, none = np.array([0.1, 0.9]), np.array([1.0, 0.0])
        >>> count = RegionCount({"a": one, "b": none}, alike={"a": "a", "b": "a"})
        >>> [count.named_as(*known).pieces for known in (((), ()), ("b", "a"), ((), "a"))]
        [{'a': 1}, {'b': 1}, {'b': 1}]
        """
        names: dict[str, str] = {}
        for first in {*self.alike.values()}:
            group = [one for one in self.chances if self.alike.get(one) == first]
            seen = sorted(group, key=lambda one: self.pieces.get(one, 0) == 0)
            names |= zip(
                seen, sorted(group, key=lambda one: (one not in held, one in taken)), strict=True
            )
        chances = {names.get(one, one): chance for one, chance in self.chances.items()}
        return replace(self, chances=chances)

    def carried(self, held: Mapping[str, int], before: RegionCount | None) -> RegionCount:
        """The same given the pieces ``held`` there and how that looked ``before``.

        Pieces come and go one by one; a kind that looks as before, or is not counted, is unchanged.

        >>> half = RegionCount({"a": np.array([0.0, 0.5, 0.5])})
        >>> half.carried({"a": 2}, half).confidence, half.carried({"a": 3}, None).pieces
        (1.0, {'a': 2})
        """
        if self.is_pile:
            return self
        one = {kind: self._carried(kind, held, before) for kind in self.chances}
        gone = {kind for kind, own in one.items() if own[held.get(kind, 0)] < _SURELY_NOT}
        more = {
            kind: self._carried(kind, held, before, _ANOTHER)
            for kind in self.chances.keys() - gone
            if gone
        }
        uncounted = {
            kind: (np.arange(count + 1) == count).astype(float)
            for kind, count in held.items()
            if kind not in self.chances
        }
        return replace(self, chances={**one, **more, **uncounted})

    def _carried(
        self,
        kind: str,
        held: Mapping[str, int],
        before: RegionCount | None,
        moved: tuple[float, float] | None = None,
    ) -> np.ndarray:
        """The distribution of one kind; ``moved``: likelihoods that one and several have moved."""
        now, count = self.chances[kind], held.get(kind, 0)
        was = now if before is None else before.chances.get(kind, np.ones(1))
        length = max(len(now), len(was), count + 1)
        now, was = (np.pad(chance, (0, length - len(chance))) for chance in (now, was))
        if moved is None:
            moved = _CHANGED if before is not None and was[count] >= _RIGHTLY else _UNKNOWN
        apart = np.abs(np.arange(length) - count)
        likely = now * np.array([1.0, *moved])[np.minimum(apart, 2)]
        otherwise = float(np.abs(now - was).sum()) / 2 / _OTHERWISE
        changed = 1.0 if before is None else min(1.0, otherwise)
        return np.asarray((1 - changed) * (apart == 0) + changed * likely / likely.sum())

    def likeliest(self, most: int, supply: Mapping[str, int]) -> Sequence[Mapping[str, int]]:
        """The plausible contents, all kinds together, the most probable first.

        No kind exceeds the ``supply``.
        """
        found: list[tuple[float, dict[str, int]]] = [(1.0, {})]
        for piece, chance in self.chances.items():
            more = [
                (p * float(own), {**held, **({piece: count} if count else {})})
                for p, held in found
                for count, own in enumerate(chance)
                if own >= LEAST and count <= supply[piece]
            ]
            found = sorted(more, key=lambda one: -one[0])[:most]
        return [held for p, held in found if p >= _WELL * found[0][0]]

    def alternatives(self) -> dict[str, float]:
        """The probable counts of each kind whose count is uncertain: {"2 red": 0.6}."""
        return {
            f"{count} {piece}": round(float(chance[count]), 3)
            for piece, chance in self.chances.items()
            if (chance >= LEAST).sum() > 1
            for count in np.argsort(-chance, kind="stable")
            if chance[count] >= LEAST
        }


def weigh_rules(count: RegionCount, broken: Callable[[Mapping[str, int]], int]) -> RegionCount:
    """The count, weighted by how many rules its pieces break: players seldom break any.

    Only the likeliest contents are weighed, each as a whole. What breaks them all the same is
    doubted: it may belong to the next region.
    """
    hypotheses: list[tuple[float, dict[str, int]]] = [(1.0, {})]
    for piece, chance in count.chances.items():
        counts = [int(n) for n in np.argsort(-chance) if chance[n] >= LEAST] or [0]
        more = [(p * float(chance[n]), {**own, piece: n}) for p, own in hypotheses for n in counts]
        hypotheses = sorted(more, key=lambda one: -one[0])[:_WEIGHED]
    for piece, larger in count.larger.items():
        hypotheses += [
            (p * _LARGER, {**own, piece: 0, larger: own.get(larger) or 1})
            for p, own in hypotheses
            if own.get(piece)
        ]
    breaks = broken(count.pieces) > 0
    if len(hypotheses) == 1 and not breaks:
        return count
    hypotheses = sorted(hypotheses, key=lambda one: -one[0])[: 2 * _WEIGHED]
    weighed = [
        p * PER_BREAK ** broken({piece: n for piece, n in own.items() if n})
        for p, own in hypotheses
    ]
    total = sum(weighed)
    chances = {piece: np.zeros(max(2, len(chance))) for piece, chance in count.chances.items()}
    for share, (_, own) in zip(weighed, hypotheses, strict=True):
        for piece, n in own.items():
            chances[piece][n] += share / total
    by_rules = replace(count, chances=chances)
    overruled = by_rules.pieces != count.pieces
    if (overruled or breaks) and by_rules.confidence > 1 - SEEN:  # still asked about
        instead = count.pieces if overruled else {}
        for piece, chance in chances.items():
            chance *= 1 - SEEN
            chance[instead.get(piece, 0)] += SEEN
    return by_rules
