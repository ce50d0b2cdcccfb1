"""The cards in a photograph of the whole table: whose they are, and who was first."""

import json
import re

import pytest
from flask import Flask

from tests.webapp.conftest import Player, TellingReader, document_of, read_board
from tests.webapp.whole_table.conftest import (
    DEMO,
    LEFT,
    OWN,
    PUBLIC,
    RIGHT,
    FakeTableReader,
    asked,
    card,
    photograph,
)


def test_the_card_nearest_a_board_is_its_players_personal_card(
    player: Player, app: Flask, game: str
) -> None:
    photograph(player, game)
    player.post(f"{game}/table")
    assert {"personal-0", "personal-1"} <= {*document_of(app, game)["confirmed"]}
    shown = app.extensions["stargazer"].games.open(game.rpartition("/")[2], None)
    assert [one.get("personal") for one in shown.document["players"]] in (
        ["O1", "O2"],
        [None, None],
    )
    page = player.get(f"{game}/nebula/players/0/personal").text
    assert re.search(r'value="O1" aria-current="true"', page)


def test_the_owner_of_a_card_between_two_boards_is_asked(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    table_reader.cards = [*PUBLIC, card("O1", 380, 100), OWN[1]]
    assert asked(photograph(player, game)) == ["whose-8"]
    player.post(f"{game}/table")
    assert "personal-0" not in document_of(app, game)["confirmed"]
    player.post(f"{game}/table", {"whose-8": "0"})
    assert {"personal-0", "personal-1"} <= {*document_of(app, game)["confirmed"]}


def test_a_doubtful_card_is_asked_and_none_of_these_is_an_answer(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    doubtful = card("V17", 180, 500, 0.6, V16=0.3)
    stranger = card("V1", 700, 700, 0.5)
    table_reader.cards = [*PUBLIC[:3], doubtful, *PUBLIC[4:], *OWN, stranger]
    page = photograph(player, game)
    assert asked(page) == ["card-3", "card-10"]
    assert page.count('" required') == 3, "a candidate each: a browser sends no answer without them"
    player.post(f"{game}/table", {"card-3": "V16"})
    assert "cards" not in document_of(app, game)["confirmed"], "of one nobody said what it is"
    player.post(f"{game}/table", {"card-3": "V16", "card-10": "none"})
    assert document_of(app, game)["career"] == ["V5", "V7", "V12", "V16"]


def test_what_is_not_seen_is_asked_after_it(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    table_reader.cards, table_reader.tracks = [*PUBLIC[1:], *OWN], {}
    photograph(player, game)
    answer = player.post(f"{game}/table")
    assert answer.headers["Location"] == f"{game}/nebula/cards"
    page = player.get(f"{game}/nebula/cards").text
    assert page.count('aria-pressed="true"') == 7, "the fourth career card is left to choose"
    assert 'name="career" value="V7,V12,V17"' in page and 'value="B3,B16,B20,B24"' in page
    assert {"cards", "values"}.isdisjoint(document_of(app, game)["confirmed"])
    assert "review-0" in document_of(app, game)["confirmed"]


def test_an_ordered_deck_is_filled_in_only_if_complete(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    table_reader.cards = [one for one in (*PUBLIC, *OWN) if one["card"] not in ("V5", "B3")]
    photograph(player, game)
    page = player.get(player.post(f"{game}/table").headers["Location"]).text
    assert 'name="career" value="V7,V12,V17"' in page and 'name="advanced" value=""' in page
    assert not document_of(app, game)["career"], "chosen by nobody yet"


def test_what_somebody_confirmed_before_is_left_as_it_is(
    player: Player, app: Flask, game: str
) -> None:
    player.lay_cards(game)
    photograph(player, game)
    player.post(f"{game}/table")
    assert document_of(app, game)["values"]["colours"] == ["yellow", "red"]


def test_a_row_that_is_seen_from_the_other_side_is_read_as_its_reader_sees_it(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    turned = [
        {**one, "corners": one["corners"][2:] + one["corners"][:2]} for one in table_reader.cards
    ]
    table_reader.cards = turned
    photograph(player, game)
    player.post(f"{game}/table")
    assert document_of(app, game)["advanced"] == ["B24", "B20", "B16", "B3"]


@pytest.fixture
def contested(app: Flask, reader: TellingReader, player: Player) -> str:
    """A game of two boards that both fulfil V17, and V5 one of them."""
    truth = json.loads(DEMO.read_text()).values()
    reader.boards = [
        {**read_board(own["stars"], own["black"], ""), "corners": corners, "flags": []}
        for own, corners in zip(truth, (LEFT, RIGHT), strict=True)
    ]
    return player.new_game("Ana", "Luis")


def test_who_was_first_is_asked_with_the_photograph(
    player: Player, app: Flask, contested: str
) -> None:
    page = photograph(player, contested)
    assert asked(page) == ["first-V17"] and "V17 · Who was first?" in page
    answer = player.post(f"{contested}/table", {"first-V17": "1"})
    assert answer.headers["Location"] == f"{contested}/score"
    assert [one["career"] for one in document_of(app, contested)["players"]] == [
        {"V17": "later"},
        {"V5": "first", "V17": "first"},
    ]


def test_boards_that_are_swapped_take_along_what_lies_beside_them_and_who_was_first(
    player: Player, app: Flask, contested: str
) -> None:
    photograph(player, contested)
    player.post(f"{contested}/table", {"first-V17": "1"})
    player.post(f"{contested}/photographs/players/0/swap", {"other": "1"})
    assert not {"personal-0", "personal-1", "markers"} & {*document_of(app, contested)["confirmed"]}
    assert asked(player.get(f"{contested}/table").text) == ["first-V17"]
    answer = player.post(f"{contested}/table", {"first-V17": "0"})
    assert answer.headers["Location"] == f"{contested}/score"
    assert [one["career"] for one in document_of(app, contested)["players"]] == [
        {"V5": "first", "V17": "first"},
        {"V17": "later"},
    ]
    page = player.get(f"{contested}/nebula/players/0/personal").text
    assert re.search(r'value="O2" aria-current="true"', page)


@pytest.mark.parametrize("reply", [{}, {"first-V17": "2"}, {"first-V17": "x"}])
def test_who_was_first_is_asked_on_its_page_if_nobody_said_so(
    player: Player, app: Flask, contested: str, reply: dict[str, str]
) -> None:
    photograph(player, contested)
    answer = player.post(f"{contested}/table", reply)
    assert answer.headers["Location"] == f"{contested}/nebula/markers"
    assert not any("career" in one for one in document_of(app, contested)["players"])


def test_an_error_on_one_card_hides_the_question_of_no_other(
    player: Player, contested: str
) -> None:
    photograph(player, contested)
    player.post(f"{contested}/table", {})
    both = {"V17-0": "later", "V17-1": "later"}
    for form, hints in (({**both, "V17-0": "first"}, 1), (both, 0)):
        answer = player.post(f"{contested}/nebula/markers", {**form, "V5-1": "later"})
        assert answer.status_code == 422 and answer.text.count('class="contested"') == hints


def test_who_was_first_on_a_card_is_asked_beside_other_doubts_but_not_on_a_doubtful_card(
    player: Player, app: Flask, table_reader: FakeTableReader, contested: str
) -> None:
    doubtful = {**PUBLIC[4], "confidence": 0.6, "alternatives": {"B5": 0.3}}
    table_reader.cards = [*PUBLIC[:4], doubtful, *PUBLIC[5:], *OWN]
    assert asked(photograph(player, contested)) == ["card-4", "first-V17"]
    player.post(f"{contested}/table", {"first-V17": "0"})
    assert "markers" not in document_of(app, contested)["confirmed"], "a card is still unknown"
    player.post(f"{contested}/table", {"card-4": "B5", "first-V17": "0"})
    assert "markers" in document_of(app, contested)["confirmed"]
    other = player.new_game("Ana", "Luis")
    table_reader.cards = [*PUBLIC[:3], {**PUBLIC[3], "confidence": 0.6}, *PUBLIC[4:], *OWN]
    assert asked(photograph(player, other)) == ["card-3"]
