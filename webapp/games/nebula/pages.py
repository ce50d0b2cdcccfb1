"""Nebula's answers to what the pages ask of a game."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from flask_babel import gettext as _
from flask_babel import ngettext

from calibration import Profile
from scorer.nebula import BLACK, CARDS, COLOURS, WORDS
from scorer.nebula.contract import NEBULA
from scorer.scoresheet import Line
from webapp.app.boards.drawn_pieces import DrawnPieces
from webapp.app.game_pages import Document, GamePages, Guide, Link
from webapp.app.layout_parts import LayoutPart
from webapp.app.session.flow import Step
from webapp.games.nebula import cards, document, layout_parts
from webapp.games.nebula.guide.game import GuidedNebula
from webapp.games.nebula.live.game import LiveNebula
from webapp.games.nebula.orbits import orbits

TERMS = {
    "personal": "personal_card",
    "career": "career_card",
    "black": "black_star",
    "constellation": "constellation",
    "colour": "colour_points",
    "advanced": "advanced_card",
}
"""The word of the glossary for each category of the score."""
STEP_PAGES = {
    "cards": ("table.cards_on_table",),
    "values": ("table.values", "nebula_live.value", "nebula_live.indicator"),
    "personal": ("personal.choose",),
    "markers": ("table.markers",),
}


class NebulaPages(GamePages):
    """Cards that are chosen by their pictures, in the order in which they lie on the table."""

    blueprints = (
        "webapp.games.nebula.views:table",
        "webapp.games.nebula.views:personal",
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

    def step_title(self, step: str, document: Document, language: str) -> str:
        """At the head of its page."""
        return {
            "cards": _("Cards on the table"),
            "values": _("Values board"),
            "personal": _("Personal card"),
            "markers": _("Career markers"),
        }[step]

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

    def track_words(self, track: str, count: int, language: str) -> Mapping[str, str]:
        """Black stars."""
        return {
            "name": _("Black stars"),
            "doubtful": _("Black stars: count them"),
            "less": _("One black star less"),
            "more": _("One black star more"),
            "right": _("%(count)s black stars is right", count=count),
        }

    @property
    def picture(self) -> Link:
        """A galaxy."""
        return "static", {"filename": "galaxy.svg"}

    def format_lying(self, lying: DrawnPieces, language: str) -> str:
        """Stars, and the black ones apart."""
        stars = ngettext("%(num)d star", "%(num)d stars", len(lying.stars))
        return stars + ", " + _("%(count)s black", count=lying.counts.get(BLACK, 0))

    def mode_title(self, mode: str) -> str:
        """The two modes."""
        return _("Full") if mode == "full" else _("Introductory")

    def welcome(self) -> str:
        """At the first game."""
        return _(
            "Photograph the Galaxy boards at the end of your game of Nebula. Stargazer counts every"
            " star and every card, and shows where the points come from."
        )

    def corrections(self, document: Document, player: int) -> Mapping[Step, str]:
        """To the personal card, and to the markers."""
        return {
            Step("personal", player): _("Change the personal card"),
            Step("markers"): _("Change the markers"),
        }

    def notice(self, kind: str) -> str:
        """Of the black-star track."""
        texts = {
            "black_gap": _("There is a gap between the black stars on the track."),
            "colour_on_track": _("A coloured star lies on the black-star track."),
        }
        return texts.get(kind, super().notice(kind))

    def category_title(self, category: str, language: str) -> str:
        """What a part of the score sheet is called."""
        return {
            "personal": _("Personal card"),
            "career": _("Career cards"),
            "black": _("Black stars"),
            "constellation": _("Constellations"),
            "colour": _("Star colours"),
            "advanced": _("Advanced cards"),
        }[category]

    def line_title(self, line: Line, language: str) -> str:
        """A line's card by its name, its colour or its constellation."""
        card = line.subject.get("card")
        if card:
            return cards.find(str(card)).name.in_language(language)
        word = line.subject.get("colour") or line.subject.get("constellation")
        return WORDS.word(str(word), language) if word else _("Black-star track")

    def term_picture(self, term: str) -> Link | None:
        """A card's picture."""
        return ("table.card_picture", {"card": term}) if term in CARDS else None

    def term_of(self, category: str) -> str:
        """The word for a category of lines."""
        return TERMS[category]

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
