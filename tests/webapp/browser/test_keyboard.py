"""A whole game with the keyboard alone: Tab, Enter, arrows and letters, from the first page on."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import DESKTOP, OpenContext, ServeTable, Table, TurnTakingReader
from tests.webapp.browser.test_flow import ADVANCED, CAREER

MOST_TABS = 80


def reach(page: Page, selector: str) -> None:
    """Press Tab until what is wanted has the focus, and shows it."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            assert page.evaluate("document.activeElement.matches(':focus-visible')"), selector
            return
    raise AssertionError(f"{page.url}: {MOST_TABS} tabs do not reach {selector}")


def go_on(page: Page, selector: str) -> None:
    """Reach what leads on, press Enter, and come to another page."""
    reach(page, selector)
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before, wait_until="load")


@in_ci
def test_a_game_is_scored_without_a_mouse(
    open_context: OpenContext, serve_table: ServeTable, photographs: list[Path], tmp_path: Path
) -> None:
    table = serve_table(TurnTakingReader(), tmp_path)
    page = open_context(base_url=table.address, viewport=DESKTOP).new_page()
    page.goto("/")
    reach(page, "#name-0")
    for name in ("Ana", "Luis"):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.wait_for_url("**/nebula/cards", wait_until="load")
    expect(page.get_by_text("Photograph the cards")).to_be_visible()
    reach(page, "#find")
    for card in (*CAREER, *ADVANCED):
        page.keyboard.type(card.lower())
        page.keyboard.press("Enter")
    page.wait_for_url("**/nebula/values", wait_until="load")
    reach(page, "[data-token=yellow] .value-token")
    page.keyboard.press("Enter")
    go_on(page, ".thumb .primary")
    reach(page, ".taker:not(.camera) input")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(photographs)
    page.wait_for_url("**/players/0/review", wait_until="load")
    while not page.url.endswith("/markers"):
        go_on(page, ".gallery .card" if page.url.endswith("/personal") else ".thumb button")
    for contested in page.locator(".career:has(.contested) [value=first]").all()[:1]:
        name = contested.get_attribute("name")
        reach(page, f'[name="{name}"]')
        while not contested.is_checked():
            page.keyboard.press("ArrowLeft")
    go_on(page, ".thumb .primary")
    expect(page).to_have_url(re.compile("/score$"))
    go_on(page, ".standing a")
    reach(page, ".line[data-light]:not([data-light=''])")
    page.keyboard.press("Enter")
    expect(page.locator(".space.lit").first).to_be_visible()


def test_a_token_takes_the_place_of_another_by_keys(
    open_context: OpenContext, table: Table
) -> None:
    page = open_context(viewport=DESKTOP).new_page()
    page.goto(f"{table.game_with_cards('Ana')}/nebula/values")
    order = page.locator("input[name=colours]")
    for token in ("red", "yellow", "blue"):
        reach(page, f"[data-token={token}] .value-token")
        page.keyboard.press("Enter")
    expect(order).to_have_value("red,yellow,blue")
    page.keyboard.press("Enter")
    picked = page.locator("[data-token=blue] .value-token")
    expect(picked).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        page.keyboard.press("Shift+Tab")  # past its neighbour's button that removes it
    expect(page.locator("[data-token=yellow] .value-token")).to_be_focused()
    page.keyboard.press("Enter")
    expect(order).to_have_value("red,blue,yellow")
    expect(page.locator("#announcer")).to_have_text("blue: Place 2")
    expect(picked).to_be_focused()
    expect(picked).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Tab")
    expect(page.get_by_label("blue: Put back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(order).to_have_value("red,yellow")
    expect(picked).to_be_focused()
