"""A printed game is the whole game: each card once, at true size, in type that can be read."""

import io
import re
from collections import Counter
from itertools import product

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from calibration import load_profile
from calibration.artwork import further_sheets
from calibration.cards import CARD_MM, LEAST_POINTS, CrowdedCardError, draw_card
from calibration.printing import MARGINS_MM, PAPERS, Sheets, contents
from scorer import registry
from scorer.nebula.card import CARDS
from scorer.polaris.edition import load_edition
from scorer.sentence import LANGUAGES
from scorer.via_nebula.edition import STANDARD
from tests.conftest import in_full
from webapp.app.everything import everything, whole_game

MM = 72 / 25.4
BLEED_MM = 1.0
"""How much larger a back is on each side than its card."""
EDITION = load_edition("standard")
NUMBERS = {
    "nebula/standard": Counter(CARDS.keys()),
    "polaris/standard": Counter(
        [card.rpartition("-")[2] for card in EDITION.actions] + [*EDITION.common, *EDITION.personal]
    ),
    "ptolemaeus/standard": Counter(
        {
            **{f"C{number}": 5 for number in range(1, 14)},
            **{f"E{number}": 1 for number in range(1, 14)},
            **{f"B{number}": 3 if number == 12 else 2 for number in range(1, 13)},
            **{f"S{number}": 1 for number in range(1, 8)},
            **{f"A{number}": 4 for number in range(1, 6)},  # the aid, for each player
        }
    ),
    "via_nebula/standard": Counter([*STANDARD.contracts, "E"]),
}


NIGHTS = [("nebula/standard", "a4"), ("polaris/standard", "letter")]
DAYS = [("ptolemaeus/standard", "letter"), ("via_nebula/standard", "a4")]


@pytest.fixture(
    scope="module",
    params=in_full([*NIGHTS, *DAYS], NIGHTS[0], DAYS[0]),
    ids=lambda printed: printed[0],
)
def printed(request: pytest.FixtureRequest) -> tuple[str, str, pypdfium2.PdfDocument]:
    name, paper = request.param
    pdf = everything(load_profile(name), Sheets(paper, "cs", saving=True), players=1)
    return name, paper, pypdfium2.PdfDocument(pdf)


@pytest.mark.parametrize("name", NUMBERS)
def test_each_card_has_room_for_its_text(name: str) -> None:
    """In every language and in both inks. A sheet of any paper takes whole cards."""
    profile, crowded = load_profile(name), list[tuple[str, str, bool]]()
    for language in LANGUAGES:
        cards = {card.id: card for card in whole_game(profile, language, 1).cards}
        for card, saving in product(cards.values(), (False, True)):
            try:
                draw_card(Canvas(io.BytesIO()), card, (0, 0), saving)
            except CrowdedCardError:
                crowded.append((card.id, language, saving))
    assert not crowded


Printed = tuple[str, str, pypdfium2.PdfDocument]


def is_blank(page: pypdfium2.PdfPage) -> bool:
    return next(page.get_objects(), None) is None


def words(page: pypdfium2.PdfPage) -> list[str]:
    return page.get_textpage().get_text_range().split()


def test_each_card_of_the_game_is_there_once(printed: Printed) -> None:
    name, _, document = printed
    pages = [page.get_textpage().get_text_range() for page in document]
    fronts = [text for text in pages if text.strip() and "podle delší strany" in text]
    seen = Counter(
        number
        for text in fronts
        for number in re.findall(r"^([A-Z]+\d*)\b", text, re.MULTILINE)
        if number in NUMBERS[name]
    )
    assert seen == NUMBERS[name]
    backs = [text for text in pages if text.startswith("Ruby") or "\nRuby karet" in text]
    assert len(backs) == len(fronts)


def test_the_list_of_pages_says_what_they_hold(printed: Printed) -> None:
    name, paper, document = printed
    listed = contents(whole_game(load_profile(name), "cs", 1), Sheets(paper, "cs"))
    assert int(listed[-1][0].rpartition("–")[2]) == len(document)
    numbers, said = next(part for part in listed if part[1].startswith("Karty"))
    first, last = map(int, numbers.split("–"))
    cards = [
        number
        for number, page in enumerate(document, 1)
        if "Karty " in (text := page.get_textpage().get_text_range()) or "Ruby karet" in text
    ]
    assert cards == [*range(first, last + 1)]
    assert f" {NUMBERS[name].total()}." in said


def test_backs_are_printed_behind_their_cards(printed: Printed) -> None:
    """Whichever pages are printed on both sides and flipped on the long edge; to 0.2 mm."""
    name, _, document = printed
    checked = 0
    for number, front in enumerate(document):
        if "podle delší strany" not in front.get_textpage().get_text_range():
            continue
        assert number % 2 == 0, "a printer begins a sheet with it"
        back, width = document[number + 1], front.get_width()
        faces, behind = cards_on(front, 0), cards_on(back, 2 * BLEED_MM)
        assert len(faces) == len(behind) > 0
        for left, bottom, right, top in faces:
            as_printed = (width - right, bottom, width - left, top)
            over = [BLEED_MM * MM * sign for sign in (-1, -1, 1, 1)]
            grown = [side + more for side, more in zip(as_printed, over, strict=True)]
            assert any(grown == pytest.approx(box, abs=0.2 * MM) for box in behind)
            head = front.get_textpage().get_text_bounded(left, top - 6 * MM, right, top).split()
            said = back.get_textpage().get_text_bounded(*as_printed).split()
            assert said and head[-len(said) :] == said, f"{name}: {head}"
            checked += 1
    assert checked == NUMBERS[name].total()


def cards_on(page: pypdfium2.PdfPage, wider: float) -> list[tuple[float, float, float, float]]:
    """The areas of a page that are as large as a card, or a given number of mm wider and higher."""
    found = {
        tuple(round(side, 1) for side in (left, bottom, right, top))
        for left, bottom, right, top in map(bounds, page.get_objects())
        if (right - left, top - bottom)
        == pytest.approx([(side + wider) * MM for side in CARD_MM], abs=0.2)
    }
    return sorted(found)


def test_pages_are_the_papers(printed: Printed) -> None:
    _, paper, document = printed
    sides = sorted(side * MM for side in PAPERS[paper])
    for page in document:
        assert sorted(page.get_mediabox()[2:]) == pytest.approx(sides, abs=0.01)


def test_only_cards_have_something_on_their_back(printed: Printed) -> None:
    """Printed on both sides, no page is lost behind another one."""
    _, _, document = printed
    pages = list(document)
    assert len(pages) % 2 == 0
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        assert not is_blank(front)
        is_card = "podle delší strany" in front.get_textpage().get_text_range()
        assert is_blank(back) != is_card
        assert back.get_mediabox() == front.get_mediabox()


def test_nothing_is_printed_where_a_printer_does_not_reach(printed: Printed) -> None:
    name, paper, document = printed
    scale = 3.0
    edge = round((MARGINS_MM[paper] - 0.3) * MM * scale)
    for number, page in enumerate(document, 1):
        pixels = page.render(scale=scale).to_numpy()[..., :3]
        rims = pixels[:edge], pixels[-edge:], pixels[:, :edge], pixels[:, -edge:]
        assert min(rim.min() for rim in rims) >= 250, f"{name}, page {number}"


def test_a_rule_of_100_mm_and_type_of_9_points(printed: Printed) -> None:
    """As the PDF has it: a card's type by its font's size, the rule by its line."""
    _, _, document = printed
    pages = list(document)
    aids = next(page for page in pages if "Co vyhrává" in " ".join(words(page)))
    assert min(sizes_of_type(aids)) >= LEAST_POINTS
    for page in pages:
        said = " ".join(words(page))
        if is_blank(page) or said.startswith(" ".join(words(aids))[:20]):
            continue
        lengths = {round(right - left, 2) for left, _, right, _ in map(bounds, page.get_objects())}
        assert any(abs(length / MM - 100) < 0.5 for length in lengths), said
        if "podle delší strany" in said:
            assert min(size for size in sizes_of_type(page, "Karty") if size > 7) >= LEAST_POINTS
            assert any(abs(length / MM - 4 * CARD_MM[0]) < 0.5 for length in lengths)


def sizes_of_type(page: pypdfium2.PdfPage, foot: str = "") -> set[float]:
    """The sizes of a page's letters in points, but for its foot and the ruler's."""
    text = page.get_textpage()
    said = text.get_text_range()
    end = said.index(foot) - 60 if foot else len(said)
    return {
        round(pdfium.FPDFText_GetFontSize(text.raw, i), 1)
        for i in range(min(end, text.count_chars()))
        if text.get_text_range(i, 1).isalpha()
    }


def test_little_ink_is_a_white_page(printed: Printed) -> None:
    """Whatever the board is: a night sky turned pale, pale paper left white."""
    name, _, document = printed
    for number, page in enumerate(document):
        pixels = page.render(scale=0.25).to_numpy()[..., :3]
        assert pixels.mean() > 170, f"{name}, page {number + 1}"


@pytest.mark.parametrize("name", NUMBERS)
def test_sheets_of_small_parts_name_them(name: str) -> None:
    layout = load_profile(name).layout
    words = registry.find_game(layout.game).words
    for sheet in further_sheets(layout):
        for key in [group.name for group in sheet.groups] or [sheet.name]:
            assert f"printed_{key}" in words.phrases


def test_names_stand_on_the_sheets(printed: Printed) -> None:
    name, _, document = printed
    layout = load_profile(name).layout
    game = registry.find_game(layout.game)
    said = " ".join(word for page in document for word in words(page))
    keys = ["tokens"]
    for sheet in further_sheets(layout):
        keys += [group.name for group in sheet.groups] or [sheet.name]
    for key in keys:
        assert game.words.say(f"printed_{key}").in_language("cs") in said


@pytest.mark.parametrize(
    ("name", "glued", "folded"),
    [
        ("nebula/standard", False, False),
        ("polaris/standard", True, True),
        ("ptolemaeus/standard", True, True),
        ("via_nebula/standard", True, True),
    ],
)
def test_only_sheets_with_strips_are_glued_and_pieces_with_dashes_folded(
    name: str, glued: bool, folded: bool
) -> None:
    listed = contents(whole_game(load_profile(name), "en", 2), Sheets())
    said = " ".join(text for _, text in listed)
    assert ("pale strips" in said, "dashed" in said) == (glued, folded)


def test_pages_that_a_first_game_does_not_need_say_so() -> None:
    listed = contents(whole_game(load_profile("via_nebula/standard"), "en", 2), Sheets())
    boards = [(pages, text) for pages, text in listed if "Boards:" in text]
    assert [pages for pages, _ in boards] == ["11–18", "19–26"]
    assert "A first game does not need it." in boards[0][1]
    assert "For a first game." in boards[1][1]


@pytest.mark.parametrize("printed", DAYS[1:], indirect=True, ids=["via_nebula"])
def test_beginners_own_board_is_printed_after_the_other(printed: Printed) -> None:
    _, _, document = printed
    pages = [" ".join(words(page)) for page in document]
    titles = ("Údolí. Tiskněte", "Údolí, strana pro začátečníky. Tiskněte")
    assert [sum(title in page for page in pages) for title in titles] == [4, 4]


def bounds(thing: pypdfium2.PdfObject) -> tuple[float, float, float, float]:
    return thing.get_bounds()
