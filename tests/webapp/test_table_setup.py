"""The setup of a table as a page: for so many players, with pictures, and the game to print."""

import re
from html import unescape
from itertools import product

import pytest

from scorer import registry
from scorer.table_guide import guide_of
from tests.webapp.conftest import Player
from webapp.app.game_pages import pages_of


def test_steps_are_those_for_the_players(player: Player) -> None:
    two = player.get("/table/nebula?players=2&mode=full").text
    assert "30 black stars" in two and "Values board beside it" in two
    four = player.get("/table/nebula?players=4&mode=intro").text
    assert "20 black stars" in four and "Values board beside it" not in four


def test_a_step_is_shown_by_what_is_printed(player: Player) -> None:
    assert "/table/nebula/picture/cluster_board.jpg" in player.get("/table/nebula").text
    assert player.get("/table/nebula/picture/cluster_board.jpg").data[:2] == b"\xff\xd8"
    assert player.get("/table/nebula/picture/elsewhere.jpg").status_code == 404
    assert player.get("/table/elsewhere").status_code == 404


@pytest.mark.parametrize("name", registry.names())
def test_each_picture_of_a_setup_is_a_printed_thing(player: Player, name: str) -> None:
    game = registry.find_game(name)
    guide = guide_of(game)
    for mode, players in product([*pages_of(name).modes] or [""], game.turns.players):
        pictures = [step.picture for step in guide.setup(players, mode) if step.picture]
        page = player.get(f"/table/{name}?mode={mode}&players={players}").text
        assert pictures and pictures == re.findall(r"/(?:picture|cards)/(\w+)\.(?:jpg|svg)", page)


def test_the_new_game_leads_there(player: Player) -> None:
    assert "/table/nebula" in player.get("/games/new?game=nebula").text


def test_a_first_game_is_set_up_and_begun_in_the_introductory_mode(player: Player) -> None:
    page = unescape(player.get("/table/nebula?players=3").text)
    assert "the advanced cards stay in the box" in page
    ready = "/games/new?game=nebula&count=3&mode=intro"
    assert f'href="{ready}"' in page
    form = player.get(ready).text
    assert 'name="count" value="3" checked' in form and 'name="mode" value="intro" checked' in form
    form = player.get("/games/new?game=nebula&count=9&mode=none").text
    assert 'name="count" value="2" checked' in form and 'name="mode" value="full" checked' in form


def test_the_game_is_printed_from_the_page(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """For as many as the setup is for; for the most there may be, where none is said."""
    monkeypatch.setattr(
        "webapp.web.pages.table_setup.everything", lambda _, sheets, players: f"{sheets} {players}"
    )
    page = player.get("/table/nebula?players=3").text
    assert '<input type="hidden" name="players" value="3">' in page.split('id="print"')[1]
    assert player.get("/table/nebula/print.pdf?players=3").text.endswith(" 3")
    answer = player.get("/table/nebula/print.pdf?paper=letter&saving=yes")
    assert "letter" in answer.text and "saving=True" in answer.text
    assert answer.text.endswith(" None")
    assert answer.headers["Content-Disposition"].endswith('"nebula-letter.pdf"')
    assert player.get("/table/nebula/print.pdf?paper=a9").status_code == 404
