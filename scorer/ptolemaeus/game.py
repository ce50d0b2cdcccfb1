"""Ptolemaeus' implementation of the contract `scorer.game.Game`."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.flags import Flag, RuleBreak
from scorer.game import Option, Question, imported
from scorer.objective import CardResult, objective
from scorer.places import Place, PlaceKind
from scorer.plain import PlainBoard, PlainFile, PlainGame, PlainPosition
from scorer.ptolemaeus.board import (
    ASTEROID,
    BOARD,
    START,
    TURN,
    TURN_TRACK,
    held_on_board,
    sky_data,
    tray,
)
from scorer.ptolemaeus.edition import (
    COMET,
    EDITIONS,
    NOBODY,
    NOVA,
    PIECES,
    PLANETS,
    PLAYERS,
    STANDARD,
    ZODIAC,
    Edition,
)
from scorer.ptolemaeus.ephemeris import FIRST, LAST
from scorer.ptolemaeus.score import PtolemaeusSheet, Standing, score_table
from scorer.ptolemaeus.sky import MOST_AT_REST
from scorer.ptolemaeus.words import WORDS, forbidden, say
from scorer.sentence import Sentence
from scorer.table import BoardKind, Piece, Table

BODIES = {
    "luna": "#2b4fa8",
    "mercurius": "#58c03c",
    "venus": "#1d7440",
    "sol": "#f4a81c",
    "mars": "#b5261e",
    "iupiter": "#de5c8f",
    "saturnus": "#33333a",
    "comet": "#4cb8d8",
}
"""The rims of the printed bodies, dark around a pale middle and bright around a dark one."""
SWATCHES = {"red": "#d0202e", "yellow": "#f2c200", "blue": "#1b5fc9", "purple": "#7b3fae"}
BODY_MM, PIECE_MM, ASTEROID_MM = 20.0, 12.0, 9.0
IN_A_WEDGE: frozenset[PlaceKind] = frozenset({"region"})
ANYWHERE: frozenset[PlaceKind] = frozenset({"region", "spot"})


class SecretObjective:
    """A secret objective, or all planets if it is unknown."""

    def __init__(self, id: str, planets: tuple[str, ...]) -> None:
        """The card `id` of an edition, or all seven planets without `planets`."""
        self.id, self.planets = id or "planets", planets or PLANETS
        known = bool(planets)
        self.name: Sentence = (
            say("objective", card=id, planets=planets) if known else say("study_all")
        )
        self.rule: Sentence = (
            say("objective_rule", planets=planets) if known else say("study_all_rule")
        )


class Ptolemaeus(PlainGame):
    """One shared board, on which players are distinguished by the colour of their pieces.

    >>> from scorer.places import in_region
    >>> pieces = in_region("leo", {"mars": 1, "red": 2}) | {Place("red_luna"): "red"}
    >>> position = PTOLEMAEUS.position(BOARD, pieces)
    >>> PTOLEMAEUS.position_data(position)
    {'spaces': {'red_luna': 'red'}, 'regions': {'leo': {'mars': 1, 'red': 2}}}
    """

    id = "ptolemaeus"
    pieces = (
        *(
            Piece(colour, SWATCHES[colour], PIECES, ANYWHERE, colour, diameter_mm=PIECE_MM)
            for colour in PLAYERS
        ),
        *(Piece(body, own, 1, IN_A_WEDGE, diameter_mm=BODY_MM) for body, own in BODIES.items()),
        Piece(ASTEROID, "#4a4d52", len(ZODIAC), ANYWHERE, diameter_mm=ASTEROID_MM),
        Piece(START, "#17171b", 1, IN_A_WEDGE, diameter_mm=PIECE_MM),
        Piece(TURN, "#007c80", 1),
    )
    table = Table((BoardKind(BOARD, "all"),))

    turns = imported("scorer.ptolemaeus.turns:TURNS")
    advisor = imported("scorer.ptolemaeus.advice:ADVISOR")

    def admits(self, place: Place) -> tuple[str, ...]:
        """Asteroids, pieces for studied planets and the turn marker on their own spaces.

        >>> PTOLEMAEUS.admits(Place("blue_mars")), PTOLEMAEUS.admits(Place("asteroid_leo"))
        (('blue',), ('asteroid',))
        """
        if place.id in ZODIAC:
            return (*PLAYERS, *PLANETS, COMET, START)
        if place.id in TURN_TRACK:
            return (TURN,)
        colour, _, what = place.id.partition("_")
        return (colour,) if what in PLANETS else (ASTEROID,)

    def place_name(self, board: PlainBoard, place: str, language: str = "en") -> str:
        """What is printed there, or whose study area it is."""
        colour, _, what = place.partition("_")
        if place in TURN_TRACK:
            return say("turn_space", n=int(what)).in_language(language)
        if what in ZODIAC:
            return say("asteroid_space", at=what).in_language(language)
        if what in PLANETS:
            return say("study_space", planet=what, colour=colour).in_language(language)
        if place == tray(colour):
            return say("tray", colour=colour).in_language(language)
        return WORDS.word(place, language)

    def position(self, board: PlainBoard, pieces: Mapping[Place, str]) -> PlainPosition:
        """Raise ValueError also for a piece that its place does not admit."""
        for place, piece in pieces.items():
            if place.whole in board.places and piece not in self.admits(place):
                raise ValueError(f"no {piece} can lie on {place}")
        return super().position(board, pieces)

    def rule_breaks(
        self, position: PlainPosition, game: PlainFile | None = None
    ) -> tuple[RuleBreak, ...]:
        """Also a third piece at rest (T39), and the comet with a planet."""
        found = [*super().rule_breaks(position, game)]
        for at in ZODIAC:
            there = position.counted(at)
            for colour in PLAYERS:
                if there[colour] > MOST_AT_REST:
                    kind, count = "too_many_pieces", there[colour]
                    found.append(forbidden(kind, kind, at, n=count, colour=colour, at=at))
            if there[COMET] and any(there[planet] for planet in PLANETS):
                found.append(forbidden("comet_with_planet", "comet_with_planet", at, at=at))
        return tuple(found)

    # a game file

    game_from_data = imported("scorer.ptolemaeus.game_file:read_game")
    game_data = imported("scorer.ptolemaeus.game_file:write_game")

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """The start date, the secret objectives, Nova Constellatio, and who claimed the game."""
        edition = _edition(data)
        cards = tuple(
            Option(id, say("objective", card=id, planets=planets))
            for id, planets in edition.secrets.items()
        )
        names = [str(one.get("name", "")) for one in data.get("players") or ()]
        claimed = (Option(NOBODY, say("the_comet")), *(Option(name, name) for name in names))
        start = Option(edition.start, say("date_of_rulebook"))
        return (
            Question(
                *("date", say("ask_date"), "date", (start,)), *(FIRST.toordinal(), LAST.toordinal())
            ),
            Question("claimed", say("ask_claimed"), "one", claimed, 1, 1),
            Question("secret", say("ask_secret"), "one", cards, 1, 1, True, secret=True),
            Question(
                *("nova", say("ask_nova"), "number", (), 0, edition.bonus[NOVA].count, True),
                secret=True,
            ),
        )

    def objectives(self, game: PlainFile, player: int) -> tuple[SecretObjective, ...]:
        """The player's secret objective, or all planets."""
        answer = game.seats[player].answers.get("secret")
        return (SecretObjective(answer if isinstance(answer, str) else "", _secret(game, player)),)

    def check(
        self, game: PlainFile, objective: Any, positions: Sequence[PlainPosition], player: int
    ) -> CardResult:
        """How many of its planets are studied."""
        seat = game.seats[player]
        studied = held_on_board(seat, positions[0])["studied"]
        colour = seat.answers["colour"]
        met = [planet for planet in objective.planets if planet in studied]
        spaces = tuple(f"{colour}_{planet}" for planet in met)
        progress = len(met) / len(objective.planets)
        return _result(progress, spaces, say("n_planets", n=len(met)))

    def score(self, game: PlainFile) -> PtolemaeusSheet:
        lies = game.lies("")
        standings = [
            Standing(
                seat.name,
                seat.answers["colour"],
                **_held(game, number, lies),
                nova=seat.answers.get("nova", 0),
                secret=_secret(game, number) or None,
            )
            for number, seat in enumerate(game.seats)
        ]
        comet = (one for one in self.rule_breaks(lies) if one.kind == "comet_with_planet")
        flags = (*self.flags_of(game), *(Flag(o.kind, o.spaces, reason=o.reason) for o in comet))
        return score_table(
            standings,
            game.answers.get("claimed"),
            _edition(game.answers),
            flags,
            needed=True,
            still_there=len(sky_data(lies)["asteroids"]),
        )


def _held(game: PlainFile, number: int, lies: PlainPosition) -> dict[str, Any]:
    own = held_on_board(game.seats[number], lies)
    return {**own, "studied": tuple(own["studied"])}


def _edition(data: Mapping[str, Any]) -> Edition:
    name = data.get("edition", STANDARD.id)
    return EDITIONS.load(name) if name in EDITIONS.names() else STANDARD


def _secret(game: PlainFile, number: int) -> tuple[str, ...]:
    """The planets of a player's secret objective; empty if unknown."""
    answer = game.seats[number].answers.get("secret")
    if isinstance(answer, str):
        return _edition(game.answers).secrets[answer]
    return tuple(answer or ())


def _result(progress: float, spaces: tuple[str, ...], said: Sentence) -> CardResult:
    return objective(progress, spaces, (), said)


PTOLEMAEUS = Ptolemaeus()
