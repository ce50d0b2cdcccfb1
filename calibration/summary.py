"""Aids: what wins, and a turn in short, half a sheet for each player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit

from calibration.cards import LEAST_POINTS, printable
from calibration.pdf import text_font
from calibration.tiles import Box
from scorer.sentence import Phrasebook
from scorer.table_guide import TableGuide

SIDE_MM, ABOVE_MM = 12.0, 7.0
ON_A_SHEET = 2
_LINE, _GAP = 1.22, 0.4  # from line to line, and between paragraphs, in the type's size
_HEADING = 1.3
WORDS = Phrasebook(
    {
        "turn": {"en": "A turn", "es": "Un turno", "cs": "Tah"},
        "wins": {"en": "What wins", "es": "Qué gana", "cs": "Co vyhrává"},
    },
    {},
)
Line = tuple[str, float]
"""A line of type and its size in points; "" is the space between paragraphs."""


@dataclass(frozen=True, eq=False)
class Aids:
    """A game's `title` and guide, and for how many players they are printed."""

    title: str
    guide: TableGuide
    players: int


def draw_aids(canvas: Any, aids: Aids, printable: Box, language: str) -> Iterator[None]:
    """Draw an aid for each player, to be cut apart; yield whenever a page is complete.

    `printable` is the left, bottom, right and top of a page in mm. ValueError for a guide that is
    longer than half a sheet in the smallest type.
    """
    left, bottom, right, top = printable
    height = (bottom + top) / ON_A_SHEET
    lines = _lines(aids, language, right + left - 2 * SIDE_MM, height - 2 * ABOVE_MM)
    for number in range(aids.players):
        place = number % ON_A_SHEET
        if number and not place:
            yield
        y = (bottom + top - place * height - ABOVE_MM) * mm
        canvas.setFillGray(0.1)
        for line, size in lines:
            y -= size * (_LINE if line else _GAP)
            canvas.setFont(text_font(), size)
            canvas.drawString(SIDE_MM * mm, y, line)
        if place:
            canvas.setStrokeGray(0.6)
            canvas.setLineWidth(0.1 * mm)
            canvas.line(left * mm, height * mm, right * mm, height * mm)
    yield


def _lines(aids: Aids, language: str, width: float, height: float) -> Sequence[Line]:
    """Headings and paragraphs in the largest type that holds them in a box of mm."""
    points = 13.0
    while points >= LEAST_POINTS:
        lines: list[Line] = [(aids.title, points * _HEADING)]
        for heading, texts in (("wins", aids.guide.wins()), ("turn", aids.guide.turn())):
            lines += [("", points), (WORDS.say(heading).in_language(language), points * _HEADING)]
            for text in texts:
                said = printable(text.in_language(language))
                split = simpleSplit(said, text_font(), points, width * mm)
                lines += [("", points), *((line, points) for line in split)]
        if sum(size * (_LINE if line else _GAP) for line, size in lines) < height * mm:
            return lines
        points -= 0.5
    raise ValueError("the summary of a turn is longer than half a page")
