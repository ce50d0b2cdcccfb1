"""What the table means now: each card, the score, the broken rules, how near the end is.

Pure functions of a document and its table; nothing here speaks a language or draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scorer.nebula import SLOTS, Edition, Galaxy, RuleBreak, Table, game_from_data, score_game
from scorer.nebula.card import Card
from scorer.nebula.ending import Ending, endings
from scorer.nebula.score import Score
from scorer.objective import CardResult
from webapp import game_document
from webapp.games.nebula import document as nebula_document
from webapp.live.fold import LiveTable
from webapp.saved_games import Document


@dataclass(frozen=True)
class Progress:
    """How a player does on a card.

    `place` counts who completed a career card, from 1; None where the player has not. `placed`:
    the marker is known to lie there. `worth` is what the card would give now.
    """

    seat: int
    result: CardResult
    place: int | None = None
    placed: bool = False
    worth: int = 0

    @property
    def met(self) -> bool:
        """Whether the card is done: completed, or a marker lies on it."""
        return self.place is not None or bool(self.result.fulfilled)


@dataclass(frozen=True)
class CardOutlook:
    """A card on the table and how each player does on it; `slot` of an advanced card."""

    card: Card
    progress: Sequence[Progress]
    slot: str = ""


@dataclass(frozen=True)
class Outlook:
    """Everything that a live page tells of a table. `document` is the game's."""

    document: Document
    table: LiveTable
    edition: Edition

    @cached_property
    def score(self) -> Score:
        """The score as it would be now, personal cards left out: they are secret."""
        return score_game(game_from_data(self.game_data, self.table.galaxies[0].board))

    @cached_property
    def game_data(self) -> dict[str, Any]:
        """The game file of this moment, without personal cards."""
        data = game_document.game_data(_with_table(self.document, self.table))
        for player in data["players"]:
            player.pop("personal", None)
        return data

    @cached_property
    def career(self) -> Sequence[CardOutlook]:
        """The career cards in the order in which they lie."""
        return [self._career(card) for card in self.document["career"]]

    @cached_property
    def advanced(self) -> Sequence[CardOutlook]:
        """The advanced cards by slot; none in the introductory game."""
        if self.document["mode"] != "full":
            return []
        worth = {
            (seat, line.subject["card"]): line.points
            for seat, player in enumerate(self.score.players)
            for line in player.lines
            if line.category == "advanced"
        }
        return [
            CardOutlook(
                self.edition.cards[card],
                [
                    Progress(seat, self._check(card, seat), worth=worth[seat, card])
                    for seat in range(len(self.table.galaxies))
                ],
                slot,
            )
            for slot, card in zip(SLOTS, self.document["advanced"], strict=False)
        ]

    @cached_property
    def breaks(self) -> Sequence[tuple[int, RuleBreak]]:
        """The rules that boards break as they lie, with the seat."""
        return [
            (seat, broken)
            for seat, galaxy in enumerate(self.table.galaxies)
            for broken in galaxy.rule_breaks()
        ]

    @cached_property
    def endings(self) -> Sequence[Ending]:
        """The conditions under which the game ends with this round."""
        markers = sum(len(seats) for seats in self.table.completed.values())
        return endings(
            self.table.galaxies,
            self.table.indicator,
            markers,
            self.table.bag_is_empty,
            self.edition,
        )

    def personal(self, seat: int) -> Progress | None:
        """How a player does on their personal card, for their eyes; None where it is not known."""
        card = self.document["players"][seat]["personal"]
        if card is None:
            return None
        result = self._check(card, seat)
        worth = self.edition.personal if result.fulfilled else 0
        return Progress(seat, result, 1 if result.fulfilled else None, worth=worth)

    def _career(self, card: str) -> CardOutlook:
        first, later = self.edition.career_points(card)
        seats = self.table.completed[card]
        progress = []
        for seat in range(len(self.table.galaxies)):
            place = seats.index(seat) + 1 if seat in seats else None
            worth = 0 if place is None else first if place == 1 else later
            placed = (seat, card) in self.table.claimed
            progress.append(Progress(seat, self._check(card, seat), place, placed, worth))
        return CardOutlook(self.edition.cards[card], progress)

    def _check(self, card: str, seat: int) -> CardResult:
        galaxy = self.table.galaxies[seat]
        rivals = tuple(
            other.black for place, other in enumerate(self.table.galaxies) if place != seat
        )
        markers = len(self.table.markers(seat))
        return self.edition.cards[card].check(galaxy, Table(rivals=rivals, markers=markers))


def _with_table(document: Document, table: LiveTable) -> Document:
    """Return a game's document with the boards, markers and values of its table."""
    players = [
        {**player, **_board(galaxy), "career": table.markers(seat)}
        for seat, (player, galaxy) in enumerate(
            zip(document["players"], table.galaxies, strict=True)
        )
    ]
    values = {track: list(table.values.leaders(track)) for track in nebula_document.TRACKS}
    return {**document, "players": players, "values": values}


def _board(galaxy: Galaxy) -> Mapping[str, Any]:
    stars = {space: galaxy.stars[space] for space in galaxy.board.spaces if space in galaxy.stars}
    return {"stars": stars, "black": galaxy.black}


def finished(document: Document, table: LiveTable) -> Document:
    """Return the document of a game that live watching has brought to its end.

    The boards, the Values board and the markers are taken over and count as confirmed, as
    their players had them before their eyes; the markers are asked for once more.
    """
    document = _with_table(document, table)
    players = [
        {**player, "board": {"photograph": None, "index": 0}, "checked": []}
        for player in document["players"]
    ]
    document = {**document, "players": players}
    steps = ["values"] if document["mode"] == "full" else []
    steps.append("photographs")
    for seat, player in enumerate(players):
        steps.append(f"review-{seat}")
        steps += [f"personal-{seat}"] if player["personal"] else []
    for step in steps:
        document = game_document.confirm(document, step)
    return game_document.without_confirmed(document, ("markers",))
