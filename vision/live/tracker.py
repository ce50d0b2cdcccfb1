"""The tracker: frames in, events out, for up to four boards in view of one camera."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scorer.places import Place
from scorer.table import BOARDS_OF_A_KIND
from vision.live.board_state import BoardState
from vision.live.board_tracker import BoardTracker
from vision.live.change_detector import ChangeDetector
from vision.live.events import LiveEvent, corners_data
from vision.live.frame_reader import FrameReader, corners_of
from vision.live.moments import Frame, Notice, Source
from vision.live.observations import Held, observations
from vision.live.search_pace import SearchPace

_SEARCH_EVERY = (0.5, 1.0, 2.0)
"""Seconds between searches for boards: while there is none, while one is lost, and otherwise.

These are minimums, see `SearchPace`."""
_GAP = 3.0
"""Seconds without a frame in which somebody can have placed a piece unseen."""
_PENDING_FOR = (0.6, 5.0)
"""Seconds after which rules are checked even if something on the board is in doubt: normally,
and while it has places that were never read, where a star that seems missing may be."""


Interpret = Callable[[Sequence[Mapping[Place, str]], int], Sequence[tuple[str, Mapping[str, Any]]]]
"""From the pieces of all boards and the index of the changed one to its news: an event's kind and
its own keys.
"""


class Tracker:
    """Finds the boards, tracks each, and reports changes.

    ``interpret``, if given, reports their meaning: rules broken and objectives met.
    """

    def __init__(
        self,
        reader: FrameReader,
        interpret: Interpret | None = None,
        resumed: Mapping[str, Any] | None = None,
        first: int = 0,
        elsewhere: Callable[[], Iterable[Held]] = tuple,
    ) -> None:
        """Start afresh, or from `to_data` of before a restart.

        Boards are numbered from ``first``: at a table with several kinds of board each kind has its
        own tracker and numbers (`scorer.table.Table.first_number`). ``elsewhere`` returns what the
        boards of the other trackers hold, out of the same supply.
        """
        self._reader, self._interpret, self._first = reader, interpret, first
        self._elsewhere = elsewhere
        self._changes = _CHANGES | set(reader.profile.tracks)
        kind = reader.profile.game.table.kind(reader.profile.layout.kind)
        self._most = 1 if kind.owner == "all" else BOARDS_OF_A_KIND
        self._detector = ChangeDetector(reader.profile)
        self.boards: list[BoardTracker] = []
        self._piece_roles: Mapping[str, str] | None = None
        self._pending: dict[int, float] = {}  # when boards with unreported news changed
        self._pace = SearchPace()
        self._now = 0.0
        for board in (resumed or {}).get("boards", ()):
            state = BoardState.from_data(board, reader.profile.places)
            known = self._add(np.array(board["pose"]), state)
            known.resume(board)
            known.lost = True
        for known in self.boards:
            self._news(known)  # discard what was known before

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data: the boards' poses and contents."""
        return {"format": 1, "boards": [board.to_data() for board in self.boards]}

    def board(self, number: int) -> BoardTracker:
        """The board of a number. Raises IndexError if it was never seen."""
        return self.boards[number - self._first]

    def correct(self, number: int, place: Place, star: Held | None) -> None:
        """Accept what a person says is on a place of a board (None: nothing).

        Its consequences for rules and objectives are reported with the next frame.
        """
        self.board(number).correct(place, star)
        self._pending.setdefault(number, self._now)

    def reopen(self, number: int, place: Place, held: Held | None) -> None:
        """Withdraw a person's answer about a region of a board."""
        self.board(number).reopen(place, held)
        self._pending.setdefault(number, self._now)

    def play(self, piece_roles: Mapping[str, str]) -> None:
        """Report only pieces in play from now on; see `scorer.game.Game.piece_roles`."""
        self._piece_roles = piece_roles
        for board in self.boards:
            board.play(piece_roles)

    def see(self, frame: Frame) -> list[LiveEvent]:
        """The events that this frame shows."""
        if frame.t - self._now > _GAP:
            for board in self.boards:
                board.look_anew()
        self._now = frame.t
        events = self._search(frame) if self._pace.is_due(frame.image, frame.t) else []
        for board in self.boards:
            if board.lost:
                continue
            seen = board.see(frame)
            if any(event.kind in self._changes for event in seen):
                self._pending.setdefault(board.number, frame.t)
            events += seen
        return events + self._flush()

    def finish(self) -> list[LiveEvent]:
        """The events left when the source has ended."""
        return self._flush(at_once=True)

    def _search(self, frame: Frame) -> list[LiveEvent]:
        """Find new boards, and lost ones again."""
        lost = [board for board in self.boards if board.lost]
        found = []
        there = [(board, self._reader.follow(frame.image, board.pose)) for board in lost]
        near = [(board, pose) for board, pose in there if pose is not None]
        # If several boards match the same one, the nearest wins.
        for board, pose in sorted(near, key=lambda one: self._apart(one[0].pose, one[1])):
            if not any(other.lies_at(pose) for other in self.boards):
                lost.remove(board)
                found.append(self._back(board, pose, frame.t))
        if len(self.boards) - len(lost) < self._most:
            known = [board.pose for board in self.boards if not board.lost]
            for pose in self._in_reading_order(self._reader.locate(frame.image, known)):
                if lost:
                    board = self._best_fit(lost, pose, frame)
                    lost.remove(board)
                elif len(self.boards) < self._most:
                    board = self._add(pose, BoardState())
                else:
                    break
                found.append(self._back(board, pose, frame.t))
        waits = (
            _SEARCH_EVERY[0] if len(lost) == len(self.boards) else _SEARCH_EVERY[1 if lost else 2]
        )
        self._pace.looked(frame.t, waits, found=bool(found or lost))
        return found

    def _best_fit(self, lost: list[BoardTracker], pose: np.ndarray, frame: Frame) -> BoardTracker:
        """The lost board whose stars match those at a pose; if several do, the nearest."""
        if len(lost) == 1:
            return lost[0]
        everywhere = np.ones(len(self._reader.profile.places), bool)
        observed = self._reader.observe(frame.image, pose, everywhere, everywhere)
        seen = observations(observed, self._reader.profile, {}, self._piece_roles)

        def fit(board: BoardTracker) -> tuple[int, float]:
            stars = {p: board.state.expected(p) for p in seen}
            alike = sum(
                one.piece == stars[place]
                for place, one in seen.items()
                if one.piece is not None or stars[place] is not None
            )
            unlike = sum(one.piece != stars[place] for place, one in seen.items())
            return alike - unlike, -self._apart(board.pose, pose)

        return max(lost, key=fit)

    def _back(self, board: BoardTracker, pose: np.ndarray, t: float) -> LiveEvent:
        board.found_at(pose)
        return LiveEvent(t, "board_found", board.number, corners_data(board.corners()))

    def _add(self, pose: np.ndarray, state: BoardState) -> BoardTracker:
        board = BoardTracker(
            self._first + len(self.boards),
            self._reader,
            self._detector,
            pose,
            state,
            self.boards,
            self._elsewhere,
        )
        if self._piece_roles is not None:
            board.play(self._piece_roles)
        self.boards.append(board)
        return board

    def _centre(self, pose: np.ndarray) -> np.ndarray:
        return np.asarray(corners_of(self._reader.profile, pose).mean(axis=0))

    def _apart(self, a: np.ndarray, b: np.ndarray) -> float:
        return float(np.hypot(*(self._centre(a) - self._centre(b))))

    def _in_reading_order(self, poses: list[np.ndarray]) -> list[np.ndarray]:
        """Left to right, row by row; a row is three quarters of a board high."""
        if not poses:
            return []
        sides = [np.ptp(corners_of(self._reader.profile, p), axis=0).min() for p in poses]
        row = 0.75 * float(np.mean(sides))
        top = min(self._centre(p)[1] for p in poses)

        def place(pose: np.ndarray) -> tuple[int, float]:
            x, y = self._centre(pose)
            return int((y - top) / row), float(x)

        return sorted(poses, key=place)

    def _flush(self, at_once: bool = False) -> list[LiveEvent]:
        """Report the news of changed boards, once nothing on them is in doubt, or in time."""
        events = []
        for number, since in list(self._pending.items()):
            board = self.board(number)
            waiting = board.in_doubt and self._now - since < _PENDING_FOR[board.has_unread]
            if waiting and not at_once:
                continue
            del self._pending[number]
            events += [LiveEvent(self._now, kind, number, more) for kind, more in self._news(board)]
        return events

    def _news(self, board: BoardTracker) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """The news about a board by the rules of the game."""
        if self._interpret is None:
            return ()
        return self._interpret([one.pieces for one in self.boards], board.number - self._first)


_CHANGES = frozenset({"placed", "replaced", "removed"})


def track(source: Source, tracker: Tracker) -> Iterator[LiveEvent]:
    """Every event of a source, as it happens, until it ends or is closed."""
    for moment in source.moments():
        if isinstance(moment, Notice):
            yield LiveEvent(moment.t, moment.kind)
        elif isinstance(moment, Frame):
            yield from tracker.see(moment)
    yield from tracker.finish()
