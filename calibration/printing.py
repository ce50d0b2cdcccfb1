"""A board and its tokens as a PDF that prints at true size."""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.artwork import artwork, describe_board, further_sheets
from calibration.drawing import Drawing, Mark, Picture
from calibration.pdf import draw_on_page
from calibration.profile import Profile
from calibration.tiles import Size, Tile, Tiling, tile

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Width and height of a sheet in mm."""

SIDE_MM = 4.5  # the least room beside the board, for the crop marks
ABOVE_MM = 9.0
BELOW_MM = 24.0  # the ruler and its line of text
SCALE = "Print at 100 % (no \u201cfit to page\u201d). The ruler must measure 100 mm."
TILED = f"{SCALE} Cut along the marks; glue each sheet over the pale strip of the one before."


def print_board(profile: Profile, paper: str = "a4") -> bytes:
    """Make the PDF: the board, what else the game has to cut out, and its tokens.

    What is larger than the paper is printed in tiles that overlap. A built-in profile is drawn; an
    owner's is printed from its reference, where it has one.
    """
    sheet = PAPERS[paper]
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=(sheet[0] * mm, sheet[1] * mm), invariant=1)
    canvas.setTitle(profile.title)
    canvas.setCreator("stargazer print")
    _drawing_pages(canvas, _board(profile), sheet, f"{SCALE} Cut along the board\u2019s edge.")
    for drawing in further_sheets(profile.layout):
        _drawing_pages(canvas, drawing, sheet, f"{SCALE} Cut out along the lines.")
    _token_pages(canvas, profile.layout.game, sheet)
    canvas.save()
    return held.getvalue()


def _room(sheet: Size) -> Size:
    """How large a drawing on a sheet may be."""
    return sheet[0] - 2 * SIDE_MM, sheet[1] - ABOVE_MM - BELOW_MM


def _board(profile: Profile) -> Drawing:
    if profile.built_in or profile.reference is None:
        return describe_board(profile.layout)
    return Drawing(profile.size_mm, (Picture(profile.reference),))


def _drawing_pages(canvas: Any, drawing: Drawing, paper: Size, told: str) -> None:
    """A drawing in the middle of a sheet, or its tiles on as many as they take."""
    tiling = tile(drawing.size_mm, _room(paper), _room((paper[1], paper[0])))
    sheet = (paper[1], paper[0]) if tiling.landscape else paper
    for one in tiling:
        canvas.setPageSize((sheet[0] * mm, sheet[1] * mm))
        x0, y0, x1, y1 = one.window
        width, height = x1 - x0, y1 - y0
        left = (sheet[0] - width) / 2
        bottom = BELOW_MM + (sheet[1] - height - ABOVE_MM - BELOW_MM) / 2
        draw_on_page(canvas, drawing, left, bottom, None if len(tiling) == 1 else one.window)
        _crop_marks(canvas, left, bottom, width, height)
        if len(tiling) > 1:
            _glue_strips(canvas, one, left, bottom)
            _tile_map(canvas, tiling, one, (sheet[0] - SIDE_MM, bottom - 3))
        _ruler(canvas, sheet[0] / 2 - 50, bottom - 12)
        _say(canvas, (sheet[0] / 2, bottom - 20), told if len(tiling) == 1 else TILED)
        canvas.showPage()
    canvas.setPageSize((paper[0] * mm, paper[1] * mm))


def _glue_strips(canvas: Any, one: Tile, left: float, bottom: float) -> None:
    """The strips under the next tiles, paler, and marks where those tiles begin."""
    (x0, y0, x1, y1), (_, _, right, low) = one.cell, one.window
    canvas.saveState()
    canvas.setFillGray(1, alpha=0.6)
    across, down = x1 - x0, low - y0
    if right > x1:
        canvas.rect((left + across) * mm, bottom * mm, (right - x1) * mm, down * mm, 0, 1)
    if low > y1:
        canvas.rect(left * mm, bottom * mm, across * mm, (low - y1) * mm, 0, 1)
    canvas.restoreState()
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    canvas.setDash(0.8 * mm, 0.6 * mm)
    edge = bottom + low - y1
    if right > x1:
        for y, away in ((bottom, -1), (bottom + down, 1)):
            x = left + across
            canvas.line(x * mm, (y + away) * mm, x * mm, (y + away * 5) * mm)
    if low > y1:
        for x, away in ((left, -1), (left + right - x0, 1)):
            canvas.line((x + away) * mm, edge * mm, (x + away * 4) * mm, edge * mm)
    canvas.setDash()


def _tile_map(canvas: Any, tiling: Tiling, one: Tile, corner: tuple[float, float]) -> None:
    """A small plan of the tiles about its upper right corner, this one filled, and its number."""
    side = min(5.0, 16.0 / max(tiling.columns, tiling.rows))
    left, top = corner[0] - side * tiling.columns, corner[1]
    canvas.setStrokeGray(0.3)
    canvas.setLineWidth(0.15 * mm)
    for other in tiling:
        x, y = left + side * other.column, top - side * (other.row + 1)
        canvas.setFillGray(0.35 if other == one else 1)
        canvas.rect(x * mm, y * mm, side * mm, side * mm, stroke=1, fill=1)
    number = one.row * tiling.columns + one.column + 1
    said = f"{number} of {len(tiling)}"
    _say(canvas, ((left + corner[0]) / 2, top - side * tiling.rows - 3.2), said, size=7)


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
    columns = int((sheet[0] - 2 * ABOVE_MM) // pitch)
    rows = int((sheet[1] - ABOVE_MM - BELOW_MM) // pitch)
    tokens = made.token_set()
    for first in range(0, len(tokens), columns * rows):
        marks: list[Mark] = []
        for i, colour in enumerate(tokens[first : first + columns * rows]):
            across = sheet[0] / 2 + (i % columns - (columns - 1) / 2) * pitch
            marks += made.draw_token(colour, (across, ABOVE_MM + (i // columns + 0.5) * pitch))
        draw_on_page(canvas, Drawing(sheet, tuple(marks)), 0, 0)
        _say(
            canvas,
            (sheet[0] / 2, 14),
            f"Tokens, {made.DIAMETER_MM:g} mm. Print at 100 % on heavy matte paper, or glue "
            "the sheet to card, and cut out along the lines.",
        )
        canvas.showPage()
