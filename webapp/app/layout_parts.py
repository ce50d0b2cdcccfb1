"""What of a game's layout the editor of boards draws and changes, beside where its spaces are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

PartKind = Literal["links", "regions", "rings", "marks", "track", "numbers"]
"""What a part is in the layout's data:

- `links`: a list of pairs of spaces;
- `regions`: lists of spaces by a name, a space in one of them;
- `rings`: lists of spaces by a name, each in order around `centre`;
- `marks`: a list of spaces;
- `track`: {at: [[x, y], ...], radius, points: [...], full};
- `numbers`: numbers at keys of their own, in `groups`, with `exceptions` from one of them.
"""


@dataclass(frozen=True)
class Number:
    """A number that is typed: the key to it within its part, where it is one of a list its place.

    `label` is what stands above it.
    """

    key: tuple[str | int, ...]
    label: str


@dataclass(frozen=True)
class NumberGroup:
    """Numbers that belong together, such as those for the first three places."""

    title: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class Overrides:
    """Single things that have other numbers than their group: lists of numbers by the thing's id.

    `key` leads to them within the part; `choices` names every thing, `labels` each number; `usual`
    is the key to the list that the others have; `add` is what to tap for one more.
    """

    key: tuple[str, ...]
    usual: tuple[str, ...]
    choices: Mapping[str, str]
    labels: tuple[str, ...]
    add: str


@dataclass(frozen=True)
class LayoutPart:
    """A part of a layout that has a tool of its own in the editor.

    `key` leads to it in the layout's data; `title` is what its tool is called, `hint` how to use
    it. `dashed`: links that are drawn as a broken line. `centre` is the space that rings go around,
    `track` the id of a track's places. `words` are for names within it.
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
        """As the editor's script has it."""
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
    """What the editor changes of a game's layouts beside where their spaces are.

    `parts` are in the order of the tools, in the language of whoever asks. `written_out` gives a
    layout's data with each of those parts in it, `in_short` the same as a file is best written.
    """

    parts: Callable[[], Sequence[LayoutPart]] = tuple
    written_out: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    in_short: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
