"""SVG pictures as marks in millimetres, with the writing in them, to be printed."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import svgelements as svg

from calibration.drawing import FLAT_MM, Drawing, Fill, Line, Mark, Point, Stroke

_STEPS = np.linspace(0, 1, 25)[1:]
"""Where a curve is cut into straight lines."""


@dataclass(frozen=True)
class Writing:
    """A text centred about the point `at` on its baseline, `height` mm from line to line.

    `halo` is the colour of a line about its letters, "" for none.
    """

    text: str
    at: Point
    height: float
    colour: str
    halo: str = ""


@dataclass(frozen=True)
class PrintedPicture:
    """A picture of a size in mm, and what is written over it."""

    size_mm: tuple[float, float]
    marks: tuple[Mark, ...]
    writings: tuple[Writing, ...]


@lru_cache(1)  # a card is drawn with much ink, then with little
def picture_from_svg(text: str, room: tuple[float, float]) -> PrintedPicture:
    """The picture as large as it goes into a room of (width, height) mm.

    Filled and stroked shapes and centred texts are drawn; gradients, clips and filters are not.
    The fill of a shape with `data-ink="fixed"` stays as it is in little ink.
    """
    document = svg.SVG.parse(io.StringIO(text), reify=True, ppi=72)
    box = document.viewbox
    scale = min(room[0] / box.width, room[1] / box.height)
    to_mm = scale * box.width / document.width if document.width else scale
    marks: list[Mark] = []
    writings = []
    for shape in document.elements():
        if isinstance(shape, svg.Text):
            turned = shape.transform
            x, y = turned.point_in_matrix_space((shape.x, shape.y))
            at, height = (x * to_mm, y * to_mm), shape.font_size * to_mm * turned.a
            halo = "" if shape.stroke.value is None else _colour(shape.stroke)
            writings.append(Writing(shape.text, at, height, _colour(shape.fill), halo))
        elif isinstance(shape, svg.Shape):
            marks += _marks(shape, to_mm)
    size = (box.width * scale, box.height * scale)
    return PrintedPicture(size, tuple(marks), tuple(writings))


def _marks(shape: svg.Shape, to_mm: float) -> list[Mark]:
    lines = [_flat(part, to_mm) for part in svg.Path(shape).as_subpaths()]
    lines = [line for line in lines if len(line) > 1]
    marks: list[Mark] = []
    if not lines:
        return marks
    if shape.fill.value is not None and shape.fill.opacity:
        fixed = shape.values.get("data-ink") == "fixed"
        marks.append(Fill(tuple(lines), _colour(shape.fill), shape.fill.opacity, fixed))
    if shape.stroke.value is not None and shape.stroke.opacity and shape.stroke_width:
        width = shape.stroke_width * to_mm
        dashed = shape.values.get("stroke-dasharray")
        drawn = lines
        if dashed and dashed != "none":
            on, off = (float(side) * to_mm for side in dashed.replace(",", " ").split()[:2])
            drawn = [piece for line in lines for piece in _dashed(line, on, off)]
        marks.append(Stroke(tuple(drawn), _colour(shape.stroke), width, shape.stroke.opacity))
    return marks


def _flat(part: svg.Path, to_mm: float) -> Line:
    """The corners of a path, its curves as many short lines."""
    points: list[Point] = []
    for segment in svg.Path(part).segments():
        if isinstance(segment, svg.Move):
            found = [segment.end]
        elif isinstance(segment, svg.Line | svg.Close):
            found = [segment.end] if segment.end is not None else []
        else:
            found = [svg.Point(x, y) for x, y in segment.npoint(_STEPS)]
        points += [(point.x * to_mm, point.y * to_mm) for point in found]
    return tuple(points)


def _dashed(line: Line, on: float, off: float) -> list[Line]:
    """A line's dashes, each straight; what is shorter than a dash goes with the next."""
    pieces: list[Line] = []
    left, drawing, current = on, True, [line[0]]
    for end in line[1:]:
        start = current[-1]
        length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        while length > left + FLAT_MM:
            part = left / length
            start = (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
            length -= left
            if drawing:
                pieces.append((*current, start))
            drawing, current = not drawing, [start]
            left = on if drawing else off
        left -= length
        current.append(end)
    return [*pieces, tuple(current)] if drawing and len(current) > 1 else pieces


def _colour(colour: svg.Color) -> str:
    return f"#{colour.red:02x}{colour.green:02x}{colour.blue:02x}"


def svg_of(drawing: Drawing) -> str:
    """A drawing without pictures as a standalone SVG, a unit for each millimetre."""
    width, height = drawing.size_mm
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">']
    for mark in drawing.marks:
        match mark:
            case Fill(outlines, colour, opacity):
                look = f'fill="{colour}" fill-rule="evenodd" fill-opacity="{opacity:g}"'
                parts.append(f'<path d="{_path(outlines)}" {look}/>')
            case Stroke(lines, colour, pen, opacity):
                look = f'fill="none" stroke="{colour}" stroke-width="{pen:.2f}"'
                look += f' stroke-opacity="{opacity:g}" stroke-linecap="round"'
                parts.append(f'<path d="{_path(lines)}" {look} stroke-linejoin="round"/>')
    return "".join([*parts, "</svg>"])


def _path(lines: Sequence[Line]) -> str:
    """Lines as a path; one that ends where it starts is closed."""
    drawn = []
    for line in lines:
        points = " L".join(f"{x:.2f} {y:.2f}" for x, y in line)
        drawn.append(f"M{points}{'Z' if line[0] == line[-1] else ''}")
    return " ".join(drawn)
