"""What a game brings to the pages. A game that brings nothing is asked for by its own questions.

Found by the entry points' group `stargazer.pages`, a `GamePages` by the game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from scorer.places import Place
from webapp.app.game_words import GameWords
from webapp.app.guided_game import GuidedGame
from webapp.app.layout_parts import LayoutEditing
from webapp.app.live_game import LiveGame
from webapp.app.session.board_slots import BOARDS, MOMENT, has_moments, owners

GROUP = "stargazer.pages"
COMPANIONS = ("marker", "board", "checked", "offered", "settled")
"""What a player's seat has that is the companion's own, and in no game file."""

MARKERS = ("teal", "coral", "lime", "violet")
"""The players' own colours where the game gives them none, told apart from the pieces'."""

Document = Mapping[str, Any]
Part = TypeVar("Part")

Link = tuple[str, Mapping[str, str]]
"""An endpoint, and the values that its address needs."""


@dataclass(frozen=True)
class FileParts:
    """A game file's data, taken apart.

    `markers` are the players' colours; `players` and `table` what their seats and the document hold
    of it beside names and boards; `boards` what lies on the boards, owner by owner, by the keys of
    a game file. `unanswered` are the keys of the steps that it has no answer to, None where those
    are the game's questions that it does not answer.
    """

    mode: str
    markers: Sequence[str]
    players: Sequence[Mapping[str, Any]]
    table: Mapping[str, Any]
    boards: Sequence[Mapping[str, Any]]
    unanswered: Collection[str] | None = None


@dataclass(frozen=True)
class Guide:
    """A circle about `centre` mm, or where `radius` is None a closed line through `corners`."""

    centre: tuple[float, float]
    radius: float | None
    corners: tuple[tuple[float, float], ...] = ()
    label: str = ""
    label_at: tuple[float, float] = (0.0, 0.0)

    @property
    def points(self) -> str:
        """The corners as SVG has them."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.corners)


@dataclass(frozen=True)
class Mode:
    """A way to play: the snapshots of a shared board that are wanted, if not all of the table's.

    `again` are the steps to be done again where a game is changed to it. `is_first`: a first game
    is played in it.
    """

    moments: Sequence[str] = ()
    again: Collection[str] = ()
    is_first: bool = False


@dataclass(frozen=True)
class GameSteps:
    """The steps of a game before the photographs, after each player's board, before the score.

    `others` are asked for nowhere any more, and may be changed from the score. `start` are asked
    for before anything else, also where a game is guided or followed live.
    """

    table: Sequence[str] = ()
    players: Sequence[str] = ()
    end: Sequence[str] = ()
    others: Sequence[str] = ()
    start: Sequence[str] = ()

    @property
    def every(self) -> Sequence[str]:
        """All of them."""
        return [*self.start, *self.table, *self.players, *self.end, *self.others]


@dataclass(frozen=True)
class BoardLook:
    """How a board is drawn beside its places, its links and its pieces.

    `guides` are lines beside its links, such as orbits. By their spaces: `rims`, the class of those
    that are not printed plainly, such as `highlighted` (of regions, too), and `signs`, the sprite's
    symbols on those that are empty; `labels` are what is printed on the slots of a track. Links of
    the kinds in `hidden` have no line; pieces among `shapes` are the sprite's `mark-ID`, others
    discs with a letter; `letters` stand instead of the number where a region holds one of a piece.
    `margin` is how many mm around its spaces are drawn, None for the whole board.
    """

    guides: Sequence[Guide] = ()
    rims: Mapping[str, str] = field(default_factory=dict)
    signs: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    hidden: Collection[str] = ()
    shapes: frozenset[str] = frozenset()
    letters: Mapping[str, str] = field(default_factory=dict)
    margin: float | None = None


class GamePages:
    """The steps of a game beside players, photographs, review and score; and how things look.

    Every answer here is drawn from the game itself: a page for each of its questions.

    Beside its class are found Flask blueprints of the game's own pages, in the modules `views` and
    `live.views`, its `LiveGame` in `live` or `live.game`, and its `GuidedGame` in `guide` or
    `guide.game`. Where one has a template of one of these names, it is part of the page:
    `GAME/_line_picture.html` beside a `line` of the score sheet, `GAME/_lesson_table.html` for the
    table of a lesson's `attempt`, `GAME/_photographed.html` about an `owner`'s board on the page of
    the photographs, `GAME/_by_hand.html` about one that is entered by hand; more are named by
    `LiveGame` and `GuidedGame`.
    """

    modes: Mapping[str, Mode] = MappingProxyType({})
    """The ways to play among which who begins a game chooses, the default first."""
    step_pages: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The endpoints of the game's own pages that are about a step, by the step: its own one first.

    A step that is not named has the page of its question.
    """
    layout: LayoutEditing = LayoutEditing()
    """What of a board's layout the editor of boards changes."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        """Draw the pages of `game`."""
        self.game = game

    @final
    @cached_property
    def words(self) -> GameWords:
        """What pages call the game's things."""
        return GameWords(self.game)

    @final
    @cached_property
    def live(self) -> LiveGame:
        """The game's part of a table that is followed live."""
        return self.part(LiveGame, "live", "live.game")(self)

    @final
    @cached_property
    def guided(self) -> GuidedGame | None:
        """The game's part of a guided game; None where it has no turns."""
        if self.game.turns is None:
            return None
        return self.part(GuidedGame, "guide", "guide.game")(self)

    @final
    def modules(self, *names: str) -> Iterator[ModuleType]:
        """Those of these names, such as `live.views`, that there are in the game's package."""
        package = type(self).__module__.rpartition(".")[0]
        for name in () if type(self) is GamePages else names:
            inside = f"{package}.{name}".rpartition(".")[0]
            found = find_spec(inside)
            if found and found.submodule_search_locations and find_spec(f"{package}.{name}"):
                yield import_module(f"{package}.{name}")

    @final
    def part(self, base: type[Part], *names: str) -> type[Part]:
        """The game's own kind of a part, from one of these modules; `base` where it has none."""
        for module in self.modules(*names):
            for own in vars(module).values():
                if isinstance(own, type) and issubclass(own, base) and own is not base:
                    return own
        return base

    @final
    @cached_property
    def markers(self) -> Sequence[str]:
        """The colours of which each player has one: those of their pieces, where they have some."""
        own = dict.fromkeys(piece.owner for piece in self.game.pieces if piece.owner)
        return tuple(own)[: self.game.table.most_players] or MARKERS

    # steps

    def steps(self, document: Document) -> GameSteps:
        """The steps of the game's own: a page for each of its questions."""
        asked = self.game.questions(document)
        return GameSteps(
            [one.id for one in asked if not one.of_each_player and one.id != "mode"],
            [one.id for one in asked if one.of_each_player],
        )

    def seen_questions(self, document: Document) -> Mapping[str, Sequence[Question]]:
        """By their steps, the questions that cards and tokens on the table answer.

        The document holds the answer to each under the question's id.
        """
        own = self.steps(document).every
        return {
            one.id: (one,)
            for one in self.game.questions(document)
            if one.id in own and one.kind in ("one", "some", "order")
        }

    def seen_answers(
        self, document: Document, profile: Profile
    ) -> Mapping[str, Callable[[Document], Document]]:
        """Steps at the end that boards and cards answer without a doubt, and the answers."""
        return {}

    @final
    def endpoint(self, step: str) -> Link:
        """The endpoint of a step's page, and what its address needs beside game and player."""
        own = self.step_pages.get(step)
        return (own[0], {}) if own else ("questions.ask", {"question": step})

    @final
    def has_page(self, endpoint: str, document: Document) -> bool:
        """Whether a document has one of the game's own pages: all but those of other steps."""
        of_step = {page: step for step, pages in self.step_pages.items() for page in pages}
        return endpoint not in of_step or of_step[endpoint] in {
            *self.steps(document).every,
        }

    @final
    def question(self, step: str, document: Document) -> Question:
        """The question that a step asks. KeyError where none is."""
        for question in self.game.questions(document):
            if question.id == step:
                return question
        raise KeyError(step)

    # the document

    def blank(self, mode: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the document of a new game holds beside its players, and each player's seat.

        Beside name, marker and board, that is.
        """
        seat = {} if self.game.table.listed else self.game.pieces_data({})
        return {"format": 1, "game": self.game.id}, seat

    @final
    def moments(self, mode: str) -> Sequence[str]:
        """The table's snapshots of which a board is wanted, where one board is everybody's."""
        played = self.modes.get(mode or next(iter(self.modes), ""), Mode())
        return played.moments or self.game.table.snapshots

    @final
    def with_mode(self, document: Document, mode: str) -> tuple[Document, Collection[str]]:
        """The document in another mode, and the steps that are to be done again for it."""
        if mode not in self.modes or mode == document["mode"]:
            return document, ()
        return {**document, "mode": mode}, self.modes[mode].again

    def game_data(self, document: Document) -> dict[str, Any]:
        """The document as a game file: without what only the companion keeps."""
        ours = {
            *("confirmed", "guided", "lessons", "live", "note", "order", "players", "profile"),
            *("recounts", "table_photograph"),
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
        """A game file's data, checked before, as a document holds it."""
        players = data["players"]
        own = [{key: kept for key, kept in one.items() if key != "photo"} for one in players]
        mode = str(data.get("mode", ""))
        return FileParts(mode, self.markers[: len(players)], own, data, players)

    # what lies on the boards

    @final
    def piece_roles(self, document: Document) -> Mapping[str, str]:
        """As what each piece counts at the document's table; see `scorer.game.Game.piece_roles`."""
        return self.game.piece_roles(self.game_data(document))

    @final
    def pieces_in_play(self, document: Document) -> Sequence[str]:
        """The pieces that may lie on the spots and edges of this game's boards."""
        on_places = {"spot", "edge"}
        kinds = {piece.id: piece.lies_on for piece in self.game.pieces}
        piece_roles = dict.fromkeys(self.piece_roles(document).values())
        return [piece for piece in piece_roles if kinds[piece] & on_places]

    @final
    def rule_breaks(self, document: Document, board: int, position: Any) -> Sequence[RuleBreak]:
        """The rules that a board breaks as it lies, by its number, and after what lay before."""
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
        """The game of a game file, as far as it matters to a board; None while nobody can say."""
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
        """How many points, at most, it changes for anybody what really lies on a doubtful place.

        `doubtful` has the candidates, "" for none. None where the game says nothing of it: what is
        least certain is asked first. A place that changes nothing is not asked.
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

    # how things look and are called

    def picture(self, term: str = "") -> Link | None:
        """A picture of the game; of a word of it, such as a card's, None for none."""
        return None if term else ("static", {"filename": "icon.svg"})

    def look(self, profile: Profile) -> BoardLook:
        """How a board is drawn."""
        return BoardLook()

    def cards(self, profile: Profile, language: str) -> Sequence[Card]:
        """Every card of the game, to be printed."""
        return ()


@cache
def pages_of(game: str) -> GamePages:
    """The pages of a game, by its name. `scorer.registry.UnknownGameError`."""
    if game in registry.names(GROUP):
        found: GamePages = registry.find(GROUP, game)
        return found
    return GamePages(registry.find_game(game))
