"""Ptolemaeus' implementation of `LiveGame`."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scorer.ptolemaeus.edition import ECLIPSIS, PLAYERS, STANDARD
from scorer.ptolemaeus.turns import TURNS
from scorer.ptolemaeus.watched import Watched, news, watched
from scorer.ptolemaeus.words import say
from webapp.app.game_words import said
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, Rules
from webapp.app.live.view_model import Alert, TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.games.ptolemaeus.pages import EVENT, SHARED_KEYS


class LivePtolemaeus(LiveGame):
    """The sky of the date, then round after round: who may place where, and what moves."""

    def initial_state(self, rules: Rules) -> Watched:
        """An empty board, on which the sky of the start date is to be set up."""
        answers = {} if rules.own is None else rules.own.answers
        seats = () if rules.own is None else rules.own.seats
        colours = [seat.answers["colour"] for seat in seats] or PLAYERS[: rules.players]
        set_up = {key: answers[key] for key in SHARED_KEYS if key in answers}
        start = TURNS.start({"players": rules.players, "colours": colours, **set_up})
        return watched(start, rules.position({}))

    def after_change(self, rules: Rules, state: Any, change: BoardChange) -> Watched:
        """The table with the present bodies and pieces."""
        own: Watched = state
        return own.moved(change.after)

    def after_entry(self, rules: Rules, state: Any, entry: Entry) -> Watched:
        own: Watched = state
        return own.with_event(entry.data["card"]) if entry.kind == EVENT else own

    def entries(self, view: TableViewModel) -> Mapping[str, Mapping[str, Collection[Any]]]:
        return {EVENT: {"card": (*STANDARD.events, ECLIPSIS)}}

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """What is misplaced, what to set up or move, and which event card is open."""
        own: Watched = view.table.own
        begun = own.is_moving or own.card == ECLIPSIS or not own.is_set_up
        steps = [Ask("ptolemaeus/live/_steps.html", own)] if begun and own.steps else []
        asked = own.is_set_up and not own.card and not own.rest.over
        return [*steps, *([Ask("ptolemaeus/live/_event.html")] if asked else [])]

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        """The event card that was entered."""
        if event["card"] == ECLIPSIS:
            what = say("eclipsis_told")
        else:
            what = say("event_told", planets=STANDARD.events[event["card"]])
        text = said(what)
        return text[:1].upper() + text[1:]

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """Each step of a round's end once, what is misplaced, and each study."""
        for is_wrong, what in news(before.table.own, after.table.own):
            text = said(what)
            yield Alert("break" if is_wrong else "due", text[:1].upper() + text[1:])
