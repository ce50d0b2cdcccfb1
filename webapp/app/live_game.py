"""A game's part of a table that is followed live; here the answers drawn from the game itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from flask_babel import gettext as _

from calibration import Profile
from scorer.datafile import DataFileError
from webapp.app.languages import language
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, LiveTable, Rules
from webapp.app.live.view_model import Alert, TableViewModel
from webapp.app.session.board_slots import has_moments, owners, with_owners

if TYPE_CHECKING:  # the pages of a game have this as a part of them
    from webapp.app.game_pages import Document, GamePages


@dataclass(frozen=True)
class Ask:
    """Something that the table has to do: the template that draws it, and what it is `about`."""

    template: str
    about: Any = None


class LiveGame:
    """What the table page asks of a game: its own state, what it draws, and its words.

    The state that a game keeps beside the pieces is any immutable value; `met` of it are the pairs
    of seat and objective that are met. By default it is those alone.

    Templates of the game that are part of the page, in `GAME/live/`: `_turn.html` above the boards,
    `_on_board.html` over a board's places (in the layout's millimetres), `_seat_buttons.html` and
    `_seat.html` under the board of the `number`, `_objectives.html`, `_end.html`,
    and `_break_answers.html` below a `broken` rule.
    """

    def __init__(self, pages: GamePages) -> None:
        """Be a part of a game's pages."""
        self.pages, self.game = pages, pages.game

    @final
    @cached_property
    def view_model(self) -> type[TableViewModel]:
        """What a live page shows: of the game's module `live.view_model`, or the base."""
        return self.pages.part(TableViewModel, "live.view_model")

    # the table

    def rules(self, document: Document, profile: Profile) -> Rules:
        """What of a document the table depends on, nothing secret, no piece and no answer of it."""
        data = self.game_data(document)
        facts = json.dumps(data, sort_keys=True)
        return Rules(len(document["players"]), facts, profile, self, self._played(data, profile))

    def initial_state(self, rules: Rules) -> Any:
        """The game's own state before anything has happened."""
        return frozenset()

    def after_change(self, rules: Rules, state: Any, change: BoardChange) -> Any:
        """The state after a board has changed."""
        if rules.own is None:
            return state
        return frozenset(
            (seat, one.id)
            for seat in range(rules.players)
            for one in self.game.objectives(rules.own, seat)
            if self.game.check(rules.own, one, change.positions, seat).met
        )

    def after_entry(self, rules: Rules, state: Any, entry: Entry) -> Any:
        """The state after a player told something that is the game's own."""
        return state

    @final
    def completed(
        self, rules: Rules, before: LiveTable, after: LiveTable, seat: int | None
    ) -> tuple[str, ...]:
        """The objectives that a seat has completed between two moments of a table."""
        was, now = (_met(one, rules.is_scored(rules.unseen(one.known))) for one in (before, after))
        return tuple(sorted(objective for player, objective in now - was if player == seat))

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """What the table has to do beside putting right broken rules, the most urgent first."""
        return ()

    # the document

    @final
    def game_data(self, document: Document) -> dict[str, Any]:
        """The game file of a document as everybody may see it."""
        data = self.pages.game_data(document)
        questions = self.game.questions(document)
        secret = {one.id for one in questions if one.secret and one.of_each_player}
        players = [
            {key: value for key, value in player.items() if key not in secret}
            for player in data["players"]
        ]
        return {**data, "players": players}

    def with_table(self, document: Document, table: LiveTable) -> Document:
        """The document with what the table tells, and the steps that this does, or does again.

        Where one board is everybody's, the table shows the last of its moments.
        """
        boards = list(owners(document))
        first = len(boards) - 1 if has_moments(document) else 0
        for number, position in enumerate(table.positions, first):
            boards[number] = {**boards[number], **self.game.position_data(position)}
        return with_owners(document, boards)

    @final
    def steps_done(self, document: Document) -> Sequence[str]:
        """The steps of what is known of each player already: nobody is asked for it again."""
        return [
            f"{step}-{seat}"
            for step in self.pages.steps(document).players
            for seat, player in enumerate(document["players"])
            if player.get(step) is not None
        ]

    # words

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        """What a player told that is the game's own; `name` is the player's, "" for the table."""
        return kind

    @final
    def objective_title(self, rules: Rules, id: str) -> str:
        """What an objective is called: by the glossary, else as it calls itself."""
        title = self.pages.words.objective(id)
        if title != id or rules.own is None:
            return title
        every = (
            own for seat in range(rules.players) for own in self.game.objectives(rules.own, seat)
        )
        return next((one.name.in_language(language()) for one in every if one.id == id), id)

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """What is new at the table between two moments, beside broken rules."""
        was, now = (_met(one.table, one.is_scored) for one in (before, after))
        for seat, card in sorted(now - was):
            name = after.document["players"][seat]["name"]
            title = self.objective_title(after.rules, card)
            yield Alert("objective", _("%(name)s completes %(card)s", name=name, card=title))

    def _played(self, data: Mapping[str, Any], profile: Profile) -> Any:
        """The game of the data; None while too little is known of it."""
        try:
            return self.game.game_from_data(data, profile.board)
        except DataFileError:
            return None


def _met(table: LiveTable, is_scored: Sequence[bool]) -> frozenset[tuple[int, str]]:
    """Who has met which objective, of those whose boards were all seen."""
    own = table.own
    met = own if isinstance(own, frozenset) else getattr(own, "met", ())
    return frozenset((seat, objective) for seat, objective in met if is_scored[seat])
