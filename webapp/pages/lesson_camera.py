"""The real board as the one that a lesson is tried on: what a camera at a table sees is judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from scorer.game import Game
from scorer.lesson import Attempt, Judgement
from scorer.places import Place
from webapp import game_document
from webapp.games import pages_of
from webapp.live.service import live
from webapp.saved_games import GAME_BYTES, NoSuchGameError, SavedGame
from webapp.services import services

blueprint = Blueprint("lesson_camera", __name__, url_prefix="/lessons/camera")

TABLE = "lesson_table"
"""What the session keeps of a browser whose lessons a camera watches: the game and the seat."""
MOST_TABLES = 8
LAST = 200
"""How far back tables for lessons are looked for."""


@dataclass(frozen=True)
class WatchedBoard:
    """A seat's board at a table that is followed live."""

    game: SavedGame
    seat: int

    @property
    def value(self) -> str:
        """How a form names it."""
        return f"{self.game.id}.{self.seat}"

    @property
    def name(self) -> str:
        """Whose it is."""
        return str(self.game.document["players"][self.seat]["name"])


@dataclass(frozen=True)
class Laid:
    """How the board lies beside what the lesson has: pieces that are missing, or others there."""

    differs: tuple[Place, ...] = ()

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces among them."""
        return tuple(place.id for place in self.differs if place.kind == "spot")


@blueprint.post("")
def choose() -> ResponseReturnValue:
    """Have lessons judged by what lies on a board that a camera sees, or by taps again.

    `board` is the game's id and the seat; "new" sets up a table for lessons alone, "" none.
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


def is_watched(game: Game[Any, Any, Any]) -> bool:
    """Say whether a camera can watch the boards of a game's lessons: those that are a player's."""
    return not game.table.shared


def boards(kind: Game[Any, Any, Any]) -> Sequence[WatchedBoard]:
    """Return the boards at tables that are followed live, of a kind of game."""
    every = services().games.recent(50, lessons=True)
    recent = [game for game in every if game.document["game"] == kind.id]
    chosen = watched(kind)  # a new table, perhaps, at which no camera has seen anything yet
    followed = live().being_played(recent) | ({chosen.game.id} if chosen else set())
    return [
        WatchedBoard(game, seat)
        for game in [game for game in recent if game.id in followed][:MOST_TABLES]
        for seat in range(len(game.document["players"]))
    ]


def watched(kind: Game[Any, Any, Any]) -> WatchedBoard | None:
    """Return the board that this browser's lessons of a game are tried on; None for taps."""
    game_id, _dot, seat = str(session.get(TABLE, "")).rpartition(".")
    try:
        game = services().games.open(game_id)
    except NoSuchGameError:
        return None
    number = int(seat) if seat.isdecimal() else -1
    is_there = game.document["game"] == kind.id and 0 <= number < len(game.document["players"])
    return WatchedBoard(game, number) if is_there else None


def is_lesson_table(game_id: str) -> bool:
    """Say whether a game's table is the one that the lessons of this browser are tried on."""
    return str(session.get(TABLE, "")).startswith(f"{game_id}.")


def look(
    attempt: Attempt[Any, Any], board: WatchedBoard
) -> tuple[Judgement[Any, Any] | None, Laid | None]:
    """Judge what lies there: a judgement of what is new, or how it is to be laid first.

    Neither where it lies as the lesson has it. Raises BusyError.
    """
    position = live().table(board.game).positions[board.seat]
    try:
        return attempt.look(position), None
    except ValueError:
        game = pages_of(board.game.document["game"]).game
        seen = game.pieces_of(position)
        wanted = game.pieces_of(attempt.course.position_of(attempt.state))
        places = dict.fromkeys((*wanted, *seen))
        differs = [place for place in places if wanted.get(place) != seen.get(place)]
        return None, Laid(tuple(differs))


def _is_for_lessons(game: SavedGame) -> bool:
    return bool(game.document.get(game_document.LESSONS))


def _kind_of_game() -> Game[Any, Any, Any]:
    """The kind of game whose lessons are meant: the default's where a form does not say it."""
    name = request.form.get("game") or services().boards.default.layout.game
    if name not in services().boards.games or not is_watched(pages_of(name).game):
        abort(422, "no camera watches such a game")
    return pages_of(name).game


def _new_table(kind: Game[Any, Any, Any]) -> SavedGame:
    """Set up a table of one player, for lessons; that of long ago gives way to it."""
    services().storage.take(GAME_BYTES)
    tables = [game for game in services().games.recent(LAST, lessons=True) if _is_for_lessons(game)]
    for old in tables[MOST_TABLES - 1 :]:
        services().games.delete(old.id)
    pages = pages_of(kind.id)
    mode = next(iter(pages.modes), "")
    name = _("Lessons")
    document = game_document.new_game([(name, pages.markers[0])], mode, pages.game.id)
    game = services().games.create({**document, game_document.LESSONS: True})
    live().follow(game)
    return services().games.open(game.id)
