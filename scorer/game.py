"""The contract that every game implements, and the only view of a game that other rooms have.

Vision asks it for places, pieces and priors; calibration for the board of a layout; pages and
terminal for objectives, questions and the score. A new game is a subclass of `Game` in its own
folder, registered under the entry point group `stargazer.games` (`scorer.registry`).
CONTRIBUTING.md goes through it step by step, and `tests/games/` has a complete minimal game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from sys import modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, final

from scorer.flags import Flag, RuleBreak
from scorer.objective import CardResult, Objective
from scorer.places import FieldReader, Place, PrintedBoard
from scorer.scoresheet import Score
from scorer.sentence import Phrasebook, Sentence
from scorer.table import Piece, Pieces, Table
from scorer.topology import Topology
from scorer.turns import Advisor, Turns

if TYPE_CHECKING:  # both depend on this module
    from scorer.glossary import Term
    from scorer.lesson import Course
    from scorer.playing import Records


def imported(name: str) -> Any:
    """A class attribute that is imported on first use, such as `package.module:NAME`.

    A game's turns and computer player are, as scoring needs neither, and what reads its files, as
    pydantic is slow to import.
    """
    return cached_property(lambda _owner: resolve_name(name))


@dataclass(frozen=True)
class Option:
    """One answer to a question: its id in the game file, and its text."""

    id: str
    text: Sentence | str


@dataclass(frozen=True)
class Question:
    """A question about what no camera sees; `id` is the key of its answer in the game file.

    `kind`: one of the options, some of them, all that apply in order, a number from `least` to
    `most`, or a date (ISO 8601 text; `least` and `most` are `datetime.date.toordinal`, the options
    are suggestions). Otherwise `least` and `most` bound how many options are chosen.
    `of_each_player`: the answer is stored with each player instead of the game. `secret`: nobody
    else may see it before the end.

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
    """A photograph that a game file asks for, with its file name, "" if it has none.

    `player` is "" for a shared board, `snapshot` "" at a table with a single moment. `board` is the
    kind of board in the photograph, "" for the table's first.
    """

    player: str
    photo: str
    snapshot: str = ""
    board: str = ""


@dataclass(frozen=True)
class Inconsistency:
    """Evidence that one position cannot have followed another.

    A `weight` of 1 is worth a question; a likely misreading weighs less. `instead` is the place and
    piece to correct if the later position alone was misread. `broken` is the rule that the later
    position breaks if it was read correctly.
    """

    reason: Sentence | str
    weight: float = 1.0
    instead: tuple[Place, str] | None = None
    broken: RuleBreak | None = None


def _packages(game: type) -> Iterator[str]:
    """The packages of a game's class and of its base classes, without this one."""
    for one in game.__mro__:
        package = getattr(modules.get(one.__module__), "__package__", "")
        if package not in ("", __package__):
            yield package


def _companion_module(game: type, name: str) -> ModuleType | None:
    """The module `name` of a game's package; None if there is none."""
    found = (f"{package}.{name}" for package in _packages(game))
    return next((import_module(module) for module in found if find_spec(module)), None)


B = TypeVar("B", bound=Topology)
P = TypeVar("P")
G = TypeVar("G")


class Game(ABC, Generic[B, P, G]):
    """A game: `B` is the type of its board, `P` of a position, `G` of a game file after reading.

    >>> from scorer.registry import find_game, names
    >>> games = [find_game(name) for name in names()]
    >>> empty_boards = [game.position(game.standard_board, {}) for game in games]
    >>> [game.pieces_of(empty) for game, empty in zip(games, empty_boards)][0]
    {}
    """

    id: ClassVar[str]
    pieces: ClassVar[tuple[Piece, ...]]
    table: ClassVar[Table]

    @property
    def turns(self) -> Turns[Any, Any] | None:
        """How the game is played; None if only a position can be scored."""
        return None

    @property
    def advisor(self) -> Advisor[Any, Any] | None:
        """The computer player, which also advises; None if the game has none, or no turns."""
        return None

    @final
    @cached_property
    def words(self) -> Phrasebook:
        """The phrases of `words.yaml` in the game's package: names of pieces, and texts of pages.

        `webapp/app/game_words.py` lists the keys.
        """
        return Phrasebook.of_class(type(self))

    @final
    @property
    def title(self) -> Sentence:
        """The game's name: the phrase `title` of `words`."""
        return self.words.say("title")

    @final
    @cached_property
    def categories(self) -> Mapping[str, Sentence]:
        """The names of the categories of score lines, in the order of the score sheet.

        They are the phrases `category_ID` of `words`, in their order there.
        """
        return self.words.of_kind("category")

    @final
    @cached_property
    def course(self) -> "Course[Any, Any] | None":
        """The lessons: the `Course` in the module `course` of the game's package, if any."""
        from scorer.lesson import Course

        module = _companion_module(type(self), "course")
        of_game = () if module is None else vars(module).values()
        found = [own for own in of_game if isinstance(own, type) and issubclass(own, Course)]
        return next((own(self) for own in found if own is not Course), None)

    @cached_property
    def records(self) -> "Records | None":
        """How whole games are simulated, written and replayed; None for a game without turns."""
        from scorer.playing import ActionRecords

        return None if self.turns is None else ActionRecords(self)

    @final
    @cached_property
    def glossary(self) -> "Sequence[Term]":
        """The game's terms, explained: `glossary.yaml` of its package.

        Those of cards, from `card_terms` of a module `glossary` in the package, follow.
        """
        from scorer.glossary import GLOSSARY, read_terms

        module = _companion_module(type(self), "glossary")
        cards: Sequence[Term] = () if module is None else module.card_terms()
        for package in _packages(type(self)):
            if files(package).joinpath(GLOSSARY).is_file():
                example = partial(self.position_from_data, self.standard_board)
                return read_terms(package, example, cards)
        return cards

    # the board and its places

    @final
    @property
    def standard_board(self) -> B:
        """The standard board of the table's first kind."""
        return self.standard_board_of("")

    @final
    def standard_board_of(self, kind: str) -> B:
        """The standard board of a kind; "" names the first one."""
        board: B = self.table.kind(kind).standard
        return board

    @final
    def board_of(self, kind: str, board: B) -> B:
        """The board of a kind at a table with `board`: `board` itself if it is of that kind.

        "" names the only kind of a game that has one.
        """
        own = kind in ("", getattr(board, "kind", ""))
        return board if own else self.standard_board_of(kind)

    @abstractmethod
    def read_printed(self, fields: FieldReader) -> PrintedBoard | None:
        """The board of a layout's fields and the shapes of its places; None if any are wrong.

        Every mistake is noted with `fields`, including rules of the game that the board breaks.
        """

    @abstractmethod
    def printed_data(self, printed: PrintedBoard) -> dict[str, Any]:
        """The fields of a layout, as `read_printed` reads them."""

    def admits(self, place: Place) -> tuple[str, ...]:
        """The pieces that may be on a place: by default those that lie on its kind."""
        return tuple(piece.id for piece in self.pieces if place.kind in piece.lies_on)

    @final
    def piece_roles(self, data: Mapping[str, Any]) -> Mapping[str, str]:
        """What each piece counts as at a table, from the `data` of a game file known so far.

        A piece that is left out is not in play: a camera that sees it is mistaken. Each counts as
        itself until all colours in play are known.
        """
        played = [player.get("colour") for player in data.get("players") or ()]
        count, owners = len(played), {piece.owner for piece in self.pieces} - {""}
        if not played or count < self.table.fewest_players or not owners.issuperset(played):
            return {piece.id: piece.id for piece in self.pieces}
        for_others = [piece.id for piece in self.pieces if piece.stands_in == count]
        roles: dict[str, str] = {}
        for piece in self.pieces:
            if piece.owner in ("", *played) and piece.stands_in in (0, count):
                roles[piece.id] = piece.id
            elif for_others and piece.owner:
                roles[piece.id] = for_others[0]
        return roles

    @final
    def pile_heights(
        self, covered: Mapping[str, bool], roles: Mapping[str, str] | None
    ) -> Mapping[str, Sequence[int]]:
        """The possible numbers of pieces on piles that are not empty, by region.

        `covered` are the regions seen, true if a piece is surely there; `roles` is the result of
        `piece_roles`, None if unknown. All colours are also in play where nobody has said who
        plays.
        """
        if self.table.piles is None:
            return {}
        owners = {piece.owner for piece in self.pieces} - {""}
        playing = {piece.owner for piece in self.pieces if piece.id in (roles or ())} - {""}
        return self.table.piles.heights(covered, len(playing) if playing < owners else None)

    def place_name(self, board: B, place: str, language: str = "en") -> str:
        """What players call a space, a link or a track; its id if `words` has no name."""
        return self.words.word(place, language)

    def spoken_place(self, board: B, place: str, language: str = "en") -> str:
        """How somebody pointing at a space or a link describes it: by its print, not by its id."""
        return self.place_name(board, place, language)

    @final
    def piece_name(self, piece: str, language: str = "en", count: int = 1) -> str:
        """What players call so many of a piece; its id if `words` has no name."""
        return self.words.word(piece, language, count)

    # positions

    @abstractmethod
    def position(self, board: B, pieces: Pieces) -> P:
        """The position of these pieces, legal or not. ValueError if `board` cannot hold it."""

    @abstractmethod
    def pieces_of(self, position: P) -> dict[Place, str]:
        """The pieces of a position by place."""

    @abstractmethod
    def pieces_data(self, pieces: Pieces) -> dict[str, Any]:
        """The keys in which a game file holds pieces, such as `stars`, in the order given.

        The keys are the same for every position.
        """

    @final
    def position_data(self, position: P) -> dict[str, Any]:
        """`pieces_data` of a position."""
        return self.pieces_data(self.pieces_of(position))

    @abstractmethod
    def position_from_data(self, board: B, data: Mapping[str, Any]) -> P:
        """The position in a game file's keys. Raise ValueError if `board` cannot hold it."""

    @abstractmethod
    def rule_breaks(self, position: P, game: G | None = None) -> tuple[RuleBreak, ...]:
        """The rules that a position breaks.

        Rules that depend on who plays are checked only if a game is given.
        """

    def score_delta(self, one: P, other: P, game: G | None = None) -> float | None:
        """The largest difference in anybody's result between two positions, in points.

        0 if it does not matter which is right, and nobody need be asked; None if unknown. Without a
        game file, whatever may be on the table counts.
        """
        return None

    def inconsistencies(self, earlier: P, later: P, apart: int) -> Sequence[Inconsistency]:
        """Evidence that `later` cannot have followed `earlier`, `apart` moments before, on a board.

        Moments are those of a shared table with photographs.
        """
        return ()

    def log_prior(self, board: B, pieces: Mapping[str, str], space: str) -> Mapping[str, float]:
        """The log prior of each piece on a space given the other `pieces`, by the ids of spots.

        Players seldom break a rule: a break costs enough to settle a tie, and too little to
        overrule clear evidence. A missing piece has a log prior of 0. {"red": -1.5} makes a red
        piece less likely.
        """
        return {}

    # a game file, its objectives and its score

    @abstractmethod
    def game_from_data(self, data: object, board: B, folder: Path | None = None) -> G:
        """The game of a game file's data. Raise DataFileError with every mistake in it.

        Files that it names are looked for in `folder`, and only if one is given: data from the
        network must not make the program read files.
        """

    @abstractmethod
    def game_data(self, game: G) -> dict[str, Any]:
        """The data of a game file, as `game_from_data` reads it."""

    @final
    def player_names(self, game: G) -> tuple[str, ...]:
        """The names of the players in the order of the game file."""
        return tuple(str(player["name"]) for player in self.game_data(game)["players"])

    @abstractmethod
    def positions(self, game: G) -> Mapping[WantedPhoto, P | None]:
        """The position of each board at each moment, in order, with its photograph if any.

        None if it is unknown.
        """

    @final
    def wanted_photos(self, game: G) -> tuple[WantedPhoto, ...]:
        """The photographs that are still to be read."""
        every = self.positions(game).items()
        return tuple(one for one, lies in every if lies is None and one.photo)

    @abstractmethod
    def with_position(
        self, game: G, wanted: WantedPhoto, position: P, flags: Sequence[Flag] = ()
    ) -> G:
        """The game with a photograph read: its position, and the flags of the reading.

        Raise ValueError with a readable message if the game cannot hold the position.
        """

    @final
    def at_moments(self, game: G) -> Mapping[str, P | None]:
        """The position at each moment of a shared table, in order; None if unknown."""
        is_unnamed = len(self.table.snapshots) == 1
        every = {} if is_unnamed else self.positions(game)
        lying = {one.snapshot: lies for one, lies in every.items()}
        same = self.table.same
        return {name: lies for name, lies in lying.items() if same.get(name) not in lying}

    @abstractmethod
    def objectives(self, game: G, player: int) -> tuple[Objective, ...]:
        """The cards that a player can fulfil: those on the table, then the player's own."""

    @abstractmethod
    def check(
        self, game: G, objective: Objective, positions: Sequence[P], player: int
    ) -> CardResult:
        """How a player does on an objective, given the `positions` of all boards at the table.

        They are in the order of `Table.instances`; a live table lacks boards of kinds without a
        known profile.
        """

    def questions(self, data: Mapping[str, Any]) -> tuple[Question, ...]:
        """The questions to ask for a game file of which `data` is known so far."""
        return ()

    @abstractmethod
    def score(self, game: G) -> Score:
        """The final score. Raise ValueError if a photograph has not been read yet."""
