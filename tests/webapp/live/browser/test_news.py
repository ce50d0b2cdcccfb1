"""How pages of a real browser hear the news: one stream for all, asleep, deaf, or on their own."""

import pytest
from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.conftest import Player
from tests.webapp.live.browser.conftest import OpenPage, Server, lies
from tests.webapp.live.conftest import ARIES, Table, eventually
from tests.webapp.test_via_nebula_pages import begun

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


@in_ci
@pytest.mark.parametrize(
    "script", ["", NO_SHARED_WORKER], ids=lambda script: "own" if script else "shared"
)
def test_a_page_that_slept_through_a_restart_of_the_server_hears_all_it_missed_once(
    open_page: OpenPage, server: Server, table: Table, script: str
) -> None:
    page = open_page(f"{table.game}/live", "tablet", script + TELLS_WHAT_IT_HEARS)
    eventually(lambda: listeners(server) == 1)
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
    all_news = list(range(1, 2 + len(ARIES) + 1))  # a table may be drawn before its news are heard
    eventually(lambda: page.evaluate("window.news.length") >= len(all_news))
    assert page.evaluate("window.news") == all_news
    expect(page.locator(".card-now[data-card=V1] .progress.met")).to_have_count(1)


def listeners(server: Server) -> int:
    """How many streams are open."""
    return int(server.app.extensions["stargazer events"].listeners)


@in_ci
def test_the_seventh_page_of_a_browser_hears_the_news_as_the_first_does(
    open_page: OpenPage, server: Server, table: Table
) -> None:
    """A browser keeps six connections to a server: all pages share one stream."""
    first = open_page(f"{table.game}/live")
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
    eventually(lambda: listeners(server) == 1)  # the page that is left has the one stream
    first.goto("/")
    assert eventually(lambda: listeners(server) == 0)


@in_ci
def test_a_page_that_knows_no_shared_workers_lets_go_of_its_stream_while_nobody_sees_it(
    open_page: OpenPage, server: Server, table: Table
) -> None:
    page = open_page(f"{table.game}/live", script=NO_SHARED_WORKER)
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
    assert eventually(lambda: listeners(server) == 1)  # seen again it listens again


def test_a_page_whose_shared_worker_cannot_listen_listens_itself(
    open_page: OpenPage, server: Server, table: Table
) -> None:
    page = open_page("/")
    page.route("**/live_worker.js", lambda route: route.abort())
    page.goto(f"{table.game}/live")
    eventually(lambda: page.evaluate("true") and listeners(server) == 1)
    table.place(0, {"core": "red"})
    lies(page, 0, "core")
    assert eventually(lambda: listeners(server) == 1)  # one stream, not the worker's besides


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


@in_ci
def test_a_line_that_died_is_noticed_though_the_clock_was_set_back(
    open_page: OpenPage, server: Server, table: Table
) -> None:
    script = NO_SHARED_WORKER + CLOCK_AND_LINE_FAIL
    page = open_page(f"{table.game}/live", script=script)
    eventually(lambda: listeners(server) == 1)  # a page that looked by itself has heard nothing
    table.place(0, {"core": "red"})
    lies(page, 0, "core")
    page.wait_for_function("() => Boolean(window.failing)")
    page.evaluate("failing()")
    table.place(0, {"ar1": "blue"})
    lies(page, 0, "ar1")


@in_ci
def test_news_leave_the_answer_that_somebody_is_giving(open_page: OpenPage, server: Server) -> None:
    player = Player(server.app.test_client())
    valley = Table(server.app, begun(player, live="yes"))
    valley.see(kind="doubtful", space="A4", answers=[["1 site_blue", "2 clay"], ["1 clay"]])
    page = open_page(f"{valley.game}/live")
    question = page.locator("#doubt-other-0-A4")
    question.locator("summary").click()
    clay = question.locator("label", has_text="lay").locator("[type=number]")
    clay.fill("3")
    region = page.locator("#in-region-0")
    region.locator("summary").click()
    region.locator("[name=space]").select_option("A6")
    region.locator("[name=star]").select_option("wood")
    valley.see(kind="placed", space="B6", star="clay", count=1)
    valley.see(kind="doubtful", space="F9", answers=[["1 site_red"], ["1 clay"]])
    expect(page.locator("#later-asks")).to_be_visible()
    expect(clay).to_have_value("3")
    expect(region.locator("[name=space]")).to_have_value("A6")
    expect(region.locator("[name=star]")).to_have_value("wood")
    region.locator("button").click()
    expect(region.locator("[name=space]")).not_to_have_value("A6")
    expect(clay).to_have_value("3")
    question.locator("button").click()
    expect(question).to_be_hidden()
