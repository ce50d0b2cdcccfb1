"""A record during replay: all actions so far, with the state after each."""

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
    action: Action
    state: State


class Playing:
    """Plays a record action by action, and locates errors in it."""

    def __init__(self, rules: Rules) -> None:
        """Start before anything is drawn."""
        self.start = self.state = new_game(rules)
        self.moments: list[Moment] = []
        self.turn = 0
        self._path = ""

    def begin_turn(self, turn: int) -> None:
        """Report fields relative to turn `turn`, from 1, from here on."""
        self.turn, self._path = turn, f"turns[{turn - 1}]"

    def end_turns(self) -> None:
        """Report fields relative to the record from here on; the turn stays the last one."""
        self._path = ""

    def play(self, action: Action, field: str, fields: Mapping[str, str] | None = None) -> None:
        """Play an action. RecordError if illegal, at `field` or the broken rule's in `fields`."""
        broken = play.illegal(self.state, action)
        if broken:
            self.refuse((fields or {}).get(broken.kind, field), broken)
        self.state = play.after_legal(self.state, action)
        self.moments.append(Moment(action, self.state))

    def refuse(self, field: str, broken: RuleBreak | None) -> None:
        """Raise RecordError for a broken rule, if there is one."""
        if broken:
            raise self.error(broken.kind, field, str(broken.reason))

    def same(self, rule: str, field: str, found: object, right: object) -> None:
        """Raise RecordError if a value of the record differs from the right one."""
        must = "absent" if right is None else repr(right)
        self.require(exactly(found, right), rule, field, f"must be {must}, not {shown(found)}")

    def require(self, holds: bool, rule: str, field: str, reason: str) -> None:
        """Raise RecordError unless a check holds."""
        if not holds:
            raise self.error(rule, field, reason)

    def error(self, rule: str, field: str, reason: str) -> RecordError:
        path = ".".join(part for part in (self._path, field) if part)
        return RecordError(rule, self.turn, path, reason)
