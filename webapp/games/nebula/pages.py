"""Nebula's answers to what the pages ask of a game."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from calibration import Profile
from scorer.nebula import BLACK, CARDS, COLOURS
from scorer.nebula.contract import NEBULA
from webapp.app.game_pages import Document, GamePages, Guide, Link
from webapp.app.layout_parts import LayoutPart
from webapp.games.nebula import document, layout_parts
from webapp.games.nebula.guide.game import GuidedNebula
from webapp.games.nebula.live.game import LiveNebula
from webapp.games.nebula.orbits import orbits

STEP_PAGES = {
    "cards": ("nebula.cards_on_table",),
    "values": ("nebula.values", "nebula_live.value", "nebula_live.indicator"),
    "personal": ("nebula.personal",),
    "markers": ("nebula.markers",),
}


class NebulaPages(GamePages):
    """Cards that are chosen by their pictures, in the order in which they lie on the table."""

    blueprints = (
        "webapp.games.nebula.views:blueprint",
        "webapp.games.nebula.views:assets",
        "webapp.games.nebula.live.views:blueprint",
    )
    modes = ("full", "intro")
    drawn_pieces = frozenset({*COLOURS, BLACK})
    hidden_links = frozenset({"orbital"})
    step_pages = STEP_PAGES

    @cached_property
    def live(self) -> LiveNebula:
        """Cards, the Values board and the end, followed live."""
        return LiveNebula(self)

    @cached_property
    def guided(self) -> GuidedNebula:
        """What may be done now, in every phase."""
        return GuidedNebula(self)

    def table_steps(self, document: Document) -> Sequence[str]:
        """The introductory game has no Values board."""
        return ["cards", "values"] if document["mode"] == "full" else ["cards"]

    def player_steps(self, document: Document) -> Sequence[str]:
        """Each player's secret card."""
        return ["personal"]

    def end_steps(self, document: Document) -> Sequence[str]:
        """Who has markers on which card, once all boards are known."""
        return ["markers"]

    def new_document(self, mode: str) -> dict[str, Any]:
        """Nothing lies on the table yet."""
        return {
            **super().new_document(mode),
            "mode": mode,
            "edition": "standard",
            "career": [],
            "advanced": [],
            "values": {track: [] for track in document.TRACKS},
        }

    def new_seat(self) -> dict[str, Any]:
        """No star, no card."""
        return {**super().new_seat(), "personal": None}

    def with_mode(self, document: Document, mode: str) -> tuple[Document, set[str]]:
        """The full game has cards that the introductory one has not."""
        again = {"cards"} if mode == "full" != document["mode"] else set()
        return {**document, "mode": mode}, again

    def unanswered(self, data: Mapping[str, Any]) -> Collection[str]:
        """Markers that no player has were left out, so that fulfilled cards are proposed."""
        players = data["players"]
        answered = {
            "cards": data.get("career"),
            "values": "values" in data,
            "markers": any("career" in player for player in players),
            **{f"personal-{seat}": own.get("personal") for seat, own in enumerate(players)},
        }
        return [step for step, answer in answered.items() if not answer]

    def game_data(self, kept: Document) -> dict[str, Any]:
        """As Nebula's game files are written."""
        return document.game_data(kept)

    def layout_parts(self) -> Sequence[LayoutPart]:
        """Those of a Galaxy board."""
        return layout_parts.layout_parts()

    def layout_written_out(self, layout: Mapping[str, Any]) -> dict[str, Any]:
        """`standard` becomes its links and regions."""
        return layout_parts.written_out(layout)

    def layout_in_short(self, layout: Mapping[str, Any]) -> dict[str, Any]:
        """And the other way round."""
        return layout_parts.in_short(layout)

    @property
    def picture(self) -> Link:
        """A galaxy."""
        return "static", {"filename": "galaxy.svg"}

    def term_picture(self, term: str) -> Link | None:
        """A card's picture."""
        return ("nebula_assets.card_picture", {"card": term}) if term in CARDS else None

    def guides(self, profile: Profile) -> Sequence[Guide]:
        """The orbits, each with its number at its lowest point."""
        return orbits(profile)

    def highlighted(self, profile: Profile) -> Collection[str]:
        """The highlighted spaces."""
        return frozenset(profile.board.highlighted)

    def slot_labels(self, profile: Profile) -> Mapping[str, Sequence[str]]:
        """The numbers printed on the black-star track."""
        return {BLACK: [str(points) for points in profile.board.track.points]}

    def sign(self, region: str) -> str:
        """The constellation's."""
        return f"sign-{region}"


PAGES = NebulaPages(NEBULA)
