"""Whole games that the program plays by itself, written as records and replayed.

A game may have its own record format (`Records`). By default records list the actions, including
chance, as lines of text (`ActionRecords`):

    {"format": 1, "game": ..., "edition": ..., "seed": 0, "index": 0,
     "players": [{"name": "P1", "strategy": "random"}, ...],
     "setup": ["draw ...", ...], "turns": [{"player": 0, "actions": ["take ...", ...]}, ...],
     "final": {a score object}}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any, Generic, Protocol, TypeVar, final

from scorer.game import Game
from scorer.plain_data import exactly, shown
from scorer.records import RecordError
from scorer.sampling import Sampling
from scorer.turns import Advisor, Turns

State = TypeVar("State")
Action = TypeVar("Action")
Strategy = Callable[[State, Sequence[Action], Random], Action]
"""Chooses one of the legal actions, from the state as the player to move may see it."""

FREE_KEYS = frozenset({"calculation", "spaces", "flags"})
"""Keys of a record's score that are not checked, as their wording is free."""


class Records(Protocol):
    """How the records of a game are written and checked."""

    @property
    def strategies(self) -> Sequence[str]:
        """The names of the strategies, among them `random`."""

    def simulate(
        self,
        players: int,
        strategies: Sequence[str],
        seed: int,
        index: int,
        options: Mapping[str, str],
    ) -> dict[str, Any]:
        """The record of game `index` of a series, from 0; deterministic in its arguments.

        Seat k plays strategy k mod the number of strategies.
        """

    def replay(self, record: Mapping[str, Any]) -> int:
        """The number of turns in a record. Raise RecordError at the first check that fails."""


def played_by(strategies: Sequence[str], players: int) -> list[str]:
    """The strategy of each seat.

    >>> played_by(["random", "simple"], 3)
    ['random', 'simple', 'random']
    """
    return [strategies[seat % len(strategies)] for seat in range(players)]


def luck_of(seed: int, index: int, whose: str | int) -> Random:
    """A generator for each player and for chance, so that no player's thinking affects others."""
    return Random(f"{seed}/{index}/{whose}")


def at_random(state: Any, legal: Sequence[Any], mind: Random) -> Any:
    return mind.choice(legal)


def ways_to_play(game: Game[Any, Any, Any]) -> Mapping[str, Strategy[Any, Any]]:
    """The strategies for a game with turns: random, sampling, and each strength of its advisor."""
    assert game.turns is not None, "a game without turns is not played by the program"

    found: dict[str, Strategy[Any, Any]] = {
        "random": at_random,
        "sampling": Sampling(game.turns).choose_among,
    }
    if game.advisor is not None:
        found |= {one: partial(_advised, game.advisor, one) for one in game.turns.strengths}
    return found


def _advised(
    advisor: Advisor[Any, Any], strength: str, state: Any, legal: Sequence[Any], mind: Random
) -> Any:
    return advisor.choose(state, strength, mind.getrandbits(32)).action


@final
@dataclass(frozen=True)
class ActionRecords(Generic[State, Action]):
    """Records that list a game's actions, turn by turn, in its notation.

    A turn is what one player does until another acts, with the chance and table actions meanwhile.
    """

    game: Game[Any, Any, Any]
    edition: str = "standard"

    @cached_property
    def turns(self) -> Turns[State, Action]:
        assert self.game.turns is not None, "a game without turns has no records"
        return self.game.turns

    @cached_property
    def play_by(self) -> Mapping[str, Strategy[State, Action]]:
        return ways_to_play(self.game)

    @property
    def strategies(self) -> Sequence[str]:
        return tuple(self.play_by)

    def simulate(
        self,
        players: int,
        strategies: Sequence[str],
        seed: int,
        index: int,
        options: Mapping[str, str],
    ) -> dict[str, Any]:
        seated = played_by(strategies, players)
        names = [f"P{number}" for number in range(1, players + 1)]
        minds = [luck_of(seed, index, seat) for seat in range(players)]
        chance = luck_of(seed, index, "chance")
        setup: list[str] = []
        turns: list[dict[str, Any]] = []
        chosen = {name: options.get(name, known[0]) for name, known in self._options.items()}
        state = self.turns.start({"players": players, "names": names, **chosen})
        while (action := self._next(state, seated, minds, chance)) is not None:
            player = self.turns.decides(state)
            if player is not None and (not turns or turns[-1]["player"] != player):
                turns.append({"player": player, "actions": []})
            (turns[-1]["actions"] if turns else setup).append(self.turns.write_action(action))
            state = self.turns.after(state, action)
        return {
            "format": 1,
            "game": self.game.id,
            "edition": self.edition,
            **chosen,
            "seed": seed,
            "index": index,
            "players": [
                {"name": name, "strategy": strategy}
                for name, strategy in zip(names, seated, strict=True)
            ],
            "setup": setup,
            "turns": turns,
            "final": self.turns.score(state, names).to_data(),
        }

    def replay(self, record: Mapping[str, Any]) -> int:
        for key, right in (("format", 1), ("game", self.game.id), ("edition", self.edition)):
            if not exactly(record.get(key), right):
                reason = f"must be {right}, not {shown(record.get(key))}"
                raise RecordError("header", 0, key, reason)
        chosen = {name: record.get(name) for name in self._options}
        for name, value in chosen.items():
            if value not in self._options[name]:
                reason = f"must be {' or '.join(self._options[name])}, not {shown(value)}"
                raise RecordError("header", 0, name, reason)
        names = self._names(record.get("players"))
        state = self.turns.start({"players": len(names), "names": names, **chosen})
        state = self._replayed(state, None, 0, "setup", record.get("setup"))
        turns, before = record.get("turns"), None
        if not isinstance(turns, list):
            raise RecordError("shape", 0, "turns", "must be a list")
        for number, turn in enumerate(turns, start=1):
            field = f"turns[{number - 1}]"
            if not isinstance(turn, Mapping):
                raise RecordError("shape", number, field, "must hold keys and values")
            player = self.turns.decides(state)
            if player is None or player == before or not exactly(turn.get("player"), player):
                reason = "nobody's turn begins here" if player in (None, before) else f"is {player}"
                raise RecordError("turn_order", number, f"{field}.player", reason)
            actions = turn.get("actions")
            state = self._replayed(state, player, number, f"{field}.actions", actions)
            before = player
        if self.turns.outcomes(state) or self.turns.actions(state):
            reason = "the game goes on: turns are missing"
            raise RecordError("not_over", len(turns), "turns", reason)
        self._check_final(len(turns), record.get("final"), self.turns.score(state, names).to_data())
        return len(turns)

    def _replayed(
        self, state: State, player: int | None, turn: int, field: str, actions: object
    ) -> State:
        """The state after the actions of one turn, or of the setup. Raise RecordError."""
        if not isinstance(actions, list):
            raise RecordError("shape", turn, field, "must be a list")
        for number, text in enumerate(actions):
            where = f"{field}[{number}]"
            if self.turns.decides(state) not in (None, player):
                raise RecordError("turn_order", turn, where, "another player's turn has begun")
            try:
                if not isinstance(text, str):
                    raise ValueError(f"must be a line of text, not {shown(text)}")
                action = self.turns.read_action(text)
            except ValueError as error:
                raise RecordError("shape", turn, where, str(error)) from None
            broken = self.turns.illegal(state, action)
            if broken is not None:
                raise RecordError(broken.kind, turn, where, str(broken.reason))
            state = self.turns.after(state, action)
        return state

    def _next(
        self, state: State, seated: Sequence[str], minds: Sequence[Random], chance: Random
    ) -> Action | None:
        drawn = self.turns.drawn(state, chance)
        if drawn is not None:
            return drawn
        legal = self.turns.actions(state)
        if len(legal) < 2:
            return next(iter(legal), None)
        seat = self.turns.decides(state)
        assert seat is not None, "somebody decides where there is a choice"
        choose = self.play_by[seated[seat]]
        return choose(self.turns.seen_by(state, seat), legal, minds[seat])

    @property
    def _options(self) -> Mapping[str, Sequence[str]]:
        """The options that a record names: those with known values."""
        return {name: known for name, known in self.turns.options.items() if known}

    def _names(self, players: object) -> list[str]:
        """The names of the players. Raise RecordError."""
        found = players if isinstance(players, list) else []
        names = [one.get("name") if isinstance(one, Mapping) else None for one in found]
        if len(names) not in self.turns.players:
            right = f"{self.turns.players[0]} to {self.turns.players[-1]}"
            raise RecordError("players", 0, "players", f"must be {right}, not {len(names)}")
        given = [name for name in names if isinstance(name, str) and name]
        if len({*given}) < len(names):
            raise RecordError("players", 0, "players", "need a name each, all of them different")
        return given

    def _check_final(self, turn: int, final: object, counted: Mapping[str, Any]) -> None:
        """Check the score of a record key by key. Raise RecordError."""
        if not isinstance(final, Mapping):
            raise RecordError("shape", turn, "final", "must hold keys and values")
        for key, right in counted.items():
            if key not in FREE_KEYS and not exactly(_counted(final.get(key)), _counted(right)):
                reason = f"must be {shown(_counted(right))}"
                raise RecordError(f"final_{key}", turn, f"final.{key}", reason)


def _counted(data: Any) -> Any:
    """The data of a score without the keys whose wording is free."""
    if isinstance(data, Mapping):
        return {key: _counted(value) for key, value in data.items() if key not in FREE_KEYS}
    if isinstance(data, (list, tuple)):
        return [_counted(value) for value in data]
    return data
