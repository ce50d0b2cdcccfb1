"""Everybody's: no barrier that axe-core finds, narrow screens, three languages."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from mimetypes import guess_type

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from scorer.nebula.contract import NEBULA
from tests.conftest import FULL_MATRIX, in_ci, in_full
from tests.webapp.barriers import TOO_WIDE, barriers, settle
from tests.webapp.browser.conftest import PHONE, Hands, OpenContext, Table
from tests.webapp.conftest import Player, jpeg
from tests.webapp.every_form import requests
from webapp.app import atomic
from webapp.app.languages import LANGUAGES
from webapp.app.reading.colour_calibrations import FILE, StoredCalibration
from webapp.server.authority import authority

LONGEST = ("Wolfeschlegelsteinhausenbergerdorffsanna", "Ňouma" * 8)
"""Names as long as they may be, with no space to break them at."""
EACH = 12
"""One of so many pages is looked at, all of them in CI."""
NARROW: ViewportSize = {"width": 320, "height": 640}
OF_EVERYBODY = (
    "/",
    "/games/new",
    "/games/0123456789abcdef",
    "/my-boards/stars/standard",
    "/lessons/nebula/black_star",
    "/lessons/nebula/chaos",
    "/lessons/nebula/career_card",
)
FIRST = """() => [...document.querySelectorAll(".primary")]
  .filter(part => part.checkVisibility()).map(part => part.innerText)"""

AWAY = """Object.defineProperty(
  Navigator.prototype, "onLine", { get: () => !location.pathname.startsWith("/away/") });"""
"""A game that was begun away is looked at as it is there: at home its page goes on to others."""

TWICE = r"\b(the|an?|el|la|los|las|un|una|de|en|na|ve?|se)\s+\1\b"
"""A small word that is said twice, as where a name brings its own."""


@pytest.fixture(scope="module")
def pages(table: Table) -> list[str]:
    """Every page that can be opened, of a game that is scored and one by hand; stars wait, too."""
    pieces = [
        {"at": [60 + 60 * n, 200], "radius": 14, "colour": "#c82828", "piece": piece.id}
        for n, piece in enumerate(NEBULA.pieces)
    ]
    calibration = StoredCalibration(
        "standard", "1", "found", None, (480, 400), pieces, [["red", "orange"]], 7
    )
    folder = table.app.extensions["stargazer"].colour_calibrations.folder("standard")
    atomic.write(folder / FILE, json.dumps(asdict(calibration)).encode())
    atomic.write(folder / "preview.jpg", jpeg((480, 400)))
    authority(table.app.extensions["stargazer"].settings.data_dir)
    game = table.scored_game(*LONGEST)
    player = Player(table.app.test_client())
    other = player.new_game(*LONGEST, game="nebula")
    player.lay_cards(other)
    player.post(f"{other}/photographs/players/0/hand")
    photograph = re.search(r"photographs/(\w{16})/boards", player.get(f"{game}/photographs").text)
    assert photograph is not None
    theirs = r'href="(/people/\w{16})"(?:(?!</a>).)*' + LONGEST[0]  # others played here, too
    person = re.search(theirs, player.get("/people").text, re.DOTALL)
    every = requests(table.app, game.rsplit("/", 1)[1], photograph[1], "GET")
    found = [
        request.path
        for request in every
        if not request.endpoint.startswith("live_events")  # news without an end
        and not guess_type(request.path)[0]  # a picture or a print, which takes seconds to draw
        and ("?" not in request.path or request.path.endswith("at=1"))
        and _is_page(player, request.path)
    ]
    return [*dict.fromkeys([*OF_EVERYBODY, person[1], *found, f"{other}/players/0/review"])]


def _is_page(player: Player, path: str) -> bool:
    answer = player.get(path)
    whole = answer.status_code == 200 and answer.mimetype == "text/html"
    return whole and "<!doctype html>" in answer.text[:200].lower()


def each(page: Page, pages: list[str]) -> Iterator[str]:
    """Open every page in turn, and the states that a tap opens."""
    page.add_init_script(AWAY)
    for address in pages:
        page.goto(address)
        settle(page)
        yield address
        if address.endswith("0/review") and page.locator("[data-open]").count():
            page.locator("[data-open]").click()
            page.locator("#palette").wait_for()
            yield f"{address} with its palette"
        if address.endswith("/stars/standard"):
            page.locator(".found-row").first.click()
            yield f"{address} with the names"
        if address.endswith("/new"):
            page.fill("#name-0", "Ana")
            page.fill("#name-1", "Ana")
            page.locator(".thumb .primary").click()
            page.locator("#step .error").first.wait_for()
            settle(page)
            yield f"{address} with a mistake"
        if "/lessons/" in address and address.endswith("/chaos"):
            page.locator("#lesson a.option").last.click()
            page.locator("[value='chaos purple']").click()
            page.locator("#lesson [value^=keep]").first.wait_for()
            yield f"{address} with stars to keep"
        if address.endswith("/cards"):
            page.locator("details.steps summary").click()
            yield f"{address} with its steps"


def test_axe_finds_no_violation_and_one_thing_comes_first(
    open_context: OpenContext, pages: list[str]
) -> None:
    page = open_context(reduced_motion="reduce").new_page()
    found: list[str] = []
    for state in each(page, pages[:: 1 if FULL_MATRIX else EACH]):
        if len(first := page.evaluate(FIRST)) > 1:
            found.append(f"{state}: {' and '.join(first)} are both what to do next")
        found += [f"{state}: {barrier}" for barrier in barriers(page)]
        page.set_viewport_size(NARROW)
        found += [f"{state}, narrow: {part}" for part in page.evaluate(TOO_WIDE)]
        page.set_viewport_size(PHONE)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", in_full([one for one in LANGUAGES if one != "en"], "es"))
def test_nothing_is_cut_off_on_a_narrow_screen_or_in_large_type(
    open_context: OpenContext, pages: list[str], language: str
) -> None:
    """In English axe's walk looks at that as well."""
    page = open_context(locale=language, viewport=NARROW).new_page()
    found: list[str] = []
    seen = pages if FULL_MATRIX else pages[EACH // 2 :: EACH]  # others than axe looks at
    for state in each(page, seen):
        found += [f"{state}: {part}" for part in page.evaluate(TOO_WIDE)]
        if language == "es":  # whose words are the longest
            page.set_viewport_size(PHONE)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            found += [f"{state} at 200 %: {part}" for part in page.evaluate(TOO_WIDE)]
            page.evaluate("document.documentElement.style.fontSize = ''")
            page.set_viewport_size(NARROW)
    assert not found, "\n".join(found)


def test_every_page_speaks_the_players_language(table: Table, pages: list[str]) -> None:
    headings: dict[str, list[str]] = {}
    for language in LANGUAGES:
        player = Player(table.app.test_client())
        player.headers = {"Accept-Language": language}
        headings[language] = []
        for address in pages:
            text = player.get(address).text
            assert f'<html lang="{language}">' in text
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)
            assert heading is not None, address
            headings[language].append(re.sub(r"<[^>]*>", "", heading[1]).strip())
            said = re.sub(r"<[^>]*>", " ", text)
            assert not (twice := re.search(TWICE, said, re.IGNORECASE)), f"{address}: {twice}"
    english = headings.pop("en")
    for language, spoken in headings.items():
        same = {heading for heading, other in zip(english, spoken, strict=True) if heading == other}
        names = ("API", *LONGEST)
        untranslated = [one for one in same if not any(name in one for name in names)]
        assert not untranslated, f"not in {language}: {untranslated}"


def test_the_language_and_the_appearance_are_chosen_and_kept(at_phone: Hands) -> None:
    page = at_phone.page
    ground = "getComputedStyle(document.body).backgroundColor"
    page.goto("/preferences")
    light = page.evaluate(ground)
    page.locator("[name=language][value=cs]").check()
    page.locator("[name=appearance][value=dark]").check()
    with page.expect_event("load"):
        page.locator(".thumb .primary").click()
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "cs"
    assert page.evaluate(ground) != light


@in_ci
def test_back_returns_to_a_page_that_showed_an_error(at_phone: Hands) -> None:
    """Not to the browser's own page that asks whether to send the form again."""
    page = at_phone.page
    page.goto("/games/new")
    page.fill("#name-0", "Ana")
    page.fill("#name-1", "Ana")
    page.locator(".thumb .primary").click()
    page.locator("#step .error").first.wait_for()
    page.goto("/preferences")
    page.go_back()
    expect(page.locator("#name-0")).to_be_visible()
