"""What a game brings: one value that the other rooms ask, and never look behind.

Vision asks it for places, pieces and what is likely; calibration for the board of a layout; pages
and terminal for objectives, questions and the score. A new game is a subclass of `Game` in a folder
of its own, named by an entry point of the group `stargazer.games` (`scorer.registry`);
CONTRIBUTING.md says it step by step, and `tests/games/` has a whole one, as small as can be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from sys import modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, final

from scorer.flags import Flag, RuleBreak
from scorer.objective import CardResult, Objective
from scorer.places import FieldReader, Place, PlaceKind, PrintedBoard, Shape
from scorer.scoresheet import Score
from scorer.sentence import Phrasebook, Sentence
from scorer.topology import Topology
from scorer.turns import Advisor, Turns

if TYPE_CHECKING:  # both are made of what stands here
    from scorer.glossary import Term
    from scorer.lesson import Course
    from scorer.playing import Records


@dataclass(frozen=True)
class Piece:
    """A kind of token: its id in files, how it looks, how many there are, where it may lie.

    `colour` is #rrggbb, as a page or a terminal shows it. `owner` is the player's colour that it
    belongs to, "" where pieces are nobody's. `dial` is set where it is no token but printed on a
    ring that is turned by hand, and faces one place: what a reading calls that place.
    `diameter_mm` is that of a disc that lies in regions, where it is counted by its size.

    >>> Piece("coal", "#1a1a1a", supply=12, lies_on=frozenset({"track"})).owner
    ''
    """

    id: str
    colour: str
    supply: int
    lies_on: frozenset[PlaceKind] = frozenset({"spot"})
    owner: str = ""
    dial: str = ""
    diameter_mm: float = 0.0


Pieces = Mapping[Place, str]
"""A piece's id on each place that holds one; each piece of a region has a slot of its own
(`scorer.places.in_region`)."""


RolesByGame = Mapping[str, Mapping[str, str]]
"""Of games by their ids, as what each piece counts at the table (`Game.piece_roles`)."""
UNKNOWN_TABLE: RolesByGame = {}
"""Nothing is known of who plays."""


@dataclass(frozen=True)
class BoardKind:
    """A kind of board at a table: everybody's, or one a player.

    `id` is what its layouts name as `board`, "" where a game has boards of one kind.
    """

    id: str = ""
    owner: Literal["all", "player"] = "player"


BOARDS_OF_A_KIND = 4
"""The most boards of one kind that a camera follows."""


@dataclass(frozen=True)
class Table:
    """Who sits there and what lies before them.

    `boards` are of one kind or several; the first one is what guided games and pages are about.
    `snapshots` names the moments of which a photograph may be given, in order; one unnamed moment,
    the end, for most games. `pieces_stay`: by the rules what lies at one moment lies so at all
    later ones.

    >>> valley = Table(boards=(BoardKind("valley", "all"), BoardKind("guild")))
    >>> [(kind.id, player) for kind, player in valley.instances(2)]
    [('valley', None), ('guild', 0), ('guild', 1)]
    >>> valley.first_number("guild"), valley.kind_numbered(5).id
    (4, 'guild')
    """

    fewest_players: int = 1
    most_players: int = 4
    boards: tuple[BoardKind, ...] = (BoardKind(),)
    snapshots: tuple[str, ...] = ("",)
    pieces_stay: bool = False

    @property
    def shared(self) -> bool:
        """Whether the first board is everybody's."""
        return self.boards[0].owner == "all"

    @property
    def listed(self) -> bool:
        """Whether the boards are told apart from the players: not one each, of one kind."""
        return self.boards[0].owner == "all" or len(self.boards) > 1

    def kind(self, id: str) -> BoardKind:
        """The kind of board that a layout names; the first where it names none. KeyError."""
        return {"": self.boards[0], **{kind.id: kind for kind in self.boards}}[id]

    def first_number(self, id: str) -> int:
        """The number from which on a camera counts the boards of a kind."""
        return BOARDS_OF_A_KIND * self.boards.index(self.kind(id))

    def kind_numbered(self, number: int) -> BoardKind:
        """The kind of the board to which a camera gives a number."""
        return self.boards[min(number // BOARDS_OF_A_KIND, len(self.boards) - 1)]

    def instances(self, players: int) -> tuple[tuple[BoardKind, int | None], ...]:
        """Every board at a table of so many players, with whose it is; None: everybody's."""
        return tuple(
            (kind, player)
            for kind in self.boards
            for player in ([None] if kind.owner == "all" else range(players))
        )


@dataclass(frozen=True)
class Option:
    """One answer to a question: its id in the game file, and how it is said."""

    id: str
    text: Sentence | str


@dataclass(frozen=True)
class Question:
    """Something that no camera sees: which key of the game file answers it, and what may.

    `kind`: one of the options, some of them, all that apply in their order, a number from `least`
    to `most`, or a date (ISO 8601 text) between these two as `datetime.date.toordinal` has them,
    of which the options propose some. For other options the two bound how many are chosen.
    `of_each_player`: the answer stands with each player, not with the game. `secret`: nobody else
    may see it before the end.

    >>> cards = tuple(Option(card, f"card {card}") for card in ("A", "B", "C"))
    >>> Question("cards", "Which two lie on the table?", "some", cards, least=2, most=2).secret
    False
    """

    id: str
    text: Sentence | str
    kind: Literal["one", "some", "order", "number", "date"]
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 1
    of_each_player: bool = False
    secret: bool = False


@dataclass(frozen=True)
class WantedPhoto:
    """A photograph that a game file names: whose or of which moment, and its file's name.

    `player` is "" where the board is everybody's, `snapshot` "" at a table without moments. `board`
    is the kind of board that it shows, "" for the table's first.
    """

    player: str
    photo: str
    snapshot: str = ""
    board: str = ""


@dataclass(frozen=True)
class Inconsistency:
    """What speaks against one position having come after another, and how much.

    Of `weight` 1 it is worth a question; what a reading may well have mistaken weighs less. If the
    later position was misread alone, `instead` is the one place where its piece really is. `broken`
    is the rule that the later one breaks, where it lies as it was read.
    """

    reason: Sentence | str
    weight: float = 1.0
    instead: tuple[Place, str] | None = None
    broken: RuleBreak | None = None


def _packages(game: type) -> Iterator[str]:
    """The packages of a game's class, and of the games that it is made of."""
    for one in game.__mro__:
        package = getattr(modules.get(one.__module__), "__package__", "")
        if package not in ("", __package__):
            yield package


def _companion_module(game: type, name: str) -> ModuleType | None:
    """The module of a name in a game's package; None where it has none."""
    found = (f"{package}.{name}" for package in _packages(game))
    return next((import_module(module) for module in found if find_spec(module)), None)


B = TypeVar("B", bound=Topology)
P = TypeVar("P")
G = TypeVar("G")


class Game(ABC, Generic[B, P, G]):
    """A game: `B` is its board, `P` a position on one, `G` a game file that was read.

    >>> from scorer.registry import find_game, names
    >>> games = [find_game(name) for name in names()]
    >>> empty_boards = [game.position(game.standard_board, {}) for game in games]
    >>> [game.pieces_of(empty) for game, empty in zip(games, empty_boards)][0]
    {}
    """

    id: ClassVar[str]
    title: ClassVar[str]
    pieces: ClassVar[tuple[Piece, ...]]
    categories: ClassVar[Mapping[str, Sentence | str]]
    """What the lines' categories are called, in the order of a score sheet."""
    table: ClassVar[Table] = Table()
    boards: ClassVar[Mapping[str, Any]]
    """A standard board of each kind at the table, in their order: where no profile is known."""
    turns: ClassVar[Turns[Any, Any] | None] = None
    advisor: ClassVar[Advisor[Any, Any] | None] = None
    """Who plays against people, and helps them; None where the game has nobody, or no turns."""

    @final
    @cached_property
    def words(self) -> Phrasebook:
        """What pieces are called, and what pages say (`webapp/app/game_words.py` has the keys).

        The phrases of `words.yaml` in the game's package.
        """
        return Phrasebook.of_class(type(self))

    @final
    @cached_property
    def course(self) -> Course[Any, Any] | None:
        """The lessons: the `Course` in the module `course` of the game's package; None for none."""
        from scorer.lesson import Course

        module = _companion_module(type(self), "course")
        of_game = () if module is None else vars(module).values()
        found = [own for own in of_game if isinstance(own, type) and issubclass(own, Course)]
        return next((own(self) for own in found if own is not Course), None)

    @cached_property
    def records(self) -> Records | None:
        """How whole games are simulated, written and replayed; None where it has no turns."""
        from scorer.playing import ActionRecords

        return None if self.turns is None else ActionRecords(self)

    @final
    @cached_property
    def glossary(self) -> Sequence[Term]:
        """The words of the game, explained: `glossary.yaml` of its package.

        Where cards stand beside them, those of `read_glossary` in the module `glossary`.
        """
        from scorer.glossary import GLOSSARY, read_terms

        module = _companion_module(type(self), "glossary")
        if module is not None:
            read: Sequence[Term] = module.read_glossary()
            return read
        for package in _packages(type(self)):
            if files(package).joinpath(GLOSSARY).is_file():
                example = partial(self.position_from_data, self.standard_board)
                return read_terms(package, example)
        return ()

    # the board and its places

    @final
    @property
    def standard_board(self) -> B:
        """That of the table's first kind."""
        board: B = next(iter(self.boards.values()))
        return board

    @final
    def board_of(self, kind: str, board: B) -> B:
        """The board of a kind at a table on which `board` lies: that one, if it is of the kind.

        "" is the kind of any board where there is but one.
        """
        other: B = self.boards.get(kind, board)
        return board if kind in ("", getattr(board, "kind", "")) else other

    @abstractmethod
    def read_printed(self, fields: FieldReader) -> PrintedBoard | None:
        """The board of a layout's fields, with where its places lie; None where they are wrong.

        Every mistake is noted with `fields`, facts of the game that the board breaks among them.
        """

    @abstractmethod
    def printed_data(self, printed: PrintedBoard) -> dict[str, Any]:
        """A layout's fields, which `read_printed` reads back."""

    def unnumbered_data(self, places: Mapping[Place, Shape]) -> dict[str, Any]:
        """The layout's fields that hold printed numbers, with None in place of each number.

        For a proposed layout: its places are found in a photograph, its numbers are not read.
        """
        return {}

    def admits(self, place: Place) -> tuple[str, ...]:
        """The pieces that a place may hold by the rules: those that lie on its kind."""
        return tuple(piece.id for piece in self.pieces if place.kind in piece.lies_on)

    def piece_roles(self, data: Mapping[str, Any]) -> Mapping[str, str]:
        """As what each piece counts at the table of a game file of which `data` is known so far.

        A piece that is not named is nobody's there: a camera that sees it is mistaken. By default
        each of them counts as itself, the players' own only where their colour is known to play.
        """
        played = {player.get("colour") for player in data.get("players") or ()}
        others = {piece.owner for piece in self.pieces} - {"", *played}
        known = played and played <= {piece.owner for piece in self.pieces}
        return {one.id: one.id for one in self.pieces if not (known and one.owner in others)}

    def pile_heights(
        self, covered: Mapping[str, bool], roles: Mapping[str, str] | None
    ) -> Mapping[str, Sequence[int]]:
        """Of the regions whose pieces lie on one another, how many there may be where any lie.

        A photograph shows the top one alone. ``covered`` are the regions that were seen, each with
        whether something surely lies there; ``roles`` as `piece_roles` says, None if nobody knows.
        """
        return {}

    def place_name(self, board: B, place: str, language: str = "en") -> str:
        """What players call a space, a link or a track: its id, where the game has no better."""
        return place

    def spoken_place(self, board: B, place: str, language: str = "en") -> str:
        """A space or a link as one says it who points at it: by what is printed there, no id."""
        return self.place_name(board, place, language)

    @final
    def piece_name(self, piece: str, language: str = "en") -> str:
        """What players call a piece: its id, where `words` has no better."""
        return self.words.word(piece, language)

    # positions

    @abstractmethod
    def position(self, board: B, pieces: Pieces) -> P:
        """Pieces as they lie, legal or not. ValueError for what cannot lie on such a board."""

    @abstractmethod
    def pieces_of(self, position: P) -> dict[Place, str]:
        """The pieces of a position, place by place."""

    @abstractmethod
    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        """The keys by which a game file writes pieces, such as `stars`, in the order given.

        They are the same keys whatever lies there.
        """

    @final
    def position_data(self, position: P) -> dict[str, Any]:
        """The same of a position."""
        return self.pieces_data(self.pieces_of(position))

    @abstractmethod
    def position_from_data(self, board: B, data: Mapping[str, Any]) -> P:
        """The position of a game file's keys. ValueError for what cannot lie on such a board."""

    @abstractmethod
    def rule_breaks(self, position: P, game: G | None = None) -> tuple[RuleBreak, ...]:
        """The rules that a position breaks as it lies.

        Those that depend on who plays are looked at only where a game says who.
        """

    def score_delta(self, one: P, other: P, game: G | None = None) -> float | None:
        """By how many points somebody's result differs at most between two positions.

        0 where it is all the same which of them lies there: then nobody needs be asked. None where
        the game does not say. Without a game file by whatever may be on the table.
        """
        return None

    def inconsistencies(self, earlier: P, later: P, apart: int) -> Sequence[Inconsistency]:
        """What speaks against `later` having lain `apart` moments after `earlier`, on one board.

        The moments are a shared table's, of which there are photographs.
        """
        return ()

    def log_prior(self, board: B, pieces: Mapping[str, str], space: str) -> Mapping[str, float]:
        """How a reader should lean: log odds to add to each piece on a space, all others lying so.

        Players seldom break a rule: a break costs enough to settle a tie, and too little to tidy
        away what is plainly there. A piece that is not named is neither likely nor unlikely.
        `pieces` are those on spots, by their ids. {"red": -1.5} leans away from a red one.
        """
        return {}

    # a game file, its objectives and its score

    @abstractmethod
    def game_from_data(self, data: object, board: B, folder: Path | None = None) -> G:
        """The game of a game file's data. DataFileError with every mistake in it.

        Other files that it names are looked for in `folder`, and only where one is given: data from
        the network cannot make the program read a file.
        """

    @abstractmethod
    def game_data(self, game: G) -> dict[str, Any]:
        """The game as a game file holds it; `game_from_data` reads it back."""

    @final
    def player_names(self, game: G) -> tuple[str, ...]:
        """In the order of the game file."""
        return tuple(str(player["name"]) for player in self.game_data(game)["players"])

    @abstractmethod
    def wanted_photos(self, game: G) -> tuple[WantedPhoto, ...]:
        """The photographs that are still to be read."""

    @abstractmethod
    def with_position(
        self, game: G, wanted: WantedPhoto, position: P, flags: Sequence[Flag] = ()
    ) -> G:
        """The game with a photograph read: its position, and what the reading drew attention to.

        ValueError, in words, where the game cannot hold such a position.
        """

    def at_moments(self, game: G) -> Mapping[str, P | None]:
        """What lay at each of a shared table's moments, in order; None where nobody knows.

        The moments are named as `WantedPhoto.snapshot` names them.
        """
        return {}

    @abstractmethod
    def objectives(self, game: G, player: int) -> tuple[Objective, ...]:
        """What a player can fulfil: the cards on the table, the player's own last."""

    @abstractmethod
    def check(
        self, game: G, objective: Objective, positions: Sequence[P], player: int
    ) -> CardResult:
        """How a player does on an objective; `positions` of all boards at the table.

        They are in the order of `Table.instances`; a table that is followed live lacks those of
        kinds that no profile is known of.
        """

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """What is to be asked for a game file of which `data` is known so far."""
        return ()

    @abstractmethod
    def score(self, game: G) -> Score:
        """Count the final score. ValueError where a photograph has not been read yet."""
