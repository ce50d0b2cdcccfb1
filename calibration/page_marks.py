"""What is printed around a drawing: its foot with a ruler, marks to cut by, strips to glue."""

from typing import Any

from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit

from calibration.cards import CARD_MM
from calibration.pdf import text_font
from calibration.tiles import Box, Size, Tile, Tiling


def foot(canvas: Any, paper: Size, bottom: float, said: str, aside: float = 12.0) -> None:
    """The ruler below what is printed, and what to do with the sheet, `aside` mm from its edges."""
    _ruler(canvas, paper[0] / 2 - 50, bottom - 9)
    for row, line in enumerate(simpleSplit(said, text_font(), 8.5, (paper[0] - 2 * aside) * mm)):
        say(canvas, (paper[0] / 2, bottom - 15.6 - 3.8 * row), line)


def say(canvas: Any, at: tuple[float, float], text: str, size: float = 8.5) -> None:
    canvas.setFillGray(0.15)
    canvas.setFont(text_font(), size)
    canvas.drawCentredString(at[0] * mm, at[1] * mm, text)


def _ruler(canvas: Any, left: float, y: float) -> None:
    """A line of 100 mm, graduated, to check the printer's scale against."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(left * mm, y * mm, (left + 100) * mm, y * mm)
    for tick in range(101):
        rise = 4.0 if tick % 10 == 0 else 2.8 if tick % 5 == 0 else 1.6
        canvas.line((left + tick) * mm, y * mm, (left + tick) * mm, (y + rise) * mm)
    for tick in range(0, 101, 10):
        say(canvas, (left + tick, y - 3), str(tick) if tick < 100 else "100 mm", size=6.5)


def _line(canvas: Any, printable: Box, start: Size, end: Size) -> None:
    """Draw the printable part of an upright or level line, in mm; none that would be a point."""
    x_min, y_min, x_max, y_max = printable
    (x0, y0), (x1, y1) = (
        (min(max(x, x_min), x_max), min(max(y, y_min), y_max)) for x, y in (start, end)
    )
    if (x0, y0) != (x1, y1):
        canvas.line(x0 * mm, y0 * mm, x1 * mm, y1 * mm)


def crop_marks(canvas: Any, printable: Box, corner: Size, size: Size) -> None:
    """Two short lines outside each corner, in line with the edges to cut."""
    (left, bottom), (width, height) = corner, size
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.15 * mm)
    for x, outward in ((left, -1), (left + width, 1)):
        for y, away in ((bottom, -1), (bottom + height, 1)):
            _line(canvas, printable, (x + outward, y), (x + outward * 4, y))
            _line(canvas, printable, (x, y + away), (x, y + away * 5))


def cut_grid(canvas: Any, printable: Box, corner: Size, count: tuple[int, int]) -> None:
    """Hairlines between cards, and marks beyond the outer ones."""
    (left, bottom), (across, rows) = corner, count
    right, top = left + across * CARD_MM[0], bottom + rows * CARD_MM[1]
    canvas.setLineWidth(0.1 * mm)
    for column in range(across + 1):
        x = left + column * CARD_MM[0]
        canvas.setStrokeGray(0.75)
        _line(canvas, printable, (x, bottom), (x, top))
        canvas.setStrokeGray(0)
        for y, away in ((bottom, -1), (top, 1)):
            _line(canvas, printable, (x, y + away), (x, y + away * 4))
    for row in range(rows + 1):
        y = bottom + row * CARD_MM[1]
        canvas.setStrokeGray(0.75)
        _line(canvas, printable, (left, y), (right, y))
        canvas.setStrokeGray(0)
        for x, away in ((left, -1), (right, 1)):
            _line(canvas, printable, (x + away, y), (x + away * 4, y))


def glue_strips(canvas: Any, printable: Box, one: Tile, corner: Size) -> None:
    """The strips under the next tiles, paler, and marks where those tiles begin."""
    (x0, y0, x1, y1), (_, _, right, low), (left, bottom) = one.cell, one.window, corner
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
            _line(canvas, printable, (x, y + away), (x, y + away * 5))
    if low > y1:
        for x, away in ((left, -1), (left + right - x0, 1)):
            _line(canvas, printable, (x + away, edge), (x + away * 4, edge))
    canvas.setDash()


def tile_map(canvas: Any, tiling: Tiling, one: Tile, corner: tuple[float, float]) -> float:
    """A small plan of the tiles about its upper right corner, this one filled, and its number.

    Return its left edge in mm.
    """
    side = min(5.0, 13.0 / max(tiling.columns, tiling.rows))
    left, top = corner[0] - side * tiling.columns, corner[1]
    canvas.setStrokeGray(0.3)
    canvas.setLineWidth(0.15 * mm)
    for other in tiling:
        x, y = left + side * other.column, top - side * (other.row + 1)
        canvas.setFillGray(0.35 if other == one else 1)
        canvas.rect(x * mm, y * mm, side * mm, side * mm, stroke=1, fill=1)
    number = one.row * tiling.columns + one.column + 1
    said = f"{number} / {len(tiling)}"
    say(canvas, ((left + corner[0]) / 2, top - side * tiling.rows - 3.2), said, size=7)
    return left
