"""Waiting times of guests while attackers occupy the server's connections.

    sudo python tests/benchmarks/attack_door.py [--https] [--seconds 40] [--addresses 1]

Starts `stargazer serve --lan` and a second network (a Linux network namespace), so that the
attackers have other addresses than this computer. From there 300 connections stay silent, 50 send a
header byte by byte, 20 post a body as slowly; with `--flood` 20 request pages without pause and 20
open and drop connections. All reconnect when closed. Meanwhile an invited guest and a browser on
this computer load the list of games over a new connection each time, and a page keeps its event
stream. Prints the longest wait of each, and what was refused.
"""

import argparse
import contextlib
import http.client
import json
import os
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

HERE, STRANGER, GUEST = "10.91.7.1", "10.91.7.10", "10.91.7.200"
SPACE = f"stargazer-{os.getpid()}"
START = "from webapp.cli.main import main; main()"
PATIENCE_S = 60
HEAD = b"GET / HTTP/1.1\r\nHost: 10.91.7.1\r\n"
BODY = (
    b"POST /api/read HTTP/1.1\r\nHost: 10.91.7.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: 30000000\r\n\r\n"
)
UNCHECKED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UNCHECKED.check_hostname, UNCHECKED.verify_mode = False, ssl.CERT_NONE


@dataclass
class Waits:
    """One caller's waiting times in seconds, and its failures."""

    seconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.seconds:
            return f"no page at all; {len(self.failed)} failed: {self.failed[:1]}"
        middle, longest = statistics.median(self.seconds), max(self.seconds)
        return (
            f"{len(self.seconds)} pages, median {middle * 1000:.0f} ms, "
            f"longest {longest * 1000:.0f} ms, {len(self.failed)} failed {self.failed[:2]}"
        )


def connect(address: str, port: int, source: str, tls: bool) -> http.client.HTTPConnection:
    """Return a connection from one of this computer's addresses."""
    if tls:
        return http.client.HTTPSConnection(
            address, port, timeout=PATIENCE_S, source_address=(source, 0), context=UNCHECKED
        )
    return http.client.HTTPConnection(address, port, timeout=PATIENCE_S, source_address=(source, 0))


def load_pages(
    address: str, port: int, source: str, seconds: float, tls: bool, invitation: str
) -> Waits:
    """Load the list of games repeatedly, over a new connection each time."""
    cookie, waits, until = "", Waits(), time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        try:
            with contextlib.closing(connect(address, port, source, tls)) as connection:
                path = "/" if cookie or not invitation else f"/join/{invitation}"
                connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
                answer = connection.getresponse()
                answer.read()
                if answer.status >= 400:
                    waits.failed.append(str(answer.status))
                if answer.headers["Set-Cookie"]:
                    cookie = answer.headers["Set-Cookie"].split(";")[0]
            waits.seconds.append(time.monotonic() - begun)
        except (OSError, http.client.HTTPException) as error:
            waits.failed.append(f"{type(error).__name__} after {time.monotonic() - begun:.1f} s")
        time.sleep(0.05)
    return waits


class Stranger:
    """One connection of the attack, reopened whenever it is closed."""

    def __init__(self, kind: str, source: str, port: int) -> None:
        """`kind` is silent, header, body, asks or drops."""
        self.kind, self.source, self.port = kind, source, port
        self.socket: socket.socket | None = None
        self.opened, self.begun = 0, 0.0

    def step(self) -> None:
        """Perform the next action of this kind of attack."""
        try:
            if self.socket is None:
                self.socket = socket.socket()
                self.socket.bind((self.source, 0))
                self.socket.settimeout(2)
                self.socket.connect((HERE, self.port))
                self.socket.setblocking(False)
                self.opened += 1
                if self.kind in ("header", "body"):
                    self.socket.send(HEAD if self.kind == "header" else BODY)
                if self.kind == "asks":
                    self.socket.send(HEAD + b"\r\n")
            elif self.kind in ("header", "body"):
                self.socket.send(b"X")
            elif self.kind == "drops":
                self.close()
                return
            if self.kind != "drops":
                with contextlib.suppress(BlockingIOError):
                    answered = self.socket.recv(65536)
                    if not answered:
                        self.close()
                    elif self.kind == "asks":
                        self.socket.send(HEAD + b"\r\n")
        except OSError:
            self.close()

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None


def attack(port: int, seconds: float, addresses: int, flood: bool) -> None:
    """Run all attackers; print the number of connections opened."""
    kinds = {"silent": 300, "header": 50, "body": 20}
    if flood:
        kinds |= {"asks": 20, "drops": 20}
    sources = [f"10.91.7.{10 + number}" for number in range(addresses)]
    all_of_them = [
        Stranger(kind, sources[number % addresses], port)
        for kind, count in kinds.items()
        for number in range(count)
    ]
    slow = [one for one in all_of_them if one.kind not in ("asks", "drops")]
    fast = [one for one in all_of_them if one.kind in ("asks", "drops")]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        for one in slow:
            one.step()
        while time.monotonic() - begun < 0.5:
            for one in fast:
                one.step()
            time.sleep(0.005 if fast else 0.5)
    opened = {kind: sum(one.opened for one in all_of_them if one.kind == kind) for kind in kinds}
    print(json.dumps(opened))


def follow_news(port: int, seconds: float, tls: bool) -> str:
    """Begin a game on this computer and keep its event stream; return how far apart it beat."""
    import re

    connection = connect("127.0.0.1", port, "127.0.0.1", tls)
    connection.request("GET", "/games/new")
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    token = re.search(r'name="csrf_token" value="([^"]+)"', answer.read().decode())
    assert token is not None
    form = f"count=1&mode=full&name-0=Ana&marker-0=teal&csrf_token={token[1]}"
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/games/new", form, headers)
    answer = connection.getresponse()
    answer.read()
    game = re.search(r"/games/\w+", answer.headers["Location"])
    assert game is not None
    connection.request("GET", f"{game[0]}/live/events?after=0", headers={"Cookie": cookie})
    stream = connection.getresponse()
    beats, until = [time.monotonic()], time.monotonic() + seconds
    while time.monotonic() < until:
        line = stream.readline()
        if not line:
            return "the stream of news ended"
        if line.startswith(b"event: beat"):
            beats.append(time.monotonic())
    apart = [after - before for before, after in pairwise(beats)]
    return f"{len(apart)} beats, {max(apart):.1f} s apart at most"


@contextlib.contextmanager
def second_network() -> Iterator[None]:
    """Create a network namespace connected to this one, with addresses for the attackers."""

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    ip("netns", "add", SPACE)
    try:
        ip("link", "add", "star0", "type", "veth", "peer", "name", "star1", "netns", SPACE)
        ip("addr", "add", f"{HERE}/24", "dev", "star0")
        ip("link", "set", "star0", "up")
        for number in range(10, 201):
            ip("-n", SPACE, "addr", "add", f"10.91.7.{number}/24", "dev", "star1")
        ip("-n", SPACE, "link", "set", "star1", "up")
        yield
    finally:
        ip("netns", "del", SPACE)


def there(role: str, *more: str) -> subprocess.Popen[str]:
    """Run this script in the second network."""
    return subprocess.Popen(
        ["ip", "netns", "exec", SPACE, sys.executable, __file__, "--role", role, *more],
        stdout=subprocess.PIPE,
        text=True,
    )


def main() -> None:
    """Run the scenario, or one of its roles in the second network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--https", action="store_true")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--addresses", type=int, default=1, help="how many the strangers have")
    parser.add_argument("--flood", action="store_true", help="as fast as one program can")
    parser.add_argument("--quiet", action="store_true", help="no strangers: to compare")
    parser.add_argument("--role")
    parser.add_argument("--port", type=int)
    parser.add_argument("--invitation", default="")
    given = parser.parse_args()
    if given.role == "strangers":
        attack(given.port, given.seconds, given.addresses, given.flood)
        return
    if given.role == "guest":
        found = load_pages(HERE, given.port, GUEST, given.seconds, given.https, given.invitation)
        print(json.dumps(asdict(found)))
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with second_network(), tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [sys.executable, "-uc", START, "serve", "--lan", "--port", str(port), "--data", data]
            + ["--name", HERE] + (["--https"] if given.https else []),
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        try:
            assert server.stdout is not None
            next(line for line in server.stdout if line.startswith("Stargazer is at"))
            run(given, port, Path(data, "invitation").read_text())
        finally:
            server.terminate()
            server.wait()


def run(given: argparse.Namespace, port: int, invitation: str) -> None:
    """Attack, load pages and follow news simultaneously; print the results."""
    from concurrent.futures import ThreadPoolExecutor

    tls = ["--https"] if given.https else []
    span = ["--seconds", str(given.seconds), "--port", str(port)]
    with ThreadPoolExecutor() as pool:
        news = pool.submit(follow_news, port, given.seconds + 3, given.https)
        time.sleep(1)
        strangers = None
        if not given.quiet:
            more = ["--addresses", str(given.addresses), *(["--flood"] if given.flood else [])]
            strangers = there("strangers", *span, *more)
        time.sleep(2)
        span[1] = str(given.seconds - 5)
        guest = there("guest", *span, "--invitation", invitation, *tls)
        local = load_pages("127.0.0.1", port, "127.0.0.1", given.seconds - 5, given.https, "")
        print("this computer:", local)
        print("invited guest:", Waits(**json.loads(guest.communicate()[0])))
        print("news:", news.result())
        if strangers is not None:
            print("strangers opened:", strangers.communicate()[0].strip())


if __name__ == "__main__":
    main()
