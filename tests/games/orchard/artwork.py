"""The toy's printed things: a ring of fields with trees, a wicker mat, discs and bars."""

import math
from pathlib import Path

import numpy as np

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, ring, star
from calibration.layout import Layout

from .game import ORCHARD

PROFILES = Path(__file__).parent / "profiles"
DIAMETER_MM = 12.0
LANE_MM = (30.0, 6.0)
GREENS, SOIL, PAPER, INK = ("#dfe8cf", "#cfe0dc"), "#8a7a5e", "#f1ead8", "#3a3f36"


def draw_layout(layout: Layout) -> Drawing:
    """A sheet with leaves that never repeat, the places with their rims on it."""
    width, height = layout.size_mm
    outline = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    marks: list[Mark] = [Fill((outline,), PAPER)]
    rng = np.random.default_rng(len(layout.places))
    leaves = rng.uniform((6, 6, 0, 1.0), (width - 6, height - 6, 72, 3.0), (420, 4))
    for x, y, turn, size in leaves.tolist():
        leaf = star((x, y), int(rng.integers(3, 8)), size, size / 3, turn)
        marks.append(Fill((leaf,), str(rng.choice(("#7d9a6d", "#a3876a", "#5f8079")))))
    for number, (place, shape) in enumerate(layout.places.items()):
        rim = (*shape.outline, shape.outline[0])
        if place.kind == "region":
            marks.append(Fill((shape.outline,), GREENS[number % 2]))
        else:
            marks.append(Fill((shape.outline,), PAPER))
        marks.append(Stroke((rim,), SOIL, 0.8))
    marks.append(Stroke(((*outline, outline[0]),), INK, 2.0))
    return Drawing(layout.size_mm, tuple(marks))


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """A disc, or a bar for a lane."""
    kind = next(one for one in ORCHARD.pieces if one.id == piece)
    if kind.diameter_mm:
        radius = kind.diameter_mm / 2
        return [disc(at, radius, kind.colour), ring(at, radius, INK, 0.2)]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = LANE_MM[0] / 2, LANE_MM[1] / 2
    corners = ((x, y), (-x, y), (-x, -y), (x, -y))
    box = tuple((at[0] + c * u - s * v, at[1] + s * u + c * v) for u, v in corners)
    return [Fill((box,), kind.colour)]


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    return ()


def token_set() -> list[str]:
    """Every piece of the game."""
    return [piece.id for piece in ORCHARD.pieces for _ in range(piece.supply)]
