"""A real server whose callers are silent, slow or many: nobody keeps the others out."""

import contextlib
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.sessions import SecureCookieSession
from waitress import wasyncore

from tests.webapp.conftest import MakeApp, Player
from webapp.app import storage
from webapp.server import channel, connection_limits, guard, poll_loop
from webapp.server.certificate import tls_context
from webapp.server.channel import Channel
from webapp.server.connection_limits import MOST_CONNECTIONS, Trust
from webapp.server.dispatcher import THREADS
from webapp.server.waitress_server import Listener, listen, make_server
from webapp.web import event_streams

PATIENCE_S = 60
"""Long enough on any computer: who hangs hangs for ever."""


@pytest.fixture(autouse=True)
def sweeps_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for connections that are overdue more often than once a second."""
    monkeypatch.setattr(poll_loop, "SWEEP", 0.1)


class Server:
    """A server in a thread; connections from it may seem to come from elsewhere."""

    def __init__(self, app: Flask, tls: ssl.SSLContext | None) -> None:
        self.tls = tls is not None
        self._addresses: dict[int, str] = {}
        self._server = make_server(app, listen("127.0.0.1", 0), tls)
        self.port = self._server.effective_listen[0][1]
        listener = next(one for one in self._server.map.values() if isinstance(one, Listener))
        listener.fix_addr = lambda real: (self._addresses.get(real[1], real[0]), real[1])
        self.inside, self.trigger = listener.door.inside, listener.trigger
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # its sockets are closed under it
            self._server.run()

    def close(self) -> None:
        self._server.close()

    def open(self, address: str = "127.0.0.1", receive_buffer: int = 0) -> socket.socket:
        """Open a connection that comes from an address."""
        caller = socket.socket()
        if receive_buffer:
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        caller.bind(("127.0.0.1", 0))
        self._addresses[caller.getsockname()[1]] = address
        caller.settimeout(PATIENCE_S)
        caller.connect(("127.0.0.1", self.port))
        return caller

    def ask(
        self,
        path: str,
        address: str = "127.0.0.1",
        cookie: str = "",
        caller: socket.socket | None = None,
    ) -> HTTPConnection:
        """Ask for a page over a new connection, or one that is open already."""
        caller = caller or self.open(address)
        if self.tls:
            unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
            caller = unchecked.wrap_socket(caller)
        connection = HTTPConnection("127.0.0.1", self.port)
        connection.sock = caller
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        return connection

    def get(self, path: str, address: str = "127.0.0.1", cookie: str = "") -> int:
        """Load a page over a new connection; return the status."""
        connection = self.ask(path, address, cookie)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


@pytest.fixture(params=[False, True], ids=["http", "https"])
def server(make_app: MakeApp, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server opened to the network."""
    app = make_app(invitation="open-sesame", https=request.param, rate_limits=False)
    made = Server(app, tls_context(tmp_path, ["127.0.0.1"]) if request.param else None)
    made.app = app
    yield made
    made.close()


def guests_cookie(app: Flask) -> str:
    """What a guest's browser shows."""
    found = SecureCookieSession({"guest": guard.token("open-sesame")})
    signer = app.session_interface.get_signing_serializer(app)
    return f"stargazer={signer.dumps(dict(found))}"


def wait_until(what: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)


def is_closed(caller: socket.socket) -> bool:
    """Wait until the server hangs up, and say whether it did."""
    try:
        while caller.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize("addresses", [1, 50])
def test_silent_strangers_keep_nobody_out(server: Server, addresses: int) -> None:
    cookie = guests_cookie(server.app)
    silent = [server.open(f"192.0.2.{one % addresses}") for one in range(300)]
    for stranger in silent[::2]:
        with contextlib.suppress(ConnectionError):
            stranger.send(b"GET / HTTP/1.1\r\nHost: 127")  # over TLS: no handshake at all
    assert server.get("/", "192.0.2.200", cookie) == 200
    assert server.get("/", "192.0.2.0", cookie) == 200, "a guest at the strangers' own address"
    assert server.get("/", "192.0.2.201") == 401
    assert server.get("/") == 200, "this computer"
    assert len(server.inside) <= MOST_CONNECTIONS + 1
    for stranger in silent:
        stranger.close()


def test_a_server_may_be_woken_by_something_else_while_it_is_closed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    trigger = server.trigger
    pull = trigger._physical_pull

    def pulled_late() -> None:
        pull()
        wait_until(lambda: not trigger._fds)
        pull()  # as if the loop had been quicker than this thread

    monkeypatch.setattr(trigger, "_physical_pull", pulled_late)
    server.close()
    assert not server.inside


def test_a_head_that_does_not_end_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_WITHIN", 0.2)
    for said in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"\x16\x03\x01\x02\x00\x01"):
        for address in ("192.0.2.1", "127.0.0.1"):
            slow = server.open(address)
            slow.sendall(said)
            assert is_closed(slow), (said, address)


def test_a_guests_slow_body_is_given_up(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(invitation="open-sesame", rate_limits=False)
    server = Server(app, None)
    slow = server.open("192.0.2.1")
    cookie = guests_cookie(app).encode()
    slow.sendall(
        b"POST /api/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000000\r\n"
        b"Cookie: " + cookie + b"\r\n\r\n{"
    )
    wait_until(lambda: any(one.trust is Trust.GUEST for one in server.inside.values()))
    monkeypatch.setattr(connection_limits, "BODY_AT_LEAST", 0.2)
    assert is_closed(slow)
    server.close()


def test_a_strangers_long_body_is_refused_before_it_comes(make_app: MakeApp) -> None:
    server = Server(make_app(invitation="open-sesame"), None)
    for length in (b"Content-Length: 30000000", b"Transfer-Encoding: chunked"):
        stranger = server.open("192.0.2.1")
        stranger.sendall(b"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length + b"\r\n\r\n")
        assert stranger.recv(100).startswith(b"HTTP/1.1 401 ")
        stranger.close()
    server.close()


def test_too_long_a_body_is_refused_in_the_callers_language(server: Server) -> None:
    """By a page, before the body comes; none of it is taken for a further request."""
    connection = server.ask("/games/import")
    connection.getresponse().read()
    connection.putrequest("POST", "/games/import")
    connection.putheader("Accept-Language", "es")
    connection.putheader("Content-Type", "multipart/form-data; boundary=x")
    connection.putheader("Content-Length", "60000000")
    connection.endheaders(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    answer = connection.getresponse()
    assert answer.status == 413 and answer.headers["Connection"] == "close"
    assert "Este archivo es demasiado grande. Elige uno" in answer.read().decode()
    assert is_closed(connection.sock) if connection.sock else answer.isclosed()


def test_long_bodies_leave_the_disk_some_room(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bodies are counted from the moment that they are announced."""
    server = Server(make_app(invitation="open-sesame"), None)
    disk = SimpleNamespace(free=storage.SPARE_BYTES + 100_000_000)
    monkeypatch.setattr(storage.shutil, "disk_usage", lambda _: disk)
    callers = [server.open() for _ in range(6)]
    for caller in callers:
        caller.sendall(
            b"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 30000000\r\n\r\n"
        )
    for caller in callers[3:]:
        assert caller.recv(100).startswith(b"HTTP/1.1 507 ")
    for caller in callers[:3]:
        caller.setblocking(False)
        with pytest.raises(BlockingIOError):
            caller.recv(100)
    assert server.get("/") == 200
    for caller in callers:
        caller.close()
    server.close()


def test_who_takes_no_answer_is_given_up(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing more can be sent: the connection never becomes ready to be written to."""
    server = Server(make_app(invitation="open-sesame", rate_limits=False), None)
    greedy = server.open("192.0.2.1", receive_buffer=4096)
    ask = b"GET /static/style/base.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    greedy.settimeout(1)
    with contextlib.suppress(TimeoutError):
        while True:
            greedy.sendall(ask * 50)
    assert server.inside
    monkeypatch.setattr(connection_limits, "HEAD_WITHIN", 0.2)
    wait_until(lambda: not server.inside)
    greedy.close()
    server.close()


def test_urgent_data_does_not_keep_the_server_busy(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_WITHIN", 3600.0)
    server = Server(make_app(invitation="open-sesame"), None)
    caller = server.open("192.0.2.1")
    caller.send(b"!", socket.MSG_OOB)
    assert is_closed(caller)
    server.close()


def test_the_stream_of_news_is_no_silence(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Player(server.app.test_client()).new_game("Ana")
    connection = server.ask(f"{game}/live/events?after=0")
    stream = connection.getresponse()
    assert stream.readline().startswith(b"retry")
    for name in ("HEAD_WITHIN", "QUIET", "BODY_AT_LEAST"):
        monkeypatch.setattr(connection_limits, name, 0.3)
    time.sleep(0.7)  # several rounds of the server's looking for who is overdue
    server.app.extensions["stargazer live"].notifier.notify(game.rsplit("/", 1)[1])
    assert any(line.startswith(b"event: cameras") for line in stream)
    connection.close()


def test_more_pages_listen_than_there_are_threads_and_all_hear_at_once(server: Server) -> None:
    game = Player(server.app.test_client()).new_game("Ana")
    pages = [server.ask(f"{game}/live/events?after=0") for _ in range(THREADS + 8)]
    streams = [page.getresponse() for page in pages]
    assert all(stream.readline().startswith(b"retry") for stream in streams)
    assert server.get("/") == 200
    server.app.extensions["stargazer live"].notifier.notify(game.rsplit("/", 1)[1])
    for stream in streams:
        assert any(line.startswith(b"event: cameras") for line in stream)
    for page in pages:
        page.close()


def test_a_connection_is_closed_while_no_thread_sends(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number would be the next connection's, which would get what is sent."""
    page = server.ask("/")
    assert page.getresponse().status == 200
    (channel,) = server.inside.values()
    locked, close = list[bool](), wasyncore.dispatcher.close

    def noted(one: wasyncore.dispatcher) -> None:
        if one is channel:
            locked.append(channel.outbuf_lock._is_owned())
        close(one)

    monkeypatch.setattr(wasyncore.dispatcher, "close", noted)
    channel.handle_close()
    channel.close()
    assert locked == [True, True]


def test_a_server_that_has_stopped_wakes_nothing_else(server: Server) -> None:
    """The number of its pipe is free for another connection, which would get a stray byte."""
    numbers = {*server.trigger._fds}
    server.close()
    wait_until(lambda: not server.trigger._fds)
    ends = [end for _ in range(40) for end in socket.socketpair()]
    assert numbers & {end.fileno() for end in ends}, "a number is used again"
    with pytest.raises(ConnectionError):
        server.trigger.pull_trigger()
    assert not select.select(ends, [], [], 0)[0]
    for end in ends:
        end.close()


def test_a_page_that_takes_nothing_is_hung_up_on_and_another_one_hears(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "BEAT", 3600.0)  # only what is notified is sent
    events = server.app.extensions["stargazer events"]
    notifier = server.app.extensions["stargazer live"].notifier
    game = Player(server.app.test_client()).new_game("Ana")
    deaf = server.ask(f"{game}/live/events?after=0")
    # Kept until the end: http.client hangs up with the last reference to the answer.
    unread = deaf.getresponse()
    assert unread.readline().startswith(b"retry")
    assert events.listeners == 1
    with monkeypatch.context() as patched:
        patched.setattr(channel, "MOST_UNSENT", -1)  # as if much waited for it
        notifier.notify(game.rsplit("/", 1)[1])
        wait_until(lambda: events.listeners == 0)
    assert b"event: cameras" not in unread.read()
    hearing = server.ask(f"{game}/live/events?after=0")
    stream = hearing.getresponse()
    assert stream.readline().startswith(b"retry")
    notifier.notify(game.rsplit("/", 1)[1])
    assert any(line.startswith(b"event: cameras") for line in stream)
    for connection in (deaf, hearing):
        connection.close()


@pytest.mark.parametrize(
    ("connection", "told", "status"),
    [
        ("127.0.0.1", "127.0.0.1", 200),
        ("127.0.0.1", "192.0.2.7", 401),
        ("127.0.0.1", "127.0.0.1, 192.0.2.7", 401),
        ("127.0.0.1", "", 401),
        ("127.0.0.1", "localhost", 401),
        ("192.0.2.9", "127.0.0.1", 401),
    ],
)
def test_the_client_address_is_the_last_one_that_a_trusted_proxy_names(
    make_app: MakeApp, connection: str, told: str, status: int
) -> None:
    proxies = frozenset({ip_network("127.0.0.1")})
    server = Server(make_app(invitation="open-sesame", proxies=proxies), None)
    caller = HTTPConnection("127.0.0.1", server.port)
    caller.sock = server.open(connection)
    caller.request("GET", "/", headers={"X-Forwarded-For": told} if told else {})
    assert caller.getresponse().status == status
    caller.close()
    server.close()


def test_who_calls_again_is_not_taken_for_one_who_calls_besides(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server, busy, sees the new calls and the ends of the old ones at the same moment."""
    monkeypatch.setattr(connection_limits, "MOST_OF_ADDRESS", 4)
    cookie = guests_cookie(server.app)
    first = [server.ask("/", "192.0.2.1", cookie) for _ in range(4)]
    for one in first:
        assert one.getresponse().read()  # and the connection is kept
    wait_until(lambda: not any(one.is_answered for one in server.inside.values()))
    busy, go_on = threading.Event(), threading.Event()
    accept = Listener.handle_accept

    def accept_later(listener: Listener) -> None:
        busy.set()
        go_on.wait(PATIENCE_S)
        accept(listener)

    monkeypatch.setattr(Listener, "handle_accept", accept_later)
    server.open("127.0.0.1")
    assert busy.wait(PATIENCE_S)
    for one in first:
        one.close()
    callers = [server.open("192.0.2.1") for _ in range(4)]
    go_on.set()
    again = [server.ask("/", cookie=cookie, caller=caller) for caller in callers]
    assert [one.getresponse().status for one in again] == [200] * 4


def test_it_is_noticed_that_a_page_hears_no_news_any_more_though_there_is_none(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "BEAT", 3600.0)
    streams = server.app.extensions["stargazer events"]
    game = Player(server.app.test_client()).new_game("Ana")
    connection = server.ask(f"{game}/live/events?after=0")
    stream = connection.getresponse()
    assert stream.readline().startswith(b"retry")
    assert streams.listeners == 1
    stream.close()
    connection.close()
    wait_until(lambda: streams.listeners == 0)


def test_a_channel_keeps_what_the_door_asks_for() -> None:
    """Waitress writes the wall clock's time where it notes that something came."""
    channel = object.__new__(Channel)
    channel.last_activity = 0.0
    assert abs(channel.moved - time.monotonic()) < 60
