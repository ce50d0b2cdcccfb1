"""Photographs wait and are read once; what goes wrong is neither lost nor tried for ever."""

import errno
import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from tests.vision.test_metadata import SECRETS, exif
from tests.vision.test_photo import HEIC, encoded, quadrants
from tests.webapp.conftest import (
    HERE,
    MakeApp,
    Player,
    TellingReader,
    document_of,
    jpeg,
    on_both_databases,
    read_board,
)
from tests.webapp.live.conftest import eventually
from tests.webapp.test_storage import guest
from webapp.app.reading import reading_queue, uploads
from webapp.app.reading.fair_queue import Asker
from webapp.app.reading.photographs import Photographs
from webapp.app.reading.read_photograph import ReaderClosedError, ReadPhotograph, mark_in_hand
from webapp.app.reading.reading_queue import MOST_BEGUN
from webapp.app.session.saved_games import Games, SavedGame


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_queue, "TRIED_AGAIN_AFTER", 0.1)


def store(app: Flask) -> Photographs:
    found: Photographs = app.extensions["stargazer"].photographs
    return found


def hold(app: Flask, until: threading.Event) -> None:
    """Keep the reading of photographs busy."""
    app.extensions["stargazer"].reading_queue._turns.submit(Asker("", ""), until.wait, 120)


@on_both_databases
@pytest.mark.parametrize("problem", ["no_board", "unreadable", "too_slow", "failed"])
def test_one_that_could_not_be_read_is_not_read_again(
    make_app: MakeApp, reader: TellingReader, problem: str
) -> None:
    reader.problem = problem
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana")
    page = player.read_photograph(game)
    assert 'role="alert"' in page
    assert ("took so long" in page) == (problem == "too_slow")
    app.extensions["stargazer"].reading_queue.close()
    again = Player(make_app(rate_limits=False).test_client())
    assert 'role="alert"' in again.wait_for_reading(game)
    assert len(reader.names) == 1


@on_both_databases
def test_one_that_one_server_after_the_other_died_of_is_read_by_no_more(
    make_app: MakeApp, reader: TellingReader
) -> None:
    """One that was in hand at two of their ends is read, but after the others."""
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana", "Luis", "Eva")
    deadly, unlucky, new = (
        store(app).add(game.rsplit("/", 1)[1], jpeg(), lambda waiting, seat=seat: seat)
        for seat in range(3)
    )
    for photograph in (*[deadly] * MOST_BEGUN, unlucky, unlucky):
        store(app).begin(photograph.id)
        mark_in_hand(store(app).path(photograph)).touch()
    again = Player(make_app(rate_limits=False).test_client())
    assert "could not be read" in again.wait_for_reading(game)
    assert reader.names == [new.id, unlucky.id]


@on_both_databases
def test_one_whose_servers_were_killed_is_read_by_the_next(
    make_app: MakeApp, reader: TellingReader
) -> None:
    app = make_app(rate_limits=False)
    game = Player(app.test_client()).new_game("Ana")
    photograph = store(app).add(game.rsplit("/", 1)[1], jpeg(), lambda waiting: 0)
    assert [store(app).begin(photograph.id) for _ in range(9)] == [1] * 9
    again = Player(make_app(rate_limits=False).test_client())
    assert 'data-ready="yes"' in again.wait_for_reading(game)
    assert reader.names == [photograph.id]


@on_both_databases
def test_one_that_is_read_when_the_server_stops_is_read_by_the_next(
    make_app: MakeApp, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def stop(*_: object) -> ReadPhotograph:
        stopped.set()
        raise ReaderClosedError

    monkeypatch.setattr(TellingReader, "__call__", stop)
    game = None
    for _ in range(4):
        app = make_app(rate_limits=False)
        player = Player(app.test_client())
        if game is None:
            game = player.new_game("Ana")
            player.send_photograph(game)
        assert stopped.wait(60)
        stopped.clear()
        app.extensions["stargazer"].reading_queue.close()
    monkeypatch.undo()
    player = Player(make_app(rate_limits=False).test_client())
    assert 'data-ready="yes"' in player.wait_for_reading(game)


Fill = Callable[[bool], None]


@pytest.fixture(params=["pictures", "game", "photograph"])
def disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fill]:
    """Fill the disk, or empty it: what is written last of a photograph fails."""
    whole = threading.Event()
    places = {
        "pictures": (Path, "write_bytes"),
        "game": (Games, "change"),
        "photograph": (Photographs, "record"),
    }
    owner, name = places[request.param]
    really = getattr(owner, name)

    def write(*arguments: object) -> object:
        if not whole.is_set():
            return really(*arguments)
        if owner is Path:
            raise OSError(errno.ENOSPC, "No space left on device")
        raise OperationalError("UPDATE", {}, Exception("database or disk is full"))

    monkeypatch.setattr(owner, name, write)
    return lambda full: whole.set() if full else whole.clear()


@on_both_databases
def test_one_that_is_read_while_the_disk_is_full_waits_for_room(
    make_app: MakeApp, reader: TellingReader, disk: Fill
) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana", "Luis", "Eva")
    reader.boards = [read_board(), read_board({"core": "white"})]
    disk(True)
    player.send_photograph(game, player=0)
    eventually(lambda: len(reader.names) > 2)  # it is tried again and again
    eventually(lambda: "is full or busy" in player.get(f"{game}/photographs/list").text)
    disk(False)
    page = player.wait_for_reading(game)
    assert "is full" not in page and 'role="alert"' not in page
    seats = app.extensions["stargazer"].games.open(game.rsplit("/", 1)[1]).document["players"]
    assert [bool(seat["board"]) for seat in seats] == [True, True, False]  # each board dealt once


@on_both_databases
@pytest.mark.parametrize("disk", ["photograph"], indirect=True)
def test_a_board_is_not_called_clear_before_its_doubts_are_written_down(
    make_app: MakeApp, disk: Fill
) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana")
    disk(True)
    player.send_photograph(game, player=0)
    eventually(lambda: document_of(app, game)["players"][0]["board"])
    assert 'data-ready="no"' in player.get(f"{game}/photographs/list").text
    for answer in (
        player.get(f"{game}/players/0/review"),
        player.post(f"{game}/players/0/review"),
    ):
        assert answer.headers["Location"] == f"{game}/photographs"
    refused = player.post(f"{game}/photographs/done")
    assert refused.status_code == 422 and "is still being read" in refused.text
    assert document_of(app, game)["confirmed"] == ["players"]
    disk(False)
    player.wait_for_reading(game)
    assert "What is on" in player.get(f"{game}/players/0/review").text


@on_both_databases
@pytest.mark.parametrize("disk", ["photograph"], indirect=True)
def test_boards_of_one_photograph_that_waits_for_room_can_be_entered_by_hand(
    make_app: MakeApp, reader: TellingReader, disk: Fill
) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana", "Luis")
    reader.boards = [read_board(), read_board({"core": "white"})]
    disk(True)
    player.send_photograph(game, player=0)
    eventually(lambda: document_of(app, game)["players"][1]["board"])
    eventually(lambda: "is full or busy" in player.get(f"{game}/photographs/list").text)
    page = player.get(f"{game}/photographs/list").text
    assert page.count("is full or busy") == 2 and "thumbnail" not in page
    assert "/review" not in page, "which leads back to the page itself"
    assert page.count('name="instead"') == 2
    answer = player.post(f"{game}/photographs/players/1/hand", {"instead": "yes"})
    assert answer.headers["Location"] == f"{game}/players/1/review"
    assert "Enter by hand" not in player.get(f"{game}/players/1/review").text
    assert player.get(f"{game}/players/1/review").status_code == 200
    disk(False)
    player.wait_for_reading(game)
    assert document_of(app, game)["players"][1]["board"]["photograph"] is None


def test_a_full_disk_is_reported_to_whoever_sends_a_photograph(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("webapp.app.atomic.os.fsync", full)
    answer = player.send_photograph(game)
    assert answer.status_code == 507 and "Free some room there" in answer.text
    assert "No photograph yet" in player.get(f"{game}/photographs").text


def test_a_program_does_not_wait_for_ever(
    player: Player, app: Flask, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_queue, "PATIENCE", 0.2)
    goes_on = threading.Event()
    hold(app, goes_on)
    photo = {"photo": (io.BytesIO(jpeg()), "a.jpg")}
    answer = player.client.post("/api/read", base_url=HERE, data=photo)
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "5"
    goes_on.set()
    assert reader.names == []


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIC"])
def test_where_a_photograph_was_taken_is_not_kept(player: Player, app: Flask, kind: str) -> None:
    located = HEIC / "quadrants-located.heic"
    data = located.read_bytes() if kind == "HEIC" else encoded(quadrants(), kind, exif=exif(6))
    game = player.new_game("Ana")
    answer = player.post(f"{game}/photographs", {"photo": (io.BytesIO(data), "a.jpg")})
    assert answer.status_code == 303
    player.wait_for_reading(game)
    files = [file.read_bytes() for file in store(app).folder.rglob("*.photo")]
    assert len(files) == 1
    assert any(secret in data for secret in SECRETS)
    assert not [secret for secret in SECRETS if secret in files[0]]


def test_a_heic_that_ends_its_decoder_does_not_end_the_server(player: Player) -> None:
    located = (HEIC / "quadrants-located.heic").read_bytes()
    strange = located.replace(b"application/rdf+xml", b"application/rdf\xa4xml")
    game = player.new_game("Ana")
    answer = player.post(f"{game}/photographs", {"photo": (io.BytesIO(strange), "a.heic")})
    assert answer.status_code == 303


def test_a_board_that_is_not_there(player: Player, app: Flask) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    (photograph,) = store(app).of(game.rsplit("/", 1)[1])
    path = f"{game}/photographs/{photograph.id}/boards"
    assert player.get(f"{path}/0.jpg").status_code == 200
    for number in ("9" * 5000, "9" * 4000, "9" * 300, "9" * 20, "9999", "7", "²", "-1"):
        assert player.get(f"{path}/{number}.jpg").status_code == 404, number
        chosen = {"board": f"{photograph.id}.{number}"}
        answer = player.post(f"{game}/photographs/players/0/board", chosen)
        assert answer.status_code == 404, number


@on_both_databases
def test_a_photograph_sent_as_another_is_read_is_the_next_players(
    player: Player, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana", "Luis")
    goes_on, really = threading.Event(), Games.open
    hold(app, goes_on)
    player.send_photograph(game)

    def open_as_it_is_read(games: Games, game_id: str, *who: str | None) -> SavedGame:
        found = really(games, game_id, *who)
        if not who and not goes_on.is_set():
            goes_on.set()
            eventually(lambda: all(one.state == "read" for one in store(app).of(game_id)))
        return found

    monkeypatch.setattr(Games, "open", open_as_it_is_read)
    player.send_photograph(game)
    photographs = store(app).of(game.rsplit("/", 1)[1])
    assert sorted(photograph.player for photograph in photographs) == [0, 1]


@on_both_databases
def test_one_beyond_the_free_seats_waits_for_the_readings_under_way(
    player: Player, app: Flask, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else keeps a seat only until it is looked at; what came meanwhile is dealt then."""
    game, goes_on, really = player.new_game("Ana", "Luis"), threading.Event(), reader.__call__
    hold(app, goes_on)

    def read(path: Path, name: str, *more: Any) -> ReadPhotograph:
        reader.problem = None if reader.names else "no_board"
        return really(path, name, *more)

    monkeypatch.setattr(TellingReader, "__call__", staticmethod(read))
    for _ in range(3):
        assert player.send_photograph(game).status_code == 303
    assert "One more photograph waits" in player.get(f"{game}/photographs/list").text
    assert player.send_photograph(game).status_code == 303
    goes_on.set()
    page = player.wait_for_reading(game)
    photographs = store(app).of(game.rsplit("/", 1)[1])
    reported = [(photograph.player, photograph.problem) for photograph in photographs]
    assert reported == [(0, "no_board"), (1, None), (0, None), (None, "no_seat")]
    assert "every player had a board by then" in page and 'data-ready="yes"' in page
    player.post(f"{game}/photographs/{photographs[-1].id}/remove")
    assert "by then" not in player.get(f"{game}/photographs").text
    assert "Every player has a board." in player.send_photograph(game).text


@on_both_databases
def test_a_photograph_that_nobody_can_need_is_refused_before_it_is_kept(
    player: Player, app: Flask, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, goes_on = player.new_game("Ana", "Luis"), threading.Event()
    hold(app, goes_on)
    looked_at: list[bytes] = []
    really = uploads.inspect_picture

    def look(data: bytes, *most: int) -> Any:
        looked_at.append(data)
        return really(data, *most)

    monkeypatch.setattr(uploads, "inspect_picture", look)
    answers = [player.send_photograph(game) for _ in range(20)]
    assert [answer.status_code for answer in answers] == [303] * 4 + [422] * 16
    assert "enough photographs for every board" in answers[-1].text
    of_ana = [player.send_photograph(game, player=0) for _ in range(4)]
    assert [answer.status_code for answer in of_ana] == [303] * 2 + [422] * 2
    assert "Photographs of this board wait to be read" in of_ana[-1].text
    assert len(looked_at) == len(list(store(app).folder.rglob("*.photo"))) == 6
    goes_on.set()
    player.wait_for_reading(game)


def test_one_phone_with_many_photographs_keeps_no_other_waiting(
    make_app: MakeApp, reader: TellingReader
) -> None:
    app = make_app(rate_limits=False, invitation="open-sesame")
    host, goes_on = Player(app.test_client()), threading.Event()
    many, one = (host.new_game("Ana", "Luis", "Eva", "Max") for _ in range(2))
    hold(app, goes_on)
    greedy, modest = guest(app, 7), guest(app, 8)
    for _ in range(6):
        greedy.send_photograph(many)
    modest.send_photograph(one)
    waits = modest.get(f"{one}/photographs/list").text
    assert "The photograph waits: 2 are read before it." in waits
    assert "5 are read before it" in greedy.get(f"{many}/photographs/list").text
    goes_on.set()
    host.wait_for_reading(many)
    read = store(app).of(one.rsplit("/", 1)[1])[0].id
    assert reader.names.index(read) == 1
