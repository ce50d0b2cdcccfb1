"""What was done between two looks at a board: legal actions that lead from one to the other.

Nobody sees an action with a camera, only what lies there after it. Several pieces may have come at
once, by several actions; what no legal actions explain is told as the actions that it would be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Generic

from scorer.places import Place
from scorer.turns import Action, State, Turns

MOST_SEEN = 4
"""So many places at most are looked at as actions; more of them are a board that is laid out."""
MOST_TRIED = 4000
"""Actions that are tried before a search gives up."""

Lying = Mapping[Place, str]
"""A piece's id on each place that holds one."""


@dataclass
class Inference(Generic[State, Action]):
    """A search for what was done on one board: `lying` are its pieces in a state.

    `actions` are those that may have been done, all legal ones by default. `quiet` ones, which
    change nothing on the board, may stand between the others: so many.
    """

    turns: Turns[State, Action]
    lying: Callable[[State], Lying]
    actions: Callable[[State], Iterable[Action]] | None = None
    quiet: int = 0
    most: int = MOST_SEEN
    _left: int = field(default=MOST_TRIED, init=False)

    def explanations(self, state: State, seen: Lying) -> Iterator[tuple[Action, ...]]:
        """Every way to understand a board as it lies: actions, in order, that make it of a state's.

        The legal ones come first, of them those with fewer quiet actions; then the pieces laid one
        after the other, in every order, whatever rule that breaks. One of no actions where nothing
        is new; none at all where no actions lead there.
        """
        new = self.new_places(state, seen)
        if len(new) > self.most:
            return
        for quiet in range(self.quiet + 1):
            yield from self._legal(state, seen, new, quiet)
        laid = [self.turns.placing(state, place, seen.get(place, "")) for place in sorted(new)]
        known = [one for one in laid if one is not None]
        if new and len(known) == len(new) and all(place in seen for place in new):
            yield from permutations(known)

    def new_places(self, state: State, seen: Lying) -> frozenset[Place]:
        """The places that lie otherwise than in a state; a region as a whole."""
        lying = self.lying(state)
        places = {*lying, *seen}
        return frozenset(place.whole for place in places if lying.get(place) != seen.get(place))

    def _legal(
        self, state: State, seen: Lying, new: frozenset[Place], quiet: int
    ) -> Iterator[tuple[Action, ...]]:
        """Legal actions of which so many are quiet."""
        if not new and not quiet:
            yield ()
        if not new:
            return
        for action in (self.actions or self.turns.actions)(state):
            named = self.turns.places_of(action)
            if not new.issuperset(named):
                continue
            self._left -= 1
            if self._left < 0:
                return
            after = self.turns.after(state, action)
            left = self.new_places(after, seen)
            if left < new:
                followed = self._legal(after, seen, left, quiet)
            elif left == new and quiet and not self.turns.outcomes(after):
                followed = self._legal(after, seen, left, quiet - 1)
            else:
                continue
            yield from ((action, *others) for others in followed)
