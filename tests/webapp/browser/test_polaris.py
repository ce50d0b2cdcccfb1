"""Polaris in a real browser: a game of four from five photographs, and one entered by hand."""

import itertools
from pathlib import Path
from typing import Any

import cv2
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from calibration import load_profile
from tests.conftest import in_ci
from tests.webapp.barriers import TOO_WIDE, barriers
from tests.webapp.browser.conftest import PHONE, Hands, OpenContext, ServeTable, Table
from tests.webapp.polaris_skies import CARDS, LINKS, NAMES, STARS, read_sky
from webapp.app.reading.reading_queue import ReadPhotograph

MOST_TAPS = 26
"""From the first page to the winner of a game of four, five photographs chosen at once."""


class PhaseReader:
    """Reads the skies of a game one after the other: each has what lay before, and more."""

    def __init__(self) -> None:
        reference = load_profile("polaris/standard").reference
        assert reference is not None
        small = cv2.resize(reference, (600, 600))
        self.picture = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
        skies = [
            read_sky(dict(itertools.islice(STARS.items(), count)), LINKS[: count - 2])
            for count in range(2, 7)
        ]
        self._skies = itertools.cycle(skies)

    def __call__(self, path: Path, name: str, *_asked: Any) -> ReadPhotograph:
        boards = [next(self._skies)]
        reading = {
            "format": 1,
            "photo": name,
            "size": [900, 900],
            "boards": boards,
            "timing_ms": {"total": 1.0},
        }
        return ReadPhotograph(reading, self.picture, (self.picture,))


@pytest.fixture(scope="module")
def sky_table(serve_table: ServeTable, tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A table whose photographs show the skies of a game."""
    return serve_table(PhaseReader(), tmp_path_factory.mktemp("skies"))


@pytest.fixture
def hands(open_context: OpenContext, sky_table: Table) -> Hands:
    context = open_context(sky_table.address, viewport=PHONE, has_touch=True, is_mobile=True)
    return Hands(context.new_page(), touch=True)


def look(page: Page) -> None:
    """No barrier that axe-core finds, and nothing beside the screen."""
    assert barriers(page) == [], page.url
    assert page.evaluate(TOO_WIDE) == [], page.url


def begin(hands: Hands) -> None:
    """From the first page to the common objectives."""
    page = hands.page
    page.goto("/games/new")
    with page.expect_event("load"):
        hands.tap(page.locator(".which-game a", has_text="Polaris"))
    hands.tap("label:has([name=count][value='4'])")
    hands.tap("#name-0")
    for name in NAMES[:-1]:
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    page.keyboard.type(NAMES[-1])
    look(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/polaris/objectives")


def finish(hands: Hands) -> None:
    """From the personal objectives to the winner."""
    page = hands.page
    for seat in range(len(NAMES)):
        page.wait_for_url(f"**/polaris/players/{seat}/objective")
        with page.expect_event("load"):
            hands.tap(page.locator(".gallery button.card").nth(seat))
    page.wait_for_url("**/polaris/telescopes")
    for phase in range(len(CARDS)):
        hands.tap(f"label:has([name=telescope-{phase}][value='{phase % 4}'])")
    look(page)
    hands.next()
    for seat in range(len(NAMES)):
        hands.tap(f"label:has([name=shooting-{seat}][value='{seat + 1}'])")
    look(page)


@in_ci
def test_five_photographs_lead_to_the_winner_in_few_taps(hands: Hands, tmp_path: Path) -> None:
    page = hands.page
    taken = []
    for phase in range(len(CARDS)):
        taken.append(tmp_path / f"phase-{phase}.jpg")
        Image.effect_noise((400, 400), 20 + phase).convert("RGB").save(taken[-1], quality=60)
    begin(hands)
    look(page)
    for card in CARDS:
        hands.tap(f'[data-card="{card}"]')
    page.wait_for_url("**/photographs")
    look(page)
    with page.expect_file_chooser() as chooser:
        hands.tap(page.locator(".taker").last)
    chooser.value.set_files(taken)
    page.wait_for_url("**/players/0/review")
    expect(page.locator(".beside")).to_have_count(5)
    look(page)
    hands.show("polaris-review")
    hands.next()
    finish(hands)
    hands.next()
    expect(page.locator(".standing")).to_have_count(4)
    print(
        f"\nfive photographs, four players: {hands.taps} taps, {hands.seconds():.0f} s of machine"
    )
    assert hands.taps <= MOST_TAPS
    look(page)
    hands.show("polaris-score")
    with page.expect_event("load"):
        page.locator(".standing a").first.tap()
    line = page.locator(".line", has_text="Longest line")
    line.tap()
    lit = (line.get_attribute("data-light") or "").split()
    board = page.locator(f".galaxy[data-board='{line.get_attribute('data-board')}']")
    expect(board).to_be_visible()
    assert lit
    expect(board.locator(".space.lit")).to_have_count(len(lit))
    expect(page.locator(".galaxy:visible")).to_have_count(1)
    look(page)
    hands.show("polaris-sheet")


@in_ci
def test_a_sky_is_entered_by_taps_and_the_next_begins_with_it(hands: Hands) -> None:
    page = hands.page
    begin(hands)
    for card in CARDS:
        hands.tap(f'[data-card="{card}"]')
    page.wait_for_url("**/photographs")
    before = hands.taps
    with page.expect_event("load"):
        hands.tap(page.locator(".board-choices button").first)
    for space in ("1b1", "1b2"):
        hands.tap(f"#space-{space} .rim")
    hands.tap("label:has([name=paint][value=link])")
    middle = page.locator("#space-1b1-1b2 .halo")
    hands.tap(middle)
    hands.tap("#space-polaris-1b1 .halo")
    hands.tap("#undo")
    expect(page.locator("#entry-message")).to_have_text("3 of 225 spaces")
    look(page)
    hands.show("polaris-hand")
    hands.next()
    page.wait_for_url("**/photographs")
    assert hands.taps - before == 8, (
        "two stars, a link and one too many, a paint, undo, there, back"
    )
    look(page)
    with page.expect_event("load"):
        page.locator(".board-of").nth(1).locator(".board-choices button").tap()
    expect(page.locator("#entry-message")).to_have_text("3 of 225 spaces")
    with page.expect_event("load"):
        page.locator(".thumb .primary").tap()
    with page.expect_event("load"):
        page.locator("button[name=telescope]", has_text="Luis").first.tap()
    expect(page.locator("button[name=telescope][aria-pressed=true]")).to_have_text("L Luis")
    with page.expect_event("load"):
        page.locator(".phase-card a").first.tap()
    page.locator(".line").first.tap()
    look(page)
    hands.show("polaris-phase")
