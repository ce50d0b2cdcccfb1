"""The contract of games played in turns: states, actions and a computer player."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar, final, get_args, get_origin

from scorer import secrets
from scorer.flags import IllegalActionError, RuleBreak
from scorer.notation import Notation, laid_on, places_of
from scorer.places import Place
from scorer.scoresheet import Score
from scorer.sentence import Phrasebook, Sentence, Value, Verbatim

SetUp = Mapping[str, Any]
"""What a game starts from, as JSON data: `players`, their number, and values for its `options`.

`names` are the players' names if known; other keys are the game's own.
"""
State = TypeVar("State")
State_contra = TypeVar("State_contra", contravariant=True)
Action = TypeVar("Action")
MOST_ENDS = 120
"""The most states at the end of a turn that `Turns.rest_of_turn` compares by default."""


class Turns(ABC, Generic[State, Action]):
    """A game as transitions between states. States and actions are immutable values.

    Chance is explicit: if `outcomes` is not empty, one of them is the next action, drawn by a
    random generator or by hand from a real bag. Methods that are not abstract build on the others.
    """

    players: ClassVar[range]
    """The numbers of players allowed."""
    options: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Further options of a game, such as a mode, with their values, the default first.

    An option with no values listed takes any text, such as a date."""

    @final
    @cached_property
    def kinds(self) -> tuple[type[Action], ...]:
        """The classes of the union `Action` in the game's base class `Turns[State, Action]`.

        Text is parsed as the first class that fits (`scorer.notation`).
        """
        bases = (base for own in type(self).__mro__ for base in vars(own).get("__orig_bases__", ()))
        union = next(get_args(base)[1] for base in bases if get_origin(base) is Turns)
        return get_args(union) or (union,)

    @abstractmethod
    def start(self, set_up: SetUp, board: Any = None) -> State:
        """The state before any chance action, on the standard board if `board` is None.

        Raise ValueError for an impossible set-up.
        """

    @abstractmethod
    def player(self, state: State) -> int | None:
        """The seat whose turn it is; None if nobody's, as at the end."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """Every legal action of the player to move; empty at the end and at chance."""

    @abstractmethod
    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """The rule that forbids an action, in words; None if it is legal."""

    @final
    def after(self, state: State, action: Action) -> State:
        """The state after an action. Raise IllegalActionError if it is illegal."""
        broken = self.illegal(state, action)
        if broken is not None:
            raise IllegalActionError(broken)
        return self.after_legal(state, action)

    @abstractmethod
    def after_legal(self, state: State, action: Action) -> State:
        """The state after an action that is known to be legal."""

    @abstractmethod
    def positions(self, state: State) -> Sequence[Any]:
        """The position of each board: first those of the first kind, then those of the others."""

    @abstractmethod
    def score(self, state: State, names: Sequence[str] = ()) -> Score:
        """The score of a state, final or not; seats stand in for `names` that are missing."""

    def ending(self, state: State, names: Sequence[str]) -> Sentence | str:
        """Why a game that is over has ended, without full stop; "" if there is nothing to say."""
        return ""

    def answers(self, state: State) -> Mapping[str, Any]:
        """What no camera sees of a game, by the ids of its questions and decks of cards.

        `players` has a mapping for each seat, with its `colour` if players have colours; an answer
        that is one of the players names their colour. `boards` has the positions of a shared board
        at each of its moments.
        """
        return {}

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """The possible chance actions with their probabilities; empty where a player acts."""
        return ()

    def offered(self, state: State) -> Sequence[Action]:
        """The actions to offer a player: legal ones, and illegal ones worth an explanation."""
        return self.actions(state)

    @final
    def drawn(self, state: State, rng: Random) -> Action | None:
        """A random outcome by probability; None if chance has nothing to do."""
        outcomes = self.outcomes(state)
        if not outcomes:
            return None
        actions, odds = zip(*outcomes, strict=True)
        return rng.choices(actions, odds)[0]  # type: ignore[no-any-return]

    @final
    def dealt(self, state: State, rng: Random) -> State:
        """The state after all pending chance actions."""
        while (action := self.drawn(state, rng)) is not None:
            state = self.after(state, action)
        return state

    @final
    def begun(self, set_up: SetUp, board: Any, rng: Random) -> State:
        """The state at the first decision of a player, after dealing and forced set-up."""
        state = self.start(set_up, board)
        while True:
            state = self.dealt(state, rng)
            forced = self.actions(state) if self.decides(state) is None else ()
            if len(forced) != 1:
                return state
            state = self.after(state, forced[0])

    @final
    def decides(self, state: State) -> int | None:
        """The seat that decides now; None for chance, actions of the whole table, or the end."""
        return None if self.outcomes(state) else self.player(state)

    def seen_by(self, state: State, player: int | None) -> State:
        """The state without what is hidden from a player; None: from the public."""
        return secrets.seen_by(state, player)

    def imagined(self, state: State, rng: Random) -> State:
        """A possible full state for a state as a player knows it: hidden information is sampled."""
        return state

    def turn(self, state: State) -> object:
        """The turn that a state is in, to compare; None if nobody has two turns in succession."""
        return None

    def by_itself(self, state: State) -> Action | None:
        """The action that follows automatically, without a decision or a tap; None if none does."""
        return None

    def rest_of_turn(
        self, state: State, actions: Sequence[Action]
    ) -> Iterator[tuple[Action, State]]:
        """Ways to go on in a turn after each of some legal actions: the action, and a later state.

        By default the player goes on with actions of the same kind as long as they like, in any
        order; nothing is yielded if there are more than `MOST_ENDS` states.
        """
        every = chain.from_iterable(self._ends(state, one) for one in actions)
        ends = [*islice(every, MOST_ENDS + 1)]
        return iter(ends if len(ends) <= MOST_ENDS else ())

    def _ends(self, state: State, action: Action) -> Iterator[tuple[Action, State]]:
        """The states after an action and more of its kind where the player may stop."""
        moment, known = (self.decides(state), self.turn(state)), set[tuple[Action, ...]]()
        todo: list[tuple[tuple[Action, ...], State]] = [
            ((action,), self.after_legal(state, action))
        ]
        while todo:
            done, now = todo.pop()
            goes_on = (self.decides(now), self.turn(now)) == moment
            following = self.actions(now) if goes_on else ()
            more = [one for one in following if type(one) is type(action)]
            if len(done) > 1 and (not more or len(more) < len(following)):
                yield action, now
            for one in more:
                further = (action, *sorted((*done[1:], one), key=repr))
                if further not in known:
                    known.add(further)
                    todo.append((further, self.after_legal(now, one)))

    # actions in words

    @final
    def write_action(self, action: Action) -> str:
        """An action as a line of text, used in records, saved games, lessons and pages."""
        return self.notation.write(action)

    @final
    def read_action(self, text: str) -> Action:
        """The action in a line of text, legal or not. Raise NotationError if there is none."""
        return self.notation.read(text)

    @final
    def format_action(self, action: Action, **named: Value) -> Sentence | str:
        """An action as a sentence without capital and full stop.

        Uses the phrase `do_<verb>_<first value>`, such as `do_take_red`, else `do_<verb>_<field>`
        of a field that has several values, else `do_<verb>`, filled in with the action's fields and
        properties, or with what is `named` instead; the line of text if there is none.
        """
        return self._phrase("do", action, **named) or self.write_action(action)

    @final
    def format_event(self, action: Action, name: str, **named: Value) -> Sentence | str:
        """What the player `name` does, without full stop; "" if the game has no phrase for it.

        Phrases are found as in `format_action`, but begin with `does_` and have the field `name`,
        which is "" for chance.
        """
        return self._phrase("does", action, name=Verbatim(name), **named)

    @final
    def _phrase(self, mood: str, action: Action, **named: Value) -> Sentence | str:
        verb, values = self.notation.said(action)
        first = next(iter(values.values()), "")
        several = [name for name, own in values.items() if own and isinstance(own, tuple)]
        for key in (*(f"{mood}_{verb}_{one}" for one in (first, *several)), f"{mood}_{verb}"):
            if key in self.words.phrases:
                return self.words.say(key, **{**values, **named})
        return ""

    @final
    def places_of(self, action: Action) -> tuple[Place, ...]:
        return places_of(action)

    def placing(self, state: State, place: Place, piece: str) -> Action | None:
        """The action that puts a piece on a place; None if there is none."""
        return laid_on(self.kinds, place, piece)

    @final
    @cached_property
    def words(self) -> Phrasebook:
        """The phrases of `words.yaml` in the package, which describe the actions."""
        return Phrasebook.of_class(type(self))

    @final
    def free_options(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those `values` that are options without known values, such as a date."""
        return {
            name: values[name]
            for name, known in self.options.items()
            if not known and values.get(name)
        }

    @final
    @cached_property
    def strengths(self) -> "Mapping[str, Strength]":
        """The strengths of the game's computer player by id, weakest first.

        They are the phrases `strength_ID` of `words`, in their order there; `about_ID` explains it.
        """
        names = self.words.of_kind("strength")
        return {id: Strength(name, self.words.say(f"about_{id}")) for id, name in names.items()}

    @final
    @cached_property
    def notation(self) -> Notation[Action]:
        return Notation(self.kinds)


@dataclass(frozen=True)
class Alternative(Generic[Action]):
    """An action that an advisor rates lower than the one it advises.

    `brings` is what it brings, as its player alone reads it, "" for nothing to say; `less` is how
    many points less it is worth by the advisor's estimate.
    """

    action: Action
    brings: Sentence | str
    less: float
    do: Sentence | str = ""
    """What to do, as a hint says it; "" for the words of its button."""


@dataclass(frozen=True)
class Advice(Generic[Action]):
    """An action of a computer player, with its reason in one sentence.

    Everybody reads it, so it reveals nothing that the player hides. `places` on the player's board,
    which the action is about, are highlighted.
    """

    action: Action
    reason: Sentence | str
    places: tuple[Place, ...] = ()
    own_reason: Sentence | str = ""
    """The reason as a hint gives it to the player alone, "" for `reason`.

    It names hidden cards only where they are the decision itself: others see the same screen.
    """
    do: Sentence | str = ""
    """What to do, as a hint says it; "" for `Turns.format_action`."""
    others: tuple[Alternative[Action], ...] = ()
    """The next best actions of the same search, for a hint to compare with.

    First the two that a hint tells, then the best of further kinds.
    """


@dataclass(frozen=True)
class Strength:
    """How well a computer player plays: a name, and what it looks at."""

    name: Sentence | str
    about: Sentence | str = ""


class Advisor(Protocol[State_contra, Action]):
    """A computer player for a game's `turns`; hints tell people what its strongest would do.

    It uses only what `Turns.seen_by` shows, so it may be given either a full state or one without
    hidden information. The same state, strength and seed give the same answer in every process:
    reloading a page does not change the advice.
    """

    def choose(self, state: State_contra, strength: str, seed: int = 0) -> Advice[Action]:
        """The next action of the player to move, as a player of this strength would choose it.

        It is one of the `actions` of the state. Takes a second at most. Raise KeyError for an
        unknown strength, ValueError if no player decides now.
        """
