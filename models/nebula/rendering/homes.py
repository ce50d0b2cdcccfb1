"""Homes that own no copy of the game: a printer, a paper, and pieces that were at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from calibration import PX_PER_MM, Profile
from calibration.artwork import describe_board
from calibration.drawing import Drawing, rasterise
from calibration.nebula.token_sheet import DIAMETER_MM, TOKEN_STYLES, draw_token
from models.rendering.home_printer import Printer
from models.rendering.random_scenes import Shot
from models.rendering.scene import PONY_BEAD, Point, Sheet, TokenSet

A4 = (5.0, 28.5)
"""What is left of the sheet beside and above a board that was not cut out, in mm."""
TOKEN_PX_PER_MM = 16


@dataclass(frozen=True)
class Home:
    """How a board was printed, on what, and what stands for the stars.

    Without `paints` the tokens were printed as well, by the same printer.
    """

    printer: Printer
    thickness: float
    roughness: float
    tokens: TokenSet
    margin: Point = (0.0, 0.0)
    paints: Mapping[str, str] = field(default_factory=dict)


_NAMES = ("red", "purple", "yellow", "white", "blue", "orange", "black")


def _paints(*colours: str) -> dict[str, str]:
    return dict(zip(_NAMES, colours, strict=True))


_CUBE = TokenSet(points=4, waist=0.7072, radius=5.7, height=8.0)
_CHIP = TokenSet(points=0, radius=7.6, height=2.2, material="plastic")
_PEBBLE = ((6.0, 0.0), (7.0, 0.5), (7.2, 1.3), (6.6, 2.6), (5.2, 3.7), (3.4, 4.4), (1.5, 4.8))

HOMES = {
    "paper": Home(
        Printer("#f3ead2", inks=(0.72, 0.6, 0.75), deepest=0.07, bands=0.06, pitch=9),
        thickness=0.25,
        roughness=0.85,
        tokens=TokenSet(points=0, radius=DIAMETER_MM / 2, height=0.35),
        margin=A4,
    ),
    "cubes": Home(
        Printer("#f4f7ff", inks=(1.0, 0.9, 0.95), deepest=0.045, bands=0.1, pitch=4, clogged=0.05),
        thickness=0.15,
        roughness=0.6,
        tokens=_CUBE,
        paints=_paints("#b3262b", "#6b3f86", "#e3bb2b", "#e9e2d0", "#1f5fa8", "#dd6f1e", "#26252a"),
    ),
    "pebbles": Home(
        Printer("#fdfdfb", inks=(1.1, 1.1, 1.05), deepest=0.012),
        thickness=0.3,
        roughness=0.12,
        tokens=TokenSet(material="acrylic", radius=7.2, height=4.8, lathe=_PEBBLE),
        paints=_paints("#c01c2e", "#7c3fa8", "#f0cf28", "#eef0ea", "#2470cf", "#f0801f", "#15151a"),
    ),
    "beads": Home(
        Printer("#fbf8f0", inks=(0.5, 0.95, 0.9), deepest=0.06, bands=0.05, pitch=14),
        thickness=1.6,
        roughness=0.5,
        tokens=TokenSet(material="plastic", radius=4.5, height=6.0, lathe=PONY_BEAD),
        paints=_paints("#cf2130", "#7e45b5", "#f7d21e", "#f4f2ea", "#2b62d9", "#f68a1e", "#1a1a1d"),
    ),
    "chips": Home(
        Printer("#ffffff", inks=(1.0, 0.62, 0.9), deepest=0.03, bands=0.04, clogged=0.09),
        thickness=1.0,
        roughness=0.3,
        tokens=_CHIP,
        margin=A4,
        paints=_paints("#b51d34", "#5c3a94", "#edc81c", "#efeee8", "#155aa3", "#e56f17", "#202125"),
    ),
}
"""By what lies on their boards."""


def on_paper(shot: Shot, home: Home) -> Shot:
    """The same photograph with the home's paper in place of cardboard."""

    def as_printed(sheet: Sheet) -> Sheet:
        return replace(sheet, thickness=home.thickness, roughness=home.roughness)

    scene = shot.scene
    neighbours = tuple(replace(n, sheet=as_printed(n.sheet)) for n in scene.neighbours)
    scene = replace(scene, sheet=as_printed(scene.sheet), neighbours=neighbours)
    return replace(shot, scene=scene)


def furnish(home: Home, profile: Profile, folder: Path) -> tuple[Sheet, TokenSet]:
    """Print what a home prints into a folder: its board and its tokens."""
    fine = 2 * PX_PER_MM
    picture = rasterise(describe_board(profile.layout), fine)
    beside, above = (round(more * fine) for more in home.margin)
    sheet = cv2.copyMakeBorder(
        picture, above, above, beside, beside, cv2.BORDER_CONSTANT, value=(255, 255, 255)
    )
    path = folder / "board.png"
    cv2.imwrite(str(path), home.printer.put(np.asarray(sheet, np.uint8), fine))
    faces = {} if home.paints else dict(_printed_tokens(home.printer, folder))
    return Sheet(path, profile.size_mm, home.margin), replace(
        home.tokens, paints=home.paints, faces=faces
    )


def _printed_tokens(printer: Printer, folder: Path) -> Iterator[tuple[str, Path]]:
    size = (DIAMETER_MM, DIAMETER_MM)
    for number, piece in enumerate(TOKEN_STYLES):
        marks = tuple(draw_token(piece, (DIAMETER_MM / 2, DIAMETER_MM / 2)))
        path = folder / f"{piece}.png"
        drawn = rasterise(Drawing(size, marks), TOKEN_PX_PER_MM)
        cv2.imwrite(str(path), printer.put(drawn, TOKEN_PX_PER_MM, seed=number))
        yield piece, path
