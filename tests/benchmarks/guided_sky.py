"""A guided first game of Polaris in a real browser, by taps only, to the winner.

    python -m tests.benchmarks.guided_sky                          # two players, a phone, English
    python -m tests.benchmarks.guided_sky --players 4 --language cs --width 1280 --dark

Follows the program's advice. On the way it taps wrong spaces, undoes a piece, reloads the page,
checks another phone, and restarts the server. Prints the taps, the browser's errors, and whether
the score agrees with the rules.
"""

import argparse
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from scorer.polaris.advice import ADVISOR
from scorer.polaris.score import score_game
from scorer.polaris.steps import STEPS, ChooseCard, Lay, Step, StepState
from scorer.polaris.table_state import TakeCard
from tests.webapp.barriers import barriers
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import totals
from tests.webapp.live.browser.conftest import Server

PATIENCE_MS = 60_000
SECONDS_A_TAP = 2
TRIES = 5
WRONG_EVERY = 9
"""A wrong space is tapped before every such piece."""
LOOKED_AT_EVERY = 40
"""Every so many steps, run axe and reload the page."""

WRONG_IN_VIEW = """() => {
  const board = document.querySelector("#drawn").getBoundingClientRect();
  const inside = ({ x, y, right, bottom }) =>
    x > board.x + 20 && right < board.right - 20 && y > board.y + 20 && bottom < board.bottom - 20;
  const refused = [...document.querySelectorAll("#drawn .space[data-why]")];
  return refused.find((one) => inside(one.getBoundingClientRect()))?.dataset.space;
}"""
"""The first visible space of the drawn board that may not be tapped."""


TO_CARDS = "a[data-draft][href*='draft=card&']"
TAKES, HELD = ".choices-now [name=seat].option, .choices-now button[name=seat]", "[data-held]"
HOLD_MS = 1000


@dataclass
class Walk:
    """A game in progress: the page and the results."""

    server: Server
    page: Page
    players: int
    taps: int = 0
    wrong: int = 0
    explained: int = 0
    laid: int = 0
    found: list[str] = field(default_factory=list)
    game: str = ""

    def tap(self, selector: str) -> None:
        """Tap the first match of a selector once it is there."""
        self.taps += 1
        self.page.locator(selector).first.click()

    def space(self, place: str) -> None:
        """Tap a place on the drawn board."""
        self.taps += 1
        halo = self.page.locator(f"[id='space-{place}'] .halo")
        for _ in range(TRIES):
            halo.wait_for()
            with suppress(Error):  # the board was redrawn during the tap
                halo.click(force=True)
                return
        raise TimeoutError(place)

    @property
    def state(self) -> StepState:
        """The server's state of the table."""
        app = self.server.app
        game = app.extensions["stargazer"].games.open(self.game)
        state: StepState = app.extensions["stargazer guide"].history(game).state
        return state

    def number(self) -> str:
        """Return the last log entry that the page knows."""
        return self.page.locator("[name=seen]").first.get_attribute("value") or ""

    def begin(self) -> None:
        """Go from the first page to the completed setup."""
        page = self.page
        page.goto("/games/new?game=polaris")
        if self.players != int(page.locator("[name=count]:checked").get_attribute("value") or 0):
            self.tap(f"label:has([name=count][value='{self.players}'])")
        self.tap("[name=guided]")
        page.wait_for_url("**/guide")
        self.game = page.url.rsplit("/", 2)[1]
        self.tap("#choice-0")
        for _seat in range(self.players - 1):
            page.wait_for_selector("#question")
            before = page.locator("#question").inner_text()
            self.tap("#choice-0")
            expect(page.locator("#question")).not_to_have_text(before)
        self.tap("form .option")
        page.wait_for_selector(".setup-list")

    def do(self, step: Step) -> None:
        before = self.number()
        if isinstance(step, Lay):
            self.lay(step)
        else:
            if isinstance(step, TakeCard):
                self.tap("a[data-draft][href*='draft=take&']")
            if isinstance(step, ChooseCard):
                self.show_cards()
            self.tap(f"[name=move][value='{STEPS.write_action(step)}']")
        expect(self.page.locator("[name=seen]").first).not_to_have_value(before)

    def show_cards(self) -> None:
        """Claim the seat at its first turn; later hold the button until the cards are shown."""
        self.page.wait_for_selector(f"{TO_CARDS}, {HELD}")
        if self.page.locator(HELD).count():
            self.taps += 1
            self.page.locator(HELD).click(delay=HOLD_MS)
        else:
            self.tap(TO_CARDS)
            self.page.wait_for_selector(f".pictured, {TAKES}")
            if self.page.locator(TAKES).count():
                self.tap(TAKES)
        self.page.wait_for_selector(".pictured")

    def lay(self, step: Lay) -> None:
        """Place a piece, sometimes after a wrong tap that must be explained."""
        self.laid += 1
        if self.laid % WRONG_EVERY == 0:
            wrong = self.page.evaluate(WRONG_IN_VIEW)
            if wrong:
                self.wrong += 1
                self.space(wrong)
                expect(self.page.locator("#why")).not_to_be_empty()
                self.explained += 1
        self.space(step.place)

    def undo(self) -> None:
        """Undo the last step."""
        before = self.number()
        self.tap("#back")
        expect(self.page.locator("[name=seen]").first).not_to_have_value(before)

    def look(self) -> None:
        """Record accessibility problems of this screen, and overflow."""
        self.found += barriers(self.page)
        if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.found.append("wider than the window")
        self.page.reload()
        self.page.wait_for_selector("#question")


def another_phone(browser: Browser, walk: Walk) -> bool:
    """Whether another phone shows the same question."""
    page = browser.new_context(base_url=walk.server.address).new_page()
    page.goto(f"/games/{walk.game}/guide")
    same = page.locator("[name=seen]").first.get_attribute("value") == walk.number()
    page.context.close()
    return same


def play(browser: Browser, walk: Walk) -> list[int]:
    """Play the whole game; return the totals on the last page."""
    walk.begin()
    steps, undone = 0, False
    while not (state := walk.state).over:
        if state.scored:
            print(f"phase {len(state.table.phases)} is scored after {walk.taps} taps", flush=True)
        if not state.laid_out or state.scored:
            step = STEPS.actions(state)[0]
        else:
            step = ADVISOR.choose(state, "simple").action
        walk.do(step)
        steps += 1
        if isinstance(step, Lay) and walk.laid == WRONG_EVERY and not undone:
            undone = True
            walk.undo()
        if steps % LOOKED_AT_EVERY == 0:
            walk.look()
        if steps == LOOKED_AT_EVERY:
            print(f"another phone shows the same: {another_phone(browser, walk)}")
            walk.server.stop()
            walk.server.start()
            walk.page.reload()
            print(f"after a restart of the server: {walk.page.locator('#question').inner_text()}")
    walk.look()
    walk.tap("#guide button.primary")
    walk.page.wait_for_url("**/score")
    walk.found += barriers(walk.page)
    return totals(walk.page.content())


def main() -> int:
    """Play and print the results; return 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--language", default="en")
    parser.add_argument("--width", type=int, default=390)
    parser.add_argument("--dark", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "data")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(
            base_url=server.address,
            viewport={"width": chosen.width, "height": 844},
            locale=chosen.language,
            color_scheme="dark" if chosen.dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        walk = Walk(server, context.new_page(), chosen.players)
        walk.page.on("pageerror", lambda error: walk.found.append(str(error)))
        began = perf_counter()
        shown = play(browser, walk)
        state = walk.state
        right = sorted(player.total for player in score_game(state.table.to_game()).players)
        browser.close()
        server.stop()
    print(
        f"{walk.taps} taps ({walk.taps * SECONDS_A_TAP / 60:.0f} min at {SECONDS_A_TAP} s each),"
        f" {walk.laid} pieces laid, {walk.explained} of {walk.wrong} wrong taps explained,"
        f" {perf_counter() - began:.0f} s"
    )
    print(f"totals shown {sorted(shown)}, by the rules {right}; found: {walk.found or 'nothing'}")
    return int(sorted(shown) != right or bool(walk.found) or walk.explained < walk.wrong)


if __name__ == "__main__":
    sys.exit(main())
