"""No board is ever lost: what would overwrite one asks, can be undone, and stays known."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webapp import documents
from tests.webapp.conftest import STARS, MakeApp, Player, TellingReader, players_form, read_board
from webapp.app.database import open_database
from webapp.app.reading.read_photograph import ReadPhotograph
from webapp.app.reading.readings import in_reading_order
from webapp.app.session import game_document, revisions
from webapp.app.session.saved_games import ChangedMeanwhileError, Games

OTHER = {"core": "white", "ar1": "purple"}


def board(app: Flask, game: str, seat: int = 0) -> dict[str, str]:
    """The stars of a player's board as the game keeps them."""
    found = app.extensions["stargazer"].games.open(game.rsplit("/", 1)[1])
    return dict(found.document["players"][seat]["stars"])


def enter_by_hand(player: Player, game: str, seat: int = 0) -> None:
    player.post(f"{game}/photographs/players/{seat}/hand")
    for space, star in OTHER.items():
        player.post(f"{game}/players/{seat}/star", {"space": space, "star": star})


def offer(text: str) -> str:
    """How the form names the board that is offered."""
    found = re.search(r'name="offered" value="([^"]+)"', text)
    assert found is not None, text
    return found[1]


class LateReader(TellingReader):
    """Reads when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.may_read = threading.Event()

    def __call__(self, *asked: Any) -> ReadPhotograph:
        assert self.may_read.wait(120)
        return super().__call__(*asked)


@pytest.fixture
def reader() -> Iterator[LateReader]:
    reader = LateReader()
    reader.may_read.set()
    yield reader
    reader.may_read.set()


@pytest.fixture
def late(player: Player, app: Flask, reader: LateReader) -> str:
    """A game whose board was entered by hand while its photograph was waiting to be read."""
    reader.may_read.clear()
    game = player.new_game("Ana", "Luis")
    player.send_photograph(game, player=0)
    enter_by_hand(player, game)
    reader.may_read.set()
    assert "Which board of Ana counts?" in player.wait_for_reading(game)
    return game


def test_a_photograph_that_is_read_late_leaves_a_board_entered_by_hand(
    player: Player, app: Flask, late: str
) -> None:
    assert board(app, late) == OTHER
    assert 'data-ready="no"' in player.get(f"{late}/photographs/list").text
    assert "A photograph shows another board of Ana." in player.get(f"{late}/nebula/cards").text
    offered = offer(player.get(f"{late}/photographs").text)
    answer = f"{late}/photographs/players/0/offered"
    player.post(answer, {"offered": "f" * 16 + ".0", "take": "yes"})
    assert board(app, late) == OTHER, "another board than the one that was shown"
    player.post(answer, {"offered": offered, "take": "yes"})
    assert board(app, late) == STARS
    page = player.get(f"{late}/photographs").text
    assert "The board in the photograph counts now." in page and "counts?" not in page
    player.post(f"{late}/undo")
    assert board(app, late) == OTHER


def test_a_board_that_is_offered_can_be_left(player: Player, app: Flask, late: str) -> None:
    offered = offer(player.get(f"{late}/photographs").text)
    answer = f"{late}/photographs/players/0/offered"
    player.post(answer, {"offered": offered, "take": "no"})
    player.post(answer, {"offered": offered, "take": "yes"})  # the other phone's tap comes late
    assert board(app, late) == OTHER
    assert "counts?" not in player.get(f"{late}/photographs").text


def test_a_retake_asks_where_stars_were_corrected_and_else_counts(
    player: Player, app: Flask, reader: LateReader
) -> None:
    game = player.new_game("Ana")
    for stars in (STARS, OTHER):
        reader.boards = [read_board(stars)]
        player.read_photograph(game, player=0)
    assert board(app, game) == OTHER, "nobody had touched the first reading"
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    reader.boards = [read_board(STARS)]
    text = player.read_photograph(game, player=0)
    assert "Which board of Ana counts?" in text and text.count('class="differs"') > 2
    assert board(app, game) == {**OTHER, "ar1": "red"}


def test_swapped_boards_keep_their_corrections_and_a_second_tap_swaps_nothing(
    player: Player, app: Flask, reader: LateReader
) -> None:
    reader.boards = [read_board(STARS), read_board(OTHER)]
    game = player.new_game("Ana", "Luis")
    player.read_photograph(game)
    player.post(f"{game}/players/1/star", {"space": "ar1", "star": "red"})
    page = player.get(f"{game}/photographs").text
    assert "Swap the boards of Ana and Luis" in page
    shown = re.search(r'/players/0/swap".*?name="revision" value="(\d+)"', page, re.DOTALL)
    form = {"other": 1, "revision": shown[1]}
    assert player.post(f"{game}/photographs/players/0/swap", form).status_code == 303
    for back in ("", f"{game}/players/1/review"):
        late = player.post(f"{game}/photographs/players/0/swap", {**form, "back": back})
        assert late.status_code == 409 and "Somebody else has just changed this" in late.text
        assert ('id="review"' in late.text) is bool(back)
        assert 'data-fields="[]"' in late.text, "nobody typed anything"
    assert (board(app, game, 0), board(app, game, 1)) == ({**OTHER, "ar1": "red"}, STARS)
    other = re.search(r'name="board" value="(\w+\.1)"', player.get(f"{game}/photographs").text)
    player.post(f"{game}/photographs/players/1/board", {"board": other[1]})
    assert (board(app, game, 0), board(app, game, 1)) == (STARS, {**OTHER, "ar1": "red"})


def test_boards_of_one_photograph_go_to_the_players_from_left_to_right(
    player: Player, app: Flask, reader: LateReader
) -> None:
    right, left = dict(read_board(STARS)), dict(read_board(OTHER))
    right["corners"] = [[900, 10], [1700, 0], [1700, 960], [900, 970]]
    reader.boards = [right, left]
    game = player.new_game("Ana", "Luis")
    player.read_photograph(game)
    assert (board(app, game, 0), board(app, game, 1)) == (OTHER, STARS)


def test_boards_lie_in_rows() -> None:
    def at(x: float, y: float) -> dict[str, Any]:
        return {"corners": [[x, y], [x + 80, y], [x + 80, y + 96], [x, y + 96]]}

    assert in_reading_order([at(100, 130), at(0, 110), at(95, 20), at(0, 0)]) == [3, 2, 1, 0]


def test_what_was_read_meanwhile_is_not_taken_for_entry_by_hand(player: Player, app: Flask) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    player.post(f"{game}/photographs/players/0/hand")  # a page that did not know yet
    assert "thumbnail" in player.get(f"{game}/photographs").text


def test_a_failure_is_past_once_the_board_is_entered_by_hand_but_not_a_later_one(
    player: Player, reader: LateReader
) -> None:
    game = player.new_game("Ana")
    reader.problem = "no_board"
    assert "No board was found" in player.read_photograph(game)
    enter_by_hand(player, game)
    assert "No board was found" not in player.get(f"{game}/photographs").text
    assert "No board was found" in player.read_photograph(game, player=0)


def test_taking_a_player_out_asks_before_their_board_goes(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    enter_by_hand(player, game, seat=1)
    asked = player.post(f"{game}/players", players_form("Ana"))
    assert asked.status_code == 422
    assert "This change takes 1 board out of the game." in asked.text
    assert board(app, game, 1) == OTHER
    shown = re.search(r'name="revision" value="(\d+)"', asked.text)
    player.post(f"{game}/players/1/star", {"space": "ar2", "star": "red"})
    sure = {**players_form("Ana"), "revision": shown[1]}
    assert player.post(f"{game}/players", sure).status_code == 409, "it is another board by now"
    shown = re.search(r'name="revision" value="(\d+)"', player.post(f"{game}/players", sure).text)
    sure["revision"] = shown[1]
    assert player.post(f"{game}/players", sure).status_code == 303
    player.post(f"{game}/undo")
    assert board(app, game, 1) == {**OTHER, "ar2": "red"}


def test_one_phone_does_not_undo_what_another_has_just_done(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    player.read_photograph(game, player=0)
    enter_by_hand(player, game, seat=1)
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    pages = [player.get(f"{game}/players/{seat}/review").text for seat in range(2)]
    shown = re.search(r'name="revision" value="(\d+)"><button id="undo"', pages[0])
    entered = re.search(r'data-revision="(\d+)"', pages[1])
    assert shown is not None and entered is not None
    for seat, known in enumerate((shown[1], entered[1])):
        player.post(f"{game}/players/1/star", {"space": "ar2", "star": "red"})  # another phone
        player.post(f"{game}/players/{seat}/review/undo", {"revision": known})
        assert board(app, game, 1) == {**OTHER, "ar2": "red"}


def test_an_earlier_state_is_brought_back_and_that_is_undone(
    player: Player, app: Flask, make_app: MakeApp
) -> None:
    game = player.new_game("Ana")
    enter_by_hand(player, game)
    for _correction in OTHER:
        player.post(f"{game}/undo")
    assert board(app, game) == {}
    player.post(f"{game}/players/0/star", {"space": "core", "star": "red"})  # no redoing now
    page = player.get(f"{game}/earlier").text
    assert "This device" in page.split("<strong>Players</strong>")[1]
    assert "This device" in page and "3 corrections" in page and "Entry by hand" in page
    phone = Player(make_app(rate_limits=False).test_client())
    states = app.extensions["stargazer"].games.earlier_states(game.rsplit("/", 1)[1])
    (lost,) = [one for one in states if one.document["players"][0]["stars"] == OTHER]
    answer = phone.post(f"{game}/earlier/{lost.number}")
    assert answer.status_code == 303 and board(app, game) == OTHER
    page = player.get(f"{game}/photographs").text
    assert "An earlier state of the game is back." in page
    assert "Another device" in player.get(f"{game}/earlier").text
    player.post(f"{game}/undo")
    assert board(app, game) == {"core": "red"}
    assert player.post(f"{game}/earlier/999").status_code == 404


def test_only_the_last_of_several_failures_is_reported_and_all_go_with_it(
    player: Player, reader: LateReader
) -> None:
    game = player.new_game("Ana")
    for reader.problem in ("no_board", "no_colours"):
        page = player.read_photograph(game)
    assert page.count('role="alert"') == 1 and "has no colours" in page and "No board yet" in page
    (removed,) = re.findall(r"photographs/(\w{16})/remove", page)
    player.post(f"{game}/photographs/{removed}/remove")
    page = player.get(f"{game}/photographs/list").text
    assert 'role="alert"' not in page and "No photograph yet" in page


def test_one_board_photographed_twice_is_reported(player: Player, reader: LateReader) -> None:
    stars = {f"ar{n}": "red" if n % 2 else "blue" for n in range(1, 7)}
    stars |= {f"ta{n}": "white" if n % 2 else "purple" for n in range(1, 7)}
    game, reported = player.new_game("Ana", "Luis"), "The boards of Ana and Luis are the same"
    for seat, others in enumerate(({}, {"ar1": "orange"})):
        reader.boards = [read_board({**stars, **others})]
        player.read_photograph(game, player=seat)
    assert reported in player.get(f"{game}/players/0/review").text
    reader.boards = [read_board({**stars, **dict.fromkeys(("ar1", "ta1", "ta3"), "orange")})]
    player.read_photograph(game, player=1)
    assert reported not in player.get(f"{game}/players/0/review").text


def test_a_board_that_may_be_taken_twice_is_not_clear(
    player: Player, reader: LateReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = player.new_game("Ana", "Luis")
    for seat in range(2):
        reader.boards = [read_board(doubtful="")]
        player.read_photograph(game, player=seat)
    assert "Nothing is doubtful" in player.get(f"{game}/players/0/review").text
    monkeypatch.setattr("webapp.app.session.reviewing.SURELY_LAID", 4)
    for seat in range(2):
        page = player.get(f"{game}/players/{seat}/review").text
        assert "are the same" in page and "Compare the photographs." in page
        assert "Nothing is doubtful" not in page and "Both boards are right" not in page


def test_a_player_whom_another_phone_took_out_is_not_in_the_game(
    player: Player, make_app: MakeApp
) -> None:
    phone, game = Player(make_app(rate_limits=False).test_client()), player.new_game("Ana", "Luis")
    phone.post(f"{game}/players", players_form("Ana"))
    gone = player.get(f"{game}/players/1/review")
    assert gone.status_code == 404 and "This player is not in the game" in gone.text


@pytest.fixture
def games(tmp_path: Path) -> Games:
    return Games(open_database(f"sqlite:///{tmp_path / 'stargazer.db'}"))


def test_of_runs_of_corrections_the_old_ones_go_first_and_undoing_goes_on(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "REVISIONS_KEPT", 20)
    game = games.create(game_document.new_game([("Ana", "teal")], "full", "nebula"))

    def correct(count: int) -> None:
        for number in range(count):
            star = ("red", "blue")[number % 2]
            games.change(game.id, "star", lambda d, s=star: documents.with_star(d, 0, "core", s))

    correct(10)
    games.change(game.id, "photograph", lambda d: documents.with_black(d, 0, 3))
    correct(25)
    states = games.earlier_states(game.id)
    assert len(states) == 20
    assert {"players", "photograph"} <= {state.step for state in states}, "corrections went"
    while games.open(game.id).undo:
        games.undo(game.id)
    assert games.open(game.id).document == game.document


def test_a_decision_on_another_state_is_refused(games: Games) -> None:
    game = games.create(game_document.new_game([("Ana", "teal")], "full", "nebula"))
    games.change(
        game.id, "black", lambda kept: documents.with_black(kept, 0, 3), seen=game.revision
    )
    for move in (games.undo, games.redo):
        with pytest.raises(ChangedMeanwhileError):
            move(game.id, seen=game.revision)
    with pytest.raises(ChangedMeanwhileError):
        games.change(game.id, "star", lambda d: d, seen=game.revision)


def test_a_game_that_was_deleted_is_brought_back_by_undo(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    home = player.get(player.post(f"{game}/delete").headers["Location"]).text
    assert "The game was deleted." in home
    assert f'href="{game}' not in home
    reported = player.get(f"{game}/score")
    assert reported.status_code == 404
    assert "was deleted" in reported.text
    undo = re.search(r'<form[^>]* action="([^"]+/restore)".*?<button[^>]*>Undo<', home, re.S)
    assert undo is not None
    for _tap in range(2):  # a second tap finds it there already
        home = player.get(player.post(undo[1]).headers["Location"]).text
        assert "The game is back." in home
        assert home.count(f'href="{game}"') == 1
    assert "share the win" in player.get(f"{game}/score").text
