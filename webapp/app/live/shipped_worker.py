"""The server's frame worker, in a module without imports that only the child process needs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from webapp.app.live.worker import FrameWorker


def shipped_frame_worker(
    colour_samples: Path, profiles: Sequence[str], memory: Mapping[str, Any] | None
) -> FrameWorker:
    """Return the frame worker with the shipped models.

    `colour_samples` is the folder of colours sampled from corrected boards.
    """
    from webapp.app.live.vision_worker import VisionFrameWorker
    from webapp.app.reading.colour_samples import ColourSamples

    return VisionFrameWorker(profiles, memory, ColourSamples(colour_samples))
