"""The state of Nebula's table for display: each card, and the progress towards the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from scorer.nebula.card import Card
from scorer.nebula.edition import Edition
from scorer.nebula.ending import Ending, endings
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import SLOTS
from scorer.nebula.result import Table
from scorer.objective import CardResult
from webapp.app.live.view_model import Progress, TableViewModel
from webapp.games.nebula.live.state import NebulaRules, NebulaState


@dataclass(frozen=True)
class CardProgress(Progress):
    """How a player does on a card.

    `place` is the player's rank in completing a career card, from 1; None if not completed. `worth`
    are the card's points at present.
    """

    place: int | None = None
    worth: int = 0

    @property
    def met(self) -> bool:
        """Whether the card is completed, or has the player's marker."""
        return self.place is not None or bool(self.result.fulfilled)


@dataclass(frozen=True)
class CardView:
    """A card on the table with each player's progress; `slot` is that of an advanced card."""

    card: Card
    progress: Sequence[CardProgress]
    slot: str = ""


@dataclass(frozen=True)
class NebulaViewModel(TableViewModel):
    """Everything that a live page of Nebula shows."""

    @property
    def state(self) -> NebulaState:
        return cast(NebulaState, self.table.own)

    @property
    def edition(self) -> Edition:
        return cast(NebulaRules, self.rules.own).edition

    @property
    def galaxies(self) -> Sequence[Galaxy]:
        return self.table.positions

    @cached_property
    def career(self) -> Sequence[CardView]:
        """The career cards in table order."""
        return [self._career(card) for card in self.document["career"]]

    @cached_property
    def advanced(self) -> Sequence[CardView]:
        """The advanced cards by slot; none in the introductory game."""
        if self.document["mode"] != "full" or self.score is None:
            return []
        worth = {
            (seat, line.subject["card"]): line.points
            for seat, player in enumerate(self.score.players)
            for line in player.lines
            if line.category == "advanced"
        }
        return [
            CardView(
                self.edition.cards[card],
                [
                    CardProgress(seat, self._check(card, seat), worth=worth[seat, card])
                    for seat in range(len(self.galaxies))
                ],
                slot,
            )
            for slot, card in zip(SLOTS, self.document["advanced"], strict=False)
        ]

    @cached_property
    def endings(self) -> Sequence[Ending]:
        """The conditions that end the game with this round."""
        state = self.state
        markers = sum(len(seats) for seats in state.completed.values())
        return endings(self.galaxies, state.indicator, markers, state.bag_is_empty, self.edition)

    def personal(self, seat: int) -> CardProgress | None:
        """A player's progress on their personal card, for their eyes only; None if unknown."""
        card = self.document["players"][seat]["personal"]
        if card is None:
            return None
        result = self._check(card, seat)
        worth = self.edition.personal if result.fulfilled else 0
        return CardProgress(seat, result, 1 if result.fulfilled else None, worth=worth)

    def _career(self, card: str) -> CardView:
        first, later = self.edition.career_points(card)
        seats = self.state.completed[card]
        progress = []
        for seat in range(len(self.galaxies)):
            place = seats.index(seat) + 1 if seat in seats else None
            worth = 0 if place is None else first if place == 1 else later
            progress.append(CardProgress(seat, self._check(card, seat), place, worth))
        return CardView(self.edition.cards[card], progress)

    def _check(self, card: str, seat: int) -> CardResult:
        table = Table.of(self.galaxies, seat, len(self.state.markers(seat)))
        return self.edition.cards[card].check(self.galaxies[seat], table)
