"""Recordings: the lines that `stargazer live --json` prints, written and played again."""

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
"""Seconds, at the recording's own speed, that are waited between two events at most."""
LEAST_PAUSE = 0.05
"""Seconds; what happened in less is written at once."""
MOST_AT_ONCE = 200
"""Events; in between, a recording can be stopped."""
MOST_REPLAYS = 4
"""Recordings that are played at a time, to all games."""


class RecordingError(ValueError):
    """A file that is no recording; one line: which line of it, and what is wrong."""


class TooManyReplaysError(Exception):
    """As many recordings are being played as can be."""


@dataclass(frozen=True)
class Recording:
    """Events as they happened, one at least, each checked."""

    events: Sequence[Mapping[str, Any]]


def read(text: str, *profiles: Profile) -> Recording:
    """Return the recording that a file's text holds; `profiles` are of each kind of board.

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
    """Return what the cameras saw of a game as a recording's text; `t` counts from the first.

    It never runs backwards, though the computer's clock may have been set back meanwhile.
    """
    lines, t = [], 0.0
    seen = [entry for entry in entries if entry.kind == "seen"]
    for before, entry in pairwise(seen[:1] + seen):
        t += max(0.0, (entry.at - before.at).total_seconds())
        lines.append(json.dumps({"format": 1, **entry.data["event"], "t": round(t, 3)}))
    return "".join(f"{line}\n" for line in lines)


Record = Callable[[str, str, Iterable[Mapping[str, Any]]], object]
Portion = tuple[float, Sequence[Mapping[str, Any]]]
"""The seconds to wait, and the events to write at once then."""


class Replays:
    """The recordings that are being played, one a game at most, each by a thread of its own."""

    def __init__(self, record: Record, ended: Callable[[str], None]) -> None:
        """Play into `record`, which writes down what a source of a game saw.

        `ended` hears of the game whose recording is played no longer.
        """
        self._record, self._tell_end = record, ended
        self._lock = threading.Lock()
        self._playing: dict[str, threading.Event] = {}

    def play(self, game_id: str, recording: Recording, speed: float | None) -> None:
        """Play a recording so many times as fast as it was, or all at once where None.

        What comes first is written when this returns. Whatever was being played to the game ends.
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
        """Stop playing to a game."""
        with self._lock:
            stop = self._playing.pop(game_id, None)
        if stop is not None:
            stop.set()
            self._tell_end(game_id)

    def is_playing(self, game_id: str) -> bool:
        """Say whether a recording is being played to a game."""
        with self._lock:
            return game_id in self._playing

    def close(self) -> None:
        """Stop playing."""
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
        """Forget a recording that is played no longer, unless another one took its place."""
        with self._lock:
            if self._playing.get(game_id) is not stop:
                return
            del self._playing[game_id]
        self._tell_end(game_id)


def _portions(events: Sequence[Mapping[str, Any]], speed: float | None) -> Iterator[Portion]:
    """Give events, one at least, in portions; the first is due at once.

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
        if speed is not None:  # a clock that was set back while it was recorded stops nothing
            later += min(max(event["t"] - before, 0.0), LONGEST_PAUSE) / speed
        before = event["t"]
        if portion and (later >= LEAST_PAUSE or len(portion) == MOST_AT_ONCE):
            yield pause, portion
            portion, pause, later = [], later, 0.0
        portion.append(event)
    yield pause, portion
