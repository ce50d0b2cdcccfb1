"""The frame worker of a server, which is imported without what only its process loads."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webapp.app.live.worker import FrameWorker


def shipped_frame_worker(
    colour_samples: Path, profiles: Sequence[str], memory: Mapping[str, Any] | None
) -> FrameWorker:
    """Make the frame worker with the shipped models, which only a worker loads.

    `colour_samples` is the folder of what corrected boards tell of their pieces.
    """
    from webapp.app.live.vision_worker import VisionFrameWorker
    from webapp.app.reading.colour_samples import ColourSamples

    return VisionFrameWorker(profiles, memory, ColourSamples(colour_samples))
