"""What lies on a printed sky: paper, plastic stars, wood and sticks, beads and matches, gems."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from calibration import Profile
from calibration.drawing import Drawing, rasterise
from calibration.polaris.token_sheet import DIAMETER_MM, LINK_MM, TOKEN_STYLES, draw_token
from models.rendering.home_printer import Printer
from models.rendering.scene import PONY_BEAD, Point, TokenSet
from scorer.places import Bar
from scorer.polaris.contract import LINK
from scorer.polaris.words import NEUTRAL, POLARIS

_PX_PER_MM = 16
_NAMES = ("red", "yellow", "blue", "purple", "white", "orange", NEUTRAL)
_PEBBLE = ((4.4, 0.0), (5.2, 0.4), (5.4, 1.0), (4.9, 2.0), (3.9, 2.8), (2.5, 3.3), (1.1, 3.6))


@dataclass(frozen=True)
class Kit:
    """A set of pieces: stars as they are made, and a link's make.

    `star` and `link` are sizes as shares of the spaces that they are for; a kit without `paints` is
    printed on paper.
    """

    stars: TokenSet
    star: float
    link: Point
    link_height: float
    link_material: str
    link_paint: str
    paints: tuple[str, ...] = ()


KITS = {
    "paper": Kit(TokenSet(points=0, height=0.35), 0.92, (0.955, 0.92), 0.35, "wood", "#d5d8dd"),
    "stars": Kit(
        TokenSet(points=5, waist=0.55, height=3.2, material="plastic"),
        0.97,
        (0.96, 0.85),
        2.2,
        "plastic",
        "#c6cad1",
        ("#c81f2f", "#f2c716", "#1d64c4", "#7a41ab", "#f1efe8", "#ec7a1d", "#80868f"),
    ),
    "sticks": Kit(
        TokenSet(points=5, waist=0.62, height=5.0),
        0.9,
        (1.2, 0.5),
        2.3,
        "wood",
        "#c9a06a",
        ("#b3262b", "#e3bb2b", "#1f5fa8", "#6b3f86", "#e9e2d0", "#dd6f1e", "#8b857b"),
    ),
    "beads": Kit(
        TokenSet(material="plastic", radius=4.5, height=6.0, lathe=PONY_BEAD),
        0.0,
        (1.35, 0.4),
        2.0,
        "wood",
        "#dcc193",
        ("#cf2130", "#f7d21e", "#2b62d9", "#7e45b5", "#f4f2ea", "#f68a1e", "#8f9296"),
    ),
    "gems": Kit(
        TokenSet(material="acrylic", radius=5.4, height=3.6, lathe=_PEBBLE),
        0.0,
        (0.96, 0.8),
        2.6,
        "acrylic",
        "#eef1f4",
        ("#c01c2e", "#f0cf28", "#2470cf", "#7c3fa8", "#eef0ea", "#f0801f", "#9aa0a8"),
    ),
    "chips": Kit(
        TokenSet(points=0, height=2.2, material="plastic"),
        0.95,
        (0.97, 0.9),
        1.0,
        "wood",
        "#ded9cc",
        ("#b51d34", "#edc81c", "#155aa3", "#5c3a94", "#efeee8", "#e56f17", "#777b80"),
    ),
}
"""By what the stars are."""


def lay_out(rng: random.Random, name: str, profile: Profile, folder: Path) -> TokenSet:
    """The tokens of a kit, made for a profile's spaces; paper ones are printed into a folder."""
    kit = KITS[name]
    space = min(s.radius for name, s in profile.spaces.items() if name != POLARIS)
    length, width = next(s.size for s in profile.places.values() if isinstance(s, Bar))
    stars = replace(kit.stars, radius=kit.star * space) if kit.star else kit.stars
    link = TokenSet(
        bar=(length * kit.link[0], width * kit.link[1]),
        height=kit.link_height,
        material=kit.link_material,
        paints={LINK: kit.link_paint},
    )
    if kit.paints:
        paints = dict(zip(_NAMES, kit.paints, strict=True))
        return replace(stars, paints=paints, others={LINK: link})
    printer = Printer("#f6f1e4", inks=(0.9, 0.8, 0.85), deepest=0.05, bands=0.05)
    faces = dict(_print_pieces(printer, folder, rng.randrange(1000)))
    link = replace(link, paints={}, faces={LINK: faces.pop(LINK)})
    return replace(stars, faces=faces, others={LINK: link})


def _print_pieces(printer: Printer, folder: Path, seed: int) -> Iterator[tuple[str, Path]]:
    for number, piece in enumerate((*TOKEN_STYLES, LINK)):
        size = LINK_MM if piece == LINK else (DIAMETER_MM, DIAMETER_MM)
        drawing = Drawing(size, tuple(draw_token(piece, (size[0] / 2, size[1] / 2))))
        path = folder / f"{piece}.png"
        drawn = rasterise(drawing, _PX_PER_MM)
        cv2.imwrite(str(path), printer.put(drawn, _PX_PER_MM, seed=seed + number))
        yield piece, path
