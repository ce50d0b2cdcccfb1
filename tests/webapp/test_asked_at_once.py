"""Doubtful places that look alike: one question, one tap, and one step back."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scorer.board_state import BoardState
from scorer.registry import find_game
from tests.webapp.conftest import Player, TellingReader, read_board
from webapp.app.reading.uncertainties import Question, asked_at_once

SAND, SUN, SEA = "#c8b890", "#c4b08c", "#4868b0"
COLOURS = {"ar1": SAND, "ar2": SUN, "ar4": SAND, "ta1": SEA, "ta2": SEA}


@pytest.fixture
def board() -> Mapping[str, Any]:
    """Five doubtful places: three of sand, between yellow and orange, and two blue ones."""
    read = read_board({"ar1": "yellow", "ar2": "orange", "ar4": "yellow", "ta1": "blue"})
    for space, colour in COLOURS.items():
        read["spaces"][space] |= {"confidence": 0.55, "colour": colour}
    read["spaces"]["ar3"]["confidence"] = 0.99
    chances = {"yellow": 0.55, "orange": 0.45}
    sea = {"blue": 0.5, "empty": 0.5}
    flags = [
        {"kind": "uncertain", "spaces": [space], "alternatives": sea if colour == SEA else chances}
        for space, colour in COLOURS.items()
    ]
    return {**read, "flags": flags}


def places(question: Question) -> set[str]:
    return {one.place for one in question.each}


def page_of(player: Player, reader: TellingReader, board: Mapping[str, Any]) -> tuple[str, str]:
    reader.boards = [board]
    game = player.new_game("Ana")
    player.read_photograph(game)
    return game, player.get(f"{game}/players/0/review").text


def doubts(page: str) -> set[str]:
    found = re.search(r'data-doubts="([^"]*)"', page)
    return {*found[1].split(",")} - {""}


def test_only_places_between_the_same_answers_and_of_one_colour_are_asked_at_once(
    board: Mapping[str, Any],
) -> None:
    read = BoardState.from_data(board, find_game("nebula"))

    def asked(space: str, *candidates: str, answered: bool = False) -> Question:
        at = next(place for place in read.places if place.id == space)
        return Question(space, "uncertain", candidates, answered, (0, 0, 9, 9), at)

    yellow = [asked("ar1", "yellow", "orange", ""), asked("ar2", "orange", "yellow", "")]
    (one,) = asked_at_once(yellow, read)
    assert places(one) == {"ar1", "ar2"}
    assert one.candidates == ("yellow", "orange", "")
    apart = [
        asked("ar4", "yellow", "", "orange"),  # between yellow and nothing
        asked("ta1", "yellow", "orange", ""),  # of another colour
        asked("ta2", "yellow", "orange", "", answered=True),
        asked("core", "yellow", "orange", ""),  # of no known colour
    ]
    assert len(asked_at_once([*yellow, *apart], read)) == 5
    answered = [replace(question, is_answered=True) for question in yellow]
    assert len(asked_at_once(answered, read)) == 2


def test_one_tap_answers_for_all_that_look_alike(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    game, page = page_of(player, reader, board)
    assert doubts(page) == {*COLOURS}
    assert "What is on these spaces? They look alike." in page and "1–3 of 5" in page
    assert page.count('type="checkbox" form="answers" name="spaces"') == 3
    three = {"spaces": ["ar1", "ar2", "ar4"], "star": "yellow"}
    answered = player.post(f"{game}/players/0/alike", three, headers={"X-Partial": "1"}).text
    assert doubts(answered) == {"ta1", "ta2"}
    assert "What is on these spaces?" in answered and "4–5 of 5" in answered
    assert all(f'aria-label="Aries {n}: yellow' in answered for n in (1, 2, 4))
    back = player.post(f"{game}/players/0/review/undo", headers={"X-Partial": "1"}).text
    assert doubts(back) == {*COLOURS}, "one step takes all of them back"
    assert 'aria-label="Aries 2: orange, doubtful' in back


def test_what_is_left_out_is_asked_next(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    game, _page = page_of(player, reader, board)
    two = {"spaces": ["ar1", "ar4"], "star": "yellow"}
    page = player.post(f"{game}/players/0/alike", two, headers={"X-Partial": "1"}).text
    assert doubts(page) == {"ar2", "ta1", "ta2"}
    assert "What is on a space of Aries on orbit 2?" in page


def test_what_was_answered_is_looked_at_again_space_by_space(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    game, _page = page_of(player, reader, board)
    player.post(f"{game}/players/0/alike", {"spaces": ["ar1", "ar4"], "star": "yellow"})
    player.post(f"{game}/players/0/star", {"space": "ar2", "star": "orange"})
    again = player.get(f"{game}/players/0/review?ask=0").text
    assert "1 of 5" in again and 'name="spaces"' not in again


def test_where_all_are_left_out_they_are_asked_again(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    game, _page = page_of(player, reader, board)
    for headers, status in (({"X-Partial": "1"}, 200), ({}, 303)):
        none = player.post(f"{game}/players/0/alike", {"star": "yellow"}, headers=headers)
        assert none.status_code == status
    page = player.get(f"{game}/players/0/review").text
    assert page.count('name="spaces"') == 3
    assert re.search(r'id="undo"[^>]* disabled', page), "nothing was changed"


def test_a_colour_that_is_none_is_like_no_other(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    board["spaces"]["ar1"]["colour"] = "brown"
    _game, page = page_of(player, reader, board)
    assert doubts(page) == {*COLOURS} and " of 5" in page


@pytest.mark.parametrize(
    ("spaces", "star"), [(["ar1", "nowhere"], "yellow"), (["ar1"], "green"), (["black"], "")]
)
def test_no_places_or_pieces_but_the_boards_own(
    player: Player, reader: TellingReader, board: Mapping[str, Any], spaces: list[str], star: str
) -> None:
    game, _page = page_of(player, reader, board)
    wrong = player.post(f"{game}/players/0/alike", {"spaces": spaces, "star": star})
    assert wrong.status_code == 422
    assert doubts(player.get(f"{game}/players/0/review").text) == {*COLOURS}


def test_an_answer_to_a_page_that_is_out_of_date_is_not_taken(
    player: Player, reader: TellingReader, board: Mapping[str, Any]
) -> None:
    game, _page = page_of(player, reader, board)
    form = {"spaces": ["ar1", "ar2"], "star": "yellow", "revision": 0}
    assert player.post(f"{game}/players/0/alike", form).status_code == 409
    assert doubts(player.get(f"{game}/players/0/review").text) == {*COLOURS}
