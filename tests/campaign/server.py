"""A real `stargazer serve` to attack, and browsers that call it from addresses of their own.

The campaign runs in a network of its own (`__main__`), where a whole range of addresses leads
here: a browser from `HOST` sits at the computer that serves, one from `NETWORK` comes by Wi-Fi.
"""

import http.client
import itertools
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.services import free_port

ROOT = Path(__file__).parents[2]
HEARS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""A shell that runs the campaign in the background has it, and what it starts, ignore Ctrl-C."""
START = "from webapp.cli.main import main; main()"
HERE = "10.91.7.1"
HOST = "127.0.0.{}"
NETWORK = "10.91.7.{}"
ENDS_WITHIN = 60.0
"""Seconds after which a process of a server that was killed counts as left behind; one that has
only begun to start sees no sooner that it is alone."""
HANGS_AFTER = 120.0
"""Seconds without an answer after which a request counts as hanging: a photograph may have to wait
for others, and a body of which nothing more comes is waited for as long as the door says."""
Form = Mapping[str, Any]
NOTHING: Mapping[str, str] = {}


class NotServedError(Exception):
    """A server did not come to serve; what it wrote."""


class Server:
    """A server of the companion in a folder, started, killed and started again."""

    def __init__(self, folder: Path, program: str = START) -> None:
        """Serve from `folder`, on a port that is free now; `program` is what Python runs."""
        self.data, self.log, self._program = folder / "data", folder / "server.log", program
        self.home = folder / "home"
        self.port: int = free_port()
        self._process: subprocess.Popen[str] | None = None

    def begin(self) -> None:
        """Start it, and leave it to itself."""
        program = HEARS_CTRL_C + self._program
        command = [sys.executable, "-uc", program, "serve", "--lan", "--name", HERE]
        command += ["--port", str(self.port), "--data", str(self.data)]
        there = {**os.environ, "XDG_DATA_HOME": str(self.home)}  # whatever its owner has stays out
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT, env=there
            )

    def start(self) -> None:
        """Start it, and wait until it says where it is. Raises NotServedError."""
        self.begin()
        assert self._process is not None and self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("Stargazer is at"):
                return
        self._wait()
        raise NotServedError(self.log.read_text()[-2000:])

    def family(self) -> list[psutil.Process]:
        """The server's process and all that it has started."""
        assert self._process is not None
        process = psutil.Process(self._process.pid)
        return [process, *process.children(recursive=True)]

    def kill(self) -> int:
        """End it with kill -9; return how many of its processes are left behind."""
        family = self.family()
        family[0].kill()
        self._wait()
        _, left = psutil.wait_procs(family[1:], ENDS_WITHIN)
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        return len(left)

    def stop(self) -> bool:
        """End it with Ctrl-C; False where it had to be killed."""
        assert self._process is not None
        self._process.send_signal(2)
        try:
            self._wait()
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True

    def _wait(self) -> None:
        assert self._process is not None
        self._process.wait(HANGS_AFTER)
        if self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def invitation(self) -> str:
        """The secret of the QR code."""
        return (self.data / "invitation").read_text().strip()

    def tracebacks(self) -> Sequence[str]:
        """The errors nobody had thought of that are in its log, each with what stands behind it."""
        written = self.log.read_text(errors="replace")
        return written.split("Traceback (most recent call last)")[1:]


@dataclass(frozen=True)
class Answer:
    """What came of a request: `status` 0 where the connection was closed without an answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    hung: bool = False

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


class Browser:
    """Somebody's browser at an address: a new connection for each page, its cookie kept."""

    def __init__(self, server: Server, address: str) -> None:
        """Call `server` from `address`."""
        self.server, self.address = server, address
        self.cookie = ""
        self._token = ""

    @property
    def origin(self) -> str:
        """The server's address, as this browser calls it."""
        name = "127.0.0.1" if self.address.startswith("127.") else HERE
        return f"{name}:{self.server.port}"

    def join(self) -> "Browser":
        assert self.ask("GET", f"/join/{self.server.invitation}").status == 303
        return self

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] = NOTHING,
    ) -> Answer:
        """Send a request as it is given."""
        name, _, port = self.origin.partition(":")
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        message = request(method, path, self.origin, body, {**cookie, **headers})
        begun = time.monotonic()
        try:
            with socket.create_connection(
                (name, int(port)), HANGS_AFTER, source_address=(self.address, 0)
            ) as connection:
                # Who is refused before the body has come may find the door closed meanwhile.
                with suppress(BrokenPipeError, ConnectionResetError):
                    connection.sendall(message)
                answer = http.client.HTTPResponse(connection, method=method)
                answer.begin()
                content = _body(answer)
        except (OSError, http.client.HTTPException) as error:
            hung = isinstance(error, TimeoutError)
            return Answer(0, {}, repr(error).encode(), time.monotonic() - begun, hung)
        found = Answer(answer.status, dict(answer.headers), content, time.monotonic() - begun)
        if "Set-Cookie" in found.headers:
            self.cookie = found.headers["Set-Cookie"].split(";")[0]
        return found

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def token(self) -> str:
        """The token that this browser's forms carry."""
        if not self._token:
            found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/preferences").text)
            assert found is not None, f"{self.address} is given no form"
            self._token = found[1]
        return self._token

    def post(self, path: str, form: Form = NOTHING, headers: Mapping[str, str] = NOTHING) -> Answer:
        body, kind = encoded([*form.items(), ("csrf_token", self.token())])
        return self.ask("POST", path, body, {"Content-Type": kind, **headers})

    def tap(self, path: str, form: Form = NOTHING) -> Answer:
        """Send a form as a page's own script does."""
        return self.post(path, form, {"X-Partial": "1"})

    def push(self, game: str, camera: str, frame: bytes) -> Answer:
        """Send a frame of a phone's camera."""
        headers = {"X-CSRFToken": self.token(), "X-Partial": "1", "Content-Type": "image/jpeg"}
        return self.ask("POST", f"{game}/live/frames?camera={camera}", frame, headers)


def request(
    method: str, path: str, host: str, body: bytes | None, headers: Mapping[str, str]
) -> bytes:
    """Write a request, whose parts may be what no HTTP library would send."""
    names = {name.lower() for name in headers}
    lines = [f"{method} {path} HTTP/1.1", "Connection: close"]
    if "host" not in names:
        lines.append(f"Host: {host}")
    if body is not None and not names & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "\r\n"]).encode("utf-8", "surrogatepass") + (body or b"")


def _body(answer: http.client.HTTPResponse) -> bytes:
    if answer.headers.get_content_type() == "text/event-stream":
        return answer.read1(65536)  # it ends when the evening does
    return answer.read()


_boundaries = itertools.count()  # many threads ask: a generator would not have that


def encoded(fields: Iterable[tuple[Any, Any]]) -> tuple[bytes, str]:
    """Encode a form's fields, whatever is in them; a (stream, name) is a file."""
    edge = f"edge-{next(_boundaries)}"
    parts = []
    for name, value in fields:
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"'
        if isinstance(value, tuple):
            stream, filename = value
            content = stream if isinstance(stream, bytes) else stream.read()
            head += f'; filename="{filename}"\r\nContent-Type: image/jpeg'
        else:
            content = str(value).encode("utf-8", "surrogatepass")
        parts += [f"{head}\r\n\r\n".encode("utf-8", "surrogatepass"), content, b"\r\n"]
    return b"".join([*parts, f"--{edge}--\r\n".encode()]), f"multipart/form-data; boundary={edge}"
