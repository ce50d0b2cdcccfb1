"""The layout file of a board: the positions of its spaces, in millimetres.

A layout may be written by hand, so all mistakes in a file are reported together, each with its key
and its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from scorer import registry
from scorer.datafile import (
    DataFileError,
    Problem,
    bounded,
    parse_data_file,
    parse_yaml,
    printable,
    read_text_file,
)
from scorer.game import Game
from scorer.places import LAYOUT_WORDS, FieldReader, Place, PrintedBoard, Shape, overlapping
from scorer.sentence import LANGUAGES, Phrasebook, Sentence

FORMAT = 1
MOST_PLACES = 300
_ROUNDING_MM = 1e-6
KNOWN_KEYS = ("format", "game", "name", "size_mm", "spaces", "topology")


class ProfileError(ValueError):
    """An invalid profile, layout file or photograph for calibration.

    `problems` holds the mistakes as (key, reason), as many as a person would read; `str()` is one
    line.
    """

    def __init__(self, source: str | Path, problems: Sequence[Problem]) -> None:
        """`source` is the file or profile that the problems are about."""
        self.source = str(source)
        self.problems = bounded(problems)
        mistakes = "; ".join(f"{key}: {reason}" if key else reason for key, reason in self.problems)
        super().__init__(f"{printable(self.source)}: {mistakes}")

    def __reduce__(self) -> "tuple[type[ProfileError], tuple[str, tuple[Problem, ...]]]":
        """Keep the problems when a worker process pickles it."""
        return type(self), (self.source, self.problems)


@dataclass(frozen=True)
class Layout:
    """A checked layout file: a printed board of some game, in millimetres.

    `title` is a `Sentence` if the file has it in each language. `topology` is kept as written;
    `board` is the game's interpretation of it, its own kind of `scorer.topology.Topology`. `kind`
    is the id of its kind of board on the table (`scorer.table.BoardKind`), or of a side board
    (`calibration.side_boards`).
    """

    game: str
    title: str
    size_mm: tuple[float, float]
    places: Mapping[Place, Shape]
    topology: object
    board: Any
    kind: str = ""

    @property
    def is_side_board(self) -> bool:
        """Whether it is of none of the kinds that are scored."""
        return self.kind not in _kinds(self.game)

    @property
    def rules(self) -> Game[Any, Any, Any]:
        """The game of its places and pieces: of a side board, one of its own."""
        return _rules(self.game, self.kind)

    @cached_property
    def spaces(self) -> dict[str, Shape]:
        return {place.id: shape for place, shape in self.places.items() if place.kind == "spot"}

    @cached_property
    def tracks(self) -> dict[str, tuple[Shape, ...]]:
        """The slots of each track by id, in order."""
        slots = [place for place in self.places if place.kind == "track"]
        return {
            track: tuple(self.places[place] for place in sorted(own))
            for track, own in groupby(slots, key=lambda place: place.id)
        }

    def _name(self) -> str | dict[str, str]:
        if not isinstance(self.title, Sentence):
            return self.title
        return {language: self.title.in_language(language) for language in LANGUAGES}

    def to_data(self) -> dict[str, Any]:
        """The layout as in a layout file, in the order in which a person reads it."""
        return {
            "format": FORMAT,
            "game": self.game,
            **({"board": self.kind} if self.kind else {}),
            "name": self._name(),
            "size_mm": list(self.size_mm),
            **self.rules.printed_data(PrintedBoard(self.board, self.places)),
            **({} if self.topology is None else {"topology": deepcopy(self.topology)}),
        }


def board_corners(size_mm: tuple[float, float]) -> npt.NDArray[np.float64]:
    """(4, 2) mm, a board's corners clockwise from the printed top-left."""
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def load_layout(path: Path, *, trusted: bool = False) -> Layout:
    """Read and check a layout file. Raises `ProfileError` with every mistake in it.

    A trusted file, which ships with its game, is read in half the time: the bounds of its data are
    not checked, nor whether its places overlap. Results are cached by content: successive pages
    load the same boards.
    """
    try:
        return _checked(path, read_text_file(path), registry.names(), trusted)
    except DataFileError as error:
        raise ProfileError(path, error.problems) from error


@lru_cache(maxsize=64)
def _checked(path: Path, text: str, _games: tuple[str, ...], trusted: bool) -> Layout:
    """Parse and check a layout; `_games` only keys the cache."""
    data = parse_yaml(text, trusted=True) if trusted else parse_data_file(path, text)
    return layout_from_data(data, path, trusted=trusted)


def dump_layout(layout: Layout) -> str:
    """A layout as YAML, one space per line."""

    data = layout.to_data()
    for key, value in data.items():
        if isinstance(value, dict) and all(isinstance(own, dict) for own in value.values()):
            data[key] = {name: _OneLine(own) for name, own in value.items()}
    return yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None
    )


class _OneLine(dict[str, Any]):
    """A mapping that is written as {on: one, line: only}."""


class _Dumper(yaml.SafeDumper):
    """Safe YAML without aliases, which layouts must not have."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_Dumper.add_representer(
    _OneLine,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True),
)


def layout_from_data(
    data: object, source: str | Path = "layout", *, trusted: bool = False
) -> Layout:
    """Check the content of a layout file. Raises `ProfileError` with every mistake in it.

    Whether places overlap or reach over the edge is not checked if it is trusted.
    """
    if not isinstance(data, Mapping):
        raise ProfileError(
            source, [("", "must be a mapping with the keys " + ", ".join(KNOWN_KEYS))]
        )
    fields = FieldReader(data)
    if data.get("format", FORMAT) != FORMAT:
        fields.wrong("format", f"must be {FORMAT}")
    size = fields.point("size_mm", data.get("size_mm"), above=0.0)
    title = _title(data.get("name"))
    if title is None:
        fields.wrong("name", "must be the board's name in words")
    game, kind, printed = data.get("game"), "", None
    if isinstance(game, str) and game in registry.names():
        kind = str(data.get("board", _kinds(game)[0]))
        try:
            rules = _rules(game, kind)
        except KeyError:
            fields.wrong("board", "must be one of " + ", ".join(_kinds(game)))
        else:
            printed = rules.read_printed(fields)
    else:
        fields.wrong("game", "must be one of " + ", ".join(registry.names()))
    if len(fields.shapes) > MOST_PLACES:  # each is compared with all others below
        reason = f"has {len(fields.shapes):,} places; a board has {MOST_PLACES} at most"
        raise ProfileError(source, [("", reason)])
    if not trusted:
        fields.problems += _misplaced(size, fields.shapes)
    if fields.problems or printed is None:
        raise ProfileError(source, fields.problems)
    # Without problems, nothing above is None.
    assert size and title and isinstance(game, str)
    return Layout(
        game=game,
        title=title,
        size_mm=size,
        places=MappingProxyType(dict(printed.places)),
        topology=data.get("topology"),
        board=printed.board,
        kind=kind,
    )


def _kinds(game: str) -> Sequence[str]:
    return [kind.id for kind in registry.find_game(game).table.boards]


def _rules(game: str, kind: str) -> Game[Any, Any, Any]:
    """The game of a kind of board. Raises KeyError."""
    if kind in _kinds(game):
        return registry.find_game(game)
    from calibration.side_boards import side_games  # which has layouts

    return side_games(game)[kind]


def _title(name: object) -> str | None:
    """A board's name; a `Sentence` if it is given in each language, None if it is invalid."""
    if isinstance(name, Mapping) and set(name) == set(LANGUAGES):
        said = {language: _title(text) for language, text in name.items()}
        if any(text is None or isinstance(text, Sentence) for text in said.values()):
            return None
        plain = {one: f"{text}".replace("{", "{{").replace("}", "}}") for one, text in said.items()}
        return Phrasebook({"name": plain}, {}).say("name")
    return name.strip() or None if isinstance(name, str) else None


def _misplaced(size: tuple[float, float] | None, shapes: Mapping[str, Shape]) -> Iterator[Problem]:
    """Problems of places that reach over the board's edge or overlap each other."""
    for key, shape in shapes.items():
        if size and not all(
            disc.radius <= x <= side - disc.radius
            for disc in shape.discs
            for x, side in zip(disc.at, size, strict=True)
        ):
            width, height = (f"{side:g}" for side in size)
            yield key, LAYOUT_WORDS.say("reaches_over", width=width, height=height)
    keys, all_shapes = list(shapes), list(shapes.values())
    at = np.array([shape.at for shape in all_shapes], float).reshape(-1, 2)
    radius = np.array([shape.radius for shape in all_shapes])
    apart = np.hypot(*(at[:, None] - at).transpose(2, 0, 1))
    near = np.triu(apart <= radius[:, None] + radius + _ROUNDING_MM, 1)
    for one, other in np.argwhere(near).tolist():  # few: slow to check
        if overlapping(all_shapes[one], all_shapes[other]):
            yield keys[one], LAYOUT_WORDS.say("overlaps", other=keys[other])
