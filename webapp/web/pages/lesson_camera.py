"""Lessons on a real board: a camera watches it, and what it sees is judged."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.game import Game
from scorer.lesson import Attempt, Judgement
from scorer.table import Pieces
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.live.by_hand import NewEntry, laid_by_hand
from webapp.app.live.reducer import LiveTable, Rules
from webapp.app.session import game_document
from webapp.app.session.board_slots import is_shared
from webapp.app.session.saved_games import GAME_BYTES, NoSuchGameError, SavedGame
from webapp.web import live_messages
from webapp.web.changes import Right, changes
from webapp.web.context import live_service, services
from webapp.web.setup_diff import SetupDiff

blueprint = Blueprint("lesson_camera", __name__, url_prefix="/lessons/camera")

TABLE = "lesson_table"
"""The session key of the game and board used for a browser's lessons."""
MOST_TABLES = 8
HAS_PICTURE = ("watching", "unknown")
"""The states in which a camera has a picture."""
LAST = 200
"""How many games are searched for lesson tables."""


@dataclass(frozen=True)
class WatchedBoard:
    """A board at a live table by number: a seat's, or the shared one."""

    game: SavedGame
    number: int

    @property
    def value(self) -> str:
        return f"{self.game.id}.{self.number}"

    @property
    def name(self) -> str:
        names = [str(player["name"]) for player in self.game.document["players"]]
        everybodys = is_shared(self.game.document) and not _is_for_lessons(self.game)
        return ", ".join(names) if everybodys else names[self.number]

    @property
    def cameras(self) -> tuple[str, str]:
        """The status of its cameras, from `live_messages.format_cameras`."""
        return live_messages.format_cameras(live_service().workers.of(self.game.id))

    @property
    def is_looked_for(self) -> bool:
        """Whether a camera has a picture, but no board is in it."""
        cameras = [
            one for one in live_service().workers.of(self.game.id) if one.state in HAS_PICTURE
        ]
        return bool(cameras) and not any(one.boards for one in cameras)


@blueprint.post("")
@changes(Right.ANYBODY)
def choose() -> ResponseReturnValue:
    """Choose a camera's board for lessons, or taps.

    `board` is the game's id and the board's number; "new" sets up a lesson table, "" chooses taps.
    """
    chosen = request.form.get("board", "")
    kind = _kind_of_game()
    if chosen == "new":
        mine = watched(kind)
        game = mine.game if mine is not None and _is_for_lessons(mine.game) else _new_table(kind)
        session[TABLE] = f"{game.id}.0"
        return redirect(url_for("live_cameras.cameras", game_id=game.id), 303)
    if not chosen:
        session.pop(TABLE, None)
    elif chosen in [board.value for board in boards(kind)]:
        session[TABLE] = chosen
    else:
        abort(422, "no such board")
    back = request.form.get("lesson", "")
    if back:
        return redirect(url_for("lessons.lesson", game_name=kind.id, lesson_id=back), 303)
    return redirect(url_for("lessons.show", game_name=kind.id), 303)


def boards(kind: Game[Any, Any, Any]) -> Sequence[WatchedBoard]:
    """Return the boards of a kind of game at live tables."""
    every = services().games.recent(50, lessons=True)
    recent = [game for game in every if game.document["game"] == kind.id]
    chosen = watched(kind)  # possibly a new table without any entries
    followed = live_service().being_played(recent) | ({chosen.game.id} if chosen else set())
    return [
        WatchedBoard(game, number)
        for game in [game for game in recent if game.id in followed][:MOST_TABLES]
        for number in range(_count(game))
    ]


def watched(kind: Game[Any, Any, Any]) -> WatchedBoard | None:
    """Return the board used for this browser's lessons of a game; None for taps."""
    game_id, _dot, number = str(session.get(TABLE, "")).rpartition(".")
    try:
        game = services().games.open(game_id)
    except NoSuchGameError:
        return None
    is_there = game.document["game"] == kind.id and number in map(str, range(_count(game)))
    return WatchedBoard(game, int(number)) if is_there else None


def is_lesson_table(game_id: str) -> bool:
    """Return whether a game is the table of this browser's lessons."""
    return str(session.get(TABLE, "")).startswith(f"{game_id}.")


def look(
    attempt: Attempt[Any, Any], board: WatchedBoard, chosen: str, was_laid: bool
) -> tuple[Judgement[Any, Any] | None, SetupDiff | None]:
    """Judge the real board: return a judgement of what is new, or what to set up first.

    Both are None if it matches the lesson. `chosen` is the learner's choice on the page. Mistakes
    do not count as a try before the lesson's board was set up (`was_laid`). Raises BusyError.
    """
    position = live_service().table(board.game).positions[board.number]
    with suppress(ValueError):
        judged = attempt.look(position, chosen)
        if judged is None or judged.outcome != "wrong" or was_laid:
            return judged, None
    wanted, pieces = _wanted(attempt, board), _pages(board).game.pieces_of(position)
    return None, SetupDiff.of(_pages(board).game, wanted, pieces)


def lay(attempt: Attempt[Any, Any], board: WatchedBoard) -> None:
    """Accept that the board matches the lesson, whatever a camera saw.

    Raises BusyError and LogFullError.
    """

    def tell(_game: SavedGame, _rules: Rules, table: LiveTable, _log: object) -> Sequence[NewEntry]:
        pieces = _pages(board).game.pieces_of(table.positions[board.number])
        return list(laid_by_hand(board.number, _wanted(attempt, board), pieces))

    live_service().tell_of(board.game.id, tell, None)


def _wanted(attempt: Attempt[Any, Any], board: WatchedBoard) -> Pieces:
    """Return the lesson's pieces, as far as the board has their places."""
    places = live_service().rules(board.game).profile.places
    wanted = _pages(board).game.pieces_of(attempt.course.position_of(attempt.state))
    return {place: piece for place, piece in wanted.items() if place.whole in places}


def _pages(board: WatchedBoard) -> GamePages:
    return pages_of(board.game.document["game"])


def _count(game: SavedGame) -> int:
    """Return the number of boards at a table."""
    return 1 if is_shared(game.document) else len(game.document["players"])


def _is_for_lessons(game: SavedGame) -> bool:
    return bool(game.document.get(game_document.LESSONS))


def _kind_of_game() -> Game[Any, Any, Any]:
    """Return the game of the lessons; the default's if the form names none."""
    name = request.form.get("game") or services().boards.default.layout.game
    if name not in services().boards.games or pages_of(name).game.course is None:
        abort(422, "no game with lessons")
    return pages_of(name).game


def _learners(pages: GamePages) -> Sequence[str]:
    """Return the markers of the players in lessons, the learner's first."""
    course, owners = pages.game.course, {one.id: one.owner for one in pages.game.pieces}
    assert course is not None
    if not pages.game.table.shared:
        return pages.markers[:1]
    starts = [course.position_of(lesson.start) for lesson in course.lessons]
    laid = [owners[own] for start in starts for own in pages.game.pieces_of(start).values()]
    fewest = pages.markers[: pages.game.table.fewest_players]
    return [*dict.fromkeys([pages.markers[0], *filter(None, laid), *fewest])]


def _new_table(kind: Game[Any, Any, Any]) -> SavedGame:
    """Set up a lesson table with all players of the lessons, deleting the oldest tables."""
    services().storage.take(GAME_BYTES)
    tables = [game for game in services().games.recent(LAST, lessons=True) if _is_for_lessons(game)]
    for old in tables[MOST_TABLES - 1 :]:
        services().games.delete(old.id)
    pages = pages_of(kind.id)
    learner, *others = _learners(pages)
    players = [(_("Lessons"), learner), *((pages.words.marker(one), one) for one in others)]
    document = game_document.new_game(players, next(iter(pages.modes), ""), pages.game.id)
    game = services().games.create({**document, game_document.LESSONS: True})
    live_service().follow(game)
    return services().games.open(game.id)
