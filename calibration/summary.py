"""One page of a game's table: what wins, and a turn in short."""

from __future__ import annotations

from typing import Any

from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit

from calibration.cards import printable
from calibration.pdf import TEXT_FONT
from scorer.sentence import Phrasebook
from scorer.table_guide import TableGuide

MARGIN_MM = 22.0
WORDS = Phrasebook(
    {
        "turn": {"en": "A turn", "es": "Un turno", "cs": "Tah"},
        "wins": {"en": "What wins", "es": "Qué gana", "cs": "Co vyhrává"},
    },
    {},
)


def draw_summary(canvas: Any, guide: TableGuide, paper: tuple[float, float], language: str) -> None:
    """Headings and paragraphs, in the largest type that holds them on the page."""
    parts = [("wins", guide.wins), ("turn", guide.turn)]
    width = (paper[0] - 2 * MARGIN_MM) * mm
    for points in range(16, 8, -1):
        lines: list[tuple[str, float]] = []
        for heading, texts in parts:
            lines.append((WORDS.say(heading).in_language(language), points * 1.6))
            for text in texts:
                split = simpleSplit(printable(text.in_language(language)), TEXT_FONT, points, width)
                lines += [(line, points) for line in (*split, "")]
        if sum(size * 1.3 for _, size in lines) < (paper[1] - 2 * MARGIN_MM) * mm:
            break
    else:
        raise ValueError("the summary of a turn is longer than a page")
    y = (paper[1] - MARGIN_MM) * mm
    canvas.setFillGray(0.1)
    for line, size in lines:
        y -= size * (1.3 if line else 0.7)
        canvas.setFont(TEXT_FONT, size)
        canvas.drawString(MARGIN_MM * mm, y, line)
