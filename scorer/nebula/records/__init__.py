"""Game records of Nebula: written while a game is played, and replayed with every rule checked."""

from scorer.nebula.records.error import RecordError
from scorer.nebula.records.playing import Moment
from scorer.nebula.records.replay import Replay, record_lines, replay, replay_line
from scorer.nebula.records.writer import RecordWriter

__all__ = [
    "Moment",
    "RecordError",
    "RecordWriter",
    "Replay",
    "record_lines",
    "replay",
    "replay_line",
]
