"""An honest guest who opens pages all along, in a process of its own: how long does it wait?

`python -m tests.campaign.waits ADDRESS HOST:PORT COOKIE PATH...` prints, for each page, when it was
asked for, how long it took and the answer's code.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from tests.campaign.server import ROOT, Browser

PAUSE = 0.05


@dataclass(frozen=True)
class Page:
    """A page that the guest opened at `begun` (monotonic)."""

    begun: float
    seconds: float
    status: int


@dataclass(frozen=True)
class Waits:
    """What the guest waited during an attack; `load` is the computer's load average by then."""

    pages: Sequence[Page]
    load: float

    @property
    def longest(self) -> float:
        """In seconds; 0 where no page was opened."""
        return max((page.seconds for page in self.pages), default=0.0)

    @property
    def median(self) -> float:
        """In seconds; 0 where no page was opened."""
        return statistics.median([page.seconds for page in self.pages] or [0.0])

    @property
    def p99(self) -> float:
        """In seconds, what 99 of 100 pages did not take longer than; 0 where none was opened."""
        waits = sorted(page.seconds for page in self.pages) or [0.0]
        return waits[(99 * len(waits) - 1) // 100]

    @property
    def failed(self) -> int:
        """How many pages did not come."""
        return sum(page.status != 200 for page in self.pages)

    def __str__(self) -> str:
        """The figures, in one line."""
        return (
            f"{len(self.pages)} pages, median {self.median:.2f} s, 99 % {self.p99:.2f} s, "
            f"longest {self.longest:.2f} s, {self.failed} failed; load {self.load:.1f}"
        )


class HonestGuest:
    """A guest with the invitation, and the pages that it opens one after the other."""

    def __init__(self, browser: Browser, paths: Sequence[str]) -> None:
        """Open `paths` in turn as `browser` until `close`."""
        self._pages: list[Page] = []
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.campaign.waits"),
                *(browser.address, browser.origin, browser.cookie, *paths),
            ],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._pages.append(Page(*json.loads(line)))

    def since(self, begun: float) -> Waits:
        """The pages asked for since a moment, the one that is still waited for among them."""
        until, deadline = time.monotonic(), time.monotonic() + 60
        while time.monotonic() < deadline:
            if self._pages and self._pages[-1].begun >= until:
                break
            time.sleep(PAUSE)
        pages = [page for page in self._pages if begun <= page.begun + page.seconds]
        return Waits([page for page in pages if page.begun < until], os.getloadavg()[0])

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()


def open_pages(address: str, origin: str, cookie: str, paths: Sequence[str]) -> None:
    """Open pages until killed, each over a new connection, and print how long each took."""
    turn = 0
    while True:
        connection = http.client.HTTPConnection(origin, timeout=60, source_address=(address, 0))
        begun, status = time.monotonic(), 0
        with closing(connection):
            try:
                connection.request("GET", paths[turn % len(paths)], headers={"Cookie": cookie})
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, http.client.HTTPException):
                pass  # a page that did not come
        print(json.dumps([begun, time.monotonic() - begun, status]), flush=True)
        turn += 1
        time.sleep(PAUSE)


if __name__ == "__main__":
    _, own_address, server, its_cookie, *pages = sys.argv
    open_pages(own_address, server, its_cookie, pages)
