"""A slow network: the page is there, and tapped, before its scripts are."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import OpenContext, Table


class Late:
    """Scripts that are under way until they are let through."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._held: list[Route] | None = []
        page.route(re.compile(r"/script/(?!early)"), self._hold)

    def _hold(self, route: Route) -> None:
        if self._held is None:
            route.continue_()
        else:
            self._held.append(route)

    def arrive(self) -> None:
        """Let them through, and wait until the page has run them."""
        held, self._held = self._held or [], None
        for route in held:
            route.continue_()
        self._page.wait_for_load_state("domcontentloaded")


@pytest.fixture
def page(open_context: OpenContext, table: Table) -> Page:
    """The board of a game of one, to enter by hand; its scripts will be late."""
    page = open_context(has_touch=True, is_mobile=True).new_page()
    page.goto(f"{table.game_with_cards('Ana')}/photographs")
    with page.expect_event("load"):
        page.locator(".board-choices button").tap()
    return page


def test_what_is_tapped_before_the_scripts_are_there_is_done_once_they_are(page: Page) -> None:
    late = Late(page)
    page.reload(wait_until="commit")
    blue = page.locator('[name=paint][value="blue"]')
    blue.tap()
    page.locator("#space-core .rim").tap()
    page.locator("#space-ar1 .rim").tap()
    page.locator("#space-ar1 .rim").tap()
    page.keyboard.press("?")
    expect(page.locator("#space-core")).to_have_attribute("data-star", "")
    late.arrive()
    expect(page.locator("#space-core")).to_have_attribute("data-star", "blue")
    expect(page.locator("#space-ar1")).to_have_attribute("data-star", "")
    expect(page.locator("dialog[open] .terms")).to_be_visible()
    expect(page.locator("#entry-message")).to_have_text("1 of 25 spaces")


@in_ci
def test_a_link_leads_on_before_the_scripts_are_there(page: Page) -> None:
    late = Late(page)
    page.reload(wait_until="commit")
    with page.expect_navigation(url=re.compile("/preferences"), wait_until="commit"):
        page.locator("header [href^='/preferences']").tap()
    late.arrive()
    expect(page.locator("h1")).to_have_text("Preferences")
