"""One photograph of the whole table is read, whatever happens meanwhile, up to the winner."""

import io

import pytest
from flask import Flask
from sqlalchemy.exc import OperationalError

from tests.webapp.conftest import (
    STARS,
    MakeApp,
    Player,
    TellingReader,
    document_of,
    jpeg,
    read_board,
)
from tests.webapp.whole_table.conftest import (
    LEFT,
    OTHER,
    RIGHT,
    WHOSE,
    FakeTableReader,
    asked,
    name_owner,
    photograph,
    send,
    send_busy,
)
from webapp.app.reading.read_photograph import ReaderClosedError, UnusablePhotographError
from webapp.app.session.saved_games import Games

READING = "Reading what is beside the boards"


def test_from_one_photograph_to_the_winner(player: Player, app: Flask, game: str) -> None:
    page = photograph(player, game)
    assert "Reading the photograph" not in page and not asked(page)
    assert not document_of(app, game)["career"], "not yet"
    answer = player.post(f"{game}/table")
    kept = document_of(app, game)
    assert kept["career"] == ["V5", "V7", "V12", "V17"]
    assert kept["advanced"] == ["B3", "B16", "B20", "B24"]
    assert kept["values"] == {"colours": ["red", "blue"], "constellations": [], "advanced": ["II"]}
    assert answer.headers["Location"].rpartition("/")[2] in ("markers", "score")


def test_boards_are_reviewed_while_cards_are_still_read(
    player: Player, app: Flask, table_reader: FakeTableReader, reader: TellingReader, game: str
) -> None:
    for number in range(2):
        doubtful = read_board(STARS, doubtful="ar1" if number else "ta1")
        reader.boards[number] = {**doubtful, "corners": (LEFT, RIGHT)[number]}
    page = send_busy(player, game, table_reader)
    assert WHOSE in page and READING not in page
    page = name_owner(player, game, page, "Ana")
    assert READING in page and "All right" not in page and WHOSE not in page
    assert {*asked(page)} == {"guess-0-ta1", "guess-1-ar1"}
    confirmed = document_of(app, game)["confirmed"]
    assert player.post(f"{game}/table", {"as-shown": "yes"}).status_code == 422
    assert document_of(app, game)["confirmed"] == confirmed, "the cards were seen by nobody"
    table_reader.is_free.set()
    player.wait_for_reading(game)
    page = player.get(f"{game}/table").text
    assert READING not in page and "All right" in page and WHOSE not in page
    assert player.get(f"{game}/table/progress").json == {"state": "read"}
    assert table_reader.areas == [[LEFT, RIGHT]]


@pytest.mark.parametrize("problem", [UnusablePhotographError("too_slow", "too slow"), KeyError()])
def test_cards_that_cannot_be_read_leave_the_boards(
    player: Player, app: Flask, table_reader: FakeTableReader, problem: Exception, game: str
) -> None:
    table_reader.problem = problem
    assert "All right" in photograph(player, game)
    answer = player.post(f"{game}/table")
    assert answer.headers["Location"] == f"{game}/nebula/cards"


def test_a_server_that_ends_meanwhile_reads_only_what_is_left(
    player: Player,
    app: Flask,
    table_reader: FakeTableReader,
    reader: TellingReader,
    make_app: MakeApp,
    game: str,
) -> None:
    name_owner(player, game, send_busy(player, game, table_reader), "Luis")
    table_reader.problem = ReaderClosedError()
    table_reader.is_free.set()
    app.extensions["stargazer"].reading_queue.close()
    assert player.get(f"{game}/table/progress").json == {"state": "partly"}
    table_reader.problem = None
    again = Player(make_app(rate_limits=False).test_client())
    again.wait_for_reading(game)
    assert again.get(f"{game}/table/progress").json == {"state": "read"}
    assert len(reader.names) == 1 and table_reader.areas == 2 * [[LEFT, RIGHT]]
    stars = [own["stars"]["ar4"] for own in document_of(again.client.application, game)["players"]]
    assert stars == [OTHER["ar4"], STARS["ar4"]], "as it was said meanwhile"


def test_another_photograph_meanwhile_is_the_one_that_counts(
    player: Player, app: Flask, table_reader: FakeTableReader, reader: TellingReader, game: str
) -> None:
    send_busy(player, game, table_reader)
    sent = {"photo": (io.BytesIO(jpeg()), "y.jpg"), "whole": "yes"}
    player.post(f"{game}/photographs", sent)
    assert player.get(f"{game}/table/progress").json == {"state": "waiting"}
    assert "Reading the photograph" in player.get(f"{game}/table").text
    table_reader.is_free.set()
    page = send(player, game)
    assert WHOSE in page and len(reader.names) == 3
    first = app.extensions["stargazer"].photographs.of(game.rpartition("/")[2])[0]
    assert first.state == "read" and first.reading and len(first.reading["cards"]) == 10


def test_a_photograph_that_is_to_be_read_again_is_not_completed_before(
    player: Player, app: Flask, table_reader: FakeTableReader, reader: TellingReader, game: str
) -> None:
    send_busy(player, game, table_reader)
    services = app.extensions["stargazer"]
    of_game = game.rpartition("/")[2]
    (taken,) = services.photographs.of(of_game)
    services.photographs.read_again(taken)
    services.photographs.record_rest(taken.id, {"cards": []})
    assert services.photographs.get(of_game, taken.id).state == "waiting"
    table_reader.is_free.set()


def test_a_photograph_that_cannot_be_read_leaves_the_game_as_it_was(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    reader.problem = "unreadable"
    assert "What looks like a board cannot be read" in photograph(player, game)
    assert player.post(f"{game}/table").status_code == 422
    assert document_of(app, game)["confirmed"] == ["players"]


def test_a_phone_that_keeps_its_photograph_sends_it_once(player: Player, app: Flask) -> None:
    game, name = player.new_game("Ana", "Luis"), "0123456789abcdef" * 2
    for _sent_again in range(2):
        form = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes", "delivery": name}
        answer = player.post(f"{game}/photographs", form, headers={"X-Partial": "1"})
        assert answer.status_code == 201
    player.wait_for_reading(game)  # meanwhile the boards that are missing change
    broken = {**form, "photo": (io.BytesIO(b"no"), "x.jpg"), "delivery": name[::-1]}
    answer = player.post(f"{game}/photographs", broken, headers={"X-Partial": "1"})
    assert answer.status_code == 415 and "not a photograph" in answer.get_json()["message"]
    assert len(app.extensions["stargazer"].photographs.of(game.rpartition("/")[2])) == 1


def test_a_photograph_whose_first_delivery_failed_is_read_when_sent_again(
    player: Player, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, name = player.new_game("Ana", "Luis"), "0123456789abcdef" * 2

    def send() -> int:
        form = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes", "delivery": name}
        return player.post(f"{game}/photographs", form, headers={"X-Partial": "1"}).status_code

    def busy(*_: object, **__: object) -> None:
        raise OperationalError("UPDATE", {}, Exception("database is locked"))

    with monkeypatch.context() as while_busy:
        while_busy.setattr(Games, "change", busy)
        assert send() == 503
    assert [send(), send()] == [201, 201]
    player.wait_for_reading(game)
    (kept,) = app.extensions["stargazer"].photographs.of(game.rpartition("/")[2])
    assert [one["card"] for one in kept.reading["cards"]][:4] == ["V5", "V7", "V12", "V17"]
    assert not asked(player.get(f"{game}/table").text)


def test_an_unknown_board_is_named_beside_the_chosen_one_with_what_can_be_done(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    reader.problem = "unknown_board"
    page = photograph(player, game)
    assert "different from the known ones" in page and "Read it again" in page
    change = {"profile": "nebula/standard"}
    app.extensions["stargazer"].games.change(
        game.rpartition("/")[2], "players", lambda kept: {**kept, **change}
    )
    page = player.get(f"{game}/table").text
    assert "the one that this game is played on" in page and "Add this board" in page
    assert page.count(f'{game}/players"') >= 1
