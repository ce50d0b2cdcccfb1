"""A watcher of one stream, which opens to its whole address only."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.webapp.live.telling_watcher import TellingWatcher
from webapp.live.worker import UnusableSourceError

PASSWORD = "s3cret-w0rd"
ADDRESS = f"rtsp://watchman:{PASSWORD}@127.0.0.1:9/live?channel=1&pwd={PASSWORD}"


class StreamWatcher(TellingWatcher):
    """Sees a star once, then goes on watching."""

    def watch(self, address: str, proven: bool) -> Iterator[Sequence[Mapping[str, Any]]]:
        """Give a star, then nothing new."""
        if address != ADDRESS:
            raise UnusableSourceError("the stream at 127.0.0.1 does not open; type it anew")
        yield self.see(b'{"boards": {"0": {"core": "red"}}}', 0.0)
        while True:
            yield []
            time.sleep(0.05)
