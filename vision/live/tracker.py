"""The tracker: frames in, events out, for up to four boards that one camera sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer.places import Place
from vision.live.events import LiveEvent, corners_data
from vision.live.eye import MOST_BOARDS, Eye, corners_of
from vision.live.glance import Glancer
from vision.live.observations import observations
from vision.live.settle import Settled
from vision.live.source import Frame, Notice, Source
from vision.live.watch import BoardWatch

_LOOK_AROUND = (0.5, 1.0, 2.0)
"""Seconds between looks for boards: while there is none, while one is lost, and otherwise."""
_OWED = (0.6, 5.0)
"""Seconds by which rules are looked at even if something on the board is still in doubt: as a rule,
and while it has places that were never read, where a star that seems amiss may lie."""


Interpret = Callable[[Sequence[Mapping[Place, str]], int], Sequence[tuple[str, Mapping[str, Any]]]]
"""From the pieces of all boards and the number of the one that changed to what is new about it: an
event's kind and its own keys."""


@dataclass(frozen=True)
class _Owed:
    """A board's stars changed at ``since``; what they mean has not been told yet."""

    since: float


class Tracker:
    """Finds the boards, watches each, and tells what came to lie on them.

    What that means, rules broken and objectives met, is told by ``interpret``, where there is one.
    """

    def __init__(
        self,
        eye: Eye,
        interpret: Interpret | None = None,
        resumed: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin anew, or with what `to_data` gave before a restart."""
        self._eye, self._interpret = eye, interpret
        self._changes = _CHANGES | set(eye.profile.tracks)
        self._glancer = Glancer(eye.profile)
        self.boards: list[BoardWatch] = []
        self._owed: dict[int, _Owed] = {}
        self._next_look = 0.0
        self._now = 0.0
        for board in (resumed or {}).get("boards", ()):
            settled = Settled.from_data(board, eye.profile.places)
            self._add(np.array(board["pose"]), settled).lost = True
        for number in range(len(self.boards)):
            self._meaning(number)  # what was known before is no news

    def to_data(self) -> dict[str, Any]:
        """What outlives a restart, as JSON data: where the boards lie and what is on them."""
        return {"format": 1, "boards": [board.to_data() for board in self.boards]}

    def correct(self, number: int, place: Place, star: str | None) -> None:
        """Take a person's word for what lies on a place of a board (None: nothing).

        What that means for rules and objectives is told with the next frame.
        """
        self.boards[number].correct(place, star)
        self._owed.setdefault(number, _Owed(self._now))

    def see(self, frame: Frame) -> list[LiveEvent]:
        """What this frame shows to have happened."""
        self._now = frame.t
        events = self._look_around(frame) if frame.t >= self._next_look else []
        for board in self.boards:
            if board.lost:
                continue
            seen = board.see(frame)
            if any(event.kind in self._changes for event in seen):
                self._owed.setdefault(board.number, _Owed(frame.t))
            events += seen
        return events + self._pay()

    def finish(self) -> list[LiveEvent]:
        """What is still to be told when the source has ended."""
        return self._pay(at_once=True)

    def _look_around(self, frame: Frame) -> list[LiveEvent]:
        """Find boards that are new, or lost ones again."""
        lost = [board for board in self.boards if board.lost]
        found = []
        there = [(board, self._eye.follow(frame.image, board.pose)) for board in lost]
        near = [(board, pose) for board, pose in there if pose is not None]
        # Of boards that are taken for the same one, it is the one that lay there.
        for board, pose in sorted(near, key=lambda one: self._apart(one[0].pose, one[1])):
            if not any(other.lies_at(pose) for other in self.boards):
                lost.remove(board)
                found.append(self._back(board, pose, frame.t))
        if len(self.boards) - len(lost) < MOST_BOARDS:
            known = [board.pose for board in self.boards if not board.lost]
            for pose in self._in_reading_order(self._eye.locate(frame.image, known)):
                if lost:
                    board = self._best_fit(lost, pose, frame)
                    lost.remove(board)
                elif len(self.boards) < MOST_BOARDS:
                    board = self._add(pose, Settled())
                else:
                    break
                found.append(self._back(board, pose, frame.t))
        waits = _LOOK_AROUND[0] if len(lost) == len(self.boards) else _LOOK_AROUND[1 if lost else 2]
        self._next_look = frame.t + waits
        return found

    def _best_fit(self, lost: list[BoardWatch], pose: np.ndarray, frame: Frame) -> BoardWatch:
        """The lost board whose stars lie at a pose; of boards alike, the one that lay nearest."""
        if len(lost) == 1:
            return lost[0]
        everywhere = np.ones(len(self._eye.profile.places), bool)
        look = self._eye.look(frame.image, pose, everywhere)
        seen = observations(look, self._eye.profile, {}, everywhere)

        def fit(board: BoardWatch) -> tuple[int, float]:
            stars = {p: board.settled.expected(p) for p in seen}
            alike = sum(
                observed.piece == stars[place]
                for place, observed in seen.items()
                if observed.piece is not None or stars[place] is not None
            )
            unlike = sum(observed.piece != stars[place] for place, observed in seen.items())
            return alike - unlike, -self._apart(board.pose, pose)

        return max(lost, key=fit)

    def _back(self, board: BoardWatch, pose: np.ndarray, t: float) -> LiveEvent:
        board.found_at(pose)
        return LiveEvent(t, "board_found", board.number, corners_data(board.corners()))

    def _add(self, pose: np.ndarray, settled: Settled) -> BoardWatch:
        board = BoardWatch(len(self.boards), self._eye, self._glancer, pose, settled, self.boards)
        self.boards.append(board)
        return board

    def _centre(self, pose: np.ndarray) -> np.ndarray:
        return np.asarray(corners_of(self._eye.profile, pose).mean(axis=0))

    def _apart(self, a: np.ndarray, b: np.ndarray) -> float:
        return float(np.hypot(*(self._centre(a) - self._centre(b))))

    def _in_reading_order(self, poses: list[np.ndarray]) -> list[np.ndarray]:
        """Left to right, a row after the other; a row is half a board high."""
        if not poses:
            return []
        sides = [np.ptp(corners_of(self._eye.profile, p), axis=0).min() for p in poses]
        row = 0.75 * float(np.mean(sides))
        top = min(self._centre(p)[1] for p in poses)

        def place(pose: np.ndarray) -> tuple[int, float]:
            x, y = self._centre(pose)
            return int((y - top) / row), float(x)

        return sorted(poses, key=place)

    def _pay(self, at_once: bool = False) -> list[LiveEvent]:
        """Tell the meaning of boards that changed, once nothing on them is in doubt, or in time."""
        events = []
        for number, owed in list(self._owed.items()):
            board = self.boards[number]
            waiting = board.in_doubt and self._now - owed.since < _OWED[board.has_unread]
            if waiting and not at_once:
                continue
            del self._owed[number]
            events += [
                LiveEvent(self._now, kind, number, more) for kind, more in self._meaning(number)
            ]
        return events

    def _meaning(self, number: int) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """What is new about a board by the rules of the game."""
        if self._interpret is None:
            return ()
        return self._interpret([board.pieces for board in self.boards], number)


_CHANGES = frozenset({"placed", "replaced", "removed"})


def watch(source: Source, tracker: Tracker) -> Iterator[LiveEvent]:
    """Every event of a source, as it happens, until it ends or is closed."""
    for moment in source.moments():
        if isinstance(moment, Notice):
            yield LiveEvent(moment.t, moment.kind)
        elif isinstance(moment, Frame):
            yield from tracker.see(moment)
    yield from tracker.finish()
