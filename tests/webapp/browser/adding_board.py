"""A person who adds a board in a browser, and knows the truth of it: how long they need."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from calibration import Layout
from tests.webapp.browser.conftest import Hands

SECONDS_A_TAP = 2.0
"""A person's pace: to find the next thing on the screen and tap it, or to type a number."""
SECONDS_A_DRAG = 4.0
SECONDS_A_PHOTOGRAPH = 5.0
"""To aim the phone's camera and to tap in it."""
CAMERA = 2
"""The taps in the phone's own camera for a photograph: the shutter, and "use it"."""
LONGEST_MS = 180_000
"""For the computer to look at a photograph, however busy it is."""
TOLERANCE_MM = 1.0
"""A circle that lies this near its space is left as it is."""


@dataclass
class Stopwatch:
    taps: int = 0
    drags: int = 0
    typed: int = 0
    photographs: int = 0

    @property
    def person_seconds(self) -> float:
        return (
            SECONDS_A_TAP * (self.taps + self.typed)
            + SECONDS_A_DRAG * self.drags
            + SECONDS_A_PHOTOGRAPH * self.photographs
        )


def add_board(
    hands: Hands,
    address: str,
    empty: Path,
    proof: Path,
    truth: Layout,
    title: str,
    meanwhile: Callable[[Page], None] = lambda page: None,
) -> Stopwatch:
    """Add the board of a photograph, set right what differs from its truth, try it, use it.

    `meanwhile` is done, and not counted, once the proposal is there.
    """
    page, watch = hands.page, Stopwatch()
    page.goto(f"{address}/my-boards")
    with page.expect_event("load"):
        hands.tap(".thumb .primary")
    _send(hands, watch, empty)
    page.wait_for_selector("#editor[data-ready=yes]", timeout=LONGEST_MS)
    meanwhile(page)
    _type_size(hands, watch, truth)
    _drag_circles(hands, watch, truth)
    _type_numbers(hands, watch, truth)
    answer_doubts(hands)
    _kept(page)
    hands.show(f"board-{title}-editor")
    hands.tap("#onward")
    page.wait_for_url("**/trial")
    _send(hands, watch, proof)
    page.wait_for_selector(".proof", timeout=LONGEST_MS)
    hands.show(f"board-{title}-proof")
    page.fill("#board-title", title)
    watch.typed += 1
    with page.expect_event("load"):
        hands.tap(".thumb .primary")
    watch.taps = hands.taps + CAMERA * watch.photographs
    return watch


def _send(hands: Hands, watch: Stopwatch, photograph: Path) -> None:
    hands.page.locator("input[data-send]").last.set_input_files(photograph)
    hands.taps += 1
    watch.photographs += 1


def take_tool(hands: Hands, name: str) -> None:
    """Take one of the editor's tools in hand."""
    chooser = hands.page.locator(f".editor-tools label:has([value={name}])")
    chooser.scroll_into_view_if_needed()
    hands.tap(chooser)


def _type(hands: Hands, watch: Stopwatch, panel: str, number: int, value: float) -> None:
    field = hands.page.locator(f"{panel} input").nth(number)
    if field.input_value() and float(field.input_value()) == value:
        return
    field.fill(f"{value:g}")
    field.press("Enter")
    watch.typed += 1


def _type_size(hands: Hands, watch: Stopwatch, truth: Layout) -> None:
    take_tool(hands, "size")
    radius = next(iter(truth.spaces.values())).radius
    for number, value in enumerate((*truth.size_mm, 2 * radius)):
        _type(hands, watch, "#tool-panel", number, round(value, 1))


def _drag_circles(hands: Hands, watch: Stopwatch, truth: Layout) -> None:
    page = hands.page
    right = {name: shape.at for name, shape in truth.spaces.items()}
    for track, slots in truth.tracks.items():
        right |= {f"{track}/{slot}": shape.at for slot, shape in enumerate(slots)}
    drawn = circles(page)
    assert drawn.keys() == right.keys(), "a square was invented, or not found"
    far = {one: at for one, at in right.items() if dist(drawn[one], at) > TOLERANCE_MM}
    if far:
        take_tool(hands, "places")
    for one, at in far.items():
        drag(page, drawn[one], at)
        watch.drags += 1


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag what lies at a point of the board, in mm, to another one."""
    page.mouse.move(*_on_screen(page, begin))
    page.mouse.down()
    page.mouse.move(*_on_screen(page, end), steps=4)
    page.mouse.up()


def _type_numbers(hands: Hands, watch: Stopwatch, truth: Layout) -> None:
    take_tool(hands, "track")
    for number, value in enumerate((*truth.board.track.points, truth.board.track.full)):
        _type(hands, watch, "#row-panel", number, value)


def answer_doubts(hands: Hands) -> None:
    """What is doubtful still is right, as it was set right."""
    if hands.page.locator("#doubts").is_visible():
        hands.tap("#doubts")
    while hands.page.locator("#doubt").is_visible():
        hands.tap("#doubt-right")


def circles(page: Page) -> Mapping[str, tuple[float, float]]:
    """Where each circle is drawn, in mm."""
    found: Any = page.evaluate(
        "[...document.querySelectorAll('[data-place]')].map((place) => [place.dataset.place,"
        " ...['cx', 'cy'].map((key) => Number(place.querySelector('.rim').getAttribute(key)))])"
    )
    return {one: (x, y) for one, x, y in found}


def _on_screen(page: Page, at: tuple[float, float]) -> tuple[float, float]:
    """A point of the board, in mm, on the screen."""
    x, y = page.evaluate(
        "([x, y]) => { const svg = document.getElementById('drawn-board');"
        " svg.scrollIntoView({ block: 'nearest' });"
        " const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());"
        " return [at.x, at.y]; }",
        list(at),
    )
    return x, y


def _kept(page: Page) -> None:
    """Wait until the last change is kept."""
    expect(page.locator("#saved")).to_have_text("Saved")
    page.wait_for_selector("#right", state="visible")
