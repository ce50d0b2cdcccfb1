"""A base for games whose boards are just places and whose game files are just answers.

Layouts have `spaces`, `regions` and `links`: a list of pairs of spaces, or a mapping of a-b to
shapes where pieces lie on links. A game file has answers under the ids of their questions, and
positions as `spaces`, `links` and `regions`. With one board a player, of one kind, these are keys
of the player; other tables list their `boards`, with the seat number, from 0, of a player's board:

    {"format": 1, "game": ..., "boards": [{"kind": "valley", "photo": "valley.jpg"},
     {"kind": "guild", "seat": 0, "regions": {"store": {"wood": 2}}}, ...],
     "players": [{"name": "Ana", "points": 7}, ...]}
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from scorer.datafile import DataFileError
from scorer.flags import Flag, RuleBreak
from scorer.game import Game, WantedPhoto
from scorer.places import (
    FieldReader,
    Place,
    PlaceKind,
    PrintedBoard,
    counted,
    in_order,
    in_region,
    written,
)
from scorer.sentence import Phrasebook
from scorer.table import Pieces
from scorer.topology import Link, Topology

WORDS = Phrasebook(
    {
        "too_many": {
            "en": "{n} {piece}; the game has {supply}",
            "es": "{n} {piece}; el juego tiene {supply}",
            "cs": "{n} {piece}; hra jich má {supply}",
        }
    },
    {},
)
_KEYS: tuple[tuple[str, PlaceKind], ...] = (("spaces", "spot"), ("links", "edge"))
PHOTO = "photo"


@dataclass(frozen=True)
class PlainBoard(Topology):
    """A board of a kind at the table; `plots` are the ids of its regions.

    Pieces lie on links if `edges` is true; the id of a link's place is a-b, its ends. `beyond` are
    regions that are not printed, for pieces of a game file that have no place on the board.

    >>> hill = PlainBoard(("a", "b"), (Link("a", "b", "link"),), plots=("meadow",), edges=True)
    >>> [str(place) for place in hill.places]
    ['a', 'b', 'a-b', 'meadow']
    """

    kind: str = ""
    plots: tuple[str, ...] = ()
    edges: bool = False
    beyond: tuple[str, ...] = ()

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Every place for pieces: spaces, links and regions."""
        links = (f"{link.a}-{link.b}" for link in self.links if self.edges)
        kinds: tuple[tuple[PlaceKind, Any], ...]
        kinds = (("spot", self.spaces), ("edge", links), ("region", self.plots))
        return tuple(Place(id, kind) for kind, ids in kinds for id in ids)


@dataclass(frozen=True)
class PlainPosition:
    board: PlainBoard
    pieces: Pieces

    def on(self, kind: PlaceKind) -> dict[str, str]:
        return {place.id: piece for place, piece in self.pieces.items() if place.kind == kind}

    def counted(self, region: str) -> Counter[str]:
        """The number of pieces of each kind in a region."""
        return counted(self.pieces, region)


@dataclass(frozen=True)
class Seat:
    name: str
    answers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """A board at the table: its seat (None if shared), and its position or the photograph of it."""

    kind: str
    seat: int | None
    lies: PlainPosition | None
    photo: str = ""
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class PlainFile:
    seats: tuple[Seat, ...]
    boards: tuple[Shown, ...]
    answers: Mapping[str, Any] = field(default_factory=dict)

    def shown(self, kind: str, seat: int | None = None) -> Shown:
        """The board of a kind, of a seat or shared."""
        return next(one for one in self.boards if (one.kind, one.seat) == (kind, seat))

    def lies(self, kind: str, seat: int | None = None) -> PlainPosition:
        """The position of a board. Raise ValueError if its photograph has not been read yet."""
        board = self.shown(kind, seat)
        if board.lies is None:
            raise ValueError(f"not read yet: {board.photo}")
        return board.lies


class PlainGame(Game[PlainBoard, PlainPosition, PlainFile]):
    """A game of plain boards: subclasses add pieces, table, questions, objectives and score."""

    def read_printed(self, fields: FieldReader) -> PrintedBoard | None:
        """The board of the kind that the layout names; the module describes the keys."""
        standard = self.standard_board_of(str(fields.data.get("board", "")))
        has = {"spaces": standard.spaces, "links": standard.links, "regions": standard.plots}
        places = fields.places("spaces", "spot") if has["spaces"] else {}
        spaces = tuple(place.id for place in places)
        pairs: list[Any] = []
        if has["links"] and standard.edges:
            places |= (edges := fields.places("links", "edge"))
            pairs = [edge.id.split("-") for edge in edges]
        elif has["links"] and isinstance(listed := fields.data.get("links"), list):
            pairs = listed
        for number, pair in enumerate(pairs):
            if not (isinstance(pair, list) and len(pair) == 2 and {*map(str, pair)} <= {*spaces}):
                fields.wrong(f"links[{number}]", "must join two spaces")
        if has["links"] and not pairs:
            fields.wrong("links", "must join spaces")
        places |= (regions := fields.places("regions", "region") if has["regions"] else {})
        if fields.problems:
            return None
        links = tuple(Link(a, b, "link") for a, b in pairs)
        plots = tuple(place.id for place in regions)
        return PrintedBoard(replace(standard, spaces=spaces, links=links, plots=plots), places)

    def printed_data(self, printed: PrintedBoard) -> dict[str, Any]:
        data = {key: written(printed.places, kind) for key, kind in (*_KEYS, ("regions", "region"))}
        pairs = [[link.a, link.b] for link in printed.board.links]
        return {key: own for key, own in {**data, "links": data["links"] or pairs}.items() if own}

    def position(self, board: PlainBoard, pieces: Pieces) -> PlainPosition:
        """Raise ValueError for a piece on a place that the board does not have."""
        holding = {*board.places, *(Place(id, "region") for id in board.beyond)}
        strange = [str(place) for place in pieces if place.whole not in holding]
        if strange:
            raise ValueError(f"no such place: {', '.join(strange)}")
        return PlainPosition(board, in_order(pieces))

    def pieces_of(self, position: PlainPosition) -> dict[Place, str]:
        return dict(position.pieces)

    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        """`spaces`, `links` and `regions`: those on which any piece of the game can lie."""
        plots = {place.id: None for place in pieces if place.kind == "region"}
        data: dict[str, Any] = {
            key: {place.id: piece for place, piece in pieces.items() if place.kind == kind}
            for key, kind in _KEYS
        }
        data["regions"] = {plot: dict(counted(pieces, plot)) for plot in plots}
        lie_on = {kind for piece in self.pieces for kind in piece.lies_on}
        kinds = dict((*_KEYS, ("regions", "region")))
        return {key: own for key, own in data.items() if kinds[key] in lie_on}

    def position_from_data(self, board: PlainBoard, data: Mapping[str, Any]) -> PlainPosition:
        """The position in `spaces`, `links` and `regions`; a missing key is empty."""
        pieces: dict[Place, str] = {}
        for key, kind in _KEYS:
            pieces |= {Place(str(id), kind): piece for id, piece in data.get(key, {}).items()}
        for plot, counts in data.get("regions", {}).items():
            pieces |= in_region(plot, counts)
        known = {piece.id for piece in self.pieces}
        if strange := {*pieces.values()} - known:
            raise ValueError(f"no such piece: {', '.join(sorted(map(str, strange)))}")
        return self.position(board, pieces)

    def rule_breaks(
        self, position: PlainPosition, game: PlainFile | None = None
    ) -> tuple[RuleBreak, ...]:
        """More pieces of a kind than the supply."""
        found = []
        for piece in self.pieces:
            on = [place.id for place, own in position.pieces.items() if own == piece.id]
            if len(on) > piece.supply:
                name, n = self.piece_name(piece.id), len(on)
                reason = WORDS.say("too_many", n=n, piece=name, supply=piece.supply)
                found.append(RuleBreak("too_many", tuple(dict.fromkeys(on)), reason=reason))
        return tuple(found)

    # a game file

    def game_from_data(
        self, data: object, board: PlainBoard, folder: Path | None = None
    ) -> PlainFile:
        """The game of these keys (see the module); unanswered questions are left out."""
        written = data if isinstance(data, Mapping) else {}
        players, table = written.get("players"), self.table
        if not isinstance(players, list) or not players:
            raise DataFileError([("players", "must be a list of who plays")])
        if not table.fewest_players <= len(players) <= table.most_players:
            most = f"{table.fewest_players} to {table.most_players}"
            raise DataFileError([("players", f"must be {most}, not {len(players)}")])
        for number, one in enumerate(players):
            if not isinstance(one, Mapping) or not isinstance(one.get("name"), str):
                raise DataFileError([(f"players[{number}].name", "missing")])
        seats = tuple(Seat(one["name"], self._answers(one, True)) for one in players)
        listed = written.get("boards") if table.listed else players
        shown = tuple(
            self.read_board(kind.id, seat, listed, self.board_of(kind.id, board))
            for kind, seat in table.instances(len(seats))
        )
        return PlainFile(seats, shown, self._answers(written, False))

    def read_board(self, kind: str, seat: int | None, listed: Any, board: PlainBoard) -> Shown:
        """A board of those `listed` in a game file, or of the players. Raise DataFileError."""
        key, whose = f"players[{seat}]", f"{kind} {'' if seat is None else seat}".strip()
        own = listed[seat] if not self.table.listed and seat is not None else None
        if self.table.listed:
            entries = [one for one in listed if isinstance(one, Mapping)] if listed else []
            of_kind = [one for one in entries if one.get("kind", kind) == kind]
            own = next((one for one in of_kind if one.get("seat") == seat), None)
            key = f"boards: {whose}"
        known = {*self.pieces_data({})}
        if own is None or not own.keys() & {PHOTO, *known}:
            raise DataFileError([(key, "needs what lies there, or a `photo` to read it from")])
        photo = str(own.get(PHOTO, ""))
        if not own.keys() & known:
            return Shown(kind, seat, None, photo)
        try:
            return Shown(kind, seat, self.position_from_data(board, own), photo)
        except (ValueError, TypeError, AttributeError) as error:
            raise DataFileError([(key, str(error))]) from None

    def _answers(self, written: Mapping[str, Any], of_each_player: bool) -> dict[str, Any]:
        asked = [one for one in self.questions(written) if one.of_each_player == of_each_player]
        return {one.id: written[one.id] for one in asked if written.get(one.id) is not None}

    def game_data(self, game: PlainFile) -> dict[str, Any]:
        data: dict[str, Any] = {"format": 1, "game": self.id, **game.answers}
        data["players"] = [{"name": seat.name, **seat.answers} for seat in game.seats]
        if self.table.listed:
            data["boards"] = []
        for shown in game.boards:
            lies = {} if shown.lies is None else self.position_data(shown.lies)
            own = {**({PHOTO: shown.photo} if shown.photo else {}), **lies}
            if self.table.listed:
                seat = {} if shown.seat is None else {"seat": shown.seat}
                data["boards"].append({"kind": shown.kind, **seat, **own})
            elif shown.seat is not None:
                data["players"][shown.seat].update(own)
        return data

    def positions(self, game: PlainFile) -> Mapping[WantedPhoto, PlainPosition | None]:
        return {self._wanted(game, shown): shown.lies for shown in game.boards}

    def _wanted(self, game: PlainFile, shown: Shown) -> WantedPhoto:
        whose = "" if shown.seat is None else game.seats[shown.seat].name
        return WantedPhoto(whose, shown.photo, board=shown.kind)

    def with_position(
        self,
        game: PlainFile,
        wanted: WantedPhoto,
        position: PlainPosition,
        flags: Sequence[Flag] = (),
    ) -> PlainFile:
        """The game with the position of the board that the photograph shows."""
        boards = (
            replace(shown, lies=position, flags=tuple(flags))
            if self._wanted(game, shown) == wanted
            else shown
            for shown in game.boards
        )
        return replace(game, boards=tuple(boards))

    def flags_of(self, game: PlainFile, seat: int | None = None) -> tuple[Flag, ...]:
        """The flags of the readings of a player's boards, or of shared boards."""
        return tuple(chain.from_iterable(one.flags for one in game.boards if one.seat == seat))
