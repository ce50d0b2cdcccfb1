"""A watcher whose frames tell in JSON what lies on the boards: for tests, in a real process."""

import io
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from webapp.live.worker import Corrected, UnusableSourceError


class TellingWatcher:
    """Tells what differs between what a frame says and what was known before, as a tracker does."""

    def __init__(self, profile: str, memory: Mapping[str, Any] | None) -> None:
        self.latest: dict[str, Any] | None = None
        self.known: dict[str, dict[str, str]] = {
            board: dict(stars) for board, stars in (memory or {}).items()
        }

    def see(self, jpeg: bytes, t: float) -> Sequence[Mapping[str, Any]]:
        """Return what changed; a frame that says "die" or "hang" does so after it was seen."""
        frame = json.loads(jpeg)
        self.latest = frame
        events = []
        for board, stars in frame.get("boards", {}).items():
            before = self.known.get(board, {})
            for space in sorted({*before, *stars}):
                if before.get(space) != stars.get(space):
                    event = {"kind": "placed", "space": space, "star": stars.get(space)}
                    if space not in stars:
                        event = {"kind": "removed", "space": space}
                    events.append({"t": t, "board": int(board), **event})
            self.known[board] = stars
        if "die" in frame:
            os._exit(1)
        time.sleep(frame.get("seconds", 0))
        return events

    def watch(self, address: str) -> Iterator[Sequence[Mapping[str, Any]]]:
        """Give each line of a file as a frame; go on waiting at its end, as a camera does."""
        if not Path(address).is_file():
            raise UnusableSourceError(f"{address} is not there; plug it in")
        done = 0
        while True:
            lines = Path(address).read_text().splitlines()
            for line in lines[done:]:
                if line == "lost" or line == "back":
                    yield [{"kind": f"source_{line}", "t": 0.0}]
                elif line == "end":
                    return
                else:
                    yield self.see(line.encode(), 0.0)
            done = len(lines)
            time.sleep(0.05)
            yield []

    def correct(self, told: Corrected) -> None:
        """Believe it."""
        stars = {**self.known.get(str(told.board), {}), **told.stars}
        self.known[str(told.board)] = {space: star for space, star in stars.items() if star}

    def picture(self) -> bytes | None:
        """Return a picture as wide as there are boards in the latest frame, in tens of pixels."""
        if self.latest is None:
            return None
        jpeg = io.BytesIO()
        Image.new("RGB", (10 * len(self.latest.get("boards", {})), 10)).save(jpeg, "JPEG")
        return jpeg.getvalue()

    def memory(self) -> Mapping[str, Any]:
        """Return what is known."""
        return self.known

    def boards(self) -> Sequence[Mapping[str, Any]]:
        """Return each board, surely seen."""
        corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
        return [{"board": int(board), "corners": corners, "sure": True} for board in self.known]


def frame(boards: Mapping[int, Mapping[str, str]], **more: Any) -> bytes:
    """A frame that shows boards."""
    return json.dumps({"boards": boards, **more}).encode()
