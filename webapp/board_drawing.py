"""The geometry of a drawn board: everything in the layout's millimetres."""

from dataclasses import dataclass
from functools import cache
from math import dist
from statistics import fmean, pstdev

from calibration import Profile

ROUND_ENOUGH_MM = 2.5
"""How far an orbit's spaces may stray from a circle that is still drawn as one."""


@dataclass(frozen=True)
class DrawnSpace:
    """A space of the galaxy; `region` is its constellation, "" for the core."""

    id: str
    x: float
    y: float
    radius: float
    region: str
    highlighted: bool


@dataclass(frozen=True)
class DrawnLink:
    """A drawn line between two spaces' rims; `kind` is direct or indirect."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class DrawnOrbit:
    """An orbit: a circle, or a closed line where its spaces do not lie on one.

    `label_at` is its lowest point, where its number is printed.
    """

    number: int
    radius: float | None
    points: str
    label_at: tuple[float, float]


@dataclass(frozen=True)
class Drawing:
    """A board, ready to be drawn: sizes and places in mm."""

    width: float
    height: float
    core: tuple[float, float]
    spaces: tuple[DrawnSpace, ...]
    links: tuple[DrawnLink, ...]
    orbits: tuple[DrawnOrbit, ...]
    track: tuple[tuple[float, float, int], ...]
    track_radius: float


def draw(profile: Profile) -> Drawing:
    """Return the drawing of a profile's board."""
    return _draw(profile.name, profile)


@cache
def _draw(_name: str, profile: Profile) -> Drawing:
    board, at = profile.board, profile.spaces
    core = at[board.core].at
    spaces = tuple(
        DrawnSpace(
            id=name,
            x=at[name].at[0],
            y=at[name].at[1],
            radius=at[name].radius,
            region=board.constellation_of(name) or "",
            highlighted=name in board.highlighted,
        )
        for name in board.spaces
    )
    links = tuple(
        _link(profile, link.a, link.b, link.kind)
        for kind in ("direct", "indirect")
        for link in board.links_of(kind)
    )
    orbits = tuple(
        _orbit(number, core, [at[name].at for name in names])
        for number, names in board.orbits.items()
    )
    track = tuple(
        (x, y, points)
        for (x, y), points in zip(profile.track.at, profile.track.points, strict=True)
    )
    width, height = profile.size_mm
    return Drawing(width, height, core, spaces, links, orbits, track, profile.track.radius)


def _link(profile: Profile, a: str, b: str, kind: str) -> DrawnLink:
    start, end = profile.spaces[a], profile.spaces[b]
    (x1, y1), (x2, y2) = start.at, end.at
    length = dist(start.at, end.at)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    return DrawnLink(
        round(x1 + dx * start.radius, 2),
        round(y1 + dy * start.radius, 2),
        round(x2 - dx * end.radius, 2),
        round(y2 - dy * end.radius, 2),
        kind,
    )


def _orbit(
    number: int, core: tuple[float, float], centres: list[tuple[float, float]]
) -> DrawnOrbit:
    radii = [dist(core, centre) for centre in centres]
    if pstdev(radii) <= ROUND_ENOUGH_MM:
        radius = round(fmean(radii), 2)
        return DrawnOrbit(number, radius, "", (core[0], core[1] + radius))
    points = " ".join(f"{x:g},{y:g}" for x, y in centres)
    return DrawnOrbit(number, None, points, max(centres, key=lambda centre: centre[1]))
