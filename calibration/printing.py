"""A board and its tokens as a PDF that prints at true size."""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.artwork import artwork, describe_board
from calibration.drawing import Drawing, Mark, Picture
from calibration.layout import ProfileError
from calibration.pdf import draw_on_page
from calibration.profile import Profile

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet in mm."""

SIDE_MM = 4.5  # the least room beside the board, for the crop marks
ABOVE_MM = 9.0
BELOW_MM = 24.0  # the ruler and its line of text
COLUMNS = 10


def print_board(profile: Profile, paper: str = "a4") -> bytes:
    """Make the PDF: the board on the first page, the tokens on those that follow.

    A built-in profile is drawn; an owner's is printed from its reference, where it has one.
    Raises `ProfileError` for a board that does not fit on the paper.
    """
    sheet = PAPERS[paper]
    width, height = profile.size_mm
    if width + 2 * SIDE_MM > sheet[0] or height + ABOVE_MM + BELOW_MM > sheet[1]:
        room = f"{sheet[0] - 2 * SIDE_MM:g} x {sheet[1] - ABOVE_MM - BELOW_MM:g} mm"
        reason = f"is {width:g} x {height:g} mm; {paper} has room for {room}"
        raise ProfileError(profile.name, [("size_mm", reason)])
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(sheet[0] * mm, sheet[1] * mm), invariant=1)
    canvas.setTitle(profile.title)
    canvas.setCreator("stargazer print")
    _board_page(canvas, _board(profile), sheet)
    _token_pages(canvas, profile.layout.game, sheet)
    canvas.save()
    return held.getvalue()


def _board(profile: Profile) -> Drawing:
    if profile.built_in or profile.reference is None:
        return describe_board(profile.layout)
    return Drawing(profile.size_mm, (Picture(profile.reference),))


def _board_page(canvas: Any, board: Drawing, sheet: tuple[float, float]) -> None:
    width, height = board.size_mm
    left = (sheet[0] - width) / 2
    spare = sheet[1] - height - ABOVE_MM - BELOW_MM
    bottom = BELOW_MM + spare / 2
    draw_on_page(canvas, board, left, bottom)
    _crop_marks(canvas, left, bottom, width, height)
    _ruler(canvas, sheet[0] / 2 - 50, bottom - 12)
    _say(
        canvas,
        (sheet[0] / 2, bottom - 20),
        "Print at 100 % (no \u201cfit to page\u201d). The ruler must measure 100 mm. "
        "Cut along the board\u2019s edge.",
    )
    canvas.showPage()


def _crop_marks(canvas: Any, left: float, bottom: float, width: float, height: float) -> None:
    """Two short lines outside each corner, in line with the edges to cut."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    for x, outward in ((left, -1), (left + width, 1)):
        for y, away in ((bottom, -1), (bottom + height, 1)):
            canvas.line((x + outward * 1) * mm, y * mm, (x + outward * 4) * mm, y * mm)
            canvas.line(x * mm, (y + away * 1) * mm, x * mm, (y + away * 5) * mm)


def _ruler(canvas: Any, left: float, y: float) -> None:
    """A line of 100 mm, graduated, to check the printer's scale against."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(left * mm, y * mm, (left + 100) * mm, y * mm)
    for tick in range(101):
        rise = 4.0 if tick % 10 == 0 else 2.8 if tick % 5 == 0 else 1.6
        canvas.line((left + tick) * mm, y * mm, (left + tick) * mm, (y + rise) * mm)
    for tick in range(0, 101, 10):
        _say(canvas, (left + tick, y - 3), str(tick) if tick < 100 else "100 mm", size=6.5)


def _say(canvas: Any, at: tuple[float, float], text: str, size: float = 8.5) -> None:
    canvas.setFillGray(0.15)
    canvas.setFont("Helvetica", size)
    canvas.drawCentredString(at[0] * mm, at[1] * mm, text)


def _token_pages(canvas: Any, game: str, sheet: tuple[float, float]) -> None:
    """One game's tokens in rows, as many pages as they need."""
    made = artwork(game)
    pitch = made.DIAMETER_MM + 1.5
    rows = int((sheet[1] - ABOVE_MM - BELOW_MM) // pitch)
    tokens = made.token_set()
    for first in range(0, len(tokens), COLUMNS * rows):
        marks: list[Mark] = []
        for i, colour in enumerate(tokens[first : first + COLUMNS * rows]):
            across = sheet[0] / 2 + (i % COLUMNS - (COLUMNS - 1) / 2) * pitch
            marks += made.draw_token(colour, (across, ABOVE_MM + (i // COLUMNS + 0.5) * pitch))
        draw_on_page(canvas, Drawing(sheet, tuple(marks)), 0, 0)
        _say(
            canvas,
            (sheet[0] / 2, 14),
            f"Tokens, {made.DIAMETER_MM:g} mm. Print at 100 % on heavy matte paper, or glue "
            "the sheet to card, and cut out along the circles.",
        )
        canvas.showPage()
