"""A game's part of a live table; the defaults are derived from the game itself."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
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
from webapp.app.session.board_slots import Document, has_moments, owners, with_owners

if TYPE_CHECKING:  # it imports this module
    from webapp.app.game_pages import GamePages


@dataclass(frozen=True)
class Ask:
    """Something that the table has to do: its template and what that is `about`."""

    template: str
    about: Any = None


class LiveGame:
    """The live table's hooks for a game: its own state, drawing and words.

    The game's own state besides the pieces is any immutable value; its attribute `met` holds the
    (seat, objective) pairs that are met. By default the state is just those pairs.

    Templates of the game that are included, in `GAME/live/`: `_turn.html` above the boards,
    `_on_board.html` over a board's places (in the layout's millimetres), `_seat.html` under board
    `number`, `_end.html`, and `_break_answers.html` below a `broken` rule.
    """

    def __init__(self, pages: "GamePages") -> None:
        self.pages, self.game = pages, pages.game

    @final
    @cached_property
    def view_model(self) -> type[TableViewModel]:
        """The game's subclass in `live` or `live.view_model`, else the base class."""
        return self.pages.part(TableViewModel, "live", "live.view_model")

    # the table

    def rules(self, document: Document, profile: Profile) -> Rules:
        """Return what the table depends on in a document; no secrets, pieces or answers."""
        data = self.game_data(document)
        facts = json.dumps(data, sort_keys=True)
        return Rules(len(document["players"]), facts, profile, self, self._played(data, profile))

    def initial_state(self, rules: Rules) -> Any:
        """Return the game's own state of an empty table."""
        return frozenset()

    def after_change(self, rules: Rules, state: Any, change: BoardChange) -> Any:
        if rules.own is None:
            return state
        return frozenset(
            (seat, one.id)
            for seat in range(rules.players)
            for one in self.game.objectives(rules.own, seat)
            if self.game.check(rules.own, one, change.positions, seat).met
        )

    def after_entry(self, rules: Rules, state: Any, entry: Entry) -> Any:
        """Return the state after a game-specific entry by a player."""
        return state

    def entries(self, view: TableViewModel) -> Mapping[str, Mapping[str, Collection[Any]]]:
        """Return what players may enter now: by kind, the possible values of each field.

        A page sends a value as text, and None as "" or not at all; keys of a mapping stand for its
        values.
        """
        return {}

    @final
    def completed(
        self, rules: Rules, before: LiveTable, after: LiveTable, seat: int | None
    ) -> tuple[str, ...]:
        """Return the objectives that a seat completed between two states of a table, sorted."""
        was, now = (_met(one, rules.is_scored(rules.unseen(one.known))) for one in (before, after))
        return tuple(sorted(objective for player, objective in now - was if player == seat))

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """Return what the table has to do besides fixing broken rules, the most urgent first."""
        return ()

    # the document

    @final
    def game_data(self, document: Document) -> dict[str, Any]:
        """Return a document's game file without secret answers."""
        data = self.pages.game_data(document)
        questions = self.game.questions(document)
        secret = {one.id for one in questions if one.secret and one.of_each_player}
        players = [
            {key: value for key, value in player.items() if key not in secret}
            for player in data["players"]
        ]
        return {**data, "players": players}

    def with_table(self, document: Document, table: LiveTable) -> Document:
        """Return the document with the table's final positions.

        For a shared board with snapshots, the table shows the last one.
        """
        boards = list(owners(document))
        first = len(boards) - 1 if has_moments(document) else 0
        for number, position in enumerate(table.positions, first):
            boards[number] = {**boards[number], **self.game.position_data(position)}
        return with_owners(document, boards)

    @final
    def steps_done(self, document: Document) -> Sequence[str]:
        """Return the players' steps that are answered already and need not be asked again."""
        return [
            f"{step}-{seat}"
            for step in self.pages.steps(document).players
            for seat, player in enumerate(document["players"])
            if player.get(step) is not None
        ]

    # words

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        """Describe a game-specific entry; `name` is the player's, "" for the table.

        By default this is the phrase `entry_KIND`, filled in with the numbers and texts of `event`.
        """
        values = {key: own for key, own in event.items() if isinstance(own, str | int)}
        return self.pages.words.say(f"entry_{kind}", kind, **{**values, "name": name})

    @final
    def objective_title(self, rules: Rules, id: str) -> str:
        """Return an objective's title: from the glossary, else its own name."""
        title = self.pages.words.objective(id)
        if title != id or rules.own is None:
            return title
        every = (
            own for seat in range(rules.players) for own in self.game.objectives(rules.own, seat)
        )
        return next((one.name.in_language(language()) for one in every if one.id == id), id)

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """Yield what is new between two states of a table, other than broken rules."""
        was, now = (_met(one.table, one.is_scored) for one in (before, after))
        for seat, card in sorted(now - was):
            name = after.document["players"][seat]["name"]
            title = self.objective_title(after.rules, card)
            yield Alert("objective", _("%(name)s completes %(card)s", name=name, card=title))

    def _played(self, data: Mapping[str, Any], profile: Profile) -> Any:
        """Return the game of the data; None if the data is incomplete."""
        try:
            return self.game.game_from_data(data, profile.board)
        except DataFileError:
            return None


def _met(table: LiveTable, is_scored: Sequence[bool]) -> frozenset[tuple[int, str]]:
    """Return the (seat, objective) pairs that are met, for seats whose boards were all seen."""
    own = table.own
    met = own if isinstance(own, frozenset) else getattr(own, "met", ())
    return frozenset((seat, objective) for seat, objective in met if is_scored[seat])
