"""Ponds, a toy game: frogs of two colours on seven pads, which streams join.

It has no track, no core and no cards. A stream with frogs of one colour at both its ends gives two
points; three such streams are a chorus, which gives five more. Each player says beforehand how many
it will be, and gets three points for being right.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from scorer.datafile import DataFileError
from scorer.flags import Flag, RuleBreak
from scorer.game import Game, Question, WantedPhoto
from scorer.objective import CardResult, objective
from scorer.places import FieldReader, Place, PrintedBoard, Shape
from scorer.scoresheet import Line, places
from scorer.sentence import Phrasebook, Sentence
from scorer.table import BoardKind, Piece, Pieces, Table
from scorer.topology import Link, Topology

FROGS = ("amber", "teal")
OF_A_COLOUR = 4
CHORUS = 3

WORDS = Phrasebook.of_package(__name__)


@dataclass(frozen=True)
class Pond:
    """Frogs by pad, as they sit."""

    frogs: Mapping[str, str]
    board: Topology

    def choirs(self) -> tuple[Link, ...]:
        """The streams with frogs of one colour at both ends."""
        return tuple(
            link
            for link in self.board.links
            if self.frogs.get(link.a) and self.frogs.get(link.a) == self.frogs.get(link.b)
        )


@dataclass(frozen=True)
class Player:
    """Who plays; `guess` is the number of streams that they foretold."""

    name: str
    pond: Pond | None
    photo: str
    guess: int
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class Played:
    """A game file that was read."""

    players: tuple[Player, ...]


@dataclass(frozen=True)
class Chorus:
    id: str = "chorus"

    @property
    def name(self) -> Sentence:
        return WORDS.say("chorus")

    @property
    def rule(self) -> Sentence:
        return WORDS.say("chorus_rule")


@dataclass(frozen=True)
class PondScore:
    name: str
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...]
    provisional: bool = False
    hint: str = ""

    @property
    def total(self) -> int:
        return sum(line.points for line in self.lines)


@dataclass(frozen=True)
class Score:
    """What a game ends in."""

    players: tuple[PondScore, ...]
    flags: tuple[Flag, ...] = ()

    @property
    def ranking(self) -> tuple[tuple[str, ...], ...]:
        return places({player.name: (player.total,) for player in self.players})

    def tie_break(self, name: str) -> str:
        shared = any(name in place and len(place) > 1 for place in self.ranking)
        return WORDS.say("tie") if shared else ""

    def to_data(self, language: str = "en") -> dict[str, Any]:
        return {
            "format": 1,
            "game": "ponds",
            "players": [
                {
                    "name": player.name,
                    "total": player.total,
                    "provisional": player.provisional,
                    "lines": [line.to_data(language) for line in player.lines],
                    "flags": [flag.to_data() for flag in player.flags],
                }
                for player in self.players
            ],
            "ranking": [list(place) for place in self.ranking],
        }


PADS = ("p1", "p2", "p3", "p4", "p5")
ROW = Topology(PADS, tuple(Link(a, b, "stream") for a, b in pairwise(PADS)))


class Ponds(Game[Topology, Pond, Played]):
    id = "ponds"
    pieces = (Piece("amber", "#e8a13a", OF_A_COLOUR), Piece("teal", "#1f8a8c", OF_A_COLOUR))
    table = Table((BoardKind(ROW),), 1, 3)

    @cached_property
    def turns(self) -> Any:
        """See `ponds.turns`."""
        from ponds.turns import TURNS

        return TURNS

    def read_printed(self, fields: FieldReader) -> PrintedBoard | None:
        """Pads, and the streams between them: `streams`, a list of pairs."""
        pads = fields.circles("spaces")
        links = []
        for number, pair in enumerate(list(fields.data.get("streams") or ())):  # type: ignore[call-overload]
            if isinstance(pair, list) and len(pair) == 2 and set(pair) <= pads.keys():
                links.append(Link(pair[0], pair[1], "stream"))
            else:
                fields.wrong(f"streams[{number}]", "must be a pair of pads")
        if not links:
            fields.wrong("streams", "must be a list of pairs of pads")
            return None
        shapes: dict[Place, Shape] = {Place(name): circle for name, circle in pads.items()}
        return PrintedBoard(Topology(tuple(pads), tuple(links)), shapes)

    def printed_data(self, printed: PrintedBoard) -> dict[str, Any]:
        return {
            "spaces": {
                place.id: {"at": list(shape.at), "radius": shape.radius}
                for place, shape in printed.places.items()
            },
            "streams": [[link.a, link.b] for link in printed.board.links],
        }

    def position(self, board: Topology, pieces: Pieces) -> Pond:
        """ValueError for a frog on no pad."""
        strange = [place.id for place in pieces if place.id not in board.spaces]
        if strange:
            raise ValueError(f"no such pad: {', '.join(strange)}")
        return Pond({place.id: frog for place, frog in pieces.items()}, board)

    def pieces_of(self, position: Pond) -> dict[Place, str]:
        return {Place(pad): frog for pad, frog in position.frogs.items()}

    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        """`frogs`."""
        return {"frogs": {place.id: frog for place, frog in pieces.items()}}

    def position_from_data(self, board: Topology, data: Mapping[str, Any]) -> Pond:
        """Of `frogs`."""
        return self.position(board, {Place(pad): f for pad, f in data.get("frogs", {}).items()})

    def rule_breaks(self, position: Pond, game: Played | None = None) -> tuple[RuleBreak, ...]:
        """More frogs of a colour than there are."""
        found = []
        for frog in FROGS:
            pads = tuple(pad for pad, own in position.frogs.items() if own == frog)
            if len(pads) > OF_A_COLOUR:
                reason = WORDS.say("too_many", n=len(pads), frog=frog)
                found.append(RuleBreak("too_many", pads, reason=reason))
        return tuple(found)

    def game_from_data(self, data: object, board: Topology, folder: Path | None = None) -> Played:
        """A mapping with `players`, each with a name, `frogs` or a `photo`, and a `guess`."""
        if not isinstance(data, Mapping) or not isinstance(data.get("players"), list):
            raise DataFileError([("players", "must be a list")])
        if not data["players"]:
            raise DataFileError([("players", "somebody has to play")])
        return Played(tuple(self._players(data["players"], board)))

    def _players(self, written: list[Any], board: Topology) -> Iterator[Player]:
        for number, one in enumerate(written):
            key = f"players[{number}]"
            if not isinstance(one, Mapping) or not isinstance(one.get("name"), str):
                raise DataFileError([(f"{key}.name", "missing")])
            if "frogs" not in one and "photo" not in one:
                raise DataFileError([(key, "needs `frogs`, or a `photo` to read them from")])
            try:
                pond = self.position_from_data(board, one) if "frogs" in one else None
            except ValueError as error:
                raise DataFileError([(f"{key}.frogs", str(error))]) from None
            yield Player(one["name"], pond, one.get("photo", ""), int(one.get("guess") or 0))

    def game_data(self, game: Played) -> dict[str, Any]:
        """As a game file has it."""
        return {
            "format": 1,
            "game": self.id,
            "players": [
                {
                    "name": player.name,
                    **({"photo": player.photo} if player.photo else {}),
                    **(self.position_data(player.pond) if player.pond else {}),
                    "guess": player.guess,
                }
                for player in game.players
            ],
        }

    def positions(self, game: Played) -> Mapping[WantedPhoto, Pond | None]:
        return {WantedPhoto(p.name, p.photo): p.pond for p in game.players}

    def with_position(
        self, game: Played, wanted: WantedPhoto, position: Pond, flags: Sequence[Flag] = ()
    ) -> Played:
        return Played(
            tuple(
                replace(player, pond=position, flags=tuple(flags))
                if player.name == wanted.player
                else player
                for player in game.players
            )
        )

    def objectives(self, game: Played, player: int) -> tuple[Chorus, ...]:
        return (Chorus(),)

    def check(
        self, game: Played, objective: Any, positions: Sequence[Pond], player: int
    ) -> CardResult:
        return self._chorus(positions[player])

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        text = WORDS.say("guess")
        return (Question("guess", text, "number", most=9, of_each_player=True),)

    def score(self, game: Played) -> Score:
        return Score(tuple(PondScore(p.name, tuple(self._lines(p)), p.flags) for p in game.players))

    def _chorus(self, pond: Pond) -> CardResult:
        choirs = pond.choirs()
        pads = tuple(dict.fromkeys(pad for link in choirs for pad in (link.a, link.b)))
        words = WORDS.say("streams", n=len(choirs))
        return objective(min(len(choirs) / CHORUS, 1.0), pads, (), words)

    def _lines(self, player: Player) -> Iterator[Line]:
        if player.pond is None:
            raise ValueError(f"not read yet: {player.name}")
        count, chorus = len(player.pond.choirs()), self._chorus(player.pond)
        yield Line("streams", 2 * count, chorus.calculation, chorus.spaces)
        yield Line(
            "chorus", 5 * bool(chorus.fulfilled), chorus.calculation, subject={"card": "chorus"}
        )
        guessed = WORDS.say("guessed", n=player.guess)
        yield Line("guess", 3 * (player.guess == count), guessed)


PONDS = Ponds()
