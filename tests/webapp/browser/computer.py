"""A computer that serves, at a port of its own, and that goes away and comes back."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from playwright.sync_api import Page

from tests.conftest import PATIENCE_MS
from tests.services import free_port
from tests.webapp.browser.conftest import TurnTakingReader
from webapp.app.settings import LOOPBACK, Settings
from webapp.server.waitress_server import listen, make_server
from webapp.web.application import create_app


class Computer:
    """A computer that is there or away; with `tls`, by HTTPS."""

    def __init__(
        self,
        folder: Path,
        host: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
        hosts: Iterable[str] = (),
        invitation: str | None = None,
    ) -> None:
        settings = Settings(
            data_dir=folder, rate_limits=False, hosts=LOOPBACK | set(hosts), invitation=invitation
        )
        self.app: Flask = create_app(settings, TurnTakingReader())
        self.host, self.port, self._tls = host, free_port(host), tls
        self.come()

    @property
    def address(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    def come(self) -> None:
        self._server = make_server(self.app, listen(self.host, self.port), self._tls)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def go_away(self) -> None:
        self._server.close()
        self._thread.join(5)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Take connections and answer none, as a computer that is too busy or half asleep does."""
        self.go_away()
        with socket.create_server((self.host, self.port), backlog=128):
            yield
        self.come()

    def end(self) -> None:
        self.go_away()
        self.app.extensions["stargazer live"].close()
        self.app.extensions["stargazer"].reading_queue.close()


def kept(page: Page, address: str) -> None:
    """Wait until the worker has kept a page."""
    asked = "async (url) => Boolean(await (await caches.open('kept')).match(url))"
    until(page, lambda: page.evaluate(asked, address), f"{address} is kept")


def until(page: Page, holds: Callable[[], object], what: str) -> None:
    """Wait until something holds that no page shows, as long as for what one shows."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, f"not so: {what}"
        page.wait_for_timeout(50)
