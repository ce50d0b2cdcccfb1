"""A game's part of the web pages; by default, pages are derived from the game's questions.

Games register a `GamePages` in the entry point group `stargazer.pages` under the game's id.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar, final

from calibration import Profile
from calibration.cards import Card
from scorer import registry
from scorer.flags import RuleBreak
from scorer.game import Game, Question
from scorer.objective import Objective
from scorer.places import Place
from scorer.table_guide import guide_of
from webapp.app.game_words import GameWords
from webapp.app.guided_game import GuidedGame
from webapp.app.layout_parts import LayoutEditing
from webapp.app.live_game import LiveGame
from webapp.app.session.board_slots import BOARDS, MOMENT, has_moments, owners
from webapp.app.session.board_slots import Document as Document

GROUP = "stargazer.pages"
COMPANIONS = ("marker", "board", "checked", "offered", "settled")
"""Keys of a player's seat that belong to the companion and are left out of game files."""

MARKERS = ("teal", "coral", "lime", "violet")
"""The players' colours in a game that defines none, distinguishable from the pieces' colours."""

Part = TypeVar("Part")

Link = tuple[str, Mapping[str, str]]
"""An endpoint and the values of its URL."""


@dataclass(frozen=True)
class FileParts:
    """A game file's data, split into the parts of a document.

    `players` and `table` hold the data of the seats and of the document other than names, colours
    and boards. `boards` has the pieces of each owner's board, by game-file keys. `unanswered` are
    the keys of steps without an answer; None: the game's questions that it leaves unanswered.
    """

    mode: str
    players: Sequence[Mapping[str, Any]]
    table: Mapping[str, Any]
    boards: Sequence[Mapping[str, Any]]
    unanswered: Collection[str] | None = None


@dataclass(frozen=True)
class Guide:
    """A circle of `radius` around `centre`, or, without a radius, a polygon of `corners` (mm)."""

    centre: tuple[float, float]
    radius: float | None
    corners: tuple[tuple[float, float], ...] = ()
    label: str = ""
    label_at: tuple[float, float] = (0.0, 0.0)

    @property
    def points(self) -> str:
        """The corners as an SVG points attribute."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.corners)


@dataclass(frozen=True)
class Mode:
    """A mode of play; `moments` are the snapshots of a shared board it needs, () for all.

    `again` are the steps to redo when a game is switched to it.
    """

    moments: Sequence[str] = ()
    again: Collection[str] = ()


class AnswersError(ValueError):
    """Answers to a step's `fields` cannot all be right; `problems` says why, by a field's name."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(", ".join(problems.values()))
        self.problems = problems


@dataclass(frozen=True)
class GameSteps:
    """The steps before the photographs, after each player's board, and before the score.

    `start` steps come before everything else, in guided and live games, too. `others` are no longer
    asked, but can be changed from the score.
    """

    table: Sequence[str] = ()
    players: Sequence[str] = ()
    end: Sequence[str] = ()
    others: Sequence[str] = ()
    start: Sequence[str] = ()

    @property
    def every(self) -> Sequence[str]:
        return [*self.start, *self.table, *self.players, *self.end, *self.others]


@dataclass(frozen=True)
class BoardLook:
    """How a board is drawn, other than its spaces, links and pieces.

    `guides` are lines other than links, such as orbits. `rims` maps a space or region to its class,
    such as `highlighted`, if it is not printed plain; `signs` maps an empty space to a symbol of
    the sprite; `labels` are printed on the slots of a track. Link kinds in `hidden` are not drawn.
    Pieces in `shapes` are drawn as the sprite's `mark-ID`, others as discs with a letter. `letters`
    replace the number in a region that holds one kind of piece. `pictures` are drawn instead of a
    piece's disc, its number beside it. A piece in `covers` fills its region, drawn in that class.
    `margin` is the border around the spaces in mm, None for the whole board.
    """

    guides: Sequence[Guide] = ()
    rims: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hidden: Collection[str] = ()
    shapes: frozenset[str] = frozenset()
    letters: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, Link] = field(default_factory=dict)
    covers: Mapping[str, str] = field(default_factory=dict)
    margin: float | None = None


@dataclass(frozen=True)
class Field:
    """A question on a page of several: its name in the form, and the present answer, if any.

    `seat` is the player whom it is about, `card` the card that several questions are about. Only
    the pages of cards show `met`, that the player's board fulfils the card, and `hint`, which asks
    which of several players gets the first option.
    """

    name: str
    question: Question
    answer: Any = None
    seat: int | None = None
    card: Objective | None = None
    met: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Deck:
    """Cards of which one is chosen for each of the labelled `slots`, in their order.

    `name` is the form's field, and by default the document's key, of the ids `chosen`.
    """

    name: str
    title: str
    cards: Sequence[Objective]
    slots: Sequence[str]
    chosen: Sequence[str]
    hint: str = ""

    @cached_property
    def ids(self) -> Collection[str]:
        """The ids of its cards."""
        return frozenset(card.id for card in self.cards)


class GamePages:
    """A game's steps besides players, photographs, review and score, and its appearance.

    The defaults are derived from the game itself: a page for each of its questions.

    In the package of a subclass are looked up: Flask blueprints of the game's own pages in the
    modules `views` and `live.views`, a `LiveGame` in `live` or `live.game`, and a `GuidedGame` in
    `guide` or `guide.game`. Templates of these names are included if they exist:
    `GAME/_line_picture.html` beside a `line` of the score sheet, `GAME/_lesson_beside.html` and
    `GAME/_lesson_on_board.html` for a lesson's `attempt`, `GAME/_lesson_card.html`, how much of a
    lesson's `card` the player has, `GAME/_photographed.html` about an
    `owner`'s board on the photographs page, and `GAME/_by_hand.html` about a board that is entered
    by hand. `LiveGame` and `GuidedGame` list more.
    """

    modes: Mapping[str, Mode] = MappingProxyType({})
    """The modes offered when a game is begun, the default first."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game

    @final
    @cached_property
    def words(self) -> GameWords:
        return GameWords(self.game)

    @final
    @cached_property
    def live(self) -> LiveGame:
        """The game's part of a live table."""
        return self.part(LiveGame, "live", "live.game")(self)

    @final
    @cached_property
    def layout(self) -> LayoutEditing:
        """What the board editor changes in a layout: the `LayoutEditing` in `layout_parts`."""
        found = (own for module in self.modules("layout_parts") for own in vars(module).values())
        return next((own for own in found if isinstance(own, LayoutEditing)), LayoutEditing())

    @final
    @cached_property
    def guided(self) -> GuidedGame | None:
        """The game's part of a guided game; None if it has no turns."""
        if self.game.turns is None:
            return None
        return self.part(GuidedGame, "guide", "guide.game")(self)

    @final
    def modules(self, *names: str) -> Iterator[ModuleType]:
        """Yield the modules of these names, such as `live.views`, that the game's package has."""
        package = type(self).__module__.rpartition(".")[0]
        for name in () if type(self) is GamePages else names:
            inside = f"{package}.{name}".rpartition(".")[0]
            found = find_spec(inside)
            if found and found.submodule_search_locations and find_spec(f"{package}.{name}"):
                yield import_module(f"{package}.{name}")

    @final
    def part(self, base: type[Part], *names: str) -> type[Part]:
        """Return the game's subclass of `base` from the first of these modules; else `base`."""
        for module in self.modules(*names):
            for own in vars(module).values():
                if isinstance(own, type) and issubclass(own, base) and own is not base:
                    return own
        return base

    @final
    @property
    def first_game(self) -> Mapping[str, str]:
        """What a document holds for a beginners' game, such as its `mode`."""
        guide = guide_of(self.game)
        return {} if guide is None else guide.first_game

    @final
    @property
    def first_mode(self) -> str:
        """The mode of a beginners' game; "" for a game that has no modes."""
        return self.first_game.get("mode") or next(iter(self.modes), "")

    @final
    @cached_property
    def markers(self) -> Sequence[str]:
        """The players' colours: those of their pieces if players own pieces, else `MARKERS`."""
        own = dict.fromkeys(piece.owner for piece in self.game.pieces if piece.owner)
        return tuple(own)[: self.game.table.most_players] or MARKERS

    # steps

    def steps(self, document: Document) -> GameSteps:
        """Return the game's own steps; by default one per question."""
        asked = self.game.questions(document)
        return GameSteps(
            [one.id for one in asked if not one.of_each_player and one.id != "mode"],
            [one.id for one in asked if one.of_each_player],
        )

    def decks(self, document: Document) -> Sequence[Deck]:
        """Return the decks that the page of the step `cards` asks for.

        It is headed by the phrase `ask_cards`, and shown by `webapp.web.pages.decks`.
        """
        return ()

    def fields(self, step: str, document: Document) -> Sequence[Field]:
        """Return the questions that a step asks on one page, `webapp.web.pages.questions.together`.

        Its heading is the phrase `page_STEP` or, in one mode, `page_STEP_MODE`.
        """
        return ()

    def with_answers(self, step: str, document: Document, answers: Mapping[str, Any]) -> Document:
        """Return the document with the answers to a step's `fields` or `decks`, by their names.

        Without any, what followed from the boards is forgotten. Raises AnswersError.
        """
        return {**document, **answers}

    @final
    def question(self, step: str, document: Document) -> Question:
        """Return the question that a step asks. Raises KeyError if there is none."""
        for question in self.game.questions(document):
            if question.id == step:
                return question
        raise KeyError(step)

    # the document

    def blank(self, mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the initial document without its players, and the initial seat of each player.

        The seat comes without name, marker and board.
        """
        seat = {} if self.game.table.listed else self.game.pieces_data({})
        return {"format": 1, "game": self.game.id}, seat

    @final
    def moments(self, mode: str) -> Sequence[str]:
        """Return the snapshots for which a shared board is needed."""
        played = self.modes.get(mode or next(iter(self.modes), ""), Mode())
        return played.moments or self.game.table.snapshots

    @final
    def with_mode(self, document: Document, mode: str) -> tuple[Document, Collection[str]]:
        """Return the document in another mode, and the steps that must be redone."""
        if mode not in self.modes or mode == document["mode"]:
            return document, ()
        return {**document, "mode": mode}, self.modes[mode].again

    def game_data(self, document: Document) -> dict[str, Any]:
        """Return the document as a game file, without the companion's own keys."""
        ours = {
            *("confirmed", "guided", "lessons", "live", "note", "order", "players", "profile"),
            *("recounts", "table_photograph", "left_open", "assigned"),
        }
        listed = {
            name: [
                {key: value for key, value in one.items() if key not in own and value is not None}
                for one in document[name]
            ]
            for name, own in (("players", COMPANIONS), (BOARDS, {*COMPANIONS, MOMENT}))
            if name in document
        }
        return {key: value for key, value in document.items() if key not in ours} | listed

    def file_parts(self, data: Mapping[str, Any]) -> FileParts:
        """Split a game file's validated data into the parts of a document."""
        players = data["players"]
        own = [{key: kept for key, kept in one.items() if key != "photo"} for one in players]
        mode = str(data.get("mode", ""))
        return FileParts(mode, own, data, players)

    # the boards

    @final
    def piece_roles(self, document: Document) -> Mapping[str, str]:
        """Return the role of each piece in this game; see `scorer.game.Game.piece_roles`."""
        return self.game.piece_roles(self.game_data(document))

    @final
    def pieces_in_play(self, document: Document) -> Sequence[str]:
        """Return the pieces that can be on the spots and edges of this game's boards."""
        on_places = {"spot", "edge"}
        kinds = {piece.id: piece.lies_on for piece in self.game.pieces}
        piece_roles = dict.fromkeys(self.piece_roles(document).values())
        return [piece for piece in piece_roles if kinds[piece] & on_places]

    @final
    def rule_breaks(self, document: Document, board: int, position: Any) -> Sequence[RuleBreak]:
        """Return the rules that board number `board` breaks, alone or after earlier snapshots."""
        breaks = self.game.rule_breaks(position, self.game_so_far(document, board))
        known = [own for own in owners(document)[:board] if own["board"] is not None]
        if not known or not has_moments(document):
            return breaks
        before = self.game.position_from_data(position.board, known[-1])
        roles, pieces_of = self.piece_roles(document), self.game.pieces_of
        counted = (
            {at: roles.get(piece, piece) for at, piece in pieces_of(one).items()}
            for one in (before, position)
        )
        one, other = (self.game.position(position.board, pieces) for pieces in counted)
        found = self.game.inconsistencies(one, other, board - owners(document).index(known[-1]))
        return (*breaks, *(own.broken for own in found if own.broken is not None))

    def game_so_far(self, document: Document, board: int) -> Any:
        """Return the game as far as scoring a board needs it; None while it is unknown."""
        return None

    @final
    def score_deltas(
        self,
        document: Document,
        board: int,
        profile: Profile,
        pieces: Mapping[Place, str],
        doubtful: Mapping[Place, Sequence[str]],
    ) -> Mapping[Place, float] | None:
        """Return how many points, at most, each doubtful place can change for anybody.

        `doubtful` maps a place to its candidate pieces, "" for none. None if the game cannot say:
        then the least certain place is asked first. Places with 0 are not asked.
        """
        played = self.game_so_far(document, board)
        position = self.game.position(profile.board, pieces)
        found: dict[Place, float] = {}
        for place, candidates in doubtful.items():
            others = {at: piece for at, piece in pieces.items() if at != place}
            found[place] = 0.0
            for piece in candidates:
                changed = {**others, place: piece} if piece else others
                other = self.game.position(profile.board, changed)
                differs = self.game.score_delta(position, other, played)
                if differs is None:
                    return None
                found[place] = max(found[place], differs)
        return found

    # appearance

    def picture(self, term: str = "") -> Link | None:
        """Return a picture of the game, or of a term such as a card; None if there is none."""
        return None if term else ("static", {"filename": "icon.svg"})

    def look(self, profile: Profile) -> BoardLook:
        return BoardLook()

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        return ()


@cache
def pages_of(game: str) -> GamePages:
    """Return a game's pages. Raises `scorer.registry.UnknownGameError`."""
    if game in registry.names(GROUP):
        found: GamePages = registry.find(GROUP, game)
        return found
    return GamePages(registry.find_game(game))
