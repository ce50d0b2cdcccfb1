"""Ponds in turns: each player foretells in secret, then sits frogs that are drawn, or lets them go.

All that a game of turns has is drawn from this file: records, the guided game, the computer player,
what a camera saw, secrets, and the tries of the one lesson.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Annotated, Any

from ponds import FROGS, OF_A_COLOUR, PONDS, WORDS, Played, Player, Pond, Score
from scorer.flags import RuleBreak
from scorer.notation import Part
from scorer.secrets import OfEachPlayer, Secret
from scorer.topology import Topology
from scorer.turns import SetUp, Turns

ROUNDS = 4
MOST = 9
"""The highest number of streams that can be foretold."""


@dataclass(frozen=True)
class Guess:
    """Foretell how many streams it will be."""

    number: Annotated[int, Part(private=True, hidden=True)]


@dataclass(frozen=True)
class Draw:
    """Chance: a frog comes out of the bag."""

    frog: Annotated[str, Part(piece=True)]


@dataclass(frozen=True)
class Sit:
    """Sit the frog that was drawn on a pad."""

    frog: Annotated[str, Part(piece=True)]
    pad: Annotated[str, Part(("spot",))]


@dataclass(frozen=True)
class LetGo:
    """Sit it nowhere."""


Action = Guess | Draw | Sit | LetGo


@dataclass(frozen=True)
class Seat:
    """A player's frogs by pad, in the order in which they sat down, and the guess."""

    frogs: tuple[tuple[str, str], ...] = ()
    guess: Annotated[int | None, Secret(-1)] = None


@dataclass(frozen=True)
class State:
    """A game: `turn` counts from 0, `drawn` is the frog in hand, "" before one is drawn."""

    board: Topology
    seats: Annotated[tuple[Seat, ...], OfEachPlayer()]
    bag: tuple[tuple[str, int], ...]
    turn: int = 0
    drawn: str = ""

    @property
    def mover(self) -> int:
        """Who guesses, or whose turn it is."""
        guesses = [seat.guess for seat in self.seats]
        return guesses.index(None) if None in guesses else self.turn % len(self.seats)

    @property
    def is_over(self) -> bool:
        """Whether all rounds are played."""
        return self.turn == ROUNDS * len(self.seats)

    def ponds(self) -> list[Pond]:
        """What sits on each board."""
        return [Pond(dict(seat.frogs), self.board) for seat in self.seats]


class PondTurns(Turns[State, Action]):
    players = range(2, 4)

    def start(self, set_up: SetUp, board: Topology | None = None) -> State:
        """A bag with all frogs of all players."""
        players = set_up["players"]
        bag = tuple((frog, OF_A_COLOUR * players) for frog in FROGS)
        return State(board or PONDS.standard_board, (Seat(),) * players, bag)

    def player(self, state: State) -> int | None:
        """Until the last round is played."""
        return None if state.is_over else state.mover

    def actions(self, state: State) -> Sequence[Action]:
        """A guess, a pad or none."""
        if state.is_over or self.outcomes(state):
            return ()
        sits = [Sit(frog, pad) for frog, pad in product(FROGS, state.board.spaces)]
        every = [*map(Guess, range(MOST + 1)), *sits, LetGo()]
        return [action for action in every if self.illegal(state, action) is None]

    def outcomes(self, state: State) -> Sequence[tuple[Action, float]]:
        """A frog of the bag."""
        if state.is_over or state.drawn or state.seats[state.mover].guess is None:
            return ()
        total = sum(count for _frog, count in state.bag)
        return [(Draw(frog), count / total) for frog, count in state.bag if count]

    def illegal(self, state: State, action: Action) -> RuleBreak | None:
        """What is not due, and a pad that is taken."""
        seat = state.seats[state.mover]
        due: tuple[type, ...] = (Sit, LetGo) if state.drawn else (Draw,)
        if state.is_over or not isinstance(action, Guess if seat.guess is None else due):
            return RuleBreak("not_now", reason=WORDS.say("not_now"))
        match action:
            case Guess(number) if not 0 <= number <= MOST:
                return RuleBreak("guess", reason=WORDS.say("no_guess", most=MOST))
            case Draw(frog) if not dict(state.bag).get(frog):
                return RuleBreak("drawn", reason=WORDS.say("not_drawn", frog=frog))
            case Sit(frog, _pad) if frog != state.drawn:
                return RuleBreak("drawn", reason=WORDS.say("not_drawn", frog=frog))
            case Sit(_frog, pad) if pad not in state.board.spaces or pad in dict(seat.frogs):
                return RuleBreak("taken", (pad,), reason=WORDS.say("taken", pad=pad))
        return None

    def after_legal(self, state: State, action: Action) -> State:
        """The next state; a frog ends the turn."""
        seats, mover = list(state.seats), state.mover
        if isinstance(action, Draw):
            bag = tuple((frog, n - (frog == action.frog)) for frog, n in state.bag)
            return replace(state, bag=bag, drawn=action.frog)
        if isinstance(action, Guess):
            seats[mover] = replace(seats[mover], guess=action.number)
            return replace(state, seats=tuple(seats))
        if isinstance(action, Sit):
            frogs = (*seats[mover].frogs, (action.pad, action.frog))
            seats[mover] = replace(seats[mover], frogs=frogs)
        return replace(state, seats=tuple(seats), turn=state.turn + 1, drawn="")

    def positions(self, state: State) -> Sequence[Pond]:
        return state.ponds()

    def score(self, state: State, names: Sequence[str] = ()) -> Score:
        """By the ponds as they are."""
        named = names or [str(number) for number in range(len(state.seats))]
        seats = zip(named, state.ponds(), state.seats, strict=True)
        players = [Player(name, pond, "", seat.guess or 0) for name, pond, seat in seats]
        return PONDS.score(Played(tuple(players)))

    def answers(self, state: State) -> Mapping[str, Any]:
        return {"players": [{"guess": seat.guess} for seat in state.seats]}


TURNS = PondTurns()
