"""A printed board of its own: other names for the spaces, another size, nine slots on the track."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from PIL import Image

from calibration import load_profile
from tests.webapp.conftest import STARS, MakeApp, Player, TellingReader, read_board

STANDARD = load_profile("standard")
NAMES = {space: f"p{number}" for number, space in enumerate(STANDARD.board.spaces)}
HEIGHT = 236
POINTS, FULL = [0, 1, 3, 5, 7, 10, 13, 16, 20], 24


def renamed(data: Any, spaces: bool = False) -> Any:
    """Layout or reading with the spaces' other names; `spaces` where keys are spaces too."""
    if isinstance(data, dict):
        return {
            NAMES.get(key, key) if spaces else key: renamed(value, key == "spaces")
            for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [renamed(value) for value in data]
    return NAMES.get(data, data) if isinstance(data, str) else data


@pytest.fixture
def app(make_app: MakeApp, reader: TellingReader, tmp_path: Path) -> Flask:
    layout = STANDARD.layout.to_data() | {"topology": STANDARD.board.to_data()}
    layout = renamed(layout) | {"size_mm": [200, HEIGHT]}
    slots = layout["black_track"]["at"][: len(POINTS)]
    layout["black_track"] |= {"at": slots, "points": POINTS, "full": FULL}
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "layout.yaml").write_text(yaml.safe_dump(layout))
    reader.boards = [{**renamed(read_board(black=3)), "profile": "own"}]
    return make_app(rate_limits=False, profile=str(folder))


@pytest.fixture
def game(player: Player) -> str:
    """A game of two whose boards have been read."""
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    for seat in range(2):
        player.send_photograph(game, player=seat)
    player.wait_for_reading(game)
    return game


def stars(page: str) -> dict[str, str]:
    """The stars of a board under review, by its spaces."""
    found = re.findall(r'data-space="(p\d+)"[^>]* data-star="(\w*)"', page)
    assert len(found) == len(NAMES)
    return {space: star for space, star in found if star}


def test_a_correction_changes_one_space_and_no_other(player: Player, game: str) -> None:
    review = f"{game}/players/0/review"
    read = {NAMES[space]: star for space, star in STARS.items()}
    assert stars(player.get(review).text) == read
    space = NAMES["ca4"]
    assert (
        player.post(f"{game}/players/0/star", {"space": space, "star": "white"}).status_code == 303
    )
    assert stars(player.get(review).text) == {**read, space: "white"}
    player.post(f"{review}/undo")
    assert stars(player.get(review).text) == read
    assert player.post(f"{game}/players/0/star", {"space": "ca4"}).status_code == 422


def test_the_review_shows_this_board_and_its_photograph(player: Player, game: str) -> None:
    page = player.get(f"{game}/players/0/review").text
    assert f'class="closeup" viewBox="0 0 200.0 {HEIGHT}.0"' in page
    photograph = re.search(r'<image href="([^"]+)" width="200.0" height="236.0"', page)
    assert player.get(photograph[1]).status_code == 200
    track = re.search(r'<g class="track-row".*?</g>', page, re.DOTALL)
    assert track[0].count('class="rim"') == len(POINTS)
    assert re.findall(r">(\d+)</text>", track[0]) == [str(points) for points in POINTS[3:]]
    assert f'data-doubts="{NAMES["ar3"]}"' in page


def test_the_track_holds_nine(player: Player, game: str) -> None:
    count = f"{game}/players/0/tracks/black"
    assert player.post(count, {"count": 10}).status_code == 422
    assert player.post(count, {"count": 9}).status_code == 303
    page = player.get(f"{game}/players/0/review").text
    assert len(re.findall(r'<use class="body star-black"', page)) == 9


def test_broken_rules_and_fulfilled_cards_are_those_of_this_board(
    player: Player, game: str
) -> None:
    cards = player.get(f"{game}/nebula/players/0/personal").text
    assert cards.index("Fulfilled on this board") < cards.index('value="O19"')
    assert cards.index('value="O19"') < cards.index("Not fulfilled") < cards.index('value="O1"')
    core, neighbour = NAMES["core"], NAMES["ar1"]
    player.post(f"{game}/players/0/star", {"space": neighbour, "star": "red"})
    page = player.get(f"{game}/players/0/review").text
    assert re.search(rf'data-light="({core} {neighbour}|{neighbour} {core})"', page)


def test_the_score_is_by_the_numbers_printed_on_this_board(player: Player, game: str) -> None:
    player.post(f"{game}/photographs/done")
    for seat in range(2):
        player.post(f"{game}/players/{seat}/review")
        player.post(f"{game}/nebula/players/{seat}/personal", {"card": "O1"})
    assert player.post(f"{game}/nebula/markers", {}).headers["Location"] == f"{game}/score"
    assert "3 of 9" in player.get(f"{game}/score/0").text
    table = csv.DictReader(player.get(f"{game}/share/score.csv").text.splitlines())
    black = {row["Player"]: row["Points"] for row in table if row["Part"] == "Black stars"}
    assert black == {"Ana": "5", "Luis": "5"}, "the standard board's track says 4"
    picture = player.get(f"{game}/share/score.png")
    assert Image.open(io.BytesIO(picture.data)).format == "PNG"
