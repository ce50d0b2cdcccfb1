"""The computer goes away and comes back: games are read meanwhile, what was typed is delivered."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

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
    context.set_default_timeout(20_000)
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
