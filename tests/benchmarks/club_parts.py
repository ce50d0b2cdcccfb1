"""The parts of `compose.yaml` on one computer without Docker, for tests of several servers.

The proxy's configuration is that of `compose.yaml`, except for addresses and TLS.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import yaml

from tests.services import free_port, new_database, postgresql, redis

ROOT = Path(__file__).parents[2]
START = "from webapp.cli.main import main; main()"
PATIENCE_S = 120


@dataclass
class Club:
    """The web servers behind a proxy, and all processes."""

    data: Path
    database: str
    redis: str
    cluster: str
    ports: list[int]
    proxy: int = 0
    servers: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    others: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The proxy's URL, which phones use."""
        return f"http://127.0.0.1:{self.proxy}"

    def start(self, number: int) -> "subprocess.Popen[bytes]":
        """Start a web server without waiting for it."""
        environment = {"DATABASE_URL": self.database, "REDIS_URL": self.redis}
        if self.cluster:
            environment["STARGAZER_CLUSTER"] = self.cluster
        port = str(self.ports[number])
        command = ["serve", "--data", str(self.data), "--port", port, "--proxy", "127.0.0.1"]
        return _start([sys.executable, "-c", START, *command], environment)

    def wait_for(self, number: int) -> None:
        """Wait until a web server answers."""
        _wait_for(f"http://127.0.0.1:{self.ports[number]}/healthz", self.servers[number])

    def kill(self, number: int) -> None:
        """Kill a web server abruptly and restart it, without waiting for it."""
        server = self.servers[number]
        children = psutil.Process(server.pid).children(recursive=True)
        server.send_signal(signal.SIGKILL)
        server.wait()
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        self.servers[number] = self.start(number)

    @property
    def processes(self) -> list[psutil.Process]:
        """The web servers' processes with their children."""
        found = []
        for server in self.servers:
            with suppress(psutil.Error):
                process = psutil.Process(server.pid)
                found += [process, *process.children(recursive=True)]
        return found


@contextmanager
def club(servers: int = 2, workers: int = 0) -> Iterator[Club]:
    """Run a proxy, web servers, PostgreSQL, Redis, a scheduler and its workers.

    Without workers, the web servers read photographs themselves.
    """
    with ExitStack() as until_the_end:
        folder = Path(until_the_end.enter_context(tempfile.TemporaryDirectory(prefix="club-")))
        database = new_database(until_the_end.enter_context(postgresql(durable=True)))
        meeting = until_the_end.enter_context(redis())
        ports = [free_port() for _ in range(servers)]
        made = Club(folder / "data", database, meeting, "", ports)
        until_the_end.callback(_end, made)
        if workers:
            made.cluster = _cluster(made, workers)
        made.servers = [made.start(number) for number in range(servers)]
        made.proxy = free_port()
        written = folder / "nginx.conf"
        written.write_text(proxy_configuration(made.proxy, ports, folder))
        made.others.append(_start(["nginx", "-c", str(written), "-p", str(folder)], {}))
        for number in range(servers):
            made.wait_for(number)
        _wait_for(f"{made.address}/healthz", made.others[-1])
        yield made


@contextmanager
def one_server() -> Iterator[Club]:
    """Run a single web server with SQLite, without a proxy."""
    with tempfile.TemporaryDirectory() as data:
        port = free_port()
        made = Club(Path(data), f"sqlite:///{data}/stargazer.db", "", "", [port], proxy=port)
        command = ["serve", "--data", data, "--port", str(port)]
        made.servers = [_start([sys.executable, "-c", START, *command], {})]
        try:
            made.wait_for(0)
            yield made
        finally:
            _end(made)


def proxy_configuration(port: int, servers: list[int], folder: Path) -> str:
    """Return the proxy's configuration in `compose.yaml`, adapted to this computer, without TLS."""
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    said = composed["configs"]["proxy"]["content"].replace("$$", "$")
    kept = []
    for line in said.splitlines():
        if "server web" in line:
            number = int(line.split("web")[1].split(":")[0])
            if number <= len(servers):
                kept.append(line.replace(f"web{number}:8765", f"127.0.0.1:{servers[number - 1]}"))
        elif "ssl_certificate" not in line:
            kept.append(line.replace("listen 443 ssl", f"listen 127.0.0.1:{port}"))
    paths = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in paths)
    text = "\n".join(kept).replace("http {", f"http {{ access_log off; {temporary}", 1)
    user = "user root;" if os.geteuid() == 0 else ""
    return f"{user} daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n{text}\n"


def _cluster(made: Club, workers: int) -> str:
    port, seen = free_port(), free_port()
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", str(port)]
    shown = ["--dashboard-address", f"127.0.0.1:{seen}"]
    dask = [sys.executable, "-m", "dask", *scheduler, *shown]
    made.others.append(_start(dask, {}))
    _wait_for(f"http://127.0.0.1:{seen}/health", made.others[-1])
    address = f"tcp://127.0.0.1:{port}"
    for _ in range(workers):
        worker = ["worker", address, "--processes", "1", "--data", str(made.data)]
        made.others.append(_start([sys.executable, "-c", START, *worker], {}))
    return address


def _start(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, cwd=ROOT
    )


def _wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"{address} does not answer")
        time.sleep(0.1)


def _end(made: Club) -> None:
    for process in [*made.servers, *reversed(made.others)]:
        process.terminate()
    for process in [*made.servers, *made.others]:
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
