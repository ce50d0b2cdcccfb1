"""Exact maximum set packing: the most sets of a family without a common element."""

from collections.abc import Hashable, Sequence, Set
from functools import cache


def most_disjoint(family: Sequence[Set[Hashable]], enough: int | None = None) -> tuple[int, ...]:
    """Sorted indices of a largest choice of sets in `family` that are pairwise disjoint.

    The search stops at `enough` sets.

    Branch and bound, element by element in order of first occurrence: one of the sets with this
    element is chosen, or the element is left unused. The best continuation depends only on the
    free elements, and is cached by them.

    >>> most_disjoint([{"a", "b"}, {"b", "c"}, {"c", "d"}])
    (0, 2)
    >>> most_disjoint([{"a"}, {"b"}, {"c"}], enough=2)
    (0, 1)
    """
    bit: dict[Hashable, int] = {}
    for members in family:
        for member in sorted(members, key=str):
            bit.setdefault(member, len(bit))
    masks = [sum(1 << bit[member] for member in members) for members in family]
    smallest = min((len(members) for members in family), default=1)
    most = len(bit) // smallest

    @cache
    def best(free: int, wanted: int) -> tuple[int, ...]:
        """The most sets within `free`, up to `wanted` of them."""
        usable = [place for place, mask in enumerate(masks) if mask & ~free == 0]
        if not usable:
            return ()
        within = 0
        for place in usable:
            within |= masks[place]
        if within != free:
            return best(within, wanted)  # elements in no usable set do not matter
        first = free & -free
        bound = min(wanted, free.bit_count() // smallest)
        longest: tuple[int, ...] = ()
        for place in usable:
            if masks[place] & first and len(longest) < bound:
                longest = max(longest, (place, *best(free & ~masks[place], bound - 1)), key=len)
        if len(longest) < bound:
            longest = max(longest, best(free & ~first, bound), key=len)
        return longest

    return tuple(sorted(best((1 << len(bit)) - 1, most if enough is None else enough)))
