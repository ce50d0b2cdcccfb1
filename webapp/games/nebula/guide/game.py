"""Nebula's implementation of `GuidedGame`."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorer.nebula.turns.actions import Action, AdvanceToken, Claim, Deal, LeaveClusters
from scorer.nebula.turns.chance import random_outcome
from scorer.nebula.turns.setup import PERSONAL_DEALT, next_deck
from scorer.nebula.turns.state import CARD_BACK, Phase, State
from scorer.nebula.words import say
from scorer.turns import SetUp
from webapp.app.game_pages import Document
from webapp.app.guided_game import LUCK, GuidedGame, StateLook
from webapp.games.nebula.guide import questions, sentences


class GuidedNebula(GuidedGame):
    """From the first star in a cluster to the last round."""

    # the state

    def by_itself(self, state: State, set_up: SetUp, document: Document) -> Action | None:
        """Cards that are known or face down, forced actions, and no refill once it is over."""
        if state.phase is Phase.DEAL:
            return _dealt(state, set_up, document)
        if state.phase is Phase.REFILL and not self.turns.illegal(state, LeaveClusters()):
            return LeaveClusters()
        action: Action | None = super().by_itself(state, set_up, document)
        return action

    # the live table

    def live_entries(
        self, live: Any, before: State, action: Action, after: State
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Markers and value tokens; the guide itself handles what a black star demands."""
        due = live.due.entry if live.due else None
        if isinstance(action, AdvanceToken):
            yield "value", {"token": action.token, "due": due, "by": 1}
        elif due is not None and before.phase not in (Phase.BOOST, Phase.BOOST_DRAW, Phase.TOKEN):
            yield "value", {"token": None, "due": due, "by": 1}
        if isinstance(action, Claim):
            yield "claim", {"seat": before.player, "card": action.card}

    # words

    def state_look(self, state: State) -> StateLook:
        """The career cards that bear a player's marker."""
        points = state.rules.edition.career_points
        return StateLook(
            kept={
                seat: {
                    card: say("marker_lies", points=points(card)[place == "later"])
                    for card, place in state.claims_of(seat).items()
                }
                for seat in range(state.rules.players)
            }
        )

    question = staticmethod(questions.question)
    look = staticmethod(questions.look)
    describe = staticmethod(sentences.describe)


def _dealt(state: State, set_up: SetUp, document: Document) -> Action | None:
    """The next card: one chosen for the table, one drawn by the program, or a card face down."""
    if set_up["draws"] == "program":
        return random_outcome(state, LUCK)
    deck = next_deck(state)
    if deck == "personal":
        dealt_to = next(n for n, hand in enumerate(state.hands) if len(hand.dealt) < PERSONAL_DEALT)
        computer = set_up["computers"][dealt_to]
        return random_outcome(state, LUCK) if computer else Deal(CARD_BACK)
    laid, on_table = document[deck], (*state.career, *state.advanced)
    return next((Deal(card) for card in laid if card not in on_table), None)
