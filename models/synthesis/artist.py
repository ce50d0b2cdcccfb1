"""Random artwork for a game's board: a palette and a pen."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import ClassVar

import cv2
import numpy as np

from calibration import PX_PER_MM, Layout
from calibration.colour_profile import as_colour
from calibration.drawing import (
    Drawing,
    Fill,
    Mark,
    Picture,
    Point,
    Stroke,
    circle,
    disc,
    ring,
    rounded_box,
    star,
)
from calibration.lettering import curved_lettering, lettering
from models.synthesis.position import pick
from models.synthesis.texture import Rng, hsv_colour, smooth_noise


class Artist(ABC):
    """Draws one edition of a layout whose board has orbits, with a random palette and pen."""

    words: ClassVar[Sequence[str]] = ("GALAXY", "NORTH", "STARS", "SKY", "ASTRA", "URSA", "COSMOS")
    corners: ClassVar[int] = 4
    """The number of corners with an ornament; two are the lower ones."""
    orbit_pen: ClassVar[tuple[float, float]] = (0.2, 1.4)
    orbit_opacity: ClassVar[tuple[float, float]] = (0.25, 1)

    def __init__(self, rng: Rng, layout: Layout, centre: str) -> None:
        """Choose the colours; `centre` is the space in the middle of the orbits."""
        self.rng, self.layout, self.board = rng, layout, layout.board
        width, height = (round(side * PX_PER_MM) for side in layout.size_mm)
        self.ground = random_ground(rng, height, width)
        self.dark = bool(self.ground.mean() < 125)
        self.centre = layout.spaces[centre].at
        self.ink = self.tone(s=(0, 80), bright=(170, 255), deep=(10, 90))
        self.accent = as_colour(hsv_colour(rng, h=(15, 35), s=(60, 230), v=(150, 255)))
        self.bed = self.tone(s=(30, 200), bright=(10, 60), deep=(200, 255))

    def tone(
        self, s: tuple[float, float], bright: tuple[float, float], deep: tuple[float, float]
    ) -> str:
        """A random colour with a value in `bright` on dark ground, in `deep` on pale ground."""
        return as_colour(hsv_colour(self.rng, s=s, v=bright if self.dark else deep))

    def draw(self) -> Drawing:
        regions, specks, orbits = (*self.regions(),), (*self._specks(),), (*self._orbits(),)
        links, spaces = (*self.links(),), (*self.spaces(),)
        below = Picture(self.ground), *regions, *specks, *self._corners()
        return Drawing(
            self.layout.size_mm, (*below, *orbits, *links, *spaces, *self.surroundings())
        )

    @property
    @abstractmethod
    def reach(self) -> float:
        """The radius in mm of the artwork around the centre."""

    @abstractmethod
    def regions(self) -> Iterator[Mark]:
        """The grounds of groups of spaces."""

    @abstractmethod
    def links(self) -> Iterator[Mark]:
        """The links between spaces."""

    @abstractmethod
    def spaces(self) -> Iterator[Mark]:
        """The spaces around the centre."""

    @abstractmethod
    def surroundings(self) -> Iterator[Mark]:
        """The artwork outside the spaces: a frame, a track."""

    def discs(
        self,
        kinds: Mapping[str, str],
        grounds: Mapping[str, str],
        rims: Mapping[str, str],
        opacity: Mapping[str, float],
        pen: float,
    ) -> Iterator[Mark]:
        for name, kind in kinds.items():
            space = self.layout.spaces[name]
            yield disc(space.at, space.radius, grounds[kind], opacity[kind])
            yield ring(space.at, space.radius - pen / 2, rims[kind], pen)

    def _specks(self) -> Iterator[Mark]:
        """Random dots, with lines between some of them."""
        rng, (width, height) = self.rng, self.layout.size_mm
        spots = rng.uniform((3, 3), (width - 3, height - 3), (int(rng.integers(0, 500)), 2))
        for x, y in spots:
            size = 0.15 * (1 - rng.random()) ** -0.5
            yield disc((float(x), float(y)), min(size, 1.2), self.ink, rng.uniform(0.3, 1))
        for _ in range(int(rng.integers(0, 9)) if len(spots) > 4 else 0):
            line = tuple((float(x), float(y)) for x, y in rng.permutation(spots)[:3])
            yield Stroke((line,), self.ink, 0.25, 0.4)

    def _orbits(self) -> Iterator[Mark]:
        rng, spaces = self.rng, self.layout.spaces
        width, opacity = rng.uniform(*self.orbit_pen), rng.uniform(*self.orbit_opacity)
        for number, own in self.board.orbits.items():
            radius = fmean(math.dist(self.centre, spaces[name].at) for name in own)
            yield Stroke((circle(self.centre, radius),), self.ink, width, opacity)
            if rng.random() < 0.6:
                turn = rng.uniform(0, 360)
                yield curved_lettering(
                    str(number), self.centre, radius + 9, turn, 3.0, self.ink, weight=0.15
                )

    def _corners(self) -> Iterator[Mark]:
        """A different ornament in each corner, which shows the orientation, and a border."""
        rng, (width, height) = self.rng, self.layout.size_mm
        size = max(4.0, min(16.0, (math.hypot(width, height) / 2 - self.reach) * 0.34))
        corners = [(size + 4, size + 4), (width - size - 4, size + 4)]
        corners += [(width - size - 4, height - size - 4), (size + 4, height - size - 4)]
        for kind, at in zip(rng.permutation(4), corners[-self.corners :], strict=False):
            yield from self._ornament(int(kind), at, size)
        if rng.random() < 0.8:
            inset = rng.uniform(0.6, 3)
            box = rounded_box(inset, inset, width - inset, height - inset, 1)
            yield Stroke((box,), pick(rng, [self.ink, self.accent]), rng.uniform(0.3, 1.5))

    def _ornament(self, kind: int, at: Point, size: float) -> Sequence[Mark]:
        rng = self.rng
        if kind == 0:
            word = pick(rng, self.words)
            letters = min(4.5, 2.4 * size / len(word))
            return [lettering(word, at, letters, self.ink, spacing=2.4)]
        if kind == 1:
            points = int(rng.integers(4, 9))
            return [
                ring(at, size, self.ink, 0.5),
                Fill((star(at, points, size * 0.85, size * 0.3, rng.uniform(0, 45)),), self.accent),
            ]
        if kind == 2:
            shades = [as_colour(hsv_colour(rng)) for _ in range(4)]
            return [disc(at, size * (1 - 0.22 * i), shade, 0.9) for i, shade in enumerate(shades)]
        x, y = at
        box = rounded_box(x - size, y - 0.6 * size, x + size, y + 0.6 * size, 1.5)
        return [
            Fill((box,), self.bed, 0.8),
            Stroke((box,), self.accent, 0.5),
            *(disc((x + size * step, y), size * 0.22, self.ink) for step in (-0.6, 0, 0.6)),
        ]


def random_ground(rng: Rng, height: int, width: int) -> np.ndarray:
    """A background, (height, width, 3) uint8 BGR: usually a night sky, sometimes pale or loud."""
    style = rng.choice(["gas", "flat", "pale", "loud"], p=[0.53, 0.16, 0.21, 0.10])
    if style == "pale":
        base, second = (
            hsv_colour(rng, s=(0, 90), v=(150, 250)),
            hsv_colour(rng, s=(0, 90), v=(150, 250)),
        )
    elif style == "loud":
        base, second = (
            hsv_colour(rng, s=(80, 255), v=(60, 230)),
            hsv_colour(rng, s=(80, 255), v=(60, 230)),
        )
    else:
        base, second = (
            hsv_colour(rng, s=(60, 230), v=(15, 90)),
            hsv_colour(rng, s=(80, 255), v=(40, 190)),
        )
    if rng.random() < 0.6:  # most skies are printed in blue to violet
        shift = int(rng.integers(105, 155))
        base = hsv_colour(rng, h=(shift, shift + 15), s=(100, 230), v=(30, 110))
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = base
    if style != "flat":
        for _ in range(rng.integers(1, 4)):
            mask = smooth_noise(rng, height, width, int(rng.integers(2, 9)))
            mask = np.clip((mask - rng.uniform(0.3, 0.6)) * rng.uniform(1.0, 3.0), 0, 1)[..., None]
            canvas += mask * (np.array(second, np.float32) - canvas) * rng.uniform(0.3, 1.0)
            second = hsv_colour(rng, s=(40, 255), v=(30, 200))
    grain = rng.uniform(0, 9)
    canvas += smooth_noise(rng, height, width, 200)[..., None] * grain - grain / 2
    canvas = np.clip(canvas, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 500)):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        tone = int(rng.integers(120, 256))
        cv2.circle(
            canvas, (x, y), int(rng.choice([0, 1, 1, 2])), (tone, tone, tone), -1, cv2.LINE_AA
        )
    return canvas
