"""Patterns of personal cards: their occurrences among a player's stars."""

from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from types import MappingProxyType

from scorer.polaris.constellations import Constellation, PlayerStars
from scorer.polaris.sky import STARS_OF_A_PLAYER
from scorer.polaris.words import POLARIS

DIRECTIONS: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "right": ("horizontal", True),
        "left": ("horizontal", False),
        "up": ("vertical", True),
        "down": ("vertical", False),
    }
)
"""By direction, the orientation of links, and whether it leads from their end `a` to `b`."""

Step = tuple[int, str, int]


@dataclass(frozen=True)
class Form:
    """One form of a pattern: steps from star to star along links; stars are numbered from 0.

    >>> Form.from_text("0 right 1 right 2, 1 up 3").steps
    ((0, 'right', 1), (1, 'right', 2), (1, 'up', 3))
    """

    steps: tuple[Step, ...]

    @classmethod
    def from_text(cls, text: str) -> "Form":
        """Parse chains of steps. Raise ValueError, in words, if it is no connected pattern."""
        steps: list[Step] = []
        for chain in text.split(","):
            words = chain.split()
            if len(words) < 3 or len(words) % 2 == 0:
                raise ValueError(f"{chain.strip()!r} is no chain such as 0 right 1 up 2")
            stars = [_star(word) for word in words[::2]]
            for start, direction, end in zip(stars, words[1::2], stars[1:], strict=False):
                if direction not in DIRECTIONS:
                    raise ValueError(f"{direction} is not one of {', '.join(DIRECTIONS)}")
                steps.append((start, direction, end))
        known = {0}
        for start, _, end in steps:
            if start not in known or end == start:
                raise ValueError(f"no step has come to star {start} before one leaves it")
            known.add(end)
        return cls(tuple(steps))

    def found_from(self, own: PlayerStars, start: str) -> Iterator[Constellation]:
        """The occurrences with star 0 on a given space, without Polaris (P72)."""
        yield from self._walk(own, {0: start}, (), 0)

    def _walk(
        self, own: PlayerStars, at: Mapping[int, str], links: tuple[str, ...], done: int
    ) -> Iterator[Constellation]:
        if done == len(self.steps):
            spaces = own.sky.board.spaces
            yield Constellation(tuple(sorted(at.values(), key=spaces.index)), links)
            return
        start, direction, end = self.steps[done]
        for link, space in _ways(own, at[start], direction):
            new = end not in at and space not in at.values()
            if new or at.get(end) == space:
                yield from self._walk(own, {**at, end: space}, (*links, link), done + 1)


def occurrences(own: PlayerStars, forms: tuple[Form, ...]) -> tuple[Constellation, ...]:
    """All occurrences of the forms, each set of stars once (P72)."""
    found: dict[tuple[str, ...], Constellation] = {}
    for space in own.spaces:
        for form in forms:
            for occurrence in form.found_from(own, space):
                found.setdefault(occurrence.spaces, occurrence)
    return tuple(found.values())


def most_occurrences(own: PlayerStars, forms: tuple[Form, ...]) -> tuple[Constellation, ...]:
    """As many occurrences as can be counted without using a star twice (P73).

    The number is exact, but at most what one player's stars can form (P48), even if a sky has more
    stars of a colour.
    """
    found = occurrences(own, forms)
    smallest = min((one.size for one in found), default=1)
    most = STARS_OF_A_PLAYER // smallest
    chosen = most_disjoint([frozenset(one.spaces) for one in found], enough=most)
    return tuple(found[place] for place in chosen)


def least_missing(own: PlayerStars, forms: tuple[Form, ...]) -> tuple[str, ...]:
    """The fewest places of one occurrence that make one more; () if none can follow.

    >>> from scorer.polaris.sky import Sky
    >>> row = (Form.from_text("0 right 1 right 2"),)
    >>> least_missing(PlayerStars(Sky({"1a1": "red", "1b1": "red"}, ("1a1-1b1",)), "red"), row)
    ('1c1', '1b1-1c1')
    """
    sky, board, colour = own.sky, own.sky.board, own.colour
    stars = dict.fromkeys((one for one in board.star_spaces if one not in sky.stars), colour)
    every = replace(sky, stars={**sky.stars, **stars}, links=tuple(board.link_spaces))
    full, lies = PlayerStars(every, colour), {*own.spaces, *sky.links}
    missing = {
        tuple(place for place in (*one.spaces, *one.links) if place not in lies)
        for space, form in product(full.spaces, forms)
        for one in form.found_from(full, space)
    }
    now = len(most_occurrences(own, forms))
    for places in sorted(missing, key=lambda one: (len(one), one)):
        more = {place: colour for place in places if place in stars}
        links = (*sky.links, *(place for place in places if place not in stars))
        then = replace(sky, stars={**sky.stars, **more}, links=links)
        if len(most_occurrences(PlayerStars(then, colour), forms)) > now:
            return places
    return ()


def _ways(own: PlayerStars, space: str, direction: str) -> Iterator[tuple[str, str]]:
    """The links from a star in a direction to another own star, and that star's space."""
    orientation, forwards = DIRECTIONS[direction]
    for link in own.links_at(space):
        ends = own.sky.board.link_spaces[link]
        start, end = (ends.a, ends.b) if forwards else (ends.b, ends.a)
        if ends.kind == orientation and start == space and end != POLARIS:
            yield link, end


def _star(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"{word} is not the number of a star")
    return int(word)


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
