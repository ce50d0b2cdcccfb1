"""The server's end, however it comes: no worker holds it up, and none outlives it."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from tests.conftest import in_ci
from tests.live.rtsp import RtspCamera
from tests.services import COMMAND, free_port
from tests.webapp.conftest import game_at, players_form
from tests.webapp.live.conftest import CARDS, eventually

pytestmark = pytest.mark.skipif(os.name != "posix", reason="ends as POSIX has them")

ROOT = Path(__file__).parents[3]


class Served:
    """`stargazer serve` in a process of its own, a game on it, and a phone at the table."""

    def __init__(self, data: Path) -> None:
        port = free_port()
        self._address = f"http://127.0.0.1:{port}"
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        arguments = ["serve", "--port", str(port), "--data", str(data)]
        self.process = subprocess.Popen(
            [sys.executable, "-uc", COMMAND, *arguments],
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            # A shell that runs the tests in the background has them, and this, ignore Ctrl-C.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        eventually(self._answers, 180)
        self.game = game_at(self._form("/games/new", players_form("Ana", "Luis")))
        self._form(f"{self.game}/nebula/cards", CARDS)

    def worker(self) -> psutil.Process | None:
        """The only worker, if there is one."""
        children = psutil.Process(self.process.pid).children()
        workers = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        return workers[0] if workers else None

    def watch(self, address: str) -> None:
        """Let a source of this computer be watched."""
        self._form(f"{self.game}/live/sources", {"address": address})

    def push(self, jpeg: bytes) -> int:
        """Send a frame; the answer's code."""
        headers = {"X-CSRFToken": self._token(), "Content-Type": "image/jpeg"}
        return self._post(f"{self.game}/live/frames?camera=ana", jpeg, headers)[0]

    def cameras(self) -> str:
        """How each camera is doing, in words."""
        return self._get(f"{self.game}/live/cameras/list")

    def _answers(self) -> bool:
        try:
            return "ok" in self._get("/healthz")
        except OSError:
            return False

    def _get(self, path: str) -> str:
        with self._browser.open(self._address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def _token(self) -> str:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self._get("/preferences"))
        return found[1]

    def _form(self, path: str, fields: dict[str, str]) -> str:
        data = urllib.parse.urlencode({**fields, "csrf_token": self._token()}).encode()
        return self._post(path, data, {})[1]

    def _post(self, path: str, data: bytes, headers: dict[str, str]) -> tuple[int, str]:
        """Send; the answer's code and the address that it led to."""
        request = urllib.request.Request(self._address + path, data, headers)
        try:
            with self._browser.open(request, timeout=60) as answer:
                return answer.status, urllib.parse.urlsplit(answer.url).path
        except urllib.error.HTTPError as error:
            return error.code, ""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server with the shipped models."""
    started = Served(tmp_path / "data")
    yield started
    family = (
        [*psutil.Process(started.process.pid).children(recursive=True)]
        if (started.process.poll() is None)
        else []
    )
    started.process.kill()
    for one in family:
        if one.is_running():
            one.kill()
    started.process.wait()


def has_ended(process: psutil.Process) -> bool:
    """Whether a process has ended, even if nobody has asked how."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def large_picture() -> bytes:
    """A frame of a camera, larger than a pipe."""
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise).save(out, "JPEG", quality=75)
    assert len(out.getvalue()) > 280_000
    return out.getvalue()


@in_ci
def test_ctrl_c_ends_the_server_whatever_its_worker_is_at(served: Served) -> None:
    frame = large_picture()
    eventually(lambda: served.push(frame) == 202 and "Looking" in served.cameras())
    eventually(lambda: "No picture" in served.cameras())  # it has room, and none comes
    worker = served.worker()
    worker.suspend()

    def send() -> None:
        with suppress(OSError):  # the server ends
            served.push(frame)

    for _ in range(3):
        threading.Thread(target=send, daemon=True).start()
    time.sleep(2.0)  # the frame is on its way into the pipe
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(timeout=60) in {0, 130}
    eventually(lambda: has_ended(worker))


@in_ci
def test_a_worker_ends_with_its_server_also_while_its_stream_is_away(served: Served) -> None:
    stream = RtspCamera(np.full((96, 128, 3), 90, np.uint8))
    served.watch(stream.address)
    eventually(lambda: "Looking for a board" in served.cameras())
    stream.pull()
    eventually(lambda: "No picture" in served.cameras())
    worker = served.worker()
    assert worker is not None
    served.process.kill()
    eventually(lambda: has_ended(worker))
