"""Waitress, over plain HTTP or with TLS of its own, and with limits on connections."""

import logging
import os
import socket
import ssl
from collections.abc import Callable, Collection, Sequence
from functools import partial
from tempfile import gettempdir
from threading import Event, Lock, Thread, current_thread
from time import monotonic
from typing import Any

from flask import Flask
from waitress import trigger, wasyncore
from waitress.adjustments import Adjustments
from waitress.server import MultiSocketServer, TcpWSGIServer

from webapp.app.settings import Network, Settings
from webapp.app.storage import has_room
from webapp.server import poll_loop
from webapp.server.channel import Channel, TLSChannel
from webapp.server.connection_limits import is_overdue, makes_room
from webapp.server.dispatcher import Dispatcher
from webapp.server.guard import has_invitation

LONGEST_HEAD = 32 * 1024
LONGEST_REQUEST = 40 * 1024 * 1024
BACKLOG = 1024
AT_ONCE = 64
"""The most connections accepted before existing ones are served again."""

DONE_WITHIN = 10.0
"""Seconds for the loop to get to what another thread asked of it."""

log = logging.getLogger(__name__)
# Requests waiting for a thread are normal, and strangers could fill the disk with this log.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class PortTakenError(Exception):
    """The address cannot be listened on; one line with the reason and the remedy."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Bind a port on each address of `host`. Raise PortTakenError.

    Callers from now on wait until a server made with these sockets runs.
    """
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            sockets.append(socket.create_server(address[:2], family=family, backlog=BACKLOG))
    except OSError as error:
        for taken in sockets:
            taken.close()
        # Python's own text is too technical; failures of name lookup have numbers below zero.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror
        raise PortTakenError(
            f"cannot listen on {host} port {port} ({reason}): try another --port"
        ) from error
    return sockets


def make_server(
    app: Flask, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
) -> "Server":
    """A server that answers on sockets from `listen`; its `run` returns at Ctrl-C."""
    return Server(app, sockets, tls)


def _adjustments(tls: ssl.SSLContext | None) -> Adjustments:
    settings: dict[str, Any] = {
        "ident": "stargazer",
        "max_request_header_size": LONGEST_HEAD,
        "max_request_body_size": LONGEST_REQUEST,
        "inbuf_overflow": 512 * 1024,
        "backlog": BACKLOG,
        "channel_request_lookahead": 1,  # otherwise a listener's hang-up goes unnoticed
        "log_socket_errors": False,  # phones that leave the network are not errors
        "url_scheme": "https" if tls else "http",
    }
    return Adjustments(**settings)


class Server(MultiSocketServer):
    """Answers on its sockets, and on others that are opened and closed while it runs."""

    def __init__(
        self, app: Flask, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
    ) -> None:
        """Answer on sockets from `listen`, over TLS if a context is given."""
        self._app = app
        settings: Settings = app.extensions["stargazer"].settings
        self._door = _Door(partial(has_invitation, app), settings.proxies)
        self._threads, self._loop = Dispatcher(), poll_loop.PollLoop()
        self._runner: Thread | None = None
        self._first = self._listeners(sockets, tls)
        addresses = [(one.effective_host, int(one.effective_port)) for one in self._first]
        super().__init__(self._loop, _adjustments(tls), addresses, self._threads)

    def run(self) -> None:
        self._runner = current_thread()
        try:
            self._loop.run()
        except (SystemExit, KeyboardInterrupt):
            super().close()

    def close(self) -> None:
        """Make `run` return soon, from any thread."""
        if current_thread() is self._runner:  # which must not wait for itself
            super().close()
            return
        self._threads.shutdown()
        if self._loop:  # otherwise it is closed already
            self._between_rounds(partial(wasyncore.close_all, self._loop))

    def open(
        self, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
    ) -> Sequence["Listener"]:
        """Answer on more sockets, from any thread; return the argument for `shut`."""
        opened: list[Listener] = []
        self._between_rounds(lambda: opened.extend(self._listeners(sockets, tls)))
        return opened

    def shut(self, listeners: Sequence["Listener"]) -> None:
        """Stop answering on such sockets, and close the connections accepted there."""

        def close() -> None:
            for channel in list(self._door.inside.values()):
                if channel.server in listeners:
                    channel.will_close = True
                    self._loop.touch(channel)
            for listener in listeners:
                listener.close()

        self._between_rounds(close)

    def _listeners(
        self, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
    ) -> "list[Listener]":
        made = _adjustments(tls)
        return [
            Listener(self._app, one, tls, self._door, self._loop, made, self._threads)
            for one in sockets
        ]

    def _between_rounds(self, work: Callable[[], None]) -> None:
        """Run work in the loop's thread, and wait for it."""
        done = Event()

        def do() -> None:
            try:
                work()
            finally:
                done.set()

        try:
            self._first[0].trigger.pull_trigger(do)
        except OSError:  # something else woke the loop, which did the work and closed
            if not done.wait(DONE_WITHIN):
                raise
        done.wait(DONE_WITHIN)


class _Door:
    """The connections of all listeners, with the enforcement of their limits."""

    def __init__(self, is_guest: Callable[[str], bool], proxies: Collection[Network]) -> None:
        self.is_guest, self.proxies = is_guest, proxies
        self.inside: dict[int, Channel] = {}
        self._leaving: list[Channel] = []
        self._looked = monotonic()

    def make_room(self, newcomer: Channel) -> None:
        """Choose which connection to close for a new one."""
        others = [other for other in self.inside.values() if other is not newcomer]
        leaver = makes_room(newcomer, [other for other in others if not other.will_close])
        if leaver is not None:
            leaver.will_close = True
            self._leaving.append(leaver)

    def has_room(self) -> bool:
        """Whether the disk has room for the bodies of all requests in transit."""
        on_their_way = [one.arriving for one in self.inside.values() if one.arriving]
        return has_room(gettempdir(), sum(request.coming for request in on_their_way))

    def close_leaving(self) -> None:
        """Close connections chosen by `make_room`, and in each sweep those that are overdue.

        This is immediate, even with unsent data. It only happens between rounds of the loop: within
        one, a new connection may have got a number that is still to be handled.
        """
        now = monotonic()
        if now - self._looked >= poll_loop.SWEEP:
            self._looked = now
            self._leaving += [one for one in self.inside.values() if is_overdue(one, now)]
        while self._leaving:
            self._leaving.pop().handle_close()


class _Trigger(trigger.trigger):
    """Wakes the loop from any thread.

    Once it is closed this raises ConnectionResetError: Waitress would write to the number of its
    pipe, which another phone's connection may have by then.
    """

    def __init__(self, loop: poll_loop.PollLoop) -> None:
        self._pulling = Lock()
        super().__init__(loop)

    def _close(self) -> None:
        with self._pulling:
            super()._close()

    def _physical_pull(self) -> None:
        with self._pulling:
            if self._closed:
                raise ConnectionResetError("the server has stopped")
            super()._physical_pull()


class Listener(TcpWSGIServer):
    """A socket that accepts connections, and wraps each in TLS if a context is given.

    Waitress leaves TLS to a proxy in front of it. Behind one, each caller would seem to be this
    computer, but callers are identified by their own address: so it terminates TLS itself.
    """

    def __init__(
        self,
        app: Flask,
        sock: socket.socket,
        tls: ssl.SSLContext | None,
        door: _Door,
        loop: poll_loop.PollLoop,
        adjustments: Adjustments,
        threads: Dispatcher,
    ) -> None:
        """Answer on a socket, over TLS if a context is given."""
        self._tls, self._loop = tls, loop
        self.door = door
        self._newcomers: list[Channel] = []
        self._settled: list[Channel] = []
        super().__init__(
            app,
            map=loop,
            _sock=sock,
            dispatcher=threads,
            adj=adjustments,
            sockinfo=(sock.family, sock.type, sock.proto, sock.getsockname()),
            bind_socket=False,
        )
        self.active_channels = door.inside
        self.trigger.close()
        self.trigger = _Trigger(loop)

    def set_reuse_addr(self) -> None:
        """Leave the socket as `listen` made it: on Windows others could bind the port too."""

    def readable(self) -> bool:
        """Whether connections are accepted; first makes room for those that were."""
        # Two rounds after they came, so that callers who reconnected are known to have hung up.
        for newcomer in self._settled:
            if newcomer.connected:
                self.door.make_room(newcomer)
        self._settled, self._newcomers = self._newcomers, []
        self.door.close_leaving()
        return bool(self.accepting)

    def handle_accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                accepted = self.accept()
                if accepted is None:
                    return
                connection, address = accepted
                self.set_socket_options(connection)
                if self._tls is not None:
                    connection.setblocking(False)
                    connection = self._tls.wrap_socket(
                        connection, server_side=True, do_handshake_on_connect=False
                    )
            except OSError:
                log.debug("a connection was lost while it was accepted", exc_info=True)
                return
            kind = Channel if self._tls is None else TLSChannel
            address = self.fix_addr(address)
            self._newcomers.append(kind(self, connection, address, self.adj, self._loop))


def addresses_of_this_computer() -> list[str]:
    """Return the addresses of this computer in the local network, the best first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: it only finds the address from which such a packet would leave.
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
        except OSError:
            log.debug("no route out: offline")
    try:
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
            found.append(str(address[0]))
    except OSError:
        log.debug("this computer's own name has no address")
    return [one for one in dict.fromkeys(found) if not one.startswith("127.")]


def names_of_this_computer() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
