"""Nebula's implementation of the contract `scorer.game.Game`."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from scorer import game as contract
from scorer.flags import Flag, RuleBreak
from scorer.game import Option, Question
from scorer.nebula import result
from scorer.nebula.board import STANDARD_BOARD, GalaxyBoard
from scorer.nebula.card import Card, Deck, of_deck
from scorer.nebula.fulfillable import with_lack
from scorer.nebula.galaxy import STARS_OF_A_COLOUR, Galaxy
from scorer.nebula.game import Game
from scorer.nebula.printed import printed_data, read_printed
from scorer.nebula.result import CARDS_ON_TABLE
from scorer.nebula.score import BLACK_STARS, score_game
from scorer.nebula.values_board import TRACKS
from scorer.nebula.words import BLACK, COLOURS, WORDS, say
from scorer.objective import CardResult, Objective
from scorer.places import Place
from scorer.table import BoardKind, Piece, Pieces, Table

SWATCHES = {
    "red": "#cf1f2e",
    "purple": "#7b3fae",
    "yellow": "#f6c90e",
    "white": "#f3f1ea",
    "blue": "#1b66c9",
    "orange": "#ef7a1a",
    "black": "#17171b",
}
"""The colours in which stars are drawn."""

# Log odds of rule breaks: a star linked to its own colour, one with no star beside it, a black star
# on a space of the galaxy.
BROKEN_LINK, APART, BLACK_IN_GALAXY = -1.5, -2.0, -3.0


class Nebula(contract.Game[GalaxyBoard, Galaxy, Game]):
    """Stars on each player's own Galaxy board: 25 linked spaces and a track for black stars.

    >>> NEBULA.admits(Place("black", "track", 2))
    ('black',)
    >>> position = NEBULA.position(STANDARD_BOARD, {Place("core"): "red", Place("ar1"): "red"})
    >>> [broken.kind for broken in NEBULA.rule_breaks(position)]
    ['same_colour_link']
    """

    id = "nebula"
    pieces = (
        *(Piece(colour, SWATCHES[colour], STARS_OF_A_COLOUR) for colour in COLOURS),
        Piece(BLACK, SWATCHES[BLACK], BLACK_STARS[2], frozenset({"track"})),
    )
    table = Table((BoardKind(STANDARD_BOARD),))

    turns = contract.imported("scorer.nebula.playing:TURNS")
    advisor = contract.imported("scorer.nebula.strategies.advisor:ADVISOR")
    records = contract.imported("scorer.nebula.simulation:RECORDS")

    read_printed = staticmethod(read_printed)
    printed_data = staticmethod(printed_data)

    def place_name(self, board: GalaxyBoard, place: str, language: str = "en") -> str:
        """What players call a place: "Aries 3", "the core".

        Spaces of a constellation are numbered from the core outwards, in board order.
        """
        region = board.constellation_of(place)
        if region is None:
            return say("the_core").in_language(language)
        number = board.constellations[region].index(place) + 1
        return f"{WORDS.word(region, language)} {number}"

    def spoken_place(self, board: GalaxyBoard, place: str, language: str = "en") -> str:
        """Such as "a space of Aries on orbit 3", as no number of its own is printed there."""
        return board.spoken(place).in_language(language) if place in board.spaces else place

    # positions

    def position(self, board: GalaxyBoard, pieces: Pieces) -> Galaxy:
        """Stars on spots, and black stars on the slots of the track."""
        stars = {place.id: piece for place, piece in pieces.items() if place.kind == "spot"}
        slots = {place.slot: piece for place, piece in pieces.items() if place.kind == "track"}
        track = tuple(slots.get(slot) for slot in range(max(slots, default=-1) + 1))
        return Galaxy(stars, track.count(BLACK), board, track)

    def pieces_of(self, position: Galaxy) -> dict[Place, str]:
        """If the slots of the track are unknown, black stars fill it from the left."""
        track = position.track or (BLACK,) * position.black
        pieces = {Place(space): star for space, star in position.stars.items()}
        return pieces | {
            Place(BLACK, "track", slot): star for slot, star in enumerate(track) if star is not None
        }

    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        stars = {place.id: star for place, star in pieces.items() if place.kind == "spot"}
        on_track = [star for place, star in pieces.items() if place.kind == "track"]
        return {"stars": stars, "black": on_track.count(BLACK)}

    def position_from_data(self, board: GalaxyBoard, data: Mapping[str, Any]) -> Galaxy:
        return Galaxy(data.get("stars", {}), data.get("black", 0), board)

    def rule_breaks(self, position: Galaxy, game: Game | None = None) -> tuple[RuleBreak, ...]:
        return position.rule_breaks()

    def log_prior(
        self, board: GalaxyBoard, pieces: Mapping[str, str], space: str
    ) -> Mapping[str, float]:
        """Against colours of adjacent stars, and against stars without an adjacent one.

        >>> NEBULA.log_prior(STANDARD_BOARD, {"core": "red"}, "ar1")["red"]
        -1.5
        """
        around = {pieces[near] for near in board.neighbours(space) if near in pieces}
        # Once for any number of neighbours: a single misplaced star often breaks several links.
        lean = dict.fromkeys(COLOURS, 0.0) | dict.fromkeys(around - {BLACK}, BROKEN_LINK)
        lean[BLACK] = BLACK_IN_GALAXY
        apart = APART if not around and space != board.core else 0.0
        return {star: odds + apart for star, odds in lean.items()}

    # a game file

    game_from_data = contract.imported("scorer.nebula.game_file:game_from_data")

    def game_data(self, game: Game) -> dict[str, Any]:
        return game.to_data()

    def positions(self, game: Game) -> Mapping[contract.WantedPhoto, Galaxy | None]:
        return {
            contract.WantedPhoto(player.name, player.photo or ""): player.galaxy
            for player in game.players
        }

    def with_position(
        self, game: Game, wanted: contract.WantedPhoto, position: Galaxy, flags: Sequence[Flag] = ()
    ) -> Game:
        """Raise ValueError if there are more black stars than spaces on the track."""
        if position.black > game.edition.track_spaces:
            raise ValueError(
                f"{wanted.photo} shows {position.black} black stars, but the track of edition "
                f"{game.edition.id} has {game.edition.track_spaces} spaces: name another edition"
            )
        own = next(player for player in game.players if player.name == wanted.player)
        return game.with_player(own.with_galaxy(position, tuple(flags)))

    def objectives(self, game: Game, player: int) -> tuple[Objective, ...]:
        """The career and advanced cards, and the player's personal one."""
        personal = game.players[player].personal if player < len(game.players) else None
        ids = (*game.career, *game.advanced, *((personal,) if personal else ()))
        return tuple(game.edition.cards[id] for id in ids)

    def check(
        self, game: Game, objective: Objective, positions: Sequence[Galaxy], player: int
    ) -> CardResult:
        """How a galaxy does on a card, given the player's markers and the others' black stars."""
        assert isinstance(objective, Card)
        markers = len(game.players[player].career or ())
        table = result.Table.of(positions, player, markers)
        return with_lack(objective, positions[player], table)

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """Cards and the Values board; fewer in the introductory game.

        >>> [question.id for question in NEBULA.questions({"mode": "intro"})]
        ['mode', 'career', 'personal']
        """
        return _questions(data.get("mode", "full") == "full")

    score = staticmethod(score_game)


@cache
def _questions(is_full: bool) -> tuple[Question, ...]:
    return tuple(_each(is_full))


def _each(is_full: bool) -> Iterator[Question]:
    modes = (Option("full", say("mode_full")), Option("intro", say("mode_intro")))
    yield Question("mode", say("ask_mode"), "one", modes)
    yield _cards("career", say("ask_career"), CARDS_ON_TABLE)
    if is_full:
        yield _cards("advanced", say("ask_advanced"), CARDS_ON_TABLE, "order")
        for track, tokens in TRACKS.items():
            options = tuple(Option(token, WORDS.word(token)) for token in tokens)
            most = len(tokens)
            yield Question(f"values.{track}", say("ask_values"), "order", options, 0, most)
    yield Question(
        "personal",
        say("ask_personal"),
        "one",
        _options("personal"),
        of_each_player=True,
        secret=True,
    )


def _cards(deck: Deck, text: str, count: int, kind: Any = "some") -> Question:
    return Question(deck, text, kind, _options(deck), count, count)


def _options(deck: Deck) -> tuple[Option, ...]:
    return tuple(Option(card.id, card.name) for card in of_deck(deck).values())


NEBULA = Nebula()
