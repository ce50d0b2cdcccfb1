"""A board entered by hand: a colour stays, spaces are tapped, and keys do the same at a desk."""

from collections import defaultdict
from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import Hands, OpenContext, Table, legal_stars

FULL = legal_stars(empty=0, first=0)
BLACK = 5
MOST_TAPS = 32


@pytest.fixture
def entering(at_phone: Hands, table: Table) -> Hands:
    """Somebody at a phone before the photographs of a game of one."""
    at_phone.page.goto(f"{table.game_with_cards('Ana')}/photographs")
    return at_phone


def expect_drawn(page: Page, stars: Mapping[str, str]) -> None:
    """These stars are drawn, and no others."""
    expect(page.locator("#drawn .space:not([data-star=''])")).to_have_count(len(stars))
    for space, star in stars.items():
        expect(page.locator(f"#space-{space}")).to_have_attribute("data-star", star)


def tap_slot(hands: Hands, number: int) -> None:
    """Tap a slot of the black stars' track; its row lets taps through to the board."""
    x, y = hands.page.locator("#drawn").evaluate(
        """(board, number) => {
          const slot = board.querySelectorAll(".track-row .rim")[number].getBoundingClientRect();
          return [slot.x + slot.width / 2, slot.y + slot.height / 2];
        }""",
        number - 1,
    )
    hands.page.touchscreen.tap(x, y)
    hands.taps += 1


@in_ci
def test_a_full_board_takes_32_taps_and_is_there_after_a_reload(entering: Hands) -> None:
    page = entering.page
    with page.expect_event("load"):
        entering.tap(page.locator(".board-choices button"))
    by_colour: dict[str, list[str]] = defaultdict(list)
    for space, colour in FULL.items():
        by_colour[colour].append(space)
    for colour in page.locator("[name=paint]").evaluate_all("paints => paints.map(p => p.value)"):
        paint = page.locator(f'[name=paint][value="{colour}"]')
        if by_colour[colour] and not paint.is_checked():
            entering.tap(paint)
        for space in by_colour[colour]:
            entering.tap(f"#space-{space} .rim")
    expect(page.locator("#entry-message")).to_have_text("25 of 25 spaces")
    tap_slot(entering, BLACK)
    assert entering.taps <= MOST_TAPS
    expect(page.locator(".track-row use.body")).to_have_count(BLACK)  # drawn by the last answer
    entering.show("by-hand-full-phone")
    page.reload()
    expect_drawn(page, FULL)
    expect(page.locator("output")).to_have_text(str(BLACK))
    expect(page.locator(".track-row use.body")).to_have_count(BLACK)


def test_every_space_is_a_target_of_44_pixels(entering: Hands) -> None:
    page = entering.page
    with page.expect_event("load"):
        page.locator(".board-choices button").tap()
    small = page.evaluate(
        """() => {
          const svg = document.getElementById("drawn"), scale = svg.getScreenCTM().a;
          const spaces = [...svg.querySelectorAll(".space")]
            .map(({dataset}) => [dataset.space, Number(dataset.x), Number(dataset.y)]);
          const owner = (x, y) => spaces
            .map(([id, ox, oy]) => [Math.hypot(ox - x, oy - y), id]).sort((a, b) => a[0] - b[0])
            .filter(([away]) => away < 15)[0]?.[1];
          const reach = (id, x, y, dx, dy) => {
            let far = 0;
            while (owner(x + far * dx, y + far * dy) === id) far += 0.25;
            return far;
          };
          return spaces.map(([id, x, y]) => [id,
            scale * (reach(id, x, y, 1, 0) + reach(id, x, y, -1, 0)),
            scale * (reach(id, x, y, 0, 1) + reach(id, x, y, 0, -1)),
          ]).filter(([, wide, high]) => wide < 44 || high < 44);
        }"""
    )
    assert not small
    controls = page.locator(".paintbox input, .paintbox button, .history button")
    sizes = controls.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert sizes and min(min(size) for size in sizes) >= 44, sizes


@in_ci
def test_a_board_is_entered_with_keys_alone(open_context: OpenContext, table: Table) -> None:
    page = open_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{table.game_with_cards('Ana')}/photographs")
    page.locator(".board-choices button").press("Enter")
    page.wait_for_url("**/review", wait_until="load")
    page.keyboard.press("ArrowDown")  # to the first space, the core
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.keyboard.press("Numpad1")
    for _ in range(3):
        page.keyboard.press("+")
    page.keyboard.press("-")
    announced = page.locator("#announcer")
    expect(announced).to_have_text("Black stars: 2")
    beside = page.evaluate("document.activeElement.dataset.space")
    assert beside != "core"
    expect(page.locator("#entry-message")).to_contain_text("2 of 25 spaces")
    expect_drawn(page, {"core": "blue", beside: "yellow"})
    page.keyboard.press("Delete")
    expect(announced).to_contain_text("empty")
    expect_drawn(page, {"core": "blue"})
    page.keyboard.press("Control+z")
    expect(page.locator(f"#space-{beside}")).to_have_attribute("data-star", "yellow")


@in_ci
def test_linked_stars_of_a_colour_are_joined_by_a_line_and_named(entering: Hands) -> None:
    page = entering.page
    with page.expect_event("load"):
        page.locator(".board-choices button").tap()
    for space in ("core", "ar1"):
        entering.tap(f"#space-{space} .rim")
    expect(page.locator(".clashes line")).to_have_count(1)
    expect(page.locator("#breaks")).to_contain_text(
        "The core and a space of Aries on orbit 1 are linked and both red"
    )
    entering.show("by-hand-clash-phone")
