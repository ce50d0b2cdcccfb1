"""One photograph of the whole table: its boards, and what lies beside them, as a test says."""

import io
import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import STARS, MakeApp, Player, TellingReader, jpeg, read_board

Card = dict[str, Any]
WHOSE = "Whose is the marked board?"
DEMO = Path(__file__).parents[3] / "webapp/demo/truth.json"
LEFT, RIGHT = ([[x, 0], [x + 300, 0], [x + 300, 360], [x, 360]] for x in (0, 500))
OTHER = {**STARS, "ar4": "purple", "ta1": "yellow"}
TRACKS = {
    "values.colours": {"order": ["red", "blue"], "certain": True},
    "values.constellations": {"order": [], "certain": True},
    "values.advanced": {"order": ["II"], "certain": True},
}


def card(name: str, x: float, y: float, confidence: float = 0.99, **alternatives: float) -> Card:
    corners = [[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]]
    return {
        "card": name,
        "confidence": confidence,
        "corners": corners,
        "alternatives": alternatives,
    }


PUBLIC = [
    card(name, 60 * number, 500) for number, name in enumerate(("V5", "V7", "V12", "V17"))
] + [card(name, 60 * number, 600) for number, name in enumerate(("B3", "B16", "B20", "B24"))]
OWN = [card("O1", 320, 100), card("O2", 450, 100)]


class FakeTableReader:
    """Stands in for `read_table`: the cards and tracks beside the boards are those a test sets."""

    def __init__(self) -> None:
        self.cards: Sequence[Card] = [*PUBLIC, *OWN]
        self.tracks: Mapping[str, Any] = TRACKS
        self.points: Mapping[str, Any] = {}
        self.questions: list[Collection[str]] = []
        self.is_free = Event()
        self.is_free.set()
        self.problem: Exception | None = None
        self.areas: list[Sequence[Any]] = []

    def __call__(
        self,
        path: Path,
        profile: str,
        boards: Sequence[Any],
        questions: Collection[str],
        players: Collection[str],
    ) -> dict[str, Any]:
        self.areas.append(boards)
        self.questions.append(questions)
        assert self.is_free.wait(60)
        if self.problem:
            raise self.problem
        return {"cards": list(self.cards), "tracks": self.tracks, "points": self.points}


@pytest.fixture
def table_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeTableReader]:
    table = FakeTableReader()
    monkeypatch.setattr("webapp.web.application.read_table", table)
    yield table
    table.is_free.set()


@pytest.fixture
def app(table_reader: FakeTableReader, make_app: MakeApp, reader: TellingReader) -> Flask:
    boards: list[Mapping[str, Any]] = [
        {**read_board(stars, doubtful=""), "corners": corners, "flags": []}
        for stars, corners in ((STARS, LEFT), (OTHER, RIGHT))
    ]
    reader.boards = boards
    return make_app(rate_limits=False)


@pytest.fixture
def game(player: Player) -> str:
    return player.new_game("Ana", "Luis")


def send(player: Player, game: str) -> str:
    """Send a photograph of the table, and wait until it is read; the page that shows it."""
    sent = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes"}
    answer = player.post(f"{game}/photographs", sent)
    assert answer.headers["Location"] == f"{game}/table"
    player.wait_for_reading(game)
    return player.get(f"{game}/table").text


def send_busy(player: Player, game: str, table_reader: FakeTableReader) -> str:
    """Send one, and wait until its boards are read and what is beside them is begun."""
    table_reader.is_free.clear()
    begun = len(table_reader.areas)
    player.post(f"{game}/photographs", {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes"})
    while len(table_reader.areas) == begun:
        time.sleep(0.01)
    assert player.get(f"{game}/table/progress").json == {"state": "partly"}
    return player.get(f"{game}/table").text


def photograph(player: Player, game: str) -> str:
    """Send a photograph of the table whose boards lie in the players' order, and say so."""
    page = send(player, game)
    while WHOSE in page:
        page = name_owner(player, game, page, names_offered(page)[0])
    return page


def names_offered(page: str) -> list[str]:
    """Whose the marked board may be."""
    return re.findall(r'/players/\d+/board">.*?<span>(\w+)</span></button>', page, re.DOTALL)


def name_owner(player: Player, game: str, page: str, name: str) -> str:
    """Say whose the marked board is; the page that follows."""
    board = re.search(r'name="board" value="([^"]+)"', page)
    places = re.findall(r'formaction="([^"]+/board)"', page)
    place = dict(zip(names_offered(page), places, strict=True))[name]
    assert board
    answer = player.post(place, {"board": board[1], "back": f"{game}/table"})
    assert answer.headers["Location"] == f"{game}/table"
    return player.get(f"{game}/table").text


def asked(page: str) -> list[str]:
    """The fields of what is asked on the page."""
    return list(dict.fromkeys(re.findall(r'type="radio" form="step" name="([^"]+)"', page)))
