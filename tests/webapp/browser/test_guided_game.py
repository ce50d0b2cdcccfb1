"""A guided game in a real browser, from the first page to the score; its spaces in a picture."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from calibration import board_corners, load_profile
from scorer.nebula.playing import TURNS
from scorer.nebula.turns import play
from scorer.nebula.turns.actions import Place
from scorer.via_nebula.turns import TURNS as VALLEY_TURNS
from tests.conftest import PATIENCE_MS, in_ci
from tests.webapp.barriers import barriers
from tests.webapp.browser.conftest import PHONE, Hands, Table
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided, played_to_the_end
from tests.webapp.live.browser.conftest import Server
from tests.webapp.test_via_nebula_pages import begun
from vision.rectify import transform

POSE = np.array([[2.9, -0.45, 320.0], [0.31, 2.4, 140.0], [2.2e-4, 5.1e-4, 1.0]])
"""From a board's millimetres to the pixels of a picture of 1920 x 1080: seen at a slant."""
WITHIN_PX = 2.0


def projected(page: Page, corners: list[list[float]], at: list[list[float]]) -> np.ndarray:
    """Where the page draws places of the standard board, px."""
    width, height = load_profile("standard").size_mm
    reported = page.evaluate(
        """async ({ corners, at, size }) => {
          const { projection } = await import("/static/script/projection.js");
          const project = projection(corners, ...size);
          return at.map(([x, y]) => project(x, y));
        }""",
        {"corners": corners, "at": at, "size": [width, height]},
    )
    return np.array(reported) * (1920, 1080)


def test_places_in_a_picture_are_where_they_are_projected(at_phone: Hands, table: Table) -> None:
    at_phone.page.goto(f"{table.address}/games/new")
    profile = load_profile("standard")
    corners = transform(POSE, board_corners(profile.size_mm)) / (1920, 1080)
    places = np.array([shape.at for shape in profile.spaces.values()])
    found = projected(at_phone.page, corners.round(4).tolist(), places.tolist())
    away = np.abs(found - transform(POSE, places)).max()
    print(f"{len(places)} places, at most {away:.2f} px from their projection")
    assert away < WITHIN_PX


# a first game in a real browser

CLUSTERS = ["red", "blue", "white", "orange", "yellow", "purple"] * 3
CARDS = ("V5", "V7", "V12", "V17")
SECONDS_A_TAP = 2
MOST_SECONDS = 120
"""From the first page to the first star that lies right, at a beginner's pace."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that can be stopped and started again."""
    started = Server(tmp_path / "data")
    yield started
    started.stop()


class Phone:
    """Somebody with a phone at a guided game."""

    def __init__(self, page: Page) -> None:
        self.page, self.hands = page, Hands(page, touch=True)

    def asked(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#question")).to_have_text(words)

    def choose(self, words: str) -> None:
        """Tap an answer that asks further."""
        self.hands.tap(self.page.locator(".option", has_text=words).first)

    def do(self, words: str) -> None:
        """Tap an answer that does something, and wait until it is done."""
        self.done(lambda: self.choose(words))

    def done(self, act: Callable[[], None]) -> None:
        """Act, and wait until the page knows of it."""
        seen = self.page.locator("[name=seen]").first
        before = seen.get_attribute("value") or ""
        act()
        expect(seen).not_to_have_value(before)

    def begin(self) -> None:
        """Come from the first page to the first cluster, with a bag of one's own."""
        page = self.page
        page.goto("/")
        self.hands.tap(page.get_by_role("button", name="First game? Be guided through it"))
        self.asked("Do you have the game on the table?")
        assert barriers(page) == []
        self.choose("Yes: we draw and deal ourselves")
        self.asked("Who plays for Player 2?")
        self.choose("Player 2")
        self.asked("Ready?")
        before = page.evaluate("history.length")
        self.hands.tap(page.locator(".option", has_text="Begin"))
        self.asked(re.compile("Draw a star for"))
        expect(page).to_have_url(re.compile("/guide$"))
        assert page.evaluate("history.length") == before, "Back leaves the page"

    def lay_table(self) -> None:
        """Say which stars were drawn and which cards lie there."""
        for star in CLUSTERS:
            self.do(star.capitalize())
            expect(self.page.locator("#announcer")).to_contain_text("Draw")  # though asked again
        self.asked("Draw the boosted star")
        self.do("Black")
        self.asked("Turn up four career cards")
        self.choose("Choose them by their pictures")
        for card in CARDS:
            self.hands.tap(f'[data-card="{card}"]')
        self.asked("Draw a star for the reserve of Player 2")
        self.do("Red")


@pytest.fixture
def phones(browser: Browser, server: Server) -> Iterator[list[Phone]]:
    """Two, not of `open_context`, to which each request that finds no server is a mistake."""
    contexts = [
        browser.new_context(
            base_url=server.address,
            viewport=PHONE,
            has_touch=True,
            is_mobile=True,
            locale="en-GB",
            service_workers="block",  # a request that a test loses must not pass through one
        )
        for _phone in range(2)
    ]
    for context in contexts:
        context.set_default_timeout(PATIENCE_MS)
    yield [Phone(context.new_page()) for context in contexts]
    for context in contexts:
        context.close()


@in_ci
def test_a_first_game_from_the_first_page_to_the_score_sheet(
    phones: list[Phone], server: Server
) -> None:
    phone, other = phones
    page = phone.page
    phone.begin()
    phone.lay_table()
    game = page.url.removesuffix("/guide")
    guided = Guided.of(server.app, game.rsplit("/", 1)[1])

    phone.asked("How do you collect stars?")
    phone.choose("By time")
    for left in (4, 3, 2, 1):
        phone.hands.tap(page.locator(".turns a").last)
        phone.asked(f"Move the time markers: {left} of 5 steps left")
    phone.hands.show("guided-time")
    phone.done(lambda: phone.hands.tap(page.locator(".turns button").last))
    phone.choose("Purple")
    phone.asked("Where does the purple star go?")
    assert barriers(page) == []
    phone.hands.show("guided-place")
    taps = phone.hands.taps
    page.locator("#space-ar6 .halo").tap(force=True)  # it says of itself that it may not
    expect(page.locator("#why")).to_have_text("The first star goes on the core. The rule")
    phone.done(lambda: phone.hands.tap("#space-core .halo"))
    assert guided.stars(0) == {"core": "purple"}
    assert (taps + 2) * SECONDS_A_TAP < MOST_SECONDS, taps
    print(f"{taps + 2} taps to the first star that lies right")

    # another phone, a reload, and a server that was away
    other.page.goto(f"{game}/guide")
    other.asked("Where does the red star go?")  # the only colour that is left
    other.page.reload()
    other.asked("Where does the red star go?")
    page.locator("#space-ar1").focus()
    page.keyboard.press("Enter")
    other.asked("How do you collect stars?")
    expect(other.page.locator(".whose [aria-current]")).to_contain_text("Player 2")
    for one in (phone, other):
        one.page.goto("about:blank")
    server.stop()
    server.start()
    guided = Guided.of(server.app, guided.id)
    assert guided.stars(0) == {"core": "purple", "ar1": "red"}
    other.page.goto(f"{game}/guide")

    # the rest of the round by keys alone, on the other phone, and the step taken back
    keys = other.page.keyboard
    other.asked("How do you collect stars?")
    other.page.locator(".option", has_text="By chaos").focus()
    other.done(lambda: keys.press("Enter"))
    expect(other.page.locator("#happened")).to_contain_text("puts a star into the box: red")
    for star in ("Black", "Black", "Blue", "Blue", "White"):
        other.do(star)
    other.asked("Which two do you keep?")
    other.do("Blue, black")
    other.do("Black")
    expect(other.page.locator("#happened")).to_contain_text("Move the black indicator to square 1.")
    other.done(lambda: other.hands.tap("#back"))
    assert guided.state.indicator == 0
    other.do("Black")
    other.asked("Where does the blue star go?")
    other.page.locator("#space-core").focus()
    other.done(lambda: keys.press("Enter"))
    assert guided.state.round == 2

    # to the end without a browser, and to the score with one
    guided.play_out(random.Random(5))
    page.goto(f"{game}/guide")
    phone.asked("The game is over")
    expect(page.locator("#camera")).to_be_attached()
    expect(page.locator("#camera")).to_be_hidden()  # there is nothing left to film
    phone.hands.tap(page.get_by_role("button", name="To the score"))
    for seat, card in enumerate(("O19", "O20")):
        page.wait_for_url(f"**/nebula/players/{seat}/personal")
        phone.hands.tap(f'.gallery button.card[value="{card}"]')
    page.wait_for_url("**/score")
    expect(page.locator("[data-count]")).to_have_count(2)
    phone.hands.show("guided-score")
    page.go_back()
    page.wait_for_url(lambda address: not address.endswith("/score"))
    page.goto(f"{game}/guide")
    expect(page).to_have_url(re.compile("/score$"))


def test_a_page_leaves_a_deleted_table_even_if_its_last_request_failed(
    phones: list[Phone], server: Server
) -> None:
    guided, page = Guided(server.app, "Ana", "Luis"), phones[0].page
    guided.lay_table()
    page.goto(f"{guided.game}/live")
    page.route("**/live/table*", lambda route: route.abort())
    with page.expect_event("requestfailed") as failed:
        guided.do(TURNS.write_action(play.actions(guided.state)[0]))
    assert "/live/table" in failed.value.url
    guided.player.post(f"{guided.game}/delete")
    expect(page).not_to_have_url(re.compile("/live$"))
    assert page.url.endswith(f"/?deleted={guided.id}")


REACHED = """all => all.map(one => {
  one.scrollIntoView({ block: "center" });
  const { x, y, width, height } = one.getBoundingClientRect();
  const at = [x + width / 2, y + height / 2];
  const reach = (dx, dy) => {
    let far = 0;
    const is = () => document.elementFromPoint(at[0] + far * dx, at[1] + far * dy);
    while (far < 60 && is()?.closest("a, button") === one) far += 0.5;
    return far;
  };
  return [one.textContent.trim(), reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)];
}).filter(([, wide, high]) => wide < 43 || high < 43)"""
"""What is tapped in less than a thumb's width or height, a pixel of rounding allowed."""


CUT_OFF = """panels => panels.flatMap(panel => {
  const { left, right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll("*")]
    .filter(one => one.checkVisibility() && !one.closest(".unseen"))
    .filter(one => {
      const box = one.getBoundingClientRect();
      return box.width && (box.left < left - 1 || box.right > right + 1);
    }).map(one => one.outerHTML.slice(0, 80));
})"""
"""What a player's panel shows beyond its edge."""


def test_what_lies_before_a_player_is_as_large_as_a_thumb(
    phones: list[Phone], server: Server
) -> None:
    guided, page = Guided(server.app, "Ana", "Luis", draws="program"), phones[0].page
    guided.play_out(random.Random(5), until=9)
    page.goto(f"{guided.game}/guide")
    targets = page.locator(".seat-panel:first-child :is(a, button)")
    expect(targets.first).to_be_visible()
    assert targets.count() > 3
    assert targets.evaluate_all(REACHED) == []
    page.set_viewport_size({"width": 390, "height": 844})
    panels = page.locator(".seat-panel")
    assert panels.evaluate_all(CUT_OFF) == []
    page.get_by_role("link", name="Luis ›").click()
    expect(page.locator("#panel-1 .seat-name")).to_be_in_viewport(ratio=1)
    assert panels.evaluate_all(CUT_OFF) == []


def test_the_board_on_which_a_piece_or_a_place_is_asked_is_on_the_first_screen(
    phones: list[Phone], server: Server
) -> None:
    guided, page = Guided(server.app, "Ana", "Luis", draws="program"), phones[0].page
    state, luck = guided.play_out(random.Random(5), until=5), random.Random(5)
    while not any(isinstance(one, Place) for one in play.actions(state)):
        guided.do(TURNS.write_action(luck.choice(play.actions(state))))
        state = guided.state
    page.set_viewport_size({"width": 390, "height": 844})
    star = next(one.star for one in play.actions(state) if isinstance(one, Place))
    for asked in ("", f"place+{star}", f"place+{star}&hint=2"):
        page.goto(f"{guided.game}/guide?at={guided.history.number}&draft={asked}")
        board = page.locator("#drawn").bounding_box()
        strip = page.locator("#table-strip").bounding_box()
        assert board and strip and board["y"] + board["height"] <= strip["y"] + 1


def test_a_waiting_phone_follows_another_to_the_score(phones: list[Phone], server: Server) -> None:
    player, page = Player(server.app.test_client()), phones[0].page
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    played_to_the_end(server.app, game, VALLEY_TURNS, 1)
    page.goto(f"{game}/guide")
    expect(page.locator("#question")).to_have_text("The game is over")
    player.post(f"{game}/guide/finish", {})
    expect(page).to_have_url(re.compile("/score$"))


def test_what_is_not_possible_now_is_below_the_board(phones: list[Phone], server: Server) -> None:
    player = Player(server.app.test_client())
    game = begun(player, guided="yes")
    player.post(f"{game}/guide", {"draws": "program", "computers": "-,-"})
    page = phones[0].page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{game}/guide")
    board, refused = page.locator("#drawn").bounding_box(), page.locator(".option.refused")
    above = [
        box["y"] < board["y"] for one in refused.all() if (box := one.bounding_box()) and board
    ]
    assert above == [False] * 3
    refused.nth(1).tap(force=True)
    expect(page.locator("#why")).to_be_in_viewport()


@in_ci
def test_of_two_stars_the_only_one_that_fits_is_placed_by_a_tap_on_its_space(
    phones: list[Phone], server: Server
) -> None:
    guided, page = Guided(server.app, "Ana", "Luis", draws="program"), phones[0].page
    state, luck = guided.play_out(random.Random(5), until=5), random.Random(5)
    while "data-action" not in guided.page():
        guided.do(TURNS.write_action(luck.choice(play.actions(state))))
        state = guided.state
    page.goto(f"{guided.game}/guide")
    phones[0].hands.tap("#drawn .space.taken >> nth=0")
    expect(page.locator("#why")).to_have_text(
        "Choose one of the answers first, then tap the board."
    )
    space = page.locator("#drawn .space[data-action]").first
    action = space.get_attribute("data-action")
    phones[0].done(lambda: phones[0].hands.tap(space))
    assert action in [TURNS.write_action(one.action) for one in guided.history.moments[-3:]]
