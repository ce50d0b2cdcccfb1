"""Live: track boards over the frames of a camera and report changes as events.

tracker = Tracker(ModelFrameReader(load_profile("standard")))
for event in track(open_source("game.mp4"), tracker):
    print(event.to_data())
"""

from vision.live.events import LiveEvent
from vision.live.frame_reader import FrameReader, ModelFrameReader
from vision.live.moments import Frame, Notice, Silence, Source, SourceError
from vision.live.source import FileSource, LiveSource, open_source
from vision.live.tracker import Tracker, track

__all__ = [
    "FileSource",
    "Frame",
    "FrameReader",
    "LiveEvent",
    "LiveSource",
    "ModelFrameReader",
    "Notice",
    "Silence",
    "Source",
    "SourceError",
    "Tracker",
    "open_source",
    "track",
]
