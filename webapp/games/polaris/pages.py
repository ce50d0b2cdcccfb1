"""Polaris' implementation of `GamePages`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from calibration import Profile
from calibration.cards import Card
from scorer.game import Option, Question
from scorer.polaris.board import SkyBoard
from scorer.polaris.card import COMMON, PERSONAL
from scorer.polaris.contract import END, POLARIS_GAME
from scorer.polaris.game import PHASES, Game, Phase, Player
from scorer.polaris.score import SHOOTING_STARS
from scorer.polaris.words import COLOURS
from webapp.app.game_pages import (
    BoardLook,
    Deck,
    Document,
    Field,
    FileParts,
    GamePages,
    GameSteps,
    Link,
    Mode,
)
from webapp.app.session.game_document import with_answers
from webapp.games.polaris import document, printed_cards
from webapp.games.polaris.moons import guides


class PolarisPages(GamePages):
    """One shared sky, seen once in each scoring phase; the fifth is the end."""

    modes = MappingProxyType(
        {
            document.EVERY_PHASE: Mode(document.OF_PHASES, {"cards"}),
            document.ONLY_THE_END: Mode((END,), {"stock"}),
        }
    )

    # steps

    def steps(self, kept: Document) -> GameSteps:
        """Cards by the moons, a secret card each, unknown telescopes, what is left over."""
        if not self._counts_phases(kept):
            return GameSteps((), ["personal"], ["stock"])
        if document.telescopes_missing(kept):
            return GameSteps(["cards"], ["personal"], ["telescopes", "stock"])
        return GameSteps(["cards"], ["personal"], ["stock"], ["telescopes"])

    def decks(self, kept: Document) -> Sequence[Deck]:
        """The common cards, in the order in which they are scored."""
        words, cards, numbers = self.words, [*COMMON.values()], [str(n + 1) for n in range(PHASES)]
        hint = words.say("phases_hint")
        return [Deck("common", words.say("phases"), cards, numbers, kept["cards"], hint)]

    def fields(self, step: str, kept: Document) -> Sequence[Field]:
        """Who had the telescope in each phase; what each player has left over."""
        if step == "telescopes":
            return [self._holder(kept, phase) for phase in range(PHASES)]
        stars = Question("shooting", self.words.say("step_stock"), "number", most=SHOOTING_STARS)
        marker = Question("score_marker", self.words.say("marker_stands"), "number", most=200)
        asked = [stars] if self._counts_phases(kept) else [marker, stars]
        return [
            Field(f"{one.id}-{seat}", one, own[one.id], seat)
            for seat, own in enumerate(kept["players"])
            for one in asked
        ]

    def _holder(self, kept: Document, phase: int) -> Field:
        title = self.words.moment(str(phase + 1))
        for card in kept["cards"][phase : phase + 1]:
            title = self.words.say("line_phase", phase=phase + 1, card=COMMON[card].name)
        seats = (Option(str(seat), own["name"]) for seat, own in enumerate(kept["players"]))
        asked = Question(f"phases[{phase}].telescope", title, "one", tuple(seats), 1)
        return Field(f"telescope-{phase}", asked, document.telescope(kept, phase))

    def with_answers(self, step: str, kept: Document, answers: Mapping[str, Any]) -> Document:
        if not answers:
            return kept
        if step == "cards":
            return {**kept, "cards": answers["common"]}
        if step == "telescopes":
            return {**kept, "telescopes": [int(seat) for seat in answers.values()]}
        keys = "shooting", "score_marker"
        seats = range(len(kept["players"]))
        left = [{key: answers.get(f"{key}-{seat}") for key in keys} for seat in seats]
        return with_answers(kept, left)

    def _counts_phases(self, kept: Document) -> bool:
        return bool(kept["mode"] == document.EVERY_PHASE)

    # the document

    def blank(self, mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Nothing is known yet: no cards, no counts."""
        begun, _seat = super().blank(mode)
        answers = {"edition": "standard", "cards": [], "telescopes": [None] * PHASES}
        seat = {"personal": None, "shooting": None, "score_marker": None}
        return {**begun, "mode": mode or document.EVERY_PHASE, **answers}, seat

    def game_data(self, kept: Document) -> dict[str, Any]:
        return document.game_data(kept)

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        return document.file_parts(data)

    def game_so_far(self, kept: Document, board: int) -> Game:
        """The players with known personal cards, and the card that the sky is for."""
        players = tuple(
            Player(own["name"], own["marker"], personal=own["personal"]) for own in kept["players"]
        )
        cards = kept["cards"][board : board + 1] if self._counts_phases(kept) else ()
        return Game(players, phases=tuple(Phase(card, players[0].name) for card in cards))

    # how things look and are called

    def picture(self, term: str = "polaris") -> Link | None:
        """A sky, or a card's picture."""
        known = term == "polaris" or term in COMMON or term in PERSONAL
        return ("polaris_assets.card_picture", {"card": term}) if known else None

    def look(self, profile: Profile) -> BoardLook:
        """Orbits and the sectors' numbers; red, white and ★ spaces."""
        board = profile.board
        assert isinstance(board, SkyBoard)
        return BoardLook(
            guides(profile),
            {
                **dict.fromkeys(board.red, "red"),
                **dict.fromkeys(board.white, "white"),
                **dict.fromkeys(board.starred, "starred"),
            },
            hidden={"horizontal", "vertical"},
            shapes=frozenset(COLOURS),
            margin=21.0,
        )

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        """Every action card, then the objectives."""
        return printed_cards.every(language)


PAGES = PolarisPages(POLARIS_GAME)
