"""Cutting what is larger than the paper into tiles, each on a sheet of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

OVERLAP_MM = 8.0
"""How far a tile goes on under the next one: room for the glue."""
Size = tuple[float, float]


@dataclass(frozen=True)
class Tile:
    """One tile of a drawing, counted from 0 at the top left; lengths in mm from its top left.

    `cell` is the part that is seen in the end, `window` what is printed: the cell, and at its right
    and its bottom the strip that the next tile is glued onto.
    """

    column: int
    row: int
    cell: tuple[float, float, float, float]
    window: tuple[float, float, float, float]


@dataclass(frozen=True)
class Tiling:
    """How a drawing is cut: the tiles in reading order, and whether the paper lies on its side."""

    columns: int
    rows: int
    landscape: bool
    size: Size

    def __len__(self) -> int:
        """The number of sheets."""
        return self.columns * self.rows

    def __iter__(self) -> Iterator[Tile]:
        """The tiles, row by row."""
        (width, height), (across, down) = self.size, (self.columns, self.rows)
        for row in range(down):
            for column in range(across):
                x0, x1 = width * column / across, width * (column + 1) / across
                y0, y1 = height * row / down, height * (row + 1) / down
                right = x1 + (OVERLAP_MM if column + 1 < across else 0)
                bottom = y1 + (OVERLAP_MM if row + 1 < down else 0)
                yield Tile(column, row, (x0, y0, x1, y1), (x0, y0, right, bottom))


def tile(size: Size, upright: Size, on_its_side: Size) -> Tiling:
    """Cut a drawing of a size for sheets with so much room, upright or on their side: all in mm.

    The fewest sheets; upright, where both are as few.

    >>> tile((360, 360), (201, 264), (288, 177)).columns, len(tile((200, 240), (201, 264), (1, 1)))
    (2, 1)
    """
    ways = [
        Tiling(_needed(size[0], room[0]), _needed(size[1], room[1]), landscape, size)
        for landscape, room in ((False, upright), (True, on_its_side))
    ]
    return min(ways, key=len)


def _needed(side: float, room: float) -> int:
    """How many tiles a side takes: one where it fits, else each leaves room to overlap."""
    if side <= room:
        return 1
    return math.ceil(side / max(room - OVERLAP_MM, 1.0))
