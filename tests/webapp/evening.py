"""A server that is open to the network, and the phones of those who play at it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.webapp.conftest import HERE, STARS, Player, TellingReader
from tests.webapp.every_form import Request, requests
from webapp.app.reading.read_photograph import UnusablePhotographError
from webapp.app.settings import Settings
from webapp.web.application import create_app

ANA, LUIS, EVA = range(3)
INVITATION = "open-sesame"


def read_nothing(*_job: object) -> None:
    raise UnusablePhotographError("failed", "no picture is looked at here")


def print_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let printed games be empty: they are the same for everybody, and take seconds to draw."""
    monkeypatch.setattr("webapp.web.pages.table_setup._pdf", lambda *_: b"%PDF")


class Evening:
    """A server, a game of three at it, and their phones; `guest` has a phone but no seat."""

    def __init__(self, folder: Path, database_url: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "session.key").write_bytes(b"of all evenings, for what follows from it")
        settings = Settings(folder, database_url, invitation=INVITATION, rate_limits=False)
        self.app = create_app(settings, TellingReader(), run_job=read_nothing)
        self.app.jinja_env.filters["moment"] = lambda _at: "MOMENT"  # evenings that are compared
        self.computer = Player(self.app.test_client())
        self.phones = [self.phone(number) for number in range(4)]
        self.ana, self.luis, self.eva, self.guest = self.phones
        self.game = self.luis.new_game("Ana", "Luis", "Eva")
        self.id = self.game.rsplit("/", 1)[1]

    def phone(self, number: int) -> Player:
        """A phone in the local network that has scanned the invitation."""
        client: FlaskClient = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = f"192.168.1.{20 + number}"
        phone = Player(client)
        assert phone.get(f"/join/{INVITATION}").status_code == 303
        return phone

    def enter(self, player: Player, seat: int, card: str) -> int:
        """Enter a hidden card at the live table; return the answer's code."""
        form = {"seat": seat, "card": card}
        headers = {"X-Partial": "1"}
        return player.post(f"{self.game}/live/personal", form, headers=headers).status_code

    def lay_open(self, player: Player, seat: int, card: str) -> int:
        """Confirm a card for the score; return the answer's code."""
        form = {"card": card}
        return player.post(f"{self.game}/nebula/players/{seat}/personal", form).status_code

    def lay_boards(self) -> None:
        """Lay the cards on the table and the stars, Ana's as a photograph sees them as well."""
        self.luis.lay_cards(self.game)
        self.luis.read_photograph(self.game, player=ANA)
        for number, (space, star) in enumerate(STARS.items()):
            event = {"t": number, "board": ANA, "kind": "placed", "space": space, "star": star}
            self.app.extensions["stargazer live"].record(self.id, "cam", [event])
        for board in (LUIS, EVA):
            core = {"t": 9, "board": board, "kind": "placed", "space": "core", "star": "blue"}
            self.app.extensions["stargazer live"].record(self.id, "cam", [core])

    def finish(self, player: Player) -> str:
        """End the game at the live table and review its boards; return where that leads."""
        answer = player.post(f"{self.game}/live/finish")
        assert answer.status_code == 303
        for seat in (ANA, LUIS, EVA):
            assert player.post(f"{self.game}/players/{seat}/review").status_code == 303
        where: str = player.get(self.game).headers["Location"]
        return where

    def requests(self, method: str) -> Iterator[Request]:
        """Everything that can be asked of this server by a method."""
        page = self.luis.get(f"{self.game}/photographs/list").text
        photographs = re.findall(r"photographs/(\w{16})/boards", page)
        return requests(self.app, self.id, photographs[0] if photographs else "0" * 16, method)

    def card_for(self, player: Player, seat: int) -> str | None:
        """The card of a seat as somebody's browser is given it."""
        with player.client.session_transaction(base_url=HERE) as session:
            browser = session["browser"]
        game = self.app.extensions["stargazer"].games.open(self.id, browser)
        card: str | None = game.document["players"][seat]["personal"]
        return card

    def close(self) -> None:
        self.app.extensions["stargazer live"].close()
        self.app.extensions["stargazer"].reading_queue.close()
