"""The layout file of a board: where its spaces are, in millimetres.

A layout is data that a player may write by hand, so a file with mistakes is answered
with all of them, each with its key and its reason.
"""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import yaml

import scorer
from scorer.datafile import DataFileError, bounded, printable, read_data_file
from scorer.nebula import GalaxyBoard

FORMAT = 1
MAX_SIDE_MM = 2000.0
KNOWN_KEYS = ("format", "game", "name", "size_mm", "spaces", "black_track", "topology")

Problem = tuple[str, str]
"""A key of the layout, dotted, and what is wrong with it."""


class ProfileError(ValueError):
    """A profile, a layout file or a photograph to calibrate from is not what it should be.

    `problems` holds the mistakes found as (key, reason), as many as a person would read; `str()` is
    one line.
    """

    def __init__(self, source: str | Path, problems: Sequence[Problem]) -> None:
        """`source` names the file or profile that the problems are about."""
        self.source = str(source)
        self.problems = bounded(problems)
        told = "; ".join(f"{key}: {reason}" if key else reason for key, reason in self.problems)
        super().__init__(f"{printable(self.source)}: {told}")

    def __reduce__(self) -> tuple[type[ProfileError], tuple[str, tuple[Problem, ...]]]:
        """A worker process hands it over whole."""
        return type(self), (self.source, self.problems)


@dataclass(frozen=True)
class Space:
    """A round space: its centre in mm from the printed top-left corner, its radius in mm."""

    at: tuple[float, float]
    radius: float


@dataclass(frozen=True)
class Track:
    """The black-star track: centres in mm from left to right, one radius, printed numbers.

    `points[i]` is what the track scores while its space i is the first that is empty;
    `full` is what it scores with no space empty.
    """

    at: tuple[tuple[float, float], ...]
    radius: float
    points: tuple[int, ...]
    full: int


@dataclass(frozen=True)
class Layout:
    """A checked layout file. `topology` is kept as written, `board` is what it means."""

    game: str
    title: str
    size_mm: tuple[float, float]
    spaces: Mapping[str, Space]
    track: Track
    topology: object
    board: GalaxyBoard

    @property
    def places(self) -> dict[str, Space]:
        """Every place for a star: the spaces, then ``track 0`` and on from left to right."""
        track = {f"track {i}": Space(at, self.track.radius) for i, at in enumerate(self.track.at)}
        return {**self.spaces, **track}

    def to_data(self) -> dict[str, Any]:
        """Return the layout as a layout file has it, in the order a person reads it."""
        return {
            "format": FORMAT,
            "game": self.game,
            "name": self.title,
            "size_mm": list(self.size_mm),
            "spaces": {
                name: {"at": list(space.at), "radius": space.radius}
                for name, space in self.spaces.items()
            },
            "black_track": {
                "at": [list(at) for at in self.track.at],
                "radius": self.track.radius,
                "points": list(self.track.points),
                "full": self.track.full,
            },
            "topology": self.topology,
        }


def board_corners(size_mm: tuple[float, float]) -> npt.NDArray[np.float64]:
    """(4, 2) mm, a board's corners clockwise from the printed top-left."""
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def load_layout(path: Path) -> Layout:
    """Read and check a layout file. Raises `ProfileError` with every mistake in it."""
    try:
        data = read_data_file(path)
    except DataFileError as error:
        raise ProfileError(path, error.problems) from error
    return layout_from_data(data, path)


def dump_layout(layout: Layout) -> str:
    """Write a layout as YAML, a space a line."""

    data = layout.to_data()
    data["spaces"] = {name: _OneLine(space) for name, space in data["spaces"].items()}
    return yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None
    )


class _OneLine(dict[str, Any]):
    """A mapping that is written {on: one, line: as} the format shows it."""


class _Dumper(yaml.SafeDumper):
    """Safe YAML without aliases, which no layout may have."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_Dumper.add_representer(
    _OneLine,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True),
)


def games() -> tuple[str, ...]:
    """Name the games whose boards can be read: the packages of `scorer`."""
    return tuple(
        sorted(found.name for found in pkgutil.iter_modules(scorer.__path__) if found.ispkg)
    )


def layout_from_data(data: object, source: str | Path = "layout") -> Layout:
    """Check the content of a layout file. Raises `ProfileError` with every mistake in it."""
    if not isinstance(data, Mapping):
        raise ProfileError(
            source, [("", "must be a mapping with the keys " + ", ".join(KNOWN_KEYS))]
        )
    check = _Check(data)
    if data.get("format", FORMAT) != FORMAT:
        check.wrong("format", f"must be {FORMAT}")
    size = check.size()
    title = check.title()
    spaces = check.spaces()
    track = check.track()
    game, board = check.board(spaces)
    check.geometry(size, spaces, track)
    if check.problems:
        raise ProfileError(source, check.problems)
    # No problem means that nothing above came back empty.
    assert game and size and track and board
    return Layout(
        game=game,
        title=title,
        size_mm=size,
        spaces=MappingProxyType(spaces),
        track=track,
        topology=data["topology"],
        board=board,
    )


class _Check:
    """Goes through a layout's keys and collects what is wrong with them."""

    def __init__(self, data: Mapping[str, object]) -> None:
        self.data = data
        self.problems: list[Problem] = []

    def wrong(self, key: str, reason: str) -> None:
        self.problems.append((key, reason))

    def number(self, key: str, value: object, above: float = -math.inf) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(key, "must be a number")
        elif not math.isfinite(value) or abs(value) > MAX_SIDE_MM:
            self.wrong(key, f"must lie between -{MAX_SIDE_MM:.0f} and {MAX_SIDE_MM:.0f} mm")
        elif value <= above:
            self.wrong(key, f"must be more than {above:g}")
        else:
            return float(value)
        return None

    def pair(self, key: str, value: object, above: float = -math.inf) -> tuple[float, float] | None:
        if not isinstance(value, list) or len(value) != 2:
            self.wrong(key, "must be two numbers, [x, y] in mm")
            return None
        x, y = (self.number(f"{key}[{i}]", one, above) for i, one in enumerate(value))
        return None if x is None or y is None else (x, y)

    def size(self) -> tuple[float, float] | None:
        return self.pair("size_mm", self.data.get("size_mm"), above=0.0)

    def title(self) -> str:
        title = self.data.get("name")
        if not isinstance(title, str) or not title.strip():
            self.wrong("name", "must be the board's name in words")
            return ""
        return title.strip()

    def spaces(self) -> dict[str, Space]:
        written = self.data.get("spaces")
        if not isinstance(written, Mapping) or not written:
            self.wrong("spaces", "must be a mapping of a space's id to {at: [x, y], radius: r}")
            return {}
        spaces = {}
        for name, value in written.items():
            key = f"spaces.{name}"
            if not isinstance(value, Mapping):
                self.wrong(key, "must be {at: [x, y], radius: r}")
                continue
            at = self.pair(f"{key}.at", value.get("at"))
            radius = self.number(f"{key}.radius", value.get("radius"), above=0.0)
            if at is not None and radius is not None:
                spaces[str(name)] = Space(at, radius)
        return spaces

    def track(self) -> Track | None:
        written = self.data.get("black_track")
        if not isinstance(written, Mapping):
            self.wrong(
                "black_track", "must be {at: [[x, y], ...], radius: r, points: [...], full: n}"
            )
            return None
        before = len(self.problems)
        centres = written.get("at")
        if not isinstance(centres, list) or not centres:
            self.wrong("black_track.at", "must be a list of [x, y] in mm")
            centres = []
        at = [self.pair(f"black_track.at[{i}]", centre) for i, centre in enumerate(centres)]
        radius = self.number("black_track.radius", written.get("radius"), above=0.0)
        points = written.get("points")
        if not isinstance(points, list) or not all(_is_score(value) for value in points):
            self.wrong("black_track.points", "must be a list of whole numbers from 0 up")
            points = []
        elif centres and len(points) != len(centres):
            self.wrong("black_track.points", f"has {len(points)} numbers for {len(centres)} spaces")
        elif points != sorted(points):
            self.wrong("black_track.points", "must not fall from left to right")
        full = written.get("full")
        if not _is_score(full):
            self.wrong("black_track.full", "must be a whole number from 0 up")
        elif points and cast(int, full) < points[-1]:
            self.wrong("black_track.full", "must not be less than the last of points")
        if len(self.problems) > before or radius is None:
            return None
        centres_mm = tuple(centre for centre in at if centre is not None)
        return Track(centres_mm, radius, tuple(points), cast(int, full))

    def board(self, spaces: Mapping[str, Space]) -> tuple[str, GalaxyBoard | None]:
        game = self.data.get("game")
        if game not in games():
            self.wrong("game", "must be one of " + ", ".join(games()))
            return "", None
        if "topology" not in self.data:
            self.wrong("topology", "must be `standard`, or written out")
            return str(game), None
        try:
            board = import_module(f"scorer.{game}").board_from_data(self.data["topology"])
        except ValueError as error:
            self.problems += _topology_problems(error)
            return str(game), None
        if spaces:
            written = self.data.get("spaces")
            names = {str(name) for name in written} if isinstance(written, Mapping) else set()
            for name in sorted(set(board.spaces) - names):
                self.wrong(f"spaces.{name}", "is missing: the topology has it")
            for name in sorted(names - set(board.spaces)):
                self.wrong(f"spaces.{name}", "is not a space of the topology")
        return str(game), cast(GalaxyBoard, board)

    def geometry(
        self, size: tuple[float, float] | None, spaces: Mapping[str, Space], track: Track | None
    ) -> None:
        """Every space lies inside the board, and no two cover each other."""
        circles = {f"spaces.{name}": space for name, space in spaces.items()}
        if track:
            circles |= {
                f"black_track.at[{i}]": Space(at, track.radius) for i, at in enumerate(track.at)
            }
        for key, circle in circles.items():
            if size and not all(
                circle.radius <= x <= side - circle.radius
                for x, side in zip(circle.at, size, strict=True)
            ):
                self.wrong(key, f"reaches over the edge of the {size[0]:g} x {size[1]:g} mm board")
        for (key, one), (other_key, other) in combinations(circles.items(), 2):
            if math.dist(one.at, other.at) < one.radius + other.radius:
                self.wrong(key, f"overlaps {other_key}")


def _is_score(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 999


def _topology_problems(error: ValueError) -> list[Problem]:
    """What a game's board reader found, under the layout's key for it."""
    told = getattr(error, "problems", None)
    if not told:
        return [("topology", " ".join(str(error).split()))]
    return [
        (key if key.startswith("topology") else f"topology.{key}".rstrip("."), reason)
        for key, reason in told
    ]
