"""A real browser with a film as its camera: frames go up, and the objective is met on the page.

The whole path, nothing in it replaced: getUserMedia, the shipped models in their own process,
the log, server-sent events, the table page.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from calibration import load_profile
from scorer.places import Place
from tests.conftest import PATIENCE_MS, in_ci
from tests.films.film import Film, HandStep, Script, Visit
from tests.webapp.browser.conftest import keep_screenshot
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import reads_nothing
from tests.webapp.live.browser.conftest import lies
from tests.webapp.live.conftest import Table
from webapp.app.settings import Settings
from webapp.server.waitress_server import listen, make_server
from webapp.web.application import create_app

LYING = {
    "core": "yellow",
    "ar1": "red",
    "ar2": "yellow",
    "ar3": "red",
    "ar4": "yellow",
    "ar5": "blue",
}
"""Colours that nobody confuses in any light: how well they are read is measured elsewhere."""
LAST = ("ar6", "red")
FPS = 10
CAPTURE_FPS = 30
"""How fast Chromium plays a file of JPEGs, again and again."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A player lays the sixth star of Aries; stillness before it, and more after it."""
    visit = Visit(8.0, (HandStep(Place(LAST[0]), "put", LAST[1]),))
    lying = {Place(space): star for space, star in LYING.items()}
    scene = Film(Script((lying,), (visit,), seconds=26.0), load_profile("standard"), fps=FPS)
    path = tmp_path_factory.mktemp("film") / "table.mjpeg"
    with path.open("wb") as file:
        for frame in scene.frames():
            done, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 85])
            assert done
            file.write(jpeg.tobytes() * (CAPTURE_FPS // FPS))
    return path


@pytest.fixture(scope="module")
def camera(browser: Browser, film: Path) -> Iterator[Browser]:
    """A browser whose camera is the film."""
    fake = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    launched = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    yield launched
    launched.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Flask, str]]:
    """A server with the shipped models."""
    app = create_app(Settings(data_dir=tmp_path / "data", rate_limits=False), reads_nothing)
    server = make_server(app, listen("127.0.0.1", 0), None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield app, f"http://127.0.0.1:{server.effective_listen[0][1]}"
    app.extensions["stargazer live"].close()
    server.close()
    app.extensions["stargazer"].reading_queue.close()
    thread.join(2)


@in_ci
def test_a_phone_over_the_table_brings_the_objective_to_the_tablet(
    camera: Browser, served: tuple[Flask, str]
) -> None:
    app, address = served
    table = Table(app)
    tablet = camera.new_context(
        base_url=address,
        viewport={"width": 1180, "height": 820},
        locale="en-GB",
        service_workers="block",
    ).new_page()
    tablet.set_default_timeout(PATIENCE_MS)
    tablet.goto(f"{table.game}/live")
    phone = camera.new_context(
        base_url=address,
        viewport={"width": 390, "height": 844},
        locale="en-GB",
        service_workers="block",
    ).new_page()
    phone.set_default_timeout(PATIENCE_MS)
    phone.goto(f"{table.game}/live")
    phone.click("#camera-start")
    expect(phone.locator(".watching")).to_contain_text("Watching", timeout=120_000)
    expect(phone.locator(".viewfinder polygon")).to_have_count(1)
    expect(tablet.locator(".watching")).to_contain_text("Watching")
    for space in LYING:  # a slow camera may see the last one at once with them
        lies(phone, 0, space)
    met = tablet.locator(".card-now[data-card=V1] .progress.met")
    try:
        expect(met).to_have_count(1, timeout=120_000)
    finally:
        print(*table.seen_events(), sep="\n")  # shown where the test fails
    expect(tablet.locator(".ask")).to_contain_text("Aries in three colours is complete")
    tablet.click("text=Placed")  # the film begins anew by and by; the marker stays
    expect(met).to_contain_text("first")
    keep_screenshot(tablet, "live-tablet")
    keep_screenshot(phone, "live-camera")
    phone.click("#camera-size")
    phone.click("#camera-pause")
    expect(tablet.locator(".watching")).to_contain_text("No camera is watching")
    placed = {
        line.removeprefix("placed ") for line in table.seen_events() if line.startswith("placed")
    }
    expected = {f"{star} {space}" for space, star in {**LYING, LAST[0]: LAST[1]}.items()}
    assert placed == expected, "a star was missed, or seen where there is none"
