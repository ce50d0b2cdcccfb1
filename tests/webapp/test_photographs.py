"""Photographs of the boards: whose each is, from whichever phone and however quickly they come."""

import io
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask, Response

from tests.webapp.conftest import (
    CARDS,
    MakeApp,
    Player,
    TellingReader,
    jpeg,
    on_both_databases,
    read_board,
)
from webapp.app.reading.photographs import Photograph
from webapp.app.reading.reading_queue import ReadPhotograph
from webapp.app.session.saved_games import SavedGame
from webapp.web.pages import gate

NAMES = ("Ana", "Luis", "Eva", "Pia")


@on_both_databases
def test_photographs_that_come_at_the_same_time_are_dealt_to_a_player_each(
    player: Player, app: Flask
) -> None:
    game = player.new_game(*NAMES)
    phones = [Player(app.test_client()) for _ in NAMES]
    together = threading.Barrier(len(phones))

    def send(phone: Player) -> int:
        phone.get("/")
        together.wait(60)
        return phone.send_photograph(game).status_code

    with ThreadPoolExecutor(len(phones)) as hands:
        assert list(hands.map(send, phones)) == [303] * len(phones)
    assert 'data-ready="yes"' in player.wait_for_reading(game)
    of_game = app.extensions["stargazer"].photographs.of(game.rsplit("/", 1)[1])
    assert sorted(photograph.player for photograph in of_game) == [0, 1, 2, 3]


@on_both_databases
def test_one_photograph_with_two_boards_serves_both_players(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [read_board({"core": "red"}, 1), read_board({"core": "blue"}, 2)]
    game = player.new_game("Ana", "Luis")
    text = player.read_photograph(game)
    assert 'data-ready="yes"' in text
    assert text.count("1 star, 1 black") == text.count("1 star, 2 black") == 1


@on_both_databases
@pytest.mark.parametrize("page", ["photographs/list", "table"])
def test_a_photograph_read_after_the_gate_opened_the_game_is_shown_as_it_was_then(
    make_app: MakeApp, reader: TellingReader, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    nothing = {"cards": [], "tracks": {}}  # lies beside the boards; a deck takes seconds to draw
    monkeypatch.setattr("webapp.web.application.read_table", lambda *_: nothing)
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    may_read = threading.Event()
    read, unchanged = TellingReader.__call__, gate.not_modified

    def read_patiently(self: TellingReader, *photograph: Any) -> ReadPhotograph:
        assert may_read.wait(60)
        return read(self, *photograph)

    def wait_until_read(game_id: str) -> None:
        while any(one.state == "waiting" for one in photographs.of(game_id)):
            time.sleep(0.01)

    def after_the_gate(opened: SavedGame) -> Response | None:
        may_read.set()
        with ThreadPoolExecutor(1) as other:
            other.submit(wait_until_read, opened.id).result()
        return unchanged(opened)

    photographs = app.extensions["stargazer"].photographs
    monkeypatch.setattr(TellingReader, "__call__", read_patiently)
    monkeypatch.setattr(gate, "not_modified", after_the_gate)
    reader.boards = [read_board({"core": "red"}, 1), read_board({"core": "blue"}, 2)]
    game = player.new_game("Ana", "Luis")
    player.post(f"{game}/photographs", {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes"})
    text = player.get(f"{game}/{page}").text
    assert "Reading the photograph" in text and "1 star, 1 black" not in text
    monkeypatch.setattr(gate, "not_modified", unchanged)
    player.post(f"{game}/photographs/players/0/swap", {"other": "1"})  # whose they are is known
    text = player.get(f"{game}/{page}").text
    assert text.count("1 star, 1 black") == text.count("1 star, 2 black") == 1


@on_both_databases
def test_boards_dealt_the_wrong_way_round_are_swapped(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [read_board({"core": "red"}, 1), read_board({"core": "blue"}, 2)]
    game = player.new_game("Ana", "Luis")
    text = player.read_photograph(game)
    other = re.search(r'name="board" value="(\w+\.1)"', text)
    player.post(f"{game}/photographs/players/0/board", {"board": other[1]})
    ana, luis = player.get(f"{game}/photographs/list").text.split("<strong>")[1:]
    assert "2 black" in ana and "1 black" in luis


def test_a_photograph_without_a_board_says_so_and_is_replaced(
    player: Player, reader: TellingReader
) -> None:
    reader.problem = "no_board"
    game = player.new_game("Ana")
    text = player.read_photograph(game)
    assert "No board was found" in text and 'data-ready="no"' in text
    shown = re.search(r'<img class="not-read" src="([^"]+)"', text)
    assert shown is not None and player.get(shown[1]).mimetype == "image/jpeg"
    assert "Take again" in text and "Enter by hand" in text and "Remove it" in text
    assert player.post(f"{game}/photographs/done").status_code == 422
    removed = re.search(r'action="([^"]+/remove)"', text)
    assert player.post(removed[1]).status_code == 303
    reader.problem = None
    assert 'data-ready="yes"' in player.read_photograph(game)


@on_both_databases
def test_why_a_photograph_failed_stands_at_its_board_until_another_one_is_read(
    player: Player, reader: TellingReader
) -> None:
    game = player.new_game("Ana", "Luis")
    reader.problem = "no_board"
    ana, luis = player.read_photograph(game).split("<strong>")[1:]
    assert "No board was found" in ana and "No board was found" not in luis
    reader.problem = None
    assert "No board was found" not in player.read_photograph(game)
    reader.problem = "no_board"
    ana, luis = player.read_photograph(game, player=0).split("<strong>")[1:]
    assert "No board was found" in ana and "No board was found" not in luis


@on_both_databases
def test_a_photograph_goes_to_the_next_player_though_the_one_before_is_just_read(
    player: Player, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana", "Luis")
    player.send_photograph(game)
    kept = app.extensions["stargazer"].photographs
    look = kept.of

    def look_when_all_are_read(game_id: str) -> list[Photograph]:
        while any(photograph.state == "waiting" for photograph in look(game_id)):
            time.sleep(0.01)
        return look(game_id)

    with monkeypatch.context() as patched:
        patched.setattr(type(kept), "of", lambda _, game_id: look_when_all_are_read(game_id))
        player.send_photograph(game)
    assert 'data-ready="yes"' in player.wait_for_reading(game)


@on_both_databases
def test_a_photograph_is_taken_again_for_one_player(player: Player, reader: TellingReader) -> None:
    game = player.new_game("Ana", "Luis")
    for _ in range(2):
        player.send_photograph(game)
    player.wait_for_reading(game)
    refused = player.send_photograph(game)
    assert refused.status_code == 422
    assert "Choose whose photograph to take again." in refused.text
    reader.boards = [read_board({"core": "red"}, 1)]
    ana, luis = player.read_photograph(game, player=1).split("<strong>")[1:]
    assert "6 stars, 4 black" in ana and "1 star, 1 black" in luis


def test_a_board_is_entered_by_hand_on_a_page_that_opens_at_once(player: Player) -> None:
    game = player.new_game("Ana", "Luis", mode="intro")
    player.post(f"{game}/nebula/cards", {"career": CARDS["career"]})
    for seat in range(2):
        opened = player.post(f"{game}/photographs/players/{seat}/hand").headers["Location"]
        assert opened == f"{game}/players/{seat}/review"
        assert "The board of" in player.get(opened).text
        player.post(f"{game}/players/{seat}/star", {"space": "core", "star": "white"})
        player.post(f"{game}/players/{seat}/tracks/black", {"count": 3})
        page = player.get(opened).text
        assert 'aria-label="the core: white"' in page and ">3</output>" in page
        onward = player.post(opened).headers["Location"]
        assert onward == f"{game}/{('photographs', 'nebula/players/0/personal')[seat]}"
        listed = player.get(f"{game}/photographs/list").text
        assert "Entered by hand: 1 star, 3 black" in listed


def test_a_board_on_which_nothing_was_entered_is_not_done(player: Player) -> None:
    game = player.new_game("Ana")
    player.post(f"{game}/photographs/players/0/hand")
    listed = player.get(f"{game}/photographs/list").text
    assert 'data-ready="no"' in listed and "No photograph yet" in listed
    assert player.post(f"{game}/photographs/done").status_code == 422
    review = f"{game}/players/0/review"
    asked = player.post(review)
    assert asked.status_code == 422 and "Nothing is entered on this board yet" in asked.text
    assert player.post(review, {"empty": "yes"}).status_code == 303
    assert 'data-ready="yes"' in player.get(f"{game}/photographs/list").text


def test_a_photograph_is_dealt_to_a_board_on_which_nothing_was_entered(player: Player) -> None:
    game = player.new_game("Ana")
    player.post(f"{game}/photographs/players/0/hand")
    assert player.send_photograph(game).status_code == 303
    assert "6 stars, 4 black" in player.wait_for_reading(game)


def test_what_keeps_one_from_going_on_is_named(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    assert "No board yet: Ana, Luis" in player.get(f"{game}/photographs").text
    player.post(f"{game}/photographs/players/0/hand")
    player.post(f"{game}/players/0/star", {"space": "core", "star": "red"})
    player.post(f"{game}/players/0/review")
    assert "No board yet: Luis<" in player.get(f"{game}/photographs").text
