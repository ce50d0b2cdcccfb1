"""A server, a real browser, and hands that count their taps."""

import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

from calibration import load_profile
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.words import COLOURS
from tests.conftest import PATIENCE_MS, in_full
from tests.webapp.conftest import Player, read_board
from webapp.app.reading.reading_queue import ReadFile, ReadPhotograph
from webapp.app.settings import Settings
from webapp.server.waitress_server import listen, make_server
from webapp.web.application import create_app

SCREENSHOTS = os.environ.get("STARGAZER_SCREENSHOTS")
"""The folder in which to keep screenshots for those who look at the pages; none by default."""
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
SCRIPTS_STAY_S = 3600
"""Seconds that a browser keeps scripts and styles, rather than ask for them on each page."""
WANTED = "status of 4|ERR_INTERNET_DISCONNECTED"
"""What a browser complains of that a test brought about: a mistake, a network that is gone."""


def legal_stars(empty: int, first: int) -> dict[str, str]:
    """Fill the standard board by the rules, but for its last `empty` spaces."""
    stars: dict[str, str] = {}
    turn = itertools.cycle(COLOURS[first:] + COLOURS[:first])
    for space in STANDARD_BOARD.spaces[: 25 - empty]:
        beside = {stars.get(near) for near in STANDARD_BOARD.neighbours(space)}
        stars[space] = next(colour for colour in turn if colour not in beside)
    return stars


ANAS = legal_stars(empty=3, first=0)
LUISES = legal_stars(empty=9, first=2)


class TurnTakingReader:
    """Reads Ana's board in the first photograph, Luis's in the second, and so on in turn."""

    def __init__(self) -> None:
        self.picture = _jpeg_of_the_board()
        self.start_again()

    def start_again(self, together: bool = False) -> None:
        """Begin with Ana's board; one space of it is doubtful. Or with both in each photograph."""
        anas = {**read_board(ANAS, black=4, doubtful="ar3")}
        luises = {**read_board(LUISES, black=6, doubtful=""), "flags": []}
        self._boards = itertools.cycle([[anas, luises]] if together else [[anas], [luises]])

    def __call__(self, path: Path, name: str, *_asked: Any) -> ReadPhotograph:
        with Image.open(path) as photograph:
            size = list(photograph.size)
        boards: Sequence[Mapping[str, Any]] = next(self._boards)
        reading = {"format": 1, "photo": name, "size": size, "boards": boards, "timing_ms": {}}
        return ReadPhotograph(reading, self.picture, (self.picture,) * len(boards))


def _jpeg_of_the_board() -> bytes:
    reference = load_profile("standard").reference
    assert reference is not None
    return cv2.imencode(".jpg", reference, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


class Table:
    """A running server: where it is, and its application for preparing games."""

    def __init__(self, app: Flask, address: str, reader: ReadFile) -> None:
        self.app, self.address, self.reader = app, address, reader

    def scored_game(self, *names: str) -> str:
        """Play a game through to its score, without a browser; return its address."""
        if isinstance(self.reader, TurnTakingReader):
            self.reader.start_again()
        return Player(self.app.test_client()).play_to_score(*names)

    def game_with_cards(self, *names: str) -> str:
        """Begin a game of Nebula up to its photographs, without a browser; return its address."""
        player = Player(self.app.test_client())
        game = player.new_game(*names, game="nebula")
        player.lay_cards(game)
        return game


ServeTable = Callable[[ReadFile | None, Path], Table]


@pytest.fixture(scope="session")
def serve_table() -> Iterator[ServeTable]:
    """Start servers, each on a free port of this computer; stopped at the end."""
    running = []

    def serve(read: ReadFile | None, data: Path) -> Table:
        settings = Settings(data_dir=data, rate_limits=False)
        app = create_app(settings, read, run_job=lambda job, *arguments: job(*arguments))
        app.config["SEND_FILE_MAX_AGE_DEFAULT"] = SCRIPTS_STAY_S
        server = make_server(app, listen("127.0.0.1", 0), None)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((app, server, thread))
        return Table(app, f"http://127.0.0.1:{server.effective_listen[0][1]}", read)

    yield serve
    for app, server, thread in running:
        server.close()
        app.extensions["stargazer"].reading_queue.close()
        app.extensions["stargazer"].drafts.close()
        thread.join(2)


@pytest.fixture(scope="session")
def table(serve_table: ServeTable, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table whose photographs are read by turns."""
    return serve_table(TurnTakingReader(), tmp_path_factory.mktemp("table"))


@pytest.fixture(scope="session")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two photographs as a phone takes them."""
    folder = tmp_path_factory.mktemp("photographs")
    taken = [folder / "ana.jpg", folder / "luis.jpg"]
    for number, path in enumerate(taken):
        Image.effect_noise((800, 600), 20 + number).convert("RGB").save(path, quality=80)
    return taken


class Hands:
    """Somebody at a screen: taps what they see, and counts the taps."""

    def __init__(self, page: Page, touch: bool) -> None:
        self.page, self.touch = page, touch
        self.taps = 0
        self.started, self._posing = time.monotonic(), 0.0

    def tap(self, target: Locator | str) -> None:
        found = self.page.locator(target) if isinstance(target, str) else target
        if self.touch:
            found.tap()
        else:
            found.click()
        self.taps += 1

    def next(self) -> None:
        """Tap the one thing to do next, at the thumb, and come to another page."""
        self.onward(".thumb .primary")

    def onward(self, target: Locator | str) -> None:
        """Tap what leads to another page, and come there.

        What a page keeps in its history counts as a navigation, too, and the page that is left may
        still be loading: only another one that has loaded hears what is done next.
        """
        self.page.evaluate("document.documentElement.dataset.left = ''")
        self.tap(target)
        self.page.locator("html:not([data-left])").wait_for(state="attached")
        self.page.wait_for_load_state()

    def seconds(self) -> float:
        """Return how long it took so far, without the time that screenshots took."""
        return time.monotonic() - self.started - self._posing

    def show(self, name: str) -> None:
        """Keep a screenshot for those who look at the pages."""
        begun = time.monotonic()
        keep_screenshot(self.page, name)
        self._posing += time.monotonic() - begun


def keep_screenshot(page: Page, name: str) -> None:
    """Keep a screenshot where they are asked for."""
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS, f"{name}.png"))


def take_choosers(page: Page) -> None:
    """Let no file chooser open but for the test, from now on.

    One that is taken with the key or tap that opens it alone is, now and then, the browser's own.
    """
    page.on("filechooser", lambda _chooser: None)


OpenContext = Callable[..., BrowserContext]


@pytest.fixture
def open_context(browser: Browser, table: Table) -> Iterator[OpenContext]:
    """Open a browser of its own; at the end nothing may have gone wrong in it unnoticed."""
    opened: list[BrowserContext] = []
    complaints: list[str] = []

    def watch(page: Page) -> None:
        take_choosers(page)
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: (
                complaints.append(f"{page.url}: {message.text}")
                if message.type == "error" and not re.search(WANTED, message.text)
                else None
            ),
        )
        page.on(
            "request",
            lambda request: (
                complaints.append(f"left this server: {request.url}")
                if not request.url.startswith(("http://127.0.0.1:", "blob:", "data:"))
                else None
            ),
        )

    def make(base_url: str = "", **options: Any) -> BrowserContext:
        options.setdefault("locale", "en-GB")
        options.setdefault("viewport", PHONE)
        options.setdefault("service_workers", "block")  # which would keep tests from a network
        context = browser.new_context(base_url=base_url or table.address, **options)
        context.set_default_timeout(PATIENCE_MS)
        context.on("page", watch)
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture(params=in_full(["phone", "desktop"], "phone"))
def hands(request: pytest.FixtureRequest, open_context: OpenContext) -> Hands:
    """Somebody at a phone, and in CI at a desktop."""
    return hands_at(request.param, open_context)


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that are added are kept in a folder of this test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def at_phone(open_context: OpenContext) -> Hands:
    return hands_at("phone", open_context)


def hands_at(device: str, open_context: OpenContext, **options: Any) -> Hands:
    """Somebody at a "phone" or a "desktop", in a browser of their own."""
    phone = device == "phone"
    size = PHONE if phone else DESKTOP
    context = open_context(viewport=size, has_touch=phone, is_mobile=phone, **options)
    return Hands(context.new_page(), touch=phone)
