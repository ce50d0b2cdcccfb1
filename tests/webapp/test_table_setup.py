"""The setup of a table as a page: for so many players, with pictures, and the game to print."""

import re
from dataclasses import replace
from html import unescape
from itertools import product

import cv2
import numpy as np
import pytest
from flask import Flask

from calibration import load_profile
from calibration.printing import print_everything
from scorer import registry
from scorer.table_guide import NAME, guide_of
from tests.webapp.conftest import Player, document_of, players_form
from webapp.app.everything import whole_game
from webapp.app.game_pages import pages_of
from webapp.web.pages import table_setup


def test_steps_are_those_for_the_players(player: Player) -> None:
    two = player.get("/table/nebula?players=2&mode=full").text
    assert "30 black stars" in two and "Values board beside it" in two
    four = player.get("/table/nebula?players=4&mode=intro").text
    assert "20 black stars" in four and "Values board beside it" not in four


@pytest.mark.parametrize("game", ["nebula", "polaris", "ptolemaeus", "via_nebula"])
def test_texts_are_for_some_number_of_players(player: Player, game: str) -> None:
    assert "(0 players)" not in player.get(f"/table/{game}").text


def test_two_players_have_no_other_black_stars() -> None:
    nebula = guide_of(registry.find_game("nebula"))
    said = {n: " ".join(map(str, (s.say for s in nebula.setup(n, "intro")))) for n in (2, 3)}
    assert "other black stars" in said[3] and "other black stars" not in said[2]


def test_a_step_is_shown_by_what_is_printed(player: Player) -> None:
    assert "/table/nebula/picture/cluster_board.jpg" in player.get("/table/nebula").text
    assert player.get("/table/nebula/picture/cluster_board.jpg").data[:2] == b"\xff\xd8"
    assert player.get("/table/nebula/picture/elsewhere.jpg").status_code == 404
    assert player.get("/table/elsewhere").status_code == 404


def test_a_step_shows_the_small_parts_that_it_needs_by_name(player: Player) -> None:
    page = player.get("/table/nebula").text
    moons = page[page.index("picture/moons.jpg") :]
    assert moons[: moons.index("</small>")].endswith("moons")
    data = np.frombuffer(player.get("/table/nebula/picture/moons.jpg").data, np.uint8)
    height, width = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE).shape
    assert width == pytest.approx(3 * height, abs=3), "three in a row, and nothing else"


def test_what_a_guided_game_has_done_need_not_be_done_before(player: Player) -> None:
    page = player.get("/table/nebula?players=2&mode=full").text
    later = [
        step for step in re.findall(r"<li><label>.*?</li>", page, re.DOTALL) if "eave this" in step
    ]
    assert ["18 stars" in later[0], "boosted" in later[1], "reserve" in later[2]] == [True] * 3
    assert ["photograph it below" in step for step in later] == [True, True, False]
    assert "eave this" not in player.get("/table/polaris").text


@pytest.mark.parametrize("name", registry.names())
def test_each_picture_of_a_setup_is_a_printed_thing(player: Player, name: str) -> None:
    game = registry.find_game(name)
    guide = guide_of(game)
    assert game.turns is not None and guide is not None
    for mode, players in product([*pages_of(name).modes] or [""], game.turns.players):
        steps = guide.setup(players, mode)
        pictures = [name for step in steps for name in step.pictures]
        assert {own for step in steps for own in step.lays} <= {own.id for own in game.pieces}
        asks = {step.asks: "x" for step in steps if step.asks}
        assert game.turns.free_options(asks) == asks
        page = player.get(f"/table/{name}?mode={mode}&players={players}").text
        shown = re.findall(r"/(?:picture|cards)/(\w+)\.(?:jpg|svg)", page)
        assert pictures and pictures == shown, f"`pictures` of scorer/{name}/{NAME} are not printed"


def test_a_card_that_cannot_be_printed_is_named(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = whole_game(load_profile("nebula/standard"), "en")
    cards = [replace(card, texts=["word " * 99]) for card in whole.cards]
    crowded = replace(whole, cards=cards)
    monkeypatch.setattr(
        table_setup,
        "everything",
        lambda _board, sheets, _players: print_everything(crowded, sheets),
    )
    answer = player.get("/table/nebula/print.pdf")
    assert answer.status_code == 422
    assert f"The card “{cards[0].name}” has too long a text" in unescape(answer.text)


def test_rules_in_short_have_the_numbers_of_all_games(player: Player) -> None:
    assert "5 / 6 / 8 markers (2 / 3 / 4 players)" in unescape(player.get("/table/nebula").text)


def test_the_new_game_leads_there(player: Player) -> None:
    assert "/table/nebula" in player.get("/games/new?game=nebula").text


def test_a_first_game_is_set_up_and_begun_in_the_introductory_mode(player: Player) -> None:
    page = unescape(player.get("/table/nebula?players=3").text)
    assert "the advanced cards are not needed" in page
    ready = "/games/new?game=nebula&count=3&mode=intro&play=laid"
    assert f'href="{ready}"' in page
    form = player.get(ready).text
    assert 'name="count" value="3" checked' in form and 'name="mode" value="intro" checked' in form
    form = player.get("/games/new?game=nebula&count=9&mode=none").text
    assert 'name="count" value="2" checked' in form and 'name="mode" value="full" checked' in form


def guided_by(page: str) -> str:
    """What the button of a guided first game sends."""
    found = re.search(r'name="guided" value="(\w+)"', page)
    return found[1]


@pytest.mark.parametrize(
    ("page", "players", "mode"),
    [
        ("/", 2, "intro"),
        ("/games/new?game=nebula", 4, "intro"),
        ("/", 1, "full"),  # so few are not guided
        ("/games/new?game=nebula&count=2&mode=full&play=laid", 2, "full"),  # set up for it
    ],
)
def test_a_first_game_is_guided_in_the_introductory_mode(
    app: Flask, player: Player, page: str, players: int, mode: str
) -> None:
    names = ("Ana", "Luis", "Eva", "Petr")[:players]
    game = player.new_game(*names, game="nebula", guided=guided_by(player.get(page).text))
    document = document_of(app, game)
    assert document["mode"] == mode and bool(document.get("guided")) == (players > 1)


def test_the_mode_that_the_table_was_set_up_for_outlives_a_mistake(player: Player) -> None:
    page = player.get("/games/new?game=nebula&count=2&mode=full&play=laid").text
    asked = {"game": "nebula", "guided": guided_by(page), "play": "laid"}
    twice = {**players_form("Ana", "Ana"), **asked}
    answer = player.post("/games/new", twice)
    assert "Two players have this name" in answer.text and guided_by(answer.text) == "yes"


def thumb(page: str) -> str:
    return unescape(page[page.index('class="thumb"') : page.index("</footer>")])


def test_a_table_that_is_set_up_is_played_guided_and_known_to_be_laid(player: Player) -> None:
    page = player.get("/games/new?game=nebula&count=3&mode=intro&play=laid").text
    assert "Who plays?" in page and "Who played?" not in page
    assert ">Play, guided</button>" in thumb(page) and 'name="guided" value="yes"' in thumb(page)
    form = players_form("Ana", "Luis", "Eva", mode="intro") | {"game": "nebula", "play": "laid"}
    begun = player.post("/games/new", form | {"guided": "yes"}).headers["Location"]
    assert begun.endswith("/guide?draft=hand")
    assert "Who plays for Luis?" in player.get(begun).text


@pytest.mark.parametrize(("day", "sun"), [("", "Cancer"), ("1990-05-03", "Taurus")])
def test_a_step_says_where_the_pieces_belong_that_an_option_decides(
    player: Player, day: str, sun: str
) -> None:
    page = player.get(f"/table/ptolemaeus?date={day}").text
    assert f"<li>Sol: {sun}</li>" in page and "<li>The comet: Aries</li>" in page
    assert ("date=1990-05-03" in thumb(page)) == bool(day)
    assert page.count(f'name="date" value="{day}"') == (2 if day else 1), "asked, and checked with"


def test_a_game_of_a_table_that_is_set_up_has_its_date(app: Flask, player: Player) -> None:
    form = {"game": "ptolemaeus", "name-0": "Ana", "name-1": "Luis", "play": "laid"}
    assert (
        'value="1990-05-03"'
        in player.get("/games/new?play=laid&game=ptolemaeus&date=1990-05-03").text
    )
    for day, kept in (("1990-05-03", "1990-05-03"), ("9999-05-03", None), ("soon", None)):
        begun = player.new_game(
            "Ana", "Luis", markers=("blue", "red"), **form, date=day, guided="yes"
        )
        assert document_of(app, begun).get("date") == kept
        assert player.get(f"/table/ptolemaeus?date={day}").status_code == (200 if kept else 422)


def test_the_setup_of_a_begun_game_is_that_of_its_date(player: Player) -> None:
    more = {"game": "ptolemaeus", "play": "laid", "guided": "yes", "date": "1990-05-03"}
    begun = player.new_game("Ana", "Luis", markers=("blue", "red"), **more).rpartition("/")[2]
    page = player.get(f"/table/ptolemaeus?players=2&begun={begun}&date=1969-07-20").text
    assert "<li>Sol: Taurus</li>" in page and 'type="date"' not in page
    assert "answer what else is asked" in player.get("/table/ptolemaeus?date=soon").text


def test_another_game_begins_at_home_as_the_last_one_was(player: Player) -> None:
    ways = "/games/new?play=yes", "/games/new", "/table/nebula"
    player.new_game("Ana", "Luis", mode="full")
    home = player.get("/").text
    assert all(f'href="{way}"' in home for way in ways)
    page = player.get(ways[0]).text
    assert 'name="mode" value="full" checked' in page and ">1</span>" not in page
    player.new_game("Ana", "Luis", mode="intro")
    assert 'name="mode" value="intro" checked' in player.get(ways[0]).text
    assert 'name="mode" value="full" checked' in player.get(ways[1]).text
    other = player.get("/games/new?play=yes&game=via_nebula").text
    assert '<option value="starter" selected>' in other, "a first one is the beginners'"


@pytest.mark.parametrize(("chosen", "side"), [("", "starter"), ("via_nebula/standard", None)])
def test_a_first_valley_is_the_beginners_unless_another_is_chosen(
    app: Flask, player: Player, chosen: str, side: str | None
) -> None:
    valleys = {"game": "via_nebula", "guided": "first", "profile": chosen}
    game = player.new_game("Ana", "Eva", mode="", markers=("blue", "red"), **valleys)
    assert document_of(app, game)["profile"] == (side or chosen)


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
