"""A guided game of three at a server, each with a phone, in which one seat's cards are planted."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.webapp.conftest import Player, players_form
from tests.webapp.evening import Evening
from webapp.app.game_pages import pages_of
from webapp.app.guide.history import History
from webapp.app.guided_game import GuidedGame

NAMES = ("Ana", "Luis", "Eva")
PLANTED: Mapping[str, Sequence[str]] = {
    "nebula": ("O1", "O2", "O3", "O4"),
    "polaris": ("PO1", "PO2", "new-B1", "full-B1"),
    "ptolemaeus": ("leo", "virgo", "S1", "S2"),
    "via_nebula": ("X1", "X2", "X3", "X4"),
}
"""Cards that nobody but the seat in question has: half of them in the one world."""


class GuidedEvening(Evening):
    """Three phones at a guided game, all seats taken; `seat` holds what is planted.

    `world` says which of the planted cards: 0 or 1. All else is alike in both.
    """

    def __init__(self, folder: Path, game: str, seat: int, world: int) -> None:
        super().__init__(folder)
        part = pages_of(game).guided
        self.part: GuidedGame = part
        pages = pages_of(game)
        form = players_form(*NAMES, mode=next(iter(pages.modes), ""), markers=pages.markers)
        form |= {"game": game, "guided": "yes"}
        begun = self.luis.post("/games/new", form).headers["Location"]
        self.id = begun.split("/")[2]
        self.game = f"/games/{self.id}"
        self.guides = self.app.extensions["stargazer guide"]
        self._begin(seat, world)
        for number, phone in enumerate(self.phones[:3]):
            answer = phone.post(f"{self.game}/guide/seat", {"seat": number})
            assert answer.status_code == 303, answer.text

    @property
    def history(self) -> History:
        found = self.guides.history(self.app.extensions["stargazer"].games.open(self.id))
        assert isinstance(found, History)
        return found

    @property
    def state(self) -> Any:
        return self.history.state

    def do(self, action: str) -> None:
        """Do an action without a page."""
        self.guides.do(self.id, action, self.history.number)

    def act(self, player: Player, action: str) -> str:
        """Send an action from a phone; what comes back."""
        form = {"move": action, "seen": self.history.number}
        answer = player.post(f"{self.game}/guide/do", form, headers={"X-Partial": "1"})
        assert answer.status_code == 200, answer.text
        return answer.text

    def _begin(self, seat: int, world: int) -> None:
        """Write the deal down: what chance brings is alike in both worlds, but for the seat."""
        game = self.app.extensions["stargazer"].games.open(self.id)
        set_up = {"computers": [""] * 3, "draws": "program", "seed": "0" * 16}
        set_up |= {"language": "en", **self.part.rules_of(game.document)}
        profile = self.app.extensions["stargazer"].boards.of(game.document)
        state, luck = self.part.turns.start(set_up, profile.board), random.Random(5)
        reported: list[tuple[str, dict[str, Any]]] = [("guide", {"begin": set_up})]
        planted = PLANTED[self.part.game.id]
        left = list(planted[world::2])
        turns = self.part.turns
        if not turns.outcomes(state):  # first the sky is laid out
            reported.append(("guide", {"do": "sky", "by": "tap"}))
            state = turns.after(state, turns.actions(state)[0])
        while outcomes := [one for one, _odds in turns.outcomes(state)]:
            cards = {getattr(one, "card", ""): one for one in outcomes}
            due = [card for card in left if card in cards and _is_for(state, seat)]
            if due:
                left.remove(due[0])
                drawn = cards[due[0]]
            elif any(cards):
                drawn = luck.choice([one for card, one in cards.items() if card not in planted])
            else:  # stars from a bag
                drawn = luck.choice(outcomes)
            reported.append(("guide", {"do": self.part.turns.write_action(drawn), "by": "itself"}))
            state = turns.after(state, drawn)
        assert not left, "all that is planted was dealt"
        self.guides.turn(self.id, on=True)
        self.app.extensions["stargazer live"].log.append(self.id, reported)
        self.luis.get(f"{self.game}/guide")


def _is_for(state: Any, seat: int) -> bool:
    """Whether the next card is dealt to a seat."""
    if hasattr(state, "hands"):  # Nebula
        dealt = [len(hand.dealt) for hand in state.hands]
        return next((n for n, count in enumerate(dealt) if count < 2), None) == seat
    if hasattr(state, "todo"):  # Ptolemaeus
        return bool(state.todo) and state.todo[0].seat == seat
    if hasattr(state, "seats"):  # Via Nebula
        return next((n for n, own in enumerate(state.seats) if len(own.hand) < 2), None) == seat
    return bool(state.table.pending) and state.table.pending[0].seat == seat
