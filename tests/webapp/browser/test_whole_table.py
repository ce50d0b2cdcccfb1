"""A finished game of two from one photograph: taps from the first page to the winner."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Event
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from calibration import load_profile
from calibration.artwork import draw_board
from calibration.cards import Card, card_artwork
from scorer.nebula.card import CARDS
from tests.conftest import in_ci
from tests.webapp.browser.conftest import ANAS, LUISES, OpenContext, ServeTable, hands_at
from tests.webapp.conftest import read_board
from webapp.app.reading import card_jobs
from webapp.app.reading.photograph_reader import jpeg, shrunk
from webapp.app.reading.reading_queue import ReadPhotograph
from webapp.games.nebula import card_pictures

PUBLIC = ("V5", "V7", "V12", "V17", "B3", "B16", "B20", "B24")
OWN = ("O1", "O3")
MOST_TAPS = 8
"""From opening the app to the winner; typing is no tap."""
CAMERA = 2
"""The taps in the phone's own camera: the shutter, and "use it"."""
BOARD_PX = (480, 576)
BOARDS_AT = ((30, 30), (1090, 30))
TRACKS = {
    "values.colours": {"order": ["red", "blue"], "certain": True},
    "values.constellations": {"order": ["aries"], "certain": True},
    "values.advanced": {"order": ["II"], "certain": True},
}


def printed(card: str) -> Card:
    picture = card_pictures.draw(CARDS[card], load_profile("standard"))
    return Card(card, card, "", (), "", picture, "#ffffff")


def lay(table: np.ndarray, card: str, at: tuple[int, int]) -> None:
    x, y = at
    table[y : y + 190, x : x + 120] = 250
    table[y + 15 : y + 111, x + 12 : x + 108] = card_artwork(printed(card), 96)


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boards, each with its player's own card beside it, and eight cards in two rows."""
    table = np.full((1200, 1600, 3), (70, 95, 115), np.uint8)
    board = cv2.resize(draw_board(load_profile("standard"), 3.0), BOARD_PX)
    for x, y in BOARDS_AT:
        table[y : y + BOARD_PX[1], x : x + BOARD_PX[0]] = board
    for card, x in zip(OWN, (560, 930), strict=True):
        lay(table, card, (x, 200))
    for number, card in enumerate(PUBLIC):
        lay(table, card, (300 + 250 * (number % 4), 680 + 250 * (number // 4)))
    path = tmp_path_factory.mktemp("table") / "table.jpg"
    cv2.imwrite(str(path), table)
    return path


class TableReader:
    """Reads both boards where they lie; one space of Ana's is doubtful."""

    def __call__(self, path: Path, name: str, *_asked: Any) -> ReadPhotograph:
        image = cv2.imread(str(path))
        boards: list[Mapping[str, Any]] = []
        pictures = []
        for (x, y), stars, doubtful in zip(BOARDS_AT, (ANAS, LUISES), ("ar3", ""), strict=True):
            (width, height), read = BOARD_PX, read_board(stars, 4, doubtful)
            corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
            flags = read["flags"] if doubtful else []
            boards.append({**read, "corners": corners, "flags": flags})
            pictures.append(jpeg(image[y : y + height, x : x + width]))
        size = [image.shape[1], image.shape[0]]
        reading = {"format": 1, "photo": name, "size": size, "boards": boards, "timing_ms": {}}
        return ReadPhotograph(reading, jpeg(shrunk(image)), tuple(pictures))


@pytest.fixture
def few_cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deck of the cards that lie there: drawing a whole one takes seconds."""
    cards = [printed(card) for card in (*PUBLIC, *OWN)]
    monkeypatch.setattr("webapp.games.nebula.pages.NebulaPages.cards", lambda *_: cards)
    monkeypatch.setattr(card_jobs, "sheet_readers", lambda *_: {})
    card_jobs.printed_deck.cache_clear()
    yield
    card_jobs.printed_deck.cache_clear()


@in_ci
@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.usefixtures("few_cards")
def test_a_finished_game_of_two_takes_eight_taps(
    device: str,
    open_context: OpenContext,
    serve_table: ServeTable,
    photograph: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, is_reviewed = card_jobs.read_table, Event()

    def read_later(*asked: Any) -> dict[str, Any]:
        assert is_reviewed.wait(60)
        return {**read(*asked), "tracks": TRACKS}

    monkeypatch.setattr("webapp.web.application.read_table", read_later)
    table = serve_table(TableReader(), tmp_path)
    hands = hands_at(device, open_context, base_url=table.address)
    page = hands.page
    page.goto("/")
    hands.tap("#name-0")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.keyboard.type("Luis")
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    hands.show(f"{device}-table-1-cards")
    with page.expect_file_chooser() as chooser:
        hands.tap(".whole-table label.taker")
    chooser.value.set_files(photograph)
    expect(page.locator("#whose polygon.asked")).to_have_count(1)
    hands.show(f"{device}-table-1-whose")
    hands.onward('#whose button[value="0"]')
    expect(page.locator("#question-message")).to_contain_text("What is on a space of Aries")
    hands.show(f"{device}-table-2-doubt")
    with page.expect_event("load"):
        hands.tap("#answer-1")
    expect(page.locator("#question-message")).to_have_count(0)
    expect(page.locator("#table-waiting")).to_be_visible()
    expect(page.locator(".table-photograph polygon")).to_have_count(2)
    expect(page.locator(".thumb .primary")).to_have_count(0)
    is_reviewed.set()
    expect(page.locator(".table-photograph polygon")).to_have_count(12)
    hands.show(f"{device}-table-3-review")
    hands.next()
    hands.show(f"{device}-table-4-next")
    for contested in page.locator(".career:has(.contested)").all():
        hands.tap(contested.locator("[value=first]").first)
    if page.url.endswith("/markers"):
        hands.next()
    expect(page.locator(".standing")).to_have_count(2)
    hands.show(f"{device}-table-5-winner")
    in_camera = CAMERA if hands.touch else 0
    print(f"\n{device}: {hands.taps} taps, {in_camera} more in the camera")
    assert hands.taps + in_camera <= MOST_TAPS
