"""The whole way, as a player walks it: from the players to the winner, and back again."""

import io
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from tests.webapp.conftest import (
    CARDS,
    STARS,
    VALUES,
    Player,
    TellingReader,
    as_shown,
    jpeg,
    read_board,
)
from webapp.app.session import game_document
from webapp.app.session.saved_games import PAGE


def test_each_confirmed_step_leads_to_the_next(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    assert player.get(game).headers["Location"] == f"{game}/nebula/cards"
    assert player.post(f"{game}/nebula/cards", CARDS).headers["Location"] == f"{game}/nebula/values"
    assert player.post(f"{game}/nebula/values", VALUES).headers["Location"] == f"{game}/photographs"
    for _ in range(2):
        player.send_photograph(game)
    player.wait_for_reading(game)
    for step, data, onward in (
        ("photographs/done", {}, "players/0/review"),
        ("players/0/review", {}, "nebula/players/0/personal"),
        ("nebula/players/0/personal", {"card": "O19"}, "players/1/review"),
        ("players/1/review", {}, "nebula/players/1/personal"),
        ("nebula/players/1/personal", {"card": "O1"}, "nebula/markers"),
        ("nebula/markers", {}, "score"),
    ):
        answer = player.post(f"{game}/{step}", data)
        assert answer.headers["Location"] == f"{game}/{onward}"
        page = player.get(answer.headers["Location"])
        assert page.status_code == 200
        if onward == "nebula/markers":
            assert "To the score</button>" in page.text, "what the last page leads to"
    assert "Continue</button>" in player.get(f"{player.new_game('Ana')}/nebula/cards").text


def test_an_introductory_game_has_no_values_and_no_advanced_cards(player: Player) -> None:
    game = player.new_game("Ana", mode="intro")
    page = player.get(f"{game}/nebula/cards").text
    assert 'data-card="V1"' in page and 'data-card="B1"' not in page
    onward = player.post(f"{game}/nebula/cards", {"career": CARDS["career"]}).headers["Location"]
    assert onward == f"{game}/photographs"


def test_a_game_is_left_and_taken_up_again_where_it_was(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    home = player.get("/").text
    assert "Ana, Luis" in home and "Next: Photographs" in home and "Followed live" not in home
    assert player.get(game).headers["Location"] == f"{game}/photographs"


def test_a_later_page_of_an_unfinished_game_leads_back_to_what_is_missing(player: Player) -> None:
    game = player.new_game("Ana")
    assert player.get(f"{game}/score").headers["Location"] == f"{game}/nebula/cards"
    assert player.get(f"{game}/score/0").headers["Location"] == f"{game}/score"


def test_a_doubtful_space_is_asked_about_until_it_was_looked_at(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    page = player.get(f"{game}/players/0/review").text
    assert 'data-doubts="ar3"' in page
    assert 'aria-label="Aries 3: orange, doubtful"' in page
    assert "What is on a space of Aries on orbit 3 with a bright rim?" in page and "1 of 1" in page
    answers = re.findall(r'class="answer" id="answer-\d" name="star" value="(\w*)"', page)
    assert answers == ["orange", "red", ""], "what was read first, what else is likely, nothing"
    assert "Nothing is doubtful" not in page and "Everything is right as drawn" in page
    answer = player.post(f"{game}/players/0/star", {"space": "ar3", "star": "red"})
    page = player.get(answer.headers["Location"]).text
    assert 'data-doubts=""' in page and 'aria-label="Aries 3: red"' in page
    assert "Nothing is doubtful, and no rule is broken." in page and "What is on" not in page
    back = player.get(f"{game}/players/0/review?ask=0").text
    assert "What is on a space of Aries on orbit 3 with a bright rim?" in back, "asked again"
    assert player.get(f"{game}/players/0/review?ask=99").status_code == 200


def test_a_doubtful_number_of_black_stars_is_a_question_like_the_others(
    player: Player, reader: TellingReader
) -> None:
    board = dict(read_board())
    board["black"] = {"count": 4, "confidence": 0.6}
    wavering = {"kind": "uncertain", "spaces": ["black"], "alternatives": {"4": 0.6, "5": 0.38}}
    board["flags"] = [*board["flags"], wavering, {"kind": "black_gap", "spaces": []}]
    board["loose"] = [{"star": "blue", "at": [10, 10]}]
    board["samples"] = "left_out"
    reader.boards = [board]
    game = player.new_game("Ana")
    player.read_photograph(game)
    reported = {"space": "ar3", "star": "red"}
    part = player.post(f"{game}/players/0/star", reported, headers={"X-Partial": "1"}).text
    assert "Black stars: count them" in part, "the next question comes without a page"
    page = player.get(f"{game}/players/0/review").text
    assert "Black stars: count them" in page and "2 of 2" in page
    assert re.findall(r'id="answer-\d" name="count" value="(\d)"', page) == ["3", "4", "5"]
    assert "players/0/review?ask=0" in page, "the question before"
    assert "Nothing is doubtful" not in page
    assert "There is a gap between the black stars" in page
    assert "1 star is on the board but not on a space." in page
    assert "This board was read without them." in page
    player.post(f"{game}/players/0/tracks/black", {"count": 4})
    page = player.get(f"{game}/players/0/review").text
    assert "count them" not in page and "Nothing is doubtful, and no rule is broken." in page


def test_a_broken_rule_is_not_called_well(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    player.post(f"{game}/players/0/star", {"space": "ar3", "star": "blue"})
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    page = player.get(f"{game}/players/0/review").text
    assert "Nothing is doubtful" not in page and "rule is broken. Correct it" in page
    assert "It really looks like this" in page


def test_the_palette_has_no_star_that_lies_on_the_track_alone(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    page = player.get(f"{game}/players/0/review").text
    palette = page[page.index('<dialog id="palette"') : page.index("</dialog>")]
    assert 'value="red"' in palette and 'value="black"' not in palette
    refused = player.post(f"{game}/players/0/star", {"space": "ar1", "star": "black"})
    assert refused.status_code == 422


def test_boards_that_are_clear_are_confirmed_with_one_tap_as_they_were_shown(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [{**read_board(), "flags": []}, {**read_board({"core": "red"}), "flags": []}]
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    player.read_photograph(game)
    player.post(f"{game}/photographs/done")
    review = f"{game}/players/0/review"
    page = player.get(review).text
    assert "Are these the boards?" in page and "Correct the board of Luis" in page
    shown = as_shown(page)
    assert "Both boards are right" in page and shown["together"] == "0,1"
    player.post(f"{game}/players/1/star", {"space": "ar1", "star": "red"})  # another phone
    stale = player.post(review, shown)
    assert stale.status_code == 409, "it is not what was shown"
    page = player.get(review).text
    assert "Both boards are right" not in page, "that breaks a rule"
    player.post(f"{game}/players/1/star", {"space": "ar1", "star": "blue"})
    onward = player.post(review, as_shown(player.get(review).text)).headers["Location"]
    assert onward == f"{game}/nebula/players/0/personal", "the card is asked for by itself"
    onward = player.post(onward, {"card": "O19"}).headers["Location"]
    assert onward == f"{game}/nebula/players/1/personal"


def test_a_no_leads_somewhere(player: Player, reader: TellingReader) -> None:
    reader.boards = [read_board(), read_board({"core": "blue"})]
    game = player.new_game("Ana", "Luis")
    player.read_photograph(game)
    page = player.get(f"{game}/players/0/review").text
    assert "It is the board of Luis" in page and "Take again" in page
    hand = player.post(f"{game}/photographs/players/0/hand", {"instead": "yes"})
    assert hand.headers["Location"] == f"{game}/players/0/review"
    page = player.get(f"{game}/players/0/review").text
    assert 'data-revision="' in page and 'aria-label="Aries 1: blue"' in page, "as it was read"


def test_a_board_that_is_missing_in_a_photograph_of_the_table_is_said(
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [read_board()] * 3
    game = player.new_game("Ana", "Luis", "Eva", "Jan")
    player.read_photograph(game)
    page = player.get(f"{game}/photographs").text
    assert "3 of 4 boards were found in this photograph" in page
    reader.boards = [read_board()]
    player.read_photograph(game, player=3)
    assert "boards were found" not in player.get(f"{game}/photographs").text


def test_a_correction_is_undone_and_done_again(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    review = f"{game}/players/0/review"
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": ""})
    assert 'aria-label="Aries 1: empty"' in player.get(review).text
    player.post(f"{review}/undo")
    assert 'aria-label="Aries 1: blue"' in player.get(review).text
    player.post(f"{review}/redo")
    assert 'aria-label="Aries 1: empty"' in player.get(review).text


def test_a_broken_rule_is_reported_in_words_with_its_spaces(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    player.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    page = player.get(f"{game}/players/0/review").text
    assert "are linked and both red" in page
    assert re.search(r'data-light="(core ar1|ar1 core)"', page)
    assert "Aries 1: red, breaks a rule" in page
    player.post(f"{game}/players/0/star", {"space": "core", "star": ""})
    page = player.get(f"{game}/players/0/review").text
    assert "The core is empty although the galaxy has stars" in page


def test_a_scripted_page_gets_the_part_that_changed(player: Player) -> None:
    game = player.new_game("Ana")
    player.read_photograph(game)
    answer = player.post(
        f"{game}/players/0/star", {"space": "ar3", "star": "red"}, headers={"X-Partial": "1"}
    )
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div class="review"')


def test_personal_cards_that_the_board_fulfils_come_first(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    for seat in range(2):
        player.send_photograph(game, player=seat)
    player.wait_for_reading(game)
    page = player.get(f"{game}/nebula/players/0/personal").text
    assert page.index("Fulfilled on this board") < page.index('value="O19"')
    assert page.index('value="O19"') < page.index("Not fulfilled") < page.index('value="O1"')


def test_where_nobody_has_played_the_first_page_begins_the_first_game(player: Player) -> None:
    first = player.get("/").text
    assert "Who won?" in first and 'action="/games/new"' in first
    game = player.new_game("Ana")
    assert "Your games" in player.get("/").text
    gone = player.post(f"{game}/delete").headers["Location"]
    assert "The game was deleted." in player.get(gone).text


def test_the_score_shows_lines_with_the_stars_that_earn_them(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    page = player.get(f"{game}/score/0").text
    assert "4 black stars, tied for most at the table" in page
    assert f'data-light="{" ".join(s for s, c in STARS.items() if c == "red")}"' in page


def test_the_leaderboard_explains_a_tie(player: Player, reader: TellingReader) -> None:
    game = player.play_to_score("Ana", "Luis")
    assert "Ana &amp; Luis share the win" in player.get(f"{game}/score").text
    assert "the place is shared" in player.get(f"{game}/score").text


def test_the_list_of_games_tells_the_results(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    player.new_game("Eva")
    page = player.get("/").text
    reported = re.search(r">Ana&nbsp;(\d+), Luis&nbsp;\1<", page)
    assert f"data-count>{reported[1]}<" in player.get(f"{game}/score").text
    assert "Next: Cards on the table" in page


@pytest.fixture
def queries() -> Iterator[list[str]]:
    """What is asked of the database, as it is asked; where transactions begin is left out."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, query: str, *_more: object) -> None:
        if not query.startswith("BEGIN"):
            asked.append(query)

    event.listen(Engine, "before_cursor_execute", note)
    yield asked
    event.remove(Engine, "before_cursor_execute", note)


def test_the_list_names_the_month_so_that_nobody_takes_the_day_for_it(player: Player) -> None:
    player.new_game("Ana")
    assert re.search(r"<time [^>]+>[A-Z][a-z]{2} \d{1,2}, \d{4}, \d", player.get("/").text)


def test_the_list_asks_the_database_as_often_for_many_games_as_for_one(
    player: Player, queries: list[str]
) -> None:
    player.play_to_score("Ana", "Luis")
    counts, games = [], 1
    for others in (1, 9):
        games += others
        for _ in range(others):
            game = player.new_game("Eva", "Zoë")
            player.lay_cards(game)
            player.post(f"{game}/undo")
        player.get("/")  # what games have come to since is taken in once
        queries.clear()
        assert player.get("/").text.count('class="game"') == games
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8, "\n".join(queries)


def test_older_games_are_a_page_away(player: Player, app: Flask) -> None:
    games = app.extensions["stargazer"].games
    for number in range(PAGE + 1):
        games.create(game_document.new_game([(f"Player {number:03}", "teal")], "full", "nebula"))
    first = player.get("/").text
    assert "Player 040" in first and "Player 000" not in first
    older = re.search(r'href="([^"]+)">Older games', first)
    assert "Player 000" in player.get(older[1]).text
    assert player.get("/?skip=99999999999999999999").status_code == 200


def test_a_finished_game_is_corrected_and_scored_again(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    before = player.get(f"{game}/score").text
    player.post(f"{game}/players/1/star", {"space": "ta2", "star": "yellow"})
    assert player.post(f"{game}/players/1/review").headers["Location"] == f"{game}/score"
    after = player.get(f"{game}/score").text
    assert "Luis wins" in after and "Luis wins" not in before


def test_a_deleted_game_comes_back_or_goes_with_its_photographs(player: Player, app) -> None:
    game = player.play_to_score("Ana")
    pictures = app.extensions["stargazer"].settings.photographs
    gone = player.post(f"{game}/delete").headers["Location"]
    assert player.get(game).status_code == 404
    assert "The game was deleted." in player.get(gone).text
    player.post(f"{game}/restore")
    assert player.get(game).status_code == 303
    player.post(f"{game}/delete")
    assert list(pictures.rglob("*.photo"))
    from datetime import timedelta

    app.extensions["stargazer"].clear_away(timedelta(0))
    assert not list(pictures.rglob("*.*"))
    assert player.post(f"{game}/restore").status_code == 404


def test_names_of_uploads_are_never_paths(player: Player, app, tmp_path) -> None:
    game = player.new_game("Ana")
    answer = player.post(
        f"{game}/photographs", {"photo": (io.BytesIO(jpeg()), "../../../evil.jpg")}
    )
    assert answer.status_code == 303
    player.wait_for_reading(game)
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize("page", ["players/1/review", "nebula/players/1/personal"])
def test_a_seat_that_is_not_there_is_not_found(player: Player, page: str) -> None:
    game = player.new_game("Ana")
    assert player.get(f"{game}/{page}").status_code == 404


def test_what_keeps_a_game_from_its_score_is_reported_in_the_players_language(
    player: Player, app: Flask
) -> None:
    game = player.play_to_score("Ana", "Luis")
    app.extensions["stargazer"].games.change(
        game.rsplit("/", 1)[1],
        "markers",
        lambda kept: {
            **kept,
            "players": [{**seat, "career": {"V5": "first"}} for seat in kept["players"]],
        },
    )
    refused = player.get(f"{game}/score", headers={"Accept-Language": "cs"})
    assert refused.status_code == 422
    assert "první už byl hráč Ana; první může být jen jeden" in refused.text


def test_a_request_that_no_page_makes_is_refused_in_the_players_language(player: Player) -> None:
    game = player.new_game("Ana")
    form = {"space": "nowhere", "star": "red"}
    spanish = {"Accept-Language": "es"}
    refused = player.post(f"{game}/players/0/star", form, headers=spanish)
    assert refused.status_code == 422 and "Esto no se puede hacer" in refused.text
    said = player.post(f"{game}/players/0/star", form, headers={**spanish, "X-Partial": "1"})
    assert said.status_code == 422 and said.json
    assert said.json["message"].startswith("Esto no se puede hacer. Puede que")


def test_a_card_in_the_gallery_says_what_it_asks(player: Player) -> None:
    page = player.get(f"{player.new_game('Ana')}/nebula/cards").text
    assert "Aries is complete, in exactly 3 different colours." in page.split("card-rule")[1]


def test_english_dates_follow_each_browsers_country(player: Player) -> None:
    player.new_game("Ana", "Luis")
    british, american = r">\d+ [A-Z][a-z]{2,3} \d{4}", r">[A-Z][a-z]{2} \d+, \d{4}"
    for asked, date in (("en-GB", british), ("en-US,en;q=0.9", american), ("en-GB", british)):
        assert re.search(date, player.get("/", headers={"Accept-Language": asked}).text), asked
