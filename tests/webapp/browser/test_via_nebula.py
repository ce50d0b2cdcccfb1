"""Via Nebula in a real browser: boards entered by taps, what is turned up, the winner."""

from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.barriers import TOO_WIDE, barriers
from tests.webapp.browser.conftest import Hands

VALLEY = {"A4": ("building_blue",), "C3": ("site_blue", "wood"), "E3": ("craftsman_red", "food")}
MOST_TAPS = 49
"""From the first page to the winner: names are typed, all else is tapped."""


def look(hands: Hands, name: str) -> None:
    """No barrier that axe-core finds, and nothing beside the screen."""
    assert barriers(hands.page) == [], name
    assert hands.page.evaluate(TOO_WIDE) == [], name
    hands.show(f"via-nebula-{name}")


def add(hands: Hands, at: str, piece: str) -> None:
    """One more piece to a space of the valley, which was tapped."""
    counted = hands.page.locator(f"#in-{at}")
    expect(counted).to_be_in_viewport()
    counted.locator("select").select_option(piece)
    hands.taps += 2
    hands.tap(counted.locator(f"#{at}-more"))
    expect(counted.locator(f"#{at}-{piece}-same")).to_have_text("1")


@in_ci
def test_a_game_is_entered_by_taps_from_the_first_page_to_the_winner(at_phone: Hands) -> None:
    hands, page = at_phone, at_phone.page
    page.goto("/games/new")
    hands.onward(page.locator(".which-game a", has_text="Via Nebula"))
    for seat, name in enumerate(("Ana", "Luis")):
        hands.tap(f"#name-{seat}")
        page.keyboard.type(name)
    hands.tap("label:has([name=marker-1][value=red])")
    hands.next()
    hands.onward(page.locator(".board-choices button").first)
    expect(page.locator(".counted:visible")).to_have_count(0)
    for at, pieces in VALLEY.items():
        hands.tap(page.locator(f'a.zone[href="#in-{at}"]'))
        for piece in pieces:
            add(hands, at, piece)
    expect(page.locator(".counted:visible")).to_have_count(len(VALLEY))
    hands.tap("#undo")
    expect(page.locator("#E3-food-same")).to_have_count(0)
    hands.tap("#redo")
    expect(page.locator("#E3-food-same")).to_have_text("1")
    look(hands, "valley")
    hands.next()
    for seat in range(2):
        hands.onward(page.locator(".board-of").nth(seat + 1).locator(".board-choices button"))
        for pile in range(2, 5):
            hands.tap(f"#pile_{pile}-tile-more")
            expect(page.locator(f"#pile_{pile}-tile-same")).to_have_text("1")
        hands.next()
    for tokens, contracts, end in (("wood-4", "N1", 1), ("food-1", "N3", 0)):
        for answer in (tokens, contracts, end):
            hands.tap(f"label:has([name=answer][value='{answer}'])")
            if answer == end:
                look(hands, "end-card")
            hands.next()
    expect(page.locator("h1")).to_have_text("Ana wins")
    print(f"\na valley, two guild boards, three questions each: {hands.taps} taps")
    assert hands.taps <= MOST_TAPS
    look(hands, "score")
    hands.onward(page.locator(".standing a").first)
    line = page.locator(".line", has_text="Storage")
    expect(line).to_contain_text("−1")
    hands.tap(line)
    expect(page.locator(".space.lit:visible")).to_have_attribute("data-space", "C3")
    look(hands, "sheet")
