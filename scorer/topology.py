"""Boards as graphs of spaces and links, independent of any game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise


@dataclass(frozen=True)
class Link:
    """Two linked spaces, in no particular order; `kind` is the game's word for the line drawn.

    >>> Link("a1", "a2", "direct").ends == Link("a2", "a1", "direct").ends
    True
    """

    a: str
    b: str
    kind: str

    @property
    def ends(self) -> frozenset[str]:
        return frozenset((self.a, self.b))


def ring(spaces: Iterable[str], kind: str) -> tuple[Link, ...]:
    """The links of a closed circle through `spaces`, in order.

    >>> [sorted(link.ends) for link in ring(["a", "b", "c"], "orbital")]
    [['a', 'b'], ['b', 'c'], ['a', 'c']]
    """
    circle = tuple(spaces)
    if len(circle) < 3:  # closing it would link two spaces twice, or one to itself
        return tuple(Link(a, b, kind) for a, b in pairwise(circle))
    following = circle[1:] + circle[:1]
    return tuple(Link(a, b, kind) for a, b in zip(circle, following, strict=True))


@dataclass(frozen=True)
class Topology:
    """The spaces of a board and the links between them.

    Games extend it with regions, special spaces and printed numbers.

    >>> path = Topology(("a", "b", "c"), (Link("a", "b", "direct"), Link("b", "c", "orbital")))
    >>> sorted(path.neighbours("b")), path.linked("a", "c")
    (['a', 'c'], False)
    """

    spaces: tuple[str, ...]
    links: tuple[Link, ...]

    def neighbours(self, space: str) -> frozenset[str]:
        """The spaces linked to `space` by any kind of link. Raise KeyError if it is unknown."""
        return self.around[space]

    def neighbours_by(self, kind: str, space: str) -> frozenset[str]:
        """The spaces linked to `space` by one kind of link. Raise KeyError if it is unknown."""
        if space not in self.around:
            raise KeyError(space)
        return self._neighbours_by_kind.get(kind, {}).get(space, frozenset())

    def linked(self, a: str, b: str) -> bool:
        return b in self.around[a]

    @property
    def regions(self) -> Mapping[str, tuple[str, ...]]:
        """Named groups of spaces that are printed alike; a space in no group looks like no other.

        By default one unnamed region of all spaces.
        """
        return {"": self.spaces}

    def notices(self) -> tuple[str, ...]:
        """What the owner should know about a board that is valid but unusual."""
        return ()

    def links_of(self, kind: str) -> tuple[Link, ...]:
        return tuple(link for link in self.links if link.kind == kind)

    def reach(self, start: str, through: Iterable[str]) -> frozenset[str]:
        """The spaces of `through` that are reachable from `start` over `through` alone.

        >>> path = Topology(("a", "b", "c"), (Link("a", "b", "direct"), Link("b", "c", "direct")))
        >>> sorted(path.reach("a", {"a", "c"}))
        ['a']
        """
        open_spaces = set(through)
        reached: set[str] = set()
        waiting = [start]
        while waiting:
            found = self.around[waiting.pop()] & open_spaces - reached
            reached |= found
            waiting.extend(found)
        return frozenset(reached | ({start} & open_spaces))

    @cached_property
    def around(self) -> Mapping[str, frozenset[str]]:
        """The neighbours of every space, by any kind of link."""
        return _adjacency(self.spaces, self.links)

    @cached_property
    def _neighbours_by_kind(self) -> dict[str, dict[str, frozenset[str]]]:
        kinds = dict.fromkeys(link.kind for link in self.links)
        return {kind: _adjacency(self.spaces, self.links_of(kind)) for kind in kinds}


def _adjacency(spaces: Iterable[str], links: Iterable[Link]) -> dict[str, frozenset[str]]:
    around: dict[str, set[str]] = {space: set() for space in spaces}
    for a, b in ((link.a, link.b) for link in links):
        if a != b:  # layouts may draw a link from a space to itself, which adds no neighbour
            around[a].add(b)
            around[b].add(a)
    return {space: frozenset(others) for space, others in around.items()}
