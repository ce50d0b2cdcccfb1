"""What guests send stays within bounds: said clearly, and nothing is lost."""

import io
import re
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from tests.webapp.conftest import MakeApp, Player, jpeg, players_form
from webapp.app import storage
from webapp.app.database import begin_transaction
from webapp.app.reading import photographs
from webapp.app.storage import NoRoomError, Storage
from webapp.web import application as application

NEARLY_FULL = SimpleNamespace(free=storage.SPARE_BYTES + 100)


def photograph(player: Player, game: str, **headers: str):
    """Send a photograph as the page's script does."""
    data = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "player": 0}
    return player.post(f"{game}/photographs", data, headers=headers)


def read(player: Player):
    """Have a photograph read that belongs to no game."""
    return player.client.post(
        "/api/read", base_url="http://127.0.0.1:8765", data={"photo": (io.BytesIO(jpeg()), "x.jpg")}
    )


def test_a_disk_that_is_nearly_full_takes_no_more(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana")
    with monkeypatch.context() as patched:
        patched.setattr(storage.shutil, "disk_usage", lambda _: NEARLY_FULL)
        refused = photograph(player, game)
        assert refused.status_code == 507
        assert "The disk of the computer that runs Stargazer is nearly full" in refused.text
        reported = photograph(player, game, **{"X-Partial": "1"})
        assert reported.status_code == 507 and "Free some room there" in reported.json["message"]
        assert player.post("/games/new", players_form("Luis")).status_code == 507
        assert read(player).status_code == 507 and "nearly full" in read(player).json["message"]
        player.lay_cards(game)  # the games that are there go on
    assert photograph(player, game).status_code == 303
    assert 'data-ready="yes"' in player.wait_for_reading(game)
    assert read(player).status_code == 200


def test_what_a_server_keeps_is_bounded(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(rate_limits=False, max_stored_bytes=2_000_000)
    player = Player(app.test_client())
    game = player.new_game("Ana")
    kept = app.extensions["stargazer"].settings.photographs / "kept"
    kept.write_bytes(bytes(2_000_000))
    monkeypatch.setattr(storage, "COUNTED_EVERY", 0.0)
    refused = photograph(player, game)
    assert refused.status_code == 507
    assert "Delete games that you no longer need" in refused.text and "--storage" in refused.text
    assert player.post("/games/new", players_form("Luis")).status_code == 507
    kept.unlink()
    assert photograph(player, game).status_code == 303


def test_a_game_has_so_many_photographs(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographs, "MOST_OF_GAME", 3)
    game = player.new_game("Ana")
    sent = []
    for _ in range(4):
        sent.append(photograph(player, game).status_code)
        player.wait_for_reading(game)
    assert sent == [303, 303, 303, 507]
    refused = photograph(player, game, **{"X-Partial": "1"})
    assert refused.json["message"].startswith("No room left. This game has as many")
    other = player.new_game("Eva")
    assert photograph(player, other).status_code == 303
    assert "as many photographs as a game can have" in player.wait_for_reading(game)
    used = re.search(r"photographs/(\w+)/boards/0.jpg", player.get(f"{game}/photographs").text)
    assert player.post(f"{game}/photographs/unused/remove").status_code == 303
    assert player.get(f"{game}/{used[0]}").status_code == 200, "a player's board"
    assert photograph(player, game).status_code == 303
    assert "as many photographs" not in player.wait_for_reading(game)


def test_the_photographs_of_a_game_take_so_much(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "MOST_BYTES_OF_GAME", 2 * len(jpeg()) + 1000)
    game = player.new_game("Ana")
    sent = []
    for _ in range(3):
        sent.append(photograph(player, game).status_code)
        page = player.wait_for_reading(game)
    assert sent == [303, 303, 507] and "as many photographs as" in page
    refused = photograph(player, game, **{"X-Partial": "1"}).json["message"]
    assert "as much room as a game" in refused and "take a smaller one" in refused
    assert photograph(player, player.new_game("Eva")).status_code == 303
    assert player.post(f"{game}/photographs/unused/remove").status_code == 303
    assert photograph(player, game).status_code == 303


def test_a_phone_sends_so_much_a_day(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "BYTES_OF_PHONE", f"{5 * len(jpeg())} per day")
    app = make_app(invitation="open-sesame", hosts=frozenset({"127.0.0.1"}))
    host, phone, other = Player(app.test_client()), guest(app, 7), guest(app, 8)
    games = [host.new_game("Ana") for _ in range(5)]
    sent = [photograph(phone, game).status_code for game in games]
    assert 303 in sent and sent[-1] == 429 and sent == sorted(sent)
    reported = photograph(phone, games[-1])
    assert "This phone has reached its limit for today" in reported.text
    assert photograph(other, games[-1]).status_code == 303, "another phone"
    assert [photograph(host, game).status_code for game in games] == [303] * 5
    assert phone.get(f"{games[-1]}/photographs").status_code == 200, "looking is free"


def guest(app: Flask, number: int) -> Player:
    """Somebody with an invitation, on a phone."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = f"192.168.1.{number}"
    player = Player(client)
    player.get("/join/open-sesame")
    assert player.get("/games/new").status_code == 200
    return player


def test_games_are_started_so_often_a_minute(make_app: MakeApp) -> None:
    player = Player(make_app(invitation="open-sesame").test_client())
    answers = [player.post("/games/new", players_form("Ana")).status_code for _ in range(13)]
    assert answers == [303] * 12 + [429]
    assert player.get("/games/new").status_code == 200, "looking is free"


def test_what_came_since_the_last_count_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "monotonic", lambda: 0.0)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_bytes(bytes(500))
    room = Storage(tmp_path, 1000)
    room.take(300)
    room.take(200)
    with pytest.raises(NoRoomError, match="storage"):
        room.take(1)


def test_the_folder_is_counted_again_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Storage(tmp_path, 1000)
    room.take(900)
    steady = storage.monotonic()
    monkeypatch.setattr(storage, "monotonic", lambda: steady + storage.COUNTED_EVERY)
    room.take(900)  # what was set aside was never written
    (tmp_path / "file").write_bytes(bytes(500))
    monkeypatch.setattr(storage, "monotonic", lambda: steady + 2 * storage.COUNTED_EVERY)
    with pytest.raises(NoRoomError):
        room.take(501)


def held_up() -> OperationalError:
    reason = sqlite3.OperationalError("locking protocol")
    reason.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
    return OperationalError("BEGIN", None, reason)


def test_a_database_that_others_write_is_no_full_disk(app: Flask) -> None:
    def fail() -> str:
        raise held_up()

    app.add_url_rule("/held-up", view_func=fail)
    answer = Player(app.test_client()).get("/held-up?at=3")
    assert answer.status_code == 503 and "Wait a moment, then try again" in answer.text
    assert 'href="/held-up?at=3">Try again' in answer.text


def test_a_transaction_that_lost_the_race_begins_once_more() -> None:
    outcomes = [held_up(), None]
    begun: list[str] = []

    def execute(statement: str) -> None:
        begun.append(statement)
        if (outcome := outcomes.pop(0)) is not None:
            raise outcome

    begin_transaction(SimpleNamespace(exec_driver_sql=execute), "BEGIN IMMEDIATE")
    assert begun == ["BEGIN IMMEDIATE"] * 2
