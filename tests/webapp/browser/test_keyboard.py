"""A whole game with the keyboard alone: Tab, Enter, arrows and letters, from the first page on."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import DESKTOP, OpenContext, ServeTable, TurnTakingReader
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
