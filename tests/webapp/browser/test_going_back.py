"""Back, a reload, the arrow at the head, the preferences: where they lead, what stays entered."""

import re

from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import Hands, Table


def test_back_from_the_cards_corrects_the_game_and_begins_no_second_one(
    at_phone: Hands, table: Table
) -> None:
    page = at_phone.page
    page.goto("/games/new?game=nebula")
    page.fill("#name-0", "Ann")
    page.fill("#name-1", "Luis")
    at_phone.tap(".thumb .primary")
    page.wait_for_url("**/nebula/cards")
    game = page.url.removesuffix("/nebula/cards")
    page.go_back()
    expect(page).to_have_url(f"{game}/players")
    page.fill("#name-0", "Hannelore")
    at_phone.tap(".thumb .primary")
    page.wait_for_url(f"{game}/nebula/cards")
    page.goto("/")
    expect(page.locator(".games", has_text="Ann,")).to_have_count(0)
    expect(page.locator(".games")).to_contain_text("Hannelore")


@in_ci
def test_a_reload_keeps_what_was_tapped(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{table.game_with_cards('Ana')}/nebula/cards")
    for card in ("V5", "V7", "V9"):
        at_phone.tap(f'[data-card="{card}"]')
    page.reload()
    chosen = page.locator('[data-card][aria-pressed="true"]')
    for number, card in enumerate(("V9", "V12")):
        expect(chosen.nth(number)).to_have_attribute("data-card", card)
    page.goto(page.url.replace("cards", "values"))
    at_phone.tap('[data-token="blue"] .value-token')
    page.reload()
    expect(page.locator('[data-track="colours"] .order [data-token="blue"]')).to_be_visible()


@in_ci
def test_the_arrow_at_the_head_leads_back_a_step(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{table.scored_game('Ana', 'Luis')}/score/1")
    arrow = page.locator(".top .icon-button").first
    for onward in ("/score", "/$"):
        at_phone.tap(arrow)
        expect(page).to_have_url(re.compile(f"{onward}$"))
    page.goto(f"{table.scored_game('Ana', 'Luis')}/nebula/markers")
    for onward in ("players/1/personal", "players/1/review", "players/0/personal"):
        at_phone.tap(arrow)
        expect(page).to_have_url(re.compile(f"{onward}$"))
    page.goto(page.url.replace("players/0/personal", "cards"))
    at_phone.tap(arrow)
    expect(page).to_have_url(re.compile("players$"))
    at_phone.tap(arrow)
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()


@in_ci
def test_the_preferences_lead_back_to_where_one_was(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{table.game_with_cards('Ana')}/nebula/values")
    here = page.url
    at_phone.onward(".top .icon-button:last-child")
    page.locator("[name=appearance][value=dark]").check()
    at_phone.next()
    expect(page).to_have_url(here)
    at_phone.onward(".top .icon-button:last-child")
    at_phone.tap(".top .icon-button >> nth=0")
    expect(page).to_have_url(here)
