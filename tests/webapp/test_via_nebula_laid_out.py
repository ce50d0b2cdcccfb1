"""Contracts and tokens laid out face up: read from one photograph, and proposed on the pages."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration.artwork import artwork
from calibration.cards import CARD_MM, MARGIN_MM, card_artwork
from calibration.drawing import Drawing, Fill, rasterise
from calibration.own_deck import OwnDeck, encode_card, save_deck
from tests.webapp.conftest import Player, document_of
from tests.webapp.test_my_cards import face as own_card
from tests.webapp.test_my_cards import limit_cards
from tests.webapp.test_via_nebula_pages import begun
from webapp.games.via_nebula import printed_cards
from webapp.games.via_nebula.laid_out import PICTURE_MM, LaidOut, read_laid_out


def laid_out(contracts: Sequence[str], tokens: Sequence[str]) -> np.ndarray:
    """(900, 1400, 3) uint8 BGR: contracts in a row, and tokens below them, on a table."""
    table = np.full((900, 1400, 3), (60, 90, 120), np.uint8)
    printed = {card.id: card for card in printed_cards.every("cs")}
    width, height, margin, side = (round(6 * mm) for mm in (*CARD_MM, MARGIN_MM, PICTURE_MM))
    for number, id in enumerate(contracts):
        card = np.full((height, width, 3), 253, np.uint8)
        card[48 : 48 + side, margin : margin + side] = card_artwork(printed[id], side)
        table[60 : 60 + height, 80 + 320 * number :][:, :width] = card
    size = 16.4
    ground = Fill((((0, 0), (size, 0), (size, size), (0, size)),), "#785a3c")
    for number, id in enumerate(tokens):
        marks = artwork("via_nebula").draw_token(id, (size / 2, size / 2), 40.0 * number)
        face = rasterise(Drawing((size, size), (ground, *marks)), 6.0)
        table[640 : 640 + len(face), 120 + 220 * number :][:, : len(face)] = face
    lit = np.clip(table * 0.8 * np.array([0.8, 0.95, 1.0]), 0, 255)
    return np.asarray(lit.astype(np.uint8))


CONTRACTS, TOKENS = ("N1", "X5", "N30"), ("wood-1", "wood-2", "clay-4", "wheat-1", "food-4")


def test_contracts_and_tokens_are_read_from_one_photograph() -> None:
    found = read_laid_out(laid_out(CONTRACTS, TOKENS), "via_nebula/standard")
    assert {*found.contracts} == {*CONTRACTS} and not found.doubtful
    assert Counter(found.tokens) == Counter(
        {("wood", 3): 2, ("clay", 4): 1, ("wheat", 3): 1, ("food", 4): 1}
    )
    bare = read_laid_out(laid_out((), TOKENS), "via_nebula/standard")
    assert bare == LaidOut(), "nothing tells how large a token is"


def own_table(pictures: Iterable[np.ndarray]) -> np.ndarray:
    """A table with cards of the owner's own edition in a row."""
    table = np.full((400, 600, 3), (40, 60, 70), np.uint8)
    for number, picture in enumerate(pictures):
        table[100:290, 90 + 250 * number :][:, :120] = picture
    return table


def test_contracts_of_the_owner_s_own_edition_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = {"N1": own_card(1), "X5": own_card(2)}
    save_deck(
        "via_nebula/standard", OwnDeck({card: encode_card(own) for card, own in pictures.items()})
    )
    table = own_table(pictures.values())
    found = read_laid_out(table, "via_nebula/standard")
    assert not found.contracts, "they may be any of those that were not shown"
    limit_cards(monkeypatch, pictures)
    found = read_laid_out(table, "via_nebula/standard")
    assert {*found.contracts} == {"N1", "X5"} and not found.tokens


def test_cards_are_drawn_anew_when_their_board_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def deck(_profile: str, version: float) -> SimpleNamespace:
        asked.append(version)
        return SimpleNamespace(find=lambda image: [])

    monkeypatch.setattr("webapp.app.reading.card_jobs.printed_deck", deck)
    monkeypatch.setattr("webapp.app.reading.card_jobs.profile_version", lambda name: 7.0)
    found = read_laid_out(np.zeros((9, 9, 3), np.uint8), "via_nebula/standard")
    assert found == LaidOut() and asked == [7.0]


def test_what_a_photograph_shows_is_proposed_and_nothing_is_answered(
    app: Flask, player: Player
) -> None:
    game = begun(player)
    for board in range(3):
        player.post(f"{game}/photographs/players/{board}/hand", {})
    player.post(f"{game}/photographs/done", {})
    for board in range(3):
        player.post(f"{game}/players/{board}/review", {"empty": "yes"})
    player.post(f"{game}/questions/tokens/1", {"answer": ["wood-1"]})
    tokens = f"{game}/via_nebula/questions/tokens/0/photograph"
    assert player.get(f"{game}/questions/tokens").status_code == 200, "nobody's: nothing to send"
    page = player.get(f"{game}/questions/tokens/0").text
    assert 'class="whole-table"' in page and "whole_table.js" in page, "chosen, it is sent"
    assert "Choose a photograph." in player.post(tokens, {}).text
    picture = cv2.imencode(".png", laid_out(CONTRACTS, TOKENS))[1].tobytes()
    answer = player.post(tokens, {"photo": (io.BytesIO(picture), "cards.png")})
    assert answer.status_code == 303, answer.text
    page = player.get(answer.headers["Location"]).text
    assert "3 contracts and 5 tokens were read" in page

    def chosen(page: str) -> set[str]:
        return set(re.findall(r'name="answer" value="([^"]+)" checked', page))

    wanted = {"wood-2", "wood-3", "clay-4", "wheat-1", "food-4"}
    assert chosen(page) == wanted, "wood-1, which looks alike, is another player's"
    assert not document_of(app, game)["players"][0].get("tokens"), "it is for people to say"
    carried = re.search(r'name="read" value="([^"]+)"', page)
    form = {"answer": [*wanted], "read": carried[1]}
    after = player.post(f"{game}/questions/tokens/0", form).headers["Location"]
    assert "/questions/contracts/0?" in after
    assert chosen(player.get(after).text) == {*CONTRACTS}


def test_that_contracts_were_not_shown_is_said_where_none_is_recognised(app: Flask) -> None:
    player, card = Player(app.test_client()), own_card(1)
    send = f"{begun(player)}/via_nebula/questions/contracts/0/photograph"
    picture = cv2.imencode(".png", own_table([card]))[1].tobytes()

    def page() -> str:
        answer = player.post(send, {"photo": (io.BytesIO(picture), "cards.png")})
        return player.get(answer.headers["Location"]).text

    shown = page()
    assert "Show the whole deck first" not in shown, "nothing is the owner's own"
    assert "No card was recognised in the photograph" in shown and "Check that they" not in shown
    save_deck("via_nebula/standard", OwnDeck({"N1": encode_card(card)}))
    assert "Show the whole deck first" in page()
