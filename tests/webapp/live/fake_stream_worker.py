"""A frame worker of one stream, which opens to its whole address only."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from webapp.app.live.worker import UnusableSourceError

PASSWORD = "s3cret-w0rd"
ADDRESS = f"rtsp://watchman:{PASSWORD}@127.0.0.1:9/live?channel=1&pwd={PASSWORD}"


class FakeStreamWorker(FakeFrameWorker):
    """Sees a star once, then goes on watching."""

    def follow(self, address: str, proven: bool) -> Iterator[Sequence[Mapping[str, Any]]]:
        """Give a star, then nothing new."""
        if address != ADDRESS:
            raise UnusableSourceError("the stream at 127.0.0.1 does not open; type it anew")
        yield self.process(b'{"boards": {"0": {"core": "red"}}}', 0.0)
        while True:
            yield []
            time.sleep(0.05)
