"""Waitress, on plain HTTP or over a TLS connection that it ends itself, with a door before it."""

import logging
import os
import socket
import ssl
from collections.abc import Callable, Collection, Sequence
from functools import partial
from tempfile import gettempdir
from threading import Event, Thread, current_thread
from time import monotonic
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import MultiSocketServer, TcpWSGIServer

from webapp.app.settings import Network, Settings
from webapp.app.storage import has_room
from webapp.server.channel import Channel, TLSChannel
from webapp.server.connection_limits import is_overdue, makes_room
from webapp.server.dispatcher import Dispatcher
from webapp.server.guard import has_invitation
from webapp.server.poll_loop import PollLoop

LONGEST_HEAD = 32 * 1024
LONGEST_REQUEST = 40 * 1024 * 1024
BACKLOG = 1024
AT_ONCE = 64
"""Connections taken in before those that are there already are looked after again."""

DONE_WITHIN = 10.0
"""Seconds for the loop to come to what another thread wants of it."""

log = logging.getLogger(__name__)
# That a request waited for a thread is no news, and strangers could fill a disk with it.
logging.getLogger("waitress.queue").setLevel(logging.ERROR)


class PortTakenError(Exception):
    """The address cannot be listened on; one line: why and what to do."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Take a port, on each address that `host` stands for. Raises PortTakenError.

    Who calls from now on waits until the server made of these sockets runs.
    """
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            sockets.append(socket.create_server(address[:2], family=family, backlog=BACKLOG))
    except OSError as error:
        for taken in sockets:
            taken.close()
        # Python tells more than a player can use; a name's own failures are numbered below zero.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror
        raise PortTakenError(
            f"cannot listen on {host} port {port} ({reason}): try another --port"
        ) from error
    return sockets


def make_server(
    app: Flask, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
) -> "Server":
    """Make the server that answers on sockets from `listen`; its `run` returns at Ctrl-C."""
    return Server(app, sockets, tls)


def _adjustments(tls: ssl.SSLContext | None) -> Adjustments:
    settings: dict[str, Any] = {
        "ident": "stargazer",
        "max_request_header_size": LONGEST_HEAD,
        "max_request_body_size": LONGEST_REQUEST,
        "inbuf_overflow": 512 * 1024,
        "backlog": BACKLOG,
        "channel_request_lookahead": 1,  # else nobody hears that a listener hangs up
        "log_socket_errors": False,  # a phone that leaves the network is no error
        "url_scheme": "https" if tls else "http",
    }
    return Adjustments(**settings)


class Server(MultiSocketServer):
    """Answers on its sockets, and on others that are opened and shut while it runs."""

    def __init__(
        self, app: Flask, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
    ) -> None:
        """Answer on sockets from `listen`, over TLS where a context is given."""
        self._app = app
        settings: Settings = app.extensions["stargazer"].settings
        self._door = _Door(partial(has_invitation, app), settings.proxies)
        self._threads, self._loop = Dispatcher(), PollLoop()
        self._runner: Thread | None = None
        self._first = self._listeners(sockets, tls)
        addresses = [(one.effective_host, int(one.effective_port)) for one in self._first]
        super().__init__(self._loop, _adjustments(tls), addresses, self._threads)

    def run(self) -> None:
        """Answer until Ctrl-C."""
        self._runner = current_thread()
        try:
            self._loop.run()
        except (SystemExit, KeyboardInterrupt):
            super().close()

    def close(self) -> None:
        """Have `run` return at once, whichever thread asks for it."""
        if current_thread() is self._runner:  # it would wait for itself
            super().close()
            return
        self._threads.shutdown()
        if self._loop:  # else it is closed already
            self._between_rounds(partial(wasyncore.close_all, self._loop))

    def open(
        self, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None
    ) -> Sequence["Listener"]:
        """Answer on more sockets, from any thread; return what `shut` takes."""
        opened: list[Listener] = []
        self._between_rounds(lambda: opened.extend(self._listeners(sockets, tls)))
        return opened

    def shut(self, listeners: Sequence["Listener"]) -> None:
        """Answer no more on sockets that were opened so, nor those who came in there."""

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
        """Have the loop's own thread do something to it, and wait for that."""
        done = Event()

        def do() -> None:
            try:
                work()
            finally:
                done.set()

        try:
            self._first[0].trigger.pull_trigger(do)
        except OSError:  # something else woke the loop meanwhile: it has done it, and is closed
            if not done.wait(DONE_WITHIN):
                raise
        done.wait(DONE_WITHIN)


class _Door:
    """The connections of all listeners: lets them in, and sees to it that they keep the terms."""

    def __init__(self, is_guest: Callable[[str], bool], proxies: Collection[Network]) -> None:
        self.is_guest, self.proxies = is_guest, proxies
        self.inside: dict[int, Channel] = {}
        self._leaving: list[Channel] = []
        self._looked = monotonic()

    def make_room(self, newcomer: Channel) -> None:
        """Choose who leaves for a connection that has just come in."""
        others = [other for other in self.inside.values() if other is not newcomer]
        leaver = makes_room(newcomer, [other for other in others if not other.will_close])
        if leaver is not None:
            leaver.will_close = True
            self._leaving.append(leaver)

    def has_room(self) -> bool:
        """Say whether the disk has room for the bodies of all requests that are on their way."""
        on_their_way = [one.arriving for one in self.inside.values() if one.arriving]
        return has_room(gettempdir(), sum(request.coming for request in on_their_way))

    def close_leaving(self) -> None:
        """Close those that have to leave, and once a second those that took too long.

        At once, even where a caller takes nothing of what is still to be sent. Only between two
        rounds of the loop: within one, a connection that came in meanwhile may have got a number
        that is yet to be looked after.
        """
        now = monotonic()
        if now - self._looked >= 1.0:
            self._looked = now
            self._leaving += [one for one in self.inside.values() if is_overdue(one, now)]
        while self._leaving:
            self._leaving.pop().handle_close()


class Listener(TcpWSGIServer):
    """A socket that takes connections in, and wraps each in TLS where a context is given.

    Waitress leaves TLS to a proxy in front of it. Behind one, each caller would seem to
    be this computer, and callers are judged by their own address: so it ends TLS itself.
    """

    def __init__(
        self,
        app: Flask,
        sock: socket.socket,
        tls: ssl.SSLContext | None,
        door: _Door,
        loop: PollLoop,
        adjustments: Adjustments,
        threads: Dispatcher,
    ) -> None:
        """Answer on a socket, over TLS where a context is given."""
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

    def set_reuse_addr(self) -> None:
        """Leave the socket as `listen` made it: on Windows others could take the port as well."""

    def readable(self) -> bool:
        """Say whether connections are taken in; first see to those that are there."""
        # Two rounds after they came: who hung up before, to call again, has been heard by then.
        for newcomer in self._settled:
            if newcomer.connected:
                self.door.make_room(newcomer)
        self._settled, self._newcomers = self._newcomers, []
        self.door.close_leaving()
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Take in those that wait."""
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
    """Return the addresses by which the local network reaches this computer, the best first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: it only asks which of our addresses such a packet would leave from.
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
    """Return the names by which the local network knows this computer."""
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}
