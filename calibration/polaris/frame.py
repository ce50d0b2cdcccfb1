"""The moon frame: a ring of five arcs about the sky, each with a moon, turned by hand."""

import math
from dataclasses import dataclass, replace

from calibration.drawing import Fill, Line, Mark, Point, Stroke, arc, disc, glow, moved, ring, star
from calibration.lettering import curved_lettering
from calibration.night import DEEP, GOLD, PALE_GOLD
from scorer.places import on_arc

ARC = 72.0
MOONS = {"NEW": 0.0, "CRESCENT": 0.24, "QUARTER": 0.5, "GIBBOUS": 0.8, "FULL": 1.0}
"""The moons clockwise, and the lit share of each."""
GROUNDS = ("#10142c", "#1b2450", "#27376c", "#3a4f86", "#5268a0")
"""Each arc's colour: the night grows lighter with the moon."""
_MOONLIGHT, _CRATER, _DARK = "#efe9d2", "#cbc4aa", "#1a1e33"
_CRATERS = (
    (0.55, -0.35, 0.16),
    (0.62, 0.3, 0.2),
    (0.1, 0.5, 0.14),
    (0.2, -0.1, 0.24),
    (-0.35, -0.4, 0.2),
    (-0.5, 0.25, 0.15),
    (-0.2, 0.72, 0.1),
)
"""Positions and radii on a full moon with its centre at 0 and radius 1."""


@dataclass(frozen=True)
class Ring:
    """A frame's centre and radii in mm."""

    centre: Point
    inner: float
    outer: float

    @property
    def middle(self) -> float:
        """The radius half-way between its rims."""
        return (self.inner + self.outer) / 2

    def at(self, turn: float, radius: float) -> Point:
        """The point `turn` degrees clockwise from above, `radius` mm from the centre."""
        return on_arc(self.centre, radius, turn)

    def segment(self, start: float, end: float, inset: float = 0.0) -> Line:
        """The outline of the ring's part between two directions, `inset` mm within its rims."""
        r0, r1 = self.inner + inset, self.outer - inset
        outwards = arc(self.centre, r1, r1, start - 90, end - 90)
        back = arc(self.centre, r0, r0, end - 90, start - 90)
        return (*outwards, *back, outwards[0])


def draw_frame(ring_: Ring, new_moon: float) -> list[Mark]:
    """The whole frame, the centre of its New Moon in the direction `new_moon`, in degrees."""
    marks: list[Mark] = []
    for number in range(len(MOONS)):
        marks += draw_arc(ring_, number, new_moon + ARC * number)
    return marks


def draw_arc(ring_: Ring, number: int, middle: float) -> list[Mark]:
    """The arc of moon `number`, from 0, its centre in the direction `middle`."""
    name, lit = list(MOONS.items())[number]
    start, end = middle - ARC / 2, middle + ARC / 2
    depth = ring_.outer - ring_.inner
    marks: list[Mark] = [Fill((ring_.segment(start, end),), GROUNDS[number])]
    marks.append(Stroke((ring_.segment(start, end, 0.9),), GOLD, 0.3, 0.9))
    marks.append(Stroke((ring_.segment(start + 0.35, end - 0.35, 1.9),), GOLD, 0.12, 0.6))
    ticks = [
        (ring_.at(turn, ring_.inner + 1.9), ring_.at(turn, ring_.inner + 3.1))
        for turn in (middle - 33 + 3 * step for step in range(23))
        if abs(turn - middle) > 4
    ]
    marks.append(Stroke(tuple(ticks), GOLD, 0.18, 0.7))
    for side in (-1, 1):
        marks.append(
            curved_lettering(
                name, ring_.centre, ring_.middle, middle + side * 13.5, 2.9, PALE_GOLD, spacing=3.4
            )
        )
        for step, size in enumerate((1.5, 1.0, 0.7)):
            at = ring_.at(middle + side * (23 + 2.6 * step), ring_.middle)
            marks.append(Fill((star(at, 4, size * 1.5, size * 0.45),), PALE_GOLD, 0.9))
        letter = "ABCDE"[(number + (side - 1) // 2) % len(MOONS)]
        marks.append(
            curved_lettering(
                letter, ring_.centre, ring_.middle, middle + side * (ARC / 2 - 2.1), 3.0, GOLD
            )
        )
    radius = 0.37 * depth
    at = ring_.at(middle, ring_.middle + 0.03 * depth)
    marks += _pointer(ring_, middle)
    marks += draw_moon(at, radius, lit, middle)
    return marks


def _pointer(ring_: Ring, middle: float) -> list[Mark]:
    """A small gold tip towards the sector that the moon faces."""
    tip = ring_.at(middle, ring_.inner + 0.35)
    left, right = (ring_.at(middle + side * 1.1, ring_.inner + 2.6) for side in (-1, 1))
    return [Fill(((left, tip, right, left),), PALE_GOLD)]


def draw_moon(at: Point, radius: float, lit: float, turn: float = 0.0) -> list[Mark]:
    """A waxing moon, `lit` from 0 to 1, its top turned `turn` degrees clockwise."""
    marks: list[Mark] = glow(at, radius * 1.35, "#e8e2c8", 0.15 + 0.35 * lit)
    marks.append(replace(disc(at, radius, _DARK), fixed=True))
    if lit > 0:
        marks.append(Fill(moved([lit_part(lit)], at, radius, turn), _MOONLIGHT, fixed=True))
        for x, y, size in _CRATERS:
            if x - size > (1 - 2 * lit) * math.sqrt(1 - y * y):
                (spot,) = moved([((x, y),)], at, radius, turn)
                marks.append(replace(disc(spot[0], size * radius, _CRATER, 0.75), fixed=True))
    else:
        marks += [ring(at, radius * 0.72, GOLD, 0.15, 0.5)]
        marks.append(Fill((star(at, 8, radius * 0.5, radius * 0.14, turn),), GOLD, 0.8))
        marks.append(disc(at, radius * 0.1, DEEP))
    marks.append(ring(at, radius, PALE_GOLD, 0.35, 0.95))
    return marks


def lit_part(lit: float) -> Line:
    """The outline of the lit part of a waxing moon with its centre at 0 and radius 1."""
    limb = arc((0, 0), 1, 1, -90, 90)
    shade = (((1 - 2 * lit) * math.sqrt(max(0.0, 1 - y * y)), y) for _, y in reversed(limb))
    return (*limb, *shade)
