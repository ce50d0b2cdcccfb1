"""One photograph of the whole table: boards and cards on one page, and from there to the winner."""

import io
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

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
from webapp.app.reading.read_photograph import ReaderClosedError, UnusablePhotographError
from webapp.app.session.game_document import game_data
from webapp.app.session.saved_games import Games

Card = dict[str, Any]
WHOSE = "Whose is the marked board?"
DEMO = Path(__file__).parents[2] / "webapp/demo/truth.json"
LEFT, RIGHT = ([[x, 0], [x + 300, 0], [x + 300, 360], [x, 360]] for x in (0, 500))
OTHERS = (("red", LEFT), ("blue", RIGHT))
OTHER = {**STARS, "ar4": "purple", "ta1": "yellow"}
TRACKS = {
    "values.colours": {"order": ["red", "blue"], "certain": True},
    "values.constellations": {"order": [], "certain": True},
    "values.advanced": {"order": ["II"], "certain": True},
}


def card(name: str, x: float, y: float, confidence: float = 0.99, **alternatives: float) -> Card:
    corners = [[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]]
    return {
        "card": name,
        "confidence": confidence,
        "corners": corners,
        "alternatives": alternatives,
    }


PUBLIC = [
    card(name, 60 * number, 500) for number, name in enumerate(("V5", "V7", "V12", "V17"))
] + [card(name, 60 * number, 600) for number, name in enumerate(("B3", "B16", "B20", "B24"))]
OWN = [card("O1", 320, 100), card("O2", 450, 100)]


class Table:
    """What lies beside the boards, as a test says."""

    def __init__(self) -> None:
        self.cards: Sequence[Card] = [*PUBLIC, *OWN]
        self.tracks: Mapping[str, Any] = TRACKS
        self.is_free = Event()
        self.is_free.set()
        self.problem: Exception | None = None
        self.areas: list[Sequence[Any]] = []

    def __call__(self, path: Path, profile: str, boards: Sequence[Any]) -> dict[str, Any]:
        self.areas.append(boards)
        assert self.is_free.wait(60)
        if self.problem:
            raise self.problem
        return {"cards": list(self.cards), "tracks": self.tracks}


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    table = Table()
    monkeypatch.setattr("webapp.web.application.read_table", table)
    yield table
    table.is_free.set()


@pytest.fixture
def app(beside: Table, make_app: MakeApp, reader: TellingReader) -> Flask:
    boards: list[Mapping[str, Any]] = [
        {**read_board(stars, doubtful=""), "corners": corners, "flags": []}
        for stars, corners in ((STARS, LEFT), (OTHER, RIGHT))
    ]
    reader.boards = boards
    return make_app(rate_limits=False)


def send(player: Player, game: str) -> str:
    """Send a photograph of the table, and wait until it is read; the page that shows it."""
    sent = {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes"}
    answer = player.post(f"{game}/photographs", sent)
    assert answer.headers["Location"] == f"{game}/table"
    player.wait_for_reading(game)
    return player.get(f"{game}/table").text


def send_busy(player: Player, game: str, beside: Table) -> str:
    """Send one, and wait until its boards are read and what is beside them is begun."""
    beside.is_free.clear()
    begun = len(beside.areas)
    player.post(f"{game}/photographs", {"photo": (io.BytesIO(jpeg()), "x.jpg"), "whole": "yes"})
    while len(beside.areas) == begun:
        time.sleep(0.01)
    assert player.get(f"{game}/table/progress").json == {"state": "partly"}
    return player.get(f"{game}/table").text


def photograph(player: Player, game: str) -> str:
    """Send a photograph of the table whose boards lie in the players' order, and say so."""
    page = send(player, game)
    while WHOSE in page:
        page = name_owner(player, game, page, names_offered(page)[0])
    return page


def names_offered(page: str) -> list[str]:
    """Whose the marked board may be."""
    return re.findall(r'/players/\d+/board">.*?<span>(\w+)</span></button>', page, re.DOTALL)


def name_owner(player: Player, game: str, page: str, name: str) -> str:
    """Say whose the marked board is; the page that follows."""
    board = re.search(r'name="board" value="([^"]+)"', page)
    places = re.findall(r'formaction="([^"]+/board)"', page)
    place = dict(zip(names_offered(page), places, strict=True))[name]
    assert board
    answer = player.post(place, {"board": board[1], "back": f"{game}/table"})
    assert answer.headers["Location"] == f"{game}/table"
    return player.get(f"{game}/table").text


def asked(page: str) -> list[str]:
    """The fields of what is asked on the page."""
    return list(dict.fromkeys(re.findall(r'type="radio" form="step" name="([^"]+)"', page)))


def picture_of_token(page: str) -> str:
    """What a page shows on the first token of the first track, "" if only its name."""
    found = re.search(r'<button type="button" class="value-token".*?>(.*?)<span>', page, re.DOTALL)
    return found[1].strip() if found else ""


def test_from_one_photograph_to_the_winner(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    page = photograph(player, game)
    assert "Reading the photograph" not in page and not asked(page)
    assert not document_of(app, game)["career"], "not yet"
    answer = player.post(f"{game}/table")
    kept = document_of(app, game)
    assert kept["career"] == ["V5", "V7", "V12", "V17"]
    assert kept["advanced"] == ["B3", "B16", "B20", "B24"]
    assert kept["values"] == {"colours": ["red", "blue"], "constellations": [], "advanced": ["II"]}
    assert answer.headers["Location"].rpartition("/")[2] in ("markers", "score")


def test_the_owner_of_each_board_is_asked_first(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
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


READING = "Reading what is beside the boards"


def test_boards_are_reviewed_while_cards_are_still_read(
    player: Player, app: Flask, beside: Table, reader: TellingReader
) -> None:
    for number in range(2):
        doubtful = read_board(STARS, doubtful="ar1" if number else "ta1")
        reader.boards[number] = {**doubtful, "corners": (LEFT, RIGHT)[number]}
    game = player.new_game("Ana", "Luis")
    page = send_busy(player, game, beside)
    assert WHOSE in page and READING not in page
    page = name_owner(player, game, page, "Ana")
    assert READING in page and "All right" not in page and WHOSE not in page
    assert {*asked(page)} == {"guess-0-ta1", "guess-1-ar1"}
    confirmed = document_of(app, game)["confirmed"]
    assert player.post(f"{game}/table", {"as-shown": "yes"}).status_code == 422
    assert document_of(app, game)["confirmed"] == confirmed, "the cards were seen by nobody"
    beside.is_free.set()
    player.wait_for_reading(game)
    page = player.get(f"{game}/table").text
    assert READING not in page and "All right" in page and WHOSE not in page
    assert player.get(f"{game}/table/progress").json == {"state": "read"}
    assert beside.areas == [[LEFT, RIGHT]]


def test_the_owner_of_a_board_is_asked_after_cards_that_may_show_it(
    player: Player, app: Flask, beside: Table
) -> None:
    game = player.new_game("Ana", "Luis")
    player.post(f"{game}/nebula/players/1/personal", {"card": "O2"})
    page = send_busy(player, game, beside)
    assert WHOSE not in page and "Reading the photograph" in page and not asked(page)
    answer = player.get(f"{game}/players/0/review")
    assert answer.headers["Location"] == f"{game}/table", "it may be the other one's"
    beside.is_free.set()
    player.wait_for_reading(game)
    assert WHOSE not in player.get(f"{game}/table").text


@pytest.mark.parametrize(
    "problem",
    [UnusablePhotographError("too_slow", "too slow"), KeyError()],
)
def test_cards_that_cannot_be_read_leave_the_boards(
    player: Player, app: Flask, beside: Table, problem: Exception
) -> None:
    beside.problem = problem
    game = player.new_game("Ana", "Luis")
    assert "All right" in photograph(player, game)
    answer = player.post(f"{game}/table")
    assert answer.headers["Location"] == f"{game}/nebula/cards"


def test_a_server_that_ends_meanwhile_reads_only_what_is_left(
    player: Player, app: Flask, beside: Table, reader: TellingReader, make_app: MakeApp
) -> None:
    game = player.new_game("Ana", "Luis")
    name_owner(player, game, send_busy(player, game, beside), "Luis")
    beside.problem = ReaderClosedError()
    beside.is_free.set()
    app.extensions["stargazer"].reading_queue.close()
    assert player.get(f"{game}/table/progress").json == {"state": "partly"}
    beside.problem = None
    again = Player(make_app(rate_limits=False).test_client())
    again.wait_for_reading(game)
    assert again.get(f"{game}/table/progress").json == {"state": "read"}
    assert len(reader.names) == 1 and beside.areas == 2 * [[LEFT, RIGHT]]
    stars = [own["stars"]["ar4"] for own in document_of(again.client.application, game)["players"]]
    assert stars == [OTHER["ar4"], STARS["ar4"]], "as it was said meanwhile"


def test_another_photograph_meanwhile_is_the_one_that_counts(
    player: Player, app: Flask, beside: Table, reader: TellingReader
) -> None:
    game = player.new_game("Ana", "Luis")
    send_busy(player, game, beside)
    sent = {"photo": (io.BytesIO(jpeg()), "y.jpg"), "whole": "yes"}
    player.post(f"{game}/photographs", sent)
    assert player.get(f"{game}/table/progress").json == {"state": "waiting"}
    assert "Reading the photograph" in player.get(f"{game}/table").text
    beside.is_free.set()
    page = send(player, game)
    assert WHOSE in page and len(reader.names) == 3
    first = app.extensions["stargazer"].photographs.of(game.rpartition("/")[2])[0]
    assert first.state == "read" and first.reading and len(first.reading["cards"]) == 10


def test_a_photograph_that_is_to_be_read_again_is_not_completed_before(
    player: Player, app: Flask, beside: Table, reader: TellingReader
) -> None:
    game = player.new_game("Ana", "Luis")
    send_busy(player, game, beside)
    services = app.extensions["stargazer"]
    of_game = game.rpartition("/")[2]
    (taken,) = services.photographs.of(of_game)
    services.photographs.read_again(taken)
    services.photographs.record_rest(taken.id, {"cards": []})
    assert services.photographs.get(of_game, taken.id).state == "waiting"
    beside.is_free.set()


def test_the_second_phone_to_assign_a_board_is_refused(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
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
    kept = document_of(app, game)["players"]
    assert [own["board"]["index"] for own in kept] == [0, 1], "Ana's, as the first one said"


def test_the_review_waits_until_its_board_has_an_owner(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
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
    player: Player, app: Flask, reader: TellingReader
) -> None:
    game = player.new_game("Ana", "Luis")
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


def test_no_board_is_offered_by_guess(player: Player, app: Flask, reader: TellingReader) -> None:
    game = player.new_game("Ana", "Luis")
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


def test_each_players_own_card_is_the_one_beside_their_board(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
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


def test_whose_a_card_is_in_the_middle_is_asked(player: Player, app: Flask, beside: Table) -> None:
    beside.cards = [*PUBLIC, card("O1", 380, 100), OWN[1]]
    game = player.new_game("Ana", "Luis")
    assert asked(photograph(player, game)) == ["whose-8"]
    player.post(f"{game}/table")
    assert "personal-0" not in document_of(app, game)["confirmed"]
    player.post(f"{game}/table", {"whose-8": "0"})
    assert {"personal-0", "personal-1"} <= {*document_of(app, game)["confirmed"]}


def test_a_doubtful_card_is_asked_and_none_of_these_is_an_answer(
    player: Player, app: Flask, beside: Table
) -> None:
    doubtful = card("V17", 180, 500, 0.6, V16=0.3)
    stranger = card("V1", 700, 700, 0.5)
    beside.cards = [*PUBLIC[:3], doubtful, *PUBLIC[4:], *OWN, stranger]
    game = player.new_game("Ana", "Luis")
    page = photograph(player, game)
    assert asked(page) == ["card-3", "card-10"]
    assert page.count('" required') == 3, "a candidate each: a browser sends no answer without them"
    player.post(f"{game}/table", {"card-3": "V16"})
    assert "cards" not in document_of(app, game)["confirmed"], "of one nobody said what it is"
    player.post(f"{game}/table", {"card-3": "V16", "card-10": "none"})
    assert document_of(app, game)["career"] == ["V5", "V7", "V12", "V16"]


def test_what_is_not_seen_is_asked_after_it(player: Player, app: Flask, beside: Table) -> None:
    beside.cards, beside.tracks = [*PUBLIC[1:], *OWN], {}
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    answer = player.post(f"{game}/table")
    assert answer.headers["Location"] == f"{game}/nebula/cards"
    page = player.get(f"{game}/nebula/cards").text
    assert page.count('aria-pressed="true"') == 7, "the fourth career card is left to choose"
    assert 'name="career" value="V7,V12,V17"' in page and 'value="B3,B16,B20,B24"' in page
    assert {"cards", "values"}.isdisjoint(document_of(app, game)["confirmed"])
    assert "review-0" in document_of(app, game)["confirmed"]


def test_cards_whose_order_counts_are_filled_in_only_if_none_is_missing(
    player: Player, app: Flask, beside: Table
) -> None:
    beside.cards = [one for one in (*PUBLIC, *OWN) if one["card"] not in ("V5", "B3")]
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    page = player.get(player.post(f"{game}/table").headers["Location"]).text
    assert 'name="career" value="V7,V12,V17"' in page and 'name="advanced" value=""' in page
    assert not document_of(app, game)["career"], "chosen by nobody yet"


def test_the_page_of_the_values_begins_with_what_is_seen_and_asks_about_the_doubtful_track(
    player: Player, app: Flask, beside: Table
) -> None:
    doubtful = {"order": ["aries"], "certain": False}
    beside.tracks = {**TRACKS, "values.constellations": doubtful}
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    assert player.post(f"{game}/table").headers["Location"] == f"{game}/nebula/values"
    kept = document_of(app, game)
    assert "values" not in kept["confirmed"] and not any(kept["values"].values()), "nobody said so"
    page = player.get(f"{game}/nebula/values").text
    entered = dict(
        re.findall(r'<input type="hidden" form="step" name="(\w+)" value="([\w,]*)">', page)
    )
    assert (entered["colours"], entered["constellations"], entered["advanced"]) == (
        "red,blue",
        "aries",
        "II",
    )
    sections = dict(re.findall(r'data-track="(\w+)"(.*?)</section>', page, re.DOTALL))
    assert [track for track in sections if "Not read for certain" in sections[track]] == [
        "constellations"
    ]
    player.post(f"{game}/nebula/values", {**entered, "constellations": "taurus,aries"})
    assert document_of(app, game)["values"]["constellations"] == ["taurus", "aries"]
    page = player.get(f"{game}/nebula/values").text
    assert "Not read for certain" not in page and 'value="taurus,aries"' in page


def test_a_doubtful_place_is_asked_on_the_page_and_no_board_confirmed_before(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    reader.boards[0] = {**read_board(), "corners": LEFT}
    game = player.new_game("Ana", "Luis")
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
    player: Player, reader: TellingReader
) -> None:
    reader.boards = [{**read_board(), "corners": LEFT}, {**read_board(), "corners": RIGHT}]
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    next_page = player.post(f"{game}/table", {"guess-0-ar3": "?", "guess-1-ar3": "orange"})
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
    player: Player, app: Flask, reader: TellingReader
) -> None:
    first, second = read_board(), read_board()
    hidden = {**first["flags"][0], "kind": "hidden", "spaces": ["ar4"]}
    spaces = {**first["spaces"], "ar4": {"star": "yellow", "confidence": 0.5}}
    first = {**first, "spaces": spaces, "flags": [*first["flags"], hidden]}
    reader.boards = [{**first, "corners": LEFT}, {**second, "corners": RIGHT}]
    game = player.new_game("Ana", "Luis")
    page = photograph(player, game)
    assert "guess-" not in page and 'name="space" value="ar4"' in page
    player.post(f"{game}/players/0/star", {"space": "ar4", "star": "yellow"})
    assert asked(player.get(f"{game}/table").text) == ["guess-0-ar3", "guess-1-ar3"]


def test_what_somebody_confirmed_before_is_left_as_it_is(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    photograph(player, game)
    player.post(f"{game}/table")
    assert document_of(app, game)["values"]["colours"] == ["yellow", "red"]


def test_a_row_that_is_seen_from_the_other_side_is_read_as_its_reader_sees_it(
    player: Player, app: Flask, beside: Table
) -> None:
    turned = [{**one, "corners": one["corners"][2:] + one["corners"][:2]} for one in beside.cards]
    beside.cards = turned
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    player.post(f"{game}/table")
    assert document_of(app, game)["advanced"] == ["B24", "B20", "B16", "B3"]


def test_a_photograph_that_cannot_be_read_leaves_the_game_as_it_was(
    player: Player, app: Flask, reader: TellingReader
) -> None:
    reader.problem = "unreadable"
    game = player.new_game("Ana", "Luis")
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
    player: Player, app: Flask, reader: TellingReader
) -> None:
    reader.problem = "unknown_board"
    game = player.new_game("Ana", "Luis")
    page = photograph(player, game)
    assert "different from the known ones" in page and "Read it again" in page
    change = {"profile": "nebula/standard"}
    app.extensions["stargazer"].games.change(
        game.rpartition("/")[2], "players", lambda kept: {**kept, **change}
    )
    page = player.get(f"{game}/table").text
    assert "the one that this game is played on" in page and "Add this board" in page
    assert page.count(f'{game}/players"') >= 1


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
    player: Player, app: Flask, beside: Table, contested: str
) -> None:
    doubtful = {**PUBLIC[4], "confidence": 0.6, "alternatives": {"B5": 0.3}}
    beside.cards = [*PUBLIC[:4], doubtful, *PUBLIC[5:], *OWN]
    assert asked(photograph(player, contested)) == ["card-4", "first-V17"]
    player.post(f"{contested}/table", {"first-V17": "0"})
    assert "markers" not in document_of(app, contested)["confirmed"], "a card is still unknown"
    player.post(f"{contested}/table", {"card-4": "B5", "first-V17": "0"})
    assert "markers" in document_of(app, contested)["confirmed"]
    other = player.new_game("Ana", "Luis")
    beside.cards = [*PUBLIC[:3], {**PUBLIC[3], "confidence": 0.6}, *PUBLIC[4:], *OWN]
    assert asked(photograph(player, other)) == ["card-3"]


def test_a_doubtful_track_is_not_accepted_as_one_without_a_token(
    player: Player, app: Flask, beside: Table
) -> None:
    sheet = [[300, 300], [400, 300], [400, 350], [300, 350]]
    doubtful = {"order": [], "certain": False, "corners": sheet}
    beside.tracks = {**TRACKS, "values.colours": doubtful}
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    player.post(f"{game}/table")
    page = player.get(f"{game}/nebula/values").text
    assert 'viewBox="298.0 298.0 104.0 54.0"' in page, "the sheet in the photograph"
    assert 'name="unmoved-colours"' in page and 'name="unmoved-advanced"' not in page
    assert "unmoved-values.colours" in player.get(f"{game}/table").text
    sent = {"colours": "", "constellations": "", "advanced": "II"}
    refused = player.post(f"{game}/nebula/values", sent)
    assert refused.status_code == 422
    assert "values" not in document_of(app, game)["confirmed"], "nobody said that none has moved"
    both = {**sent, "colours": "red", "unmoved-colours": "yes"}
    player.post(f"{game}/nebula/values", both)
    assert document_of(app, game)["values"]["colours"] == []
    assert "values" in document_of(app, game)["confirmed"]


def test_a_doubtful_track_is_asked_in_the_review(player: Player, app: Flask, beside: Table) -> None:
    sheet = [[300, 300], [400, 300], [400, 350], [300, 350]]
    doubtful = {"order": ["red", "blue"], "certain": False, "corners": sheet}
    certain = {name: {**track, "corners": sheet} for name, track in TRACKS.items()}
    beside.tracks = {**certain, "values.colours": doubtful}
    game = player.new_game("Ana", "Luis")
    page = photograph(player, game)
    assert 'name="values.colours" value="red,blue"' in page and "values.advanced" not in page
    assert 'viewBox="298.0 298.0 104.0 54.0"' in page and page.count("300,300 400,300") == 1
    assert 'class="doubtful" points="300,300 400,300' in page
    own = player.get(f"{game}/nebula/values").text
    assert picture_of_token(page) == picture_of_token(own) != ""
    untouched = {"values.colours": "red,blue"}
    both = dict.fromkeys(("in-order-values.colours", "unmoved-values.colours"), "yes")
    nothing = {"values.colours": ""}
    for sent in ({}, untouched, {**untouched, **both}, nothing, {"values.colours": "no token"}):
        player.post(f"{game}/table", sent)
        assert "values" not in document_of(app, game)["confirmed"], sent
    player.post(f"{game}/table", {"values.colours": "blue,red,blue"})
    assert document_of(app, game)["values"]["colours"] == ["blue", "red"]
    assert "values" in document_of(app, game)["confirmed"]
    right = player.new_game("Ana", "Luis")
    assert 'name="in-order-values.colours"' in photograph(player, right)
    player.post(f"{right}/table", {**untouched, "in-order-values.colours": "yes"})
    assert document_of(app, right)["values"]["colours"] == ["red", "blue"]
    other = player.new_game("Ana", "Luis")
    photograph(player, other)
    player.post(f"{other}/table", {**untouched, "unmoved-values.colours": "yes"})
    assert document_of(app, other)["values"]["colours"] == []
    assert "values" in document_of(app, other)["confirmed"]


def test_tracks_of_a_board_that_was_not_found_are_not_accepted_as_ones_without_tokens(
    player: Player, app: Flask, beside: Table
) -> None:
    beside.tracks = {}
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    player.post(f"{game}/table")
    sent = {"colours": "red", "constellations": "", "advanced": ""}
    ticked = {"unmoved-constellations": "yes"}
    assert player.post(f"{game}/nebula/values", {**sent, **ticked}).status_code == 422
    assert "values" not in document_of(app, game)["confirmed"], "one is still open"
    player.post(f"{game}/nebula/values", {**sent, **ticked, "unmoved-advanced": "yes"})
    assert document_of(app, game)["values"]["colours"] == ["red"]


def test_an_answer_replaces_a_doubtful_track(player: Player, app: Flask, beside: Table) -> None:
    beside.tracks = {**TRACKS, "values.colours": {"order": [], "certain": False}}
    game = player.new_game("Ana", "Luis")
    photograph(player, game)
    player.post(f"{game}/table")
    answers = {"colours": "blue,red", "constellations": "", "advanced": "II"}
    player.post(f"{game}/nebula/values", answers)
    assert document_of(app, game)["values"]["colours"] == ["blue", "red"]


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
