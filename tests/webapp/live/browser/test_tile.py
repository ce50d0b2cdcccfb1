"""A phone is the camera and the table: it films on whatever is tapped, locked, or started again."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import in_ci
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.live.browser.conftest import OpenPage, Server
from tests.webapp.live.conftest import Table, eventually
from webapp.web.pages import live_cameras

COUNTS = """
    window.counted = { frames: 0, taken: 0, locks: 0, opened: [] };
    const send = window.fetch;
    window.fetch = async (url, options) => {
      const answer = await send(url, options);
      if (String(url).includes("/live/frames")) {
        counted.frames += 1;
        if (answer.status === 202) counted.taken += 1;
      }
      return answer;
    };
    if (navigator.mediaDevices) {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        if (window.refusing) throw new DOMException("", "NotAllowedError");
        const stream = await open(wanted);
        counted.opened.push(stream.getVideoTracks()[0].getSettings().deviceId);
        return stream;
      };
    }
    navigator.wakeLock.request = async () => {
      counted.locks += 1;
      const lock = new EventTarget();
      lock.released = false;
      lock.release = () => { lock.released = true; };
      window.lock = lock;
      return lock;
    };
"""
LOCK = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    if (hidden) {
      document.querySelector("video").srcObject.getTracks().forEach((track) => track.stop());
      window.lock.released = true;
    }
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""What locking a phone's screen does to a page: the camera and the wake lock are taken away."""


@pytest.fixture(scope="module")
def two_lenses(browser: Browser) -> Iterator[Browser]:
    """A browser of a device with two lenses."""
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=device-count=2"]
    launched = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    yield launched
    launched.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("served") / "data")
    yield started
    started.stop()


def taken(page: Page) -> int:
    return int(page.evaluate("counted.taken"))


def films(page: Page) -> None:
    """Frames are taken, more and more of them."""
    before = taken(page)
    eventually(lambda: taken(page) >= before + 2)


@in_ci
def test_the_camera_goes_on_as_a_tile_whatever_is_tapped_locked_loaded_or_started_again(
    two_lenses: Browser, server: Server, open_page: OpenPage
) -> None:
    table = Table(server.app)
    page = open_page(f"{table.game}/live", script=COUNTS, using=two_lenses)
    page.click("#camera-start")
    films(page)
    page.evaluate("window.film = document.querySelector('#camera video').srcObject")
    same = "document.querySelector('#camera video').srcObject === window.film && film.active"

    for tab in ("#tab-end", "#tab-line", "#tab-objectives"):
        page.click(tab)
        films(page)
    table.place(0, {"core": "red"})
    expect(page.locator("#player-0 .taken")).to_have_count(1)
    page.focus("#boards")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-show='1']")).to_have_attribute("aria-current", "true")
    page.click("#to-cameras")
    expect(page.locator("#cameras .camera-states")).to_contain_text("A device's camera")
    page.click("#cameras [data-close]")
    page.click("#camera-size")
    films(page)
    assert page.evaluate(same), "the camera was closed and opened again"
    assert page.evaluate("counted.opened.length") == 1

    page.click("#camera-turn")
    eventually(lambda: page.evaluate("counted.opened.at(-1) !== counted.opened[0]"))
    films(page)
    second, opened = page.evaluate("[counted.opened.at(-1), counted.opened.length]")

    page.evaluate(LOCK, True)
    page.evaluate(LOCK, False)
    eventually(lambda: page.evaluate("counted.opened.length") > opened)
    films(page)
    assert page.evaluate("counted.opened.at(-1)") == second, "the lens that was chosen"
    eventually(lambda: page.evaluate("counted.locks") == 2 and not page.evaluate("lock.released"))

    server.stop()
    server.start()
    films(page)
    page.reload()
    films(page)
    expect(page.locator("#camera-start")).to_be_hidden()
    assert Table(server.app, table.game).stars() == {"core": "red"}


@in_ci
def test_a_camera_that_is_paused_is_not_lost_and_goes_on_with_one_tap(
    two_lenses: Browser, server: Server, open_page: OpenPage
) -> None:
    table = Table(server.app)
    page = open_page(f"{table.game}/live", script=COUNTS, using=two_lenses)
    page.click("#camera-start")
    films(page)
    page.click("#camera-size")
    page.click("#camera-pause")
    expect(page.locator(".watching")).to_contain_text("No camera is watching")
    eventually(lambda: page.evaluate("lock.released"))
    page.reload()
    expect(page.locator("#camera-start")).to_have_text("Go on filming")
    assert page.evaluate("counted.opened") == [], "nobody films who paused"
    page.click("#camera-start")
    films(page)
    page.evaluate("window.refusing = true")  # a phone that wants a tap after it was locked
    page.evaluate(LOCK, True)
    page.evaluate(LOCK, False)
    expect(page.locator("#camera-said")).to_contain_text("is not allowed to use the camera")
    page.evaluate("window.refusing = false")
    page.click("#camera-start")
    films(page)
    page.click("#tab-end")
    with page.expect_event("load"):
        page.click("#finish")
    page.goto(f"{table.game}/live")
    expect(page.locator("#camera-start")).to_be_visible()
    assert page.evaluate("counted.opened") == [], "nobody films after the end"


def test_a_page_that_may_have_no_camera_says_what_to_do(
    server: Server, open_page: OpenPage
) -> None:
    table = Table(server.app)
    no_camera = "Object.defineProperty(window, 'isSecureContext', { value: false });"
    page = open_page(f"{table.game}/live", script=no_camera)
    expect(page.locator("#camera-unsafe")).to_contain_text("only on HTTPS pages")
    expect(page.locator("#camera-start")).to_be_hidden()


@in_ci
@pytest.mark.parametrize("filming", [True, False])
def test_a_personal_card_is_held_up_to_the_camera_and_chosen(
    two_lenses: Browser,
    server: Server,
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    filming: bool,
) -> None:
    table, seen = Table(server.app), iter([set(), {"O3"}, {"O19"}, {"O19"}])

    def look(*_asked: object) -> set[str]:
        return next(seen, {"O5"})

    monkeypatch.setattr(live_cameras, "read_sent", look)
    page = open_page(f"{table.game}/live", script=COUNTS, using=two_lenses)
    if filming:
        page.click("#camera-start")
        films(page)
    else:  # without a tap where the page may use the camera already
        page.context.grant_permissions(["camera"])
    page.click("#mine-0")
    page.click("#choose-personal")
    if filming:  # what films the table may see another player's card
        page.click("#personal .held-card button")
    # It was seen twice on end.
    expect(page.locator("#secret img")).to_have_attribute("src", "/assets/nebula/cards/O19.svg")
    expect(page.locator("#personal")).to_be_hidden()
    eventually(lambda: page.evaluate("!document.querySelector('#personal video').srcObject"))
    if filming:
        films(page)
