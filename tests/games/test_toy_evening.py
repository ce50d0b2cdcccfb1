"""The toy game is followed by the real tracker, and played in a real browser to its score."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Browser, expect

from calibration import Profile
from scorer.places import Place
from tests.conftest import PATIENCE_MS, in_ci
from tests.films.film import Film, HandStep, Script, Visit
from tests.games.photographs import photographed
from tests.games.test_toy_live import Pond
from tests.webapp.browser.conftest import PHONE, take_choosers
from tests.webapp.live.conftest import eventually, state
from webapp.app.settings import Settings
from webapp.server.waitress_server import listen, make_server
from webapp.web.application import create_app

LYING = {"north": "amber", "mill": "teal"}
ANA = {"north": "amber", "middle": "amber", "east": "amber", "reed": "amber", "mill": "teal"}
EVA = {"west": "teal", "mill": "teal", "bridge": "amber"}
SIZE, FPS = (960, 540), 5
SEED = 1
"""Of a film in whose light the frogs' plain detector, which goes by their colours, sees them."""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """A server of the meadow that looks at pictures itself."""
    made = create_app(Settings(data_dir=tmp_path / "data", rate_limits=False, profile="meadow"))
    yield made
    made.extensions["stargazer live"].close()
    made.extensions["stargazer"].reading_queue.close()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the server is, for a browser."""
    server = make_server(app, listen("127.0.0.1", 0), None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_listen[0][1]}"
    server.close()
    thread.join(2)


def frogs(pads: Mapping[str, str]) -> dict[Place, str]:
    return {Place(pad): frog for pad, frog in pads.items()}


@in_ci
def test_a_film_of_a_hand_is_followed_on_the_table_page(
    app: Flask, meadow: Profile, tmp_path: Path
) -> None:
    hand = Visit(2.5, (HandStep(Place("middle"), "put", "amber"),))
    film = Film(Script((frogs(LYING),), (hand,), hand.end + 2.5), meadow, SEED, SIZE, FPS)
    path = tmp_path / "pond.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), FPS, SIZE)
    for frame in film.frames():
        writer.write(frame)
    writer.release()
    pond = Pond(app)
    answer = pond.player.post(f"{pond.game}/live/sources", {"address": str(path)})
    assert answer.status_code == 303
    eventually(lambda: state(pond) == "ended", 120)
    reported = pond.seen_events()
    assert sorted(reported[:2]) == ["placed amber north", "placed teal mill"]
    assert reported[2:] == ["placed amber middle"]
    page = pond.page()
    assert "The board of Ana: 3 pieces" in page
    points = [part.split("<")[0] for part in page.split('class="count">')[1:]]
    assert points == ["2", "3"], "one stream; who foretells none is right"


@in_ci
def test_a_game_is_played_in_a_browser_from_its_photographs_to_the_winner(
    meadow: Profile, browser: Browser, address: str, tmp_path: Path
) -> None:
    taken = [tmp_path / "ana.jpg", tmp_path / "eva.jpg"]
    for path, pads in zip(taken, (ANA, EVA), strict=True):
        cv2.imwrite(str(path), photographed(meadow, frogs(pads)))
    context = browser.new_context(
        base_url=address,
        locale="en-GB",
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    context.set_default_timeout(2 * PATIENCE_MS)
    page = context.new_page()
    take_choosers(page)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))

    def go_on() -> None:
        with page.expect_event("load"):
            page.locator(".thumb .primary").tap()

    page.goto("/")
    page.locator("#name-0").fill("Ana")
    page.keyboard.press("Enter")
    page.keyboard.type("Eva")
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    for path in taken:
        with page.expect_file_chooser() as chooser:
            page.locator("label.taker:not(.camera)").tap()
        chooser.value.set_files(path)
    page.wait_for_url("**/players/0/review")
    boards = page.locator(".beside h2")
    expect(boards).to_contain_text([f"Ana {len(ANA)} pieces", f"Eva {len(EVA)} pieces"])
    expect(page.locator(".thumb .primary")).to_have_text("Both boards are right")
    go_on()
    for guess in ("2", "1"):
        page.locator("[name=answer]").fill(guess)
        go_on()
    expect(page.locator("body")).to_contain_text("Ana wins")
    expect(page.locator(".standing")).to_have_count(2)
    expect(page.locator(".count")).to_have_text(["11", "5"])
    assert not failures
    context.close()
