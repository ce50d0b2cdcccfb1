"""Ten moments of a guided first game of two as pictures, for questions that a screen should answer.

    python -m tests.benchmarks.moments GAME --seed 25 --out DIR

The computer's strategies play for Ana, who is new to the game, and for Luis, at one phone of
390 by 844 px that both share, with what is drawn told by hand wherever the game offers that.
Each moment N, from the first turn to the final score, keeps four things: `N-screen.png` is what is
seen without scrolling, `N-full.png` the whole page, `N-taps/` what plain things open with one tap,
and `N.txt` the facts for whoever asks the questions, secrets of both players included.
"""

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from random import Random
from time import monotonic, perf_counter
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Request, expect, sync_playwright

from tests.webapp.browser.computer import Computer
from tests.webapp.browser.conftest import PHONE
from tests.webapp.chromium import ARGUMENTS, CHROMIUM
from tests.webapp.conftest import Player, players_form
from tests.webapp.guided import GuidedTable
from webapp.app import guided_game
from webapp.app.game_pages import pages_of

NAMES = ("Ana", "Luis")
MOMENTS = 10
MOST_TAPS = 12
TAPPED: Mapping[str, int] = {
    "#hint": 1,
    "[data-hold]": 2,
    ".whose a:not([aria-current])": 1,
    "#drawn .space.taken": 1,
    "#drawn :is(.lit, [data-action], .asked)": 1,
    ".seat-panel .has-card": 2,
    ".choices-now .option.refused": 1,
    ".choices-now a.option[data-draft]": 1,
    ".seat-panel .has > .has-name": 2,
    "#score-lines > summary": 1,
    "#guide summary": 3,
    "#guide [data-about], #guide [data-ask]": 3,
    ".ask-all": 1,
}
"""What is tapped: so many things at most that each selector finds in view of a reader."""
PRESSED = (
    "[data-hold], #drawn *, .has-name:not(a), .choices-now .option:not([data-draft], .refused)"
)
"""Things that explain themselves by a long press, as a tap would do something or nothing."""
HOLD_MS, SETTLES_MS = 700, 250
TOO_TALL = """() => Math.max(...[...document.querySelectorAll(".scroll, dialog, .ask-body")]
  .filter((one) => one.matches("dialog, dialog *") || !document.querySelector("dialog[open]"))
  .map((one) => one.scrollHeight - one.clientHeight))"""

LOOK = """() => document.body.outerHTML.replaceAll(/ class="[^"]*"/g, "")
  + document.querySelector("#table-strip")?.scrollLeft"""
"""What a page shows, but for how a thing looks while it is tapped."""
CLOSED = """() => {
  const dialog = document.querySelector("dialog[open]");
  document.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  dialog?.close();
  return Boolean(dialog);
}"""


@dataclass(frozen=True)
class Decision:
    """An action, and the state before it."""

    before: Any
    action: Any
    stage: int
    """How many a seat has decided in the same turn before."""


class FirstGame:
    """A guided first game of two on a server, in which chance follows a seed."""

    def __init__(self, computer: Computer, game: str, seed: int) -> None:
        pages = pages_of(game)
        assert pages.guided is not None, f"{game} has no turns"
        self.part, self._seed = pages.guided, seed
        form = players_form(*NAMES, mode=pages.first_mode, markers=pages.markers)
        player, form = Player(computer.app.test_client()), {**form, "game": game, "guided": "first"}
        address = player.post("/games/new", form).headers["Location"]
        self.table = GuidedTable.of(computer.app, address.split("/")[2])
        while not address.endswith("/guide"):  # a question before the game, such as the date
            usual = re.search(r'name="answer"[^>]*value="([^"]*)"', player.get(address).text)
            assert usual is not None, address
            address = player.post(address, {"answer": usual[1]}).headers["Location"]
        guided_game.LUCK = Random(seed)  # type: ignore[assignment]
        with computer.app.test_request_context():
            draws = next(iter(self.part.opening.answers))  # with the game on the table
        form = {"draws": draws, "computers": ",".join("-" * len(NAMES))}
        assert self.table.player.post(f"{self.table.game}/guide", form).status_code == 303

    @property
    def state(self) -> Any:
        return self.table.history.state

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be done."""
        return not (self.part.turns.outcomes(self.state) or self.part.turns.actions(self.state))

    def decide(self, decision: Decision) -> None:
        """Do what was decided before, at the same table."""
        assert self.state == decision.before, "the game goes another way"
        self.table.do(self.part.turns.write_action(decision.action))

    def play(self) -> Iterator[Decision]:
        """Play to the end by the computer's strategies, and yield what is decided."""
        turns, luck = self.part.turns, Random(self._seed)
        strength = [*self.part.strengths][len(self.part.strengths) // 2]
        turn: object = None
        stage = 0
        while not self.is_over:
            before = self.state
            if (action := turns.drawn(before, luck)) is None:
                if (seat := turns.decides(before)) is None:
                    action = turns.actions(before)[0]
                else:
                    seed = luck.getrandbits(32)
                    action = self.part.advisor.choose(before, strength, seed).action
                    known = seat, turns.turn(before)
                    stage, turn = (stage + 1 if known == turn else 0), known
            found = Decision(before, action, stage)
            self.decide(found)
            yield found


def chosen(game: FirstGame, decisions: Sequence[Decision]) -> Iterator[int]:
    """Yield at which decisions to stop: the first, by turns both players', the last of Ana's turns.

    Of those near a moment it is the one whose kinds of actions were seen least so far.
    """
    turns, seen = game.part.turns, Counter[object]()
    own = [at for at, one in enumerate(decisions) if turns.decides(one.before) is not None]
    anas = [at for at in own if turns.decides(decisions[at].before) == 0]
    last = [at for at in anas if decisions[at].stage == 0][-1]
    share = (last - own[0]) / (MOMENTS - 2)

    def asked(at: int) -> object:
        before = decisions[at].before
        return frozenset(type(one) for one in turns.actions(before)), decisions[at].stage > 0

    first = anas[0]
    for number in range(MOMENTS - 2):
        middle = own[0] + number * share
        near = [at for at in own if first < at < last and abs(at - middle) <= share / 2]
        near = [at for at in near if turns.decides(decisions[at].before) == number % 2] or near
        at = min(near, key=lambda at: (seen[asked(at)], abs(at - middle))) if number else first
        seen[asked(at)] += 1
        first = at
        yield at
    yield last


def facts(game: FirstGame, number: int, decisions: Sequence[Decision], at: int) -> Iterator[str]:
    """Yield lines about a moment, for somebody who knows the rules and sees no screen."""
    turns, state = game.part.turns, game.state
    seat = turns.decides(state)
    yield f"{game.part.game.id}, moment {number} of {MOMENTS}, decision {at} of {len(decisions)}"
    yield f"players: {', '.join(NAMES)} (Ana is new to the game; they share her phone)"
    yield f"decides now: {'nobody' if seat is None else NAMES[seat]}; game over: {game.is_over}"
    actions = turns.actions(state)
    kinds = Counter(type(one).__name__ for one in actions)
    yield f"legal now: {', '.join(f'{count} × {kind}' for kind, count in kinds.items()) or '-'}"
    yield "just done, the latest last:"
    for one in decisions[max(0, at - 6) : at]:
        by = turns.decides(one.before)
        yield f"  {'chance' if by is None else NAMES[by]}: {turns.write_action(one.action)}"
    yield "the state, with secrets:"
    yield from described(state, "  ")


def described(value: Any, indent: str) -> Iterator[str]:
    """Yield the fields of a state, those of states within indented."""
    for field in fields(value):
        if field.name in ("board", "edition", "rules"):
            continue
        own = getattr(value, field.name)
        parts = own if isinstance(own, tuple) and any(map(is_dataclass, own)) else (own,)
        for at, one in enumerate(parts):
            name = field.name if len(parts) == 1 else f"{field.name} {at}"
            if is_dataclass(one) and len(indent) < 8:
                yield f"{indent}{name}:"
                yield from described(one, f"{indent}  ")
            else:
                yield f"{indent}{name}: {str(one)[:400]}"


class Phone:
    """The phone that takes the pictures."""

    def __init__(self, browser: Browser, address: str) -> None:
        page = browser.new_context(
            viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=1.5, locale="en-GB"
        ).new_page()
        self._page, self._address, self._pending = page, address, set[Request]()
        page.on("request", self._asked)
        page.on("requestfinished", lambda one: self._pending.discard(one))
        page.on("requestfailed", lambda one: self._pending.discard(one))

    def _asked(self, request: Request) -> None:
        if request.resource_type in ("fetch", "image") and "/events" not in request.url:
            self._pending.add(request)

    def open(self) -> None:
        """Show the guided game as it stands."""
        self._page.goto(self._address)
        expect(self._page.locator("#question")).to_be_visible()
        self._settle()

    def _settle(self) -> None:
        """Wait until what was asked of the server is there and drawn."""
        until = monotonic() + 10
        self._page.wait_for_timeout(SETTLES_MS)
        while self._pending and monotonic() < until:
            self._page.wait_for_timeout(SETTLES_MS)
        self._page.evaluate("() => new Promise((drawn) => setTimeout(drawn))")

    def leave(self) -> None:
        """Show nothing, so that the screen is not drawn anew after each decision."""
        self._page.goto("about:blank")

    def sit(self) -> None:
        """Take all free seats: both players share the phone."""
        self.open()
        while (free := self._page.locator("#seats [id^=take-]")).count():
            if not free.first.is_visible():
                self._page.locator("#seats > summary").tap()
            before = free.count()
            free.first.tap()
            expect(free).to_have_count(before - 1)

    def keep_moment(self, folder: Path, name: str) -> None:
        """Keep the screen, the whole page, and what its things open."""
        self.open()
        self._keep(folder / f"{name}-screen.png")
        self._keep(folder / f"{name}-full.png", whole=True)
        shutil.rmtree(folder / f"{name}-taps", ignore_errors=True)
        self._keep_taps(folder / f"{name}-taps")

    def _keep(self, picture: Path, whole: bool = False) -> None:
        """Keep a picture; of all that is scrolled if `whole`."""
        height = PHONE["height"]
        for _again in range(4 if whole else 0):  # boards grow with the screen
            if too_tall := self._page.evaluate(TOO_TALL):
                height += too_tall
                self._page.set_viewport_size({"width": PHONE["width"], "height": height})
                self._page.wait_for_timeout(SETTLES_MS)
        self._page.screenshot(path=picture)
        if height > PHONE["height"]:
            self._page.set_viewport_size(PHONE)

    def _keep_taps(self, folder: Path) -> None:
        """Keep what each plainly tappable thing opens."""
        folder.mkdir()
        done, known = 0, set[str]()
        for selector, most in TAPPED.items():
            if done == MOST_TAPS:
                return
            found = self._page.locator(selector)
            many = 0
            for one in (found.nth(at) for at in range(min(found.count(), 20))):
                if many == most or done == MOST_TAPS:
                    break
                what = self._name(one)
                if not one.is_visible() or what in known:
                    continue
                known.add(what)
                with suppress(Error):
                    self._tap(one, folder / f"{done + 1:02}-{what}.png")
                    done, many = done + 1, many + 1
                self._put_back()

    @staticmethod
    def _name(one: Locator) -> str:
        own = one.evaluate(
            "(at) => at.ariaLabel || at.dataset.name || at.dataset.space || at.textContent || at.id"
        )
        return re.sub(r"\W+", "-", str(own)).strip("-")[:40] or "thing"

    def _tap(self, one: Locator, picture: Path) -> None:
        page = self._page
        one.scroll_into_view_if_needed(timeout=2000)
        if one.evaluate("(at, those) => at.matches(those)", PRESSED):
            box = one.evaluate("(at) => at.getBoundingClientRect().toJSON()")
            at = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
            touch = {**at, "pointerType": "touch", "bubbles": True, "pointerId": 1}
            one.dispatch_event("pointerdown", touch)
            page.wait_for_timeout(HOLD_MS)
        else:
            before = page.evaluate(LOOK)
            one.tap(timeout=2000)
            with suppress(Error):
                page.wait_for_function(
                    f"(before) => ({LOOK})() !== before", arg=before, timeout=3000
                )
        self._settle()
        self._keep(picture, whole=bool(page.locator("dialog[open], #home").count()))

    def _put_back(self) -> None:
        """Show the moment again as it was before a tap."""
        if not self._page.evaluate(CLOSED):
            self.open()


def main() -> None:
    """Play the game twice: once to know how it goes, then with the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        computer = Computer(Path(data))
        decisions = [*FirstGame(computer, asked.game, asked.seed).play()]
        print(f"{len(decisions)} decisions, {perf_counter() - began:.0f} s")
        game = FirstGame(computer, asked.game, asked.seed)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        phone = Phone(browser, f"{computer.address}{game.table.game}/guide")
        phone.sit()
        stops = [*chosen(game, decisions), len(decisions)]
        at = 0
        for number, stop in enumerate(stops, 1):
            phone.leave()
            for one in decisions[at:stop]:
                game.decide(one)
            at, name = stop, f"{number:02}"
            asked.out.mkdir(parents=True, exist_ok=True)
            (asked.out / f"{name}.txt").write_text("\n".join(facts(game, number, decisions, at)))
            phone.keep_moment(asked.out, name)
            print(f"moment {number}: decision {stop}, {perf_counter() - began:.0f} s", flush=True)
        browser.close()
        computer.end()


if __name__ == "__main__":
    main()
