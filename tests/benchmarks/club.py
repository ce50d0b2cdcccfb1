"""Load test of a club's evening: many tables load pages, tap, listen and photograph at once.

    python -m tests.benchmarks.club [--tables 20] [--seconds 60] [--think 3] [--cameras 0]
        [--servers 1] [--workers 0] [--kills 0]

Starts a server (`stargazer serve`) or, with `--servers 2`, the parts of `compose.yaml`: a proxy,
web servers, PostgreSQL and Redis. With `--kills`, web servers are killed (SIGKILL) and restarted in
turn, however long that takes; failed requests are retried with the same delivery id, as phones do,
and at the end the database is checked for everything acknowledged, exactly once.

Each table is a phone with its own address (127.0.x.y): about every `think` seconds it opens a page
of its game (7 of 10 times), puts a star on its board (2) or looks at its photographs (1), and it
listens to the game's events throughout. One table in twenty also sends photographs, and the first
`--cameras` tables are filmed at ten frames per second. Prints the times of pages and taps, the
delay of events, failures, and the server's processor time and memory; under `later` the same times
without the first three seconds, in which all phones open their event streams at once. Plan with the
time per request: the computer is also busy with playing the phones, for a tenth of that.
"""

import argparse
import http.client
import io
import json
import random
import re
import resource
import statistics
import sys
import threading
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.response import addinfourl

import psutil
from sqlalchemy import select

from tests.benchmarks.club_parts import Club, club, one_server
from tests.webapp.conftest import CARDS, game_at
from webapp.app.database import PhotographRow, RevisionRow, open_database
from webapp.app.settings import Settings

SETTLES_WITHIN = 3.0
"""Seconds from the start, in which all phones open their event streams at once."""
SPACES = ("core", "ar1", "ar2", "ar3", "ta1", "ta2", "ge1", "ge2")
TIMEOUT_S = 300
PATIENCE_S = 60
"""Seconds during which a phone retries failed requests while servers are killed."""
SILENCE_S, AGAIN_S, MOST_TRIES = 12.0, 1.5, 2
"""As in `live_worker.js`."""
DEMO = Path(__file__).parents[2] / "webapp" / "demo"
COLOURS = ("red", "blue", "yellow", "white")


@dataclass
class Seen:
    """Results of all tables: seconds by kind of request, and failures."""

    took: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    later: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    settled_at: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    connects: int = 0
    again: int = 0
    frames: int = 0
    told_to_wait: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str, seconds: float) -> None:
        with self.lock:
            self.took[what].append(seconds)
            if time.monotonic() - seconds > self.settled_at:
                self.later[what].append(seconds)

    def fail(self, what: str, error: Exception) -> None:
        code = getattr(error, "code", type(error).__name__)
        with self.lock:
            self.failed[f"{what}: {code}"] += 1


class _FromAddress(urllib.request.HTTPHandler):
    """Connects from one address, so that each table has its own rate limits."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(http.client.HTTPConnection, request, source_address=(self._address, 0))


class _KeptAlive(urllib.request.HTTPHandler):
    """Sends requests in order over one connection from one address, like a browser."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self._connection: http.client.HTTPConnection | None = None

    def http_open(self, request: urllib.request.Request) -> Any:
        if self._connection is not None:
            with suppress(ConnectionError):  # closed by the server after a minute
                return self._asked(request, self._connection)
        connection = http.client.HTTPConnection(
            request.host, timeout=request.timeout, source_address=(self._address, 0)
        )
        return self._asked(request, connection)

    def _asked(
        self, request: urllib.request.Request, connection: http.client.HTTPConnection
    ) -> Any:
        self._connection = None
        headers = {**request.headers, **request.unredirected_hdrs}
        try:
            connection.request(request.get_method(), request.selector, request.data, headers)
            answer = connection.getresponse()
            body = io.BytesIO(answer.read())
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        found: Any = addinfourl(body, answer.headers, request.full_url, answer.status)
        found.msg = answer.reason
        return found


class Table:
    """A table with one phone."""

    def __init__(self, number: int, server: str, seen: Seen) -> None:
        self.number, self.seen = number, seen
        self.is_patient = False
        self.acknowledged: Counter[str] = Counter()
        self._from = f"127.0.{1 + number // 200}.{1 + number % 200}"
        self._tapped: float | None = None
        self._stars: dict[str, str] = {}
        self._cookies = urllib.request.HTTPCookieProcessor()
        self._streams = urllib.request.build_opener(self._cookies, _FromAddress(self._from))
        self._browser = urllib.request.build_opener(self._cookies, _KeptAlive(self._from))
        self.address, self.game = server, ""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/games/new"))
        assert found, "a form carries a token"
        self._token = found[1]
        self._chance = random.Random(number)

    def get(self, path: str) -> str:
        with self._browser.open(self.address + path, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    def post(self, path: str, fields: dict[str, str], photograph: bytes | None = None) -> str:
        """Send a form; return the URL that it leads to."""
        edge = "edge-of-a-part"
        parts = io.BytesIO()
        for name, value in {**fields, "csrf_token": self._token}.items():
            head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"'
            parts.write(f"{head}\r\n\r\n{value}\r\n".encode())
        if photograph is not None:
            parts.write(
                f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
                "Content-Type: image/jpeg\r\n\r\n".encode()
            )
            parts.write(photograph + b"\r\n")
        parts.write(f"--{edge}--\r\n".encode())
        request = urllib.request.Request(
            self.address + path,
            parts.getvalue(),
            {"Content-Type": f"multipart/form-data; boundary={edge}", "Origin": self.address},
        )
        with self._browser.open(request, timeout=TIMEOUT_S) as answer:
            return str(answer.url.removeprefix(self.address))

    def begin_game(self, name: str) -> None:
        """Begin a game of one player, up to its photographs."""
        players = {"count": "1", "mode": "full", "name-0": name, "marker-0": "teal"}
        self.game = game_at(self.post("/games/new", players))
        self.post(f"{self.game}/nebula/cards", CARDS)
        self.post(
            f"{self.game}/nebula/values", {"colours": "", "constellations": "", "advanced": ""}
        )

    def play(self, is_over: threading.Event, think: float, photograph: bytes) -> None:
        """Act like a player until the evening is over."""
        pages = (self.game, f"{self.game}/players/0/review", f"{self.game}/score", "/")
        while not is_over.wait(min(self._chance.expovariate(1 / think), 5 * think)):
            dice = self._chance.random()
            if self.number % 20 == 0 and dice < 0.05:
                self._send("photograph", f"{self.game}/photographs", {"player": "0"}, photograph)
            elif dice < 0.7:
                self._timed("page", self.get, self._chance.choice(pages))
            elif dice < 0.9:
                self._tap()
            else:
                self._timed("page", self.get, f"{self.game}/photographs/list")

    def listen(self, is_over: threading.Event) -> None:
        """Listen to the game's news like `live_worker.js`, more patiently after each failure."""
        tries = 0
        while not is_over.is_set():
            silence = SILENCE_S * 2 ** min(tries, MOST_TRIES)
            tries += 1
            try:
                events = f"{self.address}{self.game}/live/events"
                stream = self._streams.open(events, timeout=silence)
                with self.seen.lock:
                    self.seen.connects += 1
                with stream:
                    for line in stream:
                        tries = 0
                        self._hear(line)
                        if is_over.is_set():
                            return
            except (OSError, http.client.HTTPException) as error:
                if not self.is_patient:
                    self.seen.fail("events", error)
            is_over.wait(AGAIN_S * 2 ** min(tries, MOST_TRIES) * self._chance.uniform(0.5, 1.5))

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
        self._send("tap", f"{self.game}/players/0/star", {"space": space, "star": star})

    def film(self, is_over: threading.Event, frame: bytes) -> None:
        """Send a camera's frames, ten per second or as many as are accepted."""
        while not is_over.is_set():
            begun = time.monotonic()
            request = urllib.request.Request(
                f"{self.address}{self.game}/live/frames?camera=phone",
                frame,
                {"Content-Type": "image/jpeg", "Origin": self.address, "X-CSRFToken": self._token},
            )
            try:
                with self._streams.open(request, timeout=60) as answer, self.seen.lock:
                    self.seen.frames += answer.status == 202
            except (OSError, http.client.HTTPException) as error:
                if not self.is_patient:
                    self.seen.fail("frame", error)
            time.sleep(max(0.0, 0.1 - (time.monotonic() - begun)))

    def _send(
        self, what: str, path: str, fields: dict[str, str], file: bytes | None = None
    ) -> None:
        """Send a form with a unique delivery id; retry failures until it is acknowledged."""
        name = f"{self._chance.getrandbits(128):032x}"
        if self._timed(what, self.post, path, {**fields, "delivery": name}, file):
            self.acknowledged[name] += 1

    def _timed(self, what: str, ask: Any, *arguments: Any) -> bool:
        begun = time.monotonic()
        while True:
            try:
                ask(*arguments)
            except (OSError, http.client.HTTPException) as error:
                # Phones retry after gateway errors and lost connections.
                is_ended = getattr(error, "code", 502) in (502, 503, 504)
                if what == "photograph" and getattr(error, "code", 0) == 422:
                    with self.seen.lock:
                        self.seen.told_to_wait += 1  # several of this board are waiting
                    return False
                if not (self.is_patient and is_ended and time.monotonic() - begun < PATIENCE_S):
                    self.seen.fail(what, error)
                    return False
                with self.seen.lock:
                    self.seen.again += 1
                time.sleep(0.5)
            else:
                self.seen.note(what, time.monotonic() - begun)
                return True


def spread(took: list[float]) -> dict[str, float]:
    """Return the count and percentiles in ms."""
    cuts = statistics.quantiles(took, n=100) if len(took) > 1 else took * 99
    return {
        "count": len(took),
        **{f"p{at}_ms": round(1000 * cuts[at - 1]) for at in (50, 95, 99)},
    }


def measure(tables: int, options: argparse.Namespace) -> dict[str, Any]:
    seen, photograph = Seen(), (DEMO / "ana.jpg").read_bytes()
    if options.servers > 1:
        parts = club(options.servers, options.workers)
    else:
        parts = one_server()
    with parts as made:
        found = [Table(number, made.address, seen) for number in range(tables)]
        for table in found:
            table.begin_game(f"Table {table.number}")
            table.is_patient = options.kills > 0
        before = _cpu_s(made)
        is_over, begun = threading.Event(), time.monotonic()
        seen.settled_at = begun + SETTLES_WITHIN
        with ThreadPoolExecutor(2 * tables + options.cameras) as pool:
            at_work = [pool.submit(one.play, is_over, options.think, photograph) for one in found]
            at_work += [pool.submit(one.listen, is_over) for one in found]
            at_work += [
                pool.submit(one.film, is_over, photograph) for one in found[: options.cameras]
            ]
            most_mb, killed = 0.0, 0
            try:
                while time.monotonic() < begun + options.seconds or killed < options.kills:
                    time.sleep(0.5)
                    with suppress(psutil.Error):
                        rss = sum(process.memory_info().rss for process in made.processes)
                        most_mb = max(most_mb, rss / 1e6)
                    if killed < options.kills:
                        made.kill(killed % options.servers)
                        made.wait_for(killed % options.servers)
                        killed += 1
            finally:
                is_over.set()
            for one in at_work:
                one.result()
        seconds = time.monotonic() - begun
        worked = _cpu_s(made) - before
        kept = _lost_and_doubled(made, found)
    asked = sum(len(took) for what, took in seen.took.items() if what != "event")
    return {
        "tables": tables,
        "servers": options.servers,
        "cameras": options.cameras,
        "seconds": round(seconds),
        **{what: spread(took) for what, took in sorted(seen.took.items())},
        "later": {what: spread(took) for what, took in sorted(seen.later.items())},
        "failed": dict(seen.failed),
        "kills": killed,
        "asked again": seen.again,
        "photographs told to wait": seen.told_to_wait,
        **kept,
        "frames_a_second_of_a_camera": round(seen.frames / max(1, options.cameras) / seconds, 1),
        "connections to events": seen.connects,
        "server_cpu_s": None if killed else round(worked, 1),
        "server_cpu_ms_a_request": None if killed else round(1000 * worked / max(1, asked), 1),
        "server_memory_mb": round(most_mb),
    }


def _cpu_s(made: Club) -> float:
    """Return the processor time of the running web servers, excluding killed ones."""
    times = [psutil.Process(server.pid).cpu_times() for server in made.servers]
    return float(sum(one.user + one.system for one in times))


def _lost_and_doubled(made: Club, found: Sequence[Table]) -> dict[str, int]:
    """Return how many acknowledged taps and photographs are missing or duplicated."""
    sessions = open_database(Settings(made.data, made.database).database)
    with sessions() as session:
        taps = session.execute(select(RevisionRow.game_id, RevisionRow.step, RevisionRow.delivery))
        kept = [(game, delivery) for game, step, delivery in taps if step == "star"]
        photographs = session.execute(select(PhotographRow.game_id, PhotographRow.delivery))
        kept += [(game, delivery) for game, delivery in photographs]
    sessions.kw["bind"].dispose()
    acknowledged: Counter[tuple[str, str | None]] = Counter(
        {
            (table.game.rsplit("/", 1)[1], name): times
            for table in found
            for name, times in table.acknowledged.items()
        }
    )
    there: Counter[tuple[str, str | None]] = Counter(kept)
    return {
        "acknowledged": acknowledged.total(),
        "lost": (acknowledged - there).total(),
        "doubled": sum(times - 1 for times in there.values()) + sum(not one for _, one in there),
    }


def main() -> int:
    """Run the load test and print results; return 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[20])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=3.0, help="seconds between two requests")
    parser.add_argument("--cameras", type=int, default=0, help="tables that are filmed")
    parser.add_argument("--servers", type=int, default=1, help="web servers; from 2 on PostgreSQL")
    parser.add_argument("--workers", type=int, default=0, help="workers that read, of Dask")
    parser.add_argument("--kills", type=int, default=0, help="how often a web server is killed")
    options = parser.parse_args()
    if options.kills and options.servers < 2:
        parser.error("--kills needs --servers 2")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    failed = 0
    for tables in options.tables:
        result = measure(tables, options)
        print(json.dumps(result, indent=1), flush=True)
        failed += len(result["failed"]) + result["lost"] + result["doubled"]
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
