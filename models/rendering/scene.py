"""A scene as plain values: the things on a table, the light and the camera.

Lengths are millimetres. A point on the table is given in the board's own coordinates, from its
printed top-left corner, x to the right and y down, and may lie beside it; heights are above the
table. Angles are degrees, rotations counter-clockwise seen from above. Colours are #rrggbb. With
several boards, points of the table are in the coordinates of the first.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scorer.places import Point as Point


@dataclass(frozen=True)
class Sheet:
    """A printed board of `size` on cardboard or paper; its picture covers it to the edge.

    `margin` is the paper left beside and above the board, which the picture includes. `bend` is how
    far the ends rise (left and right, top and bottom), `twist` how far two opposite corners do.
    """

    picture: Path
    size: Point
    margin: Point = (0.0, 0.0)
    thickness: float = 1.8
    bend: Point = (0.0, 0.0)
    twist: float = 0.0
    roughness: float = 0.42

    def height(self, at: Point) -> float:
        """The height of the printed side above the table, at a point of the board."""
        u = 2 * at[0] / self.size[0] - 1
        v = 2 * at[1] / self.size[1] - 1
        lift = self.bend[0] * u * u + self.bend[1] * v * v + abs(self.twist) + self.twist * u * v
        return self.thickness + max(0.0, lift)


@dataclass(frozen=True)
class TokenSet:
    """A game's tokens: stars, discs if `points` is 0, or beads if there is a `lathe`.

    `waist` is the inner radius divided by the outer one; `lathe` is a profile of (radius, height)
    revolved about the vertical. A `bar` has (length, width) instead. `material` is wood, plastic or
    acrylic; `paints` has each painted piece's colour, `faces` the picture of each printed one, or
    the net of a `folded` box. Pieces made differently are in their own sets, `others`.
    """

    points: int = 5
    waist: float = 0.56
    radius: float = 7.2
    height: float = 4.5
    material: str = "wood"
    paints: Mapping[str, str] = field(default_factory=dict)
    faces: Mapping[str, Path] = field(default_factory=dict)
    lathe: tuple[Point, ...] = ()
    bar: Point | None = None
    folded: bool = False
    others: "Mapping[str, TokenSet]" = field(default_factory=dict)

    def of(self, piece: str) -> "TokenSet":
        """The set that a piece belongs to. Raise KeyError for a piece that is not a token."""
        if piece in self.others:
            return self.others[piece]
        if piece not in self.paints and piece not in self.faces:
            raise KeyError(piece)
        return self

    def has(self, piece: str) -> bool:
        """Whether a piece is a token of the set or of another."""
        return any(piece in among for among in (self.others, self.paints, self.faces))

    def outline(self) -> list[Point]:
        """The footprint of a token in mm, counter-clockwise around its centre."""
        if self.bar is not None:
            x, y = self.bar[0] / 2, self.bar[1] / 2
            return [(x, y), (-x, y), (-x, -y), (x, -y)]
        corners = 2 * self.points or 40
        radii = [1.0, self.waist if self.points else 1.0]
        return [
            (
                self.radius * radii[i % 2] * math.cos(2 * math.pi * i / corners),
                self.radius * radii[i % 2] * math.sin(2 * math.pi * i / corners),
            )
            for i in range(corners)
        ]


@dataclass(frozen=True)
class PlacedPiece:
    """A piece on the board or beside it, raised by `up` mm if it is `on` another one, by index.

    `lean` is the angle by which a box is tipped over an edge; at 90 it lies on a side.
    """

    piece: str
    at: Point
    turn: float = 0.0
    up: float = 0.0
    lean: float = 0.0
    on: int | None = None


@dataclass(frozen=True)
class Neighbour:
    """Another board on the table, with its centre `at` a point, and its pieces."""

    sheet: Sheet
    pieces: tuple[PlacedPiece, ...]
    at: Point
    turn: float


@dataclass(frozen=True)
class Prop:
    """Clutter on the table, or `up` above it: a mug, a card, a pencil, a box or an arm."""

    kind: str
    at: Point
    turn: float = 0.0
    colour: str = "#20264a"
    up: float = 0.0


@dataclass(frozen=True)
class TableTop:
    """The table top: wood in planks, woven cloth or a plain surface."""

    kind: str = "wood"
    dark: str = "#5a3218"
    light: str = "#9a6232"
    turn: float = 0.0
    roughness: float = 0.4


@dataclass(frozen=True)
class AreaLight:
    """A square light of `size`, `height` above a point of the table, aimed at the board.

    `power` is relative: 1 lights the board well from 800 mm.
    """

    at: Point
    height: float
    size: float
    power: float
    colour: str = "#ffffff"


@dataclass(frozen=True)
class Viewpoint:
    """A camera that looks at the point `at` from `distance`, at `elevation` above the table.

    `azimuth` 0 is at the board's bottom edge, 90 at its right one. `focal` is for a frame
    36 mm wide; `aperture` is the lens opening's radius.
    """

    at: Point
    azimuth: float
    elevation: float
    distance: float
    roll: float = 0.0
    focal: float = 34.0
    aperture: float = 1.2

    def sees(self, at: Point) -> tuple[float, float, float]:
        """The image of a point of the table, without `roll`, and its depth.

        (right, down) from the picture's centre, in halves of its width.
        """
        azimuth, elevation = math.radians(self.azimuth), math.radians(self.elevation)
        x, y = at[0] - self.at[0], at[1] - self.at[1]
        right = x * math.cos(azimuth) - y * math.sin(azimuth)
        near = x * math.sin(azimuth) + y * math.cos(azimuth)
        depth = self.distance - near * math.cos(elevation)
        scale = 2 * self.focal / 36 / depth
        return scale * right, scale * near * math.sin(elevation), depth


@dataclass(frozen=True)
class Scene:
    """A scene to photograph. `size` is in px; `sky` is the colour of the ambient light."""

    sheet: Sheet
    pieces: tuple[PlacedPiece, ...]
    tokens: TokenSet
    table: TableTop
    lamps: tuple[AreaLight, ...]
    camera: Viewpoint
    props: tuple[Prop, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    sky: str = "#ffffff"
    sky_power: float = 0.3
    exposure: float = 0.0
    size: tuple[int, int] = (1600, 1200)
