"""Doubtful places of the boards in a photograph of the whole table."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from tests.webapp.conftest import STARS, Player, TellingReader, document_of, read_board
from tests.webapp.whole_table.conftest import LEFT, OTHER, RIGHT, asked, photograph


def test_a_doubtful_place_is_asked_on_the_page_and_no_board_confirmed_before(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    reader.boards[0] = {**read_board(), "corners": LEFT}
    page = photograph(player, game)
    assert 'id="question-message"' in page and f'name="back" value="{game}/table"' in page
    player.post(f"{game}/table")
    confirmed = document_of(app, game)["confirmed"]
    assert "review-0" not in confirmed and "review-1" in confirmed


def test_doubtful_places_of_all_boards_are_confirmed_by_one_tick_of_their_own(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    red_beside = {**OTHER, "ar4": "red"}
    reader.boards = [
        {**read_board(stars), "corners": corners}
        for stars, corners in ((STARS, LEFT), (red_beside, RIGHT))
    ]
    likely = {"guess-0-ar3": "orange", "guess-1-ar3": "orange"}
    tick = {"as-shown": "yes"}

    def kept(sent: Mapping[str, str]) -> tuple[list[Any], list[bool]]:
        game = player.new_game("Ana", "Luis")
        page = photograph(player, game)
        assert 'id="question-message"' not in page, "not one by one"
        assert asked(page) == [*likely]
        for name, piece in likely.items():
            assert f'name="{name}" value="{piece}" checked' in page
        player.post(f"{game}/table", sent)
        document = document_of(app, game)
        confirmed = [f"review-{seat}" in document["confirmed"] for seat in (0, 1)]
        return [own["stars"].get("ar3") for own in document["players"]], confirmed

    read = ["orange", "orange"]
    for unconfirmed in ({}, likely, tick):
        assert kept(unconfirmed) == (read, [False, False]), unconfirmed
    assert kept({**likely, **tick}) == (read, [True, True])
    assert kept({**likely, **tick, "guess-1-ar3": "?"}) == (read, [True, False])
    assert kept({**likely, **tick, "guess-1-ar3": ""}) == (["orange", None], [True, True])
    breaks = {**likely, **tick, "guess-1-ar3": "red"}
    assert kept(breaks) == (["orange", "red"], [True, False]), "a rule"
    assert kept({**likely, **tick, "guess-1-ar3": "purple"}) == (read, [True, False])


def test_spaces_left_open_are_mentioned_and_not_offered_as_guessed_again(
    player: Player, reader: TellingReader, game: str
) -> None:
    reader.boards = [{**read_board(), "corners": LEFT}, {**read_board(), "corners": RIGHT}]
    photograph(player, game)
    next_page = player.post(f"{game}/table", {"guess-0-ar3": "?", "guess-1-ar3": "orange"})
    review = f"{game}/players/0/review"
    assert next_page.headers["Location"] == review, "no board needs a photograph of its own"
    notice = "The doubtful spaces were not confirmed"
    assert notice in player.get(next_page.headers["Location"]).text
    page = player.get(f"{game}/table").text
    assert 'name="guess-0-ar3" value="?" checked' in page
    assert 'name="guess-0-ar3" value="orange" checked' not in page
    assert 'name="guess-1-ar3" value="orange" checked' in page
    answered = {"guess-0-ar3": "orange", "guess-1-ar3": "orange", "as-shown": "yes"}
    next_page = player.post(f"{game}/table", answered)
    assert notice not in player.get(next_page.headers["Location"]).text


def test_a_place_that_is_hidden_is_asked_alone_before_the_others(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    first, second = read_board(), read_board()
    hidden = {**first["flags"][0], "kind": "hidden", "spaces": ["ar4"]}
    spaces = {**first["spaces"], "ar4": {"star": "yellow", "confidence": 0.5}}
    first = {**first, "spaces": spaces, "flags": [*first["flags"], hidden]}
    reader.boards = [{**first, "corners": LEFT}, {**second, "corners": RIGHT}]
    page = photograph(player, game)
    assert "guess-" not in page and 'name="space" value="ar4"' in page
    player.post(f"{game}/players/0/star", {"space": "ar4", "star": "yellow"})
    assert asked(player.get(f"{game}/table").text) == ["guess-0-ar3", "guess-1-ar3"]
