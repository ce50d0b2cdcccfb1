"""Reads photographs apart from the requests: a few workers, one queue, nothing lost.

A photograph that waits is written down as waiting, so a server that was killed goes on
with it when it starts again. The queue bounds memory: only as many photographs are
decoded at a time as there are workers, however many phones upload at once.
"""

import logging
import os
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webapp import game_document
from webapp.photographs import Photograph, Photographs
from webapp.saved_games import Games, NoSuchGameError

log = logging.getLogger(__name__)

MOST_WAITING = 24
"""Readings that a program may have waiting at once; a phone's own photographs always fit."""


class UnusablePhotographError(Exception):
    """A file from which no board could be read.

    `problem` is one word, for a page to put in the player's language; str() a whole line.
    """

    def __init__(self, problem: str, message: str) -> None:
        """`problem` is not_a_photograph, no_board, unreadable or failed."""
        super().__init__(message)
        self.problem = problem


class DeskBusyError(Exception):
    """So many photographs are waiting that another one is not taken in."""


@dataclass(frozen=True)
class ReadPhotograph:
    """What reading gives: the reading's data, and JPEGs of the whole and of each board."""

    reading: Mapping[str, Any]
    preview: bytes
    boards: tuple[bytes, ...]


ReadFile = Callable[[Path, str, str], ReadPhotograph]
"""Reads the file at a path, under a name, by a profile. Raises UnusablePhotographError."""


class ReadingDesk:
    """A bounded pool of workers that read photographs."""

    def __init__(
        self, games: Games, photographs: Photographs, read: ReadFile, profile: str, workers: int
    ) -> None:
        """Read with `read` and `profile`, at most `workers` photographs at a time."""
        self._games = games
        self._photographs = photographs
        self._read = read
        self._profile = profile
        self._pool = ThreadPoolExecutor(workers, "reading", initializer=_step_back)
        self._room = threading.Semaphore(MOST_WAITING)

    def take(self, photograph: Photograph) -> None:
        """Queue a game's photograph; what is read goes into the game by itself."""
        self._pool.submit(self._read_for_game, photograph)

    def resume(self) -> None:
        """Queue again whatever was waiting when the server last stopped."""
        for photograph in self._photographs.waiting():
            self.take(photograph)

    def read_file(self, path: Path, name: str, profile: str) -> "Future[ReadPhotograph]":
        """Queue a file that belongs to no game. Raises DeskBusyError."""
        if not self._room.acquire(blocking=False):
            raise DeskBusyError
        future = self._pool.submit(self._read, path, name, profile)
        future.add_done_callback(lambda _: self._room.release())
        return future

    def close(self) -> None:
        """Finish the photograph in hand and leave the rest for the next start."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _read_for_game(self, photograph: Photograph) -> None:
        problem, result = None, None
        path = self._photographs.path(photograph)
        try:
            result = self._read(path, photograph.id, self._profile)
            self._keep_pictures(photograph, result)
        except UnusablePhotographError as error:
            problem = error.problem
        except FileNotFoundError:
            return  # removed while it waited
        except Exception:
            # Whatever one photograph does to the reader, the next one is still read.
            log.exception("photograph %s could not be read", photograph.id)
            problem = "failed"
        # Dealt first: a page that sees the photograph as read must find whose board it is.
        if result is not None:
            self._deal(photograph, result.reading["boards"])
        self._photographs.record(photograph.id, result and result.reading, problem)

    def _keep_pictures(self, photograph: Photograph, result: ReadPhotograph) -> None:
        self._photographs.preview_path(photograph).write_bytes(result.preview)
        for index, picture in enumerate(result.boards):
            self._photographs.board_path(photograph, index).write_bytes(picture)

    def _deal(self, photograph: Photograph, boards: list[Mapping[str, Any]]) -> None:
        """Give the boards of a photograph to the players whose they can be."""

        def give(document: game_document.Document) -> game_document.Document:
            if photograph.player >= len(document["players"]):
                return document
            seats = game_document.seats_for(document, photograph.id, photograph.player, len(boards))
            for index, (seat, board) in enumerate(zip(seats, boards, strict=False)):
                document = game_document.with_board(document, seat, photograph.id, index, board)
            return document

        try:
            self._games.change(photograph.game_id, "photograph", give)
        except NoSuchGameError:
            log.info("game %s was deleted while its photograph was read", photograph.game_id)


def _step_back() -> None:
    """Let pages go first: on Linux a thread has a niceness of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
