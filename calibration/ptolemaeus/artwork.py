"""The zodiac as a drawing, and its discs to cut out: bodies with their signs, pieces, asteroids.

Constellations are pale, so that pieces of their own colour still stand out on them. Each body is a
rim about a middle much paler or much darker: how these differ is the same in any light.
"""

import math

import numpy as np

from calibration.drawing import Drawing, Fill, Mark, Point, Stroke, disc, moved, ring, star, strokes
from calibration.layout import Layout
from calibration.lettering import curved_lettering, lettering
from scorer.ptolemaeus.board import TURN_TRACK
from scorer.ptolemaeus.edition import PLANETS, PLAYERS, STANDARD, ZODIAC
from scorer.ptolemaeus.game import BODIES, PTOLEMAEUS

DIAMETER_MM = 12.0
PAPER, INK, FAINT = "#f2ead6", "#3a3128", "#8a7c66"
PALE, DARK = "#f7f4ea", "#1c1a20"
PALE_MIDDLED = ("luna", "venus", "mars", "saturnus")
"""The bodies with a pale middle; the others' is dark."""
MIDDLE_MM, SIGN_MM = 4.6, 3.2
"""The radii of a body's middle, and of the sign on it."""
TINTS = {"red": "#e9c9bd", "green": "#cfdcc0", "yellow": "#efe2b0", "blue": "#c5d3de"}
"""The constellations', by their colours."""
SHADES = {"red": "#bf4a30", "green": "#5d8a3a", "yellow": "#d9a51b", "blue": "#3c78ab"}
"""The same colours as they remain on white paper."""
SIGNS = {
    "luna": strokes("A 0 0 0.8 0.8 60 300 A 0.55 0 0.706 0.706 258 102"),
    "mercurius": strokes(
        "A 0 -0.15 0.42 0.42 0 360 M 0 0.27 L 0 1 M -0.35 0.65 L 0.35 0.65"
        " M -0.4 -0.87 A 0 -0.87 0.4 0.28 180 0"
    ),
    "venus": strokes("A 0 -0.4 0.5 0.5 0 360 M 0 0.1 L 0 1 M -0.4 0.55 L 0.4 0.55"),
    "sol": strokes("A 0 0 0.8 0.8 0 360 M 0.08 0 A 0 0 0.08 0.08 0 360"),
    "mars": strokes(
        "A -0.2 0.25 0.55 0.55 0 360 M 0.2 -0.15 L 0.8 -0.8 M 0.35 -0.8 L 0.8 -0.8 L 0.8 -0.35"
    ),
    "iupiter": strokes("A -0.3 -0.4 0.45 0.45 180 400 M 0.05 -0.1 L -0.7 0.45 L 0.7 0.45"
                       " M 0.4 -0.8 L 0.4 0.9"),
    "saturnus": strokes("M -0.3 -0.9 L -0.3 0.5 M -0.6 -0.55 L 0.15 -0.55 A 0.1 0.1 0.4 0.4 180 400"
                        " L 0.2 0.9"),
    "comet": strokes("A -0.3 0.3 0.4 0.4 0 360 M 0 0 L 0.9 -0.9 M 0.1 0.3 L 0.9 -0.3"
                     " M -0.3 -0.1 L 0.3 -0.9"),
}  # fmt: skip
"""Each body's sign, in a circle of radius 1."""
_SCORPION = (
    "M -0.9 -0.7 L -0.7 -0.8 L -0.7 0.7 M -0.7 -0.4 A -0.45 -0.5 0.25 0.3 180 360 L -0.2 0.7"
    " M -0.2 -0.4 A 0.05 -0.5 0.25 0.3 180 360"
)
ZODIAC_SIGNS = {
    "aries": "M 0 0.95 L 0 -0.2 A -0.4 -0.3 0.4 0.6 0 -210 M 0 -0.2 A 0.4 -0.3 0.4 0.6 180 390",
    "taurus": "A 0 0.35 0.55 0.55 0 360 M -0.7 -0.9 A 0 -0.9 0.7 0.7 180 0",
    "gemini": "M -0.7 -1 A 0 -1.3 0.8 0.55 150 30 M -0.7 1 A 0 1.3 0.8 0.55 210 330"
              " M -0.35 -0.78 L -0.35 0.78 M 0.35 -0.78 L 0.35 0.78",
    "cancer": "A -0.55 -0.2 0.27 0.27 0 360 M -0.82 -0.27 A 0 -0.1 0.85 0.65 195 325"
              " M 0.82 0.2 A 0.55 0.2 0.27 0.27 0 360 M 0.82 0.27 A 0 0.1 0.85 0.65 15 145",
    "leo": "A -0.5 0.25 0.26 0.26 0 360 M -0.4 0.02 A 0 -0.4 0.5 0.5 150 400"
           " L 0.2 0.6 A 0.5 0.65 0.3 0.3 180 20",
    "virgo": f"{_SCORPION} L 0.3 0.6 A 0.55 0.6 0.25 0.3 180 60"
             " M 0.3 -0.2 A 0.5 -0.1 0.3 0.35 210 420 L 0.1 0.9",
    "libra": "M -0.85 0.75 L 0.85 0.75 M -0.85 0.35 L -0.3 0.35 A 0 -0.1 0.5 0.5 125 415"
             " L 0.85 0.35",
    "scorpius": f"{_SCORPION} L 0.3 0.5 A 0.55 0.5 0.25 0.3 180 90 L 0.9 0.6"
                " M 0.7 0.4 L 0.92 0.6 L 0.75 0.85",
    "sagittarius": "M -0.8 0.8 L 0.8 -0.8 M 0.1 -0.8 L 0.8 -0.8 L 0.8 -0.1 M -0.6 0 L 0 0.6",
    "capricornus": "M -0.9 -0.6 L -0.65 -0.75 L -0.5 0.4 M -0.52 -0.2 A -0.15 -0.5 0.35 0.3 180 360"
                   " L 0.2 0.5 A -0.05 0.5 0.25 0.4 0 120 M 0.2 0.2 A 0.5 0.3 0.3 0.35 200 540",
    "aquarius": "M -0.9 -0.15 L -0.5 -0.5 L -0.2 -0.15 L 0.2 -0.5 L 0.5 -0.15 L 0.9 -0.5"
                " M -0.9 0.5 L -0.5 0.15 L -0.2 0.5 L 0.2 0.15 L 0.5 0.5 L 0.9 0.15",
    "pisces": "M -0.74 -0.9 A -1.2 0 0.8 1.1 305 415 M 0.74 -0.9 A 1.2 0 0.8 1.1 235 125"
              " M -0.85 0 L 0.85 0",
}  # fmt: skip
"""The constellations' signs likewise, as `strokes` reads them."""


def sign(body: str, at: Point, size: float, colour: str, turn: float = 0.0) -> Mark:
    """The sign of a body or a constellation, in a circle of that radius."""
    lines = SIGNS.get(body) or strokes(ZODIAC_SIGNS[body])
    return Stroke(moved(lines, at, size, turn), colour, size * 0.2)


def draw_layout(layout: Layout) -> Drawing:
    """Parchment with stars that never repeat, and on it all that the layout has."""
    width, height = layout.size_mm
    outline = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    marks: list[Mark] = [Fill((outline,), PAPER)]
    for place, shape in layout.places.items():
        if place.id in ZODIAC:
            marks.append(Fill((shape.outline,), TINTS[STANDARD.colour(place.id)]))
    marks += _stars(layout.size_mm)
    for place, shape in layout.places.items():
        rim = (*shape.outline, shape.outline[0])
        if place.id in ZODIAC:
            marks.append(Stroke((rim,), INK, 0.7))
        elif place.kind == "region":
            colour = place.id.partition("_")[0]
            marks += [Fill((shape.outline,), PAPER), Stroke((rim,), _owner(colour), 0.9)]
        else:
            marks += _spot(place.id, shape.at, shape.radius)
    middle = (width / 2, height / 2)
    marks += [ring(middle, 40, INK, 0.5), ring(middle, 38.6, FAINT, 0.2)]
    for number, name in enumerate(ZODIAC):
        turn = 360 * number / len(ZODIAC)
        marks.append(curved_lettering(name.upper(), middle, 148.5, turn, 3.4, INK))
    marks.append(Stroke(((*outline, outline[0]),), INK, 2.0))
    return Drawing(layout.size_mm, tuple(marks))


def _stars(size_mm: Point) -> list[Mark]:
    rng = np.random.default_rng(12)
    found: list[Mark] = []
    low, high = (5, 5, 0, 0.8), (size_mm[0] - 5, size_mm[1] - 5, 72, 2.4)
    for x, y, turn, size in rng.uniform(low, high, (700, 4)).tolist():
        outline = star((x, y), int(rng.integers(4, 8)), size, size / 3, turn)
        found.append(Fill((outline,), FAINT, float(rng.uniform(0.35, 0.8))))
    return found


def _owner(colour: str) -> str:
    return next(one.colour for one in PTOLEMAEUS.pieces if one.id == colour)


def _spot(id: str, at: Point, radius: float) -> list[Mark]:
    """A planet's space in its owner's colour, an asteroid's, or one of the turn track."""
    owner, _, what = id.partition("_")
    rim = _owner(owner) if owner in PLAYERS else FAINT
    marks: list[Mark] = [disc(at, radius, PAPER), ring(at, radius, rim, 0.8)]
    if what in PLANETS:
        marks.append(sign(what, at, radius * 0.5, FAINT))
    elif id in TURN_TRACK:
        marks.append(lettering(what, at, radius * 0.9, FAINT))
    return marks


def draw_token(piece: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """A disc in its colour; a body with its sign, a player's piece with a rim."""
    kind = next(one for one in PTOLEMAEUS.pieces if one.id == piece)
    radius = (kind.diameter_mm or 8.0) / 2
    marks: list[Mark] = [disc(at, radius, kind.colour), ring(at, radius, INK, 0.2)]
    if piece in BODIES:
        marks += body_middle(piece, at, turn)
    if piece == "start":
        lines = (((-2.0, 0.0), (2.0, 0.0)), ((0.0, -2.0), (0.0, 2.0)))
        marks.append(Stroke(moved(lines, at, turn=turn), PAPER, 0.5))
    return marks


def body_middle(body: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """What tells a body from the others, disc or box: its middle with its sign."""
    pale = body in PALE_MIDDLED
    return [
        disc(at, MIDDLE_MM, PALE if pale else DARK),
        sign(body, at, SIGN_MM, DARK if pale else PALE, turn),
    ]


def token_set() -> list[str]:
    return [piece.id for piece in PTOLEMAEUS.pieces for _ in range(piece.supply)]


def fan(centre: Point, radius: float, count: int) -> list[Point]:
    """Points on a circle, the first at the top, clockwise; `centre` alone where there is one."""
    if count == 1:
        return [centre]
    turns = (2 * math.pi * n / count for n in range(count))
    return [
        (centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)) for turn in turns
    ]
