"""Polaris' implementation of `GuidedGame`."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.objective import Objective
from scorer.polaris.edition import load_edition
from scorer.polaris.steps import Step, StepState
from scorer.polaris.table_state import EndTurn
from webapp.app.guided_game import GuidedGame, StateLook
from webapp.games.polaris.guide import questions, sentences


class GuidedPolaris(GuidedGame):
    """From setting up the sky to the last phase; the program deals the cards."""

    # the live table

    def live_entries(
        self, live: Any, before: StepState, action: Step, after: StepState
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The end of a turn, and the telescope's holder in a phase that is scored."""
        if isinstance(action, EndTurn):
            yield "turn", {}
        phases = after.table.phases
        if len(phases) > len(before.table.phases):
            yield "telescope", {"phase": len(phases) - 1, "seat": int(phases[-1].telescope)}

    # words

    question = staticmethod(questions.question)
    look = staticmethod(questions.look)
    describe = staticmethod(sentences.describe)

    def state_look(self, state: StepState) -> StateLook:
        return StateLook(points=[seat.marker for seat in state.table.seats])

    def objective(self, id: str) -> Objective | None:
        """A common objective, also of a phase to come."""
        return load_edition("standard").common.get(id)
