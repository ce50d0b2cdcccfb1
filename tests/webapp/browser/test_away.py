"""The computer goes away and comes back: games are read meanwhile, what was typed is delivered."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.conftest import PATIENCE_MS, in_ci
from tests.webapp.browser.computer import Computer, kept, until
from tests.webapp.browser.conftest import PHONE
from tests.webapp.conftest import Player
from tests.webapp.guided import Guided
from webapp.server.waitress_server import addresses_of_this_computer


@pytest.fixture
def computer(tmp_path: Path) -> Iterator[Computer]:
    made = Computer(tmp_path)
    yield made
    made.end()


@in_ci
def test_games_are_read_and_notes_written_while_the_computer_is_away(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game, begun = player.play_to_score("Ana", "Luis"), player.new_game("Eva", "Ana")
    context = browser.new_context(base_url=computer.address, viewport=PHONE)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    for address in ("/", f"{game}/score", f"{game}/about", f"{begun}/about"):
        kept(page, address)
    computer.go_away()

    page.goto("/")
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator(".tile")).to_have_count(2)
    expect(page.locator(".tile-actions button").first).to_be_disabled()
    page.locator(f'a[href="{game}"]').click()
    expect(page.locator("h1")).to_contain_text("win")
    page.locator(".scroll").evaluate("all => all.scrollTo(0, all.scrollHeight)")
    expect(page.locator("#away")).to_be_in_viewport(ratio=1)
    page.goto("/preferences")
    expect(page.locator("h1")).to_have_text("The computer cannot be reached")
    for address, note in ((f"{game}/about", "a fine evening"), (f"{begun}/about", "mine")):
        page.goto(address)
        expect(page.locator("#away")).to_be_visible()
        page.fill("#note", note)
        page.locator(".note button").click()
    expect(page.locator("#undelivered")).to_contain_text("2 changes are waiting")

    player.post(f"{begun}/note", {"note": "theirs", "was": ""})
    computer.come()
    clash = page.locator("#undelivered li")
    expect(clash).to_contain_text("theirs")
    expect(clash).to_contain_text("mine")
    expect(page.locator("#away")).to_be_hidden()
    notes = {
        one.id: one.document.get("note")
        for one in computer.app.extensions["stargazer"].games.recent()
    }
    assert notes == {game.split("/")[2]: "a fine evening", begun.split("/")[2]: "theirs"}
    clash.locator("button").click()
    expect(page.locator("#undelivered")).to_be_hidden()
    context.close()


@in_ci
def test_a_kept_page_is_shown_while_the_computer_hangs(
    browser: Browser, computer: Computer
) -> None:
    game = Player(computer.app.test_client()).play_to_score("Ana", "Luis")
    context = browser.new_context(base_url=computer.address, viewport=PHONE)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    kept(page, f"{game}/score")
    with computer.hanging():
        page.goto(f"{game}/about")
        expect(page.locator("#away")).to_be_visible()
        expect(page.locator(".note button")).to_be_enabled()
        shown = "() => getComputedStyle(document.querySelector('.scroll')).overflowY"
        assert page.evaluate(shown) == "auto", "it has its style"
    expect(page.locator("#away")).to_be_hidden()
    context.close()


@in_ci
def test_an_unopened_lesson_is_available_offline_with_its_pictures(
    browser: Browser, computer: Computer
) -> None:
    lesson = "/lessons/via_nebula/build"
    text = Player(computer.app.test_client()).get(lesson).text
    pictures = set(re.findall(r'<img[^>]* src="(/assets/[^"]+)"', text))
    assert len(pictures) > 3
    with browser.new_context(base_url=computer.address, viewport=PHONE) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto("/lessons")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        page.reload()
        for address in (lesson, *pictures):
            kept(page, address)
        computer.go_away()
        page.goto(lesson)
        expect(page.locator("h1")).to_have_text("Build")
        page.wait_for_function("() => [...document.images].every((one) => one.complete)")
        shown = "() => [...document.images].filter((one) => one.naturalWidth).map((one) => one.src)"
        assert {computer.address + one for one in pictures} <= {*page.evaluate(shown)}
        assert page.evaluate("() => [...document.images].every((one) => one.naturalWidth)")


def test_what_is_tapped_while_another_tap_is_delivered_is_delivered_as_well(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    with browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{game}/live")
        computer.go_away()
        lay(page, "ar1", "red")
        expect(page.locator("#undelivered")).to_contain_text("1 change is waiting")
        held: list[Route] = []
        page.route("**/live/star", lambda route: held.append(route), times=1)
        computer.come()
        until(page, lambda: held, "the first change is sent again")
        with page.expect_response("**/healthz/invited"):  # it sees that the computer is there
            lay(page, "ar2", "blue")
        expect(page.locator("#undelivered")).to_contain_text("2 changes are waiting")
        held[0].continue_()
        expect(page.locator("#undelivered")).to_be_hidden()
        expect(page.locator("#player-0 .space.taken")).to_have_count(2)


def lay(page: Page, space: str, star: str) -> None:
    """Lay a star of the first player's by hand."""
    page.locator("#hand-0").click()
    page.locator("#hand select").select_option(space)
    page.locator(f"#hand button[value={star}]").click()


@in_ci
def test_live_taps_are_delivered_in_order_and_once_when_the_computer_is_back(
    browser: Browser, computer: Computer
) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    live = computer.app.extensions["stargazer live"]
    context = browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"{game}/live")

    def lose_answer(route: Route) -> None:
        route.fetch()  # it arrives, and the answer is lost
        route.abort()

    page.route("**/live/star", lose_answer, times=1)
    with page.expect_response("**/live/star"):  # to the second try: the first is left without
        lay(page, "ar1", "red")
    expect(page.locator("#undelivered")).to_be_hidden()
    reported: list[tuple[str, ...]] = [("hand", "placed", "ar1", "red")]

    def log() -> list[tuple[str, ...]]:
        entries = live.entries(game.split("/")[2])
        return [
            (one.kind, *map(str, (one.data.get("event") or one.data).values())) for one in entries
        ]

    expect(page.locator("#player-0 .space.taken")).to_have_count(1)
    assert log() == reported, "written once, though it was sent twice"
    page.evaluate(
        "for (let tap = 0; tap < 3; tap += 1) document.querySelector('#black-more-1').click()"
    )
    expect(page.locator("#player-1 .stepper .number")).to_have_text("3")
    reported += [("hand", "black", "1"), ("hand", "black", "2"), ("hand", "black", "3")]
    until(
        page, lambda: log() == reported, "each of three taps that no answer was waited for between"
    )

    computer.go_away()
    lay(page, "ar2", "blue")
    expect(page.locator("#away")).to_be_visible()
    expect(page.locator("#undelivered")).to_contain_text("1 change is waiting")
    page.locator("#tab-end").click()
    page.locator("#values-now summary").click()
    for _ in range(2):
        page.locator("#indicator-more").click()
    lay(page, "ar2", "white")
    for count in ("1", "2"):
        page.locator("#black-more-0").click()
        expect(page.locator("#player-0 .stepper .number")).to_have_text(count)
    expect(page.locator("#undelivered")).to_contain_text("6 changes are waiting")
    page.locator("#tab-objectives").click()
    page.locator("#mine-0").click()  # a hidden card is kept by no browser: it says so beforehand
    page.evaluate("document.getElementById('personal').showModal()")
    expect(page.locator("#personal .needs-computer")).to_be_visible()
    expect(page.locator("#personal [name=card]").first).to_be_disabled()
    page.locator("#personal [data-close]").click()
    page.on("dialog", lambda asked: asked.accept())
    page.locator(".menu summary").click()
    page.locator(".menu form button").click()
    page.keyboard.press("Escape")
    lay(page, "ca1", "blue")
    expect(page.locator("#undelivered")).to_contain_text("8 changes are waiting")
    computer.come()
    expect(page.locator("#undelivered")).to_be_hidden()
    reported += [
        ("hand", "placed", "ar2", "blue"),
        ("indicator", "1"),
        ("indicator", "1"),
        ("hand", "placed", "ar2", "white"),
        ("hand", "black", "1"),
        ("hand", "black", "2"),
        ("restart",),
        ("hand", "placed", "ca1", "blue"),
    ]
    assert log() == reported
    expect(page.locator("#player-0 .space.taken")).to_have_count(1)
    context.close()


def test_photographs_wait_through_a_reload_and_arrive_once_and_in_order(
    browser: Browser, computer: Computer, photographs: list[Path]
) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    with browser.new_context(base_url=computer.address, viewport=PHONE) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto("/")
        page.wait_for_function("() => navigator.serviceWorker.controller")
        page.goto(f"{game}/photographs")
        kept(page, f"{game}/photographs")
        computer.go_away()
        for seat in range(2):
            page.locator(f"#again-{seat}").set_input_files(photographs[seat])
            expect(page.locator("#undelivered li img")).to_have_count(seat + 1)
        expect(page.locator("#undelivered")).to_contain_text("2 photographs are waiting")
        expect(page.locator("#undelivered li a")).to_have_text(["Ana", "Luis"])
        page.reload()
        expect(page.locator("#undelivered li img")).to_have_count(2)
        expect(page.locator(".board-of").first).to_contain_text(
            "A photograph is waiting on this device"
        )

        def lose_answer(route: Route) -> None:
            route.fetch()  # it arrives, and the answer is lost
            route.abort()

        page.route(f"**{game}/photographs", lose_answer, times=1)
        computer.come()
        expect(page.locator("#undelivered")).to_be_hidden()
        kept_there = computer.app.extensions["stargazer"].photographs.of(game.split("/")[2])
        assert [one.player for one in kept_there] == [0, 1]


def test_a_photograph_that_has_no_room_on_the_phone_is_not_said_to_be_kept(
    browser: Browser, computer: Computer, photographs: list[Path]
) -> None:
    game = Player(computer.app.test_client()).new_game("Ana", "Luis")
    with browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{game}/photographs")
        quota = 5_000
        context.new_cdp_session(page).send(
            "Storage.overrideQuotaForOrigin", {"origin": computer.address, "quotaSize": quota}
        )
        assert photographs[0].stat().st_size > quota
        computer.go_away()
        page.locator("#again-0").set_input_files(photographs[0])
        expect(page.locator("#full")).to_contain_text("what you did last is not kept")
        expect(page.locator("#undelivered")).to_be_hidden()
        expect(page.locator(".board-of").first).not_to_contain_text("is waiting on this device")


@in_ci
def test_a_board_s_photograph_that_no_answer_came_to_is_sent_again_from_the_page(
    browser: Browser, computer: Computer, photographs: list[Path]
) -> None:
    with browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto("/my-boards/add")
        computer.go_away()
        page.locator("#send-photo [data-send]").last.set_input_files(photographs[0])
        expect(page.locator("#send-error")).to_contain_text("It stays on this page")
        expect(page.locator("#sending")).to_be_hidden()
        page.locator("#send-again").click()
        expect(page.locator("#send-again")).to_be_visible()
        computer.come()
        expect(page.locator("#away")).to_be_hidden()
        page.locator("#send-again").click()
        page.wait_for_url("**/my-boards/drafts/*")


def new_game_away(context: BrowserContext, computer: Computer) -> Page:
    """The page of a new game on a phone that kept what it needs; the computer has gone away."""
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    for address in ("/games/new", "/away/nebula/photographs", "/away/nebula/hand"):
        kept(page, address)
    computer.go_away()
    page.goto("/games/new")
    return page


@in_ci
def test_a_game_is_begun_and_entered_by_hand_while_the_computer_is_away(
    browser: Browser, computer: Computer
) -> None:
    Player(computer.app.test_client()).new_game("Eva")
    with browser.new_context(base_url=computer.address, viewport=PHONE) as context:
        page = new_game_away(context, computer)
        for seat, name in enumerate(("Ana", "Luis")):
            page.fill(f"#name-{seat}", name)
        page.locator(".thumb .primary").click()
        expect(page.locator(".board-of")).to_have_count(2)
        expect(page.locator(".board-of").last).to_contain_text("Luis")
        expect(page.locator("#undelivered")).to_contain_text("1 new game is waiting")
        page.locator(".board-of").first.get_by_text("Enter by hand").click()
        page.wait_for_url("**/away/nebula/hand**")
        for space in ("ar1", "ta2"):
            page.locator(f"#space-{space}").press("Enter")
        page.reload()
        expect(page.locator("#drawn .space.taken")).to_have_count(2)
        page.locator("#space-core").press("Enter")
        page.locator("#undo").click()
        expect(page.locator("#drawn .space.taken")).to_have_count(2)
        computer.come()
        page.wait_for_url("**/games/*/players/0/review")
        expect(page.locator("#drawn .space.taken")).to_have_count(2)
        games = computer.app.extensions["stargazer"].games.recent()
        begun = next(one.document for one in games if len(one.document["players"]) == 2)
        assert [one["name"] for one in begun["players"]] == ["Ana", "Luis"]
        assert begun["players"][0]["stars"].keys() == {"ar1", "ta2"}


@in_ci
def test_what_is_tapped_on_a_game_that_is_on_its_way_comes_after_it(
    browser: Browser, computer: Computer
) -> None:
    Player(computer.app.test_client()).new_game("Eva")
    with browser.new_context(base_url=computer.address, viewport=PHONE) as context:
        page = new_game_away(context, computer)
        page.locator(".thumb .primary").click()
        expect(page.locator(".board-of")).to_have_count(2)
        held: list[Route] = []
        page.route("**/games/new", lambda route: held.append(route))  # the network is slow
        computer.come()
        until(page, lambda: held, "the game is sent")
        expect(page.locator("#away")).to_be_hidden()
        page.locator(".board-of").first.get_by_text("Enter by hand").click()
        page.wait_for_url("**/away/nebula/hand**")
        page.locator("#space-core").press("Enter")
        expect(page.locator("#drawn .space.taken")).to_have_count(1)
        page.unroute_all()
        page.wait_for_url("**/games/*/players/0/review")
        expect(page.locator("#drawn .space.taken")).to_have_count(1)


@in_ci
def test_a_correction_that_waits_is_drawn(browser: Browser, computer: Computer) -> None:
    player = Player(computer.app.test_client())
    game = player.new_game("Ana")
    player.lay_cards(game)
    player.read_photograph(game, player=0)
    with browser.new_context(
        base_url=computer.address, viewport=PHONE, service_workers="block"
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{game}/players/0/review")
        computer.go_away()
        page.locator("#drawn #space-ar1").press("Enter")
        page.locator("#palette button[value=white]").click()
        expect(page.locator("#drawn #space-ar1 .waiting-piece")).to_be_visible()
        expect(page.locator("#undelivered")).to_contain_text("1 change is waiting")
        expect(page.locator("#unreached")).to_be_hidden()
        computer.come()
        expect(page.locator("#drawn #space-ar1")).to_have_attribute("data-star", "white")
        expect(page.locator(".waiting-piece")).to_have_count(0)


@pytest.mark.skipif(not addresses_of_this_computer(), reason="this computer is in no network")
def test_a_phone_that_is_no_longer_invited_says_so(browser: Browser, tmp_path: Path) -> None:
    at = addresses_of_this_computer()[0]
    computer = Computer(tmp_path, at, hosts={at}, invitation="open-sesame")
    game = Guided(computer.app, "Ana", "Luis").game
    context = browser.new_context(base_url=computer.address, viewport=PHONE)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto("/join/open-sesame")
    page.goto(f"{game}/guide")
    expect(page.locator("#question")).to_contain_text("Draw a star")
    computer.go_away()
    services = computer.app.extensions["stargazer"]
    another = replace(services.settings, invitation="under-the-stars")
    computer.app.extensions["stargazer"] = replace(services, settings=another)
    computer.come()
    expect(page.locator("h1")).to_have_text("An invitation is needed")
    context.close()
    computer.end()
