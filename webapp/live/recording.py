"""Recordings: the lines that `stargazer live --json` prints, written and played again."""

import json
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration import Profile
from scorer.datafile import DataFileError, parse_json
from webapp.live.entry import BadEventError, Entry, changes_a_board, checked_event
from webapp.saved_games import NoSuchGameError

log = logging.getLogger(__name__)

SOURCE = "replay"
"""The name of a recording among a game's cameras."""
MOST_LINES = 20_000
LONGEST_PAUSE = 60.0
"""Seconds, at the recording's own speed, that are waited between two events at most."""


class RecordingError(ValueError):
    """A file that is no recording; one line: which line of it, and what is wrong."""


@dataclass(frozen=True)
class Recording:
    """Events in their order, each checked."""

    events: Sequence[Mapping[str, Any]]

    @property
    def seconds(self) -> float:
        """How long it takes at its own speed."""
        return float(self.events[-1]["t"] - self.events[0]["t"]) if self.events else 0.0


def read(text: str, profile: Profile) -> Recording:
    """Return the recording that a file's text holds. Raises RecordingError.

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
            event = checked_event(parse_json(line), profile)
        except DataFileError:
            raise RecordingError(f"{number}: not an event in JSON") from None
        except BadEventError as error:
            raise RecordingError(f"{number}: {error}") from None
        if changes_a_board(event):
            events.append(event)
    if not events:
        raise RecordingError("1: no star was placed in it")
    return Recording(sorted(events, key=lambda event: event["t"]))


def write(entries: Sequence[Entry]) -> str:
    """Return what the cameras saw of a game as a recording's text; `t` counts from the first."""
    seen = [entry for entry in entries if entry.kind == "seen"]
    lines = (
        json.dumps(
            {
                "format": 1,
                **entry.data["event"],
                "t": round((entry.at - seen[0].at).total_seconds(), 3),
            }
        )
        for entry in seen
    )
    return "".join(f"{line}\n" for line in lines)


Record = Callable[[str, str, Iterable[Mapping[str, Any]]], object]


class Replays:
    """The recordings that are being played, one a game at most."""

    def __init__(self, record: Record) -> None:
        """Play into `record`, which writes down what a source of a game saw."""
        self._record = record
        self._lock = threading.Lock()
        self._playing: dict[str, threading.Event] = {}

    def play(self, game_id: str, recording: Recording, speed: float | None) -> None:
        """Play a recording so many times as fast as it was, or all at once where None.

        Whatever was being played to the game ends. Raises NoSuchGameError.
        """
        self.stop(game_id)
        if speed is None:
            for event in recording.events:
                self._record(game_id, SOURCE, [event])
            return
        ended = threading.Event()
        with self._lock:
            self._playing[game_id] = ended
        threading.Thread(
            target=self._play, args=(game_id, recording, speed, ended), name="replay", daemon=True
        ).start()

    def stop(self, game_id: str) -> None:
        """Stop playing to a game."""
        with self._lock:
            ended = self._playing.pop(game_id, None)
        if ended is not None:
            ended.set()

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

    def _play(
        self, game_id: str, recording: Recording, speed: float, ended: threading.Event
    ) -> None:
        before = recording.events[0]["t"]
        for event in recording.events:
            pause = min(event["t"] - before, LONGEST_PAUSE) / speed
            before = event["t"]
            if ended.wait(pause):
                return
            try:
                self._record(game_id, SOURCE, [event])
            except NoSuchGameError:
                log.info("game %s was deleted while a recording was played to it", game_id)
                break
        with self._lock:
            if self._playing.get(game_id) is ended:
                del self._playing[game_id]
