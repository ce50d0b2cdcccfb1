"""Polaris' implementation of `LiveGame`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration import Profile
from scorer.polaris.contract import NEW_MOON
from scorer.polaris.game import PHASES
from scorer.polaris.observed_game import FollowedTable
from scorer.polaris.turn_inference import end_turn, follow
from scorer.polaris.words import say
from webapp.app.game_pages import Document
from webapp.app.game_words import said
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, LiveTable, Rules
from webapp.app.live.view_model import Alert, TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.app.session.board_slots import owners, with_owners
from webapp.app.session.game_document import player_names
from webapp.games.polaris import document
from webapp.games.polaris.live import state
from webapp.games.polaris.live.view_model import PolarisViewModel


class LivePolaris(LiveGame):
    """Turns and their rule breaks, the moon frame, phases, and the count of each objective."""

    # the table

    def rules(self, kept: Document, profile: Profile) -> Rules:
        """The colours in play; the state does not depend on cards."""
        colours = tuple(document.colours(kept).values())
        return Rules(len(colours), json.dumps(colours), profile, self, colours)

    def initial_state(self, rules: Rules) -> state.PolarisState:
        return state.PolarisState(FollowedTable(rules.own, rules.position({})))

    def after_change(
        self, rules: Rules, own: state.PolarisState, change: BoardChange
    ) -> state.PolarisState:
        """A turn goes on or a new one begins; turning the frame ends a phase."""
        sky = change.after.as_played(own.followed.colours)
        return replace(own, followed=follow(own.followed, sky, change.seconds, change.how))

    def after_entry(
        self, rules: Rules, own: state.PolarisState, entry: Entry
    ) -> state.PolarisState:
        """The turn's end, the New Moon, the telescope, accepted rule breaks."""
        data, followed = entry.data, own.followed
        match entry.kind:
            case "turn":
                return replace(own, followed=end_turn(followed))
            case "joined" | "before" if data["turn"] == len(followed.turns):
                return replace(own, followed=state.OF_A_TURN[entry.kind](followed))
            case "moon":
                sky = replace(followed.sky, new_moon=data["sector"])
                return replace(own, followed=follow(followed, sky, entry.at.timestamp()))
            case "telescope":
                return replace(own, telescopes={**own.telescopes, data["phase"]: data["seat"]})
            case "leave":
                return state.with_left(own, state.left(data["rule"], tuple(data["places"])))
        return own

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """The telescope of past phases, the cards, the New Moon's sector."""
        assert isinstance(view, PolarisViewModel)
        found = []
        if view.counts_phases:
            unknown = [phase for phase in view.phases if phase.telescope is None]
            found += [Ask("polaris/live/_telescope.html", phase) for phase in unknown]
            found += [] if view.document["cards"] else [Ask("polaris/live/_no_cards.html")]
        return found + [Ask("polaris/live/_new_moon.html")] * (view.sky.new_moon is None)

    # the document

    def with_table(self, kept: Document, table: LiveTable) -> Document:
        """The sky of each past phase, and the present one."""
        own: state.PolarisState = table.own
        *phases, end = owners(kept)
        over = [phase.sky for phase in own.followed.phases[: len(phases)]]
        skies = [self.game.position_data(sky) for sky in (*over, own.followed.sky)]
        shown = zip((*phases[: len(over)], end), skies, strict=True)
        *known, last = ({**one, **sky} for one, sky in shown)
        holders = {phase: seat for phase, seat in own.telescopes.items() if phase < PHASES}
        telescopes = [holders.get(phase, had) for phase, had in enumerate(kept["telescopes"])]
        boards = [*known, *phases[len(over) :], last]
        return with_owners({**kept, "telescopes": telescopes}, boards)

    # words

    def format_entry(self, kind: str, event: Mapping[str, Any], name: str) -> str:
        if kind == "moon":
            return self.pages.words.laid(NEW_MOON, str(event["sector"])).capitalize()
        if kind == "telescope":
            return said(say("entry_telescope", name=name, number=event["phase"] + 1))
        return super().format_entry(kind, event, name)

    def alerts(self, before: TableViewModel, after: TableViewModel) -> Iterator[Alert]:
        """Tiers that somebody reaches or leaves, and phases that are over."""
        assert isinstance(before, PolarisViewModel) and isinstance(after, PolarisViewModel)
        yield from _new_tiers(before, after)
        for phase in after.followed.phases[len(before.followed.phases) :]:
            number = after.followed.phases.index(phase) + 1
            yield Alert("due", said(say("phase_over", number=number)))


def _new_tiers(before: PolarisViewModel, after: PolarisViewModel) -> Iterator[Alert]:
    """Changes of a card's points for somebody, if it were scored now."""
    if before.sky == after.sky:
        return
    old = {one.phase: one.scores for one in before.cards}
    for card in after.cards:
        for seat, score in enumerate(card.scores):
            if card.phase in old and old[card.phase][seat].tier != score.tier:
                name = player_names(after.document)[seat]
                points = say("new_tier", name=name, card=card.card.name, n=score.tier)
                yield Alert("objective", said(points))
