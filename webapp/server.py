"""Waitress, on plain HTTP or over a TLS connection that it ends itself."""

import logging
import socket
import ssl
import threading
from collections.abc import Iterable
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import MultiSocketServer, TcpWSGIServer, create_server

THREADS = 32
"""Threads for requests. Uploads are received by the main loop, so none of them waits for one;
live pages keep up to 16 of them (live/news.py), cameras up to 4 a game, most of the time idle."""

LONGEST_REQUEST = 40 * 1024 * 1024

log = logging.getLogger(__name__)


class PortTakenError(Exception):
    """The address cannot be listened on; one line: why and what to do."""


def serve(app: Flask, host: str, port: int, tls: ssl.SSLContext | None) -> None:
    """Answer requests until interrupted. Raises PortTakenError."""
    server = make_server(app, host, port, tls)
    try:
        server.run()
    finally:
        server.close()


def make_server(
    app: Flask, host: str, port: int, tls: ssl.SSLContext | None
) -> TcpWSGIServer | MultiSocketServer:
    """Listen on an address and port. Raises PortTakenError."""
    settings: dict[str, Any] = {
        "host": host,
        "port": port,
        "threads": THREADS,
        "ident": "stargazer",
        "max_request_body_size": LONGEST_REQUEST,
        "inbuf_overflow": 512 * 1024,
        "channel_timeout": 60,
        "connection_limit": 200,
        "url_scheme": "https" if tls else "http",
    }
    try:
        if tls is None:
            return create_server(app, **settings)
        return _TLSServer(app, tls, Adjustments(**settings))
    except OSError as error:
        reason = error.strerror or str(error)
        raise PortTakenError(
            f"cannot listen on {host} port {port} ({reason}): try another --port"
        ) from error


class _TLSServer(TcpWSGIServer):
    """Waitress with every accepted connection wrapped in TLS.

    Waitress leaves TLS to a proxy in front of it. Behind one, each caller would seem to
    be this computer, and callers are judged by their own address: so it ends TLS itself.
    """

    def __init__(self, app: Flask, context: ssl.SSLContext, adjustments: Adjustments) -> None:
        self._context = context
        family, kind, protocol, address = adjustments.listen[0]
        super().__init__(
            app,
            map={},
            adj=adjustments,
            sockinfo=(family, kind, protocol, address),
            dispatcher=None,
        )

    def handle_accept(self) -> None:
        try:
            accepted = self.accept()
            if accepted is None:
                return
            plain, address = accepted
            plain.setblocking(False)
            self.set_socket_options(plain)
            connection = self._context.wrap_socket(
                plain, server_side=True, do_handshake_on_connect=False
            )
        except OSError:
            log.debug("a connection was lost while it was accepted", exc_info=True)
            return
        _TLSChannel(self, connection, self.fix_addr(address), self.adj, map=self._map)


class _TLSChannel(HTTPChannel):
    """A connection over TLS: what waits to be read or written waits inside OpenSSL too."""

    def __init__(self, server: Any, sock: ssl.SSLSocket, *arguments: Any, **named: Any) -> None:
        # One TLS connection must not be read by the loop while a request's thread writes to it.
        self._tls_lock = threading.RLock()
        super().__init__(server, sock, *arguments, **named)

    def handle_read(self) -> None:
        super().handle_read()
        while self.connected and self._pending():
            super().handle_read()

    def _pending(self) -> int:
        with self._tls_lock:
            return self.socket.pending() if self.socket.fileno() >= 0 else 0

    def recv(self, buffer_size: int) -> bytes:
        try:
            with self._tls_lock:
                data = self.socket.recv(buffer_size)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return _NOTHING_YET
        except OSError:  # closed, or plain HTTP sent to this port
            self.handle_close()
            return b""
        if not data:
            self.handle_close()
        return data

    def received(self, data: bytes) -> bool:
        return False if data is _NOTHING_YET else super().received(data)

    def send(self, data: Iterable[bytes], do_close: bool = True) -> int:
        try:
            with self._tls_lock:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0


_NOTHING_YET = b"nothing yet"
"""Told apart by identity: a read that ended inside a TLS record, and the connection lives."""


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
