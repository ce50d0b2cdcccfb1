"""Everybody's: no barrier that axe-core finds, narrow screens, three languages."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from scorer.nebula.contract import NEBULA
from tests.webapp.browser.conftest import Hands, OpenContext, Table
from tests.webapp.conftest import jpeg
from webapp import atomic
from webapp.languages import LANGUAGES
from webapp.star_lessons import FILE, StarLesson

WCAG = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RULES = {
    "runOnly": {"type": "tag", "values": WCAG},
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
OF_A_GAME = (
    "players",
    "cards",
    "values",
    "photographs",
    "players/0/review",
    "players/0/personal",
    "markers",
    "score",
    "score/0",
)
ALONE = (
    "/",
    "/games/new",
    "/preferences",
    "/invite",
    "/api",
    "/my-boards",
    "/my-boards/stars/standard",
    "/games/0123456789abcdef",
)


@pytest.fixture(scope="module")
def pages(table: Table) -> list[str]:
    """Every page, those of a game with one that is scored; stars wait to be looked at."""
    pieces = [
        {"at": [60 + 60 * n, 200], "radius": 14, "colour": "#c82828", "piece": piece.id}
        for n, piece in enumerate(NEBULA.pieces)
    ]
    lesson = StarLesson("standard", "1", "found", None, (480, 400), pieces, [["red", "orange"]], 7)
    folder = table.app.extensions["stargazer"].star_lessons.folder("standard")
    atomic.write(folder / FILE, json.dumps(asdict(lesson)).encode())
    atomic.write(folder / "preview.jpg", jpeg((480, 400)))
    game = table.scored_game("Ana", "Maximiliana Novotná Vondráčková")
    return [*ALONE, *(f"{game}/{step}" for step in OF_A_GAME)]


def each(page: Page, pages: list[str]) -> Iterator[str]:
    """Open every page in turn, and the states that a tap opens."""
    for address in pages:
        page.goto(address)
        yield address
        if address.endswith("/review"):
            page.locator("#next-doubt").click()
            yield f"{address} with its palette"
        if address.endswith("/stars/standard"):
            page.locator(".found-row").first.click()
            yield f"{address} with the names"
        if address.endswith("/new"):
            page.fill("#name-0", "Ana")
            page.fill("#name-1", "Ana")
            with page.expect_navigation():
                page.locator(".thumb .primary").click()
            yield f"{address} with a mistake"
        if address.endswith("/cards"):
            page.locator("details.steps summary").click()
            yield f"{address} with its steps"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(open_context: OpenContext, pages: list[str], scheme: str) -> None:
    context = open_context(color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    axe = Axe()
    found: list[str] = []
    for state in each(page, pages):
        for violation in axe.run(page, options=RULES).response["violations"]:
            nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
            found.append(f"{state}: {violation['id']}: {violation['help']}: {nodes}")
    assert not found, "\n".join(found)


def test_nothing_is_cut_off_on_a_narrow_screen_or_at_200_percent(
    open_context: OpenContext, pages: list[str]
) -> None:
    page = open_context(viewport={"width": 320, "height": 640}).new_page()
    for state in each(page, pages):
        wide = page.evaluate(
            """Math.max(...[document.documentElement, document.querySelector(".scroll")]
                 .map(part => part.scrollWidth - part.clientWidth))"""
        )
        assert wide <= 0, f"{state} is {wide} px wider than the screen"


def test_every_page_speaks_the_players_language(
    open_context: OpenContext, pages: list[str]
) -> None:
    headings: dict[str, list[str]] = {}
    for language in LANGUAGES:
        page = open_context(locale=language).new_page()
        headings[language] = []
        for address in pages:
            page.goto(address)
            assert page.locator("html").get_attribute("lang") == language
            headings[language].append(page.locator("h1").first.inner_text())
            if address.endswith(("cards", "review", "score", "score/0")):
                name = address.split("/", 3)[-1].replace("/", "-")
                Hands(page, touch=False).show(f"{language}-{name}")
    english = headings.pop("en")
    for language, spoken in headings.items():
        same = [heading for heading, other in zip(english, spoken, strict=True) if heading == other]
        assert not same or all("API" in heading or "Ana" in heading for heading in same), (
            f"not in {language}: {same}"
        )


def test_the_language_and_the_appearance_are_chosen_and_kept(at_phone: Hands) -> None:
    page = at_phone.page
    ground = "getComputedStyle(document.body).backgroundColor"
    page.goto("/preferences")
    light = page.evaluate(ground)
    page.locator("[name=language][value=cs]").check()
    page.locator("[name=appearance][value=dark]").check()
    with page.expect_navigation():
        page.locator(".thumb .primary").click()
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "cs"
    assert page.evaluate(ground) != light


def test_back_comes_to_a_page_that_told_of_a_mistake(at_phone: Hands) -> None:
    """Not to the browser's own page that asks whether to send the form again."""
    page = at_phone.page
    page.goto("/games/new")
    page.fill("#name-0", "Ana")
    page.fill("#name-1", "Ana")
    with page.expect_navigation():
        page.locator(".thumb .primary").click()
    page.goto("/preferences")
    page.go_back()
    assert page.locator("#name-0").is_visible()
