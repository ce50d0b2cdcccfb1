"""Cutting what is larger than the paper into tiles, each on a sheet of its own."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

OVERLAP_MM = 8.0
"""How far a tile goes on under the next one: room for the glue."""
CLEAR_MM = 1.0
"""How far a cut keeps from what is printed."""
Size = tuple[float, float]
Box = tuple[float, float, float, float]


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
    """How a drawing is cut: the tiles in reading order, and whether the paper lies on its side.

    `across` are the cuts in mm from its left, its edges included, `down` those from its top.
    """

    across: tuple[float, ...]
    down: tuple[float, ...]
    landscape: bool

    @property
    def columns(self) -> int:
        """How many tiles lie beside each other."""
        return len(self.across) - 1

    @property
    def rows(self) -> int:
        """How many tiles lie below each other."""
        return len(self.down) - 1

    def __len__(self) -> int:
        return self.columns * self.rows

    def __iter__(self) -> Iterator[Tile]:
        """The tiles, row by row."""
        for row, (y0, y1) in enumerate(pairwise(self.down)):
            for column, (x0, x1) in enumerate(pairwise(self.across)):
                right = x1 + (OVERLAP_MM if column + 1 < self.columns else 0)
                bottom = y1 + (OVERLAP_MM if row + 1 < self.rows else 0)
                yield Tile(column, row, (x0, y0, x1, y1), (x0, y0, right, bottom))


def tile(size: Size, upright: Size, on_its_side: Size, printed: Sequence[Box] = ()) -> Tiling:
    """Cut a drawing of a size for sheets with so much room, upright or on their side: all in mm.

    The fewest sheets; upright, where both are as few. A cut goes where it runs through as little as
    may be of the boxes (left, top, right, bottom) that something is `printed` in, near to the even
    one.

    >>> tile((360, 360), (201, 264), (288, 177)).across, len(tile((200, 240), (201, 264), (1, 1)))
    ((0.0, 180.0, 360.0), 1)
    >>> tile((360, 360), (201, 264), (288, 177), [(170, 0, 186, 360)]).across
    (0.0, 187.0, 360.0)
    """
    ways = [
        Tiling(
            _cuts(size[0], room[0], [(x0, x1, y1 - y0) for x0, y0, x1, y1 in printed]),
            _cuts(size[1], room[1], [(y0, y1, x1 - x0) for x0, y0, x1, y1 in printed]),
            landscape,
        )
        for landscape, room in ((False, upright), (True, on_its_side))
    ]
    return min(ways, key=len)


def _cuts(
    side: float, room: float, printed: Sequence[tuple[float, float, float]]
) -> tuple[float, ...]:
    """Where a side's tiles begin and end. `printed` are stretches of it, with their weights."""
    count = _needed(side, room)
    cuts = [0.0]
    for number in range(1, count):
        even = side * number / count
        first = max(side - room - (count - 1 - number) * (room - OVERLAP_MM), cuts[-1] + 1.0)
        last = cuts[-1] + room - OVERLAP_MM
        slack = int(min(even - first, last - even))
        ways = [even + step for step in range(-slack, slack + 1)]

        def cost(at: float, even: float = even) -> tuple[float, float]:
            through = sum(
                weight for x0, x1, weight in printed if x0 - CLEAR_MM < at < x1 + CLEAR_MM
            )
            return through, abs(at - even)

        cuts.append(min(ways or [even], key=cost))
    return (*cuts, float(side))


def _needed(side: float, room: float) -> int:
    """How many tiles a side takes: one where it fits, else each leaves room to overlap."""
    if side <= room:
        return 1
    return math.ceil(side / max(room - OVERLAP_MM, 1.0))
