"""Everything stays on this computer: no file outside the data folder, no socket but our own.

The folders in which programs keep things of their own (home, cache, settings, temporary files)
are empty ones here, and must be empty afterwards. Sockets are watched with strace, which sees what
compiled libraries do as well; a library that reports home does so some seconds after its start.
"""

import http.cookiejar
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import pytest

from tests.conftest import in_ci, in_full
from tests.services import free_port
from tests.webapp.conftest import game_at

ROOT = Path(__file__).parents[1]
PHOTOGRAPH = ROOT / "webapp" / "demo" / "ana.jpg"
LONG_ENOUGH = 9.0
"""Seconds after the models were loaded: ONNX Runtime's telemetry asks for its server after 5."""
STRACE = shutil.which("strace")
COMMAND = "from webapp.cli.main import main; main()"
TRAINING = """
from models.train import YOLO, train
from ultralytics.utils.checks import check_font
from ultralytics.utils.events import Events
assert check_font() and not Events().enabled
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the folders are POSIX's")


@dataclass(frozen=True)
class Watched:
    """Folders in which nothing may appear, as an environment, and a trace of the sockets."""

    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """Ours, but for those folders."""
        kept = {name: at for name, at in os.environ.items() if not name.startswith("XDG_")}
        names = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
        places = {name: str(self.folder / name) for name in (*names, "XDG_STATE_HOME")}
        for place in places.values():
            Path(place).mkdir(parents=True, exist_ok=True)
        return kept | places | {"PYTHONDONTWRITEBYTECODE": "1"}

    def start(self, *arguments: object, program: str = COMMAND) -> subprocess.Popen[str]:
        """Start the command, or another program, watched."""
        calls = "trace=connect,sendto,sendmsg,sendmmsg"
        options = ("-f", "--seccomp-bpf", "-qq", "-e", calls, "-o", self.trace)
        watch = [STRACE, *options] if STRACE else []
        return subprocess.Popen(
            [*map(str, watch), sys.executable, "-c", program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )

    @property
    def trace(self) -> Path:
        return self.folder.with_suffix(".trace")

    def files(self) -> list[str]:
        """What was left in the folders."""
        found = [path for path in self.folder.rglob("*") if not path.is_dir()]
        return sorted(str(path.relative_to(self.folder)) for path in found)

    def calls_out(self) -> list[str]:
        """Calls that reach for another computer, or look one up."""
        lines = self.trace.read_text(errors="replace").splitlines()
        return [line for line in lines if re.search(r"sa_family=AF_INET6?\b", line)]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    """Empty folders for a command that is watched."""
    return Watched(tmp_path / "elsewhere")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A second of a board."""
    path = tmp_path / "film.mp4"
    picture = cv2.resize(cv2.imread(str(PHOTOGRAPH)), (800, 600))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), 10, (800, 600))
    for _ in range(10):
        writer.write(picture)
    writer.release()
    return path


@pytest.mark.parametrize("command", in_full(["read", "live"], "read"))
def test_a_command_leaves_nothing_behind(watched: Watched, film: Path, command: str) -> None:
    arguments = {"read": ("read", PHOTOGRAPH), "live": ("live", "--source", film)}[command]
    process = watched.start(*arguments)
    reported, problems = process.communicate(timeout=300)
    assert process.returncode == 0 and reported, problems
    assert watched.files() == []
    if STRACE:
        assert watched.calls_out() == []


def test_training_reports_to_nobody(watched: Watched) -> None:
    pytest.importorskip("ultralytics", reason="training needs the extra `train`")
    process = watched.start(program=TRAINING)
    _, problems = process.communicate(timeout=300)
    assert process.returncode == 0, problems
    assert watched.files() == []
    if STRACE:
        assert watched.calls_out() == []


class Visitor:
    """Somebody's browser at the server."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        direct = urllib.request.ProxyHandler({})
        self.open = urllib.request.build_opener(direct, cookies).open

    def get(self, path: str) -> str:
        with self.open(self.origin + path, timeout=60) as answer:
            return answer.read().decode()

    def post(self, path: str, *, photo: bytes = b"", **fields: str) -> str:
        """Send a form; return the address that it leads to."""
        boundary = uuid.uuid4().hex
        fields["csrf_token"] = self.token()
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="'
        body = "".join(f'{head}{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
        file = f'{head}photo"; filename="a.jpg"\r\n\r\n'.encode() + photo + b"\r\n"
        whole = body.encode() + (file if photo else b"") + f"--{boundary}--\r\n".encode()
        return self._send(path, whole, f"multipart/form-data; boundary={boundary}")

    def push(self, path: str, frame: bytes) -> None:
        self._send(path, frame, "image/jpeg", {"X-CSRFToken": self.token()})

    def token(self) -> str:
        """The token that forms carry."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/preferences"))
        return found[1]

    def _send(self, path: str, body: bytes, kind: str, more: Mapping[str, str] = {}) -> str:
        headers = {"Content-Type": kind, "Origin": self.origin, **more}
        request = urllib.request.Request(self.origin + path, body, headers)
        with self.open(request, timeout=60) as answer:
            return answer.url.removeprefix(self.origin)


def eventually(holds: Callable[[], bool], seconds: float = 180.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it does not come to hold"
        time.sleep(0.2)


@pytest.fixture
def server(watched: Watched, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Visitor]]:
    """The command that serves, watched, and a browser at it."""
    port = free_port()
    process = watched.start("serve", "--port", port, "--data", tmp_path / "data")
    assert process.stdout is not None
    next(line for line in process.stdout if line.startswith("Stargazer is at"))
    yield process, Visitor(port)
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.communicate()


@in_ci
def test_a_server_leaves_nothing_behind_and_calls_nobody(
    watched: Watched, server: tuple[subprocess.Popen[str], Visitor], tmp_path: Path
) -> None:
    process, visitor = server
    players = {"name-0": "Ana", "marker-0": "teal"}
    game = game_at(visitor.post("/games/new", count="1", mode="full", **players))
    picture = PHOTOGRAPH.read_bytes()
    visitor.post(f"{game}/photographs", photo=picture, player="0")
    eventually(lambda: 'data-busy="no"' in visitor.get(f"{game}/photographs/list"))
    assert 'data-ready="yes"' in visitor.get(f"{game}/photographs/list")

    def is_watching() -> bool:
        with suppress(urllib.error.HTTPError):  # the worker is getting ready
            visitor.push(f"{game}/live/frames?camera=phone", picture)
        return "Watching" in visitor.get(f"{game}/live/cameras/list")

    eventually(is_watching)
    time.sleep(LONG_ENOUGH)
    inside = child_of(process.pid) if STRACE else process.pid
    os.kill(inside, signal.SIGINT)
    process.wait(timeout=120)
    assert watched.files() == []
    assert list((tmp_path / "data").iterdir())
    if STRACE:
        assert watched.calls_out() == []


def child_of(process: int) -> int:
    """The process that strace runs."""
    return int(Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])
