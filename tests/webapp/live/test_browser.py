"""The table page in a real browser: two pages at once, a sleep, a correction, no barrier."""

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.webapp.browser.conftest import ARTEFACTS
from tests.webapp.browser.test_everybody import RULES
from tests.webapp.live.conftest import ARIES, Table, eventually
from tests.webapp.live.fake_frame_worker import FakeFrameWorker, frame
from webapp.app import create_app
from webapp.server import listen, make_server
from webapp.settings import Settings

SIZES = {"phone": (390, 844), "tablet": (1180, 820), "desktop": (1280, 800)}


class Server:
    """A server that can be stopped and started again on its port."""

    def __init__(self, data: Path) -> None:
        self._data, self._port = data, 0
        self.start()

    def start(self) -> None:
        """Serve what is in the data directory."""
        settings = Settings(data_dir=self._data, rate_limits=False)
        self.app: Flask = create_app(settings, lambda *_: None, FakeFrameWorker)  # type: ignore[arg-type]
        self._server = make_server(self.app, listen("127.0.0.1", self._port), None)
        self._port = self._server.effective_listen[0][1]
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
        """Where it is."""
        return f"http://127.0.0.1:{self._port}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A running server."""
    started = Server(tmp_path / "data")
    yield started
    started.stop()


@pytest.fixture
def table(server: Server) -> Table:
    """A game on it."""
    return Table(server.app)


def open_page(
    browser: Browser,
    server: Server,
    path: str,
    device: str = "phone",
    script: str = "",
    **more: str,
) -> Page:
    width, height = SIZES[device]
    context = browser.new_context(
        base_url=server.address,
        viewport={"width": width, "height": height},
        locale=more.pop("locale", "en-GB"),
        reduced_motion="reduce",
        **more,
    )
    context.add_init_script(script)
    page = context.new_page()
    page.goto(path)
    return page


def lies(page: Page, seat: int, space: str) -> None:
    """A star lies there on the page."""
    expect(page.locator(f"#player-{seat} .space.taken[data-space={space}]")).to_have_count(
        1, timeout=20_000
    )


def test_two_pages_show_what_happens_without_being_asked(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    tablet = open_page(browser, server, f"{table.game}/live", "tablet")
    phone = open_page(browser, server, f"{table.game}/live")
    table.place(0, {"core": "red"})
    lies(tablet, 0, "core")
    lies(phone, 0, "core")
    phone.click("#hand-1")
    phone.select_option("#hand select", "core")
    phone.click("#hand [name=star][value=white]")
    lies(tablet, 1, "core")
    assert table.stars(1) == {"core": "white"}


def test_an_illegal_placement_shows_within_a_second_and_goes_when_put_right(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    table.place(0, {"core": "red"})
    page = open_page(browser, server, f"{table.game}/live", "tablet")
    page.wait_for_timeout(1000)
    begun = time.monotonic()
    table.place(0, {"ar1": "red"})
    expect(page.locator(".ask.wrong")).to_contain_text("are linked and both red")
    took = time.monotonic() - begun
    page.click(".ask.wrong button")
    expect(page.locator("#player-0 .space.lit")).to_have_count(2)
    table.see(kind="removed", space="ar1", was="red")
    expect(page.locator(".ask.wrong")).to_have_count(0)
    print(f"an illegal placement shows after {took:.2f} s")


NO_SHARED_WORKER = "delete window.SharedWorker;"
"""As the browsers of some phones are."""
TELLS_WHAT_IT_HEARS = """
    window.news = [];
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (kind, tell) {
      listen.call(this, kind, (event) => {
        if (kind === "change") window.news.push(JSON.parse(event.data).number);
        tell(event);
      });
    };
    Object.defineProperty(MessagePort.prototype, "onmessage", { set(tell) {
      this.addEventListener("message", (event) => {
        if (event.data.kind === "change") window.news.push(event.data.news.number);
        tell(event);
      });
      this.start();
    } });
"""


@pytest.mark.parametrize("script", ["", NO_SHARED_WORKER], ids=["shared stream", "own stream"])
def test_a_page_that_slept_through_a_restart_of_the_server_hears_all_it_missed_once(
    browser: Browser, server: Server, table: Table, script: str
) -> None:
    page = open_page(browser, server, f"{table.game}/live", "tablet", script + TELLS_WHAT_IT_HEARS)
    table.place(0, {"core": "yellow"})
    lies(page, 0, "core")
    server.stop()
    server.start()
    after = Table(server.app, table.game)
    after.place(0, ARIES)
    for space in ARIES:
        lies(page, 0, space)
    after.place(0, {"ta1": "red"})
    lies(page, 0, "ta1")
    assert page.evaluate("window.news") == list(range(1, 2 + len(ARIES) + 1))
    expect(page.locator(".card-now[data-card=V1] .progress.met")).to_have_count(1)


def listeners(server: Server) -> int:
    """How many streams are open."""
    return int(server.app.extensions["stargazer events"]._listeners)


def test_the_seventh_page_of_a_browser_hears_the_news_as_the_first_does(
    browser: Browser, server: Server, table: Table
) -> None:
    """A browser keeps six connections to a server: all pages share one stream."""
    first = open_page(browser, server, f"{table.game}/live")
    pages = [first, *(first.context.new_page() for _ in range(7))]
    other = Table(server.app)
    for page in pages[1:-1]:
        page.goto(f"{table.game}/live")
    pages[-1].goto(f"{other.game}/live")
    table.place(0, {"core": "red"})
    other.place(1, {"core": "blue"})
    for page in pages[:-1]:
        lies(page, 0, "core")
    lies(pages[-1], 1, "core")
    eventually(lambda: listeners(server) == 1)
    for page in pages[1:]:
        page.close()
    table.place(0, {"ar1": "blue"})
    lies(first, 0, "ar1")
    assert listeners(server) == 1, "the page that is left has the one stream"
    first.goto("/")
    eventually(lambda: listeners(server) == 0)


def test_a_page_that_knows_no_shared_workers_lets_go_of_its_stream_while_nobody_sees_it(
    browser: Browser, server: Server, table: Table
) -> None:
    page = open_page(browser, server, f"{table.game}/live", script=NO_SHARED_WORKER)
    eventually(lambda: listeners(server) == 1)
    see = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(see, True)
    eventually(lambda: listeners(server) == 0)
    table.place(0, {"core": "red"})
    page.evaluate(see, False)
    lies(page, 0, "core")
    assert listeners(server) == 1, "seen again it listens again"


def test_a_page_whose_shared_worker_cannot_listen_listens_itself(
    browser: Browser, server: Server, table: Table
) -> None:
    page = open_page(browser, server, "/")
    page.route("**/live_worker.js", lambda route: route.abort())
    page.goto(f"{table.game}/live")
    eventually(lambda: page.evaluate("true") and listeners(server) == 1)
    table.place(0, {"core": "red"})
    lies(page, 0, "core")
    assert listeners(server) == 1, "one stream, not the worker's besides"


CLOCK_AND_LINE_FAIL = """
    const now = Date.now;
    let back = 0;
    Date.now = () => now() - back;
    const listen = EventSource.prototype.addEventListener;
    const deaf = new Set();
    EventSource.prototype.addEventListener = function (kind, tell) {
      listen.call(this, kind, (event) => {
        window.failing = () => { deaf.add(this); back = 3600e3; };
        if (!deaf.has(this)) tell(event);
      });
    };
"""


def test_a_line_that_died_is_noticed_though_the_clock_was_set_back(
    browser: Browser, server: Server, table: Table
) -> None:
    script = NO_SHARED_WORKER + CLOCK_AND_LINE_FAIL
    page = open_page(browser, server, f"{table.game}/live", script=script)
    table.place(0, {"core": "red"})
    lies(page, 0, "core")
    page.evaluate("failing()")
    table.place(0, {"ar1": "blue"})
    lies(page, 0, "ar1")


def test_a_correction_in_the_time_line_puts_right_who_was_first(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    table.place(0, {**ARIES, "ar6": "yellow"})
    table.place(1, ARIES)
    table.see(kind="replaced", space="ar6", star="white", was="yellow")
    page = open_page(browser, server, f"{table.game}/live", "tablet")
    rows = page.locator(".card-now[data-card=V1] .progress")
    expect(rows.nth(1)).to_contain_text("first")
    page.click("#tab-line")
    page.click("#correct-6")
    page.click("#correction [name=star][value=white]")
    expect(rows.nth(0)).to_contain_text("first")
    expect(page.locator(".time-line")).to_contain_text("corrected")


def test_one_looks_back_and_returns_to_now(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    table.place(0, {"core": "red", "ar1": "blue"})
    page = open_page(browser, server, f"{table.game}/live", "tablet")
    page.click("#tab-line")
    page.locator(".time-line .when").last.click()
    expect(page.locator(".back")).to_contain_text("the core")
    expect(page.locator("#player-0 .taken")).to_have_count(1)
    page.click("#later")
    expect(page.locator("#player-0 .taken")).to_have_count(2)
    page.click("#to-now")
    expect(page.locator(".back")).to_have_count(0)


def test_who_aims_a_camera_of_the_server_sees_what_it_sees(
    browser: Browser, server: Server, table: Table, tmp_path: Path
) -> None:
    film = tmp_path / "film"
    film.write_text(frame({0: {"core": "red"}}).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    page = open_page(browser, server, f"{table.game}/live/cameras")
    shown = page.locator(".viewfinder[data-picture] img")
    eventually(lambda: shown.evaluate_all("all => all.map(one => one.naturalWidth)") == [10])
    film.write_text(film.read_text() + frame({0: {}, 1: {}}).decode() + "\n")
    eventually(lambda: shown.evaluate_all("all => all.map(one => one.naturalWidth)") == [20])
    expect(page.locator(".camera-states")).to_contain_text("2 boards")


def test_the_sound_and_the_large_type_are_kept_on_the_device(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    page = open_page(browser, server, f"{table.game}/live", "tablet")
    page.click(".menu summary")
    page.check("[name=sound][value=chime]", force=True)
    page.check("[name=type][value=largest]", force=True)
    page.reload()
    assert page.is_checked("[name=sound][value=chime]")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"


def test_my_card_is_on_my_device_alone(
    browser: Browser,
    server: Server,
    table: Table,
) -> None:
    mine = open_page(browser, server, f"{table.game}/live")
    mine.click("#mine-0")
    mine.click("#choose-personal")
    mine.click("#personal [value=O19]")
    expect(mine.locator("#secret")).to_contain_text("black stars", ignore_case=True)
    other = open_page(browser, server, f"{table.game}/live", "tablet")
    assert "O19" not in other.locator("#live").inner_html()


def test_a_hidden_card_waits_for_its_owner_and_a_lost_seat_is_told_at_once(
    browser: Browser, server: Server, table: Table
) -> None:
    mine = open_page(browser, server, f"{table.game}/live")
    mine.click("#mine-0")
    mine.click("#choose-personal")
    mine.click("#personal [value=O19]")
    other = open_page(browser, server, f"{table.game}/live", "tablet")
    other.click("#mine-0")
    expect(other.locator("#secret")).to_contain_text("another device has this seat")
    other.click("#mine-1")
    other.click("#choose-personal")
    other.click("#personal [value=O3]")
    expect(other.locator("#secret img")).to_have_attribute("src", "/cards/O3.svg")
    other.click("#tab-end")
    other.click("#finish")
    expect(other.locator("#waiting")).to_contain_text("confirm the card there")
    mine.click("#tab-end")
    mine.click("#finish")
    mine.wait_for_url("**/markers")
    other.wait_for_url("**/markers")
    mine.goto(f"{table.game}/live")
    other.goto(f"{table.game}/live")
    other.on("dialog", lambda dialog: dialog.accept())
    other.click("#mine-0")
    other.click("#give-back-0")
    expect(mine.locator(".notice:visible")).to_contain_text("gave the seat of Ana back")
    expect(other.locator("#secret")).to_contain_text("Which is your personal card?")


def busy_table(table: Table) -> None:
    """A table with something to do, something broken and something done."""
    table.place(0, {"core": "yellow", **ARIES})
    table.place(1, {"core": "blue", "ta1": "blue"})
    table.see(board=1, kind="black", count=1)
    table.tap("entries/3", what="nothing")
    table.tap("personal", seat=0, card="O19")


def states(page: Page, game: str) -> Iterator[str]:
    """Open the pages and what taps open on them, in turn."""
    page.goto(f"{game}/live")
    yield "table"
    page.click("#later-asks summary")
    page.click("#tab-end")
    page.click("#values-now summary")
    page.click("#mine-0")
    page.wait_for_selector("#secret")
    yield "table with everything open"
    page.click("#mine-1")
    page.click("#choose-personal")
    page.click("#personal [value=O3]")
    page.wait_for_selector("#give-back-1")
    yield "a card of one's own"
    page.click("#hand-0")
    yield "a space by hand"
    page.click("#hand [data-close]")
    page.click(".menu summary")
    yield "the menu"
    page.click(".menu [data-opens]")
    page.click("#cameras #advanced-cameras summary")
    yield "the cameras beside the table"
    page.click("#cameras [data-close]")
    page.click("#tab-line")
    yield "the time line"
    page.locator(".time-line [data-correct]").first.click()
    yield "a correction"
    page.click("#correction [data-close]")
    page.locator(".time-line .when").first.click()
    page.wait_for_selector(".back")
    yield "a look back"
    page.goto(f"{game}/live/cameras")
    yield "cameras"
    page.goto(f"{game}/players/0/personal")
    page.wait_for_selector("#waiting")
    yield "a hidden card"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", ["phone", "tablet"])
def test_axe_finds_no_violation(
    browser: Browser,
    server: Server,
    table: Table,
    scheme: str,
    device: str,
) -> None:
    busy_table(table)
    page = open_page(browser, server, f"{table.game}/live", device, color_scheme=scheme)
    found = []
    for state in states(page, table.game):
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        name = state.replace(" ", "-")
        page.screenshot(path=ARTEFACTS / f"live-{name}-{device}-{scheme}.png")
        for violation in Axe().run(page, options=RULES).response["violations"]:
            nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
            found.append(f"{state}: {violation['id']}: {violation['help']}: {nodes}")
    assert not found, "\n".join(found)


OVERPRINTED = """() => {
  const rows = [...document.querySelectorAll(".time-line li")]
    .map(row => row.getBoundingClientRect());
  const parts = [...document.querySelectorAll(".time-line .when")].filter(
    when => when.getBoundingClientRect().height < when.scrollHeight - 1);
  return rows.filter((row, n) => n && row.top < rows[n - 1].bottom - 0.5).length + parts.length;
}"""
"""How many rows of the time line lie over another one, or over their own end."""

LARGEST = "localStorage.setItem('stargazer-type', 'largest');"


@pytest.mark.parametrize(
    ("language", "width", "script"),
    [("en", 320, ""), ("es", 320, ""), ("cs", 320, ""), ("cs", 390, LARGEST)],
)
def test_nothing_is_cut_off_on_a_narrow_screen(
    browser: Browser, server: Server, table: Table, language: str, width: int, script: str
) -> None:
    """Nor in type that is twice as large."""
    busy_table(table)
    page = open_page(browser, server, f"{table.game}/live", script=script, locale=language)
    page.set_viewport_size({"width": width, "height": 640})
    for state in states(page, table.game):
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        scroll = page.evaluate(
            "(one => one.scrollWidth - one.clientWidth)(document.querySelector('.scroll'))"
        )
        assert max(wide, scroll) <= 0, f"{state} is wider than the screen"
        if state == "the time line":
            assert page.evaluate(OVERPRINTED) == 0
