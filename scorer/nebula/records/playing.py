"""A record as far as it is played: every action so far, and the state after each."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.flags import RuleBreak
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Action
from scorer.nebula.turns.setup import new_game
from scorer.nebula.turns.state import Rules, State
from scorer.plain_data import exactly, shown
from scorer.records import RecordError


@dataclass(frozen=True)
class Moment:
    """One action of a game, and the state that it led to."""

    action: Action
    state: State


class Playing:
    """Plays a record action by action, and says where in it something is wrong."""

    def __init__(self, rules: Rules) -> None:
        """Begin before anything is drawn."""
        self.start = self.state = new_game(rules)
        self.moments: list[Moment] = []
        self.turn = 0
        self._path = ""

    def begin_turn(self, turn: int) -> None:
        """From here on, fields are those of turn `turn`, which counts from 1."""
        self.turn, self._path = turn, f"turns[{turn - 1}]"

    def end_turns(self) -> None:
        """From here on, fields are those of the record; the turn stays the last one."""
        self._path = ""

    def play(self, action: Action, field: str, fields: Mapping[str, str] | None = None) -> None:
        """Play an action. RecordError where it is illegal, at `field` or the rule's in `fields`."""
        broken = play.illegal(self.state, action)
        if broken:
            self.refuse((fields or {}).get(broken.kind, field), broken)
        self.state = play.after_legal(self.state, action)
        self.moments.append(Moment(action, self.state))

    def refuse(self, field: str, broken: RuleBreak | None) -> None:
        """Raise the RecordError of a rule that is broken; nothing where none is."""
        if broken:
            raise self.error(broken.kind, field, str(broken.reason))

    def same(self, rule: str, field: str, found: object, right: object) -> None:
        """Compare what a record says with what it must be. RecordError where they differ."""
        must = "absent" if right is None else repr(right)
        self.require(exactly(found, right), rule, field, f"must be {must}, not {shown(found)}")

    def require(self, holds: bool, rule: str, field: str, reason: str) -> None:
        """Raise the RecordError of a check that does not hold."""
        if not holds:
            raise self.error(rule, field, reason)

    def error(self, rule: str, field: str, reason: str) -> RecordError:
        """The error of a check that failed."""
        path = ".".join(part for part in (self._path, field) if part)
        return RecordError(rule, self.turn, path, reason)
