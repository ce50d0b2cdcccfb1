"""Nebula's implementation of `LiveGame`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calibration import Profile
from scorer.nebula.card import CARDS
from scorer.nebula.edition import load_edition
from scorer.nebula.values_board import TRACKS
from webapp.app.game_pages import Document
from webapp.app.live.entry import Entry
from webapp.app.live.reducer import BoardChange, LiveTable, Rules
from webapp.app.live.view_model import Alert, TableViewModel
from webapp.app.live_game import Ask, LiveGame
from webapp.app.session.game_document import confirm, player_names, without_confirmed
from webapp.games.nebula.document import with_markers
from webapp.games.nebula.live import state
from webapp.games.nebula.live.view_model import NebulaViewModel
from webapp.games.nebula.words import phrase, reasons, value_token


class LiveNebula(LiveGame):
    """Who completes a career card first, the Values board, the black indicator, the game's end."""

    def rules(self, document: Document, profile: Profile) -> Rules:
        """The mode, the career cards and the edition, as printed on the profile's board."""
        players, full = len(document["players"]), document["mode"] == "full"
        career, edition = tuple(document["career"]), document["edition"]
        facts = json.dumps([full, career, edition])
        known = load_edition(edition).printed_on(profile.board)
        own = state.NebulaRules(players, full, career, known)
        return Rules(players, facts, profile, self, own)

    def initial_state(self, rules: Rules) -> state.NebulaState:
        """Without markers or moved tokens."""
        return state.initial_state(rules.own)

    def after_change(self, rules: Rules, own: Any, change: BoardChange) -> state.NebulaState:
        """Career cards may be completed or no longer; black stars move the indicator."""
        return state.with_stars(rules.own, own, change)

    def after_entry(self, rules: Rules, own: Any, entry: Entry) -> state.NebulaState:
        """Markers, value tokens, the indicator and the bag."""
        return state.with_entry(rules.own, own, entry)

    def asks(self, view: TableViewModel) -> Sequence[Ask]:
        """Markers to place, the newest black star's demand, cards to choose, the end."""
        assert isinstance(view, NebulaViewModel)
        due = view.state.due
        return [
            *(Ask("nebula/live/_claim.html", claim) for claim in view.state.to_claim),
            *([] if due is None else [Ask("nebula/live/_due.html", due)]),
            *([] if view.document["career"] else [Ask("nebula/live/_no_cards.html")]),
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
                yield Alert("ending", phrase("ends", why=reasons((ending,))))
        asked = {due.entry for due in before.state.dues}
        for due in after.state.dues:
            if due.entry not in asked:
                yield Alert("due", phrase("indicator_moves", square=due.square))
