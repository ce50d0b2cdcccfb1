"""Random editions of Polaris: night skies with their own layout and artwork."""

from collections.abc import Iterator

import numpy as np

from calibration import PX_PER_MM, Layout, Profile
from calibration.colour_profile import as_colour
from calibration.drawing import (
    Drawing,
    Fill,
    Mark,
    Stroke,
    arc,
    dashes,
    disc,
    moved,
    rasterise,
    ring,
    rounded_box,
    star,
)
from calibration.lettering import curved_lettering
from calibration.polaris.frame import ARC, MOONS, Ring, lit_part
from models.polaris.random_layout import random_layout
from models.synthesis.artist import Artist
from models.synthesis.position import pick
from models.synthesis.texture import Rng, hsv_colour
from scorer.places import Bar
from scorer.polaris.printed import frame_radii, sector_direction
from scorer.polaris.words import POLARIS


def random_edition(rng: Rng, name: str = "invented") -> Profile:
    """A night sky with its own spaces, artwork and size."""
    layout = random_layout(rng, f"Invented sky {name}")
    return Profile(name, layout, rasterise(draw_edition(rng, layout), PX_PER_MM))


def draw_edition(rng: Rng, layout: Layout) -> Drawing:
    """Random artwork for a layout; its New Moon faces the first sector."""
    return _SkyArtist(rng, layout, POLARIS).draw()


class _SkyArtist(Artist):
    """Sectors, link spaces, spaces of three kinds, and the moon frame."""

    words = ("POLARIS", "NORTH", "STARS", "SKY", "ASTRA", "NIGHT", "URSA", "COSMOS")

    @property
    def dial(self) -> Ring:
        radii = frame_radii(self.layout.places)
        assert radii is not None  # a random layout has a frame
        return Ring(self.centre, *radii)

    @property
    def reach(self) -> float:
        return self.dial.outer

    def regions(self) -> Iterator[Mark]:
        rng, inner = self.rng, self.dial.inner
        opacity = float(rng.choice([0.0, rng.uniform(0.05, 0.4)], p=[0.25, 0.75]))
        seams = []
        for sector in self.board.sectors:
            middle = sector_direction(self.board, sector, self.layout.places)
            edge = arc(self.centre, inner, inner, middle - 126, middle - 54)
            tint = as_colour(hsv_colour(rng, s=(40, 220), v=(60, 230)))
            yield Fill(((*edge, self.centre, edge[0]),), tint, opacity)
            seams.append((self.centre, edge[-1]))
        if rng.random() < 0.8:
            colour = pick(rng, [self.ink, self.accent, "#c03a44"])
            yield Stroke(tuple(seams), colour, rng.uniform(0.2, 1.6), rng.uniform(0.4, 1))

    def links(self) -> Iterator[Mark]:
        """Link spaces, outlined, dashed or filled, with or without lines between the stars."""
        rng, spaces = self.rng, self.layout.spaces
        if rng.random() < 0.6:
            lines = tuple((spaces[link.a].at, spaces[link.b].at) for link in self.board.links)
            yield Stroke(lines, self.ink, rng.uniform(0.15, 0.6), rng.uniform(0.2, 0.9))
        style = str(rng.choice(["outline", "dashed", "filled"], p=[0.55, 0.15, 0.3]))
        fill, opacity = pick(rng, [self.bed, self.ink]), rng.uniform(0.25, 0.9)
        pen, corner = rng.uniform(0.2, 0.6), rng.uniform(0.1, 1.0)
        for bar in self.layout.places.values():
            if not isinstance(bar, Bar):
                continue
            x, y = bar.size[0] / 2 - pen / 2, bar.size[1] / 2 - pen / 2
            box = moved([rounded_box(-x, -y, x, y, corner * y)], bar.at, turn=bar.turn)
            if style == "filled":
                yield Fill(box, fill, opacity)
            if style == "dashed":
                sides = (
                    ((-x, -y), (x, -y)),
                    ((x, y), (-x, y)),
                    ((-x, -y), (-x, y)),
                    ((x, -y), (x, y)),
                )
                cut = [dash for side in sides for dash in dashes(side, 1.2, 0.9)]
                yield Stroke(moved(cut, bar.at, turn=bar.turn), self.ink, pen)
            else:
                yield Stroke(box, self.ink, pen, 0.95)

    def spaces(self) -> Iterator[Mark]:
        rng, board, spaces = self.rng, self.board, self.layout.spaces
        grounds = {
            "plain": self.bed,
            "red": as_colour(hsv_colour(rng, h=(-6, 6), s=(120, 230), v=(60, 190))),
            "white": as_colour(hsv_colour(rng, s=(0, 50), v=(90, 235))),
        }
        rims = {
            "plain": self.ink,
            "red": as_colour(hsv_colour(rng, h=(-6, 6), s=(120, 255), v=(150, 255))),
            "white": "#f4f4f0",
        }
        opacity = {kind: rng.uniform(0.3, 1.0) for kind in grounds}
        pen, sign = rng.uniform(0.3, 1.1), int(rng.integers(0, 3))
        kinds = {name: board.kind_of(name) for name in board.star_spaces}
        yield from self.discs(kinds, grounds, rims, opacity, pen)
        for name, kind in kinds.items():
            at, radius = spaces[name].at, spaces[name].radius
            if name in board.starred:
                outline = star(at, 5, radius * 0.6, radius * 0.6 * 0.45)
                solid = Fill((outline,), self.accent)
                yield solid if sign else Stroke((outline,), self.accent, 0.5)
            elif kind != "plain" and sign == 2:
                yield ring(at, radius * 0.5, rims[kind], 0.5)
        radius = spaces[POLARIS].radius
        points, waist = int(rng.integers(4, 13)), radius * rng.uniform(0.2, 0.5)
        if rng.random() < 0.6:
            for step in range(8):
                yield disc(self.centre, radius * (1.6 - 0.1 * step), self.accent, 0.06)
        yield disc(self.centre, radius, self.bed, rng.uniform(0.5, 1))
        yield ring(self.centre, radius, self.ink, rng.uniform(0.3, 1.4))
        yield Fill((star(self.centre, points, 0.85 * radius, waist),), self.accent)

    def surroundings(self) -> Iterator[Mark]:
        """Five arcs with a moon each, in one shade or one each."""
        rng, dial = self.rng, self.dial
        first = next(iter(self.board.sectors))
        start = sector_direction(self.board, first, self.layout.places)
        ground = hsv_colour(rng, s=(0, 200), v=(20, 230))
        shades = [hsv_colour(rng, s=(0, 200), v=(20, 230)) for _ in MOONS]
        alike, depth = rng.random() < 0.5, dial.outer - dial.inner
        dark_tone = as_colour(hsv_colour(rng, s=(0, 120), v=(10, 70)))
        for number, (name, lit) in enumerate(MOONS.items()):
            middle = start + ARC * number
            shade = ground if alike else shades[number]
            segment = dial.segment(middle - ARC / 2, middle + ARC / 2)
            yield Fill((segment,), as_colour(shade))
            yield Stroke((segment,), self.accent, 0.4)
            tone = "#15151c" if np.mean(shade) > 120 else "#f0efe8"
            if alike or rng.random() < 0.5:
                for turn in (middle - 16, middle + 16):
                    yield curved_lettering(name, self.centre, dial.middle, turn, depth * 0.18, tone)
            at, radius = dial.at(middle, dial.middle), depth * 0.36
            yield disc(at, radius, dark_tone)
            if lit > 0:
                yield Fill(moved([lit_part(lit)], at, radius, middle), "#f2ecd6")
            yield ring(at, radius, tone, 0.4)
