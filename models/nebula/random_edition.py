"""Random editions of Nebula: galaxies with their own layout and artwork."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np

from calibration import PX_PER_MM, Layout, Profile, ProfileError
from calibration.colour_profile import as_colour
from calibration.drawing import Drawing, Fill, Mark, Stroke, dashes, disc, rasterise, ring, star
from calibration.layout import layout_from_data
from calibration.lettering import lettering
from models.synthesis.artist import Artist
from models.synthesis.position import pick
from models.synthesis.texture import Rng, bgr, hsv_colour
from scorer.nebula.words import BLACK
from scorer.places import Circle, Place, Point


def random_edition(rng: Rng, pattern: Profile, name: str = "invented") -> Profile:
    """A board with the topology of `pattern`, but its own artwork and exact places."""
    layout, drawing = draw_edition(rng, pattern, name)
    return Profile(name, layout, rasterise(drawing, PX_PER_MM))


def draw_edition(rng: Rng, pattern: Profile, name: str) -> tuple[Layout, Drawing]:
    """The layout of a random edition, and its artwork."""
    layout = vary_layout(rng, pattern, f"Invented edition {name}")
    drawn = replace(layout, board=pattern.board)  # it may have links that no layout file has
    return layout, _GalaxyArtist(rng, drawn, pattern.board.core).draw()


def vary_layout(rng: Rng, pattern: Profile, title: str) -> Layout:
    """A layout with other places; retried until no spaces overlap or cross the edge."""
    while True:
        places = _vary_spaces(rng, pattern) | _vary_track(rng, pattern)
        moved = {place: Circle(at, pattern.places[place].radius) for place, at in places.items()}
        layout = replace(pattern.layout, title=title, places=moved)
        with suppress(ProfileError):
            return layout_from_data(layout.to_data())


def _vary_spaces(rng: Rng, pattern: Profile) -> dict[Place, Point]:
    """Rotate, mirror and scale the galaxy about its core, and jitter each space."""
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
    """Shift the track, and scale the distances between its slots."""
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


FILLS = {"tinted": (0.0, 0.45), "dark": (22.0, 0.08), "light": (178.0, 0.3)}
"""The fill of spaces: a grey level, and the share of their constellation's colour."""


class _GalaxyArtist(Artist):
    """Coloured constellations, links, and the black-star track."""

    corners = 2  # the track is above
    orbit_pen, orbit_opacity = (0.3, 1.5), (0.8, 1)  # they are links

    @property
    def reach(self) -> float:
        return 95.0

    def regions(self) -> Iterator[Mark]:
        rng, spaces = self.rng, self.layout.spaces
        self.hues = {
            name: np.array(hsv_colour(rng, s=(60, 220), v=(70, 220))) for name in self.board.regions
        } | {"": np.array(bgr(self.accent))}
        opacity = float(rng.choice([0.0, rng.uniform(0.1, 0.5)], p=[0.3, 0.7]))
        for name, members in self.board.regions.items():
            hull = cv2.convexHull(np.array([spaces[space].at for space in members], np.float32))
            line = tuple((float(x), float(y)) for ((x, y),) in hull)
            yield Fill((line,), as_colour(self.hues[name]), opacity)

    def links(self) -> Iterator[Mark]:
        """Direct links are lines, indirect ones dashed; orbital ones are the orbits."""
        rng, spaces = self.rng, self.layout.spaces
        pen, on = rng.uniform(0.5, 2.2), rng.uniform(1.8, 3.5)
        colour = self.ink if rng.random() < 0.7 else self.accent
        for link in self.board.links:
            line = spaces[link.a].at, spaces[link.b].at
            if link.kind == "direct":
                yield Stroke((line,), colour, pen)
            elif link.kind == "indirect":
                yield Stroke(dashes(line, on, on + pen), colour, pen)

    def spaces(self) -> Iterator[Mark]:
        """Spaces, in the colours of their constellations or one colour; highlighted ones marked."""
        rng, board, spaces = self.rng, self.board, self.layout.spaces
        kinds = {name: board.constellation_of(name) or "" for name in spaces}
        style = str(rng.choice([*FILLS, "clear"], p=[0.45, 0.3, 0.12, 0.13]))
        ground, share = FILLS.get(style, (0.0, 0.0))
        grounds = {kind: as_colour(ground + share * hue) for kind, hue in self.hues.items()}
        opacity = 0.0 if style == "clear" else 1.0
        rims = dict.fromkeys(grounds, self.ink)
        pen, burst = rng.uniform(0.3, 1.8), int(rng.integers(8, 20))
        for name in board.highlighted:
            at, radius = spaces[name].at, spaces[name].radius
            if burst % 2 or not opacity:
                yield ring(at, radius + 1.0, self.accent, 1.0 + pen / 2)
            else:
                yield Fill((star(at, burst, radius + 2.6, radius + 0.8),), self.accent)
        yield from self.discs(kinds, grounds, rims, dict.fromkeys(grounds, opacity), pen)
        letters = dict(zip(board.regions, rng.permutation([*"YNMHKVRSZABQ37452"]), strict=False))
        height = rng.uniform(3.0, 6.0)
        for name, kind in kinds.items():
            if kind:
                tone = 0.5 * self.hues[kind] if style == "light" else 102 + 0.6 * self.hues[kind]
                yield lettering(str(letters[kind]), spaces[name].at, height, as_colour(tone))
        core = spaces[board.core]
        yield Fill((star(core.at, 12, 0.7 * core.radius, 2.0),), self.accent)

    def surroundings(self) -> Iterator[Mark]:
        """The black-star track, with increasing numbers."""
        rng, slots = self.rng, self.layout.tracks[BLACK]
        fill = pick(rng, [self.bed, "#1c1a20", as_colour(hsv_colour(rng, s=(0, 90), v=(20, 245)))])
        ink = "#f4f0f0" if int(fill[3:5], 16) < 128 else "#19191c"
        pen = rng.uniform(0.2, 1.5)
        for slot, number in zip(slots, np.cumsum(rng.integers(0, 5, len(slots))), strict=True):
            yield disc(slot.at, slot.radius, fill)
            yield ring(slot.at, slot.radius - pen / 2, self.ink, pen)
            yield lettering(str(number), slot.at, 0.7 * slot.radius, ink)
