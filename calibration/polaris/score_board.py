"""Parts beside the sky: the arcs of its frame to cut out, the score board, and markers."""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise

from calibration.artwork import PointsTrack, TokenSheet, TokenSpots
from calibration.drawing import (
    Drawing,
    Fill,
    Group,
    Line,
    Mark,
    Picture,
    Point,
    Stroke,
    dashes,
    disc,
    glow,
    ring,
    rounded_box,
    star,
)
from calibration.layout import Layout
from calibration.lettering import lettering
from calibration.night import DEEP, GOLD, PALE_GOLD, frame
from calibration.polaris.artwork import TOKEN_STYLES
from calibration.polaris.frame import ARC, MOONS, Ring, draw_arc
from calibration.polaris.ornaments import shooting_star, telescope
from calibration.polaris.sky import field_stars, night
from calibration.star_token import CUT_LINE
from scorer.polaris.edition import load_edition
from scorer.polaris.printed import frame_radii
from scorer.polaris.score import SHOOTING_STARS
from scorer.polaris.words import NEUTRAL

CELL, ACROSS, DOWN = 12.5, 13, 19
"""The size of the points track's cells in mm, and their number along the board's edges."""
EDGE = 3.5
TRACK = 2 * (ACROSS + DOWN) - 4
"""The number of points, and of cells, once around."""
CARD = (41.0, 63.0)
BOARD_MM = (ACROSS * CELL + 2 * EDGE, DOWN * CELL + 2 * EDGE)
MARKER_MM = 11.0
_GAP = 2.5
"""Distance between the tips of two arcs of the frame on their sheet, in mm."""


def further_sheets(layout: Layout) -> tuple[Drawing, ...]:
    """The frame's arcs if the board has a frame, the score board, markers."""
    radii = frame_radii(layout.places)
    arcs = (draw_arcs(*radii),) if radii else ()
    return (*arcs, draw_score_board(), draw_markers())


def draw_arcs(inner: float, outer: float) -> Drawing:
    """The five arcs of a frame, nested, to cut out."""
    half = math.radians(ARC / 2)
    height, depth = 2 * outer * math.sin(half), outer - inner * math.cos(half)
    step = (outer - inner) / math.cos(half) + _GAP
    size = (depth + step * (len(MOONS) - 1) + 2, height + 2)
    marks: list[Mark] = []
    for number in range(len(MOONS)):
        # An arc to the right of its centre: its outer rim is rightmost.
        right = size[0] - 1 - step * number
        arc_ring = Ring((right - outer, size[1] / 2), inner, outer)
        marks += draw_arc(arc_ring, number, 90.0)
        outline = arc_ring.segment(90 - ARC / 2, 90 + ARC / 2)
        marks.append(Stroke((outline,), CUT_LINE, 0.12))
    return Drawing(size, tuple(marks), "frame")


def draw_score_board() -> Drawing:
    """The points track around the edge, dawn spaces, and the card markets."""
    width, height = BOARD_MM
    centre = (width / 2, height * 0.42)
    marks: list[Mark] = [Picture(night(BOARD_MM, centre, height * 0.6))]
    marks += field_stars(BOARD_MM)
    for points in range(TRACK):
        marks += _cell(points)
    marks += frame(BOARD_MM)
    top = EDGE + CELL
    marks.append(lettering("POLARIS", (width / 2, top + 14), 7.0, PALE_GOLD, spacing=3.4))
    marks += _dawn((width / 2, top + 37))
    marks += _markets((width / 2, top + 60))
    return Drawing(BOARD_MM, tuple(marks), "score_board")


def track_place(points: int) -> Point:
    """The centre of the track's cell for `points`, clockwise from the top left corner."""
    along = points % TRACK
    corners = ((0, 0), (ACROSS - 1, 0), (ACROSS - 1, DOWN - 1), (0, DOWN - 1), (0, 0))
    for (x0, y0), (x1, y1) in pairwise(corners):
        side = abs(x1 - x0) + abs(y1 - y0)
        if along < side:
            part = along / side
            column, row = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
            return EDGE + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL
        along -= side
    raise AssertionError("the sides hold all of the track")


def _cell(points: int) -> list[Mark]:
    x, y = track_place(points)
    half, fifth = CELL / 2 - 0.35, points % 5 == 0
    box = rounded_box(x - half, y - half, x + half, y + half, 1.8)
    marks: list[Mark] = [
        Fill((box,), "#2c3a6b" if fifth else "#141b38", 0.88),
        Stroke((box,), GOLD if fifth else "#8c97bd", 0.35 if fifth else 0.2, 0.9),
    ]
    if points == load_edition("standard").start:
        marks.append(Fill((star((x, y), 12, half * 0.98, half * 0.72),), GOLD, 0.5))
    shown = PALE_GOLD if fifth else "#c9d2ee"
    marks.append(
        lettering(str(points), (x, y), 4.4 if fifth else 3.5, shown, spacing=1.6, weight=0.13)
    )
    return marks


def _dawn(at: Point) -> list[Mark]:
    """A row of rising suns: each takes a card."""
    count = load_edition("standard").dawn_spaces
    marks: list[Mark] = [lettering("DAWN", (at[0], at[1] - 12.5), 2.8, GOLD, spacing=4)]
    for number in range(count):
        x, y = at[0] + (number - (count - 1) / 2) * 18.5, at[1]
        marks += glow((x, y), 9, "#f0a860", 0.35)
        marks.append(disc((x, y), 7.6, "#2a2138"))
        rays = star((x, y + 1.5), 16, 5.6, 3.6)
        marks.append(Fill((rays,), "#e9b765", 0.9))
        marks.append(disc((x, y + 1.5), 3.4, "#f7d58c"))
        ground = tuple((x + 7.2 * math.cos(a), y + 7.2 * math.sin(a)) for a in _ARC_BELOW)
        marks.append(Fill(((*ground, ground[0]),), "#1b2446"))
        marks.append(ring((x, y), 7.4, GOLD, 0.4, 0.95))
        marks.append(lettering(str(number + 1), (x, y + 4.8), 2.6, PALE_GOLD, weight=0.14))
    return marks


_ARC_BELOW = tuple(math.radians(14 + 152 * i / 40) for i in range(41))


def _markets(at: Point) -> list[Mark]:
    """Space for four basic cards and, with a silver edge, for two advanced ones."""
    marks: list[Mark] = []
    gap = 3.0
    for column in range(3):
        for row in range(2):
            x = at[0] + (column - 1) * (CARD[0] + gap)
            y = at[1] + CARD[1] / 2 + row * (CARD[1] + gap) + 2
            box = rounded_box(x - CARD[0] / 2, y - CARD[1] / 2, x + CARD[0] / 2, y + CARD[1] / 2, 3)
            colour = "#d7dceb" if column == 2 else GOLD
            marks.append(Fill((box,), DEEP, 0.5))
            marks.append(Stroke((box,), colour, 0.5, 0.9))
            if column == 2:
                marks += shooting_star((x, y), 7, colour, 0.5)
            else:
                marks.append(Stroke((star((x, y), 5, 7, 3),), colour, 0.4, 0.5))
    middle = at[0] - (CARD[0] + gap) / 2
    marks.append(lettering("BASIC", (middle, at[1] - 2.5), 2.6, GOLD, spacing=4))
    right = at[0] + CARD[0] + gap
    marks.append(lettering("ADVANCED", (right, at[1] - 2.5), 2.6, "#d7dceb", spacing=3))
    return marks


def draw_markers() -> Drawing:
    """Shooting stars, the telescope, and score markers to fold onto their 60-point backs."""
    size, pitch = (170.0, 122.0), 15.5
    marks: list[Mark] = []
    for number in range(SHOOTING_STARS):
        at = (pitch * (number % 10 + 0.5) + 7.5, pitch * (number // 10 + 0.5))
        marks += [
            disc(at, 6.5, "#10183a"),
            ring(at, 5.6, GOLD, 0.25),
            *shooting_star(at, 3.6, PALE_GOLD),
            ring(at, 6.5, CUT_LINE, 0.12),
        ]
    for column, colour in enumerate(_PLAYERS):
        x, top = 12.0 + 17 * column, 4 * pitch + 12
        for row, side in enumerate((_front, _back)):  # joined at their edge, to be one piece
            marks += side(colour, (x, top + MARKER_MM * row))
        fold = (x - MARKER_MM / 2, top + MARKER_MM / 2), (x + MARKER_MM / 2, top + MARKER_MM / 2)
        marks.append(Stroke(dashes(fold, 1.2, 1.0), PALE_GOLD, 0.25))
    at = (110.0, 4 * pitch + 24)
    marks += [disc(at, 18.4, "#1b2446"), *telescope(at, 18), ring(at, 18.4, CUT_LINE, 0.12)]
    groups = (
        Group("shooting_stars", (0.0, 0.0), (size[0], 4 * pitch - 0.5)),
        Group("score_markers", (5.0, 4 * pitch + 5), (70.0, 4 * pitch + 30)),
        Group("telescope", (at[0] - 20, at[1] - 20), (at[0] + 20, at[1] + 20.5)),
    )
    return Drawing(size, tuple(marks), "markers", groups, folds=True)


_PLAYERS = [colour for colour in TOKEN_STYLES if colour != NEUTRAL]


def _front(colour: str, at: Point) -> list[Mark]:
    style, outline = TOKEN_STYLES[colour], star(at, 5, 4.3, 2.0)
    signs: list[Mark] = [Fill((outline,), style.star), Stroke((outline,), style.ink, 0.3, 0.7)]
    return [*_marker(colour, at), *signs]


def _back(colour: str, at: Point) -> list[Mark]:
    ink = TOKEN_STYLES[colour].ink
    return [*_marker(colour, at), lettering(str(TRACK), at, 5.0, ink, spacing=1.6, weight=0.16)]


def _marker(colour: str, at: Point) -> list[Mark]:
    half = MARKER_MM / 2
    box: Line = rounded_box(at[0] - half, at[1] - half, at[0] + half, at[1] + half, 1.5)
    return [Fill((box,), TOKEN_STYLES[colour].paper), Stroke((box,), CUT_LINE, 0.12)]


def score_sheet() -> TokenSheet:
    """The score board with the markers on its track."""
    at = {f"points.{points}": track_place(points) for points in range(TRACK)}
    middle, size = (MARKER_MM / 2, MARKER_MM / 2), (MARKER_MM, MARKER_MM)

    def sides(draw: Callable[[str, Point], list[Mark]]) -> Mapping[str, Drawing]:
        return {colour: Drawing(size, tuple(draw(colour, middle))) for colour in _PLAYERS}

    track = PointsTrack(TokenSpots("score_board", at, sides(_front)), sides(_back))
    return TokenSheet(draw_score_board(), points={"score_marker": track})
