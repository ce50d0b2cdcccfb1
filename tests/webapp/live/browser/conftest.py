"""A server of live games for real browsers, which can be stopped and started again."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import PATIENCE_MS
from tests.services import free_port
from tests.webapp.browser.conftest import SCRIPTS_STAY_S
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.conftest import Table
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from webapp.app.settings import Settings
from webapp.server.waitress_server import listen, make_server
from webapp.web.application import create_app

SIZES = {"phone": (390, 844), "tablet": (1180, 820), "desktop": (1280, 800)}


class Server:
    """A server that can be stopped and started again on its port."""

    def __init__(self, data: Path) -> None:
        self._data, self._port = data, free_port()  # which is free still when it comes back
        self.start()

    def start(self) -> None:
        """Serve what is in the data directory."""
        settings = Settings(data_dir=self._data, rate_limits=False)
        self.app: Flask = create_app(settings, reads_nothing, FakeFrameWorker)
        self.app.config["SEND_FILE_MAX_AGE_DEFAULT"] = SCRIPTS_STAY_S
        self._server = make_server(self.app, listen("127.0.0.1", self._port), None)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with contextlib.suppress(OSError):  # its sockets are closed under its hands
            self._server.run()

    def stop(self) -> None:
        """Stop at once: whoever listens loses the connection."""
        self.app.extensions["stargazer live"].close()
        self.app.extensions["stargazer"].reading_queue.close()
        self._server.close()
        self._thread.join(2)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path / "data")
    yield started
    started.stop()


@pytest.fixture
def table(server: Server) -> Table:
    return Table(server.app)


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Open a page of the server in a context of its own, which is closed at the end.

    Else it would look for the server for as long as other tests run, and find theirs: a port that
    is free again is given away again.
    """
    opened: list[BrowserContext] = []

    def open_one(
        path: str, device: str = "phone", script: str = "", using: Browser = browser, **more: str
    ) -> Page:
        width, height = SIZES[device]
        context = using.new_context(
            base_url=server.address,
            viewport={"width": width, "height": height},
            locale=more.pop("locale", "en-GB"),
            reduced_motion="reduce",
            service_workers="block",  # one would load all that is shipped
            **more,
        )
        opened.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(script)
        page = context.new_page()
        page.goto(path)
        return page

    yield open_one
    for context in opened:
        context.close()


def lies(page: Page, seat: int, space: str) -> None:
    """A star lies there on the page."""
    expect(page.locator(f"#player-{seat} .space.taken[data-space={space}]")).to_have_count(1)
