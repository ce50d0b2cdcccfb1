"""The computer goes away and comes back: games are read meanwhile, what was typed is delivered."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.conftest import PATIENCE_MS
from tests.webapp.browser.computer import Computer, kept
from tests.webapp.browser.conftest import PHONE
from tests.webapp.conftest import Player


@pytest.fixture
def computer(tmp_path: Path) -> Iterator[Computer]:
    made = Computer(tmp_path)
    yield made
    made.end()


def test_games_are_read_and_notes_written_while_the_computer_is_away(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game, begun = player.play_to_score("Ana", "Luis"), player.new_game("Eva", "Ana")
    context = browser.new_context(base_url=computer.address, viewport=PHONE)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    for address in ("/", f"{game}/score", f"{game}/about", f"{begun}/about"):
        kept(page, address)
    computer.go_away()

    page.goto("/")
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator(".tile")).to_have_count(2)
    expect(page.locator(".tile-deeds button").first).to_be_disabled()
    page.locator(f'a[href="{game}"]').click()
    expect(page.locator("h1")).to_contain_text("win")
    expect(page.locator("#away")).to_be_visible()
    page.goto("/games/new")
    expect(page.locator("h1")).to_have_text("The computer is away")
    for address, note in ((f"{game}/about", "a fine evening"), (f"{begun}/about", "mine")):
        page.goto(address)
        expect(page.locator("#away")).to_be_visible()
        page.fill("#note", note)
        page.locator(".note button").click()
    expect(page.locator("#undelivered")).to_contain_text("2 changes wait")

    player.post(f"{begun}/note", {"note": "theirs", "was": ""})
    computer.come()
    clash = page.locator("#undelivered li")
    expect(clash).to_contain_text("theirs")
    expect(clash).to_contain_text("mine")
    expect(page.locator("#away")).to_be_hidden()
    notes = {
        one.id: one.document.get("note")
        for one in computer.app.extensions["stargazer"].games.recent()
    }
    assert notes == {game.split("/")[2]: "a fine evening", begun.split("/")[2]: "theirs"}
    clash.locator("button").click()
    expect(page.locator("#undelivered")).to_be_hidden()
    context.close()


def test_what_is_tapped_while_another_tap_is_delivered_is_delivered_as_well(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    with browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{game}/live")
        computer.go_away()
        lay(page, "ar1", "red")
        expect(page.locator("#undelivered")).to_contain_text("1 change waits")
        held: list[Route] = []
        page.route("**/live/star", lambda route: held.append(route), times=1)
        computer.come()
        while not held:
            page.wait_for_timeout(50)
        with page.expect_response("**/healthz"):  # it sees that the computer is there
            lay(page, "ar2", "blue")
        expect(page.locator("#undelivered")).to_contain_text("2 changes wait")
        held[0].continue_()
        expect(page.locator("#undelivered")).to_be_hidden()
        expect(page.locator("#player-0 .space.taken")).to_have_count(2)


def lay(page: Page, space: str, star: str) -> None:
    """Lay a star of the first player's by hand."""
    page.locator("#hand-0").click()
    page.locator("#hand select").select_option(space)
    page.locator(f"#hand button[value={star}]").click()


def test_live_taps_are_delivered_in_order_and_once_when_the_computer_is_back(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    live = computer.app.extensions["stargazer live"]
    context = browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{game}/live")

    def unheard(route: Route) -> None:
        route.fetch()  # it arrives, and the answer is lost
        route.abort()

    page.route("**/live/star", unheard, times=1)
    with page.expect_response("**/live/star"):  # to the second try: the first is left without
        lay(page, "ar1", "red")
    expect(page.locator("#undelivered")).to_be_hidden()
    told: list[tuple[str, ...]] = [("hand", "placed", "ar1", "red")]

    def log() -> list[tuple[str, ...]]:
        entries = live.entries(game.split("/")[2])
        return [
            (one.kind, *map(str, (one.data.get("event") or one.data).values())) for one in entries
        ]

    expect(page.locator("#player-0 .space.taken")).to_have_count(1)
    assert log() == told, "written once, though it was sent twice"
    page.evaluate(
        "for (let tap = 0; tap < 3; tap += 1) document.querySelector('#black-more-1').click()"
    )
    expect(page.locator("#player-1 .stepper .number")).to_have_text("3")
    told += [("hand", "black", "1"), ("hand", "black", "2"), ("hand", "black", "3")]
    for _ in range(400):
        if log() == told:
            break
        page.wait_for_timeout(50)
    assert log() == told, "each of three taps that no answer was waited for between"

    computer.go_away()
    lay(page, "ar2", "blue")
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator("#undelivered")).to_contain_text("1 change waits")
    page.locator("#tab-end").click()
    page.locator("#values-now summary").click()
    for _ in range(2):
        page.locator("#indicator-more").click()
    lay(page, "ar2", "white")
    for count in ("1", "2"):
        page.locator("#black-more-0").click()
        expect(page.locator("#player-0 .stepper .number")).to_have_text(count)
    expect(page.locator("#undelivered")).to_contain_text("6 changes wait")
    page.locator("#mine-0").click()  # a hidden card is kept by no browser: it says so beforehand
    page.evaluate("document.getElementById('personal').showModal()")
    expect(page.locator("#personal .needs-computer")).to_be_visible()
    expect(page.locator("#personal [name=card]").first).to_be_disabled()
    page.locator("#personal [data-close]").click()
    page.on("dialog", lambda asked: asked.accept())
    page.locator(".menu summary").click()
    page.locator(".menu form button").click()
    page.keyboard.press("Escape")
    lay(page, "ca1", "blue")
    expect(page.locator("#undelivered")).to_contain_text("8 changes wait")
    computer.come()
    expect(page.locator("#undelivered")).to_be_hidden()
    told += [
        ("hand", "placed", "ar2", "blue"),
        ("indicator", "1"),
        ("indicator", "1"),
        ("hand", "placed", "ar2", "white"),
        ("hand", "black", "1"),
        ("hand", "black", "2"),
        ("restart",),
        ("hand", "placed", "ca1", "blue"),
    ]
    assert log() == told
    expect(page.locator("#player-0 .space.taken")).to_have_count(1)
    context.close()
