"""Editions: galaxies with a layout and artwork of their own, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np

from calibration import PX_PER_MM, Layout, Profile, ProfileError
from calibration.layout import layout_from_data
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
        self.rng, self.canvas, self.board = rng, canvas, pattern.board
        self.spaces, self.track = spaces, track
        self.radius = pattern.spaces[pattern.board.core].radius * rng.uniform(0.88, 1.06)
        dark = canvas.mean() < 125
        self.ink = hsv_colour(rng, s=(0, 80), v=(170, 255) if dark else (10, 90))
        self.accent = (
            hsv_colour(rng, h=(18, 32), s=(60, 230), v=(180, 255))
            if rng.random() < 0.6
            else hsv_colour(rng, s=(60, 255), v=(120, 255))
        )
        self.dark = dark

    def draw(self) -> None:
        self._regions()
        self._ornaments()
        self._orbits()
        self._links()
        self._spaces()
        self._track()

    def _px(self, at: tuple[float, float]) -> tuple[int, int]:
        return round(at[0] * PX_PER_MM), round(at[1] * PX_PER_MM)

    def _regions(self) -> None:
        rng = self.rng
        self.hues = {
            name: hsv_colour(rng, s=(60, 220), v=(70, 220)) for name in self.board.constellations
        }
        if rng.random() < 0.3:
            return
        veil = self.canvas.copy()
        for name, members in self.board.constellations.items():
            points = np.array([self._px(self.spaces[s]) for s in members], np.int32)
            cv2.fillPoly(veil, [cv2.convexHull(points)], self.hues[name], cv2.LINE_AA)
        cv2.addWeighted(
            veil, w := float(rng.uniform(0.1, 0.5)), self.canvas, 1 - w, 0, dst=self.canvas
        )

    def _ornaments(self) -> None:
        rng, canvas = self.rng, self.canvas
        height, width = canvas.shape[:2]
        if rng.random() < 0.7:
            inset = int(rng.integers(4, 24))
            cv2.rectangle(
                canvas,
                (inset, inset),
                (width - inset, height - inset),
                self.ink,
                int(rng.integers(1, 6)),
                cv2.LINE_AA,
            )
        for _ in range(rng.integers(0, 4)):
            at = (int(rng.integers(20, width - 160)), int(rng.integers(40, height - 10)))
            cv2.putText(
                canvas,
                str(rng.choice(_WORDS)),
                at,
                int(rng.choice(_SYMBOL_FONTS)),
                float(rng.uniform(0.5, 1.6)),
                hsv_colour(rng, s=(0, 120), v=(90, 255)),
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        for _ in range(rng.integers(0, 7)):
            at = (int(rng.integers(0, width)), int(rng.integers(0, height)))
            colour = hsv_colour(rng, s=(0, 200), v=(60, 255))
            if rng.random() < 0.5:
                cv2.circle(
                    canvas,
                    at,
                    int(rng.integers(4, 40)),
                    colour,
                    int(rng.choice([-1, 1, 2])),
                    cv2.LINE_AA,
                )
            else:
                end = (int(rng.integers(0, width)), int(rng.integers(0, height)))
                cv2.line(canvas, at, end, colour, 1, cv2.LINE_AA)

    def _orbits(self) -> None:
        rng = self.rng
        core = np.array(self.spaces[self.board.core])
        thickness = int(rng.integers(1, 7))
        colour = self.ink if rng.random() < 0.7 else hsv_colour(rng, s=(0, 200), v=(90, 255))
        dashed = rng.random() < 0.2
        for number, (_, members) in enumerate(self.board.orbits.items(), 1):
            radius = float(np.mean([np.hypot(*(np.array(self.spaces[s]) - core)) for s in members]))
            r = round(radius * PX_PER_MM)
            if dashed:
                for a in range(0, 360, 12):
                    cv2.ellipse(
                        self.canvas,
                        self._px(tuple(core)),
                        (r, r),
                        0,
                        a,
                        a + 6,
                        colour,
                        thickness,
                        cv2.LINE_AA,
                    )
            else:
                cv2.circle(self.canvas, self._px(tuple(core)), r, colour, thickness, cv2.LINE_AA)
            if rng.random() < 0.7:
                low = self._px((core[0], core[1] + radius))
                cv2.circle(
                    self.canvas, low, int(rng.integers(8, 13)), (20, 20, 20), -1, cv2.LINE_AA
                )
                self._text(str(number), low, 0.4, (230, 230, 230), 1)

    def _links(self) -> None:
        thickness = int(self.rng.integers(2, 9))
        colour = self.ink if self.rng.random() < 0.7 else self.accent
        for link in self.board.links:
            a, b = np.array(self._px(self.spaces[link.a])), np.array(self._px(self.spaces[link.b]))
            if link.kind == "direct":
                cv2.line(self.canvas, a.tolist(), b.tolist(), colour, thickness, cv2.LINE_AA)
            elif link.kind == "indirect":
                steps = np.linspace(0, 1, 2 * int(self.rng.integers(5, 10)))
                for t in range(0, len(steps) - 1, 2):
                    p, q = a + (b - a) * steps[t], a + (b - a) * steps[t + 1]
                    cv2.line(
                        self.canvas,
                        p.astype(int).tolist(),
                        q.astype(int).tolist(),
                        colour,
                        thickness,
                        cv2.LINE_AA,
                    )

    def _spaces(self) -> None:
        rng = self.rng
        home = {s: name for name, members in self.board.constellations.items() for s in members}
        fill_style = rng.choice(["tinted", "dark", "light", "clear"], p=[0.45, 0.3, 0.12, 0.13])
        outline = int(rng.integers(1, 8))
        glyphs = [str(g) for g in rng.choice(list("YNMHOXKVRSZABQ37452&"), 4, replace=False)]
        symbol = dict(zip(self.board.constellations, glyphs, strict=True))
        font = int(rng.choice(_SYMBOL_FONTS))
        size = float(rng.uniform(0.7, 1.5))
        r = round(self.radius * PX_PER_MM)
        for name, at in self.spaces.items():
            centre = self._px(at)
            hue = np.array(self.hues[home[name]] if name in home else self.accent, float)
            fill = {
                "tinted": hue * 0.45,
                "dark": np.array((25, 22, 22.0)) + hue * 0.08,
                "light": 255 - (255 - hue) * 0.3,
                "clear": None,
            }[fill_style]
            if fill is not None:
                cv2.circle(self.canvas, centre, r, tuple(fill.tolist()), -1, cv2.LINE_AA)
            if name in self.board.highlighted:
                self._highlight(centre, r)
            else:
                cv2.circle(self.canvas, centre, r, self.ink, outline, cv2.LINE_AA)
            tone = tuple((255 - (255 - hue) * 0.6 if fill_style != "light" else hue * 0.5).tolist())
            if name == self.board.core:
                for a in np.arange(0, np.pi, np.pi / int(rng.integers(3, 7))):
                    d = np.array([np.cos(a), np.sin(a)]) * r * 0.6
                    cv2.line(
                        self.canvas,
                        (np.array(centre) - d).astype(int).tolist(),
                        (np.array(centre) + d).astype(int).tolist(),
                        tone,
                        3,
                        cv2.LINE_AA,
                    )
            elif rng.random() < 0.97:
                self._text(symbol[home[name]], centre, size, tone, int(2 * size) + 1, font)

    def _highlight(self, centre: tuple[int, int], r: int) -> None:
        style = self.rng.integers(0, 3)
        if style == 0:
            cv2.circle(
                self.canvas, centre, r, self.accent, int(self.rng.integers(5, 11)), cv2.LINE_AA
            )
        elif style == 1:
            for grow, tone in ((8, 0.35), (5, 0.65), (2, 1.0)):
                cv2.circle(
                    self.canvas,
                    centre,
                    r + grow,
                    tuple((np.array(self.accent) * tone).tolist()),
                    4,
                    cv2.LINE_AA,
                )
        else:
            for a in np.arange(0, 2 * np.pi, np.pi / 8):
                d = np.array([np.cos(a), np.sin(a)])
                cv2.line(
                    self.canvas,
                    (np.array(centre) + d * r).astype(int).tolist(),
                    (np.array(centre) + d * (r + 9)).astype(int).tolist(),
                    self.accent,
                    3,
                    cv2.LINE_AA,
                )
            cv2.circle(self.canvas, centre, r, self.accent, 4, cv2.LINE_AA)

    def _track(self) -> None:
        rng = self.rng
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
        if rng.random() < 0.4:
            first, last = self._px(self.track[0]), self._px(self.track[-1])
            cv2.rectangle(
                self.canvas,
                (first[0] - r - 8, first[1] - r - 8),
                (last[0] + r + 8, last[1] + r + 8),
                hsv_colour(rng, v=(20, 160)),
                int(rng.choice([-1, 2])),
                cv2.LINE_AA,
            )
        for number, at in zip(numbers, self.track, strict=True):
            x, y = centre = self._px(at)
            if square:
                cv2.rectangle(self.canvas, (x - r, y - r), (x + r, y + r), fill, -1, cv2.LINE_AA)
            else:
                cv2.circle(self.canvas, centre, r, fill, -1, cv2.LINE_AA)
            if outline and square:
                cv2.rectangle(
                    self.canvas, (x - r, y - r), (x + r, y + r), self.ink, outline, cv2.LINE_AA
                )
            elif outline:
                cv2.circle(self.canvas, centre, r, self.ink, outline, cv2.LINE_AA)
            self._text(str(number), centre, size, ink, 2, font)

    def _text(
        self,
        text: str,
        centre: tuple[int, int],
        size: float,
        colour: Bgr,
        weight: int,
        font: int = cv2.FONT_HERSHEY_SIMPLEX,
    ) -> None:
        (w, h), _ = cv2.getTextSize(text, font, size, weight)
        cv2.putText(
            self.canvas,
            text,
            (centre[0] - w // 2, centre[1] + h // 2),
            font,
            size,
            colour,
            weight,
            cv2.LINE_AA,
        )
