"""Polaris' implementation of the contract `scorer.game.Game`."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from scorer import game as contract
from scorer.flags import Flag, RuleBreak
from scorer.game import Option, Question
from scorer.objective import CardResult, Objective
from scorer.places import Place
from scorer.polaris.board import STANDARD_SKY, SkyBoard
from scorer.polaris.card import COMMON, PERSONAL, CommonCard, PersonalCard
from scorer.polaris.constellations import PlayerStars
from scorer.polaris.game import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PHASES,
    Game,
    Snapshot,
    sky_data,
    sky_from_data,
)
from scorer.polaris.order import inconsistencies
from scorer.polaris.printed import printed_data, read_printed
from scorer.polaris.prior import log_prior
from scorer.polaris.score import SHOOTING_STARS, score_game
from scorer.polaris.score_delta import score_delta
from scorer.polaris.sky import LINKS, PLAYERS_WITH_NEUTRAL_STARS, STARS_OF_A_PLAYER, Sky
from scorer.polaris.words import COLOURS, NEUTRAL, POLARIS, WORDS, say
from scorer.table import BoardKind, Piece, Pieces, Table

LINK, NEW_MOON = "link", "new_moon"
END = "end"
MOMENTS = (*map(str, range(1, PHASES + 1)), END)
"""The scoring phases and the end; the fifth phase is the end, so either will do."""
SWATCHES = {
    "red": "#cf1f2e",
    "yellow": "#f6c90e",
    "blue": "#1b66c9",
    "purple": "#7b3fae",
    "white": "#f3f1ea",
    "orange": "#ef7a1a",
    NEUTRAL: "#8d939e",
    LINK: "#d5d8dd",
    NEW_MOON: "#17171b",
}
"""The colours in which pieces are drawn."""


class Polaris(contract.Game[SkyBoard, Sky, Game]):
    """Stars and links on one shared night sky; the New Moon's place is the sector that it faces.

    >>> lying = {Place("1a1"): "red", Place("1a1-1a2", "edge"): "link"}
    >>> lying |= {Place("4", "dial"): "new_moon"}
    >>> sky = POLARIS_GAME.position(STANDARD_SKY, lying)
    >>> POLARIS_GAME.position_data(sky)
    {'stars': {'1a1': 'red'}, 'links': [['1a1', '1a2']], 'new_moon': 4, 'neutral': []}
    >>> POLARIS_GAME.admits(Place("1a1-1a2", "edge")), POLARIS_GAME.admits(Place("polaris"))
    (('link',), ())
    >>> table = {"players": [{"colour": "red"}, {"colour": "blue"}, {"colour": "white"}]}
    >>> list(POLARIS_GAME.piece_roles(table))
    ['red', 'blue', 'white', 'link', 'new_moon']
    """

    id = "polaris"
    pieces = (
        *(Piece(colour, SWATCHES[colour], STARS_OF_A_PLAYER, owner=colour) for colour in COLOURS),
        Piece(
            NEUTRAL,
            SWATCHES[NEUTRAL],
            STARS_OF_A_PLAYER,
            stands_in=PLAYERS_WITH_NEUTRAL_STARS,
        ),
        Piece(LINK, SWATCHES[LINK], LINKS, frozenset({"edge"})),
        Piece(NEW_MOON, SWATCHES[NEW_MOON], 1, frozenset({"dial"}), dial="sector"),
    )
    table = Table(
        (BoardKind(STANDARD_SKY, "all"),),
        FEWEST_PLAYERS,
        MOST_PLAYERS,
        snapshots=MOMENTS,
        pieces_stay=True,
        same=MappingProxyType({MOMENTS[PHASES - 1]: END}),
    )

    read_printed = staticmethod(read_printed)
    printed_data = staticmethod(printed_data)

    turns = contract.imported("scorer.polaris.steps:STEPS")
    advisor = contract.imported("scorer.polaris.advice:ADVISOR")

    def admits(self, place: Place) -> tuple[str, ...]:
        """Stars on star spaces, links on link spaces; nothing on Polaris (P3)."""
        return () if place == Place(POLARIS) else super().admits(place)

    def spoken_place(self, board: SkyBoard, place: str, language: str = "en") -> str:
        """Such as "a space of sector 3, orbit 2", as nothing else is printed there."""
        if place in board.link_spaces:
            key, sectors, orbit = "link_of", board.sectors_of_link(place), 0
        elif place in board.star_spaces:
            key, sectors = "space_of", board.sectors_of(place)
            orbit = board.orbit_of(place) or 0
        else:
            return self.place_name(board, place, language)
        if len(sectors) == 1:
            return say(key, sector=min(sectors), orbit=orbit).in_language(language)
        between = tuple(map(str, sorted(sectors)))
        return say(f"{key}_border", sectors=between, orbit=orbit).in_language(language)

    # positions

    def position(self, board: SkyBoard, pieces: Pieces) -> Sky:
        """Stars on spots, links on edges, the New Moon on a sector; otherwise ValueError."""
        for place, piece in pieces.items():
            if place.kind not in _KINDS.get(piece, {"spot"}):
                raise ValueError(f"no {WORDS.word(piece)} can lie on {place}")
        stars = {place.id: piece for place, piece in pieces.items() if place.kind == "spot"}
        links = tuple(place.id for place in pieces if place.kind == "edge")
        sectors = [int(place.id) for place in pieces if place.kind == "dial"]
        if len(sectors) > 1:
            raise ValueError(f"the New Moon faces one sector, not {len(sectors)}")
        return Sky(stars, links, sectors[0] if sectors else None, board)

    def pieces_of(self, position: Sky) -> dict[Place, str]:
        """Stars, links, and the New Moon if its sector is known."""
        pieces = {Place(space): star for space, star in position.stars.items()}
        pieces |= {Place(link, "edge"): LINK for link in position.links}
        if position.new_moon is not None:
            pieces[Place(str(position.new_moon), "dial")] = NEW_MOON
        return pieces

    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        """`stars`, `links`, `neutral` and `new_moon`, which is None if unknown."""
        stars = {place.id: piece for place, piece in pieces.items() if place.kind == "spot"}
        links = [place.id for place in pieces if place.kind == "edge"]
        sectors = (int(place.id) for place in pieces if place.kind == "dial")
        written = sky_data(stars, links, next(sectors, None))
        return {**written, "neutral": written.get("neutral", []), NEW_MOON: written.get(NEW_MOON)}

    def position_from_data(self, board: SkyBoard, data: Mapping[str, Any]) -> Sky:
        """The sky in `stars`, `links`, `neutral` and `new_moon`."""
        return sky_from_data(data, board)

    def rule_breaks(self, position: Sky, game: Game | None = None) -> tuple[RuleBreak, ...]:
        """The rules that the sky breaks; which colours play depends on the game (P14)."""
        if game is None:
            return position.rule_breaks()
        return game.as_played(position).rule_breaks(tuple(game.colours.values()))

    def inconsistencies(
        self, earlier: Sky, later: Sky, apart: int
    ) -> Sequence[contract.Inconsistency]:
        return tuple(inconsistencies(earlier, later, apart))

    log_prior = staticmethod(log_prior)
    score_delta = staticmethod(score_delta)

    # a game file

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """Colours, cards, and who held the telescope: one of the players in `data`.

        >>> [question.id for question in POLARIS_GAME.questions({})][:3]
        ['colour', 'phases[0].card', 'phases[0].telescope']
        """
        return tuple(_questions(data))

    score = staticmethod(score_game)

    game_from_data = contract.imported("scorer.polaris.game_file:game_from_data")

    def game_data(self, game: Game) -> dict[str, Any]:
        return game.to_data()

    def positions(self, game: Game) -> Mapping[contract.WantedPhoto, Sky | None]:
        """The skies of the phases, the fifth being the end."""
        found = {moment: Snapshot() for moment in MOMENTS[: PHASES - 1]}
        found |= {str(n): phase.snapshot for n, phase in enumerate(game.phases, start=1)}
        if game.end.known or len(game.phases) < PHASES:
            found[END] = game.end
        return {
            contract.WantedPhoto("", snapshot.photo or "", moment): snapshot.sky
            for moment, snapshot in found.items()
        }

    def with_position(
        self, game: Game, wanted: contract.WantedPhoto, position: Sky, flags: Sequence[Flag] = ()
    ) -> Game:
        phase = None if wanted.snapshot == END else MOMENTS.index(wanted.snapshot)
        return game.with_sky(position, phase, tuple(flags))

    def objectives(self, game: Game, player: int) -> tuple[Objective, ...]:
        """The common objectives of the phases given, and the player's personal one."""
        common = tuple(game.edition.common[phase.card] for phase in game.phases)
        personal = game.players[player].personal
        return (*common, game.edition.personal[personal]) if personal else common

    def check(
        self, game: Game, objective: Objective, positions: Sequence[Sky], player: int
    ) -> CardResult:
        assert isinstance(objective, CommonCard | PersonalCard)
        (sky,) = positions
        closed = sky.closed_to(len(game.players))
        return objective.check(PlayerStars(sky, game.players[player].colour, closed))


def _questions(data: Mapping[str, Any]) -> Iterator[Question]:
    colours = tuple(Option(colour, WORDS.say("colour", colour=colour)) for colour in COLOURS)
    yield Question("colour", say("ask_colour"), "one", colours, of_each_player=True)
    names = [player.get("name", "") for player in data.get("players", ())]
    for place in range(PHASES):
        key, phase = f"phases[{place}]", place + 1
        cards = tuple(Option(card.id, card.name) for card in COMMON.values())
        yield Question(f"{key}.card", say("ask_card", phase=phase), "one", cards)
        players = tuple(Option(name, name) for name in names)
        yield Question(f"{key}.telescope", say("ask_telescope", phase=phase), "one", players)
    personal = tuple(Option(card.id, card.name) for card in PERSONAL.values())
    text = say("ask_personal")
    yield Question("personal", text, "one", personal, of_each_player=True, secret=True)
    text = say("ask_shooting")
    yield Question("shooting", text, "number", most=SHOOTING_STARS, of_each_player=True)


_KINDS = {piece.id: piece.lies_on for piece in Polaris.pieces}
POLARIS_GAME = Polaris()
