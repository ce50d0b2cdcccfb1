"""The cards on the table from one photograph: filled in, never confirmed by themselves."""

import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import Result
from flask import Flask

from calibration import ProfileError, load_profile
from calibration.cards import Card, artwork_windows, card_artwork
from scorer.nebula.card import CARDS
from tests.conftest import in_ci
from tests.webapp.conftest import Player, TellingReader, document_of, jpeg
from tests.webapp.live.conftest import eventually
from vision.card_pictures import CardPicture
from vision.cards import Deck
from webapp.app.game_pages import GamePages, pages_of
from webapp.app.reading import card_jobs
from webapp.app.reading.fair_queue import Asker
from webapp.games.nebula import card_pictures
from webapp.web.forms import Form
from webapp.web.pages import decks

Run = Callable[..., Result]
DEALT = ("V5", "V7", "V12", "V17", "B3", "B16", "B20", "B24", "O1")


@cache
def printed(card: str) -> Card:
    picture = card_pictures.draw(CARDS[card], load_profile("standard"))
    return Card(card, card, "", (), f"deck {card[0]}", picture, "#ffffff")


@pytest.fixture(autouse=True)
def small_deck(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw only the cards that are asked for: a whole deck takes seconds."""
    cards = [printed(card) for card in DEALT]
    monkeypatch.setattr(GamePages, "cards", lambda *_: cards)
    monkeypatch.setattr("webapp.games.nebula.pages.NebulaPages.cards", lambda *_: cards)
    card_jobs.printed_deck.cache_clear()
    yield
    card_jobs.printed_deck.cache_clear()


def photograph(*cards: str) -> bytes:
    """Cards in rows of four, with paper about their pictures."""
    table = np.full((700, 800, 3), (90, 120, 140), np.uint8)
    for number, card in enumerate(cards):
        x, y = 20 + number % 4 * 195, 20 + number // 4 * 225
        table[y : y + 190, x : x + 120] = 250
        table[y + 15 : y + 111, x + 12 : x + 108] = card_artwork(printed(card), 96)
    return cv2.imencode(".jpg", table)[1].tobytes()


def cards_read(found: list[dict[str, Any]], mode: str) -> Form:
    """The form filled in with the cards that were found."""
    document = {"mode": mode, "career": [], "advanced": []}
    return decks.cards_read(pages_of("nebula").decks(document), found)


def send(player: Player, game: str, picture: bytes) -> str:
    answer = player.post(
        f"{game}/nebula/cards/photograph", {"photo": (io.BytesIO(picture), "cards.jpg")}
    )
    return answer.text


def test_a_photograph_fills_the_cards_in_and_confirms_nothing(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    page = send(player, game, photograph(*DEALT))
    assert 'name="career" value="V5,V7,V12,V17"' in page
    assert 'name="advanced" value="B3,B16,B20,B24"' in page, "in the order in which they lie"
    assert "8 cards were read" in page
    assert 'name="career" value=""' in player.get(f"{game}/nebula/cards").text, "nothing is kept"


def test_a_picture_without_cards_says_so_and_a_broken_one_is_refused(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    page = send(player, game, jpeg())
    assert "No card was recognised in the photograph" in page and "were read" not in page
    assert "This file is not a photograph" in send(player, game, b"no picture")


def test_the_cards_are_drawn_while_they_are_photographed(
    player: Player, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = app.extensions["stargazer"].reading_queue
    prepared: list[str] = []
    may_end = threading.Event()

    def prepare(profile: str) -> None:
        prepared.append(profile)
        assert may_end.wait(60)
        if len(prepared) == 1:
            raise ProfileError("it was gone for a moment")

    monkeypatch.setattr(queue, "_prepare", prepare)
    live, game = player.new_game("Ana", "Luis"), player.new_game("Ana", "Luis")
    player.post(f"{live}/live")
    assert document_of(app, live)["live"]
    player.get(f"{live}/nebula/cards")
    assert not queue._preparing and not prepared, "a camera follows that table"
    for page in ("nebula/cards", "table", "nebula/cards"):
        player.get(f"{game}/{page}")
    may_end.set()
    queue._turns.submit(Asker("", ""), list).result()
    assert prepared == ["standard"]
    eventually(lambda: not queue._queued)
    player.get(f"{game}/table")
    queue._turns.submit(Asker("", ""), list).result()
    assert prepared == 2 * ["standard"], "the first one may have failed"


def test_cards_once_prepared_are_not_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "cards.jpg").write_bytes(photograph("V5", "B3"))
    for kept in (card_jobs.printed_deck, card_jobs.shown_deck, card_jobs.sheet_readers):
        kept.cache_clear()
    card_jobs.prepare_cards("standard")

    def refuse(*_: Any) -> np.ndarray:
        raise AssertionError("it is drawn already")

    monkeypatch.setattr(card_jobs, "card_artwork", refuse)
    monkeypatch.setattr(card_jobs, "rasterise", refuse)
    monkeypatch.setattr("vision.card_pictures.DeckFeatures", refuse)
    read = card_jobs.read_table(path, "standard")
    assert [one["card"] for one in read["cards"]] == ["V5", "B3"]


@pytest.mark.parametrize(
    ("covered", "cards", "known"),
    [
        (False, ["O1"], {"O1"}),
        (True, ["O1"], {"O1"}),
        (False, ["V17"], set()),
        (True, ["O1", "B3"], {"O1", "B3"}),
    ],
    ids=["whole", "its edges in a hand", "no secret one", "in a hand, another behind it"],
)
def test_a_card_that_is_held_up_is_found_by_its_outline_and_in_a_hand_by_its_features(
    covered: bool, cards: list[str], known: set[str], tmp_path: Path
) -> None:
    frame = cv2.imdecode(np.frombuffer(photograph(*cards), np.uint8), cv2.IMREAD_COLOR)
    frame = cv2.resize(frame[:230, : 170 * len(cards)], None, fx=3, fy=3)
    if covered:
        for at in ((60, 250), (420, 250), (240, 660), (240, 70)):
            cv2.circle(frame, at, 60, (90, 120, 170), -1)
    cv2.imwrite(str(path := tmp_path / "held.png"), frame)
    assert card_jobs.find_held(path, "standard", ["O1", "B3"]) == known


def track(certain: bool) -> dict[str, Any]:
    tracks = {"values.colours": {"order": ["red"], "certain": certain}}
    return {"values": {"tracks": tracks, "points": {}, "corners": square(5)}}


def square(at: float) -> list[list[float]]:
    return [[at, 0.0], [at + 1, 0.0], [at + 1, 1.0], [at, 1.0]]


@pytest.mark.parametrize(
    ("first", "sure"), [(track(True), 0.99), (track(False), 0.99), ({}, 0.99), ({}, 0.6)]
)
def test_a_sheet_is_read_while_cards_are_and_in_doubt_again_without_their_places(
    first: dict[str, Any], sure: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, begun, taken = tmp_path / "table.jpg", threading.Event(), list[Any]()
    features = list[Any]()
    path.write_bytes(jpeg())

    def sheets(
        _image: Any, _profile: str, _of: Any, areas: Any, _table: Any, seen: Any, *_more: Any
    ) -> Any:
        taken.append([*areas])
        features.append(seen)
        begun.set()
        return track(True) if len(taken) > 1 else first

    def cards(_image: Any, _profile: str, _boards: Any, seen: Any) -> list[dict[str, Any]]:
        assert begun.wait(10)
        assert seen is features[0] is not None
        seen_at = ((sure, square(1)), (0.5, square(5)), (0.5, square(7)))
        return [{"confidence": one, "corners": at} for one, at in seen_at]

    monkeypatch.setattr(card_jobs, "_sheets_in", sheets)
    monkeypatch.setattr(card_jobs, "_cards_in", cards)
    monkeypatch.setattr(card_jobs, "_readers_of_sheets", lambda *_, **_more: {"values": None})
    read = card_jobs.read_table(path, "standard")
    is_again = first != track(True) and sure > 0.9
    assert bool(read["tracks"]) == bool(first or is_again), "it may be beneath no card"
    assert all(own["certain"] for own in read["tracks"].values())
    assert taken == ([[], [square(1)]] if is_again else [[]])
    on_sheet = [one for one in read["cards"] if one["corners"] == square(5)]
    assert len(on_sheet) == (not read["tracks"]), "the sheet may look like a card"
    assert len(read["cards"]) == 2 + len(on_sheet)
    assert features[1:] == ([None] if is_again else [])


def test_more_cards_than_lie_on_a_table_are_not_chosen_among() -> None:
    found = [{"card": card, "confidence": 0.99} for card in ("V1", "V2", "V3", "V4", "V5", "B1")]
    form = cards_read(found, "full")
    assert form.entered == {"career": [], "advanced": ["B1"]}
    assert form.value.crowded == ("career",)


def test_a_doubtful_card_is_asked_for_with_its_candidates() -> None:
    found = [{"card": "V10", "confidence": 0.6, "alternatives": {"V14": 0.3}}]
    form = cards_read(found, "intro")
    assert form.entered["career"] == [] and form.value.doubtful == (("V10", "V14"),)


@in_ci
def test_the_open_cards_of_a_setup_are_counted_by_their_decks(
    player: Player, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.problem = "no_board"
    pictures = [CardPicture(card, card_artwork(printed(card), 96)) for card in DEALT]
    deck = Deck(pictures, artwork_windows())
    monkeypatch.setattr(card_jobs, "printed_deck", cache(lambda *_: deck))
    every = [Card(card, card, "", (), f"deck {card[0]}", "", "#ffffff") for card in CARDS]
    monkeypatch.setattr("webapp.games.nebula.pages.NebulaPages.cards", lambda *_: every)

    def check(mode: str, *cards: str) -> str:
        photo = io.BytesIO(photograph(*cards))
        sent = {"players": "2", "mode": mode, "photo": (photo, "cards.jpg")}
        return player.post("/table/nebula", sent).text

    page = check("full", *DEALT[1:8])
    assert re.findall("<li>Missing: (.*)</li>", page) == ["deck V"]
    looked_for = (
        "The board, star cluster, boosted star, time marker, black-star indicator, Values board"
    )
    assert f"please look: {looked_for}, reserve" in page
    assert "The right number of cards is face up" in check("intro", *DEALT[:4])
    assert "No board was found" in check("intro")


@in_ci
def test_the_command_reads_cards_where_no_board_lies(stargazer: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.jpg"
    file.write_bytes(photograph("V5", "B3"))
    asked = ("read", file, "--profile", "nebula/standard", "--cards")
    reading = json.loads(stargazer(*asked, "--json").stdout)
    assert reading["boards"] == [] and reading["size"] == [800, 700]
    assert [one["card"] for one in reading["cards"]] == ["V5", "B3"]
    assert stargazer(*asked).stdout.splitlines()[1:] == ["card V5", "card B3"]
    assert stargazer(*asked[:-1]).exit_code in (3, 4), "who asks for boards alone is told of none"
