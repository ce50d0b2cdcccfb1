"""From the table to the score: no board goes unasked, and a table that is cleared is not lost."""

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.webapp.conftest import Player, as_shown, players_form, read_board
from tests.webapp.live.conftest import ARIES, Table
from webapp.app.live import clearing
from webapp.app.reading.read_photograph import ReadPhotograph
from webapp.web.pages import live_finish

FULL = {"core": "yellow", **ARIES}


def kept(table: Table, seat: int = 0) -> dict[str, str]:
    """The stars of a board as the game has them."""
    document = table.app.extensions["stargazer"].games.open(table.id).document
    return dict(document["players"][seat]["stars"])


def enter(table: Table, stars: dict[str, str], seat: int = 0) -> None:
    """Enter a board by hand."""
    table.player.post(f"{table.game}/photographs/players/{seat}/hand")
    for space, star in stars.items():
        table.player.post(f"{table.game}/players/{seat}/star", {"space": space, "star": star})


def finish(table: Table, **form: Any) -> str:
    """Tap "to the score"; where that leads."""
    answer = table.player.post(f"{table.game}/live/finish", form)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def document_of(table: Table) -> dict[str, Any]:
    return dict(table.app.extensions["stargazer"].games.open(table.id).document)


def take_away(table: Table, *spaces: str, board: int = 0) -> None:
    for space in spaces:
        table.see(board=board, kind="removed", space=space)


def test_a_table_at_which_nothing_happened_takes_no_board_away(table: Table) -> None:
    enter(table, FULL)
    enter(table, {"core": "red"}, seat=1)
    table.player.post(f"{table.game}/nebula/values", {"colours": "yellow"})
    assert finish(table) == f"{table.game}/players/0/review"
    assert (kept(table), kept(table, 1)) == (FULL, {"core": "red"})
    values = table.app.extensions["stargazer"].games.open(table.id).document["values"]
    assert values["colours"] == ["yellow"]


def test_a_board_that_was_never_seen_is_asked_for(table: Table) -> None:
    table.place(0, FULL)
    take_away(table, *FULL)
    assert finish(table) == f"{table.game}/nebula/values", (
        "no token was moved: that is asked as well"
    )
    ana, luis = document_of(table)["players"]
    assert ana["stars"] == FULL and luis["board"] is None
    page = table.player.get(f"{table.game}/photographs").text
    assert "Not seen on the table: Luis." in page and page.count("Not seen on the table<") == 1
    answer = table.player.post(f"{table.game}/nebula/values", {})
    assert answer.headers["Location"] == f"{table.game}/photographs"
    done = table.player.post(f"{table.game}/photographs/done")
    assert done.status_code == 422 and "Each board needs a photograph" in done.text
    table.player.post(f"{table.game}/photographs/players/1/hand")
    review = f"{table.game}/players/1/review"
    assert "say that it is empty" in table.player.post(review).text
    assert table.player.post(review, {"empty": "yes"}).status_code == 303
    assert table.player.get(table.game).headers["Location"] == f"{table.game}/players/0/review"
    assert table.player.get(f"{table.game}/score").status_code == 303


def test_a_table_of_which_nothing_was_seen_is_not_over(table: Table) -> None:
    before = document_of(table)
    assert finish(table) == f"{table.game}/photographs"
    assert document_of(table) == before
    assert "Not seen on the table: Ana, Luis." in table.player.get(f"{table.game}/photographs").text


def test_each_board_is_shown_with_what_it_breaks_before_the_points(table: Table) -> None:
    table.player.post(f"{table.game}/nebula/values", {"colours": "yellow"})
    table.place(0, {**FULL, "ar2": "red"})
    table.place(1, {"core": "white"})
    for board, stars in enumerate((FULL, {"core": "white"})):
        take_away(table, *stars, board=board)
    assert finish(table) == f"{table.game}/players/0/review"
    page = table.player.get(f"{table.game}/players/0/review").text
    assert "Aries 1" in page and "1 rule is broken" in page
    assert "It really looks like this" in page and "Nothing is doubtful" not in page
    table.player.post(f"{table.game}/players/0/review")
    table.player.post(f"{table.game}/nebula/players/0/personal", {"card": "O19"})
    assert table.player.get(table.game).headers["Location"] == f"{table.game}/players/1/review"
    page = table.player.get(f"{table.game}/players/1/review").text
    assert "This is what was seen on the table. No rule is broken." in page
    assert "The board is right" in page


def test_boards_that_break_nothing_are_shown_and_confirmed_together(table: Table) -> None:
    table.player.post(f"{table.game}/nebula/values", {"colours": "yellow"})
    table.place(0, FULL)
    table.place(1, {"core": "white"})
    review = finish(table)
    page = table.player.get(review).text
    assert "Both boards are right" in page and page.count('class="galaxy small"') == 2
    table.player.post(review, as_shown(page))
    assert {"review-0", "review-1"} <= set(document_of(table)["confirmed"])


def test_a_board_followed_live_is_corrected_in_its_review(table: Table) -> None:
    table.place(0, FULL)
    table.place(1, {"core": "white"})
    finish(table)
    answer = table.player.post(
        f"{table.game}/players/0/star", {"space": "ar1", "star": ""}, headers={"X-Partial": "1"}
    )
    assert 'id="palette' not in answer.text and "ar1" not in kept(table)
    assert "Followed live" in table.player.get(f"{table.game}/photographs").text
    for space in list(kept(table)):
        table.player.post(f"{table.game}/players/0/star", {"space": space, "star": ""})
    answer = table.player.post(f"{table.game}/players/0/review")
    assert answer.status_code == 422 and "say that it is empty" in answer.text


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Luis", "Eva")])
def test_players_that_change_while_the_table_is_taken_over_make_no_half_of_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    table.player.post(f"{table.game}/nebula/values", {"colours": "yellow"})
    table.place(0, FULL)
    table.place(1, {"core": "white"})
    other, table_of = Player(table.app.test_client()), live_finish._table

    def meanwhile(*asked: Any) -> Any:
        found = table_of(*asked)
        if len(document_of(table)["players"]) == 2:
            assert other.post(f"{table.game}/players", players_form(*names)).status_code == 303
        return found

    monkeypatch.setattr(live_finish, "_table", meanwhile)
    location = finish(table)
    followed = [bool(player["board"]) for player in document_of(table)["players"]]
    assert followed == [True, True, False][: len(names)]
    assert location == f"{table.game}/" + ("players/0/review", "photographs")[len(names) > 1]


def test_boards_that_the_game_has_otherwise_are_asked_about_one_by_one(table: Table) -> None:
    nothing_to_choose = table.player.get(f"{table.game}/live/finish")
    assert nothing_to_choose.headers["Location"] == f"{table.game}/live"
    enter(table, FULL)
    enter(table, {"core": "red"}, seat=1)
    table.place(0, {"core": "blue"})
    table.place(1, {"core": "white"})
    assert finish(table) == f"{table.game}/live/finish"
    assert (kept(table), kept(table, 1)) == (FULL, {"core": "red"})
    page = table.player.get(f"{table.game}/live/finish").text
    assert page.count('class="galaxy small"') == 4
    shown = re.search(r'name="revision" value="(\d+)"', page)
    finish(table, revision=shown[1], **{"board-0": "game", "board-1": "table"})
    assert (kept(table), kept(table, 1)) == (FULL, {"core": "white"})
    assert (
        "The boards are those of the table" in table.player.get(f"{table.game}/nebula/values").text
    )
    table.player.post(f"{table.game}/undo")
    assert (kept(table), kept(table, 1)) == (FULL, {"core": "red"})


def test_what_another_phone_did_meanwhile_is_shown_before_it_goes(table: Table) -> None:
    enter(table, FULL)
    table.place(0, {"core": "blue"})
    table.place(1, {"core": "white"})
    page = table.player.get(f"{table.game}/live/finish").text
    shown = re.search(r'name="revision" value="(\d+)"', page)
    enter(table, {"core": "purple"})  # the other phone
    answer = table.player.post(f"{table.game}/live/finish", {"revision": shown[1]})
    assert answer.status_code == 409 and "The game has changed in the meantime." in answer.text
    assert kept(table)["core"] == "purple"


def test_a_photograph_that_is_read_after_the_score_leaves_its_boards(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.place(0, FULL)
    table.place(1, {"core": "white"})
    finish(table)
    queue = table.app.extensions["stargazer"].reading_queue
    reading = {"format": 1, "photo": "x", "size": [1, 1], "boards": [read_board()]}
    monkeypatch.setattr(queue, "_read", lambda *_: ReadPhotograph(reading, b"", (b"",)))
    text = table.player.read_photograph(table.game, player=0)
    assert "Which board of Ana counts?" in text and kept(table) == FULL


def test_clearing_up_is_noticed_and_the_boards_are_scored_as_they_lay(table: Table) -> None:
    table.place(0, FULL)
    table.place(1, {"core": "white"})
    table.see(kind="black", count=3)
    take_away(table, *ARIES)
    table.see(kind="black", count=0)
    page = table.page()
    assert "The boards are being cleared. Is the game over?" in page
    asked = re.search(r'name="at" value="(\d+)"><button class="secondary" id="over-yes"', page)
    take_away(table, "core")
    take_away(table, "core", board=1)
    finish(table, at=asked[1])
    assert (kept(table), kept(table, 1)) == (FULL, {"core": "white"})
    document = table.app.extensions["stargazer"].games.open(table.id).document
    assert document["players"][0]["black"] == 3
    assert document["players"][0]["career"] == {"V1": "first"}


def test_the_score_of_a_cleared_table_is_that_of_the_last_full_one(table: Table) -> None:
    table.place(0, FULL)
    take_away(table, *FULL)
    finish(table)
    assert kept(table) == FULL


def test_a_game_that_goes_on_is_not_asked_again_for_the_same_stars(table: Table) -> None:
    table.place(0, FULL)
    take_away(table, *ARIES)
    assert table.tap("playing") == 204
    assert "Is the game over?" not in table.page() and "The game continues" in table.page()
    table.place(0, ARIES)
    assert table.stars() == FULL
    take_away(table, "ar1", "ar2", "ar3")
    assert "Is the game over?" not in table.page()


def test_corrections_and_moves_are_no_clearing_up(table: Table) -> None:
    table.place(0, FULL)
    for space in ("ar1", "ar2", "ar3"):
        take_away(table, space)
    assert "Is the game over?" not in table.page(), "a few"
    for space in FULL:
        table.tap("star", seat=0, space=space, star="")
    assert "Is the game over?" not in table.page(), "what a player tells"
    for space, star in FULL.items():
        table.place(0, {space: star})
        take_away(table, space)
    assert "Is the game over?" not in table.page(), "each laid again"


def test_stars_that_go_one_by_one_in_an_evening_are_no_clearing_up(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clearing, "PAUSE", timedelta(0))
    table.place(0, FULL)
    take_away(table, *FULL)
    assert "Is the game over?" not in table.page()


def test_other_pages_say_that_a_game_is_followed_live(table: Table) -> None:
    assert "Followed live" not in table.player.get("/").text
    table.place(0, FULL)
    assert "Followed live" in table.player.get("/").text
    assert table.player.get(table.game).headers["Location"] == f"{table.game}/live"
    assert "Followed live: to the table" in table.player.get(f"{table.game}/nebula/values").text
    finish(table)
    assert "Followed live" not in table.player.get("/").text


def test_what_a_card_needs_another_star_for_is_not_called_missing(table: Table) -> None:
    table.place(0, {**ARIES, "ar5": "purple", "ar4": "blue"})  # V1: in exactly three colours
    take_away(table, "ar4")
    row = re.search(r'id="progress-V1-0".*?</button>', table.page(), re.DOTALL)
    assert "missing: Aries 4" in row[0] and "another star would be needed on: Aries 5" in row[0]


def test_every_moment_of_the_time_line_can_be_scored(table: Table) -> None:
    table.place(0, {"core": "red", "ar1": "blue", "ar2": "white"})
    page = table.page("?at=2")
    assert "Score this moment" in page and 'name="at" value="2"' in page
    finish(table, at=2)
    assert kept(table) == {"core": "red", "ar1": "blue"}
