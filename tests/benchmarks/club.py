"""A club's evening: many tables load pages, tap, listen and photograph at one server, as people do.

    python -m tests.benchmarks.club [--tables 20] [--seconds 60] [--think 3]

starts a server of its own (`stargazer serve`). Each table is a phone with an address of its own
(127.0.x.y): every `think` seconds or so it opens a page of its game (7 of 10 times), puts a star
on its board (2) or looks at its photographs (1), and all the while it listens to the game's events.
One table in twenty sends a photograph in between. Prints how long pages and taps took, how late
events came, what failed, and what of the server's processor time and memory it took, of which
the time for a request is what to plan with: a computer that plays the phones is busy with them.
"""

import argparse
import http.client
import json
import random
import resource
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from tests.benchmarks.load_companion import DEMO, Phone, serve

SPACES = ("core", "ar1", "ar2", "ar3", "ta1", "ta2", "ge1", "ge2")
COLOURS = ("red", "blue", "yellow", "white")


@dataclass
class Seen:
    """What all tables saw: seconds by what was asked, and what failed."""

    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: Counter[str] = field(default_factory=Counter)
    connects: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, seconds: float) -> None:
        with self.lock:
            self.took[what].append(seconds)

    def fail(self, what: str, error: Exception) -> None:
        code = getattr(error, "code", type(error).__name__)
        with self.lock:
            self.failed[f"{what}: {code}"] += 1


class _FromAddress(urllib.request.HTTPHandler):
    """Connects from one address of this computer: each table has its own limits."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(http.client.HTTPConnection, request, source_address=(self._address, 0))


class Table(Phone):
    """A table with one phone: who plays there, and what that phone hears."""

    def __init__(self, number: int, server: str, seen: Seen) -> None:
        self.number, self.seen = number, seen
        self._from = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._tapped: float | None = None
        self._stars: dict[str, str] = {}
        super().__init__(server)
        self._chance = random.Random(number)

    def _make_browser(self) -> urllib.request.OpenerDirector:
        return urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(), _FromAddress(self._from)
        )

    def play(self, until: float, think: float, photograph: bytes) -> None:
        """Do what people do, until then."""
        pages = (self.game, f"{self.game}/players/0/review", f"{self.game}/score", "/")
        while time.monotonic() < until:
            time.sleep(min(self._chance.expovariate(1 / think), 5 * think))
            dice = self._chance.random()
            if self.number % 20 == 0 and dice < 0.05:
                self._timed("photograph", self.post, f"{self.game}/photographs", {}, photograph)
            elif dice < 0.7:
                self._timed("page", self.get, self._chance.choice(pages))
            elif dice < 0.9:
                self._tap()
            else:
                self._timed("page", self.get, f"{self.game}/photographs/list")

    def listen(self, until: float) -> None:
        """Hear the game's news, as a page does: connect again whenever the stream ends."""
        while time.monotonic() < until:
            begun = time.monotonic()
            try:
                stream = self._browser.open(f"{self.address}{self.game}/live/events", timeout=10)
                with self.seen.lock:
                    self.seen.connects += 1
                with stream:
                    for line in stream:
                        self._hear(line)
                        if time.monotonic() > until:
                            return
            except (OSError, http.client.HTTPException) as error:
                self.seen.fail("events", error)
            time.sleep(max(0.0, 1.5 - (time.monotonic() - begun)))

    def _hear(self, line: bytes) -> None:
        if not line.startswith(b"data: "):
            return
        said: dict[str, Any] = json.loads(line[6:])
        if "revision" in said and self._tapped is not None:
            self.seen.note("event", time.monotonic() - self._tapped)
            self._tapped = None

    def _tap(self) -> None:
        space = self._chance.choice(SPACES)
        star = self._chance.choice([one for one in COLOURS if one != self._stars.get(space)])
        self._stars[space] = star
        self._tapped = time.monotonic()
        self._timed("tap", self.post, f"{self.game}/players/0/star", {"space": space, "star": star})

    def _timed(self, what: str, ask: Any, *arguments: Any) -> None:
        begun = time.monotonic()
        try:
            ask(*arguments)
        except (OSError, http.client.HTTPException) as error:
            self.seen.fail(what, error)
        else:
            self.seen.note(what, time.monotonic() - begun)


def spread(took: list[float]) -> dict[str, float]:
    """How many there were, and their percentiles, ms."""
    cuts = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
    return {
        "count": len(took),
        **{f"p{at}_ms": round(1000 * cuts[at - 1]) for at in (50, 95, 99)},
    }


def measure(tables: int, seconds: float, think: float) -> dict[str, Any]:
    """One evening."""
    seen, photograph = Seen(), (DEMO / "ana.jpg").read_bytes()
    with tempfile.TemporaryDirectory() as data:
        server, address = serve(Path(data))
        process = psutil.Process(server.pid)
        try:
            found = [Table(number, address, seen) for number in range(tables)]
            for table in found:
                table.begin_game(f"Table {table.number}")
            before = process.cpu_times()
            until = time.monotonic() + seconds
            with ThreadPoolExecutor(2 * tables) as pool:
                at_work = [pool.submit(one.play, until, think, photograph) for one in found]
                at_work += [pool.submit(one.listen, until) for one in found]
                most_mb = 0.0
                while time.monotonic() < until:
                    time.sleep(0.5)
                    family = [process, *process.children(recursive=True)]
                    with suppress(psutil.Error):
                        most_mb = max(most_mb, sum(p.memory_info().rss for p in family) / 1e6)
                for one in at_work:
                    one.result()
            after = process.cpu_times()
        finally:
            server.terminate()
            server.wait(30)
    worked = after.user + after.system - before.user - before.system
    asked = sum(len(took) for what, took in seen.took.items() if what != "event")
    return {
        "tables": tables,
        "seconds": seconds,
        **{what: spread(took) for what, took in sorted(seen.took.items())},
        "failed": dict(seen.failed),
        "connections to events": seen.connects,
        "server_cpu_s": round(worked, 1),
        "server_cpu_ms_a_request": round(1000 * worked / max(1, asked), 1),
        "server_memory_mb": round(most_mb),
    }


def main() -> int:
    """Measure and print; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[20])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=3.0, help="seconds between two requests")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    failed = 0
    for tables in options.tables:
        result = measure(tables, options.seconds, options.think)
        print(json.dumps(result, indent=1), flush=True)
        failed += len(result["failed"])
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
