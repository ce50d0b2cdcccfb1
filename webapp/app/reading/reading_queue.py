"""Reads photographs in the background, one at a time per game, without losing any.

Phones take turns, and so do the games of one phone: sending many photographs delays only one's own.

Waiting photographs are recorded in the database, so that a server resumes after being killed. Those
that cannot be read are recorded as failed and not retried. One that was being read each time a
server and its reading process ended is read after the others, and finally given up. Results that
cannot be stored because the disk is full are retried.
"""

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from calibration import ProfileError
from scorer.table import UNKNOWN_TABLE
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.database import is_temporary
from webapp.app.game_pages import pages_of
from webapp.app.peers import LEASE, Peers
from webapp.app.reading.fair_queue import Asker, Turns
from webapp.app.reading.photographs import (
    PARTLY_READ,
    NoSuchPhotographError,
    Photograph,
    Photographs,
)
from webapp.app.reading.read_photograph import (
    ReaderClosedError,
    ReadFile,
    ReadPhotograph,
    UnusablePhotographError,
)
from webapp.app.reading.readings import in_reading_order
from webapp.app.reading.snapshot_readings import Boards, SnapshotReadings
from webapp.app.session import board_order, game_document, photographed_boards
from webapp.app.session.board_slots import KIND, has_moments, is_shared, marker_of, owners
from webapp.app.session.photographed_boards import PhotographedBoard
from webapp.app.session.saved_games import Games, NoSuchGameError, SavedGame
from webapp.app.session.table_reading import colours_on, table_photograph

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)

MOST_WAITING = 8
"""The most readings that programs may wait for at once, each blocking a server thread."""
PATIENCE = 60.0
"""Seconds that a program waits for its turn."""
MOST_BEGUN = 5
"""Crashes of both server and reading process during one photograph before it is blamed. It is
rarely the cause: a bad photograph kills the reading process alone, which is tried twice."""
TRIED_AGAIN_AFTER = 10.0
"""Seconds before a failed write is retried."""
FINISHED_WITHIN = 3.0
"""Seconds that a stopping server gives the running task."""


ReadTable = Callable[
    [Path, str, Sequence[Any], Collection[str], Collection[str]], Mapping[str, Any]
]
"""Reads what is beside boards, given by their corners in px, with a profile's cards."""


_SAME_BOARD = 0.5
"""Share of equal pieces from which a board photographed again is known by them."""


class QueueFullError(Exception):
    """Too many photographs are waiting for another one to be read in time."""


class ReadingQueue:
    """A queue of photographs and the threads that have them read."""

    def __init__(
        self,
        games: Games,
        photographs: Photographs,
        read: ReadFile,
        boards: KnownBoards,
        stop: Callable[[], None] = lambda: None,
        at_once: int = 1,
        peers: Peers | None = None,
        read_table: ReadTable | None = None,
        prepare: Callable[[str], object] | None = None,
    ) -> None:
        """Read with `read`, each game's photographs with its own of the `boards`.

        `read_table` reads what is beside the boards of a whole table, for which `prepare` gets
        ready with a profile. `stop` aborts a running `read`; `at_once` games are read at a time.
        Photographs leased by `peers` are left to them.
        """
        self._peers = peers
        self._closed = threading.Event()
        self._games = games
        self._photographs = photographs
        self._moments = SnapshotReadings(photographs)
        self._read, self._read_table, self._prepare = read, read_table, prepare
        self._preparing: set[str] = set()
        self._boards = boards
        self._stop = stop
        self._turns = Turns("reading", at_once)
        self._queued: dict[Future[Any], str] = {}
        self._programs = threading.Semaphore(MOST_WAITING)
        self._begun: set[str] = set()
        self._held: dict[str, Photograph] = {}
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def add(self, photograph: Photograph, phone: str = "") -> None:
        """Queue a game's photograph; the result is stored in the game.

        It takes the turn of the `phone` that sent it, or of the game if that is unknown.
        """
        asker = Asker(phone or photograph.game_id, photograph.game_id)
        if self._peers is None or self._peers.lease(photograph.id):
            self._submit(asker, photograph.id, self._read_for_game, photograph)

    def add_once(self, photograph: Photograph, phone: str = "") -> None:
        """Queue a photograph as `add` does, unless it is queued, being read or held already."""
        if photograph.id not in self._mine():
            self.add(photograph, phone)

    def _mine(self) -> set[str]:
        """Return the ids of photographs queued, being read or held here."""
        return {*list(self._queued.values()), *list(self._held)}

    def prepare(self, game: SavedGame) -> None:
        """Get ready to read a game's cards while people photograph them.

        That takes a turn, seconds the first time; nothing while photographs are waiting.
        """
        profile = self._boards.name_of(game.document)
        if self._prepare is not None and not self._queued and profile not in self._preparing:
            self._preparing.add(profile)
            with suppress(RuntimeError):  # this is closed
                self._submit(Asker("", ""), "", self._prepare_cards, self._prepare, profile)

    def _prepare_cards(self, prepare: Callable[[str], object], profile: str) -> None:
        try:
            prepare(profile)
        except (ProfileError, ReaderClosedError, UnusablePhotographError) as error:
            log.warning("the cards of %s are not ready: %s", profile, error)
        finally:
            self._preparing.discard(profile)

    def places(self) -> Mapping[str, int]:
        """Return the position in the queue of each waiting photograph by id; 1 is next.

        Those being read are not included.
        """
        order = {future: place for place, future in enumerate(self._turns.waiting(), 1)}
        queued = dict(self._queued)
        return {queued[future]: place for future, place in order.items() if queued.get(future)}

    def read_again(self, game_id: str) -> None:
        """Queue a game's photographs again, read or failed.

        Used when its board or its pieces have changed.
        """
        for photograph in self._photographs.of(game_id):
            if photograph.state != "waiting":
                self.add(self._photographs.read_again(photograph))

    def resume(self) -> None:
        """Queue what was waiting when the server stopped, in the same order.

        With peers, keep taking over waiting photographs that none of them has leased.
        """
        if self._peers is None:
            for photograph in self._photographs.waiting():
                self.add(photograph)
        else:
            threading.Thread(target=self._take_over, name="take over", daemon=True).start()

    def _take_over(self) -> None:
        while not self._closed.wait(LEASE / 3):
            try:
                waiting = self._photographs.waiting()
            except SQLAlchemyError:
                log.warning("the database does not answer: asked again in a moment")
                continue
            mine = self._mine()
            for photograph in waiting:
                if photograph.id not in mine:
                    self.add(photograph)
                elif self._peers is not None:
                    self._peers.lease(photograph.id)

    def read_file(
        self, path: Path, name: str, profiles: Sequence[str], phone: str = ""
    ) -> ReadPhotograph:
        """Read a file that belongs to no game, in turn with the `phone` that sent it.

        Raises UnusablePhotographError, and QueueFullError if too many are waiting.
        """
        if not self._programs.acquire(blocking=False):
            raise QueueFullError
        try:
            file = (path, name, profiles, 1, UNKNOWN_TABLE)
            future = self._submit(Asker(phone, ""), "", self._read, *file)
            try:
                return future.result(PATIENCE)
            except TimeoutError:
                if future.cancel():
                    raise QueueFullError from None
                return future.result()  # it is being read
        except (CancelledError, ReaderClosedError) as error:  # the server is stopping
            raise QueueFullError from error
        finally:
            self._programs.release()

    @property
    def waits_for_room(self) -> bool:
        """Whether a result could not be stored and is being retried."""
        return bool(self._held)

    def close(self) -> None:
        """Finish running tasks if that is quick, and leave the rest for the next start."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
        self._closed.set()
        self._turns.cancel_waiting()
        wait(list(self._queued), FINISHED_WITHIN)
        self._stop()
        self._turns.close()

    def _submit(
        self, asker: Asker, photograph_id: str, work: Callable[..., Answer], *arguments: Any
    ) -> "Future[Answer]":
        future = self._turns.submit(asker, work, *arguments)
        self._queued[future] = photograph_id
        future.add_done_callback(lambda done: self._queued.pop(done, None))
        return future

    def _read_for_game(self, photograph: Photograph) -> None:
        try:
            if self._begin(photograph):
                self._read_and_record(photograph)
            self._begun.discard(photograph.id)
        except ReaderClosedError:
            with suppress(SQLAlchemyError):
                self._photographs.put_back(photograph.id)
        except Exception as error:
            if is_temporary(error):
                log.warning("photograph %s waits for room: %s", photograph.id, error)
                self._hold(photograph)
                return
            # Whatever one photograph breaks, the next one is still read.
            log.exception("photograph %s could not be read", photograph.id)
            self._begun.discard(photograph.id)
            with suppress(SQLAlchemyError):
                self._photographs.give_up(photograph.id)
        else:
            self._take_up(photograph)

    def _begin(self, photograph: Photograph) -> bool:
        """Record that a photograph is being read; return False if it is gone or has been blamed."""
        if photograph.id in self._begun:
            return True
        servers = self._photographs.begin(photograph.id)
        if servers > MOST_BEGUN:
            self._photographs.give_up(photograph.id)
        self._begun.add(photograph.id)
        return 0 < servers <= MOST_BEGUN

    def _read_and_record(self, photograph: Photograph) -> None:
        """Read a photograph, and record the result or the problem.

        The boards of a whole table are recorded first: people look at them while the rest is read.
        """
        path = self._photographs.path(photograph)
        try:
            game = self._games.open(photograph.game_id)
            photograph = self._photographs.get(photograph.game_id, photograph.id)
            if photograph.state == PARTLY_READ:  # since a server ended
                self._read_rest(photograph, game)
                return
            photograph, player = self._seated(photograph, game)
            if player is None:
                self._photographs.record(photograph.id, None, "no_seat")
                return
            names = self._boards.names_for(game.document, self._games.played_last)
            result = self._read(
                path,
                photograph.id,
                names,
                self._expected(photograph, player, game),
                {game.document["game"]: pages_of(game.document["game"]).piece_roles(game.document)},
            )
        except (NoSuchGameError, NoSuchPhotographError):
            log.info("game %s was deleted before its photograph was read", photograph.game_id)
            return
        except UnusablePhotographError as error:
            if error.preview is not None:
                self._keep_pictures(photograph, error.preview)
            self._photographs.record(photograph.id, None, error.problem)
            return
        self._keep_pictures(photograph, result.preview, result.boards)
        # Assign boards first: a page that sees the photograph as read must find their owners.
        self._deal(photograph, player, result.reading["boards"])
        if self._read_table is None or photograph.id != table_photograph(game.document):
            self._photographs.record(photograph.id, result.reading, None)
            return
        self._photographs.record_boards(photograph.id, result.reading)
        self._read_rest(replace(photograph, reading=result.reading), game)

    def _read_rest(self, photograph: Photograph, game: SavedGame) -> None:
        """Read what is beside the boards of a whole table, and record that."""
        assert self._read_table is not None
        path, players = self._photographs.path(photograph), game.document["players"]
        corners = [board["corners"] for board in photograph.boards]
        unanswered = {key for own in players for key, value in own.items() if value is None}
        is_followed = has_moments(game.document) and len(owners(game.document)) > 1
        rest: Mapping[str, Any] = {}
        try:
            rest = self._read_table(
                path,
                self._boards.name_of(game.document),
                corners,
                () if is_followed else unanswered,  # a game followed throughout counts points
                [player["marker"] for player in players],
            )
        except (ProfileError, UnusablePhotographError) as error:
            log.warning("no cards were read in photograph %s: %s", photograph.id, error)
        self._photographs.record_rest(photograph.id, rest)

    def _seated(self, photograph: Photograph, game: SavedGame) -> tuple[Photograph, int | None]:
        """Assign a photograph without a seat to a seat that has become free, if any."""
        if photograph.player is not None:
            return photograph, photograph.player
        free = game_document.free_seats(game.document, self._others(photograph))
        if not free:
            return photograph, None
        return self._photographs.give_to(photograph, free[0]), free[0]

    def _others(self, photograph: Photograph) -> set[int | None]:
        """Return the seats of the game's other waiting photographs."""
        return {
            waiting.player
            for waiting in self._photographs.waiting()
            if waiting.game_id == photograph.game_id
            and waiting.id != photograph.id
            and not waiting.has_boards
        }

    def _expected(self, photograph: Photograph, player: int, game: SavedGame) -> int:
        """Return the number of boards to expect: its player's, and those of seats without one."""
        if has_moments(game.document):
            return 1
        if photograph.id == table_photograph(game.document):
            return len(owners(game.document))
        if is_shared(game.document):
            return 1
        players = len(game.document["players"])
        seats = game_document.seats_for(game.document, photograph.id, player, players)
        return max(1, len(set(seats) - self._others(photograph)))

    def _keep_pictures(
        self, photograph: Photograph, preview: bytes, boards: Sequence[bytes] = ()
    ) -> None:
        with suppress(FileNotFoundError):  # the game was deleted meanwhile
            self._photographs.preview_path(photograph).write_bytes(preview)
            for index, picture in enumerate(boards):
                self._photographs.board_path(photograph, index).write_bytes(picture)

    def _deal(self, photograph: Photograph, player: int, boards: list[Mapping[str, Any]]) -> None:
        """Assign the boards of a photograph to the players they can belong to."""

        def give(document: game_document.Document) -> game_document.Document:
            seats = owners(document)
            if player >= len(seats) or any(
                source and source["photograph"] == photograph.id
                for seat in seats
                for source in (seat["board"], seat.get("offered"))
            ):  # the second means that it was assigned, but recording that failed
                return document
            document = self._boards.recognised(document, boards[0]["profile"])
            ordered = [(index, boards[index]) for index in in_reading_order(boards)]
            folders = self._boards.folders_for(document)
            same = [one for one in ordered if one[1]["profile"] in folders]
            if photograph.id == table_photograph(document) and not has_moments(document):
                document = self._deal_table(photograph, document, same)
                return self._in_order(photograph, document, boards)
            kind = seats[player].get(KIND)
            if kind is not None:
                shown = self._boards.kind_shown
                same = [one for one in same if shown(one[1]["profile"], document) == kind][:1]
            dealt = game_document.seats_for(document, photograph.id, player, len(same))
            for seat, (index, read) in zip(dealt, same, strict=False):
                board = PhotographedBoard(photograph.id, index, read)
                document = photographed_boards.with_photographed(document, seat, board)
            return self._in_order(photograph, document, boards)

        try:
            self._games.change(photograph.game_id, "photograph", give)
        except NoSuchGameError:
            log.info("game %s was deleted while its photograph was read", photograph.game_id)

    def _deal_table(
        self,
        photograph: Photograph,
        document: game_document.Document,
        boards: Sequence[tuple[int, Mapping[str, Any]]],
    ) -> game_document.Document:
        """Assign the boards of a whole table to owners of the matching kinds.

        By the colour of the pieces on them, or by an owner's known pieces; else in their order, as
        a guess, which is offered to nobody beside a board that is somebody's work.
        """
        left, pages = [*range(len(owners(document)))], pages_of(document["game"])
        guessed = []

        def fitting(read: Mapping[str, Any]) -> list[int]:
            shown = self._boards.kind_shown(read["profile"], document)
            return [seat for seat in left if owners(document)[seat].get(KIND) in (None, shown)]

        for index, read in boards:
            board, colours = PhotographedBoard(photograph.id, index, read), colours_on(read, pages)
            own = [seat for seat in fitting(read) if marker_of(document, seat) in colours]
            alike = {
                seat: photographed_boards.likeness(document, seat, board) for seat in fitting(read)
            }
            best = max(alike.values(), default=0.0)
            if not own and best > _SAME_BOARD:
                own = [seat for seat in alike if alike[seat] == best]
            if len(own) != 1:
                guessed.append(board)
                continue
            (seat,) = own
            left.remove(seat)
            is_known = photographed_boards.is_assigned(document, seat)
            document = photographed_boards.with_photographed(document, seat, board)
            if is_known:
                document = photographed_boards.with_assigned(document, seat)
        for board in guessed:
            seats = fitting(board.read)
            free = [seat for seat in seats if not game_document.is_work(document, seat)]
            for seat in free[:1] or (seats if len(seats) == 1 else []):
                left.remove(seat)
                document = photographed_boards.with_photographed(document, seat, board)
        return document

    def _in_order(
        self, photograph: Photograph, document: game_document.Document, boards: Boards
    ) -> game_document.Document:
        """Return the snapshots of a shared table, sorted and classified jointly."""
        of, profile = photograph.game_id, self._boards.of(document)
        just_read = {photograph.id: boards}
        alone = self._moments.readings_alone(of, document, profile, just_read)
        in_order = board_order.put_in_order(alone, profile.board)
        return self._moments.fuse_readings(of, in_order, profile, just_read)

    def _hold(self, photograph: Photograph) -> None:
        """Keep a photograph until there is room, and schedule a retry of the first one."""
        with self._lock:
            self._held.pop(photograph.id, None)
            self._held[photograph.id] = photograph
            if self._timer is None:
                self._timer = threading.Timer(TRIED_AGAIN_AFTER, self._try_again)
                self._timer.daemon = True
                self._timer.start()

    def _try_again(self) -> None:
        with self._lock:
            self._timer = None
            first = list(self._held.values())[:1]
        self._add_all(first)

    def _take_up(self, photograph: Photograph) -> None:
        """Queue the held photographs, as one could be stored."""
        with self._lock:
            self._held.pop(photograph.id, None)
            others, self._held = list(self._held.values()), {}
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        self._add_all(others)

    def _add_all(self, photographs: list[Photograph]) -> None:
        with suppress(RuntimeError):  # the server is stopping
            for photograph in photographs:
                self.add(photograph)
