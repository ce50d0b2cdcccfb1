"""Pieces found in regions, each with its kinds and regions, weighed by the rules one by one."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vision.decode import LEAST
from vision.region_chances import PER_BREAK, SEEN
from vision.region_discs import PixelPoint

Spot = tuple[int, str]
"""A region's index, and the role of a piece in it."""

_ASTRAY = 0.3
"""A factor on the probability of a piece in the next region, where the rest of its heap is."""
_LIKELY, _SURE = 0.5, 1 - SEEN
"""Probability from which a piece counts, and the most where the rules decided."""
_THERE, _UNFIT, _FITS = 0.9, 0.2, 0.1
"""Probability that there is a piece, from which the others in its region say what it is; a factor
on the probability of a spot that breaks one more rule with them; the least one of other spots."""
_HEAPED = 1.75
"""Sums of their radii within which two pieces may be of one heap."""


@dataclass(frozen=True)
class FoundPiece:
    """``there`` is the probability that it is a piece, ``chances`` that it is one of these spots.

    It stands ``at`` px and has a ``radius`` in px.
    """

    at: PixelPoint
    radius: float
    there: float
    chances: Mapping[Spot, float]

    @property
    def likeliest(self) -> Spot | None:
        """Its spot if it is likely to be anywhere."""
        if sum(self.chances.values()) <= _LIKELY:
            return None
        return max(self.chances, key=self.chances.__getitem__)

    def touches(self, other: "FoundPiece") -> bool:
        return math.dist(self.at, other.at) < _HEAPED * (self.radius + other.radius)


def fitting(
    found: Sequence[FoundPiece], broken: Callable[[int, Mapping[str, int]], int]
) -> list[FoundPiece]:
    """The same, where pieces are less likely to be what breaks a rule with the others there.

    A piece that surely is one is of another kind then, or of the next region, which stays in doubt;
    the least certain one is weighed first, so that those after it fit where it is then.
    ``broken`` is the number of rules that contents of a region break.
    """
    held: dict[int, Counter[str]] = defaultdict(Counter)
    for one in found:
        if one.likeliest is not None:
            held[one.likeliest[0]][one.likeliest[1]] += 1
    weighed = [*found]
    for n in sorted(range(len(found)), key=lambda n: max(found[n].chances.values(), default=0)):
        one = found[n]
        if one.there < _THERE or len(one.chances) < 2:
            continue
        if one.likeliest is not None:
            held[one.likeliest[0]][one.likeliest[1]] -= 1
        unfit = {
            (region, role)
            for region, role in one.chances
            if +held[region]
            and broken(region, held[region] + Counter([role])) > broken(region, +held[region])
        }
        weighed[n] = one = _less_likely(one, unfit)
        if one.likeliest is not None:
            held[one.likeliest[0]][one.likeliest[1]] += 1
    return weighed


def _less_likely(one: FoundPiece, unfit: Collection[Spot]) -> FoundPiece:
    """The same piece, where some of its spots are ``unfit``, if others are not."""
    chances = {
        spot: chance * (_UNFIT if spot in unfit else 1) for spot, chance in one.chances.items()
    }
    fits = sum(chance for spot, chance in chances.items() if spot not in unfit)
    if not unfit or fits < _FITS:
        return one
    lost = sum(one.chances.values()) - sum(chances.values())
    most = max(_SURE, *one.chances.values())
    scale = min(one.there / (one.there - lost), most / max(chances.values()))
    return replace(one, chances={spot: scale * chance for spot, chance in chances.items()})


def by_rules(
    found: Sequence[FoundPiece],
    admitted: Sequence[Collection[str]],
    larger: Sequence[Mapping[str, str]],
    broken: Callable[[int, Mapping[str, int]], int],
) -> list[FoundPiece]:
    """The same, where pieces that break a rule are of another kind, or of the next region's heap.

    Cubes of a heap slide over the rim of its region. What the rules decide stays in doubt.
    ``admitted`` are the roles that each region admits, ``larger`` maps those that may be visible
    parts of larger pieces to these, and ``broken`` is the number of rules that contents of a region
    break.
    """
    spots = {n: spot for n, one in enumerate(found) if (spot := one.likeliest) is not None}
    held: dict[int, set[str]] = {}
    for one in found:
        for (region, role), chance in one.chances.items():
            if chance >= LEAST:
                held.setdefault(region, set()).update({role, larger[region].get(role, role)})

    def breaks(spot: Spot) -> bool:
        """Whether a piece may be there neither by itself nor with any kind that may be there."""
        region, role = spot
        return all(broken(region, {role: 1, other: 1}) for other in (role, *held.get(region, ())))

    def takes(region: int, role: str) -> bool:
        """Whether a region's likely pieces break no more rules with another one of that role."""
        contents = Counter(its for at, its in spots.values() if at == region)
        return role in admitted[region] and (
            broken(region, contents + Counter([role])) <= broken(region, contents)
        )

    wrong = {n for n, spot in spots.items() if breaks(spot)}
    heaps = {n: region for n, (region, _) in spots.items() if n not in wrong}
    left = wrong
    while left:
        slid = {}
        for n in left:
            own, role = spots[n]
            beside = sorted(heaps, key=lambda m: math.dist(found[n].at, found[m].at))
            near = dict.fromkeys(heaps[m] for m in beside if found[n].touches(found[m]))
            heap = next((at for at in near if at != own and takes(at, role)), None)
            if heap is not None:
                slid[n] = heap
        if not slid:
            break
        heaps |= slid
        left = left - slid.keys()
    weighed = fitting(found, broken)
    together = Counter(heaps[n] for n in wrong if n in heaps)
    for n in wrong:
        chances = {
            spot: chance * (PER_BREAK if breaks(spot) else 1)
            for spot, chance in found[n].chances.items()
        }
        if n in heaps:
            there = heaps[n], spots[n][1]
            chances[there] = chances.get(there, 0.0) + _ASTRAY * found[n].chances[spots[n]]
        if max(chances, key=chances.__getitem__) != spots[n]:
            sure = _SURE ** (1 / together[heaps[n]]) if n in heaps else _SURE
            scale = min(found[n].there, sure) / sum(chances.values())
            chances = {spot: scale * chance for spot, chance in chances.items()}
            weighed[n] = replace(found[n], chances=chances)
    return weighed


def chances_by_region(
    found: Iterable[FoundPiece], regions: Iterable[int]
) -> dict[int, dict[str, list[float]]]:
    """The probabilities of the pieces in each of these regions, by role."""
    of_each: dict[int, dict[str, list[float]]] = {region: {} for region in regions}
    for one in found:
        for (region, role), chance in one.chances.items():
            if region in of_each:
                of_each[region].setdefault(role, []).append(chance)
    return of_each
