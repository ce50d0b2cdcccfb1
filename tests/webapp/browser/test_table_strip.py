"""The strip below a guided game: swiped to others, its cards, places and words pressed for long."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.conftest import in_ci
from tests.webapp.barriers import barriers
from tests.webapp.browser.conftest import Hands, ServeTable, Table
from tests.webapp.guided import Guided
from tests.webapp.polaris_guided import GuidedSky

PRESSED = """(at, x) => {
  at.scrollIntoView({ block: "center" });
  const box = at.getBoundingClientRect();
  at.dispatchEvent(new PointerEvent("pointerdown", {
    clientX: box.x + x * box.width, clientY: box.y + box.height / 2,
    pointerType: "touch", bubbles: true,
  }));
}"""
"""In one go: what is drawn anew or scrolled between two calls would lie elsewhere."""


def press_long(hands: Hands, at: Locator, x: float = 0.5) -> None:
    """Put a finger there, and leave it until something is explained."""
    asked = hands.page.locator("#ask")
    expect(asked).not_to_be_visible()
    at.evaluate(PRESSED, x)
    expect(asked).to_be_visible()
    at.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})


def one_star_placed(at_phone: Hands, table: Table) -> tuple[Guided, Page]:
    """A full game in which Ana has placed her first star, and its page."""
    guided, page = Guided(table.app, "Ana", "Luis", mode="full"), at_phone.page
    guided.lay_table()
    for action in ("time 5 0 0", "place red core"):
        guided.do(action)
    page.goto(f"{table.address}{guided.game}/guide")
    return guided, page


@in_ci
def test_all_is_in_view_and_explains_itself(at_phone: Hands, table: Table) -> None:
    _guided, page = one_star_placed(at_phone, table)
    ana, luis = page.locator("#panel-0"), page.locator("#panel-1")
    expect(ana).to_be_in_viewport(ratio=0.9)
    expect(luis).not_to_be_in_viewport(ratio=0.5)
    expect(ana.locator(".has-card")).to_have_count(8)
    luis.scroll_into_view_if_needed()
    expect(luis).to_be_in_viewport(ratio=0.9)
    expect(luis.locator(".has-piece")).to_contain_text("1")
    assert barriers(page) == []

    title, close = page.locator("#ask-title"), page.locator("#ask [data-close]")
    press_long(at_phone, luis.locator(".has-card").first)
    expect(title).to_have_text(re.compile("^V5 "))
    close.tap()
    drawn = page.locator("#drawn")
    press_long(at_phone, drawn.locator("#space-core"))
    expect(title).to_have_text("The core")
    expect(page.locator("#ask .term")).to_contain_text("Red")
    close.tap()
    press_long(at_phone, page.get_by_text("Boosted: black"), 0.25)
    expect(title).to_have_text("Boosted star")
    close.tap()
    expect(page.locator("#ask")).to_be_hidden()


@in_ci
def test_a_waiting_players_things_are_one_tap_away_and_one_back(
    at_phone: Hands, table: Table
) -> None:
    guided, page = one_star_placed(at_phone, table)
    question, taken = page.locator("#question"), page.locator("#drawn .space.taken")
    before = question.inner_text()
    expect(taken).to_have_count(1)
    for there, back in ((".next-seat", "#home"), (".whose #of-1", ".whose #of-0")):
        page.locator(there).first.tap()
        expect(question).to_have_text("Luis waits: Ana is to move")
        expect(taken).to_have_count(0)
        expect(page.locator("#panel-1")).to_be_in_viewport(ratio=0.9)
        assert barriers(page) == []
        page.locator(back).tap()
        expect(question).to_have_text(before)
    page.locator("#of-1").tap()
    expect(question).to_have_text("Luis waits: Ana is to move")
    page.go_back()
    expect(question).to_have_text(before)
    page.locator("#of-1").tap()
    expect(question).to_have_text("Luis waits: Ana is to move")
    guided.do("end placing")
    expect(question).not_to_contain_text("waits")
    expect(page.locator(".whose [aria-current]")).to_have_text(re.compile("Luis"))


def test_answers_are_in_view(at_phone: Hands, serve_table: ServeTable, tmp_path: Path) -> None:
    table, page = serve_table(None, tmp_path), at_phone.page
    guided = GuidedSky(table.app)
    guided.tap("sky")
    guided.sit(guided.player, 0, "leave")
    for draft, least in (("", 3), ("take", 2)):
        page.goto(f"{table.address}{guided.game}/guide?draft={draft}&at={guided.history.number}")
        answers, strip = page.locator(".choices-now .option"), page.locator("#table-strip")
        last, below = answers.nth(least - 1).bounding_box(), strip.bounding_box()
        assert last and below and last["y"] + last["height"] <= below["y"], draft
        assert barriers(page) == []
