"""Whose each board in a photograph of the whole table is."""

import re
from collections.abc import Mapping
from typing import Any

from flask import Flask

from tests.webapp.conftest import STARS, Player, TellingReader, document_of, read_board
from tests.webapp.whole_table.conftest import (
    LEFT,
    OTHER,
    RIGHT,
    WHOSE,
    FakeTableReader,
    asked,
    name_owner,
    names_offered,
    send,
    send_busy,
)
from webapp.app.session.game_document import game_data

OTHERS = (("red", LEFT), ("blue", RIGHT))


def test_the_owner_of_each_board_is_asked_first(player: Player, app: Flask, game: str) -> None:
    page = send(player, game)
    assert WHOSE in page and not asked(page) and "All right" not in page
    assert names_offered(page) == ["Ana", "Luis"]
    left = "".join(f"{x},{y} " for x, y in LEFT)
    assert re.search(f'class="doubtful asked"\\s+points="{left}"', page)
    assert player.post(f"{game}/table").status_code == 422
    assert document_of(app, game)["confirmed"] == ["players"], "a guess is nobody's answer"
    page = name_owner(player, game, page, "Luis")
    assert WHOSE not in page and "All right" in page
    player.post(f"{game}/table")
    kept = document_of(app, game)
    assert [own["stars"]["ar4"] for own in kept["players"]] == [OTHER["ar4"], STARS["ar4"]]
    page = player.get(f"{game}/nebula/players/0/personal").text
    assert re.search(r'value="O2" aria-current="true"', page)


def test_the_owner_of_a_board_is_asked_after_cards_that_may_show_it(
    player: Player, app: Flask, table_reader: FakeTableReader, game: str
) -> None:
    player.post(f"{game}/nebula/players/1/personal", {"card": "O2"})
    page = send_busy(player, game, table_reader)
    assert WHOSE not in page and "Reading the photograph" in page and not asked(page)
    answer = player.get(f"{game}/players/0/review")
    assert answer.headers["Location"] == f"{game}/table", "it may be the other one's"
    table_reader.is_free.set()
    player.wait_for_reading(game)
    assert WHOSE not in player.get(f"{game}/table").text


def test_the_second_phone_to_assign_a_board_is_refused(
    player: Player, app: Flask, game: str
) -> None:
    page = send(player, game)
    board = re.search(r'name="board" value="([^"]+)"', page)
    shown = re.search(r'name="revision" value="(\d+)"', page)
    assert board and shown
    form = {"board": board[1], "back": f"{game}/table", "revision": shown[1]}
    first, second = (
        player.post(place, form) for place in re.findall(r'formaction="([^"]+/board)"', page)
    )
    assert (first.status_code, second.status_code) == (303, 409)
    assert "Somebody else has just changed this." in second.text and WHOSE not in second.text
    comes_back = re.findall(
        r'(?:data-answers-form|data-page|name="back"\s+value)="([^"]+)"', second.text
    )
    assert len(comes_back) >= 3 and {*comes_back} == {f"{game}/table"}, "what can be opened"
    kept = document_of(app, game)["players"]
    assert [own["board"]["index"] for own in kept] == [0, 1], "Ana's, as the first one said"


def test_the_review_waits_until_its_board_has_an_owner(
    player: Player, app: Flask, game: str
) -> None:
    player.lay_cards(game)
    page = send(player, game)
    answer = player.post(f"{game}/photographs/done")
    review = answer.headers["Location"]
    assert review == f"{game}/players/0/review"
    assert player.get(review).headers["Location"] == f"{game}/table"
    part = player.get(review, headers={**player.headers, "X-Partial": "1"})
    assert part.headers["Location"] == f"{game}/table"
    before = document_of(app, game)
    for what, form in (("star", {"space": "ar1", "star": "red"}), ("review", {})):
        answer = player.post(f"{game}/players/0/{what}", form)
        assert answer.headers["Location"] == f"{game}/table"
        sent = player.post(f"{game}/players/0/{what}", form, headers={"X-Partial": "1"})
        assert sent.status_code == 409, "a redirect would be taken for delivered"
        assert sent.json == {"error": 409, "message": "First say whose board this is."}
    assert document_of(app, game) == before
    name_owner(player, game, page, "Luis")
    assert player.get(review).status_code == 200


def test_known_owners_of_boards_are_not_asked_again(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    send(player, game)
    player.post(f"{game}/photographs/players/0/swap", {"other": "1"})
    assert WHOSE not in player.get(f"{game}/table").text
    first, second = (board["corners"] for board in reader.boards)
    reader.boards = [
        {**reader.boards[0], "corners": second},
        {**reader.boards[1], "corners": first},
    ]
    assert WHOSE not in send(player, game), "the same boards, from the other side"
    kept = document_of(app, game)["players"]
    assert [own["stars"]["ar4"] for own in kept] == [OTHER["ar4"], STARS["ar4"]]
    reader.boards = [{**read_board({"core": star}, 1), "corners": at} for star, at in OTHERS]
    assert WHOSE in send(player, game)


def test_no_board_is_offered_by_guess(
    player: Player, app: Flask, reader: TellingReader, game: str
) -> None:
    name_owner(player, game, send(player, game), "Luis")
    player.post(f"{game}/table")
    before = document_of(app, game)["players"]
    send(player, game)
    kept = document_of(app, game)["players"]
    assert [own.get("offered") for own in kept] == [None, None]
    assert [own["stars"] for own in kept] == [own["stars"] for own in before]
    reader.boards[0] = {**read_board({**STARS, "ta2": "red"}, doubtful=""), "corners": LEFT}
    send(player, game)
    offered = [own.get("offered") for own in document_of(app, game)["players"]]
    assert offered[0] is None and offered[1] and offered[1]["index"] == 0, "the one it is like"
    reader.boards = [{**read_board({"core": star}, 1), "corners": at} for star, at in OTHERS]
    send(player, game)
    assert document_of(app, game)["players"][1]["offered"] == offered[1]


def test_of_several_boards_each_but_the_last_is_asked_about(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    game = player.new_game("Ana", "Luis", "Eva")
    page = send(player, game)
    assert names_offered(page) == ["Ana", "Luis", "Eva"], "hers may be the one that is not there"
    page = name_owner(player, game, page, "Eva")
    assert names_offered(page) == ["Ana", "Luis"]
    page = name_owner(player, game, page, "Ana")
    assert WHOSE not in page
    boards = [own["board"] and own["board"]["index"] for own in document_of(app, game)["players"]]
    assert boards == [1, None, 0]


def test_the_only_board_is_not_asked_about(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    reader.boards = reader.boards[:1]
    assert WHOSE not in send(player, player.new_game("Ana"))
    both = player.new_game("Ana", "Luis")
    assert WHOSE in send(player, both), "the other one's may be missing"
    player.post(f"{both}/photographs/players/1/hand", {})
    assert WHOSE not in player.get(f"{both}/table").text


def test_a_known_card_beside_a_board_tells_whose_it_is(player: Player, app: Flask) -> None:
    for card, is_asked in (("O2", False), ("O1", True)):
        game = player.new_game("Ana", "Luis")
        player.post(f"{game}/nebula/players/1/personal", {"card": card})
        assert (WHOSE in send(player, game)) == is_asked, card


def test_boards_with_pieces_of_a_player_s_colour_are_theirs(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    def guild(colour: str, corners: Any) -> Mapping[str, Any]:
        pile = {"pieces": {f"craftsman_{colour}": 2, "wood": 1}, "confidence": 0.99}
        empty = {"spaces": {}, "loose": [], "flags": []}
        regions = {"pile_1": pile}
        profile = "standard-guild"
        return {"profile": profile, "corners": corners, "regions": regions, **empty}

    def owners(first: str, second: str) -> tuple[bool, list[int]]:
        reader.boards = [guild(first, LEFT), guild(second, RIGHT)]
        game = player.new_game("Ana", "Luis", mode="", markers=("blue", "red"), game="via_nebula")
        is_asked = WHOSE in send(player, game)
        kept = document_of(app, game)
        boards = [own["board"] for own in kept["boards"] if own["kind"] == "guild"]
        player.post(f"{game}/photographs/players/1/swap", {"other": "2"})
        swapped = document_of(app, game)
        assert swapped["assigned"] and {*game_data(swapped)} == {*game_data(kept)}
        return is_asked, [own["index"] for own in boards]

    assert owners("blue", "red") == (False, [0, 1])
    assert owners("red", "blue") == (False, [1, 0])
    assert owners("red", "red") == (True, [1, 0])
