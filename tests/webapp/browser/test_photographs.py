"""Photographs in a real browser: whatever else goes on, what is chosen arrives and counts."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Response, Route, expect

from tests.conftest import in_ci
from tests.webapp.browser.computer import until
from tests.webapp.browser.conftest import Hands, ServeTable, TurnTakingReader
from webapp.app.reading.reading_queue import ReadPhotograph

TAKER = ".taker.camera input"
BUSY = "#photographs [data-busy=yes]"


class PatientReader(TurnTakingReader):
    """Reads by turns, when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.may_read = threading.Event()

    def __call__(self, *photograph: Any) -> ReadPhotograph:
        assert self.may_read.wait(60)
        return super().__call__(*photograph)


@pytest.fixture
def reader() -> PatientReader:
    return PatientReader()


@pytest.fixture
def page(at_phone: Hands, serve_table: ServeTable, reader: PatientReader, tmp_path: Path) -> Page:
    """The page of the photographs of a game of two."""
    table, opened = serve_table(reader, tmp_path), at_phone.page
    opened.goto(f"{table.address}{table.game_with_cards('Ana', 'Luis')}/photographs")
    return opened


def is_sent(answer: Response) -> bool:
    """Say whether an answer is about what a page sends, rather than about what it looks at."""
    return answer.request.method == "POST"


class SlowNetwork:
    """Holds what a page sends until it is let go."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: list[Route] = []
        self.address = re.compile(re.escape(page.url) + "$")
        page.route(self.address, self.hold)

    def hold(self, route: Route) -> None:
        if route.request.method == "POST":
            self.held.append(route)
        else:  # the page looks whether it is still as it was
            route.continue_()

    def wait(self) -> None:
        """Wait until something is held."""
        until(self.page, lambda: self.held, "the photograph is sent")

    def let_go(self) -> None:
        """Let what is held go, and hold nothing more."""
        self.page.route(self.address, lambda route: route.continue_())
        for route in self.held:
            route.continue_()


def test_two_chosen_quickly_one_after_the_other_are_a_player_each(
    page: Page, reader: PatientReader, photographs: list[Path]
) -> None:
    """The first is still being sent when the second is chosen."""
    network, photographs_page = SlowNetwork(page), page.url
    expect(page.locator(".takers")).to_be_visible()
    page.set_input_files(TAKER, photographs[0])
    page.set_input_files(TAKER, photographs[1])
    network.wait()
    reader.may_read.set()
    network.let_go()
    page.wait_for_url("**/players/0/review")
    page.goto(photographs_page)
    expect(page.locator(".board-of > .thumbnail")).to_have_count(2)
    expect(page.locator(".board-state.none")).to_have_count(0)
    expect(page.locator(".takers")).to_be_hidden()  # the server refuses what is for nobody
    expect(page.locator(".again:has(#again-1)")).to_be_visible()


@in_ci
def test_what_is_chosen_while_the_list_is_drawn_anew_is_sent(
    page: Page, reader: PatientReader, photographs: list[Path]
) -> None:
    page.set_input_files(TAKER, photographs[0])
    page.wait_for_selector(BUSY)
    with page.expect_file_chooser() as chooser:
        page.locator(".again:has(#again-1)").tap()
    with page.expect_event("response", lambda answer: answer.url.endswith("/list")):
        pass
    with page.expect_event("response", lambda answer: answer.url.endswith("/list")):
        pass  # what the one before said is shown by now
    with page.expect_request(lambda request: request.method == "POST"):
        chooser.value.set_files(photographs[1])
    reader.may_read.set()
    page.wait_for_url("**/players/0/review")


@in_ci
def test_the_page_goes_on_when_all_that_was_chosen_is_sent(
    page: Page, reader: PatientReader, photographs: list[Path]
) -> None:
    """The first photograph shows both boards; the second is still on its way."""
    reader.start_again(together=True)
    page.set_input_files(TAKER, photographs[0])
    page.wait_for_selector(BUSY)
    network = SlowNetwork(page)
    page.set_input_files(TAKER, photographs[1])
    network.wait()
    reader.may_read.set()
    expect(page.locator("#photographs [data-ready=yes]")).to_have_count(1)
    expect(page.locator(".thumb .primary")).to_be_enabled()
    with page.expect_response("**/list"):  # as it is before the page hears the answer
        answer = network.held[0].fetch()
    assert answer.status == 422
    network.held[0].fulfill(response=answer)
    page.wait_for_url("**/players/0/review")


@in_ci
def test_one_sent_while_news_of_the_first_is_on_its_way_is_followed(
    page: Page, reader: PatientReader, photographs: list[Path]
) -> None:
    """The late news knows of the first photograph alone, and of nothing more to wait for."""
    late: list[tuple[Route, APIResponse]] = []

    def keep_late(route: Route) -> None:
        if late or not reader.may_read.is_set():
            route.continue_()
            return
        answer = route.fetch()
        if 'data-busy="yes"' in answer.text():
            route.fulfill(response=answer)
        else:
            late.append((route, answer))

    page.route("**/list", keep_late)
    page.set_input_files(TAKER, photographs[0])
    page.wait_for_selector(BUSY)
    reader.may_read.set()
    until(page, lambda: late, "the list is asked for once more")
    with page.expect_response(is_sent):
        page.set_input_files(TAKER, photographs[1])
    route, answer = late[0]
    route.fulfill(response=answer)
    page.wait_for_url("**/players/0/review")


@in_ci
def test_all_files_that_were_refused_are_discarded_with_one_tap(page: Page, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.jpg" for number in range(3)]
    for file in files:
        file.write_text("no picture")
    page.set_input_files(TAKER, files[:1])
    refused = page.locator("#undelivered li", has_text="This file is not a photograph")
    expect(refused).to_have_count(1)
    discard_all = page.get_by_role("button", name="Discard all that was refused")
    expect(discard_all).to_have_count(0)
    page.set_input_files("input[type=file][multiple]", files[1:])
    expect(refused).to_have_count(3)
    discard_all.tap()
    expect(page.locator("#undelivered")).to_be_hidden()
    page.reload()
    expect(page.locator("#undelivered")).to_be_hidden()
