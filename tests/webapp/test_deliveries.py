"""What a phone sends again, as no answer came, arrives once."""

import io
import threading

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from tests.webapp.conftest import MakeApp, Player, TellingReader, both_databases, jpeg, players_form
from webapp.app.reading.fair_queue import Asker
from webapp.app.reading.reading_queue import ReadingQueue
from webapp.app.session.saved_games import SavedGame

pytestmark = both_databases

NAME = "0123456789abcdef" * 2
ID = "fedcba9876543210"


def send(player: Player, game: str, name: str, seat: int) -> TestResponse:
    """Send a photograph of somebody's board as a page's script does, under a name."""
    data = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "delivery": name, "player": seat}
    return player.post(f"{game}/photographs", data, headers={"X-Partial": "1"})


def saved(app: Flask, game: str) -> SavedGame:
    found: SavedGame = app.extensions["stargazer"].games.open(game.rsplit("/", 1)[1])
    return found


def test_a_photograph_that_is_sent_twice_is_kept_once(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    for _time in range(2):
        answer = send(player, game, NAME, 0)
        assert answer.status_code == 201
    assert send(player, game, NAME[::-1], 1).status_code == 201
    player.wait_for_reading(game)
    photographs = app.extensions["stargazer"].photographs.of(game.rsplit("/", 1)[1])
    assert [one.player for one in photographs] == [0, 1]
    assert len(list(app.extensions["stargazer"].settings.photographs.glob("*/*.photo"))) == 2


def test_a_photograph_that_was_kept_and_not_queued_is_read_when_it_is_sent_again(
    player: Player, app: Flask, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana")

    def busy(*_: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database is locked"))

    with monkeypatch.context() as while_busy:
        while_busy.setattr(ReadingQueue, "add", busy)
        assert send(player, game, NAME, 0).status_code == 503
    goes_on = threading.Event()
    app.extensions["stargazer"].reading_queue._turns.submit(Asker("", ""), goes_on.wait, 60)
    assert [send(player, game, NAME, 0).status_code for _time in range(2)] == [201, 201]
    assert list(app.extensions["stargazer"].reading_queue.places().values()) == [1], "queued once"
    goes_on.set()
    player.wait_for_reading(game)
    assert len(reader.names) == 1


def test_a_step_that_is_sent_twice_is_taken_once(player: Player, make_app: MakeApp) -> None:
    game = player.new_game("Ana")
    player.post(f"{game}/photographs/players/0/hand")
    tap = {"space": "ar1", "star": "red", "delivery": NAME}
    assert player.post(f"{game}/players/0/star", tap).status_code == 303
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": "blue"})
    again = Player(make_app(rate_limits=False).test_client())  # the computer was started again
    assert again.post(f"{game}/players/0/star", tap).status_code == 303
    assert saved(again.client.application, game).document["players"][0]["stars"] == {"ar1": "blue"}


def test_a_game_that_is_begun_twice_is_one(player: Player, app: Flask) -> None:
    form = {**players_form("Ana", "Luis"), "id": ID}
    for _time in range(2):
        answer = player.post("/games/new", form, headers={"X-Partial": "1"})
        assert answer.status_code == 201 and answer.json["players"] == f"/games/{ID}/players"
        player.post(f"/games/{ID}/note", {"note": "kept", "was": ""})
    assert len(app.extensions["stargazer"].games.recent()) == 1
    assert saved(app, f"/games/{ID}").document["note"] == "kept"


@pytest.mark.parametrize("name", ["x", NAME + "0", "G" * 32, "../" * 10])
def test_what_is_no_name_is_refused(player: Player, name: str) -> None:
    game = player.new_game("Ana")
    assert send(player, game, name, 0).status_code == 422
    tap = {"space": "ar1", "star": "red", "delivery": name}
    assert player.post(f"{game}/players/0/star", tap).status_code == 422
    assert player.post("/games/new", {**players_form("Ana"), "id": name}).status_code == 422
