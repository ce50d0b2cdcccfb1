"""What a game's rules say of actions that are written as lines of text."""

from random import Random
from typing import Any

from scorer.turns import Turns


class Lines:
    """The rules of a game."""

    def __init__(self, turns: Turns[Any, Any]) -> None:
        self._turns = turns

    def did(self, state: Any, *lines: str) -> Any:
        """The state after some actions; what chance brings between them is drawn with a seed."""
        for line in lines:
            after = self._turns.after(state, self._turns.read_action(line))
            state = self._turns.dealt(after, Random(1))
        return state

    def why_not(self, state: Any, line: str) -> str:
        """The rule that forbids an action; "" for a legal one, which is then listed."""
        action = self._turns.read_action(line)
        broken = self._turns.illegal(state, action)
        assert (action in self._turns.actions(state)) == (broken is None), line
        return broken.kind if broken else ""

    def legal(self, state: Any, first: str) -> set[str]:
        """The legal actions that begin with a word."""
        reported = map(self._turns.write_action, self._turns.actions(state))
        return {line for line in reported if line.split()[0] == first}
