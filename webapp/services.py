"""What the pages work with: the games, the photographs, and the queue that has them read."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from flask import current_app, g, has_request_context, request

from calibration import Profile
from webapp.backup.backups import Backups
from webapp.backup.restores import Restores
from webapp.counting import Counting
from webapp.drafts import Drafts
from webapp.known_boards import BoardGoneError, KnownBoards
from webapp.lesson_progress import LessonProgress
from webapp.moments import Moments
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
    restores: Restores
    lesson_progress: LessonProgress
    counting: Counting

    @property
    def moments(self) -> Moments:
        """What was read of the boards of a game, those of a shared table heard together."""
        return Moments(self.photographs)

    @property
    def profile(self) -> Profile:
        """The board that the current request is about, the default where it is about none.

        That of the game which its address names by `game_id`, or the standard one of the kind of
        game that it names by `game_name`.
        """
        board = self._asked_for()[1]
        return board or self.boards.default

    @property
    def game_name(self) -> str:
        """The kind of game that the current request is about, as registered; "" for none."""
        return self._asked_for()[0]

    def _asked_for(self) -> tuple[str, Profile | None]:
        """Looked for once a request: a page asks for them with each space that it names."""
        if not has_request_context():
            return "", None
        if "asked_for" not in g:
            g.asked_for = self._look_for(request.view_args or {})
        found: tuple[str, Profile | None] = g.asked_for
        return found

    def _look_for(self, named: Mapping[str, str]) -> tuple[str, Profile | None]:
        if "game_id" not in named:
            name = named.get("game_name", "")
            return name, self.boards.standard(name)
        try:
            document = self.games.open(named["game_id"]).document
        except NoSuchGameError:  # the page says so
            return "", None
        name = str(document["game"])
        try:
            return name, self.boards.of(document)
        except BoardGoneError:  # that, too
            return name, self.boards.standard(name)

    def clear_away(self, grace: timedelta = GRACE) -> None:
        """Remove for good the games deleted longer ago than `grace`, with their pictures."""
        for game_id in self.games.purge(grace):
            self.photographs.forget(game_id)
            shutil.rmtree(self.settings.examples / game_id, ignore_errors=True)


def services() -> Services:
    """Return the services of the application that answers the current request."""
    found: Services = current_app.extensions["stargazer"]
    return found
