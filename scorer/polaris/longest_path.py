"""The exact longest simple path of a small graph."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise

INSIDE = -1  # a vertex inside a path, or a decided one: it takes no further edge
ENDED = -2  # the path's other end is decided: it ends there

Edge = tuple[Hashable, Hashable]
Path = tuple[int, ...]  # indices of edges
Near = Mapping[Hashable, Sequence[Hashable]]  # the neighbours of each vertex


def longest_path(edges: Sequence[Edge], enough: int | None = None) -> Path:
    """The edges of a longest simple path, as sorted indices into `edges`.

    The search stops at a path of `enough` edges.

    Sweeps across the graph vertex by vertex (the frontier method: Knuth's Simpath). Choices so far
    matter only by how they join the vertices of the frontier, those with edges on both sides; of
    all choices that join them alike, the longest is kept. So the work grows with the width of the
    frontier rather than the number of paths, which a depth-first search would enumerate if no path
    visits every vertex.

    >>> longest_path([("a", "b"), ("b", "c"), ("b", "d"), ("d", "e")])
    (0, 2, 3)
    >>> longest_path([("a", "b"), ("b", "c"), ("c", "a")])
    (0, 1)
    """
    near = _neighbours(edges)
    longest = _quick_path(near, edges)
    order = _narrow_order(near)
    tried = -1  # all paths that leave out up to this many vertices
    while (left_out := len(order) - 1 - len(longest)) > tried + 1:
        if enough is not None and len(longest) >= enough:
            break
        tried = min(max(1, tried * 4), left_out - 1)
        longest = max(longest, _Sweep(edges, order, tried).longest, key=len)
    return tuple(sorted(longest))


class _Sweep:
    """A sweep over the vertices in order; paths leave out at most `spare` of them.

    A state gives, for each slot of the frontier, the other end of the path through its vertex: a
    slot, INSIDE or ENDED; a vertex on no path is its own other end. Each state has the longest
    choice of edges leading to it, and the number of vertices left out.
    """

    def __init__(self, edges: Sequence[Edge], order: Sequence[Hashable], spare: int) -> None:
        self.spare = spare
        self.states: dict[tuple[int, ...], tuple[Path, int]] = {(): ((), 0)}
        self.longest: Path = ()
        self.slots: dict[Hashable, int] = {}  # by vertex of the frontier
        around: dict[Hashable, list[tuple[Hashable, int]]] = {vertex: [] for vertex in order}
        for place, (a, b) in enumerate(edges):
            around[a].append((b, place))
            around[b].append((a, place))
        decided = set()
        for vertex in order:
            for other, place in around[vertex]:
                if other not in decided:
                    self.choose(self.slot_of(vertex), self.slot_of(other), place)
            self.decide(self.slot_of(vertex))
            del self.slots[vertex]
            decided.add(vertex)

    def slot_of(self, vertex: Hashable) -> int:
        """The slot of a vertex, which is added to the frontier if necessary."""
        if vertex not in self.slots:
            taken = self.slots.values()
            slot = next(free for free in range(len(taken) + 1) if free not in taken)
            self.slots[vertex] = slot
            self.states = {
                (*ends[:slot], slot, *ends[slot + 1 :]): choice
                for ends, choice in self.states.items()
            }
        return self.slots[vertex]

    def choose(self, a: int, b: int, edge: int) -> None:
        """Branch each state on an edge between two slots."""
        for ends, (chosen, left_out) in list(self.states.items()):
            far_a, far_b = ends[a], ends[b]
            if far_a in (INSIDE, b) or far_b == INSIDE:  # a third edge, or a cycle
                continue
            joined = list(ends)
            joined[a] = joined[b] = INSIDE
            if far_a == ENDED and far_b == ENDED:
                self.finish(joined, (*chosen, edge))
                continue
            if far_a != ENDED:
                joined[far_a] = far_b
            if far_b != ENDED:
                joined[far_b] = far_a
            self.keep(joined, (*chosen, edge), left_out)

    def decide(self, slot: int) -> None:
        """Drop a vertex without further edges: a path that ends at it is final there."""
        states, self.states = self.states, {}
        for ends, (chosen, left_out) in states.items():
            left, far = list(ends), ends[slot]
            left[slot] = INSIDE
            if far == ENDED:
                self.finish(left, chosen)
            elif far == INSIDE:
                self.keep(left, chosen, left_out)
            elif far == slot:
                if left_out < self.spare:
                    self.keep(left, chosen, left_out + 1)
            elif left.count(ENDED) < 2:  # a path has two ends
                left[far] = ENDED
                self.keep(left, chosen, left_out)

    def keep(self, ends: list[int], chosen: Path, left_out: int) -> None:
        """Keep a state, unless a known one that joins alike is as long."""
        state = tuple(ends)
        known = self.states.get(state)
        if known is None or len(chosen) > len(known[0]):
            self.states[state] = chosen, left_out

    def finish(self, ends: list[int], chosen: Path) -> None:
        """Accept a path with two final ends, if there is no other path."""
        whole = all(far in (INSIDE, slot) for slot, far in enumerate(ends))
        if whole and len(chosen) > len(self.longest):
            self.longest = chosen


def _neighbours(edges: Sequence[Edge]) -> dict[Hashable, list[Hashable]]:
    near: dict[Hashable, list[Hashable]] = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


def _quick_path(near: Near, edges: Sequence[Edge]) -> Path:
    """A long path, perhaps not the longest: always on to the neighbour with the fewest exits.

    Warnsdorff's rule, from every start. It suffices for complete graphs, which have the widest
    frontier.
    """
    place = {frozenset(ends): place for place, ends in enumerate(edges)}
    longest: Path = ()
    for start in near:
        walk, left = [start], near.keys() - {start}
        while onward := [vertex for vertex in near[walk[-1]] if vertex in left]:
            walk.append(min(onward, key=lambda vertex: len(left.intersection(near[vertex]))))
            left.discard(walk[-1])
        if len(walk) > len(longest) + 1:
            longest = tuple(place[frozenset(step)] for step in pairwise(walk))
    return longest


def _narrow_order(near: Near) -> list[Hashable]:
    """An order of the vertices with a narrow frontier: the narrowest from any start."""
    widths = {start: list(_widths(near, start)) for start in near}
    # a further vertex in the frontier makes for about three times as many states
    best = min(widths, key=lambda start: sum(3**width for _, width in widths[start]), default=None)
    return [vertex for vertex, _ in widths[best]] if best in widths else []


def _widths(near: Near, start: Hashable) -> Iterator[tuple[Hashable, int]]:
    """Vertices in the order that widens the frontier least, with its width after each."""
    left, frontier = dict.fromkeys(near), {start: None}
    while left:
        frontier = frontier or dict.fromkeys([next(iter(left))])
        fresh = {
            vertex: [n for n in near[vertex] if n in left and n not in frontier]
            for vertex in frontier
        }
        vertex = min(frontier, key=lambda vertex: len(fresh[vertex]))
        del frontier[vertex], left[vertex]
        frontier |= dict.fromkeys(fresh[vertex])
        yield vertex, len(frontier)
