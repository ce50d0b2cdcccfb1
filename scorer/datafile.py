"""Read YAML and JSON data files safely, and report each mistake with its place.

A file may come from anybody. Data is plain: text, finite numbers, true, false and null, in lists
and in mappings with text keys. Its size is bounded to what a person would write, so that further
checks have little to do. Aliases (which can expand a small file to gigabytes), tags and repeated
keys (of which the format would silently keep one) are refused.
"""

import json
import os
import re
import stat
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import yaml

LARGEST_FILE = 100_000  # bytes; a full game file has about 2,000
DEEPEST = 50  # keys within keys; a game file has 4
TOO_DEEP = "nested too deep to be data"
MOST_ENTRIES = 1_000  # of one list or mapping; a board has some 30 places
MOST_VALUES = 20_000  # of a YAML file, which takes 20 µs for each; a layout has 300
LARGEST_NUMBER = 2**63
MOST_PROBLEMS = 20  # reported for a file
LONGEST_SHOWN = 400  # characters of a reason

Problem = tuple[str, str]
"""A key of a file, such as `players[0].stars.a1`, and what is wrong with it."""

_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters except tab and newlines, and surrogate halves."""


class DataFileError(ValueError):
    """A file that is not valid data; `problems` holds (key, reason) pairs, one a line in str()."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems in order, within the bounds of `bounded`."""
        self.problems = bounded(problems)
        super().__init__("\n".join(f"{key}: {why}" if key else why for key, why in self.problems))

    def __reduce__(self) -> tuple[type["DataFileError"], tuple[tuple[Problem, ...]]]:
        """Pickle `problems` rather than the message, for errors from worker processes."""
        return type(self), (self.problems,)


@contextmanager
def raised_as(kind: type[DataFileError]) -> Iterator[None]:
    """Reraise the problems of a DataFileError as the error for a kind of file.

    >>> class RecipeError(DataFileError): ...
    >>> with raised_as(RecipeError):
    ...     raise DataFileError([("eggs", "missing")])
    Traceback (most recent call last):
    scorer.datafile.RecipeError: eggs: missing
    """
    try:
        yield
    except DataFileError as error:
        raise kind(error.problems) from None


def bounded(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The first problems and the number of the others, with keys and reasons cut to length.

    >>> bounded([("a", "missing")] * 30)[-1]
    ('', 'and 10 more')
    >>> bounded(bounded([("a", "missing")] * 30))[-1]
    ('', 'and 10 more')
    """
    rest = iter(problems)
    shown = [(printable(key), _as_it_is(why)) for key, why in islice(rest, MOST_PROBLEMS)]
    more = list(rest)
    if len(more) > 1:
        more = [("", f"and {len(more):,} more")]
    return (*shown, *more)


def _as_it_is(why: str) -> str:
    """The reason unchanged if printable, so that a sentence keeps its other languages."""
    shown = printable(why, LONGEST_SHOWN)
    return why if shown == why else shown


def printable(text: str, longest: int = 200) -> str:
    """The text on one line; if it is long, the middle is left out, as both ends are informative.

    >>> printable("a\\x1b[31m\\nb")
    'a�[31m b'
    """
    if len(text) > longest:
        text = f"{text[: longest // 2]} ... {text[-longest // 2 :]}"
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in text)


def key_of(place: Sequence[int | str]) -> str:
    """A path in the data as a person would write it.

    >>> key_of(("players", 0, "stars", "a1"))
    'players[0].stars.a1'
    """
    return "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place).lstrip(".")


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read its bytes. Raise OSError if it is missing or not regular.

    Folders, devices and pipes are never opened: reading one may block, or have side effects.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            kind = "is a directory" if path.is_dir() else "not a regular file"
            raise OSError(None, kind, str(path))
        return open(path, "rb", opener=_without_waiting)
    except ValueError as error:  # a NUL in the name
        raise FileNotFoundError(None, "no such file", str(path)) from error


def _without_waiting(path: str, flags: int) -> int:
    """Open without blocking, in case the file was replaced by a pipe after the check."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_data_file(path: Path) -> Any:
    """The data of a `.yaml`, `.yml` or `.json` file. Raise DataFileError with line numbers.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "game.yaml")
    ...     _ = file.write_text("mode: intro")
    ...     read_data_file(file)
    {'mode': 'intro'}
    """
    return parse_data_file(path, read_text_file(path))


def parse_data_file(path: Path, text: str) -> Any:
    """The data in a text from `read_text_file`. Raise DataFileError with line numbers."""
    return parse_json(text) if path.suffix.lower() == ".json" else parse_yaml(text)


def read_text_file(path: Path) -> str:
    """The text of a UTF-8 data file. Raise DataFileError."""
    try:
        with open_regular(path) as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = error.strerror or "no such file"
        message = f"{printable(str(path))}: cannot be opened ({reason.lower()})"
        raise DataFileError([("", message)]) from None
    not_text = f"{path.name}: not a text file in UTF-8; give a YAML or JSON file"
    if b"\0" in raw:  # a picture, say
        raise DataFileError([("", not_text)])
    if len(raw) > LARGEST_FILE:
        raise DataFileError([("", f"{path.name}: over {LARGEST_FILE:,} bytes, far too large")])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataFileError([("", not_text)]) from None


def read_package_file(package: str | None, path: str) -> Any:
    """The data of a YAML file in a package, which is trusted. Raise DataFileError, with its name.

    >>> read_package_file("scorer", "layout_words.yaml")["overlaps"]["en"]
    'overlaps {other}'
    """
    with naming(path):
        text = files(package or "").joinpath(path).read_text(encoding="utf-8")
        return parse_yaml(text, trusted=True)


def file_of(package: str, path: str) -> str:
    """How messages name a file of a package.

    >>> file_of("webapp.web", "texts.yaml")
    'webapp/web/texts.yaml'
    """
    return f"{package.replace('.', '/')}/{path}"


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Prefix the keys of a DataFileError with the file's name."""
    try:
        yield
    except DataFileError as error:
        problems = [(f"{file}: {key}".rstrip(": "), why) for key, why in error.problems]
        raise DataFileError(problems) from None


def parse_json(text: str | bytes) -> Any:
    """The data of a JSON text. Raise DataFileError if it is not JSON or not plain data.

    >>> parse_json('{"black": 1e999}')
    Traceback (most recent call last):
    scorer.datafile.DataFileError: black: is no number that can be counted with
    """
    repeated: dict[str, None] = {}

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                repeated[name] = None
            found[name] = value
        return found

    try:
        data = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise DataFileError([("", f"line {error.lineno}: not JSON ({error.msg})")]) from None
    except UnicodeDecodeError:
        raise DataFileError([("", "not JSON (not text in UTF-8)")]) from None
    except (RecursionError, ValueError):  # ValueError: an integer of thousands of digits
        raise DataFileError([("", "nested too deep or a number too long to be data")]) from None
    if repeated:
        raise DataFileError((name, "written twice") for name in repeated)
    return _plain(data)


def parse_yaml(text: str, *, trusted: bool = False) -> Any:
    """The data of a YAML text. Raise DataFileError if it is not YAML or not plain data.

    The bounds of data are not checked if the text is trusted.

    >>> parse_yaml("stars: {core: red, core: blue}")
    Traceback (most recent call last):
    scorer.datafile.DataFileError: core: written twice (line 1)
    >>> parse_yaml("{1: one, null: none, 1.5: half}")
    {'1': 'one', 'null': 'none', '1.5': 'half'}
    """
    try:
        if not trusted:
            _refuse_bombs(text)
        loader = _PlainLoader(text)
        data = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # libyaml's own limit, since PyYAML 6.0.4
            raise DataFileError([("", TOO_DEEP)]) from None
        raise _not_yaml(error.problem_mark, f"{error.problem}") from None
    except yaml.YAMLError as error:
        raise DataFileError([("", f"not YAML ({str(error).splitlines()[0]})")]) from None
    except DataFileError:
        raise
    except ValueError:
        raise DataFileError([("", "a value that cannot be, such as a number too long")]) from None
    if loader.repeated:
        raise DataFileError(loader.repeated)
    return data if trusted else _plain(data)


_PLAIN_KINDS = ("null", "bool", "int", "float")


class _PlainLoader(yaml.CSafeLoader):
    """Builds JSON's types only: dates and keys are text, as written."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.repeated: list[Problem] = []

    def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[Hashable, Any]:
        assert isinstance(node, yaml.MappingNode)
        found: dict[Hashable, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _not_yaml(key.start_mark, "a key must be text")
            if key.value in found:
                line = key.start_mark.line + 1
                self.repeated.append((key.value, f"written twice (line {line})"))
            found[key.value] = self.construct_object(value, deep=True)
        return found


# What an unquoted scalar may be other than text, by its first letter.
_PlainLoader.yaml_implicit_resolvers = {
    letter: [(tag, looks) for tag, looks in kinds if tag.rpartition(":")[2] in _PLAIN_KINDS]
    for letter, kinds in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def _not_yaml(mark: Any, reason: str) -> DataFileError:
    line = f"line {mark.line + 1}: " if mark else ""
    return DataFileError([("", f"{line}not YAML ({reason})")])


def _refuse_bombs(text: str) -> None:
    """Refuse aliases, tags, and excessive depth or size before any value is built.

    Building deeply nested data would overflow the stack of the C parser.
    """
    depth = values = 0
    for event in yaml.parse(text, yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise DataFileError([(f"*{event.anchor}", "aliases are not read")])
        if getattr(event, "tag", None) is not None:
            raise _not_yaml(event.start_mark, "tags are not read: write the value itself")
        values += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if values > MOST_VALUES:
            raise DataFileError([("", f"over {MOST_VALUES:,} values, far too many")])
        if depth > DEEPEST:
            raise DataFileError([("", TOO_DEEP)])


def _plain(data: Any) -> Any:
    """The data, if all of it is within bounds. Raise DataFileError with everything that is not."""
    reason = _out_of_measure(data)
    problems = [("", reason)] if reason else list(_problems_inside(data, ()))
    if problems:
        raise DataFileError(problems)
    return data


def _problems_inside(value: Any, place: tuple[int | str, ...]) -> Iterator[Problem]:
    """The problems inside a list or mapping, which was checked itself; a scalar has none."""
    if not isinstance(value, _COLLECTION):
        return
    for part, inner in value.items() if isinstance(value, dict) else enumerate(value):
        reason = _out_of_measure(part) or _out_of_measure(inner)
        if reason:
            yield key_of((*place, part)), reason
        elif isinstance(inner, _COLLECTION) and len(place) + 2 > DEEPEST:
            yield key_of(place[:3]), TOO_DEEP
        elif isinstance(inner, _COLLECTION):
            yield from _problems_inside(inner, (*place, part))


def _out_of_measure(value: Any) -> str:
    """Why a value, or the size of a collection, is out of bounds; "" if it is not."""
    if isinstance(value, str):
        strange = _NOT_TEXT.search(value)
        return f"has a character that is no text, U+{ord(strange[0]):04X}" if strange else ""
    if isinstance(value, _COLLECTION):
        much = len(value) > MOST_ENTRIES
        return f"has {len(value):,} entries, more than {MOST_ENTRIES:,}" if much else ""
    counted = value is None or abs(value) < LARGEST_NUMBER
    return "" if counted else "is no number that can be counted with"


_COLLECTION = (dict, list)
