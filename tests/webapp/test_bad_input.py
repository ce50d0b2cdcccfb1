"""Whatever is entered wrongly: a message at the field, and nothing lost of what was entered."""

import io
import itertools
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from PIL import Image
from werkzeug.routing import IntegerConverter

from tests.conftest import FULL_MATRIX, in_full
from tests.webapp.conftest import CARDS, HERE, VALUES, Player, jpeg, players_form
from tests.webapp.every_form import requests


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"count": "9"}, "Choose from 1 to 4 players."),
        ({"mode": "long"}, "Choose how the game was played."),
        ({"name-0": "x" * 41}, "A name can have at most 40 characters."),
        ({"name-1": "ANA"}, "Two players have this name. Change one of them."),
        ({"marker-1": "teal"}, "Another player has this colour."),
        ({"marker-0": "plaid"}, "Choose a colour."),
    ],
)
def test_players(player: Player, wrong: dict[str, str], message: str) -> None:
    answer = player.post("/games/new", {**players_form("Ana", "Luis"), **wrong})
    assert answer.status_code == 422
    assert message in answer.text
    assert f'value="{wrong.get("name-1", "Luis")}"' in answer.text
    assert 'aria-invalid="true"' in answer.text


def test_names_are_kept_as_they_are_and_never_as_markup(player: Player) -> None:
    game = player.new_game("<b>Žofie</b> & Ñandú", "\u202eLuis\x00")
    page = player.get("/").text
    assert "&lt;b&gt;Žofie&lt;/b&gt; &amp; Ñandú" in page
    assert "\u202e" not in page and "\x00" not in page
    assert player.get(f"{game}/nebula/cards").status_code == 200
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"  # one picture, joined by what is not seen
    player.new_game(family, "Lu\u200dis\u200d")
    assert f"{family}, Luis" in player.get("/").text.replace("&#8205;", "\u200d")


def test_a_name_left_empty_is_the_seats_number(player: Player) -> None:
    player.new_game("", "  ")
    assert "Player 1, Player 2" in player.get("/").text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"career": "V5,V7"}, "Choose 4 cards: 2 of 4 are chosen."),
        ({"career": "V5,V7,V12,V99"}, "One of these cards is not in the game."),
        ({"career": "V5,V7,V12,B3"}, "One of these cards is not in the game."),
        ({"advanced": "B3,B3,B20,B24"}, "One of these cards was chosen twice."),
        ({"advanced": ""}, "Choose 4 cards: 0 of 4 are chosen."),
    ],
)
def test_cards(player: Player, wrong: dict[str, str], message: str) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/nebula/cards", {**CARDS, **wrong})
    assert answer.status_code == 422
    assert message in answer.text
    kept = "advanced" if "career" in wrong else "career"
    assert f'name="{kept}" value="{CARDS[kept]}"' in answer.text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"colours": "yellow,pink"}, "One of these tokens does not belong on this track."),
        ({"constellations": "aries,aries"}, "One of these tokens is listed twice."),
        ({"advanced": "V"}, "One of these tokens does not belong on this track."),
    ],
)
def test_values(player: Player, wrong: dict[str, str], message: str) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/nebula/values", {**VALUES, **wrong})
    assert answer.status_code == 422
    assert message in answer.text


def test_markers(player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    for form, message in (
        ({"V5-0": "first", "V5-1": "first"}, "Only one player can be first."),
        ({"V5-0": "later"}, "Say who was first."),
        ({"V5-0": "perhaps"}, "Choose one."),
    ):
        answer = player.post(f"{game}/nebula/markers", form)
        assert answer.status_code == 422
        assert message in answer.text


def test_a_message_is_in_the_players_language(player: Player) -> None:
    english = player.post("/games/new", {"count": "9"}).text
    player.post("/preferences", {"language": "cs"})
    assert '<html lang="cs"' in player.get("/").text
    czech = player.post("/games/new", {"count": "9"}).text
    assert 'id="error-count"' in czech
    assert "Choose from 1 to 4 players." in english


def huge_picture() -> bytes:
    out = io.BytesIO()
    Image.new("1", (9000, 9000)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "This file is not a photograph."),
        (b"hello, I am a text", "This file is not a photograph."),
        (b"GIF89a" + bytes(100), "This file is not a photograph."),
        (jpeg()[:40], "The end of this file is missing."),
        (jpeg()[:4] + bytes(40), "This file is damaged."),
        (huge_picture(), "This picture has too many pixels."),
    ],
)
def test_uploads_that_are_no_photographs(player: Player, content: bytes, message: str) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/photographs", {"photo": (io.BytesIO(content), "x.jpg")})
    assert answer.status_code == 422
    assert message in answer.text
    assert "No photograph yet" in answer.text
    upload = {"photo": (io.BytesIO(content), "x.jpg")}
    sent = player.post(f"{game}/photographs", upload, headers={"X-Partial": "1"})
    again = message.startswith(("The end", "This file is damaged"))
    assert sent.status_code == (422 if again else 415), "to send it again would change nothing"


def test_an_upload_of_nothing(player: Player) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/photographs", {"photo": (io.BytesIO(b""), "")})
    assert answer.status_code == 422
    assert "Choose a photograph." in answer.text


def test_a_refusal_is_headed_by_what_it_is_and_not_by_a_number(player: Player) -> None:
    page = player.get("/games/0123456789abcdef").text
    assert "This is not here" in page and ">404<" not in page


def test_an_upload_of_too_many_bytes_is_refused(make_app) -> None:
    app = make_app(rate_limits=False, max_upload_bytes=200)
    player = Player(app.test_client())
    game = player.new_game("Ana")
    assert "This file is too large." in player.send_photograph(game).text
    big = player.post(f"{game}/photographs", {"photo": (io.BytesIO(bytes(300_000)), "x.jpg")})
    assert big.status_code == 413
    assert "This file is too large. Choose one of at most 0 MB." in big.text
    assert not list(app.extensions["stargazer"].settings.photographs.rglob("*.*"))


@pytest.mark.parametrize(
    "form",
    [
        {"space": "xx9", "star": "red"},
        {"space": "core", "star": "pink"},
        {"space": "black", "star": "black"},  # a track: its pieces are counted
        {"space": "", "star": ""},
        {},
    ],
)
def test_stars_that_cannot_be(player: Player, form: dict[str, str]) -> None:
    game = player.new_game("Ana")
    assert player.post(f"{game}/players/0/star", form).status_code == 422


@pytest.mark.parametrize("count", ["-1", "11", "many", ""])
def test_numbers_of_black_stars_that_cannot_be(player: Player, count: str) -> None:
    game = player.new_game("Ana")
    assert player.post(f"{game}/players/0/tracks/black", {"count": count}).status_code == 422


@pytest.mark.parametrize("board", ["", "nothing", "../etc.0", "1.x", "a.0"])
def test_boards_that_are_not_there(player: Player, board: str) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/photographs/players/0/board", {"board": board})
    assert answer.status_code == 404


def test_a_personal_card_that_is_none(player: Player) -> None:
    game = player.new_game("Ana")
    answer = player.post(f"{game}/nebula/players/0/personal", {"card": "V1"})
    assert answer.status_code == 422
    assert "Choose one of the personal cards." in answer.text


@pytest.mark.parametrize(
    "path", ["/assets/nebula/cards/X1.svg", "/cards/V5", "/games/none/score", "/nothing"]
)
def test_addresses_that_lead_nowhere(player: Player, path: str) -> None:
    answer = player.get(path)
    assert answer.status_code == 404
    assert "This is not here" in answer.text


@pytest.mark.parametrize(
    "number", [str(2**31), str(2**63), "9" * 5000], ids=["31 bits", "63 bits", "digits"]
)
def test_a_number_in_an_address_that_is_too_large_leads_nowhere(
    app: Flask, player: Player, number: str
) -> None:
    values = {"game_id": player.new_game("Ana").rsplit("/", 1)[1], "question": "personal"}
    asked = 0
    for rule in app.url_map.iter_rules():
        converters = rule._converters
        numbers = [name for name, one in converters.items() if isinstance(one, IntegerConverter)]
        for name in numbers:
            parts = dict.fromkeys(converters, "0") | values | {name: number}
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).format(**parts)
            for method in rule.methods - {"HEAD", "OPTIONS"}:
                answer = player.get(path) if method == "GET" else player.post(path)
                assert answer.status_code in {404, 405}, path
                asked += 1
    assert asked > 25


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example?at=1", "/\\evil.example"]
)
def test_no_form_leads_to_another_site(player: Player, back: str) -> None:
    answer = player.post("/preferences", {"appearance": "dark", "back": back})
    assert answer.headers["Location"] == "/"


HALF = "\ud800"
"""Half of a surrogate pair: Python's text may have it, UTF-8 has not."""


def urlencoded(form: Mapping[str, Any]) -> tuple[bytes, str]:
    """A form's body and its type, half a pair written as the three bytes that it would be."""
    pairs = (f"{name}={quote(str(value), errors='surrogatepass')}" for name, value in form.items())
    return "&".join(pairs).encode(), "application/x-www-form-urlencoded"


def multipart(form: Mapping[str, Any]) -> tuple[bytes, str]:
    """The same in parts; a file's name has half a pair in it as well."""
    body = b""
    for name, value in form.items():
        file = f'; filename="{HALF}.jpg"' if isinstance(value, tuple) else ""
        head = f'--xx\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        content = value[0].read() if isinstance(value, tuple) else str(value).encode(*UTF8)
        body += head.encode(*UTF8) + content + b"\r\n"
    return body + b"--xx--\r\n", "multipart/form-data; boundary=xx"


UTF8 = ("utf-8", "surrogatepass")


@pytest.mark.parametrize("turn", in_full([0, 1], 0))
def test_half_a_surrogate_pair_in_any_field_is_no_error_of_the_server(
    app: Flask, player: Player, turn: int
) -> None:
    """Each field is written as the next one is not, and in CI both ways."""
    written = itertools.cycle([urlencoded, multipart][:: -1 if turn else 1])
    game = player.new_game("Ana", "Luis")
    codes = {}
    every = requests(app, game.rsplit("/", 1)[1], "0" * 16, "POST")
    for asked in itertools.islice(every, 0, None, 1 if FULL_MATRIX else 3):
        assert asked.form is not None
        for field in [*asked.form(), "address", "name", "back", "what"]:
            form = {**asked.form(), "csrf_token": player.token()}
            if not isinstance(form.get(field), tuple):
                form[field] = f"{form.get(field, '')}{HALF}"
            body, kind = next(written)(form)
            answer = player.client.post(asked.path, base_url=HERE, data=body, content_type=kind)
            codes[asked.path, field] = answer.status_code
        player.post(f"{game}/restore")
    assert {path: code for path, code in codes.items() if code >= 500} == {}


@pytest.mark.parametrize("place", ["?at={}&mine={}", "?deleted={}&skip={}", "/{}", "?name={}"])
def test_half_a_surrogate_pair_in_an_address_is_no_error_of_the_server(
    player: Player, place: str
) -> None:
    half, game = "%ED%A0%80", player.new_game("Ana")
    for path in ("/", f"{game}/live", f"{game}/live/table", f"{game}/live/cameras/picture"):
        assert player.get(f"{path}{place}".replace("{}", half)).status_code < 500
    headers = {"Cookie": f"language={half}; appearance={half}", "Accept-Language": "\xed\xa0\x80"}
    assert player.get("/", headers=headers).status_code == 200
