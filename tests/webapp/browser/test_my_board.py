"""An invented edition comes into the companion in a real browser, from two photographs of it."""

from math import dist
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from calibration import load_profile
from tests.conftest import in_ci
from tests.webapp.browser.adding_board import TOLERANCE_MM, add_board, circles, drag, take_tool
from tests.webapp.browser.conftest import Hands, OpenContext, ServeTable, Table, hands_at
from tests.webapp.browser.invented import invented_board
from webapp.app.reading.photograph_reader import PhotographReader

MOST_SECONDS = 180.0


@pytest.mark.usefixtures("own_home")
@in_ci
def test_an_invented_edition_is_added_and_reads_the_next_photograph(
    open_context: OpenContext, serve_table: ServeTable, tmp_path: Path
) -> None:
    made = invented_board(7, 0)
    empty, proof = tmp_path / "empty.jpg", tmp_path / "proof.jpg"
    cv2.imwrite(str(empty), made.empty)
    cv2.imwrite(str(proof), made.proof)
    table = serve_table(PhotographReader(), tmp_path / "data")
    hands = hands_at("phone", open_context, base_url=table.address)
    watch = add_board(
        hands, table.address, empty, proof, made.edition.layout, "invented", knock_a_circle_off
    )
    assert watch.person_seconds < MOST_SECONDS, watch
    added = load_profile("invented")
    for name, shape in made.edition.layout.spaces.items():
        assert dist(added.spaces[name].at, shape.at) < TOLERANCE_MM + 0.5, name
    assert added.board.links == made.edition.board.links
    assert added.board.track == made.edition.board.track
    reading = PhotographReader()(proof, "proof", ["invented"]).reading["boards"][0]
    read = {name: one["star"] for name, one in reading["spaces"].items() if one["star"]}
    spots = {place.id: star for place, star in made.pieces.items() if place.kind == "spot"}
    covered = {
        space for flag in reading["flags"] if flag["kind"] == "hidden" for space in flag["spaces"]
    }
    assert read == {space: star for space, star in spots.items() if space not in covered}
    assert len(read) >= 5, "a hand may lie over some"


def knock_a_circle_off(page: Page) -> None:
    """Drag a circle onto another: that is told while drawing, and taken back with one tap."""
    before = circles(page)
    drag(page, before["ar1"], before["core"])
    expect(page.locator("#problems")).to_contain_text("overlaps")
    expect(page.locator("#onward")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#loupe")).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator("#problems")).not_to_contain_text("overlaps")
    assert circles(page) == before
    page.reload()
    page.wait_for_selector("#editor[data-ready=yes]")
    assert circles(page) == before


DOUBTS = ["size_mm", "ar1-ar2", "black/8", "black/numbers"]
NUMBERS = [0, 1, 3, 5, 8, 11, 14, 18, 22, 27]


@in_ci
@pytest.mark.usefixtures("own_home")
def test_a_board_is_complete_once_every_doubt_is_answered(table: Table, hands: Hands) -> None:
    """Nine squares are printed; one that is not there is deleted, brought back, deleted."""
    drafts, page = table.app.extensions["stargazer"].drafts, hands.page
    draft = drafts.add_from("standard", changes=False)
    row = {**draft.layout["black_track"], "points": [None] * 10, "full": None}
    drafts.save(draft.id, {**draft.layout, "black_track": row}, DOUBTS)
    page.goto(f"{table.address}/my-boards/drafts/{draft.id}")
    page.wait_for_selector("#editor[data-ready=yes]")

    hands.tap("#doubts")
    hands.tap("#doubt-next")
    expect(page.locator("#doubt-text")).to_contain_text("The line from Aries 1 to Aries 2")
    page.reload()
    page.wait_for_selector("#editor[data-ready=yes]")
    expect(page.locator("#doubts-count")).to_have_text("4")

    take_tool(hands, "size")
    width, height = page.locator("#tool-panel input").all()[:2]
    for field, value in ((width, "210"), (height, "250")):
        hands.tap(field)
        page.keyboard.type(value)
    page.keyboard.press("Tab")
    expect(width).to_have_value("210")
    expect(height).to_have_value("250")
    expect(page.locator("#doubts-count")).to_have_text("3")

    take_tool(hands, "track")
    fields = page.locator("#row-panel input")
    hands.tap(fields.nth(8))
    hands.tap("#delete-slot")
    expect(fields).to_have_count(10)  # nine squares, and what a full track gives
    expect(page.locator("#doubts-count")).to_have_text("2")
    hands.tap("#undo")
    expect(fields).to_have_count(11)
    expect(page.locator("#doubts-count")).to_have_text("3")
    hands.tap("#redo")
    expect(fields).to_have_count(10)
    row_shown, strip = page.locator("[data-place='black/0'] .rim"), page.locator("#row-panel")
    expect(row_shown).to_be_in_viewport()
    expect(strip).to_be_in_viewport(ratio=0.9)
    for number, value in enumerate([*NUMBERS[:6], 145, *NUMBERS[7:]]):
        hands.tap(fields.nth(number))
        page.keyboard.type(str(value))
    hands.tap(fields.nth(6))
    page.keyboard.type("14")
    page.keyboard.press("Tab")
    assert [int(field.input_value()) for field in fields.all()] == NUMBERS
    expect(page.locator("#problems li")).to_have_count(0)
    expect(page.locator("#right")).to_be_hidden()

    hands.tap("#doubts")
    hands.tap("#doubt-right")
    expect(page.locator("#right")).to_be_hidden()
    hands.tap("#doubt-right")
    expect(page.locator("#right")).to_be_visible()
    expect(page.locator("#doubt")).to_be_hidden()
    hands.onward("#onward")
    kept = drafts.get(draft.id)
    assert kept.doubtful == [] and kept.layout["size_mm"] == [210, 250]
    assert kept.layout["black_track"]["points"] == NUMBERS[:-1]
    assert len(kept.layout["black_track"]["at"]) == 9
