"""The toy of counted pieces on the pages: its boards of two kinds, guided games, the computer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.conftest import Player
from tests.webapp.guided import Guided
from webapp.app.session.game_document import Document
from webapp.app.settings import Settings
from webapp.web.application import create_app


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    settings = Settings(tmp_path / "data", rate_limits=False, profile="orchard/standard")
    made = create_app(settings)
    yield made
    made.extensions["stargazer live"].close()
    made.extensions["stargazer"].reading_queue.close()


def document(app: Flask, game: str) -> Document:
    found: Document = app.extensions["stargazer"].games.open(game.split("/")[2]).document
    return found


def test_each_board_is_entered_on_its_own_drawing(app: Flask) -> None:
    player = Player(app.test_client())
    game = player.new_game("Ana", "Eva", markers=("red", "blue"))
    for number, page, form in (
        (0, "tracks/w3", {"star": "quince", "count": 2}),
        (0, "star", {"space": "g2-g3", "star": "blue"}),
        (1, "tracks/basket", {"star": "plum", "count": 3}),
        (1, "tracks/basket", {"star": "plum", "count": 2}),
    ):
        player.post(f"{game}/photographs/players/{number}/hand", {})
        assert player.post(f"{game}/players/{number}/{page}", form).status_code == 303
    fields, ana, eva = document(app, game)["boards"]
    assert fields["regions"] == {"w3": {"quince": 2}} and fields["links"] == {"g2-g3": "blue"}
    assert ana["regions"] == {"basket": {"plum": 2}} and eva["regions"] == {}
    wedges, mat = (player.get(f"{game}/players/{n}/review").text for n in (0, 1))
    assert wedges.count('class="region"') == 6 and mat.count('class="region"') == 1
    assert 'class="held"' in wedges and 'class="held"' in mat and "Ana: Basket" in mat
    assert 'class="road" stroke="#2a52c2"' in wedges
    assert player.get(f"{game}/players/1/refused").status_code == 200
    answer = player.post(f"{game}/players/1/tracks/basket", {"answer": "3 pear"})
    assert answer.status_code == 303
    assert document(app, game)["boards"][1]["regions"]["basket"] == {"pear": 3, "plum": 2}
    for kind in ("tracks/w3", "tracks/basket"):
        wrong = player.post(f"{game}/players/1/{kind}", {"star": "red", "count": 1})
        assert wrong.status_code == 422
    swap = player.post(f"{game}/photographs/players/0/swap", {"other": 1})
    assert swap.status_code == 422, "fields are no basket"


def begun(app: Flask, computers: str) -> Guided:
    player = Player(app.test_client())
    game = player.new_game("Ana", "Eva", markers=("red", "blue"))
    answer = player.post(f"{game}/guide", {"draws": "program", "computers": computers})
    assert answer.status_code == 303, answer.text
    guided = Guided.of(app, game.rsplit("/", 1)[1])
    for seat, by in enumerate(computers.split(",")):
        if by == "-":
            guided.sit(player, seat)
    guided.player = player
    return guided


def test_a_fruit_that_left_its_field_answers_the_question(app: Flask) -> None:
    guided = begun(app, "-,-")
    state = guided.history.state
    guided.see(board=0, kind="placed", space=state.die, star="plum", count=1, found=True)
    assert guided.history.state == state, "it lay there"
    guided.see(board=0, kind="removed", space=state.die, star="plum", count=0)
    after = guided.history.state
    assert after.turn == 1 and after.sides[0].basket == ("plum",)


def test_a_secret_number_stays_with_the_phone_that_entered_it(app: Flask) -> None:
    ana, eva = Player(app.test_client()), Player(app.test_client())
    game = ana.new_game("Ana", "Eva", markers=("red", "blue"))
    page = f"{game}/questions/secret/0"
    assert ana.post(page, {"answer": 4}).status_code == 303
    assert document(app, game)["players"][0]["secret"] is None
    assert 'value="4"' in ana.get(page).text and 'value="4"' not in eva.get(page).text
    assert "secret: 4" not in eva.get(f"{game}/share/game.yaml").text
    assert eva.post(page, {"answer": 2}).status_code == 403
    assert 'value="4"' in ana.get(page).text
