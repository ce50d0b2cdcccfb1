"""The server's loop: many connections that wait cost nothing, and none is forgotten."""

import http.client
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Queue

import pytest
from flask import Flask, Response, request

from webapp.server import poll_loop
from webapp.server.channel import HOLD, Channel
from webapp.server.waitress_server import Listener, Server, listen

Served = tuple[Server, int]
Send = Callable[[bytes], None]
LONG = b"x" * 16_000_000
"""More than a socket takes at once."""
Begun = Queue[tuple[Send, Callable[[], None]]]


@pytest.fixture
def begun() -> Begun:
    """What sends more to each page that is held."""
    return Queue()


@pytest.fixture
def served(app: Flask, begun: Begun, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server that never asks all connections by the clock, with a page that it holds."""

    @app.get("/healthz/held")
    def held() -> Response:
        request.environ[HOLD](lambda send, end: begun.put((send, end)))
        return Response(iter(["begun\n"]))

    monkeypatch.setattr(poll_loop, "SWEEP", 1e6)
    monkeypatch.setattr(poll_loop, "monotonic", lambda: 0.0)
    server = Server(app, listen("127.0.0.1", 0), None)

    def run() -> None:
        with suppress(OSError, ValueError):  # its sockets are closed under it
            server.run()

    threading.Thread(target=run, daemon=True).start()
    yield server, int(server.effective_listen[0][1])
    server.close()


def opened(port: int) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    """A page that is held, and what came of it first."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/healthz/held")
    answer = connection.getresponse()
    assert answer.readline() == b"begun\n"
    return connection, answer


def test_a_page_that_waits_is_not_asked_while_others_are_answered(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, port = served
    waiting = [opened(port) for _ in range(5)]
    asked: Counter[int | None] = Counter()
    readable = Channel.readable

    def counted(self: Channel) -> bool:
        asked[self._fileno] += 1
        return readable(self)

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    monkeypatch.setattr(Channel, "readable", counted)
    begun = time.monotonic()
    for _ in range(20):
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()
    asked_again = (time.monotonic() - begun) / poll_loop.AGAIN  # on a slow computer more often
    ((_, answered), *others) = asked.most_common()
    assert sum(times for _, times in others) <= len(waiting)  # once more as their answers began
    assert 20 <= answered < 200 + asked_again  # it does not come round and round while one sends


def test_a_page_that_waits_gets_what_is_sent_and_its_end(served: Served, begun: Begun) -> None:
    _, port = served
    connection, answer = opened(port)
    send, end = begun.get(timeout=60)
    send(b"one\n")
    assert answer.readline() == b"one\n"
    send(LONG)
    assert answer.read(len(LONG)) == LONG
    end()
    assert answer.read() == b""
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200


def test_a_page_that_hangs_up_is_let_go(served: Served) -> None:
    server, port = served
    _, answer = opened(port)
    (channel,) = server._door.inside.values()
    gone = threading.Event()
    close = channel.handle_close

    def closed() -> None:
        close()
        gone.set()

    channel.handle_close = closed  # type: ignore[method-assign]
    answer.close()
    assert gone.wait(60) and not channel.connected


def test_a_page_is_hung_up_on_at_its_end_where_it_wants_that(served: Served, begun: Begun) -> None:
    _, port = served
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET /healthz/held HTTP/1.0\r\nHost: localhost\r\n\r\n")
        send, end = begun.get(timeout=60)
        send(b"one\n")
        with connection.makefile("rb") as answer:
            assert b"one\n" in iter(answer.readline, b"")
            time.sleep(0.1)  # the loop sleeps again
            end()
            assert answer.read() == b""


def test_what_a_thread_could_not_send_is_sent_before_it_has_more(
    app: Flask, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, port = served
    is_full, is_read = threading.Event(), threading.Event()
    pull = Listener.pull_trigger

    def parts() -> Iterator[bytes]:
        yield LONG
        is_read.wait(60)
        yield b"end"

    def pulled(self: Listener) -> None:
        pull(self)
        is_full.set()
        time.sleep(0.1)  # the loop comes while the thread that sends still holds the lock

    app.add_url_rule("/healthz/slow", view_func=lambda: Response(parts()))
    monkeypatch.setattr(Listener, "pull_trigger", pulled)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/healthz/slow")
    assert is_full.wait(60)
    answer = connection.getresponse()
    assert answer.read(len(LONG)) == LONG
    is_read.set()
    assert answer.read() == b"end"


def test_a_server_that_is_closed_from_its_own_thread_does_not_wait_for_itself(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(app, listen("127.0.0.1", 0), None)
    waited: list[object] = []
    monkeypatch.setattr(threading.Event, "wait", lambda *_: waited.append(None))
    monkeypatch.setattr(server._loop, "run", server.close)
    server.run()
    assert not waited and not server._loop
