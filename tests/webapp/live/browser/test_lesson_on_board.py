"""A lesson on the real board with a phone: laid out, tried, taken back, done with a tap at last."""

import re

from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.barriers import TOO_WIDE, barriers
from tests.webapp.live.browser.conftest import OpenPage, Server
from tests.webapp.live.conftest import Table

LAID = {"2b2": "red", "2c4": "blue", "1c2": "blue", "4a2": "yellow", "1": "new_moon"}


@in_ci
def test_a_lesson_follows_the_sky_before_a_camera(open_page: OpenPage, server: Server) -> None:
    page = open_page("/lessons/polaris", locale="es")
    page.click(".real-board summary")
    page.select_option("[name=board]", "new")
    page.click(".real-board button")
    page.wait_for_url("**/live/cameras")
    sky = Table(server.app, page.url.removesuffix("/live/cameras"))
    page.goto("/lessons/polaris/dawn")
    so_far, wrong = page.locator(".so-far"), page.locator(".judged.wrong")
    expect(so_far).to_have_text("0 de 5")
    assert not barriers(page)
    sky.place(0, LAID)
    expect(so_far).to_have_count(0)
    sky.place(0, {"3b3": "red"})
    expect(wrong).to_contain_text("Sector 3")
    assert not barriers(page)
    server.stop()
    server.start()
    sky = Table(server.app, sky.game)
    sky.see(kind="removed", space="3b3", was="red")
    expect(wrong).to_have_count(0)
    page.locator("[name=try]").first.click()  # the card without the sun
    expect(wrong).to_contain_text("sin el sol")
    sky.place(0, {"2b3": "red"})
    expect(page.locator(".judged.on")).to_have_count(1)
    page.click("[name=try][value=end]")
    expect(page.locator(".judged.good")).to_have_count(1)
    expect(page.locator(".thumb .primary")).to_have_attribute("href", re.compile("phase$"))
    assert page.evaluate(TOO_WIDE) == []
