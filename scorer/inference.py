"""Infer the actions between two looks at a board.

A camera sees no actions, only the pieces after them, and several actions may have put several
pieces there. If no legal actions explain them, illegal ones that place them are reported.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Generic

from scorer.places import Place
from scorer.turns import Action, State, Turns

MOST_SEEN = 4
"""The most changed places to explain; more mean that the board is being laid out."""
MOST_TRIED = 4000
"""The most actions that a search tries."""

PlainPosition = Mapping[Place, str]
"""The piece id on each occupied place."""


@dataclass
class Inference(Generic[State, Action]):
    """A search for the actions on one board; `pieces_of` gives its pieces in a state.

    `actions` are the candidates in a state, by default all legal ones. Up to `draws` chance actions
    may come between them: where a piece was put reveals which one was drawn.
    """

    turns: Turns[State, Action]
    pieces_of: Callable[[State], PlainPosition]
    actions: Callable[[State], Iterable[Action]] | None = None
    draws: int = 0
    most: int = MOST_SEEN
    _left: int = field(default=MOST_TRIED, init=False)

    def explanations(self, state: State, seen: PlainPosition) -> Iterator[tuple[Action, ...]]:
        """Every sequence of actions that leads from a state to the pieces seen.

        Legal ones come first, then the changed pieces placed in every order, legal or not. An
        unchanged board gives one empty sequence; an unexplained one gives nothing.
        """
        yield from self.legal(state, seen)
        new = self.new_places(state, seen)
        laid = [self.turns.placing(state, place, seen.get(place, "")) for place in sorted(new)]
        known = [one for one in laid if one is not None]
        if 0 < len(new) <= self.most and len(known) == len(new) and all(at in seen for at in new):
            yield from permutations(known)

    def legal(self, state: State, seen: PlainPosition) -> Iterator[tuple[Action, ...]]:
        """The legal sequences only, those with fewer draws first."""
        new = self.new_places(state, seen)
        if len(new) <= self.most:
            for draws in range(self.draws + 1):
                yield from self._legal(state, seen, new, draws)

    def new_places(self, state: State, seen: PlainPosition) -> frozenset[Place]:
        """The places that differ from a state, with regions as wholes."""
        pieces = self.pieces_of(state)
        places = {*pieces, *seen}
        return frozenset(place.whole for place in places if pieces.get(place) != seen.get(place))

    def _legal(
        self, state: State, seen: PlainPosition, new: frozenset[Place], draws: int
    ) -> Iterator[tuple[Action, ...]]:
        """The legal sequences with exactly this number of draws that change no piece."""
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
