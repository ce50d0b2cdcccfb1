"""Elements of printed night skies: gas, glinting stars, constellation figures."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import cv2
import numpy as np
import numpy.typing as npt

from calibration.drawing import (
    Fill,
    Line,
    Mark,
    Point,
    Stroke,
    circle,
    disc,
    glow,
    moved,
    ring,
    rounded_box,
    star,
)
from calibration.layout import Layout

GOLD = "#d9bd7c"
PALE_GOLD = "#f3e3b3"
DEEP = "#0a1024"
SILVER = "#b9c4e4"


def orbit_radius(layout: Layout, centre: str, orbit: int) -> float:
    """An orbit's mean radius about a space, in mm."""
    spaces, own = layout.spaces, layout.board.orbits[orbit]
    return fmean(math.dist(spaces[centre].at, spaces[space].at) for space in own)


def orbits(layout: Layout, centre: str, width: float, halo: float, shade: float) -> Iterator[Mark]:
    """The orbits about a space, `width` mm wide at opacity `shade`, each on a halo."""
    spaces = layout.spaces
    for own in layout.board.orbits.values():
        line = orbit_line(spaces[centre].at, [spaces[space].at for space in own])
        yield Stroke((line,), SILVER, 1.3, halo)
        yield Stroke((line,), SILVER, width, shade)


def orbit_line(middle: Point, spaces: Sequence[Point]) -> Line:
    """An orbit's circle about `middle`, or a polygon if its spaces are not on a circle."""
    radius = fmean(math.dist(middle, at) for at in spaces)
    round_enough = all(abs(math.dist(middle, at) - radius) < 1.5 for at in spaces)
    return circle(middle, radius) if round_enough else (*spaces, spaces[0])


def cloud_noise(random: np.random.Generator, width: int, height: int) -> npt.NDArray[np.float32]:
    """Cloud-like noise in 0..1: octaves of smooth random fields."""
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    for cells in (3, 6, 12, 24, 48, 96):
        field = random.random((cells * height // width + 2, cells + 1)).astype(np.float32)
        total += weight * cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= 0.56
    low, high = np.percentile(total, (2, 98))
    return np.asarray(np.clip((total - low) / (high - low), 0, 1), np.float32)


def glint(at: Point, reach: float, colour: str) -> list[Mark]:
    """The cross-shaped glare of a bright star."""
    x, y = at
    lines: tuple[Line, ...] = (((x - reach, y), (x + reach, y)), ((x, y - reach), (x, y + reach)))
    inner = moved(lines, (x * 0.5, y * 0.5), 0.5)
    return [Stroke(lines, colour, 0.12, 0.35), Stroke(inner, colour, 0.2, 0.5)]


@dataclass(frozen=True)
class Figure:
    """A constellation: its stars in mm with magnitudes, and its lines."""

    stars: dict[str, tuple[Point, float]]
    lines: tuple[Line, ...]


def draw_figure(shown: Figure, tint: str) -> list[Mark]:
    """A constellation's thin lines, broken around its stars, and the stars by magnitude."""
    marks: list[Mark] = []
    pieces = []
    for line in shown.lines:
        for (x0, y0), (x1, y1) in itertools.pairwise(line):
            length = math.hypot(x1 - x0, y1 - y0)
            gap = min(1.5, length * 0.3) / length
            (dx, dy) = (x1 - x0) * gap, (y1 - y0) * gap
            pieces.append(((x0 + dx, y0 + dy), (x1 - dx, y1 - dy)))
    marks.append(Stroke(tuple(pieces), tint, 0.34, 0.75))
    for at, magnitude in shown.stars.values():
        size = 1.1 * 0.82 ** (magnitude - 1)
        marks += glow(at, size * 4.2, tint, 0.5)
        marks.append(disc(at, size, "#ffffff", 0.95))
        if magnitude < 2.2:
            marks += glint(at, size * 4.6, tint)
            marks.append(Stroke((circle(at, size * 2.1),), tint, 0.12, 0.5))
    return marks


def plate(at: Point, half: Point) -> list[Mark]:
    """A small plate for text, with its half width and half height in mm."""
    (x, y), (a, b) = at, half
    outer = rounded_box(x - a, y - b, x + a, y + b, 4)
    inner = rounded_box(x - a + 1.2, y - b + 1.2, x + a - 1.2, y + b - 1.2, 3)
    return [
        Fill((outer,), DEEP, 0.82),
        Stroke((outer,), GOLD, 0.45),
        Stroke((inner,), GOLD, 0.15, 0.8),
    ]


def grain(random: np.random.Generator, width: int, height: int) -> npt.NDArray[np.float32]:
    """(height, width, 1) noise, which gives a camera detail on flat paper."""
    coarse = random.normal(0, 1, (height // 2, width // 2)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height))[..., None] * 2.2, np.float32)


def compass(at: Point, size: float) -> list[Mark]:
    """A compass rose, `size` mm from its centre to its rim."""
    marks: list[Mark] = [
        disc(at, size, DEEP, 0.45),
        ring(at, size, GOLD, 0.3, 0.9),
        ring(at, size - 1.4, GOLD, 0.15, 0.8),
    ]
    ticks = [
        tuple(moved([((size - 1.4, 0), (size - 0.2, 0))], at, turn=turn)[0])
        for turn in range(0, 360, 6)
    ]
    marks.append(Stroke(tuple(ticks), GOLD, 0.14, 0.8))
    marks.append(Fill((star(at, 8, size * 0.62, size * 0.2, 22.5),), "#8d7a4e", 0.75))
    for turn in range(0, 360, 90):
        tip, side, other = (0.0, -size * 0.95), (size * 0.17, -size * 0.17), (-size * 0.17,) * 2
        light, dark = (
            moved([((0.0, 0.0), tip, edge, (0.0, 0.0))], at, turn=turn) for edge in (side, other)
        )
        marks.append(Fill(light, PALE_GOLD, 0.95))
        marks.append(Fill(dark, "#7c693f", 0.95))
    marks.append(disc(at, size * 0.08, DEEP))
    return marks


def frame(size_mm: tuple[float, float]) -> list[Mark]:
    """The dark edge with a double line, by which the board's outline is found on a table."""
    width, height = size_mm

    def inset(by: float) -> Line:
        return rounded_box(by, by, width - by, height - by, 1.2)

    edge = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0))
    return [
        Fill((edge, inset(2.4)), "#070b1a"),
        Stroke((inset(2.4),), GOLD, 0.5),
        Stroke((inset(3.5),), GOLD, 0.15, 0.7),
    ]
