"""Region chances: how many pieces of each kind may lie in a region, and what rules say to that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.decode import LEAST

_WEIGHED, _PER_BREAK = 64, 0.02
"""So many of what may lie in a region are held against the rules, and what a break weighs."""
_SEEN = 0.12
"""How likely at least what was seen stays, where the rules say something else."""
_UNKNOWN, _CHANGED, _ANOTHER = (0.5, 0.05), (1.5, 0.25), (0.05, 0.05)
"""How likely one piece of a kind has come or gone, and several have, beside none: where its looks
say little, where it looks otherwise than it rightly did before, and where another has changed."""
_RIGHTLY = 0.9
"""How likely what a kind looked like must have made what was known of it, for that to be right."""
_OTHERWISE = 0.2
"""By how much probability a kind must look otherwise where there are more or fewer of it."""
_SURELY_NOT = 0.1
"""Up to this probability a kind's count is no longer what it was: hardly another one's as well."""
_WELL = 0.1
"""How likely a region's contents are at least, beside the likeliest, that may well be there."""
_LARGER = 0.025
"""How likely small pieces are what others leave to be seen of a larger one."""


@dataclass(frozen=True)
class RegionCount:
    """How many pieces lie in a region: by kind, the probabilities of none, one, two and so on.

    ``hidden``: something that is neither print nor piece lies over it. ``larger`` are the kinds
    of which smaller ones, by their kind, may be what others leave to be seen. ``alike`` is, of each
    kind with a printed face, the first one with the same.
    """

    chances: Mapping[str, np.ndarray]
    hidden: bool = False
    larger: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)

    def to_data(self) -> dict[str, list[float]]:
        """The chances of the kinds that may be there, as JSON data."""
        return {
            kind: [round(float(one), 4) for one in chance]
            for kind, chance in self.chances.items()
            if chance[0] < 1
        }

    @staticmethod
    def from_data(data: Mapping[str, Sequence[float]]) -> RegionCount:
        """The count of which `to_data` wrote the chances."""
        return RegionCount({kind: np.array(chance) for kind, chance in data.items()})

    @property
    def pieces(self) -> dict[str, int]:
        """The likeliest count of each kind, without those of which there is none."""
        likeliest = {piece: int(chance.argmax()) for piece, chance in self.chances.items()}
        return {piece: count for piece, count in likeliest.items() if count}

    @property
    def confidence(self) -> float:
        """The probability that all counts are right."""
        return self.probability(self.pieces)

    def probability(self, pieces: Mapping[str, int]) -> float:
        """How likely a region holds just these, by kind."""
        if pieces.keys() - self.chances.keys():
            return 0.0
        each = (
            chance[pieces.get(piece, 0)] if pieces.get(piece, 0) < len(chance) else 0.0
            for piece, chance in self.chances.items()
        )
        return float(np.prod([*each]))

    def within(self, supply: Mapping[str, int]) -> RegionCount:
        """The same without counts of which the ``supply`` has not so many pieces."""
        chances = {}
        for kind, chance in self.chances.items():
            possible = chance[: supply[kind] + 1]
            total = possible.sum()
            if total < LEAST:  # all that was seen is more than there are
                possible, total = np.eye(len(possible))[-1], 1.0
            chances[kind] = chance if len(possible) == len(chance) else possible / total
        return replace(self, chances=chances)

    def named_as(self, held: Collection[str], taken: Collection[str]) -> RegionCount:
        """The same where pieces alike are called as those ``held`` here, and none as one ``taken``.

        Which of them it is nobody sees: it is one of those that are not known to lie elsewhere.

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
        """The same where it is known what lay there, and what that looked like ``before``.

        Pieces come and go one by one; a kind that looks as before, or is not counted, is as before.

        >>> half = RegionCount({"a": np.array([0.0, 0.5, 0.5])})
        >>> half.carried({"a": 2}, half).confidence, half.carried({"a": 3}, None).pieces
        (1.0, {'a': 2})
        """
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
        """The chances of one kind; ``moved``: how likely one and several have come or gone."""
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
        """What may well lie there, all kinds together, the most probable first.

        Of no kind there are more than the ``supply`` has.
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
        """Of each kind whose count is open, the counts that are probable at all: {"2 red": 0.6}."""
        return {
            f"{count} {piece}": round(float(chance[count]), 3)
            for piece, chance in self.chances.items()
            if (chance >= LEAST).sum() > 1
            for count in np.argsort(-chance, kind="stable")
            if chance[count] >= LEAST
        }


def weigh_rules(count: RegionCount, broken: Callable[[Mapping[str, int]], int]) -> RegionCount:
    """A count that heeds how many rules its pieces break: players seldom break any.

    The likeliest of all that may lie there are weighed, each as a whole.
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
    if len(hypotheses) == 1:
        return count
    hypotheses = sorted(hypotheses, key=lambda one: -one[0])[: 2 * _WEIGHED]
    weighed = [
        p * _PER_BREAK ** broken({piece: n for piece, n in own.items() if n})
        for p, own in hypotheses
    ]
    total = sum(weighed)
    chances = {piece: np.zeros(max(2, len(chance))) for piece, chance in count.chances.items()}
    for share, (_, own) in zip(weighed, hypotheses, strict=True):
        for piece, n in own.items():
            chances[piece][n] += share / total
    by_rules = replace(count, chances=chances)
    overruled = by_rules.pieces != count.pieces
    if overruled and by_rules.confidence > 1 - _SEEN:  # it is asked about all the same
        for piece, chance in chances.items():
            chance *= 1 - _SEEN
            chance[count.pieces.get(piece, 0)] += _SEEN
    return by_rules
