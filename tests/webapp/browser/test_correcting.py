"""A wrongly read star, a reload in mid-flow, a board by hand, and no mouse at all."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import in_ci
from tests.webapp.browser.conftest import (
    ANAS,
    Hands,
    OpenContext,
    ServeTable,
    Table,
    TurnTakingReader,
    hands_at,
)
from tests.webapp.conftest import read_board
from webapp.app.reading.reading_queue import ReadPhotograph


def begin(hands: Hands, table: Table, step: str, *names: str) -> Page:
    """Open a step of a game whose photographs are read and dealt."""
    game = table.scored_game(*(names or ("Ana", "Luis")))
    hands.page.goto(f"{game}/{step}")
    return hands.page


def choose(hands: Hands, colour: str) -> None:
    """Choose a star in the palette that is open, and wait until it is saved."""
    with hands.page.expect_response(lambda answer: answer.url.endswith("/star")):
        hands.tap(f'#palette [name=star][value="{colour}"]')
    expect(hands.page.locator("#palette")).to_be_hidden()


def test_a_wrongly_read_star_is_corrected_and_the_correction_undone(
    hands: Hands, table: Table
) -> None:
    page = begin(hands, table, "players/0/review")
    assert ANAS["ar3"] != "red"
    space = page.locator("#space-ar3")
    expect(space).to_have_attribute("data-star", ANAS["ar3"])
    expect(page.locator("#question-message")).to_contain_text("What is on a space of Aries")
    hands.tap("[data-open]")
    expect(page.locator("#palette-name")).to_have_text("Aries 3")
    hands.show(f"correcting-{'phone' if hands.touch else 'desktop'}")
    choose(hands, "red")
    expect(space).to_have_attribute("data-star", "red")
    expect(page.locator("#question-message")).to_have_count(0)
    hands.tap("#undo")
    expect(space).to_have_attribute("data-star", ANAS["ar3"])
    hands.tap("#redo")
    expect(space).to_have_attribute("data-star", "red")


def test_one_tap_answers_for_pieces_that_look_alike(
    open_context: OpenContext, serve_table: ServeTable, tmp_path: Path
) -> None:
    doubtful = ["ar1", "ar2", "ar4", "ta1"]

    def read(path: Path, name: str, *asked: Any) -> ReadPhotograph:
        found = TurnTakingReader()(path, name, *asked)
        board = read_board(dict.fromkeys(doubtful, "yellow"), doubtful="")
        for space in doubtful:
            board["spaces"][space] |= {"confidence": 0.6, "colour": "#c8b890"}
        chances = {"yellow": 0.6, "orange": 0.4}
        flags = [
            {"kind": "uncertain", "spaces": [one], "alternatives": chances} for one in doubtful
        ]
        boards = [{**board, "flags": flags}]
        return replace(found, reading={**found.reading, "boards": boards})

    table = serve_table(read, tmp_path)
    at_phone = hands_at("phone", open_context, base_url=table.address)
    page = begin(at_phone, table, "players/0/review", "Ana")
    question = page.locator("#question-message")
    expect(question).to_have_text("What is on these spaces? They look alike.")
    at_phone.show("alike")
    at_phone.tap(page.get_by_label("Taurus 1", exact=True))
    at_phone.tap('.answers [value="orange"]')
    expect(question).to_have_text("What is on a space of Taurus on orbit 1?")
    for space in doubtful[:3]:
        expect(page.locator(f"#space-{space}")).to_have_attribute("data-star", "orange")
    at_phone.tap("#undo")
    expect(question).to_have_text("What is on these spaces? They look alike.")


def test_a_tap_on_a_space_empties_it_and_the_score_follows(at_phone: Hands, table: Table) -> None:
    page = begin(at_phone, table, "score/0")
    before = page.locator("h1 .total").inner_text()
    page.goto(page.url.replace("score/0", "players/0/review"))
    for space in ("ar4", "ar2"):
        at_phone.tap(f"#space-{space} .rim")
        choose(at_phone, "")
        expect(page.locator(f"#space-{space}")).to_have_attribute("data-star", "")
    page.goto(page.url.replace("players/0/review", "score/0"))
    expect(page.locator("h1 .total")).not_to_have_text(before)


@in_ci
def test_a_broken_rule_is_reported_in_words_and_its_spaces_light_up(
    at_phone: Hands, table: Table
) -> None:
    page = begin(at_phone, table, "players/0/review")
    at_phone.tap("#space-ar2 .rim")
    choose(at_phone, ANAS["ar1"])
    reported = page.locator(".break").first
    expect(reported).to_contain_text("are linked and both")
    at_phone.tap(reported)
    expect(page.locator("#drawn .space.lit").nth(1)).to_be_visible()
    at_phone.show("broken-rule-phone")


@in_ci
def test_a_reload_in_mid_flow_keeps_every_confirmed_step(at_phone: Hands, table: Table) -> None:
    page = begin(at_phone, table, "players/1/review")
    at_phone.tap("#black-more")
    expect(page.locator("#black-more")).to_have_attribute("value", "8")
    at_phone.tap("#space-core .rim")
    choose(at_phone, "white")
    page.reload()
    expect(page.locator("#space-core")).to_have_attribute("data-star", "white")
    expect(page.locator("#black-more")).to_have_attribute("value", "8")
    page.goto(page.url.replace("players/1/review", "photographs"))
    page.reload()
    expect(page.locator("img.thumbnail")).to_have_count(2)


@in_ci
def test_a_closed_browser_finds_the_game_again_where_it_was(
    at_phone: Hands, table: Table, open_context
) -> None:
    game = table.game_with_cards("Zoë", "Luis")
    at_phone.page.context.close()
    page = open_context().new_page()
    page.goto("/")
    page.locator(".game", has_text="Zoë").click()
    expect(page).to_have_url(re.compile(f"{game}/photographs$"))


def test_a_mistake_is_reported_at_its_field_and_nothing_entered_is_lost(at_phone: Hands) -> None:
    page = at_phone.page
    page.goto("/games/new")
    page.fill("#name-0", "Ana")
    page.fill("#name-1", "ana")
    at_phone.next()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()
    expect(page.locator("#name-0")).to_have_value("Ana")
    expect(page.locator("#name-1")).to_have_value("ana")
    at_phone.show("mistake-phone")


@in_ci
@pytest.mark.parametrize("hands", ["phone", "desktop"], indirect=True)
def test_a_board_is_reviewed_with_the_keyboard_alone(hands: Hands, table: Table) -> None:
    page = begin(hands, table, "players/0/review")
    page.locator("#space-core").focus()
    page.keyboard.press("ArrowUp")
    focused = page.locator("#drawn .space:focus")
    space = focused.get_attribute("data-space")
    assert space and space != "core"
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    expect(focused).to_have_attribute("data-space", space)


def test_cards_are_found_by_number_and_by_words(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    player_game = table.game_with_cards("Ana", "Luis")
    page.goto(f"{player_game}/nebula/cards")
    shown = page.locator(".gallery li:visible .card")
    page.fill("#find", "17")
    expect(shown).to_have_count(2)
    for number, card in enumerate(("V17", "B17")):
        expect(shown.nth(number)).to_have_attribute("data-card", card)
    page.fill("#find", "orbit white")
    expect(page.locator(".gallery [data-card=V17]")).to_be_hidden()
    expect(page.locator(".gallery [data-card=B23]")).to_be_visible()
    page.fill("#find", "nothing like that")
    expect(page.locator(".none").first).to_be_visible()


def test_a_token_goes_where_another_one_is_tapped(at_phone: Hands, table: Table) -> None:
    page = at_phone.page
    page.goto(f"{table.game_with_cards('Ana')}/nebula/values")
    order = page.locator("input[name=colours]")

    def tapped(*tokens: str) -> None:
        for token in tokens:
            at_phone.tap(f'[data-token="{token}"] .value-token')

    tapped("red", "yellow", "blue", "blue")
    expect(page.locator(".order [aria-pressed=true]")).to_have_attribute("aria-label", "blue")
    tapped("red")
    expect(order).to_have_value("blue,red,yellow")
    tapped("blue", "yellow")
    expect(order).to_have_value("red,yellow,blue")
    tapped("yellow", "yellow", "blue")  # picked no more, but blue
    expect(page.locator(".order [aria-pressed=true]")).to_have_attribute("aria-label", "blue")
    tapped("purple")
    expect(order).to_have_value("red,yellow,blue,purple")
    at_phone.tap('[data-token="purple"] .out')
    tapped("blue", "red")
    expect(order).to_have_value("blue,red,yellow")
