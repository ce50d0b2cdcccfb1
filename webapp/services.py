"""What the pages work with: the games, the photographs, and the queue that has them read."""

import shutil
from dataclasses import dataclass
from datetime import timedelta

from flask import current_app, g, has_request_context, request

from calibration import Profile
from webapp.backup.backups import Backups
from webapp.drafts import Drafts
from webapp.known_boards import BoardGoneError, KnownBoards
from webapp.lesson_progress import LessonProgress
from webapp.photographs import Photographs
from webapp.reading_process import RunJob
from webapp.reading_queue import ReadingQueue
from webapp.saved_games import GRACE, Games, NoSuchGameError
from webapp.seen_stars import SeenStars
from webapp.settings import Settings
from webapp.shelf.shelf import Shelf
from webapp.star_lessons import StarLessons
from webapp.storage import Storage


@dataclass(frozen=True)
class Services:
    """What one server's pages share, made when it starts."""

    settings: Settings
    games: Games
    photographs: Photographs
    reading_queue: ReadingQueue
    boards: KnownBoards
    storage: Storage
    run_job: RunJob
    drafts: Drafts
    seen_stars: SeenStars
    shelf: Shelf
    star_lessons: StarLessons
    backups: Backups
    lesson_progress: LessonProgress

    @property
    def profile(self) -> Profile:
        """The board of the game that the current request is about, the default where none is.

        It is looked for once a request: a page asks for it with each space that it names.
        """
        if not has_request_context():
            return self.boards.default
        if "board" not in g:
            game_id = (request.view_args or {}).get("game_id")
            g.board = self.boards.default if game_id is None else self._board_of(game_id)
        found: Profile = g.board
        return found

    def _board_of(self, game_id: str) -> Profile:
        try:
            return self.boards.of(self.games.open(game_id).document)
        except (NoSuchGameError, BoardGoneError):  # the page says so
            return self.boards.default

    def clear_away(self, grace: timedelta = GRACE) -> None:
        """Remove for good the games deleted longer ago than `grace`, with their pictures."""
        for game_id in self.games.purge(grace):
            self.photographs.forget(game_id)
            shutil.rmtree(self.settings.examples / game_id, ignore_errors=True)


def services() -> Services:
    """Return the services of the application that answers the current request."""
    found: Services = current_app.extensions["stargazer"]
    return found
