"""The service behind live pages: the log, the table, the cameras and the notifier."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from calibration import Profile
from webapp.app import read_view
from webapp.app.boards.known_boards import KnownBoards
from webapp.app.game_pages import pages_of
from webapp.app.live import recording
from webapp.app.live.camera_worker import CameraWorker
from webapp.app.live.corrections import all_corrections, known_pieces, new_corrections
from webapp.app.live.entry import (
    CARD,
    DOUBTFUL,
    SETTLED,
    BadEventError,
    Entry,
    changes_a_board,
    checked_event,
    of_this_game,
)
from webapp.app.live.log import AppendedMeanwhileError, Camera, Log, LogFullError
from webapp.app.live.notifier import Notifier
from webapp.app.live.projection import BusyError, Projections
from webapp.app.live.reducer import LiveTable, Rules, observe
from webapp.app.live.supervisor import WorkerSupervisor
from webapp.app.live.worker import CardSeen, MakeFrameWorker, Market, PieceRoles, Seen
from webapp.app.peers import Peers
from webapp.app.session.board_slots import owners
from webapp.app.session.flow import LIVE
from webapp.app.session.game_document import PROFILE
from webapp.app.session.saved_games import Games, SavedGame

log = logging.getLogger(__name__)

FOUND = "board_found"
CLOSE_UPS_KEPT = 500
"""Over all games; each has some kilobytes."""

Tell = Callable[
    [SavedGame, Rules, LiveTable, Sequence[Entry]], Iterable[tuple[str, Mapping[str, Any]]]
]
"""Returns the kinds and data of the entries to be logged, given a table."""


def restarted(to: int = 0) -> Tell:
    """Return a `Tell` that begins another game, or resumes the one that ended at the entry `to`.

    It returns no entries if that game is being played already.
    """

    def entries_of(*table: Any) -> Iterable[tuple[str, Mapping[str, Any]]]:
        played = [entry for entry in of_this_game(table[-1]) if entry.kind != "restart"]
        is_played = any(entry.number == to for entry in played) if to else not played
        return [] if is_played else [("restart", {"to": to} if to else {})]

    return entries_of


class LiveService:
    """The games that are followed live."""

    def __init__(
        self,
        games: Games,
        log_of_games: Log,
        boards: KnownBoards,
        make_frame_worker: MakeFrameWorker,
        peers: Peers | None = None,
    ) -> None:
        """Process frames with `make_frame_worker`, in a child process per camera."""
        self.log, self.notifier = log_of_games, Notifier(peers)
        self._games, self._boards = games, boards
        games.listeners.append(self.notifier.notify)
        self.workers = WorkerSupervisor(
            log_of_games,
            make_frame_worker,
            lambda game_id: boards.names_for(games.open(game_id).document, games.played_last),
            self._inform,
            self._write_seen,
            lambda camera: self.notifier.notify(camera.game_id),
        )
        self.replays = recording.Replays(self.record, self.notifier.notify)
        self._projections = Projections(log_of_games, self._profiles_of)
        self.close_ups: OrderedDict[tuple[str, str, int, str], bytes] = OrderedDict()
        """The last pictures (JPEG) of doubtful regions, by game, camera, board and region."""
        self.listeners: list[Callable[[str], None]] = []
        """Called with a game's id after each change of its log."""
        self.market_of: Callable[[SavedGame], Mapping[str, int]] = lambda _game: {}
        """Returns the cards of a game's market, with their counts; may raise BusyError."""

    def rules(self, game: SavedGame) -> Rules:
        """Return what a game's table depends on."""
        profile, *further = self._boards.of_each_kind(game.document)
        rules = pages_of(game.document["game"]).live.rules(game.document, profile)
        return replace(rules, further_profiles=tuple(further)) if further else rules

    def being_played(self, games: Iterable[SavedGame]) -> set[str]:
        """Return the ids of the games that are live and have no photographed boards yet."""
        open_games = [
            game.id
            for game in games
            if "photographs" not in game.document["confirmed"]
            and not any(owner["board"] for owner in owners(game.document))
        ]
        return self.log.followed(open_games)

    def table(self, game: SavedGame, number: int | None = None) -> LiveTable:
        """Return a game's table as reported after an entry, by default the last one.

        Raises BusyError.
        """
        projection = self._projections.of(game.id)
        with projection.hold():
            return projection.table(self.rules(game), number)

    def table_at(self, game: SavedGame, number: int) -> LiveTable:
        """Return a game's table as it really was after an entry, with corrections applied.

        Raises BusyError.
        """
        projection = self._projections.of(game.id)
        with projection.hold():
            return projection.table_at(self.rules(game), number)

    def entries(self, game_id: str, after: int = 0) -> Sequence[Entry]:
        """Return the entries of a game's log after a number, in order. Raises BusyError."""
        projection = self._projections.of(game_id)
        with projection.hold():
            return projection.entries(after)

    def tell(
        self, game_id: str, kind: str, data: Mapping[str, Any], tap: str | None = None
    ) -> Entry:
        """Log what a player entered, once per `tap`, and inform the trackers.

        Raises NoSuchGameError, LogFullError and BusyError.
        """
        (entry,) = self.tell_of(game_id, lambda *_: [(kind, data)], tap)
        return entry

    def tell_of(self, game_id: str, tell: Tell, tap: str | None) -> Sequence[Entry]:
        """Log what `tell` returns for the current table. Raises the errors of `append_with`."""
        entries = self.append_with(game_id, tell, tap=tap)
        self._changed(game_id)
        return entries

    def append_with(
        self, game_id: str, tell: Tell, patiently: bool = False, tap: str | None = None
    ) -> Sequence[Entry]:
        """Log what `tell` returns for the current table, with the log locked.

        The cameras' trackers are informed. Errors of `tell` are raised with nothing logged.
        `patiently` waits without limit, for threads that serve no request. Each `tap` is logged
        once. Raises the errors of `tell`.
        """
        projection = self._projections.of(game_id)
        with projection.hold(patiently):
            if tap is not None and (known := self.log.of_tap(game_id, tap)):
                return [known]  # it has changed the table, which may not allow it again
            while True:
                read_view.renew()  # the previous holder may have changed the game
                game = self._games.open(game_id)
                rules = self.rules(game)
                before = projection.table(rules)
                new = list(tell(game, rules, before, projection.entries()))
                if not new:
                    return ()
                self.follow(game)
                with suppress(AppendedMeanwhileError):
                    entries = self.log.append(game_id, new, tap=tap, after=before.number)
                    break
            news = [entry for entry in entries if entry.number > before.number]
            for camera, correction in new_corrections(rules, before, projection.table(rules)):
                self.workers.send(game_id, camera, correction)
        if any(entry.kind == "restart" for entry in news):
            self.workers.begin_anew(game_id)
        self.notifier.notify(game_id)
        return entries

    def record(
        self,
        game_id: str,
        source: str,
        events: Iterable[Mapping[str, Any]],
        memory: Mapping[str, Any] | None = None,
    ) -> Sequence[Entry]:
        """Log the events of a camera that are new.

        A restarted worker may repeat known events, which are omitted. Raises NoSuchGameError and
        LogFullError.
        """
        projection = self._projections.of(game_id)
        events = list(events)
        with projection.hold(patiently=True):
            while True:
                game = self._games.open(game_id)
                rules = self.rules(game)
                table = projection.table(rules)
                known = known_pieces(rules, table, projection.observed())
                news = [
                    ("seen", {"source": source, "event": event})
                    for event in _last_counts(_checked(source, events, rules.profiles))
                    if observe(rules.profiles, known, source, event)
                    or (event["kind"] == FOUND and _is_new(rules, table, source, event))
                    or _is_doubt(table, source, event)
                ]
                with suppress(AppendedMeanwhileError):
                    written = self.log.append(game_id, news, source, memory, after=table.number)
                    break
        if written:
            self.follow(game)
            self.notifier.notify(game_id)
            self._changed(game_id)
        return written

    def record_cards(self, game_id: str, source: str, cards: Sequence[CardSeen]) -> None:
        """Log the cards that a camera has found or misses, unless that is known already.

        Raises NoSuchGameError and LogFullError.
        """

        def tell(_: SavedGame, __: Rules, table: LiveTable, ___: Sequence[Entry]) -> Iterator[Any]:
            here = {at: counts[-1].here for at, counts in table.cards.items()}
            for one in cards:
                at = source, one.card
                before = here.get(at, 0)
                here[at] = max(before - 1, 0) if one.count is None else max(before, one.count)
                if here[at] != before:
                    yield CARD, {"source": source, "card": one.card, "here": here[at]}

        self.append_with(game_id, tell, patiently=True)

    def close(self) -> None:
        """Stop all recordings and cameras."""
        self.replays.close()
        self.workers.close()

    def _changed(self, game_id: str) -> None:
        for listener in self.listeners:
            listener(game_id)

    def _profiles_of(self, game_id: str) -> Sequence[Profile]:
        return self._boards.of_each_kind(self._games.open(game_id).document)

    def follow(self, game: SavedGame) -> None:
        """Mark a game as followed live, which it stays until its boards are known."""
        if not game.document.get(LIVE):
            self._games.amend(game.id, lambda document: {**document, LIVE: True})

    def _note_board(self, game: SavedGame, name: str) -> None:
        """Set the board of a game that has none to the one that a camera sees; this is no step."""
        if PROFILE not in game.document:
            self._games.amend(game.id, lambda document: {PROFILE: name, **document})

    def _inform(self, worker: CameraWorker) -> None:
        """Send a new worker everything known; later corrections follow."""
        camera = worker.status.camera
        projection = self._projections.of(camera.game_id)
        with projection.hold(patiently=True):
            game = self._games.open(camera.game_id)
            rules = self.rules(game)
            worker.send(_piece_roles(game))
            for correction in all_corrections(rules, projection.table(rules), camera.name):
                worker.send(correction)

    def _write_seen(self, camera: Camera, seen: Seen) -> None:
        game = self._games.open(camera.game_id)
        if seen.recognised:
            self._note_board(game, seen.recognised)
        self.workers.send(game.id, camera.name, _piece_roles(game))
        with suppress(BusyError):  # it is sent with the next frame
            self.workers.send(game.id, camera.name, Market(self.market_of(game)))
        for (board, region), jpeg in seen.close_ups.items():
            self.close_ups[game.id, camera.name, board, region] = jpeg
        while len(self.close_ups) > CLOSE_UPS_KEPT:
            self.close_ups.popitem(last=False)
        try:
            if seen.events:
                self.record(game.id, camera.name, seen.events, seen.memory)
        except LogFullError:
            log.warning("the log of game %s is full: no event is added to it", game.id)
        try:
            if seen.cards:
                self.record_cards(game.id, camera.name, seen.cards)
        except LogFullError:
            log.warning("the log of game %s is full: no card is added to it", game.id)


def _piece_roles(game: SavedGame) -> PieceRoles:
    return PieceRoles(pages_of(game.document["game"]).piece_roles(game.document))


def _checked(
    source: str, events: Iterable[Mapping[str, Any]], profiles: Sequence[Profile]
) -> Iterable[Mapping[str, Any]]:
    for event in events:
        try:
            checked = checked_event(event, *profiles)
        except BadEventError:
            log.warning("%s told what cannot be: %s", source, event)
            continue
        if changes_a_board(checked) or checked["kind"] in (FOUND, DOUBTFUL, SETTLED):
            yield checked


def _is_new(rules: Rules, table: LiveTable, source: str, event: Mapping[str, Any]) -> bool:
    """Whether a camera sees a board for the first time, at a table with several kinds of board.

    A board without entries may be out of view, and is not assumed to be empty.
    """
    return bool(rules.further_profiles) and (source, event["board"]) not in table.boards


def _is_doubt(table: LiveTable, source: str, event: Mapping[str, Any]) -> bool:
    """Whether an event opens a question about a region, or closes one of the same camera.

    A repeated question means that a hand was there meanwhile.
    """
    if event["kind"] == DOUBTFUL:
        return True
    key = source, event["board"]
    number = table.boards.get(key)
    doubt = None if number is None else table.doubts.get((number, event.get("space", "")))
    return event["kind"] == SETTLED and doubt is not None and doubt.seen_by == key


def _last_counts(events: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Keep only the last of simultaneous counts of the same track, or of a kind in a region.

    Pieces added in one turn are reported one by one; several at once have been there for long.
    """
    kept: list[Mapping[str, Any]] = []
    for event in events:
        if "count" in event:
            kept = [one for one in kept if _counted(one) != _counted(event)]
        kept.append(event)
    return kept


def _counted(event: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the key of what an event counts, with its time."""
    return tuple(event.get(key) for key in ("kind", "space", "star", "board", "t"))
