"""Via Nebula's implementation of `GamePages`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from calibration import Profile, ProfileError, load_profile
from calibration.cards import Card
from calibration.via_nebula.cards import picture
from scorer.via_nebula.board import BUILDING, CRAFTSMAN, SITE, TILE, VALLEY, half_named
from scorer.via_nebula.edition import COLOURS, FOG, FOREST, MEADOW, RESOURCES, RUIN, SIDES, STANDARD
from scorer.via_nebula.game import VIA_NEBULA
from webapp.app.game_pages import BoardLook, Document, FileParts, GamePages, Guide, Link
from webapp.app.session.game_document import PROFILE
from webapp.games.via_nebula import printed_cards

BEGINNERS_BOARD = "starter"
"""The profile of the beginners' side."""
RIMS = {MEADOW: "meadow", FOG: "fog", FOREST: "forest", RUIN: "ruins"}
SIGNS = {CRAFTSMAN: "♟", SITE: "×", BUILDING: "⌂"}
LETTERS = {f"{what}_{colour}": sign for what, sign in SIGNS.items() for colour in COLOURS}
LETTERS |= {TILE: ""} | {id: f"×{own.shows}" for id, own in STANDARD.tokens.items()}
"""The letters of single pieces on a page; for tokens their resources in a game of four."""
KINDS = dict.fromkeys(RESOURCES) | {id: own.resource for id, own in STANDARD.tokens.items()}
PICTURES: Mapping[str, Link] = {
    id: ("via_nebula_assets.card_picture", {"card": kind or id}) for id, kind in KINDS.items()
}
"""The pictures of resources, also of those that a token brings."""
CARDS = {"tokens": "token_points", "contracts": "contract_points"}
"""What a player has face down, and the points that may be entered instead."""


def side_of(document: Document) -> str:
    name = document.get(PROFILE)
    return _named_side(name) if name else SIDES[0]


@lru_cache(maxsize=32)
def _named_side(name: str) -> str:
    try:
        return _printed_side(load_profile(name))
    except ProfileError:  # it no longer exists
        return SIDES[0]


def _printed_side(profile: Profile) -> str:
    topology = profile.layout.topology
    side = topology.get("side") if isinstance(topology, Mapping) else None
    return side if side in SIDES else SIDES[0]


class ViaNebulaPages(GamePages):
    """A shared valley, and a guild board for each player."""

    def look(self, profile: Profile) -> BoardLook:
        """Each hexagon has its terrain's colour, explored ones a meadow's; its name is above."""
        if profile.layout.kind != VALLEY.kind:
            return BoardLook(letters=LETTERS, pictures=PICTURES)
        terrain = STANDARD.valleys[_printed_side(profile)].terrain
        rims = {one.id: RIMS[terrain[half_named(one.id)[0]]] for one in profile.places}
        signs = []
        for place, shape in profile.places.items():
            hexagon, number = half_named(place.id)
            if not number:
                x, y = min(shape.outline, key=lambda point: point[1])
                aside = 5.0 if terrain[hexagon] == RUIN else 0.0
                at = round(x + aside, 1), round(y + 6.0, 1)
                signs.append(Guide(shape.at, None, (), hexagon, at))
        covers = {TILE: RIMS[MEADOW]}
        return BoardLook(signs, rims=rims, letters=LETTERS, pictures=PICTURES, covers=covers)

    def picture(self, term: str = "") -> Link | None:
        if picture(term) is None:
            return super().picture(term)
        return "via_nebula_assets.card_picture", {"card": term}

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        return printed_cards.every(language)

    def game_data(self, document: Document) -> dict[str, Any]:
        """The markers as colours, and the side of the board in play."""
        data = super().game_data(document)
        players = [
            {**own, "colour": player["marker"]}
            for own, player in zip(data["players"], document["players"], strict=True)
        ]
        return {**data, "side": side_of(document), "players": players}

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        """Points that are given instead of cards leave nothing to ask."""
        read = self.game.game_from_data(data, self.game.standard_board)
        players, missing = [], []
        for seat, own in enumerate(read.seats):
            players.append({key: kept for key, kept in own.answers.items() if key != "colour"})
            missing += [
                f"{question}-{seat}"
                for question in (*CARDS, "end_card")
                if not {question, CARDS.get(question)} & own.answers.keys()
            ]
        return FileParts(
            "",
            players,
            {
                **{key: data[key] for key in ("edition", "collected") if key in data},
                **({PROFILE: BEGINNERS_BOARD} if data.get("side") == SIDES[1] else {}),
            },
            [{} if one.lies is None else self.game.position_data(one.lies) for one in read.boards],
            missing,
        )


PAGES = ViaNebulaPages(VIA_NEBULA)
