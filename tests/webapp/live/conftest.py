"""A server whose cameras tell in words what they see."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.conftest import Player, game_at, reads_nothing
from tests.webapp.live.fake_frame_worker import FakeFrameWorker
from tests.webapp.polaris_skies import CARDS as OBJECTIVES
from tests.webapp.polaris_skies import COLOURS, NAMES
from webapp.app.live import camera_worker, log
from webapp.app.live.service import LiveService
from webapp.app.settings import Settings
from webapp.web.application import create_app

ARIES = {"ar1": "red", "ar2": "blue", "ar3": "white", "ar4": "blue", "ar5": "red", "ar6": "white"}
CARDS = {"career": "V1,V7,V12,V17", "advanced": "B3,B16,B20,B24"}


def eventually(holds: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait until something holds, and return it."""
    deadline, pause = time.monotonic() + seconds, 0.01
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(pause)
        pause = min(1.3 * pause, 0.15)  # asking takes time from what is waited for
    raise AssertionError("it does not come to hold")


class Table:
    """A server, one game on it, and somebody at it."""

    def __init__(self, app: Flask, game: str = "") -> None:
        self.app = app
        self.player = Player(app.test_client())
        self.game = game or self._new_game()
        self.id = self.game.rsplit("/", 1)[1]

    def _new_game(self) -> str:
        game = self.player.new_game("Ana", "Luis")
        assert self.player.post(f"{game}/nebula/cards", CARDS).status_code == 303
        return game

    @property
    def service(self) -> LiveService:
        """What live pages work with."""
        found: LiveService = self.app.extensions["stargazer live"]
        return found

    def see(self, **event: Any) -> None:
        """Let a camera see something, without a worker."""
        self.service.record(self.id, "cam", [{"t": 0.0, "board": 0, **event}])

    def place(self, board: int, stars: dict[str, str]) -> None:
        """Let a camera see stars placed."""
        for space, star in stars.items():
            self.see(board=board, kind="placed", space=space, star=star)

    def tap(self, path: str, /, **form: Any) -> int:
        """Send a tap; return the answer's code."""
        headers = {"X-Partial": "1"}
        return self.player.post(f"{self.game}/live/{path}", form, headers=headers).status_code

    def confirm_boards(self, boards: int) -> TestResponse:
        """Look at each board and find it right; the last answer."""
        for number in range(boards):
            review = f"{self.game}/players/{number}/review"
            assert self.player.get(review).status_code == 200
            answer = self.player.post(review)
            assert answer.status_code == 303, answer.text
        return answer

    def page(self, query: str = "") -> str:
        """The part of the page that changes."""
        answer = self.player.get(f"{self.game}/live/table{query}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def stars(self, seat: int = 0) -> dict[str, str]:
        """What lies on a player's board."""
        game = self.app.extensions["stargazer"].games.open(self.id)
        return dict(self.service.table(game).positions[seat].stars)

    def seen_events(self) -> list[str]:
        """What cameras told, in the order in which it was written."""
        events = [e.data["event"] for e in self.service.log.entries(self.id) if e.kind == "seen"]
        return [f"{e['kind']} {e.get('star', '')} {e.get('space', '')}" for e in events]


def push(table: Table, data: bytes, camera: str = "ana") -> tuple[int, dict[str, object]]:
    """Send a frame as a phone does; the answer's code and what it says."""
    answer = table.player.client.post(
        f"{table.game}/live/frames?camera={camera}",
        base_url="http://127.0.0.1:8765",
        data=data,
        content_type="image/jpeg",
        headers={"X-CSRFToken": table.player.token(), "X-Partial": "1"},
    )
    return answer.status_code, answer.get_json()


def push_until_taken(table: Table, data: bytes) -> None:
    """Send a frame until there is room for it, as a phone does."""
    eventually(lambda: push(table, data)[0] == 202)


def state(table: Table) -> str:
    (status,) = table.service.workers.of(table.id)
    return status.state


def worker(table: Table) -> int | None:
    (status,) = table.service.workers.of(table.id)
    return table.service.workers.pid(table.id, status.camera.name)


@pytest.fixture(autouse=True)
def patient_with_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not lose a camera whose next frame is late because the machine is busy."""
    monkeypatch.setattr(camera_worker, "LOST_AFTER", 60.0)


@pytest.fixture
def serve(tmp_path: Path, database_url: str) -> Iterator[Callable[..., Flask]]:
    """Start a server's application; the same data each time."""
    made: list[Flask] = []

    def start(**more: Any) -> Flask:
        more = {"database_url": database_url, **more}
        settings = Settings(data_dir=tmp_path / "data", rate_limits=False, **more)
        app = create_app(settings, reads_nothing, FakeFrameWorker)
        made.append(app)
        return app

    yield start
    for app in made:
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].reading_queue.close()
        app.extensions["stargazer"].games.close()


@pytest.fixture
def table(serve: Callable[[], Flask]) -> Table:
    """A table with two players and the cards laid."""
    return Table(serve())


def seconds_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each entry be written some seconds after the one before: pieces do not come at once."""
    clock = iter(datetime(2026, 1, 1) + timedelta(seconds=2 * n) for n in range(10_000))
    monkeypatch.setattr(log, "now", lambda: next(clock))


class SkyTable(Table):
    """Four players at a sky of Polaris, the five cards chosen."""

    def _new_game(self) -> str:
        return self.begin(NAMES)

    def begin(self, names: tuple[str, ...], mode: str = "phases") -> str:
        """Begin a game live from its first page."""
        form = {"game": "polaris", "count": str(len(names)), "mode": mode, "live": "yes"}
        for seat, (name, colour) in enumerate(zip(names, COLOURS, strict=False)):
            form |= {f"name-{seat}": name, f"marker-{seat}": colour}
        answer = self.player.post("/games/new", form)
        assert answer.headers["Location"].endswith("/live"), answer.text
        game = game_at(answer.headers["Location"])
        if mode == "phases":
            self.player.post(f"{game}/polaris/objectives", {"common": ",".join(OBJECTIVES)})
        return game

    def lay(self, *pieces: str, **more: Any) -> None:
        """Let the camera see stars, as `space=colour`, and links, by their ids."""
        for piece in pieces:
            place, _, colour = piece.partition("=")
            self.see(kind="placed", space=place, star=colour or "link", **more)

    def face(self, sector: int) -> None:
        """Let the camera see where the New Moon is."""
        self.see(kind="placed", space=str(sector), star="new_moon")

    def document(self) -> dict[str, Any]:
        """The game as it is saved."""
        return dict(self.app.extensions["stargazer"].games.open(self.id).document)


@pytest.fixture(scope="module")
def skies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One server for all: each test has a game of its own."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("skies"), rate_limits=False)
    app = create_app(settings, reads_nothing, FakeFrameWorker)
    yield app
    app.extensions["stargazer live"].close()
    app.extensions["stargazer"].reading_queue.close()


@pytest.fixture
def sky(skies: Flask, monkeypatch: pytest.MonkeyPatch) -> SkyTable:
    """Four players at a sky, each piece seconds after the one before."""
    seconds_apart(monkeypatch)
    return SkyTable(skies)
