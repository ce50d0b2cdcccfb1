"""The toy game's printed things: a meadow with pads and streams, and plain discs."""

from pathlib import Path

import numpy as np

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, ring, star
from calibration.layout import Layout
from ponds import OF_A_COLOUR, PONDS

PROFILES = Path(__file__).parent / "profiles"
DIAMETER_MM = 15.0
GRASS, WATER, PAD, FLOWERS = "#3c5a3a", "#8fb7c9", "#dfe7cf", ("#caa9d6", "#e9e3b0", "#d98f86")


def draw_layout(layout: Layout) -> Drawing:
    """Grass, streams, flowers that never repeat, pads."""
    width, height = layout.size_mm
    outline = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    marks: list[Mark] = [Fill((outline,), GRASS)]
    for link in layout.board.links:
        line = (layout.spaces[link.a].at, layout.spaces[link.b].at)
        marks.append(Stroke((line,), WATER, 3.0))
    rng = np.random.default_rng(5)
    for x, y, turn, size in rng.uniform((4, 4, 0, 0.8), (width - 4, height - 4, 72, 2.4), (260, 4)):
        flower = star((float(x), float(y)), int(rng.integers(4, 8)), size, size / 3, turn)
        marks.append(Fill((flower,), str(rng.choice(FLOWERS))))
    for pad in layout.spaces.values():
        marks += [disc(pad.at, pad.radius, PAD), ring(pad.at, pad.radius, GRASS, 0.6)]
    marks.append(Stroke(((*outline, outline[0]),), FLOWERS[1], 3.0))
    return Drawing(layout.size_mm, tuple(marks))


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    colours = {one.id: one.colour for one in PONDS.pieces}
    return [disc(at, DIAMETER_MM / 2, colours[piece]), ring(at, DIAMETER_MM / 2, "#303030", 0.3)]


def token_set() -> list[str]:
    return [piece.id for piece in PONDS.pieces for _ in range(OF_A_COLOUR)]
