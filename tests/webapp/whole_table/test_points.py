"""Markers on a points track in a photograph of the whole table."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration import load_profile
from calibration.artwork import token_sheets
from tests.conftest import in_ci
from tests.side_boards import CORNERS, SIZE_PX, seen_in, with_markers
from tests.webapp.conftest import MakeApp, Player, TellingReader, document_of
from tests.webapp.polaris_skies import LINKS, STARS, read_sky
from tests.webapp.test_polaris_pages import begin
from tests.webapp.whole_table.conftest import FakeTableReader, card, send
from webapp.app.reading.card_jobs import read_table

SHEET = [[300, 300], [400, 300], [400, 450], [300, 450]]


@pytest.fixture
def app(table_reader: FakeTableReader, make_app: MakeApp, reader: TellingReader) -> Flask:
    reader.boards = [read_sky(STARS, LINKS)]
    return make_app(rate_limits=False)


def stock(player: Player, game: str) -> str:
    """The page of what is left at the end, with everything before it confirmed."""
    assert player.post(f"{game}/players/0/review").status_code == 303
    return player.get(f"{game}/polaris/stock").text


def test_the_points_that_a_photograph_shows_need_not_be_typed(
    player: Player, app: Flask, table_reader: FakeTableReader
) -> None:
    table_reader.points = {"score_marker": {"at": {"red": 64}, "corners": SHEET}}
    game = begin(player, "end", ("Ana", "Luis"))
    table_reader.cards = [card("full-B4", 10, 10, confidence=0.1)]
    page = send(player, game)
    assert "score_marker" in table_reader.questions[-1]
    assert "Which card is this?" not in page, "no question has it as an answer"
    row = page[page.index(f'href="{game}/polaris/stock"') :]
    assert "64" in row[: row.index("</li>")] and ">?</span>" in row[: row.index("</li>")]
    page = stock(player, game)
    typed = dict.fromkeys(("score_marker-0", "score_marker-1"))
    for name in typed:
        field = page[page.index(f'name="{name}"') :]
        typed[name] = field[field.index("value=") + 7 :].partition('"')[0]
    assert typed == {"score_marker-0": "64", "score_marker-1": ""}, "the other one is not certain"
    assert 'viewBox="297.0 297.0 106.0 156.0"' in page, "the sheet in the photograph"
    assert document_of(app, game)["players"][0]["score_marker"] is None, "nobody said so"
    sent = {"shooting-0": "1", "shooting-1": "0", "score_marker-0": "63"}
    assert player.post(f"{game}/polaris/stock", sent).status_code == 422
    player.post(f"{game}/polaris/stock", {**sent, "score_marker-1": "7"})
    kept = document_of(app, game)["players"]
    assert [own["score_marker"] for own in kept] == [63, 7]
    page = player.get(f"{game}/polaris/stock").text
    assert 'value="63"' in page and "viewBox=" not in page[page.index('id="step"') :]


def test_points_are_not_read_where_the_phases_count_them(
    player: Player, app: Flask, table_reader: FakeTableReader
) -> None:
    send(player, begin(player, "phases", ("Ana", "Luis")))
    assert table_reader.questions == [()]


@in_ci
def test_markers_are_read_with_their_backs_and_those_beneath_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.app.reading.card_jobs._cards_in", lambda *_: [])
    name, file = "polaris/standard", tmp_path / "table.jpg"
    (sheet,) = token_sheets(load_profile(name).layout)
    rng = np.random.default_rng(5)

    def photographed(**points: int) -> None:
        table = cv2.resize(rng.integers(50, 90, (40, 30, 3), np.uint8), SIZE_PX)
        cv2.imwrite(str(file), seen_in(table, with_markers(rng, sheet, points), CORNERS))

    def read(*players: str) -> object:
        found = read_table(file, name, (), {"score_marker"}, players)["points"]
        return found["score_marker"]["at"]

    photographed(red=21, blue=64, yellow=0)
    assert read("red", "yellow", "blue", "purple") == {"red": 21, "blue": 64, "yellow": 0}
    assert read_table(file, name, (), {"shooting"}, ("red",))["points"] == {}
    photographed(red=33, blue=33)
    assert read("red", "blue") == {"blue": 33}
