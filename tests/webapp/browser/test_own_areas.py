"""An own print of a board of areas comes into the companion in a browser."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from calibration import Profile, load_profile
from scorer.places import Place, counted, in_region
from tests.conftest import in_ci
from tests.games.conftest import toy_known
from tests.games.photographs import photographed
from tests.webapp.browser.adding_board import LONGEST_MS, answer_doubts, drag
from tests.webapp.browser.conftest import OpenContext, ServeTable, hands_at
from webapp.app.reading.photograph_reader import PhotographReader

PULLED_MM = 6.0
ORCHARD = {
    **in_region("w1", {"plum": 1, "pear": 1}),
    **in_region("w4", {"quince": 2}),
    Place("g1-g2", "edge"): "red",
}
BOARDS: Mapping[str, tuple[str, Mapping[Place, str]]] = {
    "orchard/standard": ("w4", ORCHARD),
    "via_nebula/standard": ("A1", {Place("B2", "region"): "tile", Place("E5", "region"): "tile"}),
    "ptolemaeus/standard": ("leo", in_region("gemini", {"red": 1})),
}


def own_print(profile: Profile) -> Profile:
    """The same drawing in other colours."""
    hue, saturation, value = cv2.split(cv2.cvtColor(profile.require_reference(), cv2.COLOR_BGR2HSV))
    hue = ((hue.astype(int) + 40) % 180).astype(np.uint8)
    mixed = cv2.merge([hue, (saturation * 0.6).astype(np.uint8), value])
    return replace(profile, reference=np.asarray(cv2.cvtColor(mixed, cv2.COLOR_HSV2BGR), np.uint8))


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Iterator[str]:
    with toy_known() if "orchard" in request.param else nullcontext():
        yield request.param


@in_ci
@pytest.mark.usefixtures("own_home")
def test_an_own_print_of_areas_is_added_and_reads_the_next_photograph(
    board: str, open_context: OpenContext, serve_table: ServeTable, tmp_path: Path
) -> None:
    area, pieces = BOARDS[board]
    known = load_profile(board)
    mine = own_print(known)
    empty, proof = tmp_path / "empty.png", tmp_path / "proof.png"
    cv2.imwrite(str(empty), photographed(mine, {}))
    cv2.imwrite(str(proof), photographed(mine, pieces))
    table = serve_table(PhotographReader(), tmp_path / "data")
    hands = hands_at("phone", open_context, base_url=table.address)
    page = hands.page

    page.goto(f"{table.address}/my-boards/add")
    page.locator(f"label:has([value='{board}'])").tap()
    page.locator("input[data-send]").last.set_input_files(empty)
    page.wait_for_selector("#editor[data-ready=yes]", timeout=LONGEST_MS)
    hands.show(f"areas-{known.layout.game}-found")
    assert page.locator(".editor-place.area").count() == sum(
        place.kind != "spot" for place in known.places
    )

    shape = known.places[Place(area, "region")]
    other = next(at for at in known.places if at.kind == "region" and at.id != area)
    drag(page, shape.at, known.places[other].at)
    expect(page.locator("#problems")).not_to_be_empty()
    page.locator("#undo").click()
    expect(page.locator("#problems")).to_be_empty()
    begin, end = pulled_in(known, area)
    page.locator(f"[data-place='{area}'] text").tap(force=True)
    hands.show(f"areas-{known.layout.game}-chosen")
    drag(page, begin, end)
    answer_doubts(hands)
    expect(page.locator("#right")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("Saved")
    hands.tap("#onward")
    page.wait_for_url("**/trial")
    page.locator("input[data-send]").last.set_input_files(proof)
    page.wait_for_selector(".proof", timeout=LONGEST_MS)
    hands.show(f"areas-{known.layout.game}-proof")
    expect(page.locator(".proof .held")).to_have_count(held(pieces))
    page.fill("#board-title", "Mine")
    with page.expect_event("load"):
        hands.tap(".thumb .primary")

    added = load_profile("mine")
    assert added.places.keys() == known.places.keys() and added.board == known.board
    corner = min(added.places[Place(area, "region")].outline, key=lambda at: distance(at, end))
    assert distance(corner, end) < 1.0
    (read,) = PhotographReader()(proof, "proof", ["mine"]).reading["boards"]
    asked = {place for flag in read["flags"] for place in flag.get("spaces", ())}
    shown = {id: one["pieces"] for id, one in read["regions"].items() if one["pieces"]}
    lying = {at.id: dict(counted(pieces, at.id)) for at in pieces if at.kind == "region"}
    differ = {id for id in shown.keys() | lying.keys() if shown.get(id) != lying.get(id)}
    assert differ <= asked and len(asked) < 6, (shown, asked)


def pulled_in(profile: Profile, area: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """A corner of an area, and where it is some mm nearer to its middle."""
    shape = profile.places[Place(area, "region")]
    corner = shape.outline[0]
    away = distance(corner, shape.at)
    x, y = (a + (b - a) * PULLED_MM / away for a, b in zip(corner, shape.at, strict=True))
    return corner, (x, y)


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def held(pieces: Mapping[Place, str]) -> int:
    """How many discs are drawn: one for each kind in each region."""
    return len({(at.id, piece) for at, piece in pieces.items() if at.kind == "region"})
