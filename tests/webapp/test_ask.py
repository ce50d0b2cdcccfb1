"""Ask: words and cards explained on a page, or as a part of whichever page asks."""

from html import unescape

from flask import Flask

from scorer.nebula.contract import NEBULA
from tests.webapp.conftest import Player

PARTIAL = {"X-Partial": "1"}


def test_every_word_has_a_page_in_three_languages(app: Flask) -> None:
    for language in ("en", "es", "cs"):
        player = Player(app.test_client(), **{"Accept-Language": language})
        listed = unescape(player.get("/ask").text)
        for term in NEBULA.glossary[::7]:
            name = term.name.in_language(language)
            assert name[:1].upper() + name[1:] in listed
            page = unescape(player.get(f"/ask/{term.id}").text)
            assert term.text.in_language(language) in page
            assert str(term.section.in_language(language)) in page  # type: ignore[union-attr]


def test_a_script_gets_the_part_alone_with_its_picture_or_its_drawn_example(app: Flask) -> None:
    player = Player(app.test_client())
    card = player.get("/ask/V7", headers=PARTIAL).text
    assert "<html" not in card
    assert "/cards/V7.svg" in card
    core = player.get("/ask/core", headers=PARTIAL).text
    assert 'class="space taken lit" data-space="core"' in core


def test_what_is_searched_is_found_without_accents_and_nothing_breaks(app: Flask) -> None:
    player = Player(app.test_client(), **{"Accept-Language": "cs"})
    text = player.get("/ask?q=souhvezdi").text
    assert 'data-term="constellation"' in text
    assert 'data-term="bag"' not in text
    assert 'class="none"' in player.get("/ask?q=" + "x" * 5000).text
    assert player.get("/ask/nothing").status_code == 404
