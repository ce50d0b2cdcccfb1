"""Replay game records: all checks, and the game step by step in both directions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.nebula.records.closing import check_end, check_final
from scorer.nebula.records.opening import rules_of, setup_actions
from scorer.nebula.records.playing import Moment, Playing
from scorer.nebula.records.shape import ShapeError, turn_of
from scorer.nebula.records.turn import play_turn
from scorer.nebula.turns.state import Phase, State


@dataclass(frozen=True)
class Replay:
    """A valid record: its players, and every moment of the game in order.

    `states[n]` is the state after n actions.
    """

    names: tuple[str, ...]
    start: State
    moments: tuple[Moment, ...]

    @property
    def states(self) -> tuple[State, ...]:
        """The state before anything was drawn, and the state after each action."""
        return (self.start, *(moment.state for moment in self.moments))

    @property
    def turns(self) -> int:
        return self.moments[-1].state.turn


def replay(data: Mapping[str, Any]) -> Replay:
    """Play a record from setup to score. Raise RecordError at the first check that fails."""
    rules = rules_of(data)
    setup = setup_actions(data, rules)
    playing = Playing(rules)
    for action in setup:
        playing.play(action, "setup")
    turns = data.get("turns")
    if not isinstance(turns, list):
        raise playing.error("shape", "turns", "must be a list")
    for number, written in enumerate(turns, start=1):
        playing.begin_turn(number)
        try:
            turn = turn_of(written)
        except ShapeError as error:
            raise playing.error("shape", error.key, str(error)) from None
        if playing.state.phase is Phase.OVER:
            raise playing.error("game_over", "", "no turn after the last round")
        play_turn(playing, turn)
    playing.end_turns()
    names = tuple(player["name"] for player in data["players"])
    check_end(playing, data.get("end"))
    check_final(playing, data.get("final"), names)
    return Replay(names, playing.start, tuple(playing.moments))
