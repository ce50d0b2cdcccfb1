"""The device's camera on the page of the photographs: one tap a board."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.webapp.browser.conftest import PHONE, Hands, Table
from tests.webapp.chromium import ARGUMENTS, CHROMIUM


@pytest.fixture
def with_camera(browser: Browser) -> Iterator[Browser]:
    """A browser of a device with a camera."""
    fake = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    launched = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    yield launched
    launched.close()


def test_two_boards_are_photographed_with_three_taps(with_camera: Browser, table: Table) -> None:
    context = with_camera.new_context(
        base_url=table.address, locale="en-GB", viewport=PHONE, has_touch=True, is_mobile=True
    )
    hands = Hands(context.new_page(), touch=True)
    page = hands.page
    page.goto(f"{table.game_with_cards('Ana', 'Luis')}/photographs")
    hands.tap("#take-here")
    asked = page.locator("#viewfinder-told")
    expect(asked).to_have_text("Ana")
    page.wait_for_timeout(500)  # the picture comes
    hands.show("viewfinder-phone")
    hands.tap("#shutter")
    expect(asked).to_have_text("Luis")
    hands.tap("#shutter")
    page.wait_for_url("**/players/0/review")
    assert hands.taps == 3
    context.close()
