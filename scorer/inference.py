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

PlainPosition = Mapping[Place, str]
"""A piece's id on each place that holds one."""


@dataclass
class Inference(Generic[State, Action]):
    """A search for what was done on one board: `pieces_of` gives its pieces in a state.

    `actions` are those that may have been done, all legal ones by default. So many `draws` of
    chance may stand between them: what a hand drew is known by where it laid it.
    """

    turns: Turns[State, Action]
    pieces_of: Callable[[State], PlainPosition]
    actions: Callable[[State], Iterable[Action]] | None = None
    draws: int = 0
    most: int = MOST_SEEN
    _left: int = field(default=MOST_TRIED, init=False)

    def explanations(self, state: State, seen: PlainPosition) -> Iterator[tuple[Action, ...]]:
        """Every way to understand a board as it lies: actions, in order, that make it of a state's.

        The legal ones come first; then the pieces laid one after the other, in every order,
        whatever rule that breaks. One of no actions where nothing is new; none at all where no
        actions lead there.
        """
        yield from self.legal(state, seen)
        new = self.new_places(state, seen)
        laid = [self.turns.placing(state, place, seen.get(place, "")) for place in sorted(new)]
        known = [one for one in laid if one is not None]
        if 0 < len(new) <= self.most and len(known) == len(new) and all(at in seen for at in new):
            yield from permutations(known)

    def legal(self, state: State, seen: PlainPosition) -> Iterator[tuple[Action, ...]]:
        """The legal ways alone, those with fewer draws first."""
        new = self.new_places(state, seen)
        if len(new) <= self.most:
            for draws in range(self.draws + 1):
                yield from self._legal(state, seen, new, draws)

    def new_places(self, state: State, seen: PlainPosition) -> frozenset[Place]:
        """The places that lie otherwise than in a state; a region as a whole."""
        pieces = self.pieces_of(state)
        places = {*pieces, *seen}
        return frozenset(place.whole for place in places if pieces.get(place) != seen.get(place))

    def _legal(
        self, state: State, seen: PlainPosition, new: frozenset[Place], draws: int
    ) -> Iterator[tuple[Action, ...]]:
        """Legal actions of which so many are draws."""
        if not new and not draws:
            yield ()
        if not new:
            return
        drawn = [action for action, _odds in self.turns.outcomes(state)]
        for action in drawn or (self.actions or self.turns.actions)(state):
            if not new.issuperset(self.turns.places_of(action)):
                continue
            self._left -= 1
            if self._left < 0:
                return
            after = self.turns.after(state, action)
            left = self.new_places(after, seen)
            if drawn and draws and left == new:
                followed = self._legal(after, seen, left, draws - 1)
            elif left < new:
                followed = self._legal(after, seen, left, draws)
            else:
                continue
            yield from ((action, *others) for others in followed)
