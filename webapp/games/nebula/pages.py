"""Nebula's implementation of `GamePages`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import dist
from statistics import fmean, pstdev
from types import MappingProxyType
from typing import Any

from flask_babel import gettext as _

from calibration import Profile
from calibration.cards import Card
from scorer.game import Option, Question
from scorer.nebula.card import CARDS, of_deck
from scorer.nebula.contract import NEBULA
from scorer.nebula.edition import load_edition
from scorer.nebula.game import SLOTS
from scorer.nebula.result import CARDS_ON_TABLE
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import BLACK, COLOURS
from webapp.app.game_pages import (
    AnswersError,
    BoardLook,
    Deck,
    Document,
    Field,
    FileParts,
    GamePages,
    GameSteps,
    Guide,
    Link,
    Mode,
)
from webapp.games.nebula import card_pictures, proposals
from webapp.games.nebula.document import with_cards, with_markers, without_markers
from webapp.games.nebula.words import token_name
from webapp.web.context import current_profile

ROUND_ENOUGH_MM = 2.5
"""The standard deviation of an orbit's radii up to which it is drawn as a circle."""


class NebulaPages(GamePages):
    """Cards are chosen by their pictures, in table order."""

    modes = MappingProxyType({"full": Mode(again={"cards"}), "intro": Mode()})

    def steps(self, document: Document) -> GameSteps:
        """Cards and the Values board, a secret card for each player, and the career markers."""
        values = ["values"] if document["mode"] == "full" else []
        return GameSteps(["cards", *values], ["personal"], ["markers"])

    def decks(self, document: Document) -> Sequence[Deck]:
        """The career cards, and the advanced cards by their slots."""
        numbers, hint = [str(n + 1) for n in range(CARDS_ON_TABLE)], self.words.say("advanced_hint")
        slots = {"career": (numbers, ""), "advanced": (SLOTS, hint)}
        return [
            Deck(deck, self.words.part(deck), [*of_deck(deck).values()], of, document[deck], hint)
            for deck, (of, hint) in slots.items()
            if deck != "advanced" or document["mode"] == "full"
        ]

    def fields(self, step: str, document: Document) -> Sequence[Field]:
        """The order of the tokens on each track of the Values board; each player's markers."""
        if step == "markers":
            return [*self._markers(document)]
        found = []
        for track, order in document["values"].items():
            question, title = self.question(f"values.{track}", document), f"values_{track}"
            options = tuple(replace(one, text=token_name(one.id)) for one in question.options)
            asked = replace(question, text=self.words.say(title), options=options)
            found.append(Field(track, asked, order))
        return found

    def _markers(self, document: Document) -> Iterator[Field]:
        """Each player's marker on each career card, contested cards first."""
        board = current_profile().board
        placed = proposals.markers(document, board)
        shown, cards = proposals.fulfilled(document, board), document["career"]
        contested = [card for card in cards if proposals.is_contested(card, placed)]
        options = (
            Option("", _("No marker")),
            Option("first", _("First")),
            Option("later", _("Later")),
        )
        for card in (*contested, *(card for card in cards if card not in contested)):
            hint = _("Who was first?") if card in contested else ""
            for seat, own in enumerate(placed):
                asked, met = Question(card, "", "one", options), card in shown[seat]
                answer = own.get(card, "")
                yield Field(f"{card}-{seat}", asked, answer, seat, CARDS[card], met, hint)

    def with_answers(self, step: str, document: Document, answers: Mapping[str, Any]) -> Document:
        """On each career card exactly one player is first, if there are any markers."""
        if not answers:
            return without_markers(document) if step == "markers" else document
        if step == "cards":
            return with_cards(document, **answers)
        if step == "values":
            return {**document, "values": answers}
        problems, seats = {}, range(len(document["players"]))
        for card in document["career"]:
            placed = [answers[f"{card}-{seat}"] for seat in seats]
            if placed.count("first") > 1:
                problems[f"{card}-0"] = _("Only one player can be first.")
            elif "later" in placed and "first" not in placed:
                problems[f"{card}-0"] = _("Say who was first.")
        if problems:
            raise AnswersError(problems)
        markers = [
            {card: at for card in document["career"] if (at := answers[f"{card}-{seat}"])}
            for seat in seats
        ]
        return with_markers(document, markers)

    def blank(self, mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """No stars and no cards on the table yet."""
        begun, seat = super().blank(mode)
        values: dict[str, list[str]] = {track: [] for track in TRACKS}
        cards = {"edition": "standard", "career": [], "advanced": [], "values": values}
        return {**begun, "mode": mode, **cards}, {**seat, "personal": None}

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        """If no player has markers they were left out, so that fulfilled cards are proposed."""
        players = data["players"]
        answered = {
            "cards": data.get("career"),
            "values": "values" in data,
            "markers": any("career" in player for player in players),
            **{f"personal-{seat}": own.get("personal") for seat, own in enumerate(players)},
        }
        left = [step for step, answer in answered.items() if not answer]
        return replace(super().file_parts(data), unanswered=left)

    def game_data(self, kept: Document) -> dict[str, Any]:
        """Only the keys of the mode; no stars beside a photograph to read them from."""
        data, only_full = super().game_data(kept), {"advanced", "values"}
        for player in data["players"]:
            for key in ("stars", "black") if "photo" in player else ():
                player.pop(key, None)
            if "career" in player:
                player["career"] = {**player["career"]}  # TypeError unless they are a mapping
        is_full = kept["mode"] == "full"
        return {key: own for key, own in data.items() if is_full or key not in only_full}

    def picture(self, term: str = "") -> Link | None:
        """A galaxy, or a card's picture."""
        if not term:
            return "nebula_assets.static", {"filename": "galaxy.svg"}
        return ("nebula_assets.card_picture", {"card": term}) if term in CARDS else None

    def look(self, profile: Profile) -> BoardLook:
        """Orbits with their numbers, constellation signs, the points of the black-star track."""
        board = profile.board
        return BoardLook(
            orbits(profile),
            dict.fromkeys(board.highlighted, "highlighted"),
            {space: f"sign-{name}" for name, own in board.regions.items() for space in own},
            {BLACK: [str(points) for points in board.track.points]},
            hidden={"orbital"},
            shapes=frozenset({*COLOURS, BLACK}),
        )

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        """Every objective with its pattern; its points if they are fixed."""
        edition = load_edition("standard").printed_on(profile.board)
        printed = []
        for card in edition.cards.values():
            texts, deck = [card.rule], self.game.words.say(f"deck_{card.deck}")
            if card.deck == "career":
                first, later = edition.career_points(card.id)
                texts.append(self.game.words.say("card_points", first=first, later=later))
            elif card.deck == "personal":
                texts.append(self.game.words.say("card_worth", points=edition.personal))
            picture, edge = card_pictures.draw(card, profile), card_pictures.EDGES[card.deck]
            named = card.id, card.id, card.name
            printed.append(Card.translated(language, *named, texts, deck, picture, edge))
        return printed


PAGES = NebulaPages(NEBULA)


def orbits(profile: Profile) -> tuple[Guide, ...]:
    """The orbits of a profile's board: circles, or lines if they are not round."""
    core = profile.spaces[profile.board.core].at
    return tuple(
        _orbit(str(number), core, tuple(profile.spaces[name].at for name in names))
        for number, names in profile.board.orbits.items()
    )


def _orbit(
    number: str, core: tuple[float, float], centres: tuple[tuple[float, float], ...]
) -> Guide:
    radii = [dist(core, centre) for centre in centres]
    if pstdev(radii) <= ROUND_ENOUGH_MM:
        radius = round(fmean(radii), 2)
        return Guide(core, radius, (), number, (core[0], core[1] + radius))
    lowest = max(centres, key=lambda centre: centre[1])
    return Guide(core, None, centres, number, lowest)
