"""What a game that is played in turns brings: its states and actions, and a computer player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from scorer.flags import RuleBreak
from scorer.places import Place
from scorer.sentence import Sentence

State = TypeVar("State")
StateAsked = TypeVar("StateAsked", contravariant=True)
Action = TypeVar("Action")


class Turns(Protocol[State, Action]):
    """A game as a state that moves. States and actions are immutable values.

    Chance is explicit: where `outcomes` is not empty, one of them is the next action, whoever drew
    it, a random generator or a hand in a real bag.
    """

    def actions(self, state: State) -> Sequence[Action]:
        """Every legal action of the player whose turn it is; none at the end and at chance."""

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """What chance may bring now, with probabilities; empty where a player acts."""

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None where it is legal."""

    def after(self, state: State, action: Action) -> State:
        """The state that follows. ValueError for an illegal action."""

    def seen_by(self, state: State, player: int | None) -> State:
        """The state as a player may know it: what others hide is left out; None: as anybody may."""


@dataclass(frozen=True)
class Advice(Generic[Action]):
    """What a computer player does, and why, in one sentence.

    Everybody reads it: it tells nothing that the player hides. `places` are those on the player's
    board that the action or its reason is about, to be lit.
    """

    action: Action
    reason: Sentence | str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Hint:
    """One step of help for a person's own move, and the places on their board that it points at."""

    text: Sentence | str
    places: tuple[Place, ...] = ()


class Advisor(Protocol[StateAsked, Action]):
    """A computer player for a game's `turns`, which also helps people with theirs.

    It looks at a state through `Turns.seen_by` alone, so it may be handed the whole one, or one in
    which nobody but the players knows the hidden cards. The same state, strength and seed give the
    same answer, in another process too: after a page is loaded anew nobody has another opinion.
    """

    @property
    def strengths(self) -> Mapping[str, Sentence | str]:
        """What there is to play against, the weakest first: ids, and how they are called."""

    def choose(self, state: StateAsked, strength: str, seed: int = 0) -> Advice[Action]:
        """The next action of the player whose turn it is, as a player of a strength would have it.

        It is one of the `actions` of the state. KeyError for a strength that there is not,
        ValueError where no player decides now. Takes a second at most.
        """

    def hints(self, state: StateAsked) -> tuple[Hint, Hint, Hint]:
        """Help for the player whose turn it is, step by step: where to look, for what, the move.

        What the strongest player would do. What the player hides is named only where it is what is
        decided, as which card to keep: others look at the same screen. ValueError where no player
        decides now.
        """
