"""Editions: galaxies with a layout and artwork of their own, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import dist
from statistics import fmean

import cv2
import numpy as np

from calibration import PX_PER_MM, Layout, Profile, ProfileError
from calibration.layout import layout_from_data
from models.synthesis.canvas import FILLED, Canvas, Pixel, polar, px
from models.synthesis.ground import random_ground
from models.synthesis.texture import Bgr, Rng, hsv_colour
from scorer.nebula import BLACK
from scorer.places import Circle, Place, Point

_SYMBOL_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
_WORDS = ("NEBULA", "GALAXY", "STARS", "ORBIT", "COSMOS", "ASTRA", "SOL", "LYRA", "VIA")


def random_edition(rng: Rng, pattern: Profile, name: str = "invented") -> Profile:
    """A board with the topology of ``pattern``; its artwork and its exact places are its own."""
    width, height = pattern.size_mm
    layout = vary_layout(rng, pattern, f"Invented edition {name}")
    canvas = random_ground(rng, round(height * PX_PER_MM), round(width * PX_PER_MM))
    spaces = {key: space.at for key, space in layout.spaces.items()}
    _Artist(rng, canvas, pattern, spaces, [slot.at for slot in layout.tracks[BLACK]]).draw()
    return Profile(name, layout, canvas)


def vary_layout(rng: Rng, pattern: Profile, title: str) -> Layout:
    """A layout with other places; drawn again where spaces overlap or reach over the edge."""
    while True:
        places = _vary_spaces(rng, pattern) | _vary_track(rng, pattern)
        moved = {place: Circle(at, pattern.places[place].radius) for place, at in places.items()}
        layout = replace(pattern.layout, title=title, places=moved)
        with suppress(ProfileError):
            return layout_from_data(layout.to_data())


def _vary_spaces(rng: Rng, pattern: Profile) -> dict[Place, Point]:
    """Turn and mirror the galaxy about its core, and nudge every space a little."""
    core = np.array(pattern.spaces[pattern.board.core].at)
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else 0.0
    mirror = -1.0 if rng.random() < 0.25 else 1.0
    scale = rng.uniform(0.93, 0.985)
    rotation = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    places = {}
    for name, space in pattern.spaces.items():
        offset = (np.array(space.at) - core) * (mirror, 1.0)
        x, y = core + rotation @ offset + rng.normal(0, 0.5, 2)
        places[Place(name)] = (float(x), float(y))
    return places


def _vary_track(rng: Rng, pattern: Profile) -> dict[Place, Point]:
    """Lift the track, and set its slots closer together or farther apart."""
    lift = rng.uniform(-5, 3)
    squeeze = rng.uniform(0.94, 1.04)
    middle = pattern.size_mm[0] / 2 + rng.uniform(-2, 2)
    centres = (slot.at for slot in pattern.tracks[BLACK])
    return {
        Place(BLACK, "track", number): (
            float(middle + (x - pattern.size_mm[0] / 2) * squeeze),
            float(y + lift),
        )
        for number, (x, y) in enumerate(centres)
    }


class _Artist:
    """Draws one edition's orbits, links, spaces, track and ornaments on a canvas."""

    def __init__(
        self,
        rng: Rng,
        canvas: np.ndarray,
        pattern: Profile,
        spaces: Mapping[str, Point],
        track: Sequence[Point],
    ) -> None:
        self.rng, self.canvas, self.board = rng, Canvas(canvas), pattern.board
        self.spaces = {name: px(at) for name, at in spaces.items()}
        self.core_mm, self.spaces_mm, self.track = spaces[self.board.core], spaces, track
        self.radius = pattern.spaces[pattern.board.core].radius * rng.uniform(0.88, 1.06)
        dark = canvas.mean() < 125
        self.ink = hsv_colour(rng, s=(0, 80), v=(170, 255) if dark else (10, 90))
        self.accent = (
            hsv_colour(rng, h=(18, 32), s=(60, 230), v=(180, 255))
            if rng.random() < 0.6
            else hsv_colour(rng, s=(60, 255), v=(120, 255))
        )

    def draw(self) -> None:
        self._regions()
        self._ornaments()
        self._orbits()
        self._links()
        self._spaces()
        self._track()

    def _regions(self) -> None:
        rng, pixels = self.rng, self.canvas.pixels
        self.hues = {
            name: hsv_colour(rng, s=(60, 220), v=(70, 220)) for name in self.board.constellations
        }
        if rng.random() < 0.3:
            return
        veil = pixels.copy()
        for name, members in self.board.constellations.items():
            points = np.array([self.spaces[s] for s in members], np.int32)
            cv2.fillPoly(veil, [cv2.convexHull(points)], self.hues[name], cv2.LINE_AA)
        share = float(rng.uniform(0.1, 0.5))
        cv2.addWeighted(veil, share, pixels, 1 - share, 0, dst=pixels)

    def _ornaments(self) -> None:
        rng, canvas = self.rng, self.canvas
        height, width = canvas.pixels.shape[:2]
        if rng.random() < 0.7:
            inset = int(rng.integers(4, 24))
            far = width - inset, height - inset
            canvas.box((inset, inset), far, self.ink, int(rng.integers(1, 6)))
        for _ in range(rng.integers(0, 4)):
            at = (int(rng.integers(20, width - 160)), int(rng.integers(40, height - 10)))
            word, font = str(rng.choice(_WORDS)), int(rng.choice(_SYMBOL_FONTS))
            size, colour = float(rng.uniform(0.5, 1.6)), hsv_colour(rng, s=(0, 120), v=(90, 255))
            canvas.text(word, at, size, colour, int(rng.integers(1, 4)), font, centred=False)
        for _ in range(rng.integers(0, 7)):
            at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
            colour = hsv_colour(rng, s=(0, 200), v=(60, 255))
            if rng.random() < 0.5:
                canvas.ring(at, int(rng.integers(4, 40)), colour, int(rng.choice([FILLED, 1, 2])))
            else:
                end = (int(rng.integers(0, width)), int(rng.integers(0, height)))
                canvas.line(at, end, colour, 1)

    def _orbits(self) -> None:
        rng, core = self.rng, self.core_mm
        thickness = int(rng.integers(1, 7))
        colour = self.ink if rng.random() < 0.7 else hsv_colour(rng, s=(0, 200), v=(90, 255))
        draw = self.canvas.dashed_ring if rng.random() < 0.2 else self.canvas.ring
        for number, members in enumerate(self.board.orbits.values(), 1):
            radius = fmean(dist(core, self.spaces_mm[space]) for space in members)
            draw(px(core), round(radius * PX_PER_MM), colour, thickness)
            if rng.random() < 0.7:
                low = px((core[0], core[1] + radius))
                self.canvas.disc(low, int(rng.integers(8, 13)), (20, 20, 20))
                self.canvas.text(str(number), low, 0.4, (230, 230, 230), 1)

    def _links(self) -> None:
        rng, thickness = self.rng, int(self.rng.integers(2, 9))
        colour = self.ink if rng.random() < 0.7 else self.accent
        for link in self.board.links:
            ends = self.spaces[link.a], self.spaces[link.b]
            if link.kind == "direct":
                self.canvas.line(*ends, colour, thickness)
            elif link.kind == "indirect":
                self.canvas.dashed_line(*ends, colour, thickness, int(rng.integers(5, 10)))

    def _spaces(self) -> None:
        rng, canvas = self.rng, self.canvas
        home = {s: name for name, members in self.board.constellations.items() for s in members}
        fill_style = rng.choice(["tinted", "dark", "light", "clear"], p=[0.45, 0.3, 0.12, 0.13])
        outline = int(rng.integers(1, 8))
        glyphs = [str(g) for g in rng.choice(list("YNMHOXKVRSZABQ37452&"), 4, replace=False)]
        symbol = dict(zip(self.board.constellations, glyphs, strict=True))
        font = int(rng.choice(_SYMBOL_FONTS))
        size = float(rng.uniform(0.7, 1.5))
        r = round(self.radius * PX_PER_MM)
        for name, centre in self.spaces.items():
            hue = np.array(self.hues[home[name]] if name in home else self.accent, float)
            fill = {
                "tinted": hue * 0.45,
                "dark": np.array((25, 22, 22.0)) + hue * 0.08,
                "light": 255 - (255 - hue) * 0.3,
                "clear": None,
            }[fill_style]
            if fill is not None:
                canvas.disc(centre, r, tuple(fill.tolist()))
            if name in self.board.highlighted:
                self._highlight(centre, r)
            else:
                canvas.ring(centre, r, self.ink, outline)
            tone = tuple((255 - (255 - hue) * 0.6 if fill_style != "light" else hue * 0.5).tolist())
            if name == self.board.core:
                for a in np.arange(0, np.pi, np.pi / int(rng.integers(3, 7))):
                    canvas.line(polar(centre, -0.6 * r, a), polar(centre, 0.6 * r, a), tone, 3)
            elif rng.random() < 0.97:
                canvas.text(symbol[home[name]], centre, size, tone, int(2 * size) + 1, font)

    def _highlight(self, centre: Pixel, r: int) -> None:
        canvas, style = self.canvas, self.rng.integers(0, 3)
        if style == 0:
            canvas.ring(centre, r, self.accent, int(self.rng.integers(5, 11)))
        elif style == 1:
            for grow, tone in ((8, 0.35), (5, 0.65), (2, 1.0)):
                fading = tuple((np.array(self.accent) * tone).tolist())
                canvas.ring(centre, r + grow, fading, 4)
        else:
            for a in np.arange(0, 2 * np.pi, np.pi / 8):
                canvas.line(polar(centre, r, a), polar(centre, r + 9, a), self.accent, 3)
            canvas.ring(centre, r, self.accent, 4)

    def _track(self) -> None:
        rng, canvas = self.rng, self.canvas
        r = round(self.radius * PX_PER_MM * rng.uniform(0.9, 1.0))
        shade = rng.choice(["black", "dark", "light"], p=[0.6, 0.25, 0.15])
        fill = {
            "black": hsv_colour(rng, s=(0, 60), v=(10, 55)),
            "dark": hsv_colour(rng, s=(40, 220), v=(30, 100)),
            "light": hsv_colour(rng, s=(0, 90), v=(140, 245)),
        }[shade]
        ink: Bgr = (245, 240, 240) if shade != "light" else (25, 25, 25)
        square = rng.random() < 0.25
        numbers = np.cumsum(rng.integers(0, 5, len(self.track)))
        outline = int(rng.integers(0, 6))
        font = int(rng.choice(_SYMBOL_FONTS[:4]))
        size = float(rng.uniform(0.6, 1.0))

        def box(first: Pixel, last: Pixel, reach: int, colour: Bgr, width: int) -> None:
            low, high = (first[0] - reach, first[1] - reach), (last[0] + reach, last[1] + reach)
            canvas.box(low, high, colour, width)

        if rng.random() < 0.4:
            panel, width = hsv_colour(rng, v=(20, 160)), int(rng.choice([FILLED, 2]))
            box(px(self.track[0]), px(self.track[-1]), r + 8, panel, width)
        for number, at in zip(numbers, map(px, self.track), strict=True):
            for colour, width in ((fill, FILLED), (self.ink, outline)):
                if width and square:
                    box(at, at, r, colour, width)
                elif width:
                    canvas.ring(at, r, colour, width)
            canvas.text(str(number), at, size, ink, 2, font)
