"""What a game brings to the pages. A game that brings nothing is asked for by its own questions.

Found by the entry points' group `stargazer.pages`, a `GamePages` by the game's name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, final

from calibration import Profile
from scorer import registry
from scorer.flags import RuleBreak
from scorer.game import Game, Question
from scorer.places import Place
from scorer.scoresheet import Line
from webapp.app.game_words import GameWords
from webapp.app.guided_game import GuidedGame
from webapp.app.layout_parts import LayoutPart
from webapp.app.live_game import LiveGame
from webapp.app.session.board_slots import BOARDS, MOMENT

if TYPE_CHECKING:  # flow asks a game's pages for its steps
    from webapp.app.session.flow import Step

GROUP = "stargazer.pages"
COMPANIONS = ("marker", "board", "checked", "offered", "settled")
"""What a player's seat has that is the companion's own, and in no game file."""

MARKERS = ("teal", "coral", "lime", "violet")
"""The players' own colours where the game gives them none, told apart from the pieces'."""

Document = Mapping[str, Any]

Link = tuple[str, Mapping[str, str]]
"""An endpoint, and the values that its address needs."""


@dataclass(frozen=True)
class FileParts:
    """A game file's data, taken apart.

    `markers` are the players' colours; `players` and `table` what their seats and the document hold
    of it beside names and boards; `boards` what lies on the boards, owner by owner, by the keys of
    a game file.
    """

    mode: str
    markers: Sequence[str]
    players: Sequence[Mapping[str, Any]]
    table: Mapping[str, Any]
    boards: Sequence[Mapping[str, Any]]


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


class GamePages:
    """The steps of a game beside players, photographs, review and score; and how things look.

    Every answer here is drawn from the game itself: a page for each of its questions.

    Where a blueprint of the game has a template of one of these names, it is part of the page:
    `GAME/_line_picture.html` beside a `line` of the score sheet, `GAME/_lesson_table.html` for the
    table of a lesson's `attempt`, `GAME/_photographed.html` about an `owner`'s board on the page of
    the photographs; more are named by `LiveGame` and `GuidedGame`.
    """

    blueprints: tuple[str, ...] = ()
    """The Flask blueprints of the game's own pages, each as "package.module:name"."""
    modes: tuple[str, ...] = ()
    """The ways to play among which who begins a game chooses."""
    drawn_pieces: frozenset[str] = frozenset()
    """Pieces that the pages' sprite has a shape for, `mark-ID`; others are discs with a letter."""
    hidden_links: frozenset[str] = frozenset()
    """Kinds of links that no line shows."""
    margin: float | None = None
    """How many mm around its spaces are drawn of a board; None for the whole of it."""
    step_pages: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The endpoints of the game's own pages that are about a step, by the step: its own one first.

    A step that is not named has the page of its question.
    """
    markers: tuple[str, ...] = MARKERS
    """The colours of which each player has one."""

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        """Draw the pages of `game`."""
        self.game = game

    @final
    @cached_property
    def words(self) -> GameWords:
        """What pages call the game's things."""
        return GameWords(self.game)

    @cached_property
    def live(self) -> LiveGame:
        """The game's part of a table that is followed live."""
        return LiveGame(self)

    @cached_property
    def guided(self) -> GuidedGame | None:
        """The game's part of a guided game; None where it has no turns."""
        return None if self.game.turns is None else GuidedGame(self)

    # steps

    def table_steps(self, document: Document) -> Sequence[str]:
        """The steps before the photographs."""
        asked = self.game.questions(document)
        return [one.id for one in asked if not one.of_each_player and one.id != "mode"]

    def player_steps(self, document: Document) -> Sequence[str]:
        """The steps after the review of each player's board."""
        return [one.id for one in self.game.questions(document) if one.of_each_player]

    def end_steps(self, document: Document) -> Sequence[str]:
        """The steps before the score."""
        return ()

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
            *self.table_steps(document),
            *self.player_steps(document),
            *self.end_steps(document),
            *(step.name for step in self.corrections(document, 0)),
        }

    @final
    def question(self, step: str, document: Document) -> Question:
        """The question that a step asks. KeyError where none is."""
        for question in self.game.questions(document):
            if question.id == step:
                return question
        raise KeyError(step)

    # the document

    def new_document(self, mode: str) -> dict[str, Any]:
        """What the document of a new game holds beside its players."""
        return {"format": 1, "game": self.game.id}

    def new_seat(self) -> dict[str, Any]:
        """What a new player's seat holds beside name, marker and board."""
        return {} if self.game.table.listed else self.game.pieces_data({})

    def moments(self, mode: str) -> Sequence[str]:
        """The table's snapshots of which a board is wanted, where one board is everybody's."""
        return self.game.table.snapshots

    def with_mode(self, document: Document, mode: str) -> tuple[Document, set[str]]:
        """The document in another mode, and the steps that are to be done again for it."""
        return document, set()

    def unanswered(self, data: Mapping[str, Any]) -> Collection[str]:
        """The keys of the steps that a game file's data has no answer to."""
        asked = self.game.questions(data)
        of_table = [one.id for one in asked if not one.of_each_player]
        of_players = [one.id for one in asked if one.of_each_player]
        return [id for id in of_table if id.partition(".")[0] not in data] + [
            f"{id}-{seat}"
            for seat, player in enumerate(data["players"])
            for id in of_players
            if player.get(id) is None
        ]

    def game_data(self, document: Document) -> dict[str, Any]:
        """The document as a game file: without what only the companion keeps."""
        ours = {
            *("confirmed", "guided", "lessons", "live", "note", "order", "players", "profile"),
            "recounts",
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
        lying_there = {"spot", "edge"}
        kinds = {piece.id: piece.lies_on for piece in self.game.pieces}
        piece_roles = dict.fromkeys(self.piece_roles(document).values())
        return [piece for piece in piece_roles if kinds[piece] & lying_there]

    def lying_before(self, document: Document, board: int) -> Mapping[str, Any]:
        """What an empty board has on it when its entry by hand begins, by a game file's keys."""
        return {}

    def rule_breaks(self, document: Document, board: int, position: Any) -> Sequence[RuleBreak]:
        """The rules that a board breaks as it lies, by its number."""
        return self.game.rule_breaks(position)

    def unscorable(self, document: Document, board: int, profile: Profile) -> Sequence[RuleBreak]:
        """The broken rules of a board, by its number, with which nothing can be counted."""
        return ()

    def game_so_far(self, document: Document, board: int) -> Any:
        """The game of a game file, as far as it matters to a board; None while nobody can say."""
        return None

    @final
    def stakes(
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
                lying = {**others, place: piece} if piece else others
                other = self.game.position(profile.board, lying)
                differs = self.game.score_delta(position, other, played)
                if differs is None:
                    return None
                found[place] = max(found[place], differs)
        return found

    def board_of_line(self, document: Document, line: Line, board: int) -> int:
        """The number of the board that shows what a line is about, `board` being the player's."""
        return board

    # a board's layout, as the editor of boards changes it

    def layout_parts(self) -> Sequence[LayoutPart]:
        """What of a layout is changed beside where its spaces are, in the order of the tools."""
        return ()

    def layout_written_out(self, layout: Mapping[str, Any]) -> dict[str, Any]:
        """A layout's data with each of those parts in it."""
        return dict(layout)

    def layout_in_short(self, layout: Mapping[str, Any]) -> dict[str, Any]:
        """The same as a layout file is best written."""
        return dict(layout)

    # how things look and are called

    @property
    def picture(self) -> Link:
        """A picture of the game."""
        return "static", {"filename": "icon.svg"}

    def corrections(self, document: Document, player: int) -> Sequence[Step]:
        """Steps that a score sheet leads back to, where `change_STEP` says so."""
        from webapp.app.session.flow import Step  # which asks a game's pages for its steps

        steps = [Step(step, player) for step in self.player_steps(document)]
        steps += [Step(step) for step in self.end_steps(document)]
        return [step for step in steps if self.words.say(f"change_{step.name}")]

    def term_picture(self, term: str) -> Link | None:
        """A picture of a word of the game, such as a card's; None for none."""
        return None

    def guides(self, profile: Profile) -> Sequence[Guide]:
        """Lines that a board is drawn with beside its links, such as orbits."""
        return ()

    def highlighted(self, profile: Profile) -> Collection[str]:
        """Spaces that are printed with a rim of their own."""
        return ()

    def rims(self, profile: Profile) -> Mapping[str, str]:
        """How spaces are printed that are not plain: the class of a rim, by the space."""
        return {}

    def slot_labels(self, profile: Profile) -> Mapping[str, Sequence[str]]:
        """What is printed on the slots of each track."""
        return {}

    def sign(self, region: str) -> str:
        """The sprite's symbol on the empty spaces of a region, "" for none."""
        return ""


@cache
def pages_of(game: str) -> GamePages:
    """The pages of a game, by its name. `scorer.registry.UnknownGameError`."""
    if game in registry.names(GROUP):
        found: GamePages = registry.find(GROUP, game)
        return found
    return GamePages(registry.find_game(game))
