"""What leaves the companion: the same score again as file, table, picture, and play to log."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask_babel import Babel
from PIL import Image, ImageChops

from calibration import load_profile
from scorer.nebula.score import Score, score_game
from tests.scorer.nebula_tables import load_game
from tests.webapp import documents
from tests.webapp.conftest import Player
from webapp.app import sharing
from webapp.app.game_pages import pages_of
from webapp.app.session import game_document, scoring
from webapp.app.session.saved_games import Document, SavedGame
from webapp.games.nebula import document as nebula_document
from webapp.web.score_picture import board_picture, picture
from webapp.web.score_picture.lettering import TEXT, TITLE

LONG_AND_FAR = ("Maximiliana Krásnohorská-Němcová", "李小龙", "محمد علي", "Žofie 🌟")


def finished(*names: str, mode: str = "full") -> Document:
    """Return a finished game's document; the first player has the most stars."""
    document = game_document.new_game([(name, "teal") for name in names], mode, "nebula")
    document = nebula_document.with_cards(
        document, ["V5", "V7", "V12", "V17"], ["B3", "B16", "B20", "B24"]
    )
    values = {"colours": ["yellow", "red"], "constellations": ["aries"], "advanced": ["II"]}
    document = {**document, "values": values}
    stars = {"core": "red", "ar1": "blue", "ar2": "white", "ar3": "orange", "ar4": "yellow"}
    for seat in range(len(names)):
        for space, colour in list(stars.items())[: len(stars) - seat]:
            document = documents.with_star(document, seat, space, colour)
        document = game_document.with_answer(
            documents.with_black(document, seat, 4 - seat), "personal", "O19", seat
        )
    return nebula_document.with_markers(document, [{"V5": "first"}] + [{}] * (len(names) - 1))


def saved(document: Document) -> SavedGame:
    moment = datetime(2026, 11, 20, 20, 15)
    return SavedGame("0123456789abcdef", document, 1, None, None, moment, moment)


@pytest.fixture(params=["en", "es", "cs"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Speak each of the languages in turn."""
    app = Flask("webapp.web")
    Babel(app, locale_selector=lambda: request.param)
    with app.test_request_context():
        yield request.param


@pytest.fixture
def spoken() -> Iterator[None]:
    app = Flask("webapp.web")
    Babel(app)
    with app.test_request_context():
        yield


def score_of(document: Document) -> Score:
    return scoring.of(document, documents.BOARD)


def test_the_game_file_scores_the_same(tmp_path) -> None:
    for mode in ("full", "intro"):
        document = finished("Ana", "yes", "1e3", "Ł: [x]", mode=mode)
        path = tmp_path / f"{mode}.yaml"
        path.write_text(sharing.game_file(document), encoding="utf-8")
        assert score_game(load_game(path)).to_data() == score_of(document).to_data()


def test_the_table_has_a_row_for_each_player_and_line(language: str) -> None:
    score = score_of(finished("Ana", "Eva"))
    header, *rows = csv.reader(io.StringIO(sharing.csv_table(score, pages_of("nebula"))))
    assert len(rows) == sum(len(player.lines) for player in score.players)
    for player in score.players:
        own = [row for row in rows if row[1] == player.name]
        assert sum(int(row[-1]) for row in own) == player.total == int(own[0][2])
    assert rows[0][1] == "Ana", "the winner comes first"
    assert len(set(header)) == len(header) == len(rows[0])


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")'])
def test_a_name_is_never_a_formula(spoken: None, name: str) -> None:
    rows = list(
        csv.reader(
            io.StringIO(sharing.csv_table(score_of(finished(name, "Eva")), pages_of("nebula")))
        )
    )
    assert f"'{name}" in {row[1] for row in rows}
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


def test_bg_stats_gets_the_play_as_it_documents_it(spoken: None) -> None:
    game = saved(finished("Ana & Luis", "李小龙"))
    score = score_of(game.document)
    address = urlsplit(sharing.bgstats_link(game, score))
    assert address._replace(query="").geturl() == "https://app.bgstatsapp.com/createPlay.html"
    assert "+" not in address.query, "the app would show a plus for each space"
    play = json.loads(parse_qs(address.query)["data"][0])
    assert play["playDate"] == "2026-11-20 20:15:00"
    assert play["game"] | {"highestWins": True, "noPoints": False} == play["game"]
    assert [(one["name"], one["score"], one["winner"]) for one in play["players"]] == [
        (standing.score.name, standing.score.total, standing.place == 1)
        for standing in scoring.standings(score)
    ]
    assert all("startPlayer" in one for one in play["players"])


def test_bg_stats_hears_of_a_shared_win(spoken: None) -> None:
    document = finished("Ana", "Eva")
    same = [
        {**player, "name": name}
        for player, name in zip([document["players"][0]] * 2, ("Ana", "Eva"), strict=True)
    ]
    document = {**document, "career": [], "players": [{**one, "career": {}} for one in same]}
    play = sharing.bgstats_play(saved(document), score_of(document))
    assert [one["rank"] for one in play["players"]] == [1, 1]
    assert all(one["winner"] for one in play["players"])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_picture_is_a_png_1080_wide(spoken: None, players: int) -> None:
    image = _picture(finished(*LONG_AND_FAR[:players]))
    assert image.format == "PNG" and image.width == 1080
    assert 1080 < image.height < 3000


def test_the_picture_names_the_players(language: str) -> None:
    first = _picture(finished("Ana", "Eva")).convert("RGB")
    other = _picture(finished("Eva", "Ana")).convert("RGB")
    assert first.size == other.size
    assert ImageChops.difference(first, other).getbbox()


def test_the_picture_shows_the_board_as_it_lies(spoken: None) -> None:
    """Take one star away: on the board a star's worth of pixels is gone, there and nowhere else."""
    document = finished("Ana")
    without = documents.with_star(document, 0, "ar4", None)
    pair = [_picture(one).convert("RGB").crop(OF_THE_BOARD) for one in (document, without)]
    changed = ImageChops.difference(*pair).convert("L").point(lambda level: 255 * (level > 60))
    left, top, right, bottom = changed.getbbox() or (0, 0, 0, 0)
    scale = (OF_THE_BOARD[2] - OF_THE_BOARD[0]) / 200  # px a millimetre
    assert 10 < (right - left) / scale < 18 and 10 < (bottom - top) / scale < 18
    x, y = load_profile("standard").spaces["ar4"].at
    assert left < x * scale < right and top < y * scale < bottom


OF_THE_BOARD = (230, 390, 850, 1134)
"""Where the picture of one player's game has the board, in px."""


def _picture(document: Document) -> Image.Image:
    png = picture.picture(saved(document), score_of(document), load_profile("standard"))
    assert len(png) < 400_000, "a picture to send from a phone"
    return Image.open(io.BytesIO(png))


def test_long_names_are_cut_to_their_room() -> None:
    for lettering in (TITLE, TEXT):
        cut = lettering.fitted("W" * 200, 40, 300)
        assert cut.endswith("…") and lettering.width(cut, 40) <= 300
        assert lettering.fitted("Ana", 40, 300) == "Ana"


def test_a_letter_is_written_in_a_face_that_has_it() -> None:
    runs = list(TITLE._runs("Ana Řehoř Ελλη"))
    assert "".join(run for _face, run in runs) == "Ana Řehoř Ελλη"
    assert len({face for face, _run in runs}) == 3, "Latin, its extension, Greek"


def test_every_shape_of_a_star_has_an_outline() -> None:
    shapes = board_picture.shapes()
    for name in ("shape-star", "mark-red", "mark-purple", "mark-yellow", "mark-orange"):
        (outline,) = board_picture.outlines(shapes[name])
        assert len(outline) >= 3
    assert len(board_picture.outlines(shapes["mark-blue"])) == 2, "two bars"


def test_a_finished_game_is_offered_in_every_form(player: Player) -> None:
    game = player.play_to_score("Ana", "Eva")
    page = player.get(f"{game}/score").text
    assert 'data-share="Nebula: the score"' in page
    for name, kind in (
        ("score.png", "image/png"),
        ("score.csv", "text/csv"),
        ("game.yaml", "application/yaml"),
    ):
        assert f"{game}/share/{name}" in page
        answer = player.get(f"{game}/share/{name}")
        assert answer.status_code == 200 and answer.mimetype == kind
        disposition = answer.headers["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="nebula-[\d-]{10}\.\w+"', disposition)
    onward = player.get(f"{game}/share/bgstats")
    assert onward.status_code == 303
    assert onward.headers["Location"].startswith(f"{sharing.CREATE_PLAY}?data=")


@pytest.mark.parametrize("name", ["score.png", "score.csv", "bgstats"])
def test_an_unfinished_game_has_no_score_to_share(player: Player, name: str) -> None:
    game = player.new_game("Ana")
    answer = player.get(f"{game}/share/{name}")
    assert answer.status_code == 303 and answer.headers["Location"] == f"{game}/score"


def test_nothing_is_shared_of_a_game_that_is_not(player: Player) -> None:
    for name in ("score.png", "score.csv", "game.yaml", "bgstats"):
        assert player.get(f"/games/0123456789abcdef/share/{name}").status_code == 404
