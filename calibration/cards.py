"""Printed cards: a number, a picture, a name and what it requires; and their backs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit

from calibration.drawing import Drawing, Fill, Mark, Stroke, rasterise, rounded_box, star
from calibration.ink_saving import ink, is_night, on_white
from calibration.pdf import FONT, Corner, draw_on_page, text_font
from calibration.svg import PrintedPicture, picture_from_svg
from scorer.sentence import Sentence

CARD_MM = (49.0, 80.0)
"""Twelve fit on a sheet of A4 or Letter."""
MARGIN_MM = 3.0
BLEED_MM = 1.0
"""What a back is larger than its card on each side: printers shift a sheet's second side."""
LEAST_POINTS = 9.0
"""The smallest type size on a card."""
_LINE = 1.22  # from line to line, in the type's size
_HEAD_MM = 8.0
_ARTWORK_SIDES_MM = (31.0, 33.5, 36.5, 39.5, 42.5)
_NUMBER_POINTS, _NUMBER_BASE_MM = 12.0, 4.9
_NUMBER_MM = (2.0, 1.1, 14.0, 5.7)  # left, top, right, bottom of the longest one and its paper
_NIGHT, _PAPER, _TYPE = "#121a3f", "#fdfcf8", "#14182b"
_POINT_MM = 25.4 / 72


@dataclass(frozen=True)
class Card:
    """A card to print: `number` goes on its face, `deck` on its back.

    `picture` is an SVG, `texts` are its paragraphs, `edge` is the colour of its deck, #rrggbb.
    """

    id: str
    number: str
    name: str
    texts: Sequence[str]
    deck: str
    picture: str
    edge: str

    @classmethod
    def translated(
        cls,
        language: str,
        id: str,
        number: str,
        name: Sentence | str,
        texts: Iterable[Sentence | str],
        deck: Sentence | str,
        picture: str,
        edge: str,
    ) -> "Card":
        """A card in one language. Its name, paragraphs and deck start with a capital letter."""

        def capitalised(text: Sentence | str) -> str:
            words = text.in_language(language) if isinstance(text, Sentence) else text
            return words[:1].upper() + words[1:]

        paragraphs = [*map(capitalised, texts)]
        return cls(id, number, capitalised(name), paragraphs, capitalised(deck), picture, edge)


class CrowdedCardError(ValueError):
    """A card's text leaves no room for its picture at the smallest type."""

    def __init__(self, card: Card) -> None:
        super().__init__(f"card {card.id}: its text is too long for a card")
        self.card = card


@dataclass(frozen=True)
class _Set:
    """A card's typeset lines, and its picture in the remaining space."""

    name: Sequence[str]
    lines: Sequence[str]
    points: float
    picture: PrintedPicture


def _typeset(card: Card) -> _Set:
    """Set the largest type that leaves two fifths of the card to its picture."""
    width, height = CARD_MM[0] - 2 * MARGIN_MM, CARD_MM[1] - _HEAD_MM - MARGIN_MM
    for points in (11.0, 10.5, 10.0, 9.5, LEAST_POINTS):
        name = simpleSplit(card.name, text_font(), points + 1, width * mm)
        lines = [
            line
            for text in card.texts
            for line in simpleSplit(text, text_font(), points, width * mm)
        ]
        type_mm = (len(name) * (points + 1) + len(lines) * points) * _LINE * _POINT_MM + 3.0
        if height - type_mm >= 0.4 * CARD_MM[1] or points == LEAST_POINTS:
            break
    if height - type_mm < 0.28 * CARD_MM[1]:
        raise CrowdedCardError(card)
    return _Set(name, lines, points, picture_from_svg(card.picture, (width, height - type_mm)))


def draw_card(canvas: Any, card: Card, corner: Corner, saving: bool = False) -> None:
    """Draw a card's face, its lower left corner at a point of the page in mm."""
    found = _typeset(card)
    (left, bottom), (width, height) = corner, CARD_MM
    head: list[Mark] = [
        Fill((_box(0, 0, width, height),), "#ffffff" if saving else _PAPER),
        Fill((_box(0, 0, width, _HEAD_MM - 1.5),), card.edge, 0.35 if saving else 1.0),
    ]
    draw_on_page(canvas, Drawing(CARD_MM, tuple(head)), left, bottom)
    number = (left + MARGIN_MM, bottom + height - _NUMBER_BASE_MM)
    _write(canvas, card.number, number, _NUMBER_POINTS, _TYPE, "left")
    deck = (left + width - MARGIN_MM, bottom + height - 4.7)
    _write(canvas, card.deck, deck, LEAST_POINTS, _TYPE, "right")
    shown = found.picture
    marks = on_white(shown.marks) if saving else shown.marks
    turned = saving and is_night(shown.marks)
    at = (left + (width - shown.size_mm[0]) / 2, bottom + height - _HEAD_MM - shown.size_mm[1])
    draw_on_page(canvas, Drawing(shown.size_mm, tuple(marks)), *at)
    for writing in shown.writings:
        colour = ink(writing.colour) if turned else writing.colour
        where = (at[0] + writing.at[0], at[1] + shown.size_mm[1] - writing.at[1])
        if writing.halo:
            halo = "#ffffff" if saving else writing.halo
            _write_halo(canvas, writing.text, where, writing.height / _POINT_MM, halo)
        _write(canvas, writing.text, where, writing.height / _POINT_MM, colour)
    y = at[1] - 1.0
    for lines, points in ((found.name, found.points + 1), (found.lines, found.points)):
        for line in lines:
            y -= points * _LINE * _POINT_MM
            _write(canvas, line, (left + width / 2, y), points, _TYPE)
        y -= 1.0


def card_artwork(card: Card, side_px: int, saving: bool = False) -> npt.NDArray[np.uint8]:
    """The picture of a card as printed, (H, W, 3) uint8 BGR, its longer side `side_px`.

    It is the same in every language, whatever space the text leaves for it.
    """
    shown = picture_from_svg(card.picture, CARD_MM)
    px_per_mm = side_px / max(shown.size_mm)
    turned = saving and is_night(shown.marks)
    paper = Fill((_box(0, 0, *shown.size_mm),), "#ffffff" if saving else _PAPER)
    marks = on_white(shown.marks) if saving else shown.marks
    drawing = Drawing(shown.size_mm, (paper, *marks))
    picture = Image.fromarray(rasterise(drawing, px_per_mm)[..., ::-1])
    pen = ImageDraw.Draw(picture)
    for writing in shown.writings:
        pen.text(
            (writing.at[0] * px_per_mm, writing.at[1] * px_per_mm),
            printable(writing.text),
            ink(writing.colour) if turned else writing.colour,
            ImageFont.truetype(FONT, writing.height * px_per_mm),
            "ms",
            stroke_width=writing.height * px_per_mm / 14 if writing.halo else 0,
            stroke_fill=("#ffffff" if saving else writing.halo) or None,
        )
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])


def number_picture(card: Card, px_per_mm: float) -> npt.NDArray[np.uint8]:
    """The number in a card's corner, (H, W) uint8, dark on white; `number_window` is where."""
    left, top, right, bottom = _NUMBER_MM
    size = round((right - left) * px_per_mm), round((bottom - top) * px_per_mm)
    picture = Image.new("L", size, 255)
    at = ((MARGIN_MM - left) * px_per_mm, (_NUMBER_BASE_MM - top) * px_per_mm)
    font = ImageFont.truetype(FONT, _NUMBER_POINTS * _POINT_MM * px_per_mm)
    ImageDraw.Draw(picture).text(at, printable(card.number), 0, font, "ls")
    return np.array(picture)


def number_window() -> tuple[float, float, float, float]:
    """Left, top, right and bottom of `number_picture`, as shares of a card."""
    left, top, right, bottom = _NUMBER_MM
    return left / CARD_MM[0], top / CARD_MM[1], right / CARD_MM[0], bottom / CARD_MM[1]


def artwork_windows() -> list[tuple[float, float, float, float]]:
    """Possible windows of a square picture on its card: left, top, right, bottom, as shares.

    They depend on the length of the text in each language.
    """
    (width, height), windows = CARD_MM, []
    for side in _ARTWORK_SIDES_MM:
        left = (width - side) / 2
        right, bottom = left + side, _HEAD_MM + side
        windows.append((left / width, _HEAD_MM / height, right / width, bottom / height))
    return windows


def whole_card(picture: Sequence[Sequence[float]]) -> list[list[float]]:
    """Approximate corners of a card, from those of its square picture, clockwise, in px."""
    top_left, top_right, _, bottom_left = (np.array(corner) for corner in picture)
    side = sum(_ARTWORK_SIDES_MM) / len(_ARTWORK_SIDES_MM)
    across, down = (top_right - top_left) / side, (bottom_left - top_left) / side
    corner = top_left - across * (CARD_MM[0] - side) / 2 - down * _HEAD_MM
    wide, high = across * CARD_MM[0], down * CARD_MM[1]
    return [at.tolist() for at in (corner, corner + wide, corner + wide + high, corner + high)]


def draw_back(canvas: Any, card: Card, corner: Corner, saving: bool = False) -> None:
    """The back of a card's deck: its name under a star."""
    (width, height), middle = CARD_MM, (CARD_MM[0] / 2, CARD_MM[1] * 0.42)
    marks: list[Mark] = [
        Stroke((rounded_box(2.5, 2.5, width - 2.5, height - 2.5, 2.5),), card.edge, 0.8),
        Stroke((star(middle, 8, 15, 6),), card.edge, 0.6),
        Stroke((star(middle, 8, 9, 3.6, 22.5),), card.edge, 0.4, 0.7),
    ]
    size = width + 2 * BLEED_MM, height + 2 * BLEED_MM
    ground = Drawing(size, (Fill((_box(0, 0, *size),), "#ffffff" if saving else _NIGHT),))
    draw_on_page(canvas, ground, corner[0] - BLEED_MM, corner[1] - BLEED_MM)
    drawn = Drawing(CARD_MM, on_white(marks) if saving else tuple(marks))
    draw_on_page(canvas, drawn, *corner)
    colour = ink(card.edge) if saving else card.edge
    lines = simpleSplit(card.deck, text_font(), 12, (width - 8) * mm)
    for row, line in enumerate(lines):
        at = (corner[0] + width / 2, corner[1] + height * 0.24 - row * 5.5)
        _write(canvas, line, at, 12, colour)


def _box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))


def _write(
    canvas: Any, text: str, at: Corner, points: float, colour: str, side: str = "middle"
) -> None:
    canvas.setFillColor(HexColor(colour))
    canvas.setFont(text_font(), points)
    draw = {
        "left": canvas.drawString,
        "middle": canvas.drawCentredString,
        "right": canvas.drawRightString,
    }[side]
    draw(at[0] * mm, at[1] * mm, printable(text))


def _write_halo(canvas: Any, text: str, at: Corner, points: float, colour: str) -> None:
    """Outline letters with a seventh of the type size; the letters are written over it."""
    canvas.saveState()
    canvas.setStrokeColor(HexColor(colour))
    canvas.setLineWidth(points / 7)
    canvas.setFont(text_font(), points)
    canvas.drawCentredString(at[0] * mm, at[1] * mm, printable(text), mode=1)
    canvas.restoreState()


def printable(text: str) -> str:
    """A text with characters missing from the printed font replaced.

    >>> printable("≤4, −2")
    '0–4, –2'
    """
    return text.translate(_OTHERS)


_OTHERS = str.maketrans({"≤": "0–", "−": "–", "★": "*", "☀": "*", "☄": "*", "→": "–"})
