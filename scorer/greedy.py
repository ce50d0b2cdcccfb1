"""A computer player that takes the action with the best value for its own side."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Generic

from scorer.sentence import Sentence
from scorer.turns import Action, Advice, Alternative, State, Turns


class GreedyAdvisor(ABC, Generic[State, Action]):
    """An `Advisor` (`scorer.turns`) that maximises the value that a game gives to an action."""

    def __init__(self, turns: Turns[State, Action]) -> None:
        self.turns = turns

    @abstractmethod
    def worth_after(self, state: State, action: Action, number: int, strength: str) -> float:
        """The value of a seat's side in points after an action."""

    @abstractmethod
    def reason(self, state: State, action: Action) -> Sentence:
        """What an action is for, as far as it shows in a state as somebody sees it."""

    def brings(self, state: State, action: Action) -> Sentence | str:
        """What an action that is not the best would bring; "" if there is nothing to say."""
        return self.reason(state, action)

    def sensible(self, state: State, legal: Sequence[Action]) -> Sequence[Action]:
        """The legal actions worth considering."""
        return legal

    def competes(self, state: State, action: Action, other: Action) -> bool:
        """Whether a player must choose between two legal actions, as one is not free besides."""
        return True

    def choose(self, state: State, strength: str, seed: int = 0) -> Advice[Action]:
        """The best action, with ties broken at random. Raise ValueError if nobody decides."""
        self.turns.strengths[strength]
        number = self.turns.decides(state)
        if number is None:
            raise ValueError("nobody decides now")
        seen, mind = self.turns.seen_by(state, number), Random(seed)
        rated = [
            (self.worth_after(seen, action, number, strength), mind.random(), action)
            for action in self.sensible(seen, self.turns.actions(seen))
        ]
        (best, _tie, action), *others = sorted(rated, key=lambda one: one[:2], reverse=True)
        rivals = [(one, worth) for worth, _tie, one in others if self.competes(seen, action, one)]
        return Advice(
            action,
            self.reason(self.turns.seen_by(seen, None), action),
            self.turns.places_of(action),
            self.reason(seen, action),
            others=tuple(
                Alternative(one, self.brings(seen, one), best - value)
                for one, value in next_best(action, rivals)
            ),
        )


def next_best(
    action: Action, others: Iterable[tuple[Action, float]], kind: Callable[[Any], Hashable] = type
) -> Iterator[tuple[Action, float]]:
    """The best other action of each kind, first that of the same kind and the best of another.

    `others` have each action with its value, the best first.
    """
    best = dict[Hashable, tuple[Action, float]]()
    for one, value in others:
        best.setdefault(kind(one), (one, value))
    alike = [own for of, own in best.items() if of == kind(action)]
    differ = [own for of, own in best.items() if of != kind(action)]
    yield from sorted([*alike, *differ[:1]], key=lambda own: own[1], reverse=True)
    yield from differ[1:]
