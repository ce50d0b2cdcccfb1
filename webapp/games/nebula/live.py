"""Nebula's state of a live table apart from the stars: completed cards, tokens, the indicator.

Players change it by entries:

- `claim`: `seat` has put a marker on the career card `card`
- `value`: the value token `token` moved `by` a square, as the black star `due` demanded; None if no
  token could or should move
- `indicator`: the black indicator was moved by hand, `by` a square
- `bag`: whether the bag is `empty`
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from flask_babel import gettext as _

from calibration import Profile
from scorer.nebula.card import CARDS
from scorer.nebula.edition import Edition, load_edition
from scorer.nebula.ending import Ending, endings
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.game import SLOTS
from scorer.nebula.result import Table
from scorer.nebula.values_board import TOKENS, TRACKS, ValuesBoard
from webapp.app.game_pages import Document
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, LiveTable, Rules
from webapp.app.live.view_model import Alert, ObjectiveProgress, Progress, TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.app.session.game_document import confirm, player_names, without_confirmed
from webapp.games.nebula.document import with_markers
from webapp.games.nebula.words import ends, phrase, value_token


@dataclass(frozen=True)
class NebulaRules:
    """The facts of a game that its state depends on."""

    full: bool
    career: tuple[str, ...]
    edition: Edition


@dataclass(frozen=True)
class Due:
    """What a black star demands: the indicator goes to `square`, and a value token moves.

    `boosted`: the square is highlighted, so the boosted star is replaced. `moves_token` is false in
    the introductory game and once the indicator has reached its end.
    """

    entry: int
    seat: int
    square: int
    boosted: bool
    moves_token: bool


@dataclass(frozen=True)
class NebulaState:
    """The table apart from the stars.

    `completed`: by career card the seats that fulfil it or have a marker on it, in order.
    `claimed`: the markers that players have confirmed. `dues`: the unanswered demands of black
    stars, newest last.
    """

    values: ValuesBoard
    completed: Mapping[str, tuple[int, ...]]
    claimed: frozenset[tuple[int, str]] = frozenset()
    indicator: int = 0
    bag_is_empty: bool = False
    dues: tuple[Due, ...] = ()

    @property
    def met(self) -> frozenset[tuple[int, str]]:
        """Who has completed which career card."""
        return frozenset((seat, card) for card, seats in self.completed.items() for seat in seats)

    @property
    def due(self) -> Due | None:
        """The present demand: the newest one covers older ones, as the indicator does."""
        return self.dues[-1] if self.dues else None

    @property
    def to_claim(self) -> tuple[tuple[int, str], ...]:
        """The markers to place now: (seat, card) completed but not claimed."""
        return tuple(
            (seat, card)
            for card, seats in self.completed.items()
            for seat in seats
            if (seat, card) not in self.claimed
        )

    def markers(self, seat: int) -> dict[str, str]:
        """A player's career markers as in a game file, including those to place."""
        return {
            card: "first" if seats[0] == seat else "later"
            for card, seats in self.completed.items()
            if seat in seats
        }


def _completed(
    rules: NebulaRules, state: NebulaState, seat: int, galaxy: Galaxy
) -> Iterator[tuple[str, tuple[int, ...]]]:
    for card, seats in state.completed.items():
        fulfilled = rules.edition.cards[card].check(galaxy).fulfilled
        if fulfilled and seat not in seats:
            seats = (*seats, seat)
        elif not fulfilled and seat in seats and (seat, card) not in state.claimed:
            seats = tuple(other for other in seats if other != seat)
        yield card, seats


def _with_black(
    rules: NebulaRules, state: NebulaState, number: int, seat: int, more: int
) -> NebulaState:
    """Move the indicator with the black stars, and record the demand of a single one.

    At most one black star is placed in a turn: if several appear at once the camera has only just
    seen them, and their value tokens moved long ago.
    """
    if more == 0:
        return state
    last = rules.edition.indicator_squares
    square = min(max(state.indicator + more, 0), last)
    dues = state.dues
    if more == 1 and state.indicator < last:
        boosted = square in rules.edition.indicator_highlighted
        dues = (*dues, Due(number, seat, square, boosted, rules.full))
    for _taken in range(-more):
        own = [due for due in dues if due.seat == seat]
        dues = tuple(due for due in dues if not own or due != own[-1])
    return replace(state, indicator=square, dues=dues)


def _with_token(state: NebulaState, data: Mapping[str, Any]) -> NebulaState:
    due, token = data.get("due"), data.get("token")
    if due is not None:
        asked = [one.entry for one in state.dues]
        if due not in asked:
            return state  # that black star was taken back, or a newer one was answered
        state = replace(state, dues=state.dues[asked.index(due) + 1 :])
    if token is None:
        return state
    back = data.get("by", 1) < 0
    values = state.values.move_back(token) if back else state.values.move(token)
    return replace(state, values=values)


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
    def objectives(self) -> Sequence[ObjectiveProgress]:
        """The career cards, with who was first, then the advanced cards by slot."""
        slots = dict(zip(self.document["advanced"], SLOTS, strict=False))
        return [
            replace(
                one,
                group=_("Advanced cards") if one.objective.id in slots else _("Career cards"),
                label=f"{slots.get(one.objective.id, '')} {one.objective.id}".strip(),
                progress=[self._marked(one.objective.id, own) for own in one.progress],
            )
            for one in super().objectives
        ]

    def _marked(self, card: str, own: Progress) -> Progress:
        seats = self.state.completed.get(card, ())
        badge = _("first") if seats[:1] == (own.seat,) else ""
        return replace(own, badge=badge, is_kept=own.seat in seats)

    @cached_property
    def endings(self) -> Sequence[Ending]:
        """The conditions that end the game with this round."""
        state = self.state
        markers = sum(len(seats) for seats in state.completed.values())
        return endings(self.galaxies, state.indicator, markers, state.bag_is_empty, self.edition)

    def personal(self, seat: int) -> ObjectiveProgress | None:
        """A player's personal card; None if unknown."""
        id = self.document["players"][seat]["personal"]
        if id is None:
            return None
        card = self.edition.cards[id]
        table = Table.of(self.galaxies, seat, len(self.state.markers(seat)))
        result = card.check(self.galaxies[seat], table)
        points = str(self.edition.personal) if result.fulfilled else ""
        return ObjectiveProgress(card, [Progress(seat, result, points)])


class LiveNebula(LiveGame):
    """Who completes a career card first, the Values board, the black indicator, the game's end."""

    def rules(self, document: Document, profile: Profile) -> Rules:
        """The mode, the career cards and the edition, as printed on the profile's board."""
        players, full = len(document["players"]), document["mode"] == "full"
        career, edition = tuple(document["career"]), document["edition"]
        facts = json.dumps([full, career, edition])
        known = load_edition(edition).printed_on(profile.board)
        own = NebulaRules(full, career, known)
        return Rules(players, facts, profile, self, own)

    def initial_state(self, rules: Rules) -> NebulaState:
        """Without markers or moved tokens."""
        values = ValuesBoard(rules.own.edition.value_squares)
        return NebulaState(values, dict.fromkeys(rules.own.career, ()))

    def after_change(self, rules: Rules, own: Any, change: BoardChange) -> NebulaState:
        """Career cards may be completed or no longer; black stars move the indicator."""
        galaxy: Galaxy = change.after
        more = galaxy.black - change.before.black
        state = _with_black(rules.own, own, change.number, change.seat, more)
        return replace(state, completed=dict(_completed(rules.own, state, change.seat, galaxy)))

    def after_entry(self, rules: Rules, own: NebulaState, entry: Entry) -> NebulaState:
        """Markers, value tokens, the indicator and the bag."""
        data = entry.data
        match entry.kind:
            case "claim" if data["card"] in own.completed and data["seat"] < rules.players:
                seat, card = data["seat"], data["card"]
                seats = own.completed[card]
                completed = {**own.completed, card: seats if seat in seats else (*seats, seat)}
                return replace(own, claimed=own.claimed | {(seat, card)}, completed=completed)
            case "value":
                return _with_token(own, data)
            case "indicator":
                last = rules.own.edition.indicator_squares
                return replace(own, indicator=min(max(own.indicator + data["by"], 0), last))
            case "bag":
                return replace(own, bag_is_empty=bool(data["empty"]))
        return own

    def entries(self, view: TableViewModel) -> Mapping[str, Mapping[str, Collection[Any]]]:
        """Any value token may move; none in the introductory game, which has the indicator."""
        tokens = TOKENS if view.document["mode"] == "full" else ()
        dues, by = [step.entry.number for step in view.table.steps], {"": 1, "1": 1, "-1": -1}
        return {
            "claim": {"seat": range(view.rules.players), "card": view.document["career"]},
            "value": {"token": (None, *tokens), "due": (None, *dues), "by": by},
            "indicator": {"by": by},
            "bag": {"empty": {"yes": True, "no": False}},
        }

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """Markers to place, the newest black star's demand, cards to choose, the end."""
        assert isinstance(view, NebulaViewModel)
        due = view.state.due
        return [
            *(Ask("nebula/live/_claim.html", claim) for claim in view.state.to_claim),
            *([] if due is None else [Ask("nebula/live/_due.html", due)]),
            *([] if view.document["career"] else [Ask("_live_no_cards.html")]),
            *(Ask("nebula/live/_ending.html", one) for one in view.endings if one.met),
        ]

    def with_table(self, document: Document, table: LiveTable) -> Document:
        """Boards, markers and values; what was not entered live stays as in the document."""
        document = super().with_table(document, table)
        if any(table.own.completed.values()):
            seats = range(len(document["players"]))
            document = with_markers(document, [table.own.markers(seat) for seat in seats])
        document = without_confirmed(document, ["markers"])  # they are asked for again
        values = {track: list(table.own.values.leaders(track)) for track in TRACKS}
        if any(values.values()):
            document = {**document, "values": values}
        return confirm(document, "values") if any(document["values"].values()) else document

    # words

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        if kind == "claim":
            return phrase("entry_claim", name=name, card=event["card"])
        if kind == "bag":
            return phrase("entry_bag_empty" if event["empty"] else "entry_bag_filled")
        way = "on" if event.get("by", 1) > 0 else "back"
        if kind == "indicator":
            return phrase(f"entry_indicator_{way}")
        token = event.get("token")
        if token is None:
            return phrase("entry_indicator")
        return phrase(f"entry_value_{way}", token=value_token(token))

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """Completed cards, end conditions, and demands of black stars."""
        assert isinstance(before, NebulaViewModel) and isinstance(after, NebulaViewModel)
        for card, seats in after.state.completed.items():
            for seat in seats:
                if seat not in before.state.completed.get(card, ()):
                    place = after.state.markers(seat)[card]
                    name = player_names(after.document)[seat]
                    words = phrase(f"completes_{place}", name=name, card=CARDS[card].name)
                    yield Alert("objective", words)
        was_met = {ending.kind for ending in before.endings if ending.met}
        for ending in after.endings:
            if ending.met and ending.kind not in was_met:
                yield Alert("ending", ends(ending))
        asked = {due.entry for due in before.state.dues}
        for due in after.state.dues:
            if due.entry not in asked:
                yield Alert("due", phrase("indicator_moves", square=due.square))
