"""Four phones send 12-megapixel photographs at once while a fifth opens pages.

    python tests/benchmarks/load_companion.py [--phones 4] [--photos FOLDER]

Starts a server (`stargazer serve`, with the real reader), sends a photograph from each phone
simultaneously, and opens pages as a fifth phone until the last one is read. Prints the time of each
photograph, of the fifth phone's pages, and the server's peak memory; exits with 1 if a photograph
was not read or the memory exceeded its limit.
"""

import argparse
import contextlib
import io
import json
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import psutil
from PIL import Image, ImageOps

from tests.webapp.conftest import game_at

MOST_MEMORY_MB = 1500
PAGE_GOAL_MS = 50
PATIENCE_S = 300
DEMO = Path(__file__).parents[2] / "webapp" / "demo"
START = "from webapp.cli.main import main; main()"
CARDS = {"career": "V5,V7,V12,V17", "advanced": "B3,B16,B20,B24"}


class Phone:
    """A phone's browser: its cookies and CSRF token."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._browser = self._make_browser()
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/games/new"))
        assert found, "a form carries a token"
        self._token = found[1]
        self.game = ""

    def _make_browser(self) -> urllib.request.OpenerDirector:
        return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> str:
        """Open a page."""
        with self._browser.open(self.address + path, timeout=PATIENCE_S) as answer:
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
        with self._browser.open(request, timeout=PATIENCE_S) as answer:
            return str(answer.url.removeprefix(self.address))

    def begin_game(self, name: str) -> None:
        """Begin a game of one player, up to its photographs."""
        players = {"count": "1", "mode": "full", "name-0": name, "marker-0": "teal"}
        self.game = game_at(self.post("/games/new", players))
        self.post(f"{self.game}/nebula/cards", CARDS)
        self.post(
            f"{self.game}/nebula/values", {"colours": "", "constellations": "", "advanced": ""}
        )

    def photograph(self, picture: bytes) -> "Read":
        """Send a photograph and wait until it has been read."""
        begun = time.monotonic()
        self.post(f"{self.game}/photographs", {}, picture)
        sent = time.monotonic() - begun
        while time.monotonic() - begun < PATIENCE_S:
            listed = self.get(f"{self.game}/photographs/list")
            if 'data-busy="no"' in listed:
                return Read(sent, time.monotonic() - begun, 'data-ready="yes"' in listed)
            time.sleep(0.5)
        return Read(sent, time.monotonic() - begun, False)


@dataclass(frozen=True)
class Read:
    """A photograph's result: seconds until it was received, and until it was read."""

    sent: float
    read: float
    found: bool


@dataclass
class Watch:
    """Samples the server's memory until stopped."""

    process: psutil.Process
    most_mb: float = 0
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        while not self.done.wait(0.05):
            with contextlib.suppress(psutil.Error):
                family = [self.process, *self.process.children(recursive=True)]
                now = sum(one.memory_info().rss for one in family) / 1e6
                self.most_mb = max(self.most_mb, now)


def photographs(folder: Path, count: int) -> list[bytes]:
    """Return photographs of a folder, one per phone, enlarged to 12 megapixels."""
    found = sorted(folder.glob("*.jpg"))
    if not found:
        raise SystemExit(f"{folder} holds no *.jpg")
    return [_enlarged(Image.open(found[number % len(found)])) for number in range(count)]


def _enlarged(image: Image.Image) -> bytes:
    file = io.BytesIO()
    upright = ImageOps.exif_transpose(image).convert("RGB")
    grown = (12_000_000 / (upright.width * upright.height)) ** 0.5
    upright.resize((round(upright.width * grown), round(upright.height * grown))).save(
        file, "JPEG", quality=92
    )
    return file.getvalue()


def turn_pages(phone: Phone, stop: threading.Event) -> list[float]:
    """Open pages in turn until stopped; return the time of each in ms."""
    took = []
    pages = (
        "/",
        f"{phone.game}/nebula/cards",
        f"{phone.game}/nebula/values",
        f"{phone.game}/photographs",
    )
    while not stop.is_set():
        for page in pages:
            begun = time.perf_counter()
            phone.get(page)
            took.append(1000 * (time.perf_counter() - begun))
            time.sleep(0.05)
    return took


def serve(data: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server and wait until it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-c", START, "serve", "--data", str(data), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        with contextlib.suppress(OSError):  # refused, or not answered in time
            urllib.request.urlopen(f"{address}/healthz", timeout=5).close()
            return server, address
        time.sleep(0.1)
    server.kill()
    raise SystemExit("the server does not start")


def measure(phones: int, folder: Path) -> dict[str, Any]:
    """Run the whole load once."""
    pictures = photographs(folder, phones)
    with tempfile.TemporaryDirectory() as data:
        server, address = serve(Path(data))
        watch = Watch(psutil.Process(server.pid))
        watcher = threading.Thread(target=watch.run)
        watcher.start()
        try:
            senders = [Phone(address) for _ in pictures]
            for number, sender in enumerate(senders):
                sender.begin_game(f"Player {number}")
            fifth = Phone(address)
            fifth.begin_game("Fifth")
            idle = _pages_alone(fifth)
            stop = threading.Event()
            with ThreadPoolExecutor(phones + 1) as pool:
                turning = pool.submit(turn_pages, fifth, stop)
                reads = list(pool.map(Phone.photograph, senders, pictures))
                stop.set()
                busy = turning.result()
        finally:
            watch.done.set()
            watcher.join()
            server.terminate()
            server.wait(30)
    return {
        "photographs": len(reads),
        "megabytes_each": round(statistics.mean(map(len, pictures)) / 1e6, 1),
        "read": sum(read.found for read in reads),
        "sent_s": [round(read.sent, 1) for read in reads],
        "read_s": [round(read.read, 1) for read in reads],
        "page_alone_ms": _spread(idle),
        "page_meanwhile_ms": _spread(busy),
        "most_memory_mb": round(watch.most_mb),
    }


def _pages_alone(phone: Phone) -> list[float]:
    stop = threading.Event()
    threading.Timer(2, stop.set).start()
    return turn_pages(phone, stop)


def _spread(took: list[float]) -> dict[str, float]:
    return {
        "pages": len(took),
        "median": round(statistics.median(took), 1),
        "p95": round(statistics.quantiles(took, n=20)[-1], 1),
        "worst": round(max(took), 1),
    }


def main() -> int:
    """Run the load test, print and judge the results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--phones", type=int, default=4)
    parser.add_argument("--photos", type=Path, default=DEMO, help="a folder of *.jpg to send")
    options = parser.parse_args()
    result = measure(options.phones, options.photos)
    print(json.dumps(result, indent=1))
    print(f"goals: a page in {PAGE_GOAL_MS} ms, memory under {MOST_MEMORY_MB} MB")
    good = result["read"] == result["photographs"] and result["most_memory_mb"] < MOST_MEMORY_MB
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
