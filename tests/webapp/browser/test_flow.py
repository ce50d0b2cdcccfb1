"""The whole way in a real browser: from a new game with two photographs to the winner."""

from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorer.nebula.galaxy import Galaxy
from tests.conftest import in_full
from tests.webapp.browser.conftest import ANAS, LUISES, Hands, ServeTable, TurnTakingReader

CAREER = ("V16", "V6", "V12", "V17")
ADVANCED = ("B3", "B16", "B20", "B24")
TOKENS = ("yellow", "red", "aries", "II")

SECONDS_A_TAP = 2.0
"""A person's pace: to find the next thing on the screen and tap it."""
SECONDS_A_PHOTOGRAPH = 5.0
"""To aim the phone's camera and to tap in it."""
MOST_TAPS = 22
"""From the first page to the winner, and one more for each doubt that is asked about."""
DOUBTS = 1
CAMERA = 2
"""The taps in the phone's own camera for a photograph: the shutter, and "use it"."""


@pytest.mark.parametrize("hands", in_full(["phone", "desktop"], "phone"), indirect=True)
def test_two_players_come_to_the_winner(
    hands: Hands, serve_table: ServeTable, photographs: list[Path], tmp_path: Path
) -> None:
    device = "phone" if hands.touch else "desktop"
    reader = TurnTakingReader()
    reader.start_again(together=True)
    table = serve_table(reader, tmp_path)  # where nobody has played before
    page = hands.page
    page.goto(table.address)
    hands.show(f"{device}-01-home")
    hands.tap("#name-0")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.keyboard.type("Luis")
    hands.show(f"{device}-02-players")
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    for card in (*CAREER, *ADVANCED):
        hands.tap(f'[data-card="{card}"]')
    hands.show(f"{device}-03-cards")
    page.wait_for_url("**/nebula/values")
    for token in TOKENS:
        hands.tap(f'[data-token="{token}"] .value-token')
    hands.show(f"{device}-04-values")
    hands.next()
    hands.show(f"{device}-05-photographs")
    _photograph(hands, photographs[:1])
    expect(page.locator("#question-message")).to_contain_text("What is on a space of Aries")
    hands.show(f"{device}-06-question")
    hands.tap("#answer-1")
    expect(page.locator(".thumb .primary")).to_have_text("Both boards are right")
    hands.show(f"{device}-07-review")
    hands.next()
    for seat in range(2):
        page.wait_for_url(f"**/nebula/players/{seat}/personal")
        with page.expect_event("load"):
            hands.tap(page.locator(".gallery button.card").first)
    hands.show(f"{device}-10-markers")
    for contested in page.locator(".career:has(.contested)").all():
        hands.tap(contested.locator("[value=first]").first)
    hands.next()
    expect(page.locator(".standing")).to_have_count(2)
    first, second = (int(total) for total in page.locator(".count").all_inner_texts())
    assert first >= second > 0
    hands.show(f"{device}-11-score")
    _record(device, hands)
    with page.expect_event("load"):
        page.locator(".standing a").first.click()
    line = page.locator(".line[data-light]:not([data-light=''])").first
    line.click()
    lit = line.get_attribute("data-light").split()
    expect(page.locator(".space.lit")).to_have_count(len(lit))
    hands.show(f"{device}-12-sheet")


def _photograph(hands: Hands, photographs: list[Path]) -> None:
    """Take the photographs on a phone; drop them onto the page of a desktop."""
    page = hands.page
    if hands.touch:
        for path in photographs:
            with page.expect_file_chooser() as chooser:
                hands.tap("label.taker:not(.camera)")
            chooser.value.set_files(path)
    else:
        files = [[path.name, b64encode(path.read_bytes()).decode()] for path in photographs]
        drop = """files => {
          const transfer = new DataTransfer();
          for (const [name, encoded] of files) {
            const bytes = Uint8Array.from(atob(encoded), letter => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], name, {type: "image/jpeg"}));
          }
          document.getElementById("upload").dispatchEvent(
            new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: transfer}));
        }"""
        page.evaluate(drop, files)
        hands.taps += 1
    page.wait_for_url("**/players/0/review")


def _record(device: str, hands: Hands) -> None:
    """Write down the taps and the time, and hold the taps to the bar."""
    machine, taps = hands.seconds(), hands.taps
    person = machine + taps * SECONDS_A_TAP + SECONDS_A_PHOTOGRAPH
    in_camera = CAMERA if hands.touch else 0
    reported = {
        "taps": taps,
        "taps_in_the_camera": in_camera,
        "machine_s": round(machine, 1),
        "person_s": round(person, 1),
    }
    print(f"\n{device}: a game of two scored: {reported}")
    assert taps + in_camera <= MOST_TAPS + DOUBTS


def test_the_boards_of_these_tests_are_legal() -> None:
    for stars in (ANAS, LUISES):
        assert not Galaxy(stars).rule_breaks()


def test_a_pdf_that_is_being_made_is_announced(at_phone: Hands) -> None:
    page = at_phone.page
    page.goto("/table/nebula")
    at_phone.tap("#print summary")
    expect(page.locator("#making")).to_be_hidden()
    with page.expect_download() as download:
        at_phone.tap(page.locator("#print [type=submit]"))
        expect(page.locator("#making")).to_be_visible()
    assert download.value.suggested_filename == "nebula-a4.pdf"
