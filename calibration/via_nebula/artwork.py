"""The two sides of the valley and a guild board as drawings, and their pieces to cut out.

Terrain is pale, so that resources of a similar colour still stand out on it.
"""

import math
from pathlib import Path

import numpy as np

from calibration.drawing import (
    Drawing,
    Fill,
    Line,
    Mark,
    Point,
    Stroke,
    disc,
    moved,
    ring,
    star,
    strokes,
)
from calibration.layout import Layout
from calibration.lettering import lettering
from scorer.places import Shape
from scorer.via_nebula.board import GUILD, SITE, STORAGE, TILE, half_named
from scorer.via_nebula.edition import FOG, FOREST, MEADOW, RUIN, SIDES, STANDARD
from scorer.via_nebula.game import VIA_NEBULA

DIAMETER_MM = 16.0
PROFILES = Path(__file__).parents[1] / "profiles" / "via_nebula"
PAPER, INK, FAINT = "#f0ead9", "#3b352b", "#857a64"
LEAVES = ("#6f8a5c", "#a3764a", "#5f6f79", "#8d8470")
TERRAIN = {MEADOW: "#a9c17f", FOG: "#dde2e6", FOREST: "#c3c4b4", RUIN: "#b89c7c"}
HEXAGON: Line = tuple(
    (math.sin(math.radians(turn)), -math.cos(math.radians(turn))) for turn in range(0, 361, 60)
)
"""A hexagon of side 1 with a corner up, closed."""
SIGNS = {
    FOG: strokes("M -0.8 0 A -0.4 0 0.4 0.3 180 360 A 0.4 0 0.4 0.3 180 0"),
    FOREST: strokes("M -0.6 0.8 L 0 -0.9 L 0.6 0.8 L -0.6 0.8 M 0 0.8 L 0 1.2"),
    RUIN: strokes("M -0.9 0.8 L -0.9 -0.5 L -0.4 -0.1 L 0 -0.7 L 0.5 0 L 0.9 -0.4 L 0.9 0.8"),
    "wood": strokes("M -0.8 0.3 L 0.6 -0.5 M -0.6 0.6 L 0.8 -0.2 M -0.8 0.3 L -0.6 0.6"),
    "stone": strokes("M -0.8 0.6 L -0.5 -0.4 L 0.3 -0.7 L 0.8 0.2 L 0.5 0.7 L -0.8 0.6"),
    "clay": strokes("M -0.8 -0.3 L 0.8 -0.3 L 0.8 0.4 L -0.8 0.4 L -0.8 -0.3 M 0 -0.3 L 0 0.4"),
    "wheat": strokes("M 0 0.9 L 0 -0.8 M -0.5 -0.5 L 0 0 L 0.5 -0.5 M -0.5 0 L 0 0.5 L 0.5 0"),
    "food": strokes("A 0 0.1 0.6 0.6 0 360 M 0 -0.5 L 0.3 -0.9"),
    "craftsman": strokes("A 0 -0.5 0.3 0.3 0 360 M -0.6 0.8 L 0 -0.1 L 0.6 0.8 L -0.6 0.8"),
    SITE: strokes("M -0.7 -0.7 L 0.7 0.7 M 0.7 -0.7 L -0.7 0.7"),
    "building": strokes("M -0.7 0.8 L -0.7 -0.1 L 0 -0.8 L 0.7 -0.1 L 0.7 0.8 L -0.7 0.8"),
}
"""Each terrain's, resource's and element's sign, about a circle of radius 1."""


def sign(name: str, at: Point, size: float, colour: str, turn: float = 0.0) -> Mark:
    """A sign in a circle of that radius."""
    return Stroke(moved(SIGNS[name], at, size, turn), colour, size * 0.22)


def draw_layout(layout: Layout) -> Drawing:
    """A sheet with leaves that never repeat, and on it all that the layout has."""
    width, height = layout.size_mm
    outline = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    marks: list[Mark] = [Fill((outline,), PAPER), *_leaves(layout.size_mm)]
    draw = _guild if layout.kind == GUILD.kind else _valley
    places = {place.id: shape for place, shape in layout.places.items()}
    side = layout.topology.get("side") if isinstance(layout.topology, dict) else None
    marks += draw(places, side or SIDES[0])
    marks.append(Stroke(((*outline, outline[0]),), INK, 2.0))
    return Drawing(layout.size_mm, tuple(marks))


def _leaves(size_mm: Point) -> list[Mark]:
    """Fallen leaves: what a board is found by where tiles and pieces hide the rest."""
    rng = np.random.default_rng(27)
    count = round(size_mm[0] * size_mm[1] / 90)
    low, high = (4, 4, 0, 0.9), (size_mm[0] - 4, size_mm[1] - 4, 72, 3.2)
    found: list[Mark] = []
    for x, y, turn, size in rng.uniform(low, high, (count, 4)).tolist():
        outline = star((x, y), int(rng.integers(3, 8)), size, size / 3, turn)
        found.append(Fill((outline,), str(rng.choice(LEAVES))))
    return found


def _valley(places: dict[str, Shape], side: str) -> list[Mark]:
    terrain = STANDARD.valleys[side].terrain
    rng = np.random.default_rng(75)
    marks: list[Mark] = []
    for id, shape in places.items():
        kind = terrain[half_named(id)[0]]
        rim = (*shape.outline, shape.outline[0])
        marks += [Fill((shape.outline,), TERRAIN[kind]), Stroke((rim,), FAINT, 0.5)]
        marks += _grown(kind, shape.at, rng)
        if not half_named(id)[1]:
            top = min(shape.outline, key=lambda point: point[1])
            aside = -4.5 if kind == RUIN else 0.0
            marks.append(lettering(id, (top[0] + aside, top[1] + 6), 2.2, FAINT))
    return marks


def _grown(kind: str, at: Point, rng: np.random.Generator) -> list[Mark]:
    """What grows there, a little different on each hexagon."""
    count = {MEADOW: 7, FOG: 4, FOREST: 4, RUIN: 1}[kind]
    marks: list[Mark] = []
    for number in range(count):
        turn = 2 * math.pi * number / count + rng.uniform(0, 0.6)
        far = 0.0 if count == 1 else rng.uniform(4.0, 9.5)
        there = (at[0] + far * math.sin(turn), at[1] + far * math.cos(turn))
        if kind == MEADOW:
            blade = ((0.0, 0.0), (rng.uniform(-0.8, 0.8), -rng.uniform(1.4, 2.6)))
            marks.append(Stroke(moved((blade,), there), "#7f9a58", 0.4))
        else:
            size = rng.uniform(2.2, 3.4)
            marks.append(sign(kind, there, size, FAINT, float(rng.uniform(-9, 9))))
    return marks


def _guild(places: dict[str, Shape], _side: str) -> list[Mark]:
    """Piles over their explorers, the storage, and room for what is not on the valley yet."""
    marks: list[Mark] = []
    for id, shape in places.items():
        rim = (*shape.outline, shape.outline[0])
        marks += [Fill((shape.outline,), PAPER), Stroke((rim,), INK, 0.6)]
        if id == STORAGE:
            x, y = shape.at
            minus = ((x - 5, y - 20), (x - 2.5, y - 20))
            marks += [Stroke((minus,), FAINT, 0.5), lettering("1", (x, y - 20), 4.0, FAINT)]
        else:
            marks += [sign("craftsman", shape.at, 9.0, FAINT), ring(shape.at, 12.5, FAINT, 0.3)]
            marks.append(lettering("2", (shape.at[0] + 15, shape.at[1] + 12), 4.0, FAINT))
    for row, (what, count) in enumerate((("building", 5), (SITE, 3), ("craftsman", 3))):
        for number in range(count):
            at = (82 + 18 * number, 54 + 16 * row)
            marks += [disc(at, 7, PAPER), ring(at, 7, FAINT, 0.3), sign(what, at, 3.5, FAINT)]
    return marks


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """A disc in its colour with its sign; a token with its number; a tile as a hexagon."""
    kind = next(one for one in VIA_NEBULA.pieces if one.id == piece)
    radius = (kind.diameter_mm or DIAMETER_MM) / 2
    if piece == TILE:
        tile = moved((HEXAGON,), at, radius * 1.12, turn)
        return [Fill(tile, kind.colour), Stroke(tile, INK, 0.2)]
    pen = pen_on(kind.colour)
    marks: list[Mark] = [disc(at, radius, kind.colour), ring(at, radius, INK, 0.2)]
    if piece in STANDARD.tokens:
        return marks + _token_face(piece, at, radius, pen, turn)
    what = piece.partition("_")[0]
    return [*marks, sign(what, at, radius * 0.5, pen, turn)]


def pen_on(colour: str) -> str:
    """The ink that stands out on a colour."""
    red, green, blue = bytes.fromhex(colour[1:])
    is_dark = 0.21 * red + 0.72 * green + 0.07 * blue < 105
    return "#f5efe0" if is_dark else INK


def _token_face(piece: str, at: Point, radius: float, pen: str, turn: float) -> list[Mark]:
    """How many resources, as a number and as dots about the rim; of which kind; and the points."""
    token = STANDARD.tokens[piece]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def there(x: float, y: float) -> Point:
        return at[0] + c * x - s * y, at[1] + s * x + c * y

    about = (2 * math.pi * number / token.shows for number in range(token.shows))
    rim = [there(radius * 0.74 * math.sin(way), -radius * 0.74 * math.cos(way)) for way in about]
    small = [there(1.3 * (n - (token.points - 1) / 2), 3.4) for n in range(token.points)]
    return [
        *(disc(one, 1.5, pen) for one in rim),
        lettering(str(token.shows), there(-2.0, -0.6), 3.6, pen),
        sign(token.resource, there(2.0, -0.6), 1.9, pen, turn),
        *(disc(one, 0.5, pen) for one in small),
    ]


def token_set() -> list[str]:
    """Every piece of the game but the tiles, which have a sheet of their own."""
    return [one.id for one in VIA_NEBULA.pieces if one.id != TILE for _ in range(one.supply)]
