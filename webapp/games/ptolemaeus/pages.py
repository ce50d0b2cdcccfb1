"""Ptolemaeus' implementation of `GamePages`."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from calibration import Profile
from calibration.cards import Card
from calibration.ptolemaeus.cards import GAME, picture
from scorer.places import Place, Wedge
from scorer.plain import PHOTO
from scorer.ptolemaeus.edition import COMET, EDITIONS, NOBODY, PLAYERS, STANDARD, ZODIAC
from scorer.ptolemaeus.game import PTOLEMAEUS
from webapp.app.game_pages import BoardLook, Document, FileParts, GamePages, GameSteps, Guide, Link
from webapp.app.session.board_slots import owners
from webapp.app.session.flow import LIVE
from webapp.games.ptolemaeus import printed_cards

DATE = "date"
SHARED_KEYS = ("edition", DATE)
CLAIMED = "claimed"
EVENT = "event"
"""The kind of entry with the open event `card`."""
FIRST_SIGN, AS_TEXT = 0x2648, "\ufe0e"
"""The zodiac's signs in Unicode, from Aries; the selector prevents coloured emoji."""
SIGNS = {"asteroid": "•", "start": f"⚑{AS_TEXT}", COMET: f"☄{AS_TEXT}"}
"""What is no planet has a sign instead of letters."""
RIM_MM, ASIDE = 18.0, 9.0
"""How far a sign is from the outer rim of its constellation, where its name has room, and the
degrees from the middle, where pieces lie."""


class PtolemaeusPages(GamePages):
    """One shared zodiac; a player's marker is the colour of their pieces."""

    def steps(self, document: Document) -> GameSteps:
        """Two questions for each player, and at the end who claimed the game.

        Only a game that is followed live needs the start date.
        """
        date, players = (DATE,), super().steps(document).players
        start, others = (date, ()) if document.get(LIVE) else ((), date)
        return GameSteps((), players, (CLAIMED,), others, start)

    def look(self, profile: Profile) -> BoardLook:
        """Pieces have a shape each; constellations have their colour, and a sign at the rim."""
        signs = []
        for number, name in enumerate(ZODIAC):
            shape = profile.places[Place(name, "region")]
            if isinstance(shape, Wedge):
                turn = math.radians((shape.start + shape.end) / 2 + ASIDE)
                far = shape.radii[1] - RIM_MM
                at = (
                    shape.centre[0] + far * math.sin(turn),
                    shape.centre[1] - far * math.cos(turn),
                )
                text = chr(FIRST_SIGN + number) + AS_TEXT
                signs.append(
                    Guide(shape.centre, None, (), text, (round(at[0], 1), round(at[1], 1)))
                )
        rims = {name: f"of-{STANDARD.colour(name)}" for name in ZODIAC}
        return BoardLook(signs, rims, shapes=frozenset(PLAYERS), letters=SIGNS)

    def picture(self, term: str = GAME) -> Link | None:
        """Planets, or a card's picture."""
        known = picture(term) is not None
        return ("ptolemaeus_assets.card_picture", {"card": term}) if known else None

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        return printed_cards.every(language)

    def game_data(self, document: Document) -> dict[str, Any]:
        """The board, and markers as colours; only a player can have claimed the game."""
        (board,) = owners(document)
        names = [player["name"] for player in document["players"]]
        on_board = [PHOTO] if PHOTO in board else [*self.game.pieces_data({})]
        players = [
            {
                "name": player["name"],
                "colour": player["marker"],
                **{key: player[key] for key in ("secret", "nova") if player.get(key) is not None},
            }
            for player in document["players"]
        ]
        claimed = {CLAIMED: document[CLAIMED]} if document.get(CLAIMED) in names else {}
        return {
            **{key: document[key] for key in ("format", "game")},
            **{key: document[key] for key in SHARED_KEYS if key in document},
            **claimed,
            "players": players,
            **{key: board[key] for key in on_board},
        }

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        """A file without a claim was ended by the comet."""
        read = self.game.game_from_data(data, self.game.standard_board)
        lies = read.boards[0].lies
        edition = EDITIONS.load(data.get("edition", "standard"))
        cards = {frozenset(planets): id for id, planets in edition.secrets.items()}
        players = []
        for seat in read.seats:
            secret = seat.answers.get("secret")
            if isinstance(secret, list):  # the three planets of a card
                secret = cards.get(frozenset(secret))
            answers = {"secret": secret, "nova": seat.answers.get("nova")}
            players.append({key: value for key, value in answers.items() if value is not None})
        table = {key: data[key] for key in SHARED_KEYS if key in data}
        return FileParts(
            "",
            players,
            {**table, CLAIMED: data.get(CLAIMED, NOBODY)},
            [{} if lies is None else self.game.position_data(lies)],
        )


PAGES = PtolemaeusPages(PTOLEMAEUS)
