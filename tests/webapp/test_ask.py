"""Ask: words and cards explained on a page, or as a part of whichever page asks."""

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from calibration.profile import built_in_profiles, load_profile
from scorer.game import Game
from scorer.nebula.contract import NEBULA
from scorer.polaris.contract import POLARIS_GAME
from scorer.ptolemaeus.game import PTOLEMAEUS
from scorer.via_nebula.game import VIA_NEBULA
from tests.webapp.conftest import Player, game_at, players_form
from webapp.app.boards.board_drawing import draw
from webapp.web.pages.ask import terms_at

PARTIAL = {"X-Partial": "1"}


GAMES = [NEBULA, POLARIS_GAME, PTOLEMAEUS, VIA_NEBULA]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_word_has_a_page_in_three_languages(app: Flask, game: Game[Any, Any, Any]) -> None:
    for language in ("en", "es", "cs"):
        player = Player(app.test_client(), **{"Accept-Language": language})
        listed = unescape(player.get(f"/ask/{game.id}").text)
        for term in game.glossary[::7]:
            name = term.name.in_language(language)
            assert name[:1].upper() + name[1:] in listed
            page = unescape(player.get(f"/ask/{game.id}/{term.id}").text)
            assert term.text.in_language(language) in page
            assert str(term.section.in_language(language)) in page  # type: ignore[union-attr]


def test_in_a_game_a_word_is_explained_for_those_who_play(player: Player) -> None:
    game = game_at(player.post("/games/new", players_form("Ana", "Eva")).headers["Location"])
    page = player.get(f"{game}/players").text
    (players,) = re.findall(r'data-players="(\d)"', page)
    assert "data-players" not in player.get("/ask/nebula").text
    said = {
        count: player.get(f"/ask/nebula/bag?players={count}", headers=PARTIAL).text
        for count in (players, "4", "")
    }
    assert players == "2" and "120 coloured stars and 30 black ones. " in said["2"]
    assert "20 black ones. " in said["4"] and "for 2, 3 or 4 players. " in said[""]


def test_a_script_gets_the_part_alone_with_its_picture_or_its_drawn_example(player: Player) -> None:
    card = player.get("/ask/nebula/V7", headers=PARTIAL).text
    assert "<html" not in card
    assert "/assets/nebula/cards/V7.svg" in card
    core = player.get("/ask/nebula/core", headers=PARTIAL).text
    assert 'class="space taken lit" data-space="core"' in core


def test_a_place_of_the_board_is_explained_without_a_game(player: Player) -> None:
    there = player.get("/ask/nebula?place=core", headers=PARTIAL).text
    assert 'class="term" data-name="The core"' in there and "Highlighted space" in there
    assert player.client.get("/ask/nebula?place=nowhere", headers=PARTIAL).status_code == 404
    lesson = player.get("/lessons/nebula/links").text
    assert 'data-explains="/ask/nebula?place="' in lesson and 'data-place="core"' in lesson


@pytest.mark.parametrize("name", built_in_profiles())
def test_every_symbol_that_is_printed_on_a_board_is_explained(name: str) -> None:
    profile = load_profile(name)
    game, drawn = profile.game, draw(profile)
    places = [*drawn.spaces, *drawn.regions, *drawn.edges]
    unexplained = [one.id for one in places if not terms_at(game, profile, one.id)]
    assert places and not unexplained


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_piece_is_explained(game: Game[Any, Any, Any]) -> None:
    pieces = [one.id for one in game.pieces]
    unexplained = [
        one for one in pieces if not any(term.explains(piece=one) for term in game.glossary)
    ]
    assert pieces and not unexplained


@pytest.mark.parametrize(
    ("name", "place", "pieces", "terms"),
    [
        ("nebula/standard", "core", ["black"], ["black_star", "highlighted", "core"]),
        ("polaris/standard", "2r2", ["red"], ["star", "red_space", "star_space"]),
        ("ptolemaeus/standard", "red_asteroids", [], ["asteroid"]),
        ("ptolemaeus/standard", "red_mars", [], ["study_area"]),
        ("via_nebula/standard", "D5", ["wood-1"], ["token", "open_meadow"]),
        ("via_nebula/standard-guild", "pile_2", [], ["explorer"]),
    ],
)
def test_a_piece_comes_first_then_what_is_printed_then_the_place(
    name: str, place: str, pieces: list[str], terms: list[str]
) -> None:
    profile = load_profile(name)
    found = terms_at(profile.game, profile, place, pieces)
    assert [term.id for term in found or ()] == terms


def test_an_answer_has_its_drawn_example_where_one_game_is_asked(player: Player) -> None:
    asked = player.get("/ask/nebula?q=core", headers=PARTIAL).text
    assert asked.count("<svg") == 1 + player.get("/ask/nebula", headers=PARTIAL).text.count("<svg")
    assert 'class="space taken lit" data-space="core"' in asked
    assert 'data-space="' not in player.get("/ask?q=core", headers=PARTIAL).text


def test_what_is_searched_is_found_without_accents_and_nothing_breaks(app: Flask) -> None:
    player = Player(app.test_client(), **{"Accept-Language": "cs"})
    text = player.get("/ask?q=souhvezdi").text
    assert 'data-term="constellation"' in text
    assert 'data-term="bag"' not in text and 'class="none"' not in text, "it is sure"
    for wanted in ("x" * 5000, "?", "…", "ano"):
        assert 'class="none"' in player.get(f"/ask?q={wanted}").text
    unsure = player.get("/ask/nebula?q=veřejná+zahrada+sousedky+doma").text
    assert 'class="none"' in unsure and 'class="suggested"' in unsure
    guessed = player.get("/ask/nebula?q=kam+se+přesune+hvězda+v+souhvězdí").text
    assert 'class="none"' in guessed and guessed.count('class="explained"') == 3
    assert text.count('class="explained"') == 3, "each game's first of what is sure"
    own = player.get("/ask/nebula?q=souhvezdi").text
    assert own.count('class="explained"') == 1
    first = Player(app.test_client()).get("/ask?q=who+goes+first").text
    assert first.count('class="explained"') == len(GAMES), "who it is differs from game to game"
    basics = '<details class="wins">'
    assert unsure.count(basics) == 1 and basics not in text, "only what has no answer"
    assert player.get("/ask?q=blorf").text.count(basics) == len(GAMES), "each game's"
    assert player.get("/ask/nebula/nothing").status_code == 404
    assert player.get("/ask/nothing").status_code == 404
    assert player.get("/ask/polaris/core").status_code == 404, "another game's word"


def test_a_game_is_asked_for_its_own_words_and_the_shelf_for_those_of_all(player: Player) -> None:
    skies = {"game": "polaris", "mode": "phases", "marker-0": "red", "marker-1": "blue"}
    forms = {"polaris": skies, "nebula": {"game": "nebula"}}
    for name, own, other in (("polaris", "telescope", "core"), ("nebula", "core", "telescope")):
        form = {**players_form("Ana", "Luis"), **forms[name]}
        begun = game_at(player.post("/games/new", form).headers["Location"])
        page = player.get(f"{begun}/photographs").text
        assert f'data-at="/ask/{name}"' in page and f'href="/ask/{name}"' in page
        words = player.get(f"/ask/{name}").text
        assert f'href="/ask/{name}/{own}"' in words
        assert f'data-term="{other}"' not in words and 'class="of-game"' not in words
        assert 'href="/ask"' in words, "and from there to all"
    assert 'data-at="/ask"' in player.get("/").text
    found = player.get("/ask?q=constellation").text
    for name, title in (("nebula", "Nebula"), ("polaris", "Polaris")):
        assert f'href="/ask/{name}/constellation"' in found
        assert f'<span class="of-game">{title}</span>' in found


def test_what_a_step_is_about_comes_before_all_words(player: Player) -> None:
    step = "Carry wood from H5: choose. From any meadow, over open meadows, whoever's they are."
    page = player.get("/ask/via_nebula", query_string={"about": step}, headers=PARTIAL).text
    first = re.findall(r'class="ask-word" href="/ask/via_nebula/(\w+)"', page)
    assert {"carrying", "open_meadow"} <= {*first} and len(first) <= 3
    assert page.index("ask-word") < page.index('class="terms"')
    for nothing in ("", "blorf " * 500):
        words = player.get("/ask/via_nebula", query_string={"about": nothing}, headers=PARTIAL).text
        assert 'class="ask-word"' not in words and 'data-term="carrying"' in words


def test_an_example_of_a_sky_has_its_stars_and_links(app: Flask) -> None:
    page = Player(app.test_client()).get("/ask/polaris/polaris", headers=PARTIAL).text
    assert 'class="space taken lit" data-space="1b1"' in page
    assert 'class="space edge taken lit" data-space="polaris-3b1"' in page
    assert "/assets/polaris/cards/C11.svg" in Player(app.test_client()).get("/ask/polaris/C11").text
