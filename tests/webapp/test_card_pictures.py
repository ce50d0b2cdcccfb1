"""Card pictures: every card has one of its own, small, whole SVG, without words."""

import re
from xml.etree import ElementTree

import pytest

from calibration import load_profile
from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.card import CARDS
from scorer.nebula.words import COLOURS
from webapp.games.nebula.card_pictures import FAMILIES, draw
from webapp.web import card_ink as ink

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pictures() -> dict[str, str]:
    profile = load_profile("standard")
    undrawn = {card.family for card in CARDS.values()} - FAMILIES.keys()
    assert not undrawn, "no function of this name in webapp/games/nebula/card_pictures.py"
    return {number: draw(card, profile) for number, card in CARDS.items()}


def test_every_card_has_a_picture_of_its_own(pictures: dict[str, str]) -> None:
    without_titles = {re.sub(r"<title>.*?</title>", "", svg) for svg in pictures.values()}
    assert len(without_titles) == len(CARDS)
    assert {card.family for card in CARDS.values()} == FAMILIES.keys()


def test_a_picture_is_a_standalone_square_without_words(pictures: dict[str, str]) -> None:
    for number, svg in pictures.items():
        root = ElementTree.fromstring(svg)
        assert root.get("viewBox") == "0 0 120 120"
        assert root.findtext(f"{SVG}title") == number
        for text in root.iter(f"{SVG}text"):
            assert text.text and not re.search(r"[A-Za-z]", text.text), "words want translations"
        assert "style=" not in svg and "href" not in svg, "the pages' policy allows neither"
        assert len(svg) < 8000, f"{number} is heavy for a picture of 120 px"


def test_a_colour_is_drawn_with_its_mark(pictures: dict[str, str]) -> None:
    for number, card in CARDS.items():
        colours = card.parameters.get("colours") or [card.parameters.get("colour")]
        for colour in filter(None, colours):
            assert ink.star_colours()[colour] in pictures[number]
            assert ink.shapes()[f"mark-{colour}"] in pictures[number]


def test_the_pages_shapes_are_all_found() -> None:
    wanted = {f"mark-{colour}" for colour in (*COLOURS, "black")} | {"shape-star"}
    assert wanted | {f"sign-{sign}" for sign in STANDARD_BOARD.ring} <= ink.shapes().keys()
    assert {*COLOURS, "black"} <= ink.mark_colours().keys() & ink.star_colours().keys()


def test_stars_stay_inside_the_picture(pictures: dict[str, str]) -> None:
    for number, svg in pictures.items():
        places = re.findall(r"translate\((-?[\d.]+) (-?[\d.]+)\) scale\(([\d.]+)\)", svg)
        for x, y, scale in ((float(a), float(b), float(c)) for a, b, c in places):
            reach = 8.3 * scale
            assert reach <= x <= 120 - reach and reach <= y <= 120 - reach, number


def test_the_example_of_three_colours_is_a_legal_one() -> None:
    from webapp.games.nebula.card_pictures import _three_colours

    for spaces in STANDARD_BOARD.constellations.values():
        chosen = _three_colours(STANDARD_BOARD, spaces)
        assert len(set(chosen.values())) == 3
        for link in STANDARD_BOARD.links:
            if link.ends <= chosen.keys():
                assert chosen[link.a] != chosen[link.b]
