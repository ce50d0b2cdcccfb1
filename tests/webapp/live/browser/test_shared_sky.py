"""One sky for all on a phone: laid, corrected by a tap near a place, a phase ended."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.barriers import TOO_WIDE, barriers
from tests.webapp.live.browser.conftest import OpenPage, Server
from tests.webapp.live.conftest import SkyTable, seconds_apart


@pytest.fixture
def sky(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[SkyTable]:
    """A game of four on the server."""
    seconds_apart(monkeypatch)
    yield SkyTable(server.app)


@in_ci
def test_a_link_is_corrected_and_a_phase_ended_with_a_phone(
    open_page: OpenPage, sky: SkyTable
) -> None:
    sky.face(1)
    sky.lay("1b2=red", "1b3=red", "3b1=red")
    page = open_page(f"{sky.game}/live")
    drawn = page.locator("#player-0 svg.watched")
    expect(page.locator(".ask.wrong")).to_contain_text("Ana")
    page.click(".ask.wrong .break")
    expect(drawn.locator(".space.lit")).to_have_count(3)
    page.click(".leave button")
    expect(page.locator(".ask.wrong")).to_have_count(0)
    drawn.locator("[data-space='1b2-1b3'] .halo").click(force=True)
    hand = page.locator("#hand")
    expect(hand.locator("select")).to_have_value("1b2-1b3")
    expect(hand.locator("#magnified .meant")).to_have_attribute("data-space", "1b2-1b3")
    expect(hand.locator("[name=star]:visible")).to_have_count(2)
    assert not barriers(page)
    hand.locator("[name=star][value=link]").click()
    expect(drawn.locator(".edge.taken[data-space='1b2-1b3']")).to_have_count(1)
    page.click("#phase-over")
    page.click("#telescope-1-2")
    expect(page.locator(".asks li")).to_have_count(0)
    expect(page.locator("#phase-now")).to_contain_text("Phase 2")
    page.click("#progress-C11-0")
    expect(drawn.locator(".edge.lit")).to_have_count(1)
    page.click("#tab-end")
    expect(page.locator("#had-1-2")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(TOO_WIDE) == []
    assert not barriers(page)
