"""The parts of a game's layout that the board editor draws and changes, other than spaces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

PartKind = Literal["links", "regions", "rings", "marks", "track", "numbers"]
"""The form of a part in the layout's data:

- `links`: a list of pairs of spaces;
- `regions`: lists of spaces by name, each space in one of them;
- `rings`: lists of spaces by name, each in order around `centre`;
- `marks`: a list of spaces;
- `track`: {at: [[x, y], ...], radius, points: [...], full};
- `numbers`: numbers at their own keys, in `groups`, one of which may have `exceptions`.
"""


@dataclass(frozen=True)
class Number:
    """A number field: the key path within its part, ending in an index for lists.

    `label` is its caption.
    """

    key: tuple[str | int, ...]
    label: str


@dataclass(frozen=True)
class NumberGroup:
    """Numbers shown together, such as those of the first three places."""

    title: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class Overrides:
    """Single things whose numbers differ from their group's: lists of numbers by the thing's id.

    `key` is their path within the part, `usual` the path of the list that all others use. `choices`
    names every thing, `labels` every number. `add` is the caption of the add button.
    """

    key: tuple[str, ...]
    usual: tuple[str, ...]
    choices: Mapping[str, str]
    labels: tuple[str, ...]
    add: str


@dataclass(frozen=True)
class LayoutPart:
    """A part of a layout that has its own tool in the editor.

    `key` is its path in the layout's data; `title` and `hint` are the tool's name and instructions.
    `dashed` links are drawn as a broken line. `centre` is the space that rings surround, `track`
    the id of a track's places. `words` are names used within the part.
    """

    id: str
    kind: PartKind
    key: tuple[str, ...]
    title: str
    hint: str
    dashed: bool = False
    centre: str = ""
    track: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[NumberGroup, ...] = ()
    exceptions: Overrides | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the part as JSON for the editor's script."""
        return {
            "id": self.id,
            "kind": self.kind,
            "key": list(self.key),
            "title": self.title,
            "hint": self.hint,
            "dashed": self.dashed,
            "centre": self.centre,
            "track": self.track,
            "words": dict(self.words),
            "groups": [asdict(group) for group in self.groups],
            "exceptions": asdict(self.exceptions) if self.exceptions else None,
        }


@dataclass(frozen=True)
class LayoutEditing:
    """What the editor changes in a game's layouts, other than the positions of spaces.

    `parts` returns the tools in order, in the current language. `written_out` returns a layout's
    data with every part present, `in_short` the compact form for a file.
    """

    parts: Callable[[], Sequence[LayoutPart]] = tuple
    written_out: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    in_short: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
