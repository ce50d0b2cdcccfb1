"""The server itself: Waitress, with and without TLS, and the command that starts it."""

import errno
import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.services import COMMAND, free_port
from tests.webapp.conftest import Player
from webapp.app.settings import Settings
from webapp.cli.terminal.outcome import InputError
from webapp.server.certificate import tls_context
from webapp.server.connection_limits import MOST_CONNECTIONS
from webapp.server.waitress_server import PortTakenError, listen, make_server
from webapp.web.presentation import compile_templates

HOSTS = frozenset({"127.0.0.1", "localhost"})
Serve = Callable[..., int]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve an application on a free port, in a thread."""
    servers = []

    def run(server) -> None:
        with suppress(OSError):  # its socket is closed under it when the test is over
            server.run()

    def start(app: Flask, tls: ssl.SSLContext | None = None) -> int:
        server = make_server(app, listen("127.0.0.1", 0), tls)
        servers.append(server)
        threading.Thread(target=run, args=(server,), daemon=True).start()
        return server.effective_listen[0][1]

    yield start
    for server in servers:
        server.close()


def trusting(folder: Path) -> ssl.SSLContext:
    """A client that trusts the table's own certificate and checks its names."""
    return ssl.create_default_context(cafile=folder / "authority.pem")


def test_pages_over_plain_http(app: Flask, serve: Serve) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", serve(app), timeout=60)
    for _ in range(3):  # on one connection
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert answer.status == 200 and b"Stargazer" in answer.read()


def test_pages_over_https(app: Flask, serve: Serve, tmp_path: Path) -> None:
    port = serve(app, tls_context(tmp_path, HOSTS))
    connection = http.client.HTTPSConnection(
        "localhost", port, timeout=60, context=trusting(tmp_path)
    )
    for path in ("/", "/static/style/base.css", "/nothing", "/healthz"):
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == (404 if path == "/nothing" else 200)
        assert len(answer.read()) == int(answer.headers["Content-Length"])


def test_a_large_upload_over_https(app: Flask, serve: Serve, tmp_path: Path) -> None:
    port = serve(app, tls_context(tmp_path, HOSTS))
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=60, context=trusting(tmp_path)
    )
    body = b'{"players": "' + b"x" * 90_000 + b'"}'
    connection.request("POST", "/api/score", body, {"Content-Type": "application/json"})
    assert connection.getresponse().status == 422
    head = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="x.jpg"\r\n\r\n'
    photo = head + bytes(12_000_000) + b"\r\n--b--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=60, context=trusting(tmp_path)
    )
    connection.request("POST", "/api/read", photo, kind)
    assert connection.getresponse().status == 400


def test_callers_that_speak_no_tls_do_not_stop_the_others(
    app: Flask, serve: Serve, tmp_path: Path
) -> None:
    port = serve(app, tls_context(tmp_path, HOSTS))
    silent = socket.create_connection(("127.0.0.1", port))
    plain = socket.create_connection(("127.0.0.1", port), timeout=60)
    plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    connection = http.client.HTTPSConnection(
        "127.0.0.1", port, timeout=60, context=trusting(tmp_path)
    )
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    silent.close()
    plain.close()


def test_a_taken_port_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTakenError, match=f"port {port}.*try another --port"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize(
    ("options", "called"),
    [
        ([], 0),
        (
            ["--redis", "redis://127.0.0.1:1/0", "--database", "postgresql://127.0.0.1:1/games"],
            errno.ECONNREFUSED,
        ),
    ],
)
def test_only_a_server_alone_lets_callers_wait_while_it_starts(
    stargazer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str], called: int
) -> None:
    port, results = free_port(), []

    def call(_settings: Settings) -> Flask:
        with socket.socket() as caller:
            results.append(caller.connect_ex(("127.0.0.1", port)))
        raise InputError("called")

    monkeypatch.setattr("webapp.cli.commands.serve._application", call)
    stargazer("serve", "--data", tmp_path / "data", "--port", port, *options)
    assert results == [called]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--profile", "none"], "none"),
        (["--database", "nonsense"], "--database 'nonsense'"),
        (["--port", "99999"], "--port"),
    ],
)
def test_bad_usage_is_one_line(stargazer, tmp_path: Path, options: list[str], message: str) -> None:
    result = stargazer("serve", "--data", tmp_path / "data", *options)
    assert result.exit_code == 2
    assert message in result.stderr and result.stderr.count("\n") == 1


def test_a_data_folder_that_cannot_be_one_is_reported(stargazer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = stargazer("serve", "--data", tmp_path / "file")
    assert result.exit_code == 2


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as POSIX has it")
def test_the_command_serves_until_it_is_stopped(tmp_path: Path) -> None:
    port = free_port()
    program = "from webapp.cli.main import main; main()"
    arguments = ["serve", "--lan", "--port", str(port), "--data", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-uc", program, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        # A shell that runs the tests in the background has them, and this, ignore Ctrl-C.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    greeting = next(line for line in process.stdout if line.startswith("Stargazer is at"))
    secret = (tmp_path / "invitation").read_text()
    assert greeting.rstrip().endswith(f":{port}/join/{secret}")
    assert (tmp_path / "invitation").stat().st_mode & 0o077 == 0
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) in {0, 130}


def test_no_guest_waits_for_templates_to_be_compiled(
    app: Flask, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_templates(app)
    monkeypatch.setattr(app.jinja_env, "compile", None)
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    for path in ("/", f"{game}/nebula/values", f"{game}/photographs", f"{game}/live"):
        assert player.get(path).status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells a process's limits to others")
def test_a_small_limit_of_open_files_is_raised(tmp_path: Path) -> None:
    import resource

    def as_on_a_mac() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 4096))

    port = free_port()
    arguments = ["serve", "--port", str(port), "--data", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-uc", COMMAND, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        preexec_fn=as_on_a_mac,
    )
    assert process.stdout is not None
    assert any(line.startswith("Stargazer is at") for line in process.stdout)
    now, _ = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    process.kill()
    process.communicate()
    assert now > 3 * MOST_CONNECTIONS
