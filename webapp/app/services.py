"""The services that pages use: games, photographs, the reading queue and others."""

import shutil
from dataclasses import dataclass
from datetime import timedelta

from webapp.app.backup.backups import Backups
from webapp.app.backup.restores import Restores
from webapp.app.boards.drafts import Drafts
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.history.history import GameHistory
from webapp.app.lesson_progress import LessonProgress
from webapp.app.reading.colour_calibrations import ColourCalibrations
from webapp.app.reading.colour_samples import ColourSamples
from webapp.app.reading.photographs import Photographs
from webapp.app.reading.reading_process import RunJob
from webapp.app.reading.reading_queue import ReadingQueue
from webapp.app.reading.snapshot_readings import SnapshotReadings
from webapp.app.session.counting import Counting
from webapp.app.session.saved_games import GRACE, Games
from webapp.app.settings import Settings
from webapp.app.storage import Storage


@dataclass(frozen=True)
class Services:
    """The services of one server, made at start."""

    settings: Settings
    games: Games
    photographs: Photographs
    reading_queue: ReadingQueue
    boards: KnownBoards
    storage: Storage
    run_job: RunJob
    drafts: Drafts
    colour_samples: ColourSamples
    history: GameHistory
    colour_calibrations: ColourCalibrations
    backups: Backups
    restores: Restores
    lesson_progress: LessonProgress
    counting: Counting

    @property
    def snapshot_readings(self) -> SnapshotReadings:
        """The readings of a game's boards; snapshots of a shared table are classified jointly."""
        return SnapshotReadings(self.photographs)

    def clear_away(self, grace: timedelta = GRACE) -> None:
        """Purge games deleted longer ago than `grace`, with their pictures."""
        for game_id in self.games.purge(grace):
            self.photographs.forget(game_id)
            shutil.rmtree(self.settings.examples / game_id, ignore_errors=True)
