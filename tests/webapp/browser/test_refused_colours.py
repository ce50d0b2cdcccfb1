"""Palettes mark what the rules would refuse, and why; it may be chosen all the same."""

import re

from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.barriers import barriers
from tests.webapp.browser.conftest import ANAS, Hands, Table
from tests.webapp.conftest import Player

BOTH_RED = "The core and a space of Aries on orbit 1 are linked and both red."
"""Why a second red star may not lie on Aries 1."""


def laid_by_hand(table: Table, red: str) -> str:
    """A game whose first board has one star, entered by hand; its address."""
    player = Player(table.app.test_client())
    game = player.new_game("Ana", "Luis", game="nebula")
    player.lay_cards(game)
    player.post(f"{game}/photographs/players/0/hand")
    player.post(f"{game}/players/0/star", {"space": red, "star": "red"})
    return game


def test_under_review(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{table.scored_game('Ana', 'Luis')}/players/0/review")
    beside = ANAS["ar1"]
    at_phone.tap("#space-ar2 .rim")
    button = page.locator(f"#palette [name=star][value={beside}]")
    expect(button).to_have_class("refused")
    expect(button).to_have_accessible_description(
        f"A space of Aries on orbit 1 and a space of Aries on orbit 2 are linked and both {beside}."
    )
    expect(page.locator("#palette [aria-pressed=true].refused")).to_have_count(0)
    expect(page.locator("#palette-why li").first).to_be_visible()
    assert barriers(page) == []
    at_phone.show("refused-colours-review")
    at_phone.tap(button)
    expect(page.locator("#space-ar2")).to_have_attribute("data-star", beside)
    at_phone.tap("#space-ar1 .rim")
    expect(page.locator("#palette [aria-pressed=true]")).to_have_class("refused")


@in_ci
def test_what_is_asked_of_a_doubtful_space_is_marked_from_the_start(
    at_phone: Hands, table: Table
) -> None:
    page = at_phone.page
    page.route("**/refused", lambda route: route.fulfill(json={}))  # later marks move buttons
    page.goto(f"{table.scored_game('Ana', 'Luis')}/players/0/review")
    answers = page.locator(".answers [name=star]")
    expect(page.locator(".answers .refused")).to_have_accessible_description(re.compile("both red"))
    expect(page.locator(".answers .refused")).to_have_text(["red"])
    expect(answers.first).to_have_class("answer")
    at_phone.tap("#space-ar2 .rim")
    at_phone.tap(f"#palette [name=star][value={ANAS['ar3']}]")
    expect(answers.first).to_have_class("answer refused")
    expect(page.locator("#answers-why")).to_contain_text("both")


@in_ci
def test_by_hand(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{laid_by_hand(table, 'core')}/players/0/review")
    space, paint = page.locator("#space-ar1"), page.locator("[name=paint][value=red]")
    expect(space).to_have_class("space refused")
    expect(space).to_have_accessible_description(BOTH_RED)
    at_phone.tap(page.locator("[name=paint][value=blue]"))
    expect(space).to_have_class("space")
    at_phone.tap("#space-ar1 .rim")
    expect(page.locator("#space-ar2")).to_have_class("space refused")
    expect(paint).to_have_class("refused")
    expect(paint).to_have_accessible_description(BOTH_RED)
    assert barriers(page) == []
    at_phone.show("refused-colours-by-hand")
    at_phone.tap(paint)
    at_phone.tap("#space-ar1 .rim")
    expect(page.locator(".break")).to_contain_text("linked and both red")


@in_ci
def test_live(at_phone: Hands, table: Table) -> None:
    player, page = Player(table.app.test_client()), at_phone.page
    game = player.new_game("Ana", "Luis", game="nebula")
    player.lay_cards(game)
    player.post(f"{game}/live")
    for space, star in (("core", "red"), ("ar1", "blue")):
        player.post(f"{game}/live/star", {"seat": 0, "space": space, "star": star})
    page.goto(f"{game}/live")
    at_phone.tap("#player-0 [data-space=ar1] .halo")
    button = page.locator("#hand [name=star][value=red]")
    expect(button).to_have_accessible_description(BOTH_RED)
    assert barriers(page) == []
    at_phone.show("refused-colours-live")
    page.locator("#hand [name=space]").select_option("ar5")
    expect(page.locator("#hand .refused")).to_have_count(6)
    at_phone.tap("#hand [data-close]")
    at_phone.tap("#tab-line")
    at_phone.tap("[data-correct][data-space=core]")
    expect(page.locator("#correction [value=blue]")).to_have_class("refused")
    expect(page.locator("#correction [value=red]")).to_have_class("")
