"""Game records of Nebula: written during a game, and replayed with every rule checked."""

from scorer.nebula.records.playing import Moment
from scorer.nebula.records.replay import Replay, replay
from scorer.nebula.records.writer import RecordWriter

__all__ = [
    "Moment",
    "RecordWriter",
    "Replay",
    "replay",
]
