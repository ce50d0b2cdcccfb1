"""Polaris' answers to what a guided game asks of a game."""

from collections.abc import Iterator, Mapping, Sequence
from random import SystemRandom
from typing import Any

from flask_babel import gettext as _

from calibration import Profile
from scorer.game import Pieces
from scorer.places import Place
from scorer.polaris import SkyBoard, load_edition, lunar_sectors
from scorer.polaris.advice import ADVISOR
from scorer.polaris.contract import NEW_MOON
from scorer.polaris.game import FEWEST_PLAYERS, MOST_PLAYERS, PHASES
from scorer.polaris.steps import (
    STEPS,
    ChooseCard,
    EndCard,
    EndPhase,
    Lay,
    Step,
    StepState,
    read_step,
    write_step,
)
from scorer.polaris.table_state import Draw, EndTurn, TableState, set_up
from scorer.turns import Advisor, Turns
from webapp import flow
from webapp.board_owners import owners, with_owners
from webapp.game_document import confirm
from webapp.games import Document
from webapp.games.guided import GuidedGame, Opening, Question, SetUp
from webapp.games.polaris import document as kept
from webapp.games.polaris.guide import questions, sentences
from webapp.games.polaris.guide.table import HandShown, TableShown, hand_shown, table_shown
from webapp.games.polaris.moons import DrawnMoon, drawn_moons
from webapp.services import services

LUCK = SystemRandom()
BEGINS_AT = 1
"""The sector that the New Moon faces first: any will do (P10)."""


class GuidedPolaris(GuidedGame):
    """From the sky that is put together to the last phase; the program deals the cards."""

    board_template = "polaris/guide/_on_board.html"
    table_template = "polaris/guide/_table.html"
    secret_template = "polaris/guide/_secret.html"

    @property
    def turns(self) -> Turns[Any, Any]:
        """Card by card, and piece by piece."""
        return STEPS

    @property
    def advisor(self) -> Advisor[Any, Any] | None:
        """Who looks no further than the turn."""
        return ADVISOR

    @property
    def opening(self) -> Opening:
        """The cards are on the screen."""
        return Opening(
            _("A first game of Polaris"),
            _(
                "You are told what to do, one thing at a time, until the winner is known. Stars and"
                " links lie on your sky, printed or bought, or on the screen alone; the cards are"
                " dealt here. Each step can be taken back."
            ),
            {"program": _("Let us begin")},
        )

    # the state

    def fits(self, document: Document) -> bool:
        """Two to four players."""
        return FEWEST_PLAYERS <= len(document["players"]) <= MOST_PLAYERS

    def rules_of(self, document: Document) -> SetUp:
        """Who plays which colour, and the edition."""
        return {
            "colours": [player["marker"] for player in document["players"]],
            "edition": document["edition"],
        }

    def start(self, set_up: SetUp, profile: Profile) -> StepState:
        """Nothing is dealt, on the board that is played on; seats have numbers for names."""
        assert isinstance(profile.board, SkyBoard)
        return StepState(_new_table(set_up, profile.board))

    def write_action(self, action: Step) -> str:
        """As a line of text."""
        return write_step(action)

    def read_action(self, text: str) -> Step:
        """Of the same."""
        return read_step(text)

    def player(self, state: StepState) -> int | None:
        """Whose turn it is, once there are turns; nobody while a phase is scored."""
        return state.table.turn if _is_in_play(state) else None

    def decides(self, state: StepState) -> int | None:
        """The same, but where a card is to be drawn."""
        return None if STEPS.outcomes(state) else self.player(state)

    def has_secrets(self, set_up: SetUp) -> bool:
        """The cards are on the screen alone."""
        return True

    def is_private(self, state: StepState, draft: str) -> bool:
        """The hand, from which a card is played."""
        return draft == "hand" and _is_in_play(state) and state.card is None

    def about_secret(self, state: StepState, seat: int) -> HandShown | None:
        """The hand, and the secret objective with what it counts by now."""
        return hand_shown(state, seat) if state.laid_out and not state.over else None

    def hides(self, action: Step) -> bool:
        """What is drawn goes to a hand, or to a market that says what it does not."""
        return isinstance(action, Draw)

    def positions(self, state: StepState) -> Sequence[Any]:
        """The sky."""
        return [state.sky]

    def seen(self, state: StepState, position: Any) -> Pieces:
        """Stars that nobody plays are neutral where two play."""
        colours = [seat.colour for seat in state.table.seats]
        return self.game.pieces_of(position.as_played(colours))

    def by_hand(self, action: Step) -> bool:
        """What is laid or taken; the cards are on the screen."""
        return not isinstance(action, ChooseCard | EndCard | EndTurn)

    def placing(self, state: StepState, place: Place, piece: str) -> Step:
        """A piece of the card that is played; the New Moon where the frame is turned on."""
        if piece == NEW_MOON:
            return EndPhase(int(place.id))
        return Lay(piece, place.id)

    def by_itself(self, state: StepState, set_up: SetUp, document: Document) -> Step | None:
        """Cards are dealt, and what there is no choice in is done."""
        chances = STEPS.outcomes(state)
        if chances:
            draws, odds = zip(*chances, strict=True)
            drawn: Step = LUCK.choices(draws, odds)[0]
            return drawn
        return STEPS.following(state)

    # the document, and the table that is followed live

    def with_setup(self, document: Document, state: StepState) -> Document:
        """The common cards, once all are turned up; the first is the one at the New Moon."""
        cards = list(state.table.objectives)
        if len(cards) < PHASES or cards == document["cards"]:
            return document
        return confirm(kept.with_cards(document, cards), "cards")

    def with_end(self, document: Document, state: StepState) -> Document:
        """Each phase's sky and telescope, the secret cards, what is left over."""
        table = state.table
        skies = [phase.snapshot.sky for phase in table.phases]
        boards = owners(document)
        lying = [self.game.position_data(sky) for sky in skies[len(skies) - len(boards) :]]
        document = with_owners(
            document, [{**one, **sky} for one, sky in zip(boards, lying, strict=True)]
        )
        document = kept.with_cards(document, [phase.card for phase in table.phases])
        for number, phase in enumerate(table.phases):
            document = kept.with_telescope(document, number, int(phase.telescope))
        is_counted = document["mode"] == kept.EVERY_PHASE
        document = kept.with_stock(
            document,
            [seat.shooting for seat in table.seats],
            [None if is_counted else seat.marker for seat in table.seats],
        )
        players = [
            {**player, "personal": seat.personal}
            for player, seat in zip(document["players"], table.seats, strict=True)
        ]
        document = {**document, "players": players}
        told = ["cards", "telescopes", "stock"]
        told += [flow.Step("personal", seat).key for seat in range(len(players))]
        for key in told:
            document = confirm(document, key)
        return document

    def live_entries(
        self, live: Any, before: StepState, action: Step, after: StepState
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """A turn's end, and who has the telescope of a phase that is scored."""
        if isinstance(action, EndTurn):
            yield "turn", {}
        phases = after.table.phases
        if len(phases) > len(before.table.phases):
            yield "telescope", {"phase": len(phases) - 1, "seat": int(phases[-1].telescope)}

    # words

    def question(self, state: StepState, draft: str, document: Document, set_up: SetUp) -> Question:
        """See `questions`."""
        return questions.ask(state, draft, _names(document))

    def told(self, before: StepState, action: Step, after: StepState, document: Document) -> str:
        """See `sentences`."""
        return sentences.told(before, action, after, _names(document))

    def standing(self, state: StepState) -> Sequence[str]:
        """The phase, the dawn, what its player has."""
        return sentences.standing(state)

    def about_board(self, state: StepState) -> Sequence[DrawnMoon]:
        """The moons at their sectors."""
        sectors = lunar_sectors(state.table.edition, state.sky)
        return drawn_moons(self.pages, services().profile, sectors)

    def about_table(self, state: StepState, document: Document) -> TableShown | None:
        """The objectives with what they count, once they lie there."""
        return table_shown(state, _names(document)) if _is_in_play(state) else None


def _new_table(chosen: SetUp, board: SkyBoard) -> TableState:
    seats = [(str(seat), colour) for seat, colour in enumerate(chosen["colours"])]
    return set_up(seats, BEGINS_AT, load_edition(chosen["edition"]), board)


def _is_in_play(state: StepState) -> bool:
    return state.laid_out and not (state.scored or state.over)


def _names(document: Document) -> Sequence[str]:
    return [player["name"] for player in document["players"]]
