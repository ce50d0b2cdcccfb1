"""The Galaxy board as a drawing, the source of both the printed sheet and the reference.

Positions come from the profile's layout and topology, so that an owner's layout without a picture
can be drawn too. Spaces stay dark and grey, lines thin: a star of any of the seven colours must
stand out, to an eye and to a camera.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from statistics import fmean

import cv2
import numpy as np

from calibration.drawing import (
    Drawing,
    Fill,
    Line,
    Mark,
    Picture,
    Point,
    Stroke,
    arc,
    circle,
    dashes,
    disc,
    glow,
    polar,
    ring,
    rounded_box,
    star,
)
from calibration.layout import Layout
from calibration.lettering import lettering
from calibration.nebula.sky import clouds, field_stars, figure
from calibration.nebula.symbols import symbol
from calibration.night import (
    DEEP,
    GOLD,
    PALE_GOLD,
    SILVER,
    Figure,
    compass,
    draw_figure,
    frame,
    orbit_radius,
    orbits,
    plate,
)
from calibration.star_token import STYLES, draw_star_token
from scorer.nebula.words import BLACK, COLOURS
from scorer.places import Shape

SPACE = "#262e4a"
TRACK_SPACE = "#55607f"
TINTS = {"aries": "#d88a6a", "taurus": "#7fb890", "gemini": "#b493d6", "cancer": "#76a9d0"}
GROUND = {"aries": "#4a3036", "taurus": "#26423c", "gemini": "#382d52", "cancer": "#233a54"}
NAME_SPACING = 4.0
NAME_HALF_HEIGHT = 1.3
NAME_HALF_WIDTH = 9.0  # mm, of the longest name
# Each figure's pose, so that most of its stars are between the spaces: rotation (degrees
# clockwise), distance from centre to farthest star (mm), and centre (as a share of the way from the
# core to the centre of the spaces).
FIGURES = {
    "aries": (70.0, 45.0, 1.2),
    "taurus": (228.0, 37.0, 1.2),
    "gemini": (40.0, 34.0, 1.2),
    "cancer": (57.0, 44.0, 0.9),
}
DIAMETER_MM = 14.5  # in spaces of 16 mm
OF_EACH_COLOUR = 20
OF_BLACK = 30
TOKEN_STYLES = {colour: STYLES[colour] for colour in (*COLOURS, BLACK)}


def draw_layout(layout: Layout) -> Drawing:
    """Draw the whole board, from the background up."""
    marks: list[Mark] = [Picture(clouds(layout.size_mm))]
    marks += field_stars(layout.size_mm)
    marks += _regions(layout)
    marks += _graticule(layout)
    marks += orbits(layout, layout.board.core, 0.45, 0.1, 0.75)
    for name in layout.board.highlighted:
        marks += _radiance(layout.spaces[name].at, layout.spaces[name].radius)
    marks += _links(layout)
    marks += _spaces(layout)
    marks += _orbit_numbers(layout)
    marks += _track(layout)
    marks += corners(layout.size_mm)
    marks += frame(layout.size_mm)
    return Drawing(layout.size_mm, tuple(marks))


def _regions(layout: Layout) -> list[Mark]:
    """Each constellation's part of the sky: a faint tint, its figure, its name."""
    marks: list[Mark] = []
    core = layout.spaces[layout.board.core].at
    for name, members in layout.board.constellations.items():
        spaces = [layout.spaces[space] for space in members]
        tint = TINTS[name]
        for grow, opacity in ((6.5, 0.03), (5.0, 0.04), (3.5, 0.05)):
            marks.append(Fill((_hull(spaces, grow),), tint, opacity))
        marks.append(Stroke((_hull(spaces, 3.5),), tint, 0.2, 0.45))
        middle = (fmean(s.at[0] for s in spaces), fmean(s.at[1] for s in spaces))
        turn, reach, out = FIGURES[name]
        centre = (core[0] + (middle[0] - core[0]) * out, core[1] + (middle[1] - core[1]) * out)
        shown = figure(name, centre, reach, turn)
        marks += draw_figure(shown, tint)
        at = _open_sky(layout, spaces, shown)
        marks.append(lettering(name.upper(), at, 2.5, tint, spacing=NAME_SPACING))
    return marks


def _open_sky(layout: Layout, spaces: list[Shape], shown: Figure) -> Point:
    """Where a constellation's name goes: clear of everything, near the centre of its spaces."""
    board = layout.board
    taken = [
        (space.at, space.radius + (4.6 if name in board.highlighted else 1.0))
        for name, space in layout.spaces.items()
    ]
    taken += [(at, 3.1) for at in _number_places(layout).values()]
    taken += [(at, 1.2) for at, _ in shown.stars.values()]
    links = board.links_of("direct") + board.links_of("indirect")
    lines = [(layout.spaces[link.a].at, layout.spaces[link.b].at) for link in links]
    for line in (*shown.lines, *lines):
        for (ax, ay), (bx, by) in pairwise(line):
            steps = [i / 24 for i in range(25)]
            taken += [((ax + (bx - ax) * part, ay + (by - ay) * part), 1.0) for part in steps]
    things = np.array([(x, y, radius) for (x, y), radius in taken])
    middle = (fmean(s.at[0] for s in spaces), fmean(s.at[1] for s in spaces))

    def clearance(spot: Point) -> float:
        beside = np.maximum(0, np.abs(things[:, 0] - spot[0]) - NAME_HALF_WIDTH)
        above = np.maximum(0, np.abs(things[:, 1] - spot[1]) - NAME_HALF_HEIGHT)
        return float((np.hypot(beside, above) - things[:, 2]).min())

    hull = np.asarray(_hull(spaces, 8.0), np.float32)
    left, top, width, height = cv2.boundingRect(hull)
    spots = [
        (float(x), float(y))
        for y in range(top, top + height, 2)
        for x in range(left, left + width, 2)
        if cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0
    ]
    return max(spots, key=lambda spot: (min(clearance(spot), 1.0), -math.dist(spot, middle)))


def _hull(spaces: list[Shape], grow: float) -> Line:
    """The outline around some spaces, `grow` mm outside their circles."""
    rims = [point for space in spaces for point in circle(space.at, space.radius + grow)]
    hull = cv2.convexHull(np.asarray(rims, np.float32)).reshape(-1, 2)
    line = tuple((float(x), float(y)) for x, y in hull)
    return (*line, line[0])


def _graticule(layout: Layout) -> list[Mark]:
    """An astronomer's circle about the outermost orbit, graduated to two degrees."""
    core = layout.spaces[layout.board.core].at
    outer = orbit_radius(layout, layout.board.core, max(layout.board.orbits)) + 4.2
    marks: list[Mark] = [
        ring(core, outer, GOLD, 0.15, 0.45),
        ring(core, outer + 2.6, GOLD, 0.25, 0.5),
    ]

    def rays(low: float, high: float, degrees: Iterable[int]) -> tuple[Line, ...]:
        return tuple((polar(core, low, at), polar(core, high, at)) for at in degrees)

    coarse = range(0, 360, 10)
    fine = (at for at in range(0, 360, 2) if at not in coarse)
    marks.append(Stroke(rays(outer, outer + 1.1, fine), GOLD, 0.12, 0.5))
    marks.append(Stroke(rays(outer, outer + 2.6, coarse), GOLD, 0.18, 0.6))
    marks.append(Stroke(rays(26, outer, range(10, 370, 30)), SILVER, 0.1, 0.22))
    return marks


def _links(layout: Layout) -> list[Mark]:
    """Direct links as solid lines, indirect ones dashed, on a dark bed against the sky."""
    marks: list[Mark] = []
    for kind in ("direct", "indirect"):
        for link in layout.board.links_of(kind):
            line = _between(layout.spaces[link.a], layout.spaces[link.b])
            lines = (line,) if kind == "direct" else dashes(line, 3.2, 2.2)
            marks.append(Stroke((line,), DEEP, 2.5, 0.7))
            marks.append(Stroke(lines, GOLD, 1.15, 0.95))
            marks.append(Stroke(lines, PALE_GOLD, 0.4, 0.9))
    return marks


def _between(one: Shape, other: Shape) -> Line:
    """The line from rim to rim."""
    turn = math.degrees(math.atan2(other.at[1] - one.at[1], other.at[0] - one.at[0]))
    return (
        polar(one.at, one.radius + 0.6, turn),
        polar(other.at, -other.radius - 0.6, turn),
    )


def _spaces(layout: Layout) -> list[Mark]:
    marks: list[Mark] = []
    board = layout.board
    home = {space: name for name, members in board.constellations.items() for space in members}
    for name, space in layout.spaces.items():
        at, radius = space.at, space.radius
        if name in board.highlighted:
            marks.append(ring(at, radius + 0.85, "#ffe9b0", 0.8))
        else:
            marks.append(ring(at, radius + 0.5, DEEP, 1.0, 0.6))
        if name == board.core:
            marks += _core(at, radius)
            continue
        constellation = home[name]
        tint = TINTS[constellation]
        marks.append(disc(at, radius, SPACE))
        marks.append(disc(at, radius - 0.5, GROUND[constellation], 0.75))
        marks += [disc((at[0], at[1]), radius * part, "#ffffff", 0.018) for part in (0.85, 0.6)]
        rim = PALE_GOLD if name in board.highlighted else tint
        marks.append(ring(at, radius - 0.25, rim, 0.5, 0.95))
        marks.append(ring(at, radius - 1.05, tint, 0.14, 0.6))
        marks.append(symbol(constellation, at, radius * 0.52, tint, 0.85))
    return marks


def _radiance(at: Point, radius: float) -> list[Mark]:
    """The light about a highlighted space."""
    return [
        *glow(at, radius * 1.9, "#ffd97a", 0.75),
        Fill((star(at, 12, radius + 4.6, radius + 0.4),), "#ffe09a", 0.5),
        Fill((star(at, 36, radius + 3.0, radius + 1.0),), "#f0cf7e", 0.7),
    ]


def _core(at: Point, radius: float) -> list[Mark]:
    """The centre of the galaxy: a compass star that belongs to no constellation."""
    marks: list[Mark] = [disc(at, radius, SPACE), disc(at, radius - 0.5, "#3a3550", 0.8)]
    marks.append(Fill((star(at, 8, radius * 0.62, radius * 0.2, 22.5),), GOLD, 0.45))
    marks.append(Fill((star(at, 4, radius * 0.78, radius * 0.16),), PALE_GOLD, 0.8))
    marks.append(disc(at, radius * 0.13, "#3a3550"))
    marks.append(ring(at, radius - 0.25, PALE_GOLD, 0.55))
    marks.append(ring(at, radius - 1.05, GOLD, 0.14, 0.7))
    return marks


def _number_places(layout: Layout) -> dict[int, Point]:
    x, y = layout.spaces[layout.board.core].at
    return {
        orbit: (x, y + orbit_radius(layout, layout.board.core, orbit))
        for orbit in layout.board.orbits
    }


def _orbit_numbers(layout: Layout) -> list[Mark]:
    """Each orbit's number at its lowest point."""
    marks: list[Mark] = []
    for orbit, at in _number_places(layout).items():
        marks.append(disc(at, 3.1, DEEP))
        marks.append(ring(at, 2.9, SILVER, 0.35))
        marks.append(lettering(str(orbit), at, 2.9, "#eef2ff", weight=0.14))
    return marks


def _track(layout: Layout) -> list[Mark]:
    """The black stars' track: its spaces with their numbers, and the score of a full track."""
    track = layout.board.track
    slots = layout.tracks[BLACK]
    r = slots[0].radius
    centres = tuple(slot.at for slot in slots)
    left, right = (pick(x for x, _ in centres) for pick in (min, max))
    top, bottom = (pick(y for _, y in centres) for pick in (min, max))
    panel = rounded_box(left - r - 3.4, top - r - 3.4, right + r + 3.4, bottom + r + 3.4, r + 3.4)
    marks: list[Mark] = [
        Fill((panel,), DEEP, 0.72),
        Stroke((panel,), GOLD, 0.35, 0.9),
        Stroke((centres,), GOLD, 0.5, 0.8),
    ]
    for at, points in zip(centres, track.points, strict=True):
        marks.append(disc(at, r, TRACK_SPACE))
        marks.append(disc(at, r - 1.6, "#646f90"))
        marks.append(ring(at, r - 0.25, SILVER, 0.5))
        marks.append(ring(at, r - 1.6, DEEP, 0.16, 0.5))
        marks.append(lettering(str(points), at, 4.6, "#eef2ff", spacing=1.6, weight=0.13))
    below = bottom + r + 3.4
    badge = rounded_box(right - 15.5, below + 1.6, right + 8, below + 8.4, 3.4)
    line = below + 5
    marks += [
        Stroke((((right, below), (right, below + 1.6)),), GOLD, 0.5, 0.9),
        Fill((badge,), DEEP, 0.85),
        Stroke((badge,), GOLD, 0.35, 0.9),
        lettering("FULL", (right - 8.0, line), 2.2, GOLD, spacing=3),
        lettering(str(track.full), (right + 2.2, line), 3.4, PALE_GOLD, spacing=1.6, weight=0.14),
        lettering("BLACK STARS", (left + 14, below + 3.6), 2.2, GOLD, spacing=3.4),
    ]
    return marks


def corners(size_mm: tuple[float, float]) -> list[Mark]:
    """The corner ornaments, all different, so that a turned board is never mistaken."""
    width, height = size_mm
    return [
        *_moons((width - 31, 51)),
        *compass((21.5, height - 22.5), 12.5),
        *_cartouche((width - 28.5, height - 17.5)),
    ]


def _moons(at: Point) -> list[Mark]:
    """Five phases of the moon along a curve."""
    marks: list[Mark] = []
    for i, lit in enumerate((-0.55, -0.1, 1.0, 0.1, 0.55)):
        x, y = at[0] - 17 + 8.5 * i, at[1] + 1.6 - 1.6 * (1 - ((i - 2) / 2) ** 2)
        size = 2.9 if lit == 1.0 else 2.3
        marks.append(replace(disc((x, y), size, "#1b2340", 0.95), fixed=True))
        if lit == 1.0:
            marks += glow((x, y), size * 2, "#e8e2c8", 0.4)
            marks.append(replace(disc((x, y), size, "#e4dfca"), fixed=True))
            for dx, dy, crater in ((-0.9, -0.6, 0.55), (0.8, 0.5, 0.75), (0.3, -1.4, 0.4)):
                marks.append(replace(disc((x + dx, y + dy), crater, "#c2bda9", 0.8), fixed=True))
        else:
            side = -1 if i < 2 else 1
            rim = arc((x, y), size, size, -90, 90)
            shade = arc((x, y), size * abs(lit), size, 90, -90)
            crescent = tuple((x + side * (px - x), py) for px, py in (*rim, *shade))
            marks.append(Fill((crescent,), "#d8d3be", 0.95, fixed=True))
        marks.append(ring((x, y), size, GOLD, 0.15, 0.8))
    return marks


def _cartouche(at: Point) -> list[Mark]:
    """The board's title on a small plate."""
    x, y = at
    marks: list[Mark] = [
        *plate(at, (24, 11)),
        lettering("NEBULA", (x, y - 2.6), 5.6, PALE_GOLD, spacing=3.2, weight=0.1),
        lettering("THE GALAXY", (x, y + 5.6), 2.1, GOLD, spacing=4.2),
    ]
    for side in (-1, 1):
        marks.append(Fill((star((x + side * 16.2, y + 5.6), 4, 1.5, 0.4),), GOLD))
    return marks


def token_set() -> list[str]:
    """The colour of every token of one game, in the order of the sheet."""
    return [colour for colour in COLOURS for _ in range(OF_EACH_COLOUR)] + [BLACK] * OF_BLACK


def draw_token(colour: str, at: Point, turn: float = 0.0) -> list[Mark]:
    """One token about a point in mm, turned `turn` degrees clockwise."""
    return draw_star_token(TOKEN_STYLES[colour], at, DIAMETER_MM / 2, turn, sign=0.2, pen=0.4)
