"""An invented edition comes into the companion in a real browser, from two photographs of it."""

from math import dist
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from calibration import load_profile
from tests.webapp.browser.adding_board import TOLERANCE_MM, add_board, circles, drag
from tests.webapp.browser.conftest import Hands, OpenContext, ServeTable, _hands
from tests.webapp.browser.invented import invented_board
from webapp.photograph_reader import PhotographReader

MOST_SECONDS = 180.0


def test_an_invented_edition_is_added_and_reads_the_next_photograph(
    open_context: OpenContext,
    serve_table: ServeTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    made = invented_board(7, 0)
    empty, proof = tmp_path / "empty.jpg", tmp_path / "proof.jpg"
    cv2.imwrite(str(empty), made.empty)
    cv2.imwrite(str(proof), made.proof)
    table = serve_table(PhotographReader(), tmp_path / "data")
    hands: Hands = _hands(open_context, "phone", base_url=table.address)
    watch = add_board(
        hands, table.address, empty, proof, made.edition.layout, "invented", knock_a_circle_off
    )
    print(watch)
    assert watch.person_seconds < MOST_SECONDS
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
    expect(page.locator("#problems li").first).to_contain_text("overlaps")
    expect(page.locator("#onward")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#loupe")).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator("#right")).to_be_visible()
    assert circles(page) == before
    page.reload()
    page.wait_for_selector("#editor[data-ready=yes]")
    assert circles(page) == before
