"""Editions: night skies with a layout and artwork of their own, drawn at random."""

from __future__ import annotations

import math

import numpy as np

from calibration import PX_PER_MM, Layout, Profile
from calibration.drawing import (
    Drawing,
    Fill,
    Mark,
    Picture,
    Point,
    Stroke,
    arc,
    circle,
    dashes,
    disc,
    moved,
    rasterise,
    ring,
    rounded_box,
    star,
)
from calibration.lettering import curved_lettering, lettering
from calibration.polaris.frame import ARC, MOONS, Ring
from models.polaris.random_layout import random_layout
from models.synthesis.ground import random_ground
from models.synthesis.position import pick
from models.synthesis.texture import Bgr, Rng, hsv_colour
from scorer.places import Bar
from scorer.polaris.printed import frame_radii, sector_direction
from scorer.polaris.words import POLARIS

_WORDS = ("POLARIS", "NORTH", "STARS", "SKY", "ASTRA", "NIGHT", "URSA", "COSMOS")


def random_edition(rng: Rng, name: str = "invented") -> Profile:
    """A night sky with spaces, artwork and size of its own."""
    layout = random_layout(rng, f"Invented sky {name}")
    return Profile(name, layout, rasterise(draw_edition(rng, layout), PX_PER_MM))


def draw_edition(rng: Rng, layout: Layout) -> Drawing:
    """Artwork of no known printer for a layout; its New Moon faces the first sector."""
    return Drawing(layout.size_mm, tuple(_Artist(rng, layout).draw()))


def _hex(colour: Bgr) -> str:
    blue, green, red = (int(np.clip(round(level), 0, 255)) for level in colour)
    return f"#{red:02x}{green:02x}{blue:02x}"


class _Artist:
    """One edition's palette and pen, and what they draw."""

    def __init__(self, rng: Rng, layout: Layout) -> None:
        self.rng, self.layout, self.board = rng, layout, layout.board
        width, height = (round(side * PX_PER_MM) for side in layout.size_mm)
        self.ground = random_ground(rng, height, width)
        self.dark = bool(self.ground.mean() < 125)
        self.centre = layout.spaces[POLARIS].at
        self.ink = self._tone(s=(0, 80), bright=(170, 255), deep=(10, 90))
        self.accent = _hex(hsv_colour(rng, h=(15, 35), s=(60, 230), v=(150, 255)))
        self.bed = self._tone(s=(30, 200), bright=(10, 60), deep=(200, 255))

    def _tone(
        self, s: tuple[float, float], bright: tuple[float, float], deep: tuple[float, float]
    ) -> str:
        """A colour that is `bright` on dark ground and `deep` on pale, by their values."""
        return _hex(hsv_colour(self.rng, s=s, v=bright if self.dark else deep))

    def draw(self) -> list[Mark]:
        return [
            Picture(self.ground),
            *self._sectors(),
            *self._specks(),
            *self._orbits(),
            *self._links(),
            *self._spaces(),
            *self._polaris(),
            *self._corners(),
            *self._frame(),
        ]

    def _ring(self) -> Ring:
        radii = frame_radii(self.layout.places)
        assert radii is not None  # a random layout has a frame
        return Ring(self.centre, *radii)

    def _sectors(self) -> list[Mark]:
        rng, dial = self.rng, self._ring()
        opacity = float(rng.choice([0.0, rng.uniform(0.05, 0.4)], p=[0.25, 0.75]))
        marks: list[Mark] = []
        seams = []
        for sector in self.board.sectors:
            middle = sector_direction(self.board, sector, self.layout.places)
            edge = arc(self.centre, dial.inner, dial.inner, middle - 126, middle - 54)
            tint = _hex(hsv_colour(rng, s=(40, 220), v=(60, 230)))
            marks.append(Fill(((*edge, self.centre, edge[0]),), tint, opacity))
            seams.append((self.centre, edge[-1]))
        if rng.random() < 0.8:
            colour = pick(rng, [self.ink, self.accent, "#c03a44"])
            marks.append(Stroke(tuple(seams), colour, rng.uniform(0.2, 1.6), rng.uniform(0.4, 1)))
        return marks

    def _specks(self) -> list[Mark]:
        """Field stars, or blots, and lines that join some of them."""
        rng, (width, height) = self.rng, self.layout.size_mm
        spots = rng.uniform((3, 3), (width - 3, height - 3), (int(rng.integers(0, 500)), 2))
        marks: list[Mark] = []
        for x, y in spots:
            size = 0.15 * (1 - rng.random()) ** -0.5
            marks.append(disc((float(x), float(y)), min(size, 1.2), self.ink, rng.uniform(0.3, 1)))
        for _ in range(int(rng.integers(0, 9)) if len(spots) > 4 else 0):
            line = tuple((float(x), float(y)) for x, y in rng.permutation(spots)[:3])
            marks.append(Stroke((line,), self.ink, 0.25, 0.4))
        return marks

    def _orbits(self) -> list[Mark]:
        rng = self.rng
        width, opacity = rng.uniform(0.2, 1.4), rng.uniform(0.25, 1)
        marks: list[Mark] = []
        for number, own in self.board.orbits.items():
            radius = math.dist(self.centre, self.layout.spaces[own[0]].at)
            marks.append(Stroke((circle(self.centre, radius),), self.ink, width, opacity))
            if rng.random() < 0.6:
                turn = rng.uniform(0, 360)
                marks.append(
                    curved_lettering(
                        str(number), self.centre, radius + 9, turn, 3.0, self.ink, weight=0.15
                    )
                )
        return marks

    def _links(self) -> list[Mark]:
        """Link spaces are outlines, plain or dashed, or filled; what joins them may be drawn."""
        rng, spaces = self.rng, self.layout.spaces
        marks: list[Mark] = []
        if rng.random() < 0.6:
            lines = tuple((spaces[link.a].at, spaces[link.b].at) for link in self.board.links)
            marks.append(Stroke(lines, self.ink, rng.uniform(0.15, 0.6), rng.uniform(0.2, 0.9)))
        style = str(rng.choice(["outline", "dashed", "filled"], p=[0.55, 0.15, 0.3]))
        fill, opacity = pick(rng, [self.bed, self.ink]), rng.uniform(0.25, 0.9)
        pen, corner = rng.uniform(0.2, 0.6), rng.uniform(0.1, 1.0)
        for bar in self.layout.places.values():
            if not isinstance(bar, Bar):
                continue
            x, y = bar.size[0] / 2 - pen / 2, bar.size[1] / 2 - pen / 2
            box = moved([rounded_box(-x, -y, x, y, corner * y)], bar.at, turn=bar.turn)
            if style == "filled":
                marks.append(Fill(box, fill, opacity))
            if style == "dashed":
                sides = (
                    ((-x, -y), (x, -y)),
                    ((x, y), (-x, y)),
                    ((-x, -y), (-x, y)),
                    ((x, -y), (x, y)),
                )
                cut = [dash for side in sides for dash in dashes(side, 1.2, 0.9)]
                marks.append(Stroke(moved(cut, bar.at, turn=bar.turn), self.ink, pen))
            else:
                marks.append(Stroke(box, self.ink, pen, 0.95))
        return marks

    def _spaces(self) -> list[Mark]:
        rng = self.rng
        grounds = {
            "plain": self.bed,
            "red": _hex(hsv_colour(rng, h=(-6, 6), s=(120, 230), v=(60, 190))),
            "white": _hex(hsv_colour(rng, s=(0, 50), v=(90, 235))),
        }
        rims = {
            "plain": self.ink,
            "red": _hex(hsv_colour(rng, h=(-6, 6), s=(120, 255), v=(150, 255))),
            "white": "#f4f4f0",
        }
        opacity = {kind: rng.uniform(0.3, 1.0) for kind in grounds}
        pen, sign = rng.uniform(0.3, 1.1), int(rng.integers(0, 3))
        marks: list[Mark] = []
        for name in self.board.star_spaces:
            space, kind = self.layout.spaces[name], self.board.kind_of(name)
            marks.append(disc(space.at, space.radius, grounds[kind], opacity[kind]))
            marks.append(ring(space.at, space.radius - pen / 2, rims[kind], pen))
            if name in self.board.starred:
                size = space.radius * 0.6
                outline = star(space.at, 5, size, size * 0.45)
                solid = Fill((outline,), self.accent)
                marks.append(solid if sign else Stroke((outline,), self.accent, 0.5))
            elif kind != "plain" and sign == 2:
                marks.append(ring(space.at, space.radius * 0.5, rims[kind], 0.5))
        return marks

    def _polaris(self) -> list[Mark]:
        rng, radius = self.rng, self.layout.spaces[POLARIS].radius
        points, waist = int(rng.integers(4, 13)), radius * rng.uniform(0.2, 0.5)
        glow = [disc(self.centre, radius * (1.6 - 0.1 * i), self.accent, 0.06) for i in range(8)]
        return [
            *(glow if rng.random() < 0.6 else ()),
            disc(self.centre, radius, self.bed, rng.uniform(0.5, 1)),
            ring(self.centre, radius, self.ink, rng.uniform(0.3, 1.4)),
            Fill((star(self.centre, points, 0.85 * radius, waist),), self.accent),
        ]

    def _corners(self) -> list[Mark]:
        """What tells a turned board: something else in each corner, and a border."""
        rng, (width, height) = self.rng, self.layout.size_mm
        reach = math.hypot(width, height) / 2 - self._ring().outer
        size = max(4.0, min(16.0, reach * 0.34))
        marks: list[Mark] = []
        corners = [(size + 4, size + 4), (width - size - 4, size + 4)]
        corners += [(width - size - 4, height - size - 4), (size + 4, height - size - 4)]
        for kind, at in zip(rng.permutation(4), corners, strict=True):
            marks += self._ornament(int(kind), at, size)
        if rng.random() < 0.8:
            inset = rng.uniform(0.6, 3)
            box = rounded_box(inset, inset, width - inset, height - inset, 1)
            marks.append(Stroke((box,), pick(rng, [self.ink, self.accent]), rng.uniform(0.3, 1.5)))
        return marks

    def _ornament(self, kind: int, at: Point, size: float) -> list[Mark]:
        rng = self.rng
        if kind == 0:
            word = pick(rng, _WORDS)
            letters = min(4.5, 2.4 * size / len(word))
            return [lettering(word, at, letters, self.ink, spacing=2.4)]
        if kind == 1:
            points = int(rng.integers(4, 9))
            return [
                ring(at, size, self.ink, 0.5),
                Fill((star(at, points, size * 0.85, size * 0.3, rng.uniform(0, 45)),), self.accent),
            ]
        if kind == 2:
            shades = [_hex(hsv_colour(rng)) for _ in range(4)]
            return [disc(at, size * (1 - 0.22 * i), shade, 0.9) for i, shade in enumerate(shades)]
        x, y = at
        box = rounded_box(x - size, y - 0.6 * size, x + size, y + 0.6 * size, 1.5)
        return [
            Fill((box,), self.bed, 0.8),
            Stroke((box,), self.accent, 0.5),
            *(disc((x + size * step, y), size * 0.22, self.ink) for step in (-0.6, 0, 0.6)),
        ]

    def _frame(self) -> list[Mark]:
        """Five arcs with a moon each, of another shade each or all of one."""
        rng, dial = self.rng, self._ring()
        first = next(iter(self.board.sectors))
        start = sector_direction(self.board, first, self.layout.places)
        ground = hsv_colour(rng, s=(0, 200), v=(20, 230))
        shades = [hsv_colour(rng, s=(0, 200), v=(20, 230)) for _ in MOONS]
        alike, depth = rng.random() < 0.5, dial.outer - dial.inner
        lit_tone, dark_tone = "#f2ecd6", _hex(hsv_colour(rng, s=(0, 120), v=(10, 70)))
        marks: list[Mark] = []
        for number, (name, lit) in enumerate(MOONS.items()):
            middle = start + ARC * number
            shade = ground if alike else shades[number]
            segment = dial.segment(middle - ARC / 2, middle + ARC / 2)
            marks += [Fill((segment,), _hex(shade)), Stroke((segment,), self.accent, 0.4)]
            tone = "#15151c" if np.mean(shade) > 120 else "#f0efe8"
            if alike or rng.random() < 0.5:
                for side in (-1, 1):
                    marks.append(
                        curved_lettering(
                            name, self.centre, dial.middle, middle + 16 * side, depth * 0.18, tone
                        )
                    )
            at, radius = dial.at(middle, dial.middle), depth * 0.36
            marks.append(disc(at, radius, dark_tone))
            if lit > 0:
                limb, bulge = arc((0, 0), 1, 1, -90, 90), 1 - 2 * lit
                shade_line = tuple(
                    (bulge * math.sqrt(max(0.0, 1 - y * y)), y) for _, y in limb[::-1]
                )
                marks.append(Fill(moved([(*limb, *shade_line)], at, radius, middle), lit_tone))
            marks.append(ring(at, radius, tone, 0.4))
        return marks
