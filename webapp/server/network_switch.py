"""Open a running server to the local network, and close it again, from its own pages.

What the command line opened stays as it is; the switch adds listeners on another port, with the
same guards. It is not remembered: the next start follows the command line.
"""

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Lock

from flask import Flask

from webapp.app.data_folder import invitation
from webapp.app.services import Services
from webapp.app.settings import Settings
from webapp.server.certificate import tls_context
from webapp.server.waitress_server import (
    Listener,
    PortTakenError,
    Server,
    addresses_of_this_computer,
    listen,
    names_of_this_computer,
)

EVERYWHERE = "0.0.0.0"
PORTS = 10
"""One more than the number of ports above the server's own that are tried."""


class NetworkSwitch:
    """The additional listeners of a server; `port` is its first port."""

    def __init__(self, app: Flask, server: Server, port: int) -> None:
        self._app, self._server, self._port = app, server, port
        self._lock = Lock()
        self._opened: Sequence[Listener] = ()
        self._before: Settings | None = None

    @property
    def is_open(self) -> bool:
        """Whether it was opened here."""
        return self._before is not None

    def open(self, https: bool) -> None:
        """Open the server to holders of the invitation. Raise PortTakenError."""
        with self._lock:
            if self._before is not None:
                return
            made = self._services
            addresses = addresses_of_this_computer()
            if not addresses:
                raise PortTakenError("this computer is in no network")
            hosts = made.settings.hosts | names_of_this_computer() | set(addresses)
            tls = tls_context(made.settings.data_dir, hosts) if https else None
            port, sockets = self._listen()
            kind = "https" if https else "http"
            self._before = made.settings
            self._use(
                replace(
                    made.settings,
                    hosts=frozenset(hosts),
                    origin=f"{kind}://{addresses[0]}:{port}",
                    invitation=made.settings.invitation or invitation(made.settings.data_dir),
                )
            )
            self._opened = self._server.open(sockets, tls)

    def shut(self) -> None:
        """Close what was opened here, and disconnect callers who came in by it."""
        with self._lock:
            if self._before is None:
                return
            self._server.shut(self._opened)
            self._use(self._before)
            self._opened, self._before = (), None

    @property
    def _services(self) -> Services:
        found: Services = self._app.extensions["stargazer"]
        return found

    def _use(self, settings: Settings) -> None:
        """Apply other settings to all requests from now on."""
        self._app.extensions["stargazer"] = replace(self._services, settings=settings)

    def _listen(self) -> tuple[int, list[socket.socket]]:
        *ports, last = range(self._port + 1, self._port + PORTS)
        for port in ports:
            with suppress(PortTakenError):
                return port, listen(EVERYWHERE, port)
        return last, listen(EVERYWHERE, last)
