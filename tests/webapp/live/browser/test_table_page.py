"""The table page in a real browser: taps, corrections, hidden cards, a look back."""

from pathlib import Path

from playwright.sync_api import expect

from tests.conftest import in_ci
from tests.webapp.live.browser.conftest import OpenPage, lies
from tests.webapp.live.conftest import ARIES, Table, eventually
from tests.webapp.live.fake_frame_worker import frame


def test_two_pages_show_what_happens_without_being_asked(open_page: OpenPage, table: Table) -> None:
    tablet = open_page(f"{table.game}/live", "tablet")
    phone = open_page(f"{table.game}/live")
    table.place(0, {"core": "red"})
    lies(tablet, 0, "core")
    lies(phone, 0, "core")
    phone.click("#hand-1")
    phone.select_option("#hand select", "core")
    phone.click("#hand [name=star][value=white]")
    lies(tablet, 1, "core")
    assert table.stars(1) == {"core": "white"}


def test_an_illegal_placement_shows_and_goes_when_put_right(
    open_page: OpenPage, table: Table
) -> None:
    table.place(0, {"core": "red"})
    page = open_page(f"{table.game}/live", "tablet")
    lies(page, 0, "core")
    table.place(0, {"ar1": "red"})
    expect(page.locator(".ask.wrong")).to_contain_text("are linked and both red")
    page.click(".ask.wrong button")
    expect(page.locator("#player-0 .space.lit")).to_have_count(2)
    table.see(kind="removed", space="ar1", was="red")
    expect(page.locator(".ask.wrong")).to_have_count(0)


@in_ci
def test_a_correction_in_the_time_line_puts_right_who_was_first(
    open_page: OpenPage, table: Table
) -> None:
    table.place(0, {**ARIES, "ar6": "yellow"})
    table.place(1, ARIES)
    table.see(kind="replaced", space="ar6", star="white", was="yellow")
    page = open_page(f"{table.game}/live", "tablet")
    rows = page.locator(".card-now[data-card=V1] .progress")
    expect(rows.nth(1)).to_contain_text("first")
    page.click("#tab-line")
    page.click("#correct-6")
    page.click("#correction [name=star][value=white]")
    expect(rows.nth(0)).to_contain_text("first")
    expect(page.locator(".time-line")).to_contain_text("corrected")


@in_ci
def test_one_looks_back_and_returns_to_now(open_page: OpenPage, table: Table) -> None:
    table.place(0, {"core": "red", "ar1": "blue"})
    page = open_page(f"{table.game}/live", "tablet")
    page.click("#tab-line")
    page.locator(".time-line .when").last.click()
    expect(page.locator(".back")).to_contain_text("the core")
    expect(page.locator("#player-0 .taken")).to_have_count(1)
    page.click("#later")
    expect(page.locator("#player-0 .taken")).to_have_count(2)
    page.click("#to-now")
    expect(page.locator(".back")).to_have_count(0)


@in_ci
def test_who_aims_a_camera_of_the_server_sees_what_it_sees(
    open_page: OpenPage, table: Table, tmp_path: Path
) -> None:
    film = tmp_path / "film"
    film.write_text(frame({0: {"core": "red"}}).decode() + "\n")
    table.player.post(f"{table.game}/live/sources", {"address": str(film)})
    page = open_page(f"{table.game}/live/cameras")
    shown = page.locator(".viewfinder[data-picture] img")
    eventually(lambda: shown.evaluate_all("all => all.map(one => one.naturalWidth)") == [10])
    film.write_text(film.read_text() + frame({0: {}, 1: {}}).decode() + "\n")
    eventually(lambda: shown.evaluate_all("all => all.map(one => one.naturalWidth)") == [20])
    expect(page.locator(".camera-states")).to_contain_text("2 boards")


@in_ci
def test_the_sound_and_the_large_type_are_kept_on_the_device(
    open_page: OpenPage, table: Table
) -> None:
    page = open_page(f"{table.game}/live", "tablet")
    page.click(".menu summary")
    page.check("[name=sound][value=chime]", force=True)
    page.check("[name=type][value=largest]", force=True)
    page.reload()
    expect(page.locator("[name=sound][value=chime]")).to_be_checked()
    expect(page.locator("html")).to_have_css("font-size", "32px")


def test_my_card_is_on_my_device_alone(open_page: OpenPage, table: Table) -> None:
    mine = open_page(f"{table.game}/live")
    mine.click("#mine-0")
    mine.click("#choose-personal")
    mine.click("#personal [value=O19]")
    expect(mine.locator("#secret")).to_contain_text("black stars", ignore_case=True)
    other = open_page(f"{table.game}/live", "tablet")
    shown = other.locator("#live").inner_html()
    assert "/O19." not in shown and '"O19"' not in shown  # by chance, "O19" alone is in a token


@in_ci
def test_a_hidden_card_waits_for_its_owner_and_a_lost_seat_is_reported_at_once(
    open_page: OpenPage, table: Table
) -> None:
    table.player.post(f"{table.game}/nebula/values", {"colours": "red"})
    for board in range(2):
        table.place(board, {"core": "red"})
    mine = open_page(f"{table.game}/live")
    mine.click("#mine-0")
    mine.click("#choose-personal")
    mine.click("#personal [value=O19]")
    expect(mine.locator("#give-back-0")).to_be_visible()
    other = open_page(f"{table.game}/live", "tablet")
    other.click("#mine-0")
    expect(other.locator("#secret")).to_contain_text("another device has this seat")
    other.click("#mine-1")
    other.click("#choose-personal")
    other.click("#personal [value=O3]")
    expect(other.locator("#secret img")).to_have_attribute("src", "/assets/nebula/cards/O3.svg")
    other.click("#tab-end")
    other.click("#finish")
    other.click("text=Both boards are right")
    expect(other.locator("#waiting")).to_contain_text("confirm the card there")
    mine.click("#tab-end")
    mine.click("#finish")
    mine.wait_for_url("**/nebula/markers")
    other.wait_for_url("**/nebula/markers")
    mine.goto(f"{table.game}/live")
    other.goto(f"{table.game}/live")
    other.on("dialog", lambda dialog: dialog.accept())
    other.click("#tab-objectives")
    other.click("#mine-0")
    other.click("#give-back-0")
    expect(mine.locator(".notice:visible")).to_contain_text("gave the seat of Ana back")
    expect(other.locator("#secret")).to_contain_text("Which is your personal card?")
