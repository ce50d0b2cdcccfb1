"""Recordings: writing and replaying the lines that `stargazer live --json` prints."""

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from calibration import Profile
from scorer.datafile import DataFileError, parse_json
from webapp.app.live.entry import (
    DOUBTFUL,
    REPLAY,
    SETTLED,
    BadEventError,
    Entry,
    changes_a_board,
    checked_event,
)
from webapp.app.live.log import LogFullError
from webapp.app.session.saved_games import NoSuchGameError

log = logging.getLogger(__name__)

MOST_LINES = 20_000
LONGEST_PAUSE = 60.0
"""The longest wait between two events, in seconds at the recording's own speed."""
LEAST_PAUSE = 0.05
"""Seconds; events closer together are logged at once."""
MOST_AT_ONCE = 200
"""The most events logged at once; a recording can be stopped in between."""
MOST_REPLAYS = 4
"""The most recordings that can be played at a time, over all games."""


class RecordingError(ValueError):
    """The file is no recording; the one-line message gives the line and what is wrong with it."""


class TooManyReplaysError(Exception):
    """The maximum number of recordings is being played already."""


@dataclass(frozen=True)
class Recording:
    """Validated events in order of time, at least one."""

    events: Sequence[Mapping[str, Any]]


def read(text: str, *profiles: Profile) -> Recording:
    """Parse a recording; `profiles` has one of each kind of board.

    Raises RecordingError.

    >>> from calibration import load_profile
    >>> line = '{"t": 1.5, "board": 0, "kind": "placed", "space": "core", "star": "red"}'
    >>> len(read(line, load_profile("standard")).events)
    1
    """
    events = []
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise RecordingError(f"more than {MOST_LINES} lines")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            event = checked_event(parse_json(line), *profiles)
        except DataFileError:
            raise RecordingError(f"{number}: not an event in JSON") from None
        except BadEventError as error:
            raise RecordingError(f"{number}: {error}") from None
        if changes_a_board(event) or event["kind"] in (DOUBTFUL, SETTLED):
            events.append(event)
    if not events:
        raise RecordingError("1: no star was placed in it")
    return Recording(events)


def write(entries: Sequence[Entry]) -> str:
    """Return what the cameras saw of a game as a recording; `t` counts from the first event.

    `t` never decreases, even if the server's clock was set back.
    """
    lines, t = [], 0.0
    seen = [entry for entry in entries if entry.kind == "seen"]
    for before, entry in pairwise(seen[:1] + seen):
        t += max(0.0, (entry.at - before.at).total_seconds())
        lines.append(json.dumps({"format": 1, **entry.data["event"], "t": round(t, 3)}))
    return "".join(f"{line}\n" for line in lines)


Record = Callable[[str, str, Iterable[Mapping[str, Any]]], object]
Portion = tuple[float, Sequence[Mapping[str, Any]]]
"""Seconds to wait, and the events to log then."""


class Replays:
    """The recordings that are being played, at most one per game, each in its own thread."""

    def __init__(self, record: Record, ended: Callable[[str], None]) -> None:
        """Play into `record`, which logs what a game's source saw.

        `ended` is called with the id of the game when its recording ends.
        """
        self._record, self._tell_end = record, ended
        self._lock = threading.Lock()
        self._playing: dict[str, threading.Event] = {}

    def play(self, game_id: str, recording: Recording, speed: float | None) -> None:
        """Play a recording at a multiple of its speed, or all at once for None.

        Returns after logging the first events. A recording already being played to the game ends.
        Raises TooManyReplaysError, NoSuchGameError and LogFullError.
        """
        stop = threading.Event()
        with self._lock:
            before = self._playing.get(game_id)
            if before is None and len(self._playing) >= MOST_REPLAYS:
                raise TooManyReplaysError(game_id)
            self._playing[game_id] = stop
        if before is not None:
            before.set()
        portions = _portions(recording.events, speed)
        try:
            self._record(game_id, REPLAY, next(portions)[1])
        except Exception:
            self._end(game_id, stop)
            raise
        threading.Thread(
            target=self._play, args=(game_id, portions, stop), name="replay", daemon=True
        ).start()

    def stop(self, game_id: str) -> None:
        with self._lock:
            stop = self._playing.pop(game_id, None)
        if stop is not None:
            stop.set()
            self._tell_end(game_id)

    def is_playing(self, game_id: str) -> bool:
        """Return whether a recording is being played to a game."""
        with self._lock:
            return game_id in self._playing

    def close(self) -> None:
        with self._lock:
            games = list(self._playing)
        for game_id in games:
            self.stop(game_id)

    def _play(self, game_id: str, portions: Iterator[Portion], stop: threading.Event) -> None:
        try:
            for pause, events in portions:
                if stop.wait(pause):
                    return
                self._record(game_id, REPLAY, events)
        except NoSuchGameError:
            log.info("game %s was deleted while a recording was played to it", game_id)
        except LogFullError:
            log.warning("the log of game %s is full: its recording ends here", game_id)
        finally:
            self._end(game_id, stop)

    def _end(self, game_id: str, stop: threading.Event) -> None:
        """Remove a recording that has ended, unless another one has replaced it."""
        with self._lock:
            if self._playing.get(game_id) is not stop:
                return
            del self._playing[game_id]
        self._tell_end(game_id)


def _portions(events: Sequence[Mapping[str, Any]], speed: float | None) -> Iterator[Portion]:
    """Yield pauses and groups of events; the first group is due at once.

    >>> events = [{"t": t} for t in (1.0, 1.0, 1.0, 3.0)]
    >>> [(pause, len(portion)) for pause, portion in _portions(events, speed=4.0)]
    [(0.0, 3), (0.5, 1)]
    >>> [(pause, len(portion)) for pause, portion in _portions(events, speed=None)]
    [(0.0, 4)]
    """
    portion: list[Mapping[str, Any]] = []
    pause = later = 0.0
    before = events[0]["t"]
    for event in events:
        if speed is not None:  # the clock may have been set back during the recording
            later += min(max(event["t"] - before, 0.0), LONGEST_PAUSE) / speed
        before = event["t"]
        if portion and (later >= LEAST_PAUSE or len(portion) == MOST_AT_ONCE):
            yield pause, portion
            portion, pause, later = [], later, 0.0
        portion.append(event)
    yield pause, portion
