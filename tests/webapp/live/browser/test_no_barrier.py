"""The live pages are everybody's: nothing that axe-core finds, nothing cut off."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.conftest import in_ci, in_full
from tests.webapp.barriers import barriers
from tests.webapp.browser.conftest import keep_screenshot
from tests.webapp.live.browser.conftest import OpenPage
from tests.webapp.live.conftest import ARIES, Table

NARROW: ViewportSize = {"width": 320, "height": 640}


def busy_table(table: Table) -> None:
    """A table with something to do, something broken and something done."""
    table.place(0, {"core": "yellow", **ARIES})
    table.place(1, {"core": "blue", "ta1": "blue"})
    table.see(board=1, kind="black", count=1)
    table.tap("entries/3", what="nothing")
    table.tap("personal", seat=0, card="O19")


def states(page: Page, game: str) -> Iterator[str]:
    """Open the pages and what taps open on them, in turn."""
    page.goto(f"{game}/live")
    yield "table"
    page.click("#later-asks summary")
    page.click("#tab-end")
    page.click("#values-now summary")
    yield "the end with everything open"
    page.click("#tab-objectives")
    page.click("#mine-0")
    page.wait_for_selector("#secret")
    yield "table with everything open"
    page.click("#mine-1")
    page.click("#choose-personal")
    page.click("#personal [value=O3]")
    page.wait_for_selector("#give-back-1")
    yield "a card of one's own"
    page.click("#hand-0")
    yield "a space by hand"
    page.click("#hand [data-close]")
    page.click(".menu summary")
    yield "the menu"
    page.click(".menu [data-opens]")
    page.click("#cameras #advanced-cameras summary")
    yield "the cameras beside the table"
    page.click("#cameras [data-close]")
    page.click("#tab-line")
    yield "the time line"
    page.locator(".time-line [data-correct]").first.click()
    yield "a correction"
    page.click("#correction [data-close]")
    page.locator(".time-line .when").first.click()
    page.wait_for_selector(".back")
    yield "a look back"
    page.goto(f"{game}/live/cameras")
    yield "cameras"
    page.goto(f"{game}/nebula/players/0/personal")
    page.wait_for_selector("#waiting")
    yield "a hidden card"


OVERPRINTED = """() => {
  const rows = [...document.querySelectorAll(".time-line li")]
    .map(row => row.getBoundingClientRect());
  const parts = [...document.querySelectorAll(".time-line .when")].filter(
    when => when.getBoundingClientRect().height < when.scrollHeight - 1);
  return rows.filter((row, n) => n && row.top < rows[n - 1].bottom - 0.5).length + parts.length;
}"""
"""How many rows of the time line lie over another one, or over their own end."""

LARGEST = "localStorage.setItem('stargazer-type', 'largest');"


def cut_off(page: Page, state: str) -> list[str]:
    """What is cut off on a page that is shown on a narrow screen."""
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    scroll = page.evaluate(
        "(one => one.scrollWidth - one.clientWidth)(document.querySelector('.scroll'))"
    )
    found = [f"{state} is wider than the screen"] if max(wide, scroll) > 0 else []
    overprinted = state == "the time line" and page.evaluate(OVERPRINTED)
    return [*found, f"{overprinted} rows are overprinted"] if overprinted else found


@in_ci
@pytest.mark.parametrize("device", ["phone", "tablet"])
def test_axe_finds_no_violation(open_page: OpenPage, table: Table, device: str) -> None:
    busy_table(table)
    page = open_page(f"{table.game}/live", device)
    usual, found = page.viewport_size, []
    for state in states(page, table.game):
        keep_screenshot(page, f"live-{state.replace(' ', '-')}-{device}")
        found += [f"{state}: {barrier}" for barrier in barriers(page)]
        if device == "phone":
            page.set_viewport_size(NARROW)
            found += cut_off(page, state)
            page.set_viewport_size(usual)
    assert not found, "\n".join(found)


@in_ci
@pytest.mark.parametrize(
    ("language", "width", "script"),
    in_full([("es", 320, ""), ("cs", 320, ""), ("cs", 390, LARGEST)], ("cs", 390, LARGEST)),
)
def test_nothing_is_cut_off_on_a_narrow_screen(
    open_page: OpenPage, table: Table, language: str, width: int, script: str
) -> None:
    """Nor in type that is twice as large. In English axe's walk looks at that as well."""
    busy_table(table)
    page = open_page(f"{table.game}/live", script=script, locale=language)
    page.set_viewport_size({"width": width, "height": 640})
    found = [one for state in states(page, table.game) for one in cut_off(page, state)]
    assert not found, "\n".join(found)
