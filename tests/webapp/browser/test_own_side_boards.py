"""The box's cluster board comes into the companion in a browser, and a setup is photographed."""

from pathlib import Path

import cv2
import pytest
from playwright.sync_api import expect

from calibration import load_profile
from calibration.side_boards import pattern
from tests.conftest import in_ci
from tests.side_boards import LAMP, own_print, photographed
from tests.webapp.browser.adding_board import LONGEST_MS, answer_doubts
from tests.webapp.browser.conftest import OpenContext, ServeTable, hands_at
from webapp.app.reading.photograph_reader import PhotographReader

KIND = "nebula/cluster_board"
COLOURS = ("red", "purple", "yellow", "white", "blue", "orange", "black")


@in_ci
@pytest.mark.usefixtures("own_home")
def test_a_cluster_board_is_added_and_a_setup_checked(
    open_context: OpenContext, serve_table: ServeTable, tmp_path: Path
) -> None:
    box = own_print(pattern(KIND))
    stars = {at: COLOURS[number % 7] for number, at in enumerate([*box.places][1:])}
    files = {"empty": {}, "proof": dict([*stars.items()][:7]), "setup": stars}
    for name, pieces in files.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), photographed(box, pieces, LAMP))
    table = serve_table(PhotographReader(), tmp_path / "data")
    hands = hands_at("phone", open_context, base_url=table.address)
    page = hands.page
    page.goto(f"{table.address}/my-boards/add")
    page.locator(f"label:has([value='{KIND}'])").tap()
    hands.show("side-board-add")
    page.locator("input[data-send]").last.set_input_files(tmp_path / "empty.png")
    page.wait_for_selector("#editor[data-ready=yes]", timeout=LONGEST_MS)
    hands.show("side-board-found")
    assert page.locator(".editor-place").count() == len(box.places)
    page.locator("label:has([value=size])").tap()
    for label, side in zip(("Width, mm", "Height, mm"), box.size_mm, strict=True):
        page.get_by_label(label).fill(f"{side:.1f}")
        page.keyboard.press("Enter")
    answer_doubts(hands)
    expect(page.locator("#right")).to_be_visible()
    hands.show("side-board-complete")
    expect(page.locator("#saved")).to_have_text("Saved")
    hands.tap("#onward")
    page.wait_for_url("**/trial")
    page.locator("input[data-send]").last.set_input_files(tmp_path / "proof.png")
    page.wait_for_selector(".proof", timeout=LONGEST_MS)
    hands.show("side-board-proof")
    page.fill("#board-title", "The box")
    with page.expect_event("load"):
        hands.tap(".thumb .primary")
    hands.show("side-board-listed")
    assert load_profile("the-box").layout.kind == "cluster_board"
    page.goto(f"{table.address}/table/nebula?players=2&mode=intro")
    page.locator("[data-sends]").set_input_files(tmp_path / "setup.png")
    page.wait_for_selector(".checked", timeout=LONGEST_MS)
    hands.show("side-board-setup")
    expect(page.locator(".checked").first).to_contain_text("Missing: star of a cluster")
