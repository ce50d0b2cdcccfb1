"""Polaris' implementation of `GuidedGame`."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.objective import Objective
from scorer.polaris.edition import load_edition
from scorer.polaris.game import PHASES
from scorer.polaris.steps import Step, StepState
from scorer.polaris.table_state import EndTurn
from webapp.app.game_pages import Document
from webapp.app.guided_game import GuidedGame
from webapp.app.session import flow
from webapp.app.session.board_slots import owners, with_owners
from webapp.app.session.game_document import confirm, player_names, with_answers
from webapp.games.polaris import document as kept
from webapp.games.polaris.guide import questions, sentences


class GuidedPolaris(GuidedGame):
    """From setting up the sky to the last phase; the program deals the cards."""

    # the document, and the live table

    def with_setup(self, document: Document, state: StepState) -> Document:
        """The common cards, once all are turned up; the first is the one at the New Moon."""
        cards = list(state.table.objectives)
        if len(cards) < PHASES or cards == document["cards"]:
            return document
        return confirm({**document, "cards": cards}, "cards")

    def with_end(self, document: Document, state: StepState) -> Document:
        """Each phase's sky and telescope, the secret cards, and what is left over."""
        phases, seats = state.table.phases, state.table.seats
        skies = [phase.snapshot.sky for phase in phases]
        boards = owners(document)
        written = [self.game.position_data(sky) for sky in skies[len(skies) - len(boards) :]]
        document = with_owners(
            document, [{**one, **sky} for one, sky in zip(boards, written, strict=True)]
        )
        is_counted = document["mode"] == kept.EVERY_PHASE
        left = [
            {
                "personal": seat.personal,
                "shooting": seat.shooting,
                "score_marker": None if is_counted else seat.marker,
            }
            for seat in seats
        ]
        document = {
            **with_answers(document, left),
            "cards": [phase.card for phase in phases],
            "telescopes": [int(phase.telescope) for phase in phases],
        }
        answered = ["cards", "telescopes", "stock"]
        answered += [flow.Step("personal", seat).key for seat in range(len(left))]
        for key in answered:
            document = confirm(document, key)
        return document

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

    def objective(self, id: str) -> Objective | None:
        """A common objective, also of a phase to come."""
        return load_edition("standard").common.get(id)

    def describe(
        self, before: StepState, action: Step, after: StepState, document: Document
    ) -> str:
        return sentences.describe(before, action, after, player_names(document))
