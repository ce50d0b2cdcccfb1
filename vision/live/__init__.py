"""Live: boards are tracked over the frames of a camera, and what changes is told as events.

>>> tracker = Tracker(ReaderEye(load_profile("standard")))        # doctest: +SKIP
>>> for event in watch(open_source("game.mp4"), tracker):         # doctest: +SKIP
...     print(event.to_data())
"""

from vision.live.events import LiveEvent
from vision.live.eye import Eye, ReaderEye
from vision.live.source import (
    FileSource,
    Frame,
    LiveSource,
    Notice,
    Silence,
    Source,
    SourceError,
    open_source,
)
from vision.live.tracker import Tracker, watch

__all__ = [
    "Eye",
    "FileSource",
    "Frame",
    "LiveEvent",
    "LiveSource",
    "Notice",
    "ReaderEye",
    "Silence",
    "Source",
    "SourceError",
    "Tracker",
    "open_source",
    "watch",
]
