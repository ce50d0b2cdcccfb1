"""Every lesson walked to its end at a phone, a wrong try first; by taps, and one by keys alone."""

from playwright.sync_api import Page, expect

from scorer.lesson import Attempt
from scorer.nebula.contract import NEBULA
from tests.conftest import in_ci, in_full
from tests.webapp.barriers import barriers
from tests.webapp.browser.conftest import Hands, OpenContext, hands_at

COURSE = NEBULA.course
WALKED = in_full(COURSE.lessons, *(COURSE.lessons[n] for n in (0, 7, 10)))
"""Every lesson in CI; else one for a space, one for the clusters and one for a card."""
NOT_OFFERED = ("black_on_galaxy", "movement_points", "not_now")
"""The rules that no tap can break; a camera may see them broken."""
SECONDS_A_TAP = 2
MOST_SECONDS = 120
"""From the first page to the first placement that is right."""


def tap(hands: Hands, move: str) -> None:
    """Make a move as somebody's fingers do."""
    verb, *words = move.split()
    part = hands.page.locator("#lesson")
    if verb == "place" and words[1] != "track":
        star, space = words
        chosen = part.locator(f"[value='place {star}']")
        if not chosen.is_checked():
            hands.tap(chosen)
        hands.tap(f"#space-{space} .halo")
    elif verb == "time":
        hands.tap(part.locator("a.option", has_text="By time"))
        left = sum(abs(int(steps)) for steps in words)
        for number, steps in enumerate(map(int, words)):
            turn = part.locator(".clusters li").nth(number).locator(f"[id^=turn-{int(steps > 0)}]")
            for step in range(1, abs(steps) + 1):
                hands.tap(turn)
                left -= 1
                if left:  # the last step takes the stars
                    expect(part.locator(".clusters li").nth(number)).to_contain_text(f"{step}")
                    expect(part.locator(".asked-now")).to_be_in_viewport(ratio=1)
    elif verb == "chaos":
        hands.tap(part.locator("a.option", has_text="By chaos"))
        hands.tap(part.locator(f"button[value='{move}']"))
    else:
        hands.tap(part.locator(f"button[value='{move}']"))


def judged(page: Page, outcome: str) -> None:
    expect(page.locator(f".judged.{outcome}")).to_be_in_viewport(ratio=1)


def made(page: Page, attempt: Attempt) -> None:
    """The page has heard what came of the latest move."""
    expect(page.locator("#try [name=made]")).to_have_count(len(attempt.made))


def test_every_lesson_is_walked_by_taps_with_a_wrong_try_each(at_phone: Hands) -> None:
    assert COURSE is not None
    page = at_phone.page
    page.goto("/")
    at_phone.onward(page.get_by_role("link", name="Learn to play"))
    at_phone.next()
    for number, lesson in enumerate(WALKED, start=1):
        if len(WALKED) < len(COURSE.lessons):
            page.goto(f"/lessons/nebula/{lesson.id}")
        expect(page.get_by_role("heading", level=1)).to_have_text(str(lesson.title))
        attempt = Attempt.of(COURSE, lesson)
        taps = (one for one in lesson.wrong if one.because not in NOT_OFFERED)
        wrong = next((one for one in taps if one.example != "place red track"), None)
        for move in wrong.after if wrong else ():
            tap(at_phone, move)
            attempt = attempt.attempt(move).attempt
            made(page, attempt)
            judged(page, "on")
        if wrong:
            tap(at_phone, wrong.example)
            judged(page, "wrong")
            expect(page.locator(".judged.wrong")).to_contain_text(str(wrong.said))
        else:
            assert lesson.id == "turn"
        while not attempt.done:
            way = attempt.solve()
            assert way
            move = COURSE.turns.write_action(way[0])
            tap(at_phone, move)
            attempt = attempt.attempt(move).attempt
            made(page, attempt)
            judged(page, "good" if attempt.done else "on")
        if number == 1:
            assert at_phone.taps * SECONDS_A_TAP < MOST_SECONDS
        expect(page.locator("#announcer")).to_contain_text(str(lesson.done))
        at_phone.next()
    page.goto("/lessons/nebula")  # after the last one a first game is offered
    expect(page.locator(".lesson.learnt")).to_have_count(len(WALKED))


COVERED = """(buttons) => buttons.filter((button) => {
  button.scrollIntoView({ block: "center" });
  const { x, y, width, height } = button.getBoundingClientRect();
  return width && !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((button) => button.outerHTML)"""
"""The visible ones of some buttons that something else lies over."""


@in_ci
def test_no_button_of_a_lesson_is_covered_at_a_desk(open_context: OpenContext) -> None:
    page, buttons = hands_at("desktop", open_context).page, 0
    for lesson in COURSE.lessons:
        page.goto(f"/lessons/nebula/{lesson.id}")
        shown = page.locator("#lesson :is(button, .option, .reserve-star)")
        buttons += shown.count()
        assert shown.evaluate_all(COVERED) == [], lesson.id
    assert buttons > 20


def test_a_word_is_asked_for_by_tap_long_press_and_key_without_leaving_the_page(
    at_phone: Hands,
) -> None:
    page = at_phone.page
    page.goto("/lessons/nebula/career_card")
    dialog = page.locator("#ask")
    at_phone.tap(page.locator(".ask-word").first)
    expect(dialog).to_contain_text("Four lie open")
    page.keyboard.press("Escape")
    page.locator(".table-card .card-name").dispatch_event("contextmenu")
    expect(dialog.locator("h2")).to_contain_text("V7")
    dialog.get_by_role("link", name="career objective").click()
    expect(dialog.locator("h2")).to_have_text("Career objective")
    page.keyboard.press("Escape")
    card = page.locator(".table-card img")
    press = {"pointerType": "touch", "bubbles": True, "clientX": 5, "clientY": 5}
    card.dispatch_event("pointerdown", press)
    expect(dialog.locator("h2")).to_contain_text("V7")
    page.keyboard.press("Escape")
    page.locator("[name=way]").first.focus()
    page.keyboard.press("?")
    dialog.locator("[name=q]").fill("xylophone")
    expect(dialog.locator(".terms .none")).to_be_visible()
    dialog.locator("[name=q]").fill("ORBIT 2")
    expect(dialog.locator("[data-term=V7]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url("/lessons/nebula/career_card")


@in_ci
def test_a_lesson_is_done_with_the_keyboard_alone(at_phone: Hands) -> None:
    page = at_phone.page
    page.goto("/lessons/nebula/first_star")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "space-core":
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    judged(page, "wrong")
    assert page.evaluate("document.activeElement.id").startswith("space-"), "the focus stays"
    page.locator("#space-core").focus()
    page.keyboard.press("Enter")
    judged(page, "good")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/lessons/nebula/links")


@in_ci
def test_a_card_is_laid_piece_by_piece_on_the_sky(at_phone: Hands) -> None:
    """Its star and then its link, each by a tap; the link's bar is small, what means it is not."""
    page = at_phone.page
    page.goto("/lessons/polaris/link")
    at_phone.tap("#space-2b3 .halo")
    judged(page, "wrong")
    at_phone.tap("#space-2c2 .halo")
    judged(page, "on")
    at_phone.tap("#space-2c2-2c3 .halo")
    judged(page, "wrong")
    expect(page.locator(".judged.wrong")).to_contain_text("A link space of sector 2:")
    expect(page.locator(".judged.wrong")).to_contain_text("That bar is vertical")
    assert barriers(page) == []
    at_phone.tap("#space-2b2-2c2 .halo")
    judged(page, "good")
    page.goto("/lessons/polaris/polaris")
    at_phone.tap(page.locator(".action-form button").nth(1))
    judged(page, "on")
    expect(page.locator("svg.tappable")).to_be_in_viewport(ratio=0.99)
    at_phone.tap("#space-polaris-2b1 .halo")
    judged(page, "good")


def test_a_try_that_was_not_answered_is_not_sent_with_the_next(at_phone: Hands) -> None:
    page = at_phone.page
    page.goto("/lessons/nebula/first_star")
    page.context.set_offline(True)
    at_phone.tap("#space-ar6 .halo")
    expect(page.locator("#unreached")).to_be_visible()
    page.context.set_offline(False)
    at_phone.tap("#space-ta6 .halo")
    judged(page, "wrong")


@in_ci
def test_what_must_be_chosen_first_is_said_until_it_is_chosen(at_phone: Hands) -> None:
    page = at_phone.page
    page.goto("/lessons/nebula/links")
    at_phone.tap("#space-ar6 .halo")
    expect(page.locator("#lesson-message")).to_have_text("First choose one of these.")
    at_phone.tap(page.locator("[data-tells]").first)
    expect(page.locator("#lesson-message")).to_have_text("")
