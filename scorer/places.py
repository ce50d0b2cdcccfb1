"""Places for pieces on a printed board, and their shapes in millimetres."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pkgutil import resolve_name
from typing import Any, Literal, TypeVar

from scorer.datafile import DataFileError, Problem, read_package_file
from scorer.sentence import Phrasebook
from scorer.topology import Topology

PlaceKind = Literal["spot", "edge", "track", "dial", "region"]
"""Spots and edges (places on links) hold one piece. A track is a row of spots, filled from its
beginning. The places of a dial are what its printed pointer may point at, one at a time. A region
holds any number of pieces, which are counted."""

MAX_SIDE_MM = 2000.0
MOST_CORNERS = 100
Point = tuple[float, float]
Board = TypeVar("Board", bound=Topology)

LAYOUT_WORDS = Phrasebook(read_package_file(__package__, "layout_words.yaml"), {})
"""Messages about mistakes in layouts that users draw."""


@dataclass(frozen=True, order=True)
class Place:
    """A place for a piece: a space, a link, one slot of a track, or the nth piece of a region.

    Slots count from 0. Those of a region have no meaning: `in_region` numbers its pieces.

    >>> str(Place("a1")), str(Place("row", "track", 3))
    ('a1', 'row/3')
    """

    id: str
    kind: PlaceKind = "spot"
    slot: int = 0

    def __str__(self) -> str:
        """The place as a key of JSON data."""
        return f"{self.id}/{self.slot}" if self.kind == "track" or self.slot else self.id

    @property
    def whole(self) -> "Place":
        """The place whose shape a layout has: a region without its slot, any other place itself."""
        return Place(self.id, self.kind) if self.kind == "region" else self


def in_region(region: str, pieces: Mapping[str, int]) -> dict[Place, str]:
    """Number the pieces in a region, so that each has its own slot.

    >>> {str(place): piece for place, piece in in_region("hill", {"sheep": 2, "goat": 1}).items()}
    {'hill': 'goat', 'hill/1': 'sheep', 'hill/2': 'sheep'}
    """
    each = sorted(piece for piece, count in pieces.items() for _ in range(count))
    return {Place(region, "region", slot): piece for slot, piece in enumerate(each)}


def counted(pieces: Mapping[Place, str], region: str) -> Counter[str]:
    """The number of pieces of each kind in a region.

    >>> sorted(counted(in_region("hill", {"sheep": 2, "goat": 1}), "hill").items())
    [('goat', 1), ('sheep', 2)]
    """
    return Counter(piece for at, piece in pieces.items() if at.kind == "region" and at.id == region)


def spaces_by_piece(spaces: Sequence[str], pieces: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The spaces of each piece, in the order of `spaces`.

    >>> spaces_by_piece(("a", "b", "c"), {"c": "red", "a": "red"})
    {'red': ('a', 'c')}
    """
    found: dict[str, list[str]] = {}
    for space in spaces:
        if space in pieces:
            found.setdefault(pieces[space], []).append(space)
    return {piece: tuple(own) for piece, own in found.items()}


def in_order(pieces: Mapping[Place, str]) -> dict[Place, str]:
    """The same pieces, with those in regions numbered as in `in_region`."""
    regions = {place.id: None for place in pieces if place.kind == "region"}
    others = {place: piece for place, piece in pieces.items() if place.kind != "region"}
    numbered = (in_region(region, counted(pieces, region)) for region in regions)
    return others | {place: piece for each in numbered for place, piece in each.items()}


@dataclass(frozen=True)
class Circle:
    """A round place: its centre in mm from the printed top-left corner, its radius in mm."""

    at: Point
    radius: float

    @property
    def discs(self) -> "tuple[Circle, ...]":
        return (self,)

    @cached_property
    def outline(self) -> tuple[Point, ...]:
        """48 points on the circle, in mm."""
        return _arc(self.at, self.radius, 0, 360, 48)[:-1]


@dataclass(frozen=True)
class Bar:
    """An oblong place: its centre and (length, width) in mm, turned `turn` degrees clockwise.

    >>> round(Bar((50, 50), (9, 5), 0).radius, 1)
    5.1
    """

    at: Point
    size: Point
    turn: float

    @property
    def radius(self) -> float:
        """The radius of the circumscribed circle in mm."""
        return math.hypot(*self.size) / 2

    @cached_property
    def discs(self) -> tuple[Circle, ...]:
        """Circles as wide as the bar, side by side along it; 101 at most.

        >>> len(Bar((50, 50), (9, 1e-9), 0).discs)
        101
        """
        length, width = self.size
        along = (length - width) / 2
        dx, dy = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = self.at
        steps = min(max(1, round(2 * along / width)), 100)  # bounds the number for tiny widths
        parts = (along * (2 * i / steps - 1) for i in range(steps + 1))
        return tuple(Circle((x + dx * part, y + dy * part), width / 2) for part in parts)

    @cached_property
    def outline(self) -> tuple[Point, ...]:
        """The four corners in mm."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = self.size[0] / 2, self.size[1] / 2
        corners = ((x, y), (-x, y), (-x, -y), (x, -y))
        return tuple((self.at[0] + c * u - s * v, self.at[1] + s * u + c * v) for u, v in corners)


class _Area:
    """Base of polygons and wedges, which are not made up of circles."""

    outline: tuple[Point, ...]
    at: Point

    @cached_property
    def radius(self) -> float:
        """The largest distance from `at` to the outline, in mm."""
        return max(math.dist(self.at, point) for point in self.outline)

    @cached_property
    def discs(self) -> tuple[Circle, ...]:
        """The points of the outline, as circles of radius 0."""
        return tuple(Circle(point, 0.0) for point in self.outline)


@dataclass(frozen=True)
class Polygon(_Area):
    """A polygonal place: its three or more corners in mm, in order.

    >>> Polygon(((0, 0), (30, 0), (30, 10), (0, 10))).at
    (15.0, 5.0)
    """

    points: tuple[Point, ...]

    @cached_property
    def outline(self) -> tuple[Point, ...]:  # type: ignore[override]
        return self.points

    @property
    def at(self) -> Point:  # type: ignore[override]
        """The centroid, or the mean of the corners if the area is 0."""
        area = x = y = 0.0
        for (ax, ay), (bx, by) in pairwise((*self.points, self.points[0])):
            cross = ax * by - bx * ay
            area, x, y = area + cross, x + (ax + bx) * cross, y + (ay + by) * cross
        if area == 0:
            xs, ys = zip(*self.points, strict=True)
            return sum(xs) / len(xs), sum(ys) / len(ys)
        return x / (3 * area), y / (3 * area)


@dataclass(frozen=True)
class Wedge(_Area):
    """A sector of a ring: between two radii in mm about `centre`, and two directions.

    Directions are degrees clockwise from the top, `start` before `end`.

    >>> Wedge((100, 100), (20, 60), -15, 15).at
    (100.0, 60.0)
    """

    centre: Point
    radii: Point
    start: float
    end: float

    @property
    def at(self) -> Point:  # type: ignore[override]
        """The middle of its arc, halfway between its radii."""
        middle = on_arc(self.centre, sum(self.radii) / 2, (self.start + self.end) / 2)
        return round(middle[0], 6), round(middle[1], 6)

    @cached_property
    def outline(self) -> tuple[Point, ...]:  # type: ignore[override]
        """Points along its two arcs, at most 5 degrees apart."""
        steps = max(2, math.ceil((self.end - self.start) / 5))
        inner, outer = (_arc(self.centre, r, self.start, self.end, steps) for r in self.radii)
        return (*outer, *reversed(inner))


def on_arc(centre: Point, radius: float, direction: float) -> Point:
    """The point at `radius` from `centre`, `direction` in degrees clockwise from above."""
    turn = math.radians(direction)
    return centre[0] + radius * math.sin(turn), centre[1] - radius * math.cos(turn)


def _arc(centre: Point, radius: float, start: float, end: float, steps: int) -> tuple[Point, ...]:
    turns = (start + (end - start) * step / steps for step in range(steps + 1))
    return tuple(on_arc(centre, radius, turn) for turn in turns)


Shape = Circle | Bar | Polygon | Wedge


def inside(shape: Shape, point: Point, margin: float = 0.0) -> bool:
    """Whether a point lies in a place, at least `margin` mm from its outline.

    >>> square = Polygon(((0, 0), (10, 0), (10, 10), (0, 10)))
    >>> inside(square, (1, 5)), inside(square, (1, 5), margin=2), inside(square, (11, 5))
    (True, False, False)
    """
    x, y = point
    within = False
    sides = tuple(pairwise((*shape.outline, shape.outline[0])))
    for (ax, ay), (bx, by) in sides:
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            within = not within
    if not within:
        return False
    for (ax, ay), (bx, by) in sides:
        long = (bx - ax) ** 2 + (by - ay) ** 2
        share = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long if long else 0.0
        share = min(max(share, 0.0), 1.0)
        if math.dist(point, (ax + share * (bx - ax), ay + share * (by - ay))) < margin:
            return False
    return True


def overlapping(one: Shape, other: Shape) -> bool:
    """Whether the areas of two places overlap; touching outlines do not count."""
    if isinstance(one, Circle | Bar) and isinstance(other, Circle | Bar):
        return any(
            math.dist(a.at, b.at) < a.radius + b.radius for a in one.discs for b in other.discs
        )
    if _apart(one.outline, other.outline):
        return False
    return any(
        inside(outer, point, _TOUCHING)
        for outer, inner in ((one, other), (other, one))
        for point in (inner.at, *inner.outline)
    )


def _apart(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether the bounding boxes of two outlines are disjoint."""
    return any(
        max(a) < min(b) or max(b) < min(a)
        for a, b in zip(zip(*one, strict=True), zip(*other, strict=True), strict=True)
    )


_TOUCHING = 0.05
"""Overlap in mm that is tolerated, as rounding may move a common outline."""


def written(places: Mapping[Place, Shape], kind: PlaceKind) -> dict[str, dict[str, Any]]:
    """The shapes of the places of one kind by id, as `FieldReader.places` reads them.

    >>> written({Place("a1"): Circle((20.0, 30.0), 8.0)}, "spot")
    {'a1': {'at': [20.0, 30.0], 'radius': 8.0}}
    """
    return {place.id: _shape_data(shape) for place, shape in places.items() if place.kind == kind}


def _shape_data(shape: Shape) -> dict[str, Any]:
    match shape:
        case Circle(at, radius):
            return {"at": [*at], "radius": radius}
        case Bar(at, size, turn):
            return {"at": [*at], "size": [*size], "turn": turn}
        case Polygon(points):
            return {"points": [[*point] for point in points]}
        case Wedge(centre, radii, start, end):
            return {"centre": [*centre], "radii": [*radii], "from": start, "to": end}


@dataclass(frozen=True)
class PrintedBoard:
    """The board in a layout file: its topology, and the shape of each place."""

    board: Topology
    places: Mapping[Place, Shape]


class FieldReader:
    """Reads the fields of a layout and collects problems as (key, reason).

    >>> fields = FieldReader({"size_mm": [200, "wide"]})
    >>> fields.point("size_mm", fields.data["size_mm"])
    >>> fields.problems
    [('size_mm[1]', 'must be a number')]
    """

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.problems: list[Problem] = []
        self.shapes: dict[str, Shape] = {}
        """The shapes read so far, by their key."""

    def wrong(self, key: str, reason: str) -> None:
        self.problems.append((key, reason))

    def number(self, key: str, value: object, above: float = -math.inf) -> float | None:
        """A length in mm; otherwise None, with a problem noted."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, "must be a number")
        elif not -MAX_SIDE_MM <= value <= MAX_SIDE_MM:  # also rejects nan and infinity
            self.wrong(key, LAYOUT_WORDS.say("within", most=f"{MAX_SIDE_MM:.0f}"))
        elif value <= above:
            self.wrong(key, LAYOUT_WORDS.say("more_than", least=f"{above:g}"))
        else:
            return float(value)
        return None

    def point(self, key: str, value: object, above: float = -math.inf) -> Point | None:
        """Two lengths in mm, [x, y]; otherwise None, with a problem noted."""
        if not isinstance(value, list) or len(value) != 2:
            self.wrong(key, "must be two numbers, [x, y] in mm")
            return None
        x, y = (self.number(f"{key}[{i}]", one, above) for i, one in enumerate(value))
        return None if x is None or y is None else (x, y)

    def circles(self, key: str) -> dict[str, Circle]:
        """The valid circles in a mapping of ids to {at: [x, y], radius: r}."""
        own = self._mapping(key, "must be a mapping of a space's id to {at: [x, y], radius: r}")
        found = {}
        for name, value in own.items():
            if not isinstance(value, Mapping):
                self.wrong(f"{key}.{name}", "must be {at: [x, y], radius: r}")
            elif (circle := self._circle(f"{key}.{name}", value)) is not None:
                found[str(name)] = self.shapes[f"{key}.{name}"] = circle
        return found

    def places(self, key: str, kind: PlaceKind) -> dict[Place, Shape]:
        """The valid places in a mapping of ids to shapes of any kind, as `written` writes them.

        A circle is {at: [x, y], radius: r}, a bar {at: [x, y], size: [length, width], turn: t}, a
        polygon {points: [[x, y], ...]}, a wedge {centre: [x, y], radii: [r, R], from: a, to: b}.
        """
        found: dict[Place, Shape] = {}
        for name, value in self._mapping(key, "must be a mapping of ids to shapes").items():
            shape = self._shape(f"{key}.{name}", value)
            if shape is not None:
                found[Place(str(name), kind)] = self.shapes[f"{key}.{name}"] = shape
        return found

    def _mapping(self, key: str, reason: str) -> Mapping[object, object]:
        written = self.data.get(key)
        if isinstance(written, Mapping) and written:
            return written
        self.wrong(key, reason)
        return {}

    def _shape(self, key: str, value: object) -> Shape | None:
        fields = value if isinstance(value, Mapping) else {}
        for field, read in (
            ("points", self._polygon),
            ("radii", self._wedge),
            ("size", self._bar),
            ("radius", self._circle),
        ):
            if field in fields:
                return read(key, fields)
        self.wrong(key, "must have a radius, size and turn, points, or radii, from and to")
        return None

    def _circle(self, key: str, value: Mapping[Any, object]) -> Circle | None:
        at = self.point(f"{key}.at", value.get("at"))
        radius = self.number(f"{key}.radius", value.get("radius"), above=0.0)
        return None if at is None or radius is None else Circle(at, radius)

    def _bar(self, key: str, value: Mapping[Any, object]) -> Bar | None:
        at = self.point(f"{key}.at", value.get("at"))
        size = self.point(f"{key}.size", value.get("size"), above=0.0)
        turn = self.number(f"{key}.turn", value.get("turn", 0))
        return None if at is None or size is None or turn is None else Bar(at, size, turn)

    def _polygon(self, key: str, value: Mapping[Any, object]) -> Polygon | None:
        written = value["points"] if isinstance(value["points"], list) else []
        if not 3 <= len(written) <= MOST_CORNERS:
            self.wrong(f"{key}.points", f"must be 3 to {MOST_CORNERS} corners, [[x, y], ...] in mm")
            return None
        points = [self.point(f"{key}.points[{i}]", one) for i, one in enumerate(written)]
        known = tuple(point for point in points if point is not None)
        return Polygon(known) if len(known) == len(points) else None

    def _wedge(self, key: str, value: Mapping[Any, object]) -> Wedge | None:
        centre = self.point(f"{key}.centre", value.get("centre"))
        radii = self.point(f"{key}.radii", value["radii"], above=0.0)
        start, end = (self.number(f"{key}.{side}", value.get(side)) for side in ("from", "to"))
        if centre is None or radii is None or start is None or end is None:
            return None
        if not radii[0] < radii[1]:
            self.wrong(f"{key}.radii", "must be the inner radius, then the outer one")
        elif not start < end <= start + 360:
            self.wrong(f"{key}.to", "must be up to 360 degrees clockwise after `from`")
        else:
            return Wedge(centre, radii, start, end)
        return None

    def topology(self, standard: Board, reader: str) -> Board | None:
        """The board under the key `topology`: the word `standard`, or written out in full.

        None, with every problem noted, if it is wrong. `reader`, such as `package.module:function`,
        reads one that is written out; it is imported only then, as pydantic is slow to import.
        """
        if "topology" not in self.data:
            self.wrong("topology", "must be `standard`, or written out")
            return None
        if self.data["topology"] == "standard":
            return standard
        try:
            board: Board = resolve_name(reader)(self.data["topology"])
        except DataFileError as error:
            self.topology_problems(error)
            return None
        return board

    def topology_problems(self, error: ValueError) -> None:
        """Note the problems that a game's board reader found, under the layout's key for it."""
        problems = getattr(error, "problems", None) or [("", " ".join(str(error).split()))]
        for key, reason in problems:
            under = key if key.startswith("topology") else f"topology.{key}".rstrip(".")
            self.wrong(under, reason)

    def same_names(self, key: str, board: Topology) -> None:
        """Note each space that only one of the layout's `key` and the board has."""
        written = self.data.get(key)
        names = {str(name) for name in written} if isinstance(written, Mapping) else set()
        if not names:
            return
        for name in sorted(set(board.spaces) - names):
            self.wrong(f"{key}.{name}", LAYOUT_WORDS.say("space_missing"))
        for name in sorted(names - set(board.spaces)):
            self.wrong(f"{key}.{name}", LAYOUT_WORDS.say("no_space"))
