"""A drawing as a list of marks in millimetres, and its rasterisation.

A mark is a filled outline, a stroke or a picture. Pixels and print (`calibration.pdf`) use the same
list, so that the printed sheet and the reference picture cannot differ. Curves are flattened when
they are created (`FLAT_MM`). x is to the right and y down, as on a board.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats
from scorer.places import Point as Point

FLAT_MM = 0.02
OVERSAMPLING = 4
_SHIFT = 4  # cv2 draws at 1/16 px
_SPARSE = 0.25
"""Share of a mark's bounding box up to which only its own pixels are blended."""

Line = tuple[Point, ...]


@dataclass(frozen=True)
class Fill:
    """A filled outline (several: holes by the even-odd rule). `colour` is #rrggbb.

    A `fixed` colour has a meaning, such as a moon's light, and is kept when saving ink.
    """

    outlines: tuple[Line, ...]
    colour: str
    opacity: float = 1.0
    fixed: bool = False


@dataclass(frozen=True)
class Stroke:
    """Lines drawn with a round pen `width` mm wide; a closed one ends where it starts."""

    lines: tuple[Line, ...]
    colour: str
    width: float
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels, (H, W, 3) uint8 BGR, stretched over the whole drawing."""

    pixels: npt.NDArray[np.uint8]


Mark = Fill | Stroke | Picture


@dataclass(frozen=True)
class Group:
    """Parts of a drawing that belong together, between two corners in mm."""

    name: str
    top_left: Point
    bottom_right: Point


@dataclass(frozen=True)
class Drawing:
    """Marks on a sheet of `size_mm` (width, height), the first at the bottom.

    `name` identifies it in the steps of a game's setup (`scorer.table_guide`), as do the names of
    its `groups` of parts. In print each group has a phrase of the game below it, "printed_NAME".
    `folds` says whether dashed lines are to be folded.
    """

    size_mm: tuple[float, float]
    marks: tuple[Mark, ...]
    name: str = ""
    groups: tuple[Group, ...] = ()
    folds: bool = False


def arc(centre: Point, rx: float, ry: float, start: float, end: float) -> Line:
    """Points along an ellipse from `start` to `end`, degrees clockwise from the right."""
    radius = max(rx, ry, FLAT_MM)
    step = 2 * math.degrees(math.acos(max(0.0, 1 - FLAT_MM / radius)))
    count = max(2, math.ceil(abs(end - start) / min(step, 30.0)))
    angles = [math.radians(start + (end - start) * i / count) for i in range(count + 1)]
    return tuple((centre[0] + rx * math.cos(a), centre[1] + ry * math.sin(a)) for a in angles)


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """The point at a distance and an angle from `centre`, clockwise from the right."""
    turn = math.radians(degrees)
    return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)


def circle(centre: Point, radius: float) -> Line:
    return arc(centre, radius, radius, 0, 360)


def disc(centre: Point, radius: float, colour: str, opacity: float = 1.0) -> Fill:
    return Fill((circle(centre, radius),), colour, opacity)


def ring(centre: Point, radius: float, colour: str, width: float, opacity: float = 1.0) -> Stroke:
    return Stroke((circle(centre, radius),), colour, width, opacity)


def glow(centre: Point, radius: float, colour: str, opacity: float) -> list[Mark]:
    """Light that fades outwards: stacked discs, `opacity` at the centre."""
    steps = 30 if radius > 5 else 10
    each = 1 - (1 - opacity) ** (1 / steps)
    return [disc(centre, radius * (1 - i / steps) ** 1.3, colour, each) for i in range(steps)]


def star(centre: Point, points: int, outer: float, inner: float, turn: float = 0.0) -> Line:
    """The closed outline of a star, with a point upwards when `turn` (degrees) is 0."""
    corners = []
    for i in range(2 * points + 1):
        angle = math.radians(turn - 90 + 180 * i / points)
        radius = outer if i % 2 == 0 else inner
        corners.append((centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)))
    return tuple(corners)


def rounded_box(x0: float, y0: float, x1: float, y1: float, radius: float) -> Line:
    """A closed rectangle with rounded corners."""
    corners = [(x1, y0, -90), (x1, y1, 0), (x0, y1, 90), (x0, y0, 180)]
    line: list[Point] = []
    for x, y, start in corners:
        centre = (x + (radius if x == x0 else -radius), y + (radius if y == y0 else -radius))
        line += arc(centre, radius, radius, start, start + 90)
    return (*line, line[0])


def dashes(line: Line, on: float, off: float) -> tuple[Line, ...]:
    """Cut a straight line of two points into dashes that start and end with a whole one."""
    (x0, y0), (x1, y1) = line
    length = math.hypot(x1 - x0, y1 - y0)
    count = max(1, round((length + off) / (on + off)))
    scale = length / (count * (on + off) - off)

    def at(distance: float) -> Point:
        part = distance * scale / length
        return (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)

    return tuple((at(i * (on + off)), at(i * (on + off) + on)) for i in range(count))


def strokes(path: str) -> tuple[Line, ...]:
    """Parse a path: `M x y` starts a line, `L x y` goes on, `A cx cy rx ry from to` is an arc.

    An `A` after nothing starts a line of its own. Angles as in `arc`.
    """
    lines: list[list[Point]] = []
    words = path.replace(",", " ").split()
    takes = {"M": 2, "L": 2, "A": 6}
    i = 0
    while i < len(words):
        word = words[i]
        numbers = [float(number) for number in words[i + 1 : i + 1 + takes[word]]]
        i += 1 + takes[word]
        if word == "A":
            cx, cy, rx, ry, start, end = numbers
            # Flattened as if 20 mm large: symbols are scaled up later.
            bend = [
                (x / 20, y / 20) for x, y in arc((cx * 20, cy * 20), rx * 20, ry * 20, start, end)
            ]
            if lines and lines[-1]:
                lines[-1] += bend
            else:
                lines.append(bend)
        else:
            if word == "M":
                lines.append([])
            lines[-1].append((numbers[0], numbers[1]))
    return tuple(tuple(line) for line in lines)


def moved(
    lines: Iterable[Sequence[Point]], at: Point, scale: float = 1.0, turn: float = 0.0
) -> tuple[Line, ...]:
    """Scale lines about their origin, turn them (degrees clockwise) and move them to `at`."""
    cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    return tuple(
        tuple((at[0] + cos * x - sin * y, at[1] + sin * x + cos * y) for x, y in line)
        for line in lines
    )


def rasterise(drawing: Drawing, px_per_mm: float) -> npt.NDArray[np.uint8]:
    """Render to (H, W, 3) uint8 BGR; every mark's edge is anti-aliased by area."""
    width, height = (round(side * px_per_mm) for side in drawing.size_mm)
    canvas = np.zeros((height, width, 3), np.float32)
    for mark in drawing.marks:
        if isinstance(mark, Picture):
            shrinks = mark.pixels.shape[1] > width
            method = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
            canvas[:] = cv2.resize(mark.pixels, (width, height), interpolation=method)
        else:
            _blend(canvas, mark, px_per_mm)
    return np.clip(np.rint(canvas), 0, 255).astype(np.uint8)


def _blend(canvas: npt.NDArray[np.float32], mark: Fill | Stroke, px_per_mm: float) -> None:
    lines = mark.outlines if isinstance(mark, Fill) else mark.lines
    points = np.concatenate([np.asarray(line, np.float64) for line in lines]) * px_per_mm
    margin = 1 + (mark.width * px_per_mm if isinstance(mark, Stroke) else 0)
    height, width = canvas.shape[:2]
    x0, y0 = np.maximum(np.floor(points.min(axis=0) - margin), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(points.max(axis=0) + margin), (width, height)).astype(int)
    if x0 >= x1 or y0 >= y1:
        return
    fine = np.zeros(((y1 - y0) * OVERSAMPLING, (x1 - x0) * OVERSAMPLING), np.uint8)
    scale = px_per_mm * OVERSAMPLING
    # cv2 has pixel centres at whole numbers: half a pixel between its grid and ours.
    origin = np.array([x0, y0]) * OVERSAMPLING + 0.5
    drawn = [np.asarray(line) * scale - origin for line in lines]
    opacity = mark.opacity
    if isinstance(mark, Fill):
        cv2.fillPoly(fine, [_sixteenths(line) for line in drawn], 255, cv2.LINE_8, _SHIFT)
    else:
        opacity *= min(1.0, mark.width * scale)
        for line in drawn:
            _draw_with_pen(fine, line, mark.width * scale)
    covered = cv2.resize(fine, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    # Little of a line's bounding box is its own, and indexing costs as much as blending it all.
    inked = covered > 0 if cv2.countNonZero(covered) < _SPARSE * covered.size else ...
    alpha = covered[inked][..., None].astype(np.float32) * (opacity / 255)
    red, green, blue = bytes.fromhex(mark.colour[1:])
    part = canvas[y0:y1, x0:x1]
    part[inked] += alpha * (np.array([blue, green, red], np.float32) - part[inked])


def _draw_with_pen(fine: npt.NDArray[np.uint8], line: Floats, width: float) -> None:
    """Draw a line with a round pen exactly `width` px wide, unlike cv2's own lines."""
    half = max(width - 1, 0.0) / 2  # cv2 also fills the outline's pixels
    for start, end in pairwise(line):
        length = float(np.hypot(*(end - start)))
        if length > 0:
            dx, dy = (end - start) * (half / length)
            aside = np.array([-dy, dx])
            corners = np.array([start + aside, end + aside, end - aside, start - aside])
            cv2.fillConvexPoly(fine, _sixteenths(corners), 255, cv2.LINE_8, _SHIFT)
    for x, y in _sixteenths(line):
        cv2.circle(fine, (int(x), int(y)), round(half * (1 << _SHIFT)), 255, -1, cv2.LINE_8, _SHIFT)


def _sixteenths(points: Floats) -> npt.NDArray[np.int32]:
    return np.rint(points * (1 << _SHIFT)).astype(np.int32)
