"""Places: where pieces can lie on a printed board, and their shapes in millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, TypeVar

from scorer.datafile import DataFileError, Problem, parse_yaml
from scorer.sentence import Phrasebook
from scorer.topology import Topology

PlaceKind = Literal["spot", "edge", "track", "region"]
"""A spot and an edge (a link's own space) hold one piece; a track is ordered spots, filled from its
beginning; a region holds any number of pieces, which are counted."""

MAX_SIDE_MM = 2000.0
Point = tuple[float, float]
Board = TypeVar("Board", bound=Topology)

LAYOUT_WORDS = Phrasebook(
    parse_yaml(files(__package__).joinpath("layout_words.yaml").read_text(encoding="utf-8")), {}
)
"""What may be wrong with a layout that somebody draws."""


@dataclass(frozen=True, order=True)
class Place:
    """Where a piece can lie: a space, a link, a region, or one slot of a track, counted from 0.

    >>> str(Place("a1")), str(Place("row", "track", 3))
    ('a1', 'row/3')
    """

    id: str
    kind: PlaceKind = "spot"
    slot: int = 0

    def __str__(self) -> str:
        """The place as a key of JSON data."""
        return f"{self.id}/{self.slot}" if self.kind == "track" else self.id


@dataclass(frozen=True)
class Circle:
    """A round place: its centre in mm from the printed top-left corner, its radius in mm."""

    at: Point
    radius: float

    @property
    def discs(self) -> tuple[Circle, ...]:
        """Itself: the circles that make it up."""
        return (self,)


@dataclass(frozen=True)
class Bar:
    """An oblong place: its centre and its (length, width) in mm, turned `turn` degrees clockwise.

    >>> round(Bar((50, 50), (9, 5), 0).radius, 1)
    5.1
    """

    at: Point
    size: Point
    turn: float

    @property
    def radius(self) -> float:
        """Of the circle around it, in mm."""
        return math.hypot(*self.size) / 2

    @property
    def discs(self) -> tuple[Circle, ...]:
        """Circles as wide as the bar, side by side along it; no more than 101.

        >>> len(Bar((50, 50), (9, 1e-9), 0).discs)
        101
        """
        length, width = self.size
        along = (length - width) / 2
        dx, dy = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = self.at
        steps = min(max(1, round(2 * along / width)), 100)  # a hair's width asks for no more
        parts = (along * (2 * i / steps - 1) for i in range(steps + 1))
        return tuple(Circle((x + dx * part, y + dy * part), width / 2) for part in parts)


Shape = Circle | Bar


@dataclass(frozen=True)
class PrintedBoard:
    """What a layout file says of a game's board: its spaces and links, and where places lie."""

    board: Topology
    places: Mapping[Place, Shape]


class FieldReader:
    """Reads the fields of a layout and collects what is wrong with them, as (key, reason).

    >>> fields = FieldReader({"size_mm": [200, "wide"]})
    >>> fields.point("size_mm", fields.data["size_mm"])
    >>> fields.problems
    [('size_mm[1]', 'must be a number')]
    """

    def __init__(self, data: Mapping[str, object]) -> None:
        """Read from `data`, the mapping that the file holds."""
        self.data = data
        self.problems: list[Problem] = []
        self.shapes: dict[str, Shape] = {}
        """What was read of where places lie, by the key that says so."""

    def wrong(self, key: str, reason: str) -> None:
        """Note a mistake."""
        self.problems.append((key, reason))

    def number(self, key: str, value: object, above: float = -math.inf) -> float | None:
        """A length in mm; None, and a problem noted, for anything else."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, "must be a number")
        elif not -MAX_SIDE_MM <= value <= MAX_SIDE_MM:  # also for what is no finite number
            self.wrong(key, LAYOUT_WORDS.say("within", most=f"{MAX_SIDE_MM:.0f}"))
        elif value <= above:
            self.wrong(key, LAYOUT_WORDS.say("more_than", least=f"{above:g}"))
        else:
            return float(value)
        return None

    def point(self, key: str, value: object, above: float = -math.inf) -> Point | None:
        """Two lengths in mm, [x, y]; None, and a problem noted, for anything else."""
        if not isinstance(value, list) or len(value) != 2:
            self.wrong(key, "must be two numbers, [x, y] in mm")
            return None
        x, y = (self.number(f"{key}[{i}]", one, above) for i, one in enumerate(value))
        return None if x is None or y is None else (x, y)

    def circles(self, key: str) -> dict[str, Circle]:
        """The circles of a mapping of ids to {at: [x, y], radius: r}; those that are right."""
        written = self.data.get(key)
        if not isinstance(written, Mapping) or not written:
            self.wrong(key, "must be a mapping of a space's id to {at: [x, y], radius: r}")
            return {}
        found = {}
        for name, value in written.items():
            at_key = f"{key}.{name}"
            if not isinstance(value, Mapping):
                self.wrong(at_key, "must be {at: [x, y], radius: r}")
                continue
            at = self.point(f"{at_key}.at", value.get("at"))
            radius = self.number(f"{at_key}.radius", value.get("radius"), above=0.0)
            if at is not None and radius is not None:
                found[str(name)] = self.shapes[at_key] = Circle(at, radius)
        return found

    def topology(self, from_data: Callable[[object], Board]) -> Board | None:
        """The board of the key `topology`; None, and every problem noted, where it is wrong."""
        if "topology" not in self.data:
            self.wrong("topology", "must be `standard`, or written out")
            return None
        try:
            return from_data(self.data["topology"])
        except DataFileError as error:
            self.topology_problems(error)
            return None

    def topology_problems(self, error: ValueError) -> None:
        """Note what a game's board reader found, under the layout's key for it."""
        told = getattr(error, "problems", None) or [("", " ".join(str(error).split()))]
        for key, reason in told:
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
