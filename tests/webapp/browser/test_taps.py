"""How many taps an evening takes on a phone whose camera is on the page: each is printed (-s)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import PATIENCE_MS, in_ci
from tests.webapp.browser.conftest import PHONE, Hands, ServeTable, TurnTakingReader
from tests.webapp.browser.test_flow import ADVANCED, CAREER, DOUBTS, MOST_TAPS, TOKENS
from tests.webapp.chromium import ARGUMENTS, CHROMIUM

MOST_TAPS_INTRODUCTORY = 14
MOST_TAPS_REMATCH = 3
"""From a score to the cards of the next game."""


@pytest.fixture
def with_camera(browser: Browser) -> Iterator[Browser]:
    """A browser of a device with a camera."""
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    launched = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    yield launched
    launched.close()


@pytest.fixture
def reader() -> TurnTakingReader:
    """What reads the photographs: one space is doubtful."""
    return TurnTakingReader()


@pytest.fixture
def hands(
    with_camera: Browser, serve_table: ServeTable, reader: TurnTakingReader, tmp_path: Path
) -> Iterator[Hands]:
    """Somebody with such a phone where nobody has played before."""
    table = serve_table(reader, tmp_path)
    context = with_camera.new_context(
        base_url=table.address,
        locale="en-GB",
        viewport=PHONE,
        has_touch=True,
        is_mobile=True,
        service_workers="block",
    )
    context.set_default_timeout(PATIENCE_MS)
    yield Hands(context.new_page(), touch=True)
    context.close()


@in_ci
def test_an_evening_takes_few_taps(hands: Hands, reader: TurnTakingReader) -> None:
    page = hands.page
    page.goto("/")
    enter_names(hands)
    assert play(hands, (*CAREER, *ADVANCED), photographs=2) <= MOST_TAPS + DOUBTS
    hands.taps = 0
    with page.expect_event("load"):
        hands.tap("form[action$=rematch] button")
    while not page.url.endswith("/cards"):
        hands.next()
    expect(page.locator("[data-card]").first).to_be_visible()
    print(f"\na rematch to the cards: {hands.taps} taps")
    assert hands.taps <= MOST_TAPS_REMATCH
    reader.start_again(together=True)
    page.goto("/games/new")
    hands.taps = 0
    hands.tap(page.locator("label:has([name=mode][value=intro])"))
    enter_names(hands)
    assert play(hands, CAREER, photographs=1) <= MOST_TAPS_INTRODUCTORY


def enter_names(hands: Hands) -> None:
    """Type both names; the keyboard's own keys are no taps."""
    page = hands.page
    hands.tap("#name-0")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.keyboard.type("Luis")
    with page.expect_event("load"):
        page.keyboard.press("Enter")


def play(hands: Hands, cards: tuple[str, ...], photographs: int) -> int:
    """Go from the cards to the winner; tell and return the taps since they were last nought."""
    page, full = hands.page, len(cards) > len(CAREER)
    for card in cards:
        hands.tap(f'[data-card="{card}"]')
    if full:
        page.wait_for_url("**/nebula/values")
        for token in TOKENS:
            hands.tap(f'[data-token="{token}"] .value-token')
        hands.next()
    page.wait_for_url("**/photographs")
    photograph(hands, photographs)
    expect(page.locator("#question-message")).to_contain_text("What is on a space of Aries")
    hands.tap("#answer-1")
    expect(page.locator(".thumb .primary")).to_have_text("Both boards are right")
    expect(page.locator("h1")).to_have_text("Are these the boards?")
    expect(page.locator(".beside a").last).to_be_in_viewport(ratio=0.9)
    hands.next()
    for seat in range(2):
        page.wait_for_url(f"**/nebula/players/{seat}/personal")
        with page.expect_event("load"):
            hands.tap(page.locator(".gallery button.card").first)
    for contested in page.locator(".career:has(.contested)").all():
        hands.tap(contested.locator("[value=first]").first)
    hands.next()
    expect(page.locator(".standing")).to_have_count(2)
    mode = "full" if full else "introductory"
    reported = f"{mode} mode, photographs taken on the page: {photographs}"
    print(f"\n{reported}: {hands.taps} taps, {DOUBTS} of them for a doubt")
    return hands.taps


def photograph(hands: Hands, photographs: int) -> None:
    """Take a photograph of each player's board with a tap, or one of both."""
    page, before = hands.page, hands.taps
    hands.tap("#take-here")
    asked = page.locator("#viewfinder-message")
    expect(asked).to_have_text("Ana")
    expect(page.locator("#shutter")).to_be_enabled()
    hands.show("viewfinder-phone")
    hands.tap("#shutter")
    if photographs == 2:
        expect(asked).to_have_text("Luis")
        hands.tap("#shutter")
    page.wait_for_url("**/players/0/review")
    assert hands.taps - before == 1 + photographs
