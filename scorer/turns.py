"""What a game that is played in turns brings: its states and actions, and a computer player."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final

from scorer import secrets
from scorer.flags import IllegalActionError, RuleBreak
from scorer.notation import Notation, laid_on, places_of
from scorer.places import Place
from scorer.scoresheet import Score
from scorer.sentence import Phrasebook, Sentence

SetUp = Mapping[str, Any]
"""What a game is begun with, JSON data: `players`, how many, and what the game has of `options`.

The rest is the game's own; `names` are the players' where they are known.
"""
State = TypeVar("State")
State_contra = TypeVar("State_contra", contravariant=True)
Action = TypeVar("Action")


class Turns(ABC, Generic[State, Action]):
    """A game as a state that moves. States and actions are immutable values.

    Chance is explicit: where `outcomes` is not empty, one of them is the next action, whoever drew
    it, a random generator or a hand in a real bag. What is not abstract is drawn from the rest.
    """

    kinds: ClassVar[tuple[type, ...]]
    """The classes of actions; a line of text is of the first that it fits (`scorer.notation`)."""
    players: ClassVar[range]
    """How many may play."""
    options: ClassVar[Mapping[str, Sequence[str]]] = {}
    """What else a game can be played with, such as a mode: known values, the default first.

    None are named where it is any text, such as a date."""

    @abstractmethod
    def start(self, set_up: SetUp, board: Any = None) -> State:
        """The state before chance has done anything, on the standard board where none is given.

        ValueError for a set-up that cannot be.
        """

    @abstractmethod
    def player(self, state: State) -> int | None:
        """The seat whose turn it is; None where it is nobody's, as at the end."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """Every legal action of the player whose turn it is; none at the end and at chance."""

    @abstractmethod
    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None where it is legal."""

    @final
    def after(self, state: State, action: Action) -> State:
        """The state that follows. IllegalActionError for an illegal action."""
        broken = self.illegal(state, action)
        if broken is not None:
            raise IllegalActionError(broken)
        return self.after_legal(state, action)

    @abstractmethod
    def after_legal(self, state: State, action: Action) -> State:
        """The state that follows an action that is known to be legal."""

    @abstractmethod
    def positions(self, state: State) -> Sequence[Any]:
        """What lies on each board of the first kind, a player's or everybody's; then of others."""

    @abstractmethod
    def score(self, state: State, names: Sequence[str] = ()) -> Score:
        """The score of what lies there, at the end or before; seats are named where none are."""

    def sheet_tokens(self, state: State) -> Mapping[str, Sequence[str]]:
        """What lies on the places of printed sheets beside the boards, by their ids."""
        return {}

    def answers(self, state: State) -> Mapping[str, Any]:
        """What no camera sees of a game that is over, by the keys of its game file.

        `players` has a mapping for each seat.
        """
        return {}

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """What chance may bring now, with probabilities; empty where a player acts."""
        return ()

    def offered(self, state: State) -> Sequence[Action]:
        """What a player is asked about: what is legal, and what is not, but worth saying why."""
        return self.actions(state)

    def drawn(self, state: State, rng: Random) -> Action | None:
        """One of the outcomes by their probabilities; None where chance has nothing to do."""
        outcomes = self.outcomes(state)
        if not outcomes:
            return None
        actions, odds = zip(*outcomes, strict=True)
        return rng.choices(actions, odds)[0]  # type: ignore[no-any-return]

    @final
    def dealt(self, state: State, rng: Random) -> State:
        """The state after whatever chance has to do now."""
        while (action := self.drawn(state, rng)) is not None:
            state = self.after(state, action)
        return state

    @final
    def begun(self, set_up: SetUp, board: Any, rng: Random) -> State:
        """The state at which a player decides first: all is dealt and laid out."""
        state = self.start(set_up, board)
        while True:
            state = self.dealt(state, rng)
            forced = self.actions(state) if self.decides(state) is None else ()
            if len(forced) != 1:
                return state
            state = self.after(state, forced[0])

    @final
    def decides(self, state: State) -> int | None:
        """The seat that decides now; None where chance does, hands at the table do, at the end."""
        return None if self.outcomes(state) else self.player(state)

    def seen_by(self, state: State, player: int | None) -> State:
        """The state as a player may know it: what others hide is left out; None: as anybody may."""
        return secrets.seen_by(state, player)

    def imagined(self, state: State, rng: Random) -> State:
        """A state that may be, of one as a player knows it: what is hidden from them is made up."""
        return state

    def by_itself(self, state: State) -> Action | None:
        """The action that follows without anybody's decision or tap; None where there is none."""
        return None

    # actions in words

    @final
    def write_action(self, action: Action) -> str:
        """An action as a line of text, as records, saved games, lessons and pages have it."""
        return self.notation.write(action)

    @final
    def read_action(self, text: str) -> Action:
        """The action of a line of text, legal or not. NotationError for what is none."""
        return self.notation.read(text)

    def format_action(self, action: Action) -> Sentence | str:
        """What is done, in a sentence without its capital and its full stop.

        The phrase `do_` and the words of its line, such as `do_take`, or the same with its first
        value, such as `do_take_red`; its fields fill it in.
        """
        verb, values = self.notation.said(action)
        first = next(iter(values.values()), "")
        for key in (f"do_{verb}_{first}", f"do_{verb}"):
            if key in self.words.phrases:
                return self.words.say(key, **values)
        return self.write_action(action)

    @final
    def format_event(self, action: Action, name: str) -> Sentence | str:
        """What the player of a name does, without a full stop; "" where the game has no words.

        The phrase is found as in `format_action`, but begins with `does_`, and has the `name`.
        """
        verb, values = self.notation.said(action)
        first = next(iter(values.values()), "")
        for key in (f"does_{verb}_{first}", f"does_{verb}"):
            if key in self.words.phrases:
                return self.words.say(key, name=name, **values)
        return ""

    @final
    def places_of(self, action: Action) -> tuple[Place, ...]:
        """The places that an action is about."""
        return places_of(action)

    def placing(self, state: State, place: Place, piece: str) -> Action | None:
        """The action by which a piece comes to a place; None where there is no such action."""
        return laid_on(self.kinds, place, piece)

    @final
    @cached_property
    def words(self) -> Phrasebook:
        """What says the actions: the phrases of `words.yaml` in the package."""
        return Phrasebook.of_class(type(self))

    @final
    @cached_property
    def notation(self) -> Notation[Action]:
        """The lines of its actions."""
        return Notation(self.kinds)


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


class Advisor(Protocol[State_contra, Action]):
    """A computer player for a game's `turns`, which also helps people with theirs.

    It looks at a state through `Turns.seen_by` alone, so it may be handed the whole one, or one in
    which nobody but the players knows the hidden cards. The same state, strength and seed give the
    same answer, in another process too: after a page is loaded anew nobody has another opinion.
    """

    @property
    def strengths(self) -> Mapping[str, Sentence | str]:
        """What there is to play against, the weakest first: ids, and how they are called."""

    def choose(self, state: State_contra, strength: str, seed: int = 0) -> Advice[Action]:
        """The next action of the player whose turn it is, as a player of a strength would have it.

        It is one of the `actions` of the state. KeyError for a strength that there is not,
        ValueError where no player decides now. Takes a second at most.
        """

    def hints(self, state: State_contra) -> tuple[Hint, Hint, Hint]:
        """Help for the player whose turn it is, step by step: where to look, for what, the move.

        What the strongest player would do. What the player hides is named only where it is what is
        decided, as which card to keep: others look at the same screen. ValueError where no player
        decides now.
        """
