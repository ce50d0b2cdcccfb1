"""Two phones at one game: what one changes the other shows, and confirms only that."""

import re

from playwright.sync_api import Page, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import OpenContext, Table, TurnTakingReader
from tests.webapp.conftest import Player
from tests.webapp.live.conftest import eventually

QUICKER = """
  for (const one of document.querySelectorAll("[name=shown]")) one.value -= 1;
  document.querySelector(".thumb button").click();
"""


def read_game(table: Table) -> str:
    """A game of two boards that were read; both are clear but for Ana's doubt."""
    assert isinstance(table.reader, TurnTakingReader)
    table.reader.start_again()
    player, game = Player(table.app.test_client()), table.game_with_cards("Ana", "Luis")
    for seat in range(2):
        player.send_photograph(game, player=seat)
    player.wait_for_reading(game)
    return game


def test_what_one_phone_changes_the_other_shows_and_confirms(
    table: Table, open_context: OpenContext
) -> None:
    game = read_game(table)
    one, other = (open_context().new_page() for _phone in range(2))
    for page in (one, other):
        page.goto(f"{game}/players/0/review")
    listening(table, 2)
    lay(other, "ar1", "white")
    expect(one.locator('#drawn [data-space="ar1"]')).to_have_attribute("data-star", "white")

    # Whoever is quicker than the news confirms what was there before.
    with one.expect_response(
        lambda answer: answer.request.method == "POST" and answer.url.endswith("/0/review")
    ) as answer:
        one.evaluate(QUICKER)
    assert answer.value.status == 409
    expect(one.locator("main")).to_contain_text("Look at it again")


@in_ci
def test_what_is_typed_stays_while_another_phone_answers(
    table: Table, open_context: OpenContext
) -> None:
    game = read_game(table)
    one, other = (open_context().new_page() for _phone in range(2))
    for page in (one, other):
        page.goto(f"{game}/nebula/values")
    listening(table, 2)
    one.locator(".tray .value-token").first.click()
    mine = one.locator("#step input[type=hidden][name=colours]").input_value()
    assert mine
    other.locator(".tray .value-token").last.click()
    other.locator(".thumb .primary").click()
    other.wait_for_url(re.compile("photographs|review"))
    expect(one.locator("#news")).to_be_visible()
    one.locator("#news button").click()
    expect(one.locator("#typed")).to_be_visible()
    expect(one.locator("#step [name=colours]")).not_to_have_value(mine)  # but theirs
    one.locator("#typed button").click()
    expect(one.locator("#typed")).to_be_hidden()
    expect(one.locator("#step [name=colours]")).to_have_value(mine)
    one.locator(".thumb .primary").click()
    one.wait_for_url(re.compile("photographs|review"))


@in_ci
def test_a_page_that_news_leave_as_it_is_is_not_drawn_again(
    table: Table, open_context: OpenContext
) -> None:
    game = read_game(table)
    one, other = (open_context().new_page() for _phone in range(2))
    one.goto(f"{game}/nebula/values")
    other.goto(f"{game}/players/0/review")
    listening(table, 2)
    followed = one.locator("#followed")
    revision = int(followed.get_attribute("data-revision") or "")
    with one.expect_response(lambda answer: answer.url.endswith("/nebula/values")) as answer:
        lay(other, "ar1", "white")
    assert answer.value.status == 304
    expect(followed).to_have_attribute("data-revision", str(revision + 1))
    other.goto(f"{game}/nebula/values")
    other.locator(".tray .value-token").last.click()
    with one.expect_response(lambda answer: answer.url.endswith("/nebula/values")) as answer:
        other.locator(".thumb .primary").click()
    assert answer.value.status == 200


def listening(table: Table, pages: int) -> None:
    """Wait until so many pages follow the game."""
    streams = table.app.extensions["stargazer events"]
    eventually(lambda: streams.listeners >= pages)


def lay(page: Page, space: str, star: str) -> None:
    """Put a star on a space of the board under review."""
    page.locator(f"#drawn #space-{space}").press("Enter")
    page.locator(f"#palette button[value={star}]").click()
