"""A player leaves or comes while another phone's tap is on its way: nothing is done by halves."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask

from tests.webapp.conftest import CARDS, Player, both_databases, game_at, players_form

pytestmark = both_databases

Meanwhile = Callable[..., None]


@pytest.fixture
def meanwhile(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let another phone change a game's players just before the next change of it is written."""
    games, other = app.extensions["stargazer"].games, Player(app.test_client())

    def prepare(game: str, form: Mapping[str, str]) -> None:
        def change(*args: Any, **kwargs: Any) -> Any:
            monkeypatch.undo()
            assert other.post(f"{game}/players", form).status_code == 303
            return games.change(*args, **kwargs)

        monkeypatch.setattr(games, "change", change)

    return prepare


def document_of(app: Flask, game: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = app.extensions["stargazer"].games.open(game.split("/")[2]).document
    return found


OF_WHO_LEFT = {
    "players/1/star": {"space": "core", "star": "red"},
    "players/1/tracks/black": {"count": "2"},
    "nebula/players/1/personal": {"card": "O19"},
    "players/1/review": {"empty": "yes"},
    "photographs/players/1/hand": {"instead": "yes"},
    "live/personal": {"seat": "1", "card": "O19"},
}
SWAP = "photographs/players/0/swap"


@pytest.mark.parametrize("path", [*OF_WHO_LEFT, SWAP])
def test_a_tap_for_somebody_who_has_just_left_does_nothing(
    player: Player, app: Flask, meanwhile: Meanwhile, path: str
) -> None:
    game = player.new_game("Ana", "Luis")
    meanwhile(game, players_form("Ana"))
    answer = player.post(f"{game}/{path}", OF_WHO_LEFT.get(path, {"other": "1"}))
    code, told = (404, "This player is not in the game")
    if path == SWAP:  # of a board that there is
        code, told = (409, "Somebody else has just changed this")
    assert answer.status_code == code and told in answer.text
    document = document_of(app, game)
    assert [one["name"] for one in document["players"]] == ["Ana"]
    assert document["confirmed"] == ["players"]


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "Luis", "Eva")])
def test_markers_are_those_of_who_plays_now(
    player: Player, app: Flask, meanwhile: Meanwhile, names: tuple[str, ...]
) -> None:
    game = player.new_game("Ana", "Luis")
    player.post(f"{game}/nebula/cards", CARDS)
    meanwhile(game, players_form(*names))
    assert (
        player.post(f"{game}/nebula/markers", {"V5-0": "first", "V5-1": "later"}).status_code == 303
    )
    markers = [one["career"] for one in document_of(app, game)["players"]]
    assert markers == [{"V5": "first"}, {"V5": "later"}, {}][: len(names)]


def test_shooting_stars_are_asked_of_whoever_has_just_come(
    player: Player, app: Flask, meanwhile: Meanwhile
) -> None:
    form = players_form("Ana", "Luis", "Eva", mode="end")
    form |= {f"marker-{seat}": colour for seat, colour in enumerate(("purple", "red", "blue"))}
    answer = player.post("/games/new", {**form, "count": "2", "game": "polaris"})
    game = game_at(answer.headers["Location"])
    counted = {f"{what}-{seat}": "3" for what in ("shooting", "score_marker") for seat in range(2)}
    meanwhile(game, form)
    answer = player.post(f"{game}/polaris/stock", counted)
    assert answer.status_code == 422 and 'id="error-shooting-2"' in answer.text
    assert not any(one["shooting"] for one in document_of(app, game)["players"])


def test_who_comes_back_to_a_seat_has_nothing_of_who_left_it(player: Player, app: Flask) -> None:
    game = player.new_game("Ana", "Luis")
    player.post(f"{game}/photographs/players/1/hand")
    player.post(f"{game}/players/1/review", {"empty": "yes"})
    assert "review-1" in document_of(app, game)["confirmed"]
    player.post(f"{game}/players", players_form("Ana"))
    player.post(f"{game}/players", players_form("Ana", "Eva"))
    document = document_of(app, game)
    assert "review-1" not in document["confirmed"] and document["players"][1]["board"] is None
