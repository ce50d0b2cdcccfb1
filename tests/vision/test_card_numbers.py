"""Numbers beside cards' pictures: they tell cards apart whose pictures are much alike."""

import io

import cv2
import numpy as np
import pypdfium2
import pytest
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.cards import CARD_MM, Card, draw_card, number_picture, number_window
from tests.conftest import in_full
from vision.card_numbers import PrintedNumbers
from vision.card_pictures import CardPicture
from vision.cards import UNCERTAIN_BELOW, Deck

SIDE = 96
WINDOW = (12 / 120, 24 / 170, (12 + SIDE) / 120, (24 + SIDE) / 170)
NUMBER = (8 / 120, 2 / 170, 68 / 120, 24 / 170)
IDS = [f"A{number}" for number in range(1, 10)]


def number(text: str) -> np.ndarray:
    drawn = np.full((22, 60), 255, np.uint8)
    return cv2.putText(drawn, text, (4, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 0, 2, cv2.LINE_AA)


def picture(id: str) -> np.ndarray:
    """A scene that all cards share, with a mark that grows a little from card to card."""
    rng = np.random.default_rng(3)
    drawn = np.full((SIDE, SIDE, 3), (60, 26, 18), np.uint8)
    for _ in range(9):
        x, y, radius = rng.integers([12, 12, 6], [SIDE - 12, SIDE - 12, 14]).tolist()
        cv2.circle(drawn, (x, y), radius, rng.integers(80, 256, 3).tolist(), -1, cv2.LINE_AA)
    return cv2.circle(drawn, (SIDE // 2, 80), 1 + int(id[1]) // 2, (250, 250, 250), -1, cv2.LINE_AA)


def card(id: str, text: str | None = None) -> np.ndarray:
    face = np.full((170, 120, 3), 235, np.uint8)
    face[24 : 24 + SIDE, 12 : 12 + SIDE] = picture(id)
    face[2:24, 8:68] = np.minimum(face[2:24, 8:68], number(text or id)[..., None])
    return face


def photograph(face: np.ndarray, turn: float = 20, light: float = 0.8) -> np.ndarray:
    laid = cv2.getRotationMatrix2D((60, 85), turn, 1.3)
    laid[:, 2] += (140, 115)
    ground = np.full((400, 400, 3), (70, 90, 80), np.uint8)
    cv2.warpAffine(face, laid, (400, 400), ground, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    soft = cv2.GaussianBlur(ground, (0, 0), 1.5)
    noise = np.random.default_rng(1).normal(0, 4, soft.shape)
    return np.asarray(np.clip(soft * light + noise, 0, 255), np.uint8)


NUMBERS = PrintedNumbers({id: number(id) for id in IDS}, NUMBER)


def deck(numbers: PrintedNumbers | None) -> Deck:
    return Deck([CardPicture(id, picture(id)) for id in IDS], [WINDOW], numbers)


@pytest.mark.parametrize(
    ("id", "turn"), in_full([("A4", 20), ("A6", 200), ("A8", 110)], ("A6", 200))
)
def test_cards_that_differ_in_little_are_known_by_their_numbers(id: str, turn: float) -> None:
    image = photograph(card(id), turn)
    (asked,) = deck(None).find(image)
    (read,) = deck(NUMBERS).find(image)
    assert asked.confidence < UNCERTAIN_BELOW <= read.confidence
    assert read.card == id


def test_a_number_that_is_covered_says_nothing() -> None:
    face = card("A4")
    face[:24] = (90, 140, 60)
    (read,) = deck(NUMBERS).find(photograph(face))
    assert read.confidence < UNCERTAIN_BELOW


def corners(turn: float) -> np.ndarray:
    """Of the picture, as `photograph` lays the card."""
    way = cv2.getRotationMatrix2D((60, 85), turn, 1.3)
    way[:, 2] += (140, 115)
    square = np.array([[12, 24], [108, 24], [108, 120], [12, 120]]) - 0.5
    return square @ way[:, :2].T + way[:, 2]


def test_a_number_shows_which_corner_is_the_first() -> None:
    upright = corners(20)
    upside_down = np.roll(upright, 2, axis=0)
    reading = NUMBERS.read(photograph(card("A4")), [upside_down], [WINDOW], ["A4", "A7"])
    assert reading.card == "A4" and reading.odds["A7"] < 0.1
    assert reading.corners is not None and np.abs(reading.corners - upright).max() < 1e-6


def test_a_number_of_another_card_of_the_deck_is_not_taken_for_these() -> None:
    reading = NUMBERS.read(photograph(card("A4", "A6")), [corners(20)], [WINDOW], ["A4", "A8"])
    assert reading.card is None


def test_a_number_too_small_to_be_read_says_nothing() -> None:
    small = cv2.resize(photograph(card("A4")), None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    reading = NUMBERS.read(small, [(corners(20) + 0.5) * 0.3 - 0.5], [WINDOW], ["A4", "A8"])
    assert reading.card is None and reading.odds == {"A4": 1.0, "A8": 1.0}


def test_a_shared_number_does_not_distinguish_cards() -> None:
    numbers = PrintedNumbers({"A4": number("A4"), "other A4": number("A4")}, NUMBER)
    reading = numbers.read(photograph(card("A4")), [corners(20)], [WINDOW], ["A4", "other A4"])
    assert reading.odds == {"A4": 1.0, "other A4": 1.0}


@pytest.mark.parametrize("saving", [False, True])
def test_numbers_are_printed_where_they_are_searched(saving: bool) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>'
    printed = Card("B26", "B26", "A name", ["What it asks for."], "Deck", svg, "#4fa9b8")
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(CARD_MM[0] * mm, CARD_MM[1] * mm))
    draw_card(canvas, printed, (0, 0), saving)
    canvas.save()
    page = pypdfium2.PdfDocument(file.getvalue())[0].render(scale=10 / mm).to_numpy()
    expected = number_picture(printed, 10.0)
    left, top, *_ = np.multiply(number_window(), [*CARD_MM, *CARD_MM]) * 10
    height, width = expected.shape
    shown = page[round(top) : round(top) + height, round(left) : round(left) + width, 1]
    assert np.corrcoef(shown.ravel(), expected.ravel())[0, 1] > 0.9
